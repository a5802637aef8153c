package projection

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func units(o Origin) []int { return slices.Collect(o.Units.All()) }

// customers (id, name, address{street, city} not frozen, phones a set) has a copy with a row for each phone.
var customers = []Cell{{}, {}, {Cells: UDT, Fields: 2}, {Cells: Set}}

func TestDerive(t *testing.T) {
	d := Derive(Program{
		Source: customers, Key: 2,
		Ops:     []Op{{Code: Split, Src: 2, Dst: 4, N: 2}, {Code: Make, Dst: 6, Args: []uint16{1, 5}}, {Code: Each, Src: 3, Dst: 7}},
		Columns: []uint16{7, 0, 6, 2}, Copy: []Cell{{}, {}, {Cells: UDT, Fields: 2}, {}},
	})
	require.Equal(t, []int{0, 1, 2, 4, 5}, d.Units)
	require.Equal(t, 8, d.Registers)
	require.Equal(t, 2, d.Loop)
	require.True(t, d.OwnCells)
	require.Equal(t, []int{0}, units(d.Exists), "the element decides, not the unit of the set")
	require.True(t, d.Exists.Element)
	require.True(t, d.Targets[0].Varies)
	require.Equal(t, []int{0, 1, 2, 3, 4}, units(d.Any))

	made := d.Targets[2]
	require.Equal(t, ByField, made.Form)
	require.True(t, made.Made)
	require.Equal(t, []int{1}, units(made.Fields[0]))
	require.Equal(t, []int{3}, units(made.Fields[1]))
	require.Equal(t, Whole, d.Targets[3].Form, "it is one cell in the copy")
	require.Equal(t, []int{2, 3}, units(d.Targets[3].Origin))
}

func TestDeriveFromMethods(t *testing.T) {
	d := Derive(Program{Source: customers, Methods: make([]Reads, 2), Ops: []Op{{Code: NeedTrue, Src: 5}}, Key: 1, Columns: []uint16{0, 4}, Copy: make([]Cell, 2)})
	require.True(t, d.Tests)
	require.Equal(t, -1, d.Loop)
	require.Equal(t, []int{0, 1, 2, 3, 4}, units(d.Targets[1].Origin), "a method may read every column")
	require.Equal(t, map[int]bool{0: true}, d.Targets[1].Methods)
	require.Equal(t, map[int]bool{1: true}, d.Exists.Methods)
}

// The result of a method derives from the columns that it reads; a method that reads nothing is a constant.
func TestDeriveFromWhatMethodsRead(t *testing.T) {
	d := Derive(Program{Source: customers, Methods: []Reads{{Only: true, Columns: []uint16{3, 1}}, {Only: true}}, Ops: []Op{{Code: Need, Src: 5}}, Key: 1,
		Columns: []uint16{0, 4}, Copy: make([]Cell, 2)})
	require.Equal(t, []int{1, 4}, units(d.Targets[1].Origin))
	require.Equal(t, map[int]bool{0: true}, d.Targets[1].Methods)
	require.Equal(t, []int{0}, units(d.Exists))
	require.Equal(t, map[int]bool{1: true}, d.Exists.Methods)
}

// A UDT with a condition is written by field if the condition applies to all its fields.
func TestDeriveConditionalUDT(t *testing.T) {
	for _, c := range []struct {
		args []uint16
		made bool
	}{{[]uint16{1, 1}, true}, {[]uint16{0, 1}, false}} {
		d := Derive(Program{Source: customers, Ops: []Op{{Code: MakeIf, Src: 1, Dst: 4, Args: c.args}}, Key: 1, Columns: []uint16{0, 4},
			Copy: []Cell{{}, {Cells: UDT, Fields: 2}}})
		require.Equal(t, c.made, d.Targets[1].Made)
		require.Equal(t, []int{1}, units(d.Targets[1].When))
	}
}

func TestKinds(t *testing.T) {
	for k := PartitionKey; k <= Regular; k++ {
		of, ok := ParseKind(k.String())
		require.True(t, ok)
		require.Equal(t, k, of)
	}
	_, ok := ParseKind("other")
	require.False(t, ok)
}
