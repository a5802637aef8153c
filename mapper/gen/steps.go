package gen

import (
	"iter"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// What follows takes the steps of a store one at a time, up to where the driver begins, so that they can be measured
// without a server. The code is the one that a store runs. Services have no use for it.
type (
	Row      = cell.Row      // a cell for each column of a table
	Mutation = plan.Mutation // a statement of a write, with its row
)

// EncodeRow encodes v.
func EncodeRow[T any](c *Codec[T], v *T) (Row, error) { return c.untyped().Encode(v) }

// Plan returns the mutations that take all tables of an aggregate from old to new. Nil old inserts, nil new deletes.
func Plan(a *Aggregate, old, new Row) ([]Mutation, error) {
	return plan.Plan(a, plan.Change{Old: old, New: new})
}

// Bind returns the statements and arguments of mutations with a timestamp, in microseconds since 1970.
func Bind(mutations []Mutation, timestamp int64) []gocql.BatchEntry {
	return store.Bind(mutations, store.Write{Timestamp: timestamp})
}

// First decodes the first row that the driver has for the table's Get, and closes it. Nil when there is none.
func First[T any](c *Codec[T], it *gocql.Iter) (*T, error) {
	v, err := c.untyped().First(it)
	if v == nil {
		return nil, err
	}
	return v.(*T), nil
}

// Scan decodes the rows that the driver has for the table's Select, and closes it. An error comes once, with a nil
// item, and ends the sequence.
func Scan[T any](c *Codec[T], it *gocql.Iter) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		row := func(v any, _ error) bool { return yield(v.(*T), nil) }
		if err := c.untyped().Scan(it, row); err != nil {
			yield(nil, err)
		}
	}
}
