package cell_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// decodeHostile decodes arbitrary bytes, and encodes the result again.
func decodeHostile(t *testing.T, data []byte) {
	var d cell.Decoder
	d.Row(cell.Row{data})
	v := cell.DecodePointer(&d, decodeEvery)
	if d.Err() != nil || v == nil {
		return
	}
	var e cell.Encoder
	encodeEvery(&e, v)
	first, err := e.Cells(nil)
	if err != nil { // the bytes contain a value that Cassandra would not store, such as a text that is not UTF-8
		return
	}
	var again every
	d.Row(first)
	decodeEvery(&d, &again)
	require.NoError(t, d.Err())
	require.Equal(t, first, encode(t, &again))
}

func seedValue(t require.TestingT, seed int) []byte {
	v := everything().Example(seed)
	var e cell.Encoder
	cell.EncodeStruct(&e, v, encodeEvery)
	row, err := e.Cells(nil)
	require.NoError(t, err)
	return row[0]
}

// Mutated encodings: bytes changed, removed, inserted.
func TestDecodeSurvivesMutilation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range 20 {
		original := seedValue(t, seed)
		for range 300 {
			decodeHostile(t, mutilate(r, original))
		}
	}
}

// A count is only accepted if there are enough bytes.
func TestHostileCountsAllocateLittle(t *testing.T) {
	hostile := cell.Cell{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1, 7}
	decoders := map[string]func(*cell.Decoder){
		"list":    func(d *cell.Decoder) { cell.DecodeList(d, (*cell.Decoder).Text) },
		"structs": func(d *cell.Decoder) { cell.DecodeStructs(d, decodeEvery) },
		"set":     func(d *cell.Decoder) { cell.DecodeSet(d, (*cell.Decoder).Text) },
		"map":     func(d *cell.Decoder) { cell.DecodeMap(d, (*cell.Decoder).Int, (*cell.Decoder).Text) },
	}
	for name, decode := range decoders {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var d cell.Decoder
		d.Row(cell.Row{hostile})
		decode(&d)
		runtime.ReadMemStats(&after)
		require.Error(t, d.Err(), name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10), name)
	}
}

// wide needs far more memory than bytes: without any bytes it has 1,028 bytes.
type wide struct {
	Vector [256]float32
	ID     int32
}

func decodeWide(d *cell.Decoder, v *wide) { d.Floats(v.Vector[:]); v.ID = d.Int() }

// narrow has a pointer to a wide struct, and one to a type that is not a struct.
type narrow struct {
	Wide   *wide
	Vector *[256]float32
}

func decodeNarrow(d *cell.Decoder, v *narrow) {
	v.Wide = cell.DecodePointer(d, decodeWide)
	v.Vector = cell.DecodeNullable(d, decodeBroad)
}

func decodeBroad(d *cell.Decoder) (v [256]float32) {
	d.Floats(v[:])
	return v
}

func decodeWideValue(d *cell.Decoder) (v wide) {
	cell.DecodeStruct(d, &v, decodeWide)
	return v
}

// wides are the collections whose elements can need much more memory than bytes.
var wides = map[string]func(*cell.Decoder) int{
	"structs":   func(d *cell.Decoder) int { return len(cell.DecodeStructs(d, decodeWide)) },
	"pointers":  func(d *cell.Decoder) int { return len(cell.DecodeStructs(d, decodeNarrow)) },
	"vectors":   func(d *cell.Decoder) int { return len(cell.DecodeList(d, decodeBroad)) },
	"set":       func(d *cell.Decoder) int { return len(cell.DecodeSet(d, decodeWideValue)) },
	"map":       func(d *cell.Decoder) int { return len(cell.DecodeMapOfStructs(d, (*cell.Decoder).Int, decodeWide)) },
	"qualified": func(d *cell.Decoder) int { return len(cell.DecodeQualified(d, decodeWide)) },
	"lists": func(d *cell.Decoder) int {
		return len(cell.DecodeList(d, func(d *cell.Decoder) []wide { return cell.DecodeStructs(d, decodeWide) }))
	},
}

// allocated returns the number of bytes that a decoder allocates for a value.
func allocated(c cell.Cell, decode func(*cell.Decoder) int) (bytes uint64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var d cell.Decoder
	d.Row(cell.Row{c})
	decode(&d)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, d.Err()
}

// Elements of zero bytes do not allocate the memory of full ones: the memory is in proportion to the bytes.
func TestHostileElementsAllocateInProportion(t *testing.T) {
	one := cell.AppendValue(cell.AppendCount(nil, 1), cell.Cell{})
	empty := map[string]cell.Cell{ // two of zero bytes; but a list of one element
		"pointers": cell.AppendValue(cell.AppendValue(nil, cell.Cell{}), cell.Cell{}), "lists": one,
	}
	for name, decode := range wides {
		hostile := cell.Cell(cell.AppendCount(nil, 100_000))
		for i := range 100_000 {
			switch name {
			case "map":
				hostile = cell.AppendValue(hostile, binary.BigEndian.AppendUint32(nil, uint32(i)))
			case "qualified":
				hostile = cell.AppendValue(hostile, cell.Cell{})
			}
			hostile = cell.AppendValue(hostile, cmpOr(empty[name], cell.Cell{}))
		}
		bytes, err := allocated(hostile, decode)
		require.ErrorContains(t, err, "bytes of memory", name)
		require.Less(t, bytes, uint64(16<<20), name)
	}
}

func cmpOr(c, otherwise cell.Cell) cell.Cell {
	if c == nil {
		return otherwise
	}
	return c
}

// A UDT that was stored before most of its fields were added is read, also in large numbers.
func TestShortElementsAreRead(t *testing.T) {
	short := cell.Cell(cell.AppendCount(nil, 1000))
	for range 1000 {
		short = cell.AppendValue(short, cell.Cell{0xff, 0xff, 0xff, 0xff})
	}
	_, err := allocated(short, wides["structs"])
	require.NoError(t, err)
}

// Any bytes allocate memory in proportion to their number.
func FuzzMemory(f *testing.F) {
	f.Add(bytes.Repeat([]byte{0, 0, 0, 0}, 1<<12), uint16(0xffff))
	f.Add(bytes.Repeat([]byte{0, 0, 0, 1, 0, 0, 0, 0}, 1<<12), uint16(0x0fff))
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		for name, decode := range wides {
			bytes, _ := allocated(append(cell.AppendCount(nil, int(n)), data...), decode)
			require.LessOrEqual(t, bytes, uint64(8<<20+256*len(data)), name)
		}
	})
}

// mutilate changes, removes and inserts bytes, including hostile lengths.
func mutilate(r *rand.Rand, original []byte) []byte {
	b := bytes.Clone(original)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			break
		}
		at := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[at] = byte(r.Uint32())
		case 1:
			b = append(b[:at:at], b[min(len(b), at+r.IntN(5)):]...)
		case 2:
			b = slices.Insert(b, at, byte(r.Uint32()), 0, 0)
		case 3:
			hostile := []uint32{0xffffffff, 0x80000000, 0x7fffffff, uint32(len(b)), uint32(len(b) - at), 0}
			b = slices.Insert(b, at, binary.BigEndian.AppendUint32(nil, hostile[r.IntN(len(hostile))])...)
		}
	}
	return b
}
