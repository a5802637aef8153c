package cell_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// codec is what the generator writes for a type: functions that read and write a value and, for the test, one that generates
// it.
type codec struct {
	name   string
	key    bool // Go can compare its values
	decode func(*cell.Decoder) any
	encode func(*cell.Encoder, any)
	draw   func(*rand.Rand) any
}

// of returns a codec of a type's own methods.
func of[T any](name string, key bool, decode func(*cell.Decoder) T, encode func(*cell.Encoder, T), draw func(*rand.Rand) T) codec {
	return codec{name, key, func(d *cell.Decoder) any { return decode(d) }, func(e *cell.Encoder, v any) { encode(e, v.(T)) },
		func(r *rand.Rand) any { return draw(r) }}
}

func drawBytes(r *rand.Rand) []byte { return []byte(drawText(r)) }
func drawText(r *rand.Rand) string {
	return strings.Repeat("é", r.IntN(3)) + strings.Repeat("x", r.IntN(9))
}
func drawBig(r *rand.Rand) *big.Int { return new(big.Int).Lsh(big.NewInt(r.Int64()), uint(r.IntN(80))) }
func drawTime(r *rand.Rand) time.Time {
	return time.Unix(int64(r.IntN(1<<30))*86400/1000*1000, 0).UTC()
}

type span struct {
	months, days int32
	rest         int64
}

func decodeSpan(d *cell.Decoder) (s span)    { s.months, s.days, s.rest = d.Duration(); return s }
func encodeSpan(e *cell.Encoder, s span)     { e.Duration(s.months, s.days, s.rest) }
func decodeVector(d *cell.Decoder) []float32 { v := make([]float32, 3); d.Floats(v); return v }

// scalarCodecs are the codecs of the types without parts.
var scalarCodecs = []codec{
	of("text", true, (*cell.Decoder).Text, (*cell.Encoder).Text, drawText),
	of("ascii", true, (*cell.Decoder).Ascii, (*cell.Encoder).Ascii, func(*rand.Rand) string { return "a" }),
	of("blob", false, (*cell.Decoder).Blob, (*cell.Encoder).Blob, drawBytes),
	of("boolean", true, (*cell.Decoder).Boolean, (*cell.Encoder).Boolean, func(r *rand.Rand) bool { return r.IntN(2) == 0 }),
	of("tinyint", true, (*cell.Decoder).Tinyint, (*cell.Encoder).Tinyint, func(r *rand.Rand) int8 { return int8(r.Int64()) }),
	of("smallint", true, (*cell.Decoder).Smallint, (*cell.Encoder).Smallint, func(r *rand.Rand) int16 { return int16(r.Int64()) }),
	of("int", true, (*cell.Decoder).Int, (*cell.Encoder).Int, func(r *rand.Rand) int32 { return int32(r.Int64()) }),
	of("bigint", true, (*cell.Decoder).Bigint, (*cell.Encoder).Bigint, (*rand.Rand).Int64),
	of("double", false, (*cell.Decoder).Double, (*cell.Encoder).Double, (*rand.Rand).NormFloat64),
	of("float", false, (*cell.Decoder).Float, (*cell.Encoder).Float, (*rand.Rand).Float32),
	of("timestamp", false, (*cell.Decoder).Timestamp, (*cell.Encoder).Timestamp, drawTime),
	of("date", false, (*cell.Decoder).Date, (*cell.Encoder).Date, drawTime),
	of("time", true, (*cell.Decoder).Time, (*cell.Encoder).Time, func(r *rand.Rand) time.Duration { return time.Duration(r.IntN(1 << 40)) }),
	of("uuid", true, (*cell.Decoder).UUID, (*cell.Encoder).UUID, func(r *rand.Rand) [16]byte { return [16]byte{byte(r.Int64()), 6: 0x10} }),
	of("inet", true, (*cell.Decoder).Addr, (*cell.Encoder).Addr, func(r *rand.Rand) netip.Addr { return netip.AddrFrom4([4]byte{byte(r.Int64())}) }),
	of("varint", false, (*cell.Decoder).Varint, (*cell.Encoder).Varint, drawBig),
	of("decimal", false, (*cell.Decoder).Decimal, (*cell.Encoder).Decimal, func(r *rand.Rand) *inf.Dec { return inf.NewDecBig(drawBig(r), inf.Scale(r.Int32())) }),
	of("duration", false, decodeSpan, encodeSpan, func(r *rand.Rand) span { return span{r.Int32(), r.Int32(), r.Int64()} }),
	of("vector", false, decodeVector, (*cell.Encoder).Floats, func(r *rand.Rand) []float32 { return []float32{r.Float32(), 0, 1} }),
}

// describe returns the codec of the type of a descriptor, which has one byte for each type.
func describe(descriptor *[]byte, depth int) codec {
	if len(*descriptor) == 0 || depth == 0 {
		return scalarCodecs[0]
	}
	b := (*descriptor)[0]
	*descriptor = (*descriptor)[1:]
	switch b % 32 {
	case 20:
		return listOf(describe(descriptor, depth-1))
	case 21:
		return nullable(describe(descriptor, depth-1))
	case 22, 23:
		return mapOf(key(b>>5), describe(descriptor, depth-1))
	case 24:
		return setOf(key(b >> 5))
	case 25:
		return uniqueOf(describe(descriptor, depth-1))
	case 26, 27, 28, 29, 30, 31:
		members := make([]codec, 1+b>>5)
		for i := range members {
			members[i] = describe(descriptor, depth-1)
		}
		return structOf(members)
	}
	return scalarCodecs[int(b%32)%len(scalarCodecs)]
}

func key(b byte) codec {
	keys := slices.DeleteFunc(slices.Clone(scalarCodecs), func(c codec) bool { return !c.key })
	return keys[int(b)%len(keys)]
}

func many(r *rand.Rand, c codec) []any {
	v := make([]any, r.IntN(4))
	for i := range v {
		v[i] = c.draw(r)
	}
	return v
}

func listOf(c codec) codec {
	return of("list<"+c.name+">", false, func(d *cell.Decoder) []any { return cell.DecodeList(d, c.decode) },
		func(e *cell.Encoder, v []any) { cell.EncodeList(e, v, c.encode) }, func(r *rand.Rand) []any { return many(r, c) })
}

func uniqueOf(c codec) codec {
	return of("set<"+c.name+">", false, func(d *cell.Decoder) []any { return cell.DecodeList(d, c.decode) },
		func(e *cell.Encoder, v []any) { cell.EncodeUnique(e, v, c.encode) }, func(r *rand.Rand) []any { return many(r, c)[:0] })
}

func nullable(c codec) codec {
	return of("pointer to "+c.name, false, func(d *cell.Decoder) *any { return cell.DecodeNullable(d, c.decode) },
		func(e *cell.Encoder, v *any) { cell.EncodeNullable(e, v, c.encode) },
		func(r *rand.Rand) *any { v := c.draw(r); return &v })
}

func setOf(c codec) codec {
	return of("set<"+c.name+">", false, func(d *cell.Decoder) map[any]struct{} { return cell.DecodeSet(d, c.decode) },
		func(e *cell.Encoder, v map[any]struct{}) { cell.EncodeSet(e, v, c.encode) },
		func(r *rand.Rand) map[any]struct{} { return map[any]struct{}{c.draw(r): {}, c.draw(r): {}} })
}

func mapOf(k, c codec) codec {
	return of("map<"+k.name+", "+c.name+">", false, func(d *cell.Decoder) map[any]any { return cell.DecodeMap(d, k.decode, c.decode) },
		func(e *cell.Encoder, v map[any]any) { cell.EncodeMap(e, v, k.encode, c.encode) },
		func(r *rand.Rand) map[any]any { return map[any]any{k.draw(r): c.draw(r), k.draw(r): c.draw(r)} })
}

func structOf(members []codec) codec {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.name
	}
	decode := func(d *cell.Decoder, v *[]any) {
		for _, m := range members {
			*v = append(*v, m.decode(d))
		}
	}
	encode := func(e *cell.Encoder, v *[]any) {
		for i, m := range members {
			m.encode(e, (*v)[i])
		}
	}
	return of("udt<"+strings.Join(names, ", ")+">", false, func(d *cell.Decoder) *[]any { return cell.DecodePointer(d, decode) },
		func(e *cell.Encoder, v *[]any) { cell.EncodeStruct(e, v, encode) }, func(r *rand.Rand) *[]any {
			v := make([]any, len(members))
			for i, m := range members {
				v[i] = m.draw(r)
			}
			return &v
		})
}

// tryDescriptor decodes arbitrary bytes as the type of a descriptor. The result is a fault with a position, or a value that
// does not share memory with the bytes and is encoded to bytes that are decoded to the same value. Both need memory in
// proportion to the number of bytes.
func tryDescriptor(t require.TestingT, descriptor, data []byte) {
	c := describe(&descriptor, 40)
	given := slices.Clone(data)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var d cell.Decoder
	d.Row(cell.Row{given})
	v := c.decode(&d)
	runtime.ReadMemStats(&after)
	require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10+200*len(data)), "%s %x", c.name, data)
	if err := d.Err(); err != nil {
		var fault *cell.Fault
		require.True(t, errors.As(err, &fault))
		require.Equal(t, 0, fault.Path[0].Member)
		require.NotEmpty(t, fault.Problem)
		return
	}
	encode := func(v any) (cell.Row, error) {
		var e cell.Encoder
		c.encode(&e, v)
		return e.Cells(nil)
	}
	first, err := encode(v)
	clear(given)
	again, errAgain := encode(v)
	if err != nil { // the bytes contain a value that Cassandra would not store, such as a text that is not UTF-8
		require.Error(t, errAgain)
		return
	}
	require.Equal(t, first, again, "%s %x: the value shares memory with its bytes", c.name, data)
	d.Row(first)
	back, err := encode(c.decode(&d))
	require.NoError(t, d.Err())
	require.NoError(t, err)
	require.Equal(t, first, back, "%s %x", c.name, data)
}

// seeds are the initial descriptors and bytes: each type, deep nesting, and lengths without bytes.
func seeds() (out [][2][]byte) {
	for b := range 256 {
		out = append(out, [2][]byte{{byte(b), 2, 3, 20, 0}, {0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 1}})
	}
	for _, nest := range []byte{20, 21, 22, 25, 26, 0x3a} {
		deep := slices.Repeat([]byte{nest}, 60)
		out = append(out, [2][]byte{deep, slices.Repeat([]byte{0, 0, 0, 1}, 200)}, [2][]byte{deep, slices.Repeat([]byte{0x7f, 0xff, 0xff, 0xff}, 60)},
			[2][]byte{deep, nil}, [2][]byte{deep, slices.Repeat([]byte{0xff}, 400)})
	}
	return out
}

func FuzzDecode(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, descriptor, data []byte) { tryDescriptor(t, descriptor, data) })
}

// The same for a fixed number of descriptors, values of them, and mutations of these.
func TestRandomDescriptors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		descriptor := make([]byte, 1+r.IntN(12))
		for i := range descriptor {
			descriptor[i] = byte(r.Uint32())
		}
		rest := descriptor
		c := describe(&rest, 40)
		var e cell.Encoder
		c.encode(&e, c.draw(r))
		row, err := e.Cells(nil)
		if err != nil { // two equal keys in one encoding, a null in a collection
			continue
		}
		tryDescriptor(t, descriptor, row[0])
		for range 6 {
			tryDescriptor(t, descriptor, mutilate(r, row[0]))
		}
	}
}
