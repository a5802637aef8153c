package runtime

import (
	"context"
	"errors"
	"fmt"

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
func (r Root) Set(ctx context.Context, values *cell.Encoder, name string, broken []mapper.Fault) error {
	ctx, end, err := r.beginWrite(ctx, "Set")
	if err != nil {
		return err
	}
	defer end()
	c, mutations, err := r.set(values, name, broken)
	if err != nil {
		return err
	}
	return r.db.write(ctx, c, r.c.Table, mutations)
}

// set plans a write of one column.
func (r Root) set(values *cell.Encoder, name string, broken []mapper.Fault) (*change, []plan.Mutation, error) {
	t := r.c.Table
	column := t.ColumnOf(name)
	if column < 0 {
		return nil, nil, fmt.Errorf("mapper: Set %s: the table has no column %s: run go generate", rowname.Of(t.Aggregate, t.Name, ""), name)
	}
	known := t.Key
	if t.Columns[column].Kind == plan.Static {
		known = t.Partition
	}
	given, err := values.Cells(make(cell.Row, 0, known+1))
	if err != nil {
		return nil, nil, r.db.constraint(t, values.First(known), broken, behindKey(err, known, column))
	}
	if err := r.stampable("Set", given[:known]); err != nil {
		return nil, nil, err
	}
	if r.db.ttl > 0 {
		return nil, nil, fmt.Errorf("mapper: Set %s: a write with a TTL writes the whole row: use Update or Put",
			rowname.Of(t.Aggregate, t.Name, t.KeyText(given[:known])))
	}
	t.Canonical(given[:known])
	if err := r.db.keyable(t, given[:known]); err != nil {
		return nil, nil, err
	}
	row := make(cell.Row, len(t.Columns)+len(t.Computed))
	copy(row, given[:known])
	row[column] = t.Normal(column, given[known])
	broken = append(broken, faults(t.Undeclared(column, row[column]))...)
	mutations, err := plan.PlanSet(r.aggregate, row, column)
	if err := r.db.constraint(t, given[:known], broken, err); err != nil {
		return nil, nil, err
	}
	return &change{op: "Set", new: given[:known], repeatable: true}, mutations, nil
}

// behindKey converts the path of a fault of the value after the key to the path of its column.
func behindKey(err error, known, column int) error {
	var faults cell.Faults
	errors.As(err, &faults)
	for _, f := range faults {
		if f.Path[0].Member == known {
			f.Path[0].Member = column
		}
	}
	return err
}
