package plan_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// The values of the tests: the key of a target, another key, and null.
var (
	target = cell.Cell{0, 0, 0, 7}
	other  = cell.Cell{0, 0, 0, 8}
)

// number returns an int.
func number(n uint32) cell.Cell { return binary.BigEndian.AppendUint32(nil, n) }

// composed returns a UDT or a tuple.
func composed(values ...cell.Cell) cell.Cell {
	out := cell.Cell{}
	for _, v := range values {
		out = cell.AppendValue(out, v)
	}
	return out
}

// collection returns a list or a set, or a map with per 2.
func collection(per int, values ...cell.Cell) cell.Cell {
	return append(cell.AppendCount(nil, len(values)/per), composed(values...)...)
}

// reference returns a reference to targets whose keys have the types, in the place that the steps lead to.
func reference(t *testing.T, types []string, steps ...descriptor.Step) *plan.CheckedReference {
	t.Helper()
	reverse := &descriptor.Table{Name: "refs", Partition: len(types) + 1, Key: len(types) + 2}
	for _, text := range types {
		of, err := cqltype.Parse(text)
		require.NoError(t, err)
		form, err := cell.NewForm(of, nil)
		require.NoError(t, err)
		reverse.Columns = append(reverse.Columns, descriptor.Column{Type: text, Form: form})
	}
	return &plan.CheckedReference{CheckedReference: &descriptor.CheckedReference{Clear: steps}, Table: (*plan.Table)(reverse)}
}

// field is a step to columns, or to fields of a UDT.
func field(fields ...int) descriptor.Step { return descriptor.Step{Fields: fields} }

var (
	elements = descriptor.Step{}
	entries  = descriptor.Step{Map: true}
)

// The reference is removed wherever a field has it, and nothing else is changed.
func TestCleared(t *testing.T) {
	ints := []string{"int"}
	both := []string{"text", "int"}
	key := composed(cell.Cell("a"), target)
	for name, c := range map[string]struct {
		types     []string
		steps     []descriptor.Step
		cells     projection.Cells
		from      cell.Cell
		to        cell.Cell // of the second column; from if the row does not have the reference
		unchanged bool
	}{
		"field":                          {steps: []descriptor.Step{field(1)}, from: target},
		"field, another target":          {steps: []descriptor.Step{field(1)}, from: other, unchanged: true},
		"field, null":                    {steps: []descriptor.Step{field(1)}, unchanged: true},
		"set":                            {steps: []descriptor.Step{field(1), elements}, cells: projection.Set, from: collection(1, number(6), target, other), to: collection(1, number(6), other)},
		"set, the only element":          {steps: []descriptor.Step{field(1), elements}, cells: projection.Set, from: collection(1, target)},
		"frozen set, the only element":   {steps: []descriptor.Step{field(1), elements}, from: collection(1, target), to: collection(1)},
		"set, another target":            {steps: []descriptor.Step{field(1), elements}, cells: projection.Set, from: collection(1, other), unchanged: true},
		"set, null":                      {steps: []descriptor.Step{field(1), elements}, cells: projection.Set, unchanged: true},
		"frozen set, empty":              {steps: []descriptor.Step{field(1), elements}, from: collection(1), unchanged: true},
		"list with a repeated reference": {steps: []descriptor.Step{field(1), elements}, cells: projection.List, from: collection(1, target, other, target), to: collection(1, other)},
		"set of tuples": {types: both, steps: []descriptor.Step{field(1), elements}, cells: projection.Set,
			from: collection(1, composed(cell.Cell("a"), number(6)), key, composed(cell.Cell("b"), target)), to: collection(1, composed(cell.Cell("a"), number(6)), composed(cell.Cell("b"), target))},
		"set of short tuples":                      {types: both, steps: []descriptor.Step{field(1), elements}, cells: projection.Set, from: collection(1, composed(cell.Cell("a")), key), to: collection(1, composed(cell.Cell("a")))},
		"composition":                              {steps: []descriptor.Step{field(1), field(1)}, from: composed(other, target, target), to: composed(other, nil, target)},
		"composition, null":                        {steps: []descriptor.Step{field(1), field(1)}, unchanged: true},
		"composition, not full":                    {steps: []descriptor.Step{field(1), field(1)}, from: composed(target), unchanged: true},
		"composition with nothing else":            {steps: []descriptor.Step{field(1), field(0)}, cells: projection.UDT, from: composed(target)},
		"frozen composition with nothing else":     {steps: []descriptor.Step{field(1), field(0)}, from: composed(target), to: composed(nil)},
		"composition with a key of several fields": {types: both, steps: []descriptor.Step{field(1), field(2, 0)}, from: composed(target, other, cell.Cell("a")), to: composed(nil, other, nil)},
		"composition with another key":             {types: both, steps: []descriptor.Step{field(1), field(2, 0)}, from: composed(target, other, cell.Cell("b")), unchanged: true},
		"composition with a part of the key":       {types: both, steps: []descriptor.Step{field(1), field(2, 0)}, from: composed(target), unchanged: true},
		"composition in a composition":             {steps: []descriptor.Step{field(1), field(1), field(0)}, from: composed(other, composed(target, other)), to: composed(other, composed(nil, other))},
		"set in a composition":                     {steps: []descriptor.Step{field(1), field(1), elements}, from: composed(other, collection(1, target, other)), to: composed(other, collection(1, other))},
		"set in a composition, null":               {steps: []descriptor.Step{field(1), field(1), elements}, from: composed(other, nil), unchanged: true},
		"list of compositions": {steps: []descriptor.Step{field(1), elements, field(1)}, cells: projection.List,
			from: collection(1, composed(number(1), target), composed(number(2), other), composed(number(3), target)),
			to:   collection(1, composed(number(1), nil), composed(number(2), other), composed(number(3), nil))},
		"set of compositions that become equal": {steps: []descriptor.Step{field(1), {Set: true}, field(1)}, cells: projection.Set,
			from: collection(1, composed(number(1)), composed(number(1), target), composed(number(1), other), composed(number(2), target)),
			to:   collection(1, composed(number(1)), composed(number(1), other), composed(number(2), nil))},
		"list of compositions that become equal": {steps: []descriptor.Step{field(1), elements, field(1)}, cells: projection.List,
			from: collection(1, composed(number(1), nil), composed(number(1), target)), to: collection(1, composed(number(1), nil), composed(number(1), nil))},
		"map of compositions": {steps: []descriptor.Step{field(1), entries, field(0)}, cells: projection.Map,
			from: collection(2, target, composed(target), other, composed(other)), to: collection(2, target, composed(nil), other, composed(other))},
		"map of compositions, another target": {steps: []descriptor.Step{field(1), entries, field(0)}, cells: projection.Map, from: collection(2, target, composed(other)), unchanged: true},
		"varint with a leading zero":          {types: []string{"varint"}, steps: []descriptor.Step{field(1), elements}, from: collection(1, cell.Cell{0, 0, 0, 7}), to: collection(1)},
		"boolean that is not 1":               {types: []string{"boolean"}, steps: []descriptor.Step{field(1)}, from: cell.Cell{9}},
		"decimal with a trailing zero":        {types: []string{"decimal"}, steps: []descriptor.Step{field(1)}, from: cell.Cell{0, 0, 0, 1, 70}},
		"empty text":                          {types: []string{"text"}, steps: []descriptor.Step{field(1), elements}, from: collection(1, cell.Cell{}, target), unchanged: true},
	} {
		t.Run(name, func(t *testing.T) {
			types, of := ints, cell.Row{target}
			if c.types != nil {
				types = c.types
			}
			switch types[0] {
			case "text":
				of = cell.Row{cell.Cell("a"), target}[:len(types)]
			case "varint":
				of = cell.Row{{7}}
			case "boolean":
				of = cell.Row{{1}}
			case "decimal":
				of = cell.Row{{0, 0, 0, 0, 7}}
			}
			table := &plan.Table{Name: "t", Partition: 1, Key: 1, Columns: []descriptor.Column{{Name: "id"}, {Name: "v", Kind: projection.Regular, Cells: c.cells}}}
			row := cell.Row{target, c.from}
			got, has := reference(t, types, c.steps...).Cleared(table, row, of)
			require.Equal(t, !c.unchanged, has)
			want := c.to
			if c.unchanged {
				want = c.from
			}
			require.Equal(t, cell.Row{target, want}, got)
			require.Equal(t, cell.Row{target, c.from}, row, "the row that was read is kept")
		})
	}
}

// A reference whose fields are several columns is cleared as a whole, or not at all.
func TestClearedColumns(t *testing.T) {
	r := reference(t, []string{"text", "int"}, field(3, 1))
	table := &plan.Table{Name: "t", Partition: 1, Key: 1, Columns: make([]descriptor.Column, 4)}
	row := cell.Row{other, target, other, cell.Cell("a")}
	got, has := r.Cleared(table, row, cell.Row{cell.Cell("a"), target})
	require.True(t, has)
	require.Equal(t, cell.Row{other, nil, other, nil}, got)
	_, has = r.Cleared(table, row, cell.Row{cell.Cell("a"), other})
	require.False(t, has)
}
