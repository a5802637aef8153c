package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// Set writes one column of a row, in every table, without reading the row. values contains the primary key (for a static column
// the partition key) and the value. broken contains the rules of the model that the value violates. If the row does not exist,
// Set creates a row with the key and the value, as CQL does.
//
// The generator uses Set for columns whose copies can all be computed from the key and the value.
func (r Root) Set(ctx context.Context, values *cell.Encoder, name string, broken []mapper.Violation) error {
	return r.carryOut(ctx, "Set", func() (*change, []plan.Mutation, error) { return r.set(values, name, broken) })
}

// carryOut sends the write that a function plans, without a read.
func (r Root) carryOut(ctx context.Context, op string, write func() (*change, []plan.Mutation, error)) error {
	ctx, end, err := r.BeginWrite(ctx, op)
	if err != nil {
		return err
	}
	defer end()
	c, mutations, err := write()
	if err != nil {
		return err
	}
	return r.DB.write(ctx, c, r.Codec.Table, mutations)
}

// SetMember writes one field of a column that is a UDT, in every table, as [Root.Set] does. values contains the key and the
// field's value.
func (r Root) SetMember(ctx context.Context, values *cell.Encoder, name string, field int, broken []mapper.Violation) error {
	return r.carryOut(ctx, "Set", func() (*change, []plan.Mutation, error) { return r.setMember(values, name, field, broken) })
}

// setMember plans a write of one field of a UDT.
func (r Root) setMember(values *cell.Encoder, name string, field int, broken []mapper.Violation) (*change, []plan.Mutation, error) {
	given, err := r.given("Set", values, name, broken)
	if err != nil {
		return nil, nil, err
	}
	mutations, err := plan.PlanSetMember(r.Aggregate, given.row(given.member(field)), given.column, field)
	if err := r.DB.ConstraintError(r.Codec.Table, given.key, broken, err); err != nil {
		return nil, nil, err
	}
	return &change{op: "Set", new: given.key, repeatable: true}, mutations, nil
}

// member returns a UDT with only one field: the given value.
func (g *given) member(field int) (udt cell.Cell) {
	for range field {
		udt = cell.AppendValue(udt, nil)
	}
	return cell.AppendValue(udt, g.value)
}

// set plans a write of one column.
func (r Root) set(values *cell.Encoder, name string, broken []mapper.Violation) (*change, []plan.Mutation, error) {
	given, err := r.given("Set", values, name, broken)
	if err != nil {
		return nil, nil, err
	}
	given.normalize()
	broken = append(broken, PlanFaults(given.table.Undeclared(given.column, given.value))...)
	mutations, err := plan.PlanSet(r.Aggregate, given.row(given.value), given.column)
	if err := r.DB.ConstraintError(r.Codec.Table, given.key, broken, err); err != nil {
		return nil, nil, err
	}
	return &change{op: "Set", new: given.key, repeatable: true}, mutations, nil
}

// given is the key of a row and the value of one of its columns.
type given struct {
	table  *plan.Table
	key    cell.Row // the primary key; for a static column the partition key
	column int
	value  cell.Cell
}

// normalize converts the value to the form in which the column has it.
func (g *given) normalize() { g.value = g.table.Normal(g.column, g.value) }

// row returns a row with the key and a value of the column; its other cells are null.
func (g *given) row(value cell.Cell) cell.Row { return g.fill(make(cell.Row, g.columns()), value) }

// change returns the change of the column from one value to another. Its rows are one allocation.
func (g *given) change(from, to cell.Cell) plan.Change {
	n := g.columns()
	rows := make(cell.Row, 2*n)
	return plan.Change{Old: g.fill(rows[:n:n], from), New: g.fill(rows[n:], to)}
}

// columns returns the number of cells of a row.
func (g *given) columns() int { return len(g.table.Columns) + len(g.table.Computed) }

func (g *given) fill(row cell.Row, value cell.Cell) cell.Row {
	copy(row, g.key)
	row[g.column] = value
	return row
}

// given returns the key and the value of a column that a call writes without reading the row.
func (r Root) given(op string, values *cell.Encoder, name string, broken []mapper.Violation) (given, error) {
	t := r.Codec.Table
	column := t.ColumnIndex(name)
	if column < 0 {
		return given{}, fmt.Errorf("mapper: %s %s: the table has no column %s: run go generate", op, rowname.Format(t.Aggregate, t.Name, ""), name)
	}
	known := t.Key
	if t.Columns[column].Kind == projection.Static {
		known = t.Partition
	}
	cells, err := values.Cells(make(cell.Row, 0, known+1))
	if err != nil {
		return given{}, r.DB.ConstraintError(t, values.First(known), broken, behindKey(err, known, column))
	}
	if err := r.checkStamp(op, cells[:known]); err != nil {
		return given{}, err
	}
	if r.DB.ttl > 0 {
		return given{}, fmt.Errorf("mapper: %s %s: a write with a TTL writes the whole row: use Update or Put",
			op, rowname.Format(t.Aggregate, t.Name, t.KeyText(cells[:known])))
	}
	t.Canonical(cells[:known])
	if err := r.DB.CheckKey(t, cells[:known]); err != nil {
		return given{}, err
	}
	return given{t, cells[:known], column, cells[known]}, nil
}

// behindKey converts the path of a fault of the value after the key to the path of its column.
func behindKey(err error, known, column int) error {
	var faults cell.Faults
	errors.As(err, &faults)
	for _, f := range faults {
		if f.Path[0].Member >= known {
			f.Path[0].Member += column - known
		}
	}
	return err
}
