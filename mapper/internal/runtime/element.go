package runtime

import (
	"context"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// AddElement adds the elements of a set, or the entries of a map, to a column of a row, and their rows to the copies, without reading the
// row. values contains the primary key and the elements. broken contains the rules of the model that they violate. If the row does
// not exist, AddElement creates cells of a row with the key, as CQL does.
//
// The generator uses AddElement and RemoveElement for columns whose elements have rows that can be computed from the key and the
// element.
func (r Root) AddElement(ctx context.Context, values *cell.Encoder, name string, broken []mapper.Fault) error {
	op := "Add"
	if i := r.c.Table.ColumnOf(name); i >= 0 && r.c.Table.Columns[i].Cells == plan.Map {
		op = "Put"
	}
	return r.element(ctx, op, values, name, broken)
}

// RemoveElement removes the elements of a set, or the entries of a map, from a column of a row, and their rows from the copies, without
// reading the row. values contains the primary key and the elements; the values of entries can be null. Removing an element that does
// not exist is not an error.
func (r Root) RemoveElement(ctx context.Context, values *cell.Encoder, name string) error {
	return r.element(ctx, "Remove", values, name, nil)
}

// element writes the difference between two rows that contain only the key and the elements. What it adds to the tables, or removes from
// them, is the same for every row with the key.
func (r Root) element(ctx context.Context, op string, values *cell.Encoder, name string, broken []mapper.Fault) error {
	ctx, end, err := r.beginWrite(ctx, op)
	if err != nil {
		return err
	}
	defer end()
	given, err := r.given(op, values, name, broken)
	if err != nil {
		return err
	}
	without, with := given.row(nil), given.row(given.value)
	if op == "Remove" {
		without, with = with, without
	}
	mutations, err := plan.Plan(r.aggregate, plan.Change{Old: without, New: with})
	if err := r.db.constraint(r.c.Table, given.key, broken, err); err != nil {
		return err
	}
	return r.db.write(ctx, &change{op: op, new: given.key, repeatable: true}, r.c.Table, mutations)
}
