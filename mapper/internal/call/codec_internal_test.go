package call

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// note is a codec of a struct with one text field.
type note struct{ Typed }

func (note) ComputeAny(*cell.Encoder, any)    {}
func (note) ComputeKeyAny(*cell.Encoder, any) {}

func (note) EncodeAny(e *cell.Encoder, v any) { e.Text(*v.(*string)) }
func (note) CheckAny(any) []mapper.Violation  { return nil }

// The storage of a row is as long as the last row. After one long row, the storage of later rows does not stay large.
func TestStorageOfARowIsAsLongAsTheLast(t *testing.T) {
	table := &descriptor.Table{Name: "notes", Columns: []descriptor.Column{{Name: "text"}}, Partition: 1, Key: 1}
	c := new(Codec).Start((*plan.Table)(table), note{}, nil, true)
	allocations := func(n int) float64 {
		v := string(make([]byte, n))
		return testing.AllocsPerRun(10, func() {
			_, err := c.Encode(&v)
			require.NoError(t, err)
		})
	}
	require.Equal(t, 1.0, allocations(100), "a short row")
	require.Equal(t, 2.0, allocations(5_000), "its bytes are allocated separately")
	require.EqualValues(t, 5_004, c.size)
	allocations(10 << 20)
	require.EqualValues(t, mostRow, c.size)
	require.Equal(t, 1.0, allocations(100))
}
