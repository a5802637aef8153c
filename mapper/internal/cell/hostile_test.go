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

// decodeHostile decodes bytes that nobody vouches for, and re-encodes what they were accepted as.
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
	if err != nil { // the bytes hold what Cassandra would not, such as a text that is not UTF-8
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

// Mutilated encodings: bytes changed, cut off, inserted.
func TestDecodeSurvivesMutilation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range 20 {
		original := seedValue(t, seed)
		for range 300 {
			decodeHostile(t, mutilate(r, original))
		}
	}
}

// A count is believed only as far as there are bytes for it.
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

// mutilate changes, cuts off and inserts bytes, and puts hostile lengths among them.
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
