package gen

import (
	"iter"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// The following types and functions run the steps of a store separately, up to the call of the driver, so that they can be
// measured without a server. They are the same code that a store runs. Services do not need them.
type (
	Row       = cell.Row        // a cell for each column of a table
	Mutation  = plan.Mutation   // a statement of a write, with its row
	Statement = store.Statement // a statement with its arguments
)

// EncodeRow encodes v.
func EncodeRow[T any](c *Codec[T], v *T) (Row, error) { return c.untyped().Encode(v) }

// Plan returns the mutations that change all tables of an aggregate from old to new. If old is nil they insert, if new is nil
// they delete.
func Plan(a *Linked, old, new Row) ([]Mutation, error) {
	return plan.Plan(a, plan.Change{Old: old, New: new})
}

// Bind returns the statements and arguments of mutations with a timestamp, in microseconds since 1970.
func Bind(values driver.Values, mutations []Mutation, timestamp int64) []Statement {
	return store.Bind(values, mutations, store.Write{Timestamp: timestamp})
}

// First decodes the first row of the result of the table's Get, and closes it. It returns nil if there is no row.
func First[T any](c *Codec[T], values driver.Values, it driver.Rows) (*T, error) {
	v, err := c.untyped().First(values, it)
	if v == nil {
		return nil, err
	}
	return v.(*T), nil
}

// Scan decodes the rows of the result of the table's Select, and closes it. An error is yielded once, with a nil item, and ends
// the sequence.
func Scan[T any](c *Codec[T], values driver.Values, it driver.Rows) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		row := func(v any, _ error) bool { return yield(v.(*T), nil) }
		if err := c.untyped().Scan(values, it, row); err != nil {
			yield(nil, err)
		}
	}
}
