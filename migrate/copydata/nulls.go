package copydata

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Nulls describes a copy of a column to another one of its table, whose rows have a version. Such rows are written only by conditional
// statements. So each row is saved by the store, and only if the new column is null. Programs of the release that writes the new column can
// run at the same time. Programs of the earlier release must be stopped first: later values of the earlier column are not copied.
type Nulls struct {
	Table    string // a table of the session's keyspace, in the case of its stored name
	From, To string // columns
	// Convert computes the value of To from the value of From. If it is nil, both have the same type, frozen or not.
	Convert Conversion
	// Save sets To of the row with the given encoded key to an encoded value if it is null, by a save with a higher version. It is
	// gen.FillNull(store.Customers.Versioned, "points_2") of package github.com/cassaml/cassaml/mapper/gen.
	Save func(ctx context.Context, key [][]byte, value []byte) error
}

// Run reads all rows of the table, and saves those whose From has a value and whose To is null. It reads each row by a serial read, so that
// it sees a conditional statement in flight. It can be repeated. It returns an error at the first row that cannot be saved, or whose value
// Convert refuses.
func (n Nulls) Run(ctx context.Context, session driver.Session) error {
	if err := n.run(ctx, session); err != nil {
		return fmt.Errorf("copydata: fill %s of %s from %s: %w", n.To, n.Table, n.From, err)
	}
	return nil
}

func (n Nulls) run(ctx context.Context, session driver.Session) error {
	if n.Save == nil {
		return errors.New("no Save: set it to gen.FillNull of the table of the store")
	}
	l, err := Rows{From: n.Table, To: n.Table, Columns: []Column{{From: n.From, To: n.To, Convert: n.Convert}}}.inspected(ctx, session)
	if err != nil {
		return err
	}
	c := &copying{layout: l, session: session, each: n.fill}
	return c.all(ctx)
}

// fill saves one row.
func (n Nulls) fill(ctx context.Context, c *copying, r row) error {
	if r.static {
		return nil
	}
	of := c.others[0]
	key := c.from.Key()
	values := make([]any, len(key))
	encoded := make([][]byte, len(key))
	for i, k := range key {
		encoded[i] = r.of[k.Name].value
		values[i] = c.session.Value(&encoded[i])
	}
	var from, to []byte
	it := c.session.Query(ctx, driver.Query{CQL: selectOne(c.from, of), Args: values, Consistency: serialLevel(ctx), Attempts: driver.Repeat, Metadata: true})
	info := it.Types()
	found, err := driver.ScanOne(it, c.session.Value(&from), c.session.Value(&to))
	if err != nil {
		return fmt.Errorf("read a row: %w", err)
	}
	if !found || from == nil || to != nil {
		return nil
	}
	value, err := encodedValue(c.session, of, cells{value: from, typ: info[0].Type}, info[1].Type)
	if err != nil || value == nil {
		return err
	}
	return n.Save(ctx, encoded, value)
}

// encodedValue returns the value of the new column; nil is null.
func encodedValue(values driver.Values, of column, from cells, to driver.Type) ([]byte, error) {
	v, err := of.converted(values, from)
	if err != nil || v == nil {
		return nil, err
	}
	if b, ok := v.(raw); ok {
		return b, nil
	}
	b, err := values.Encode(to, v)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", of.to.Name, err)
	}
	return b, nil
}

// selectOne returns the statement that reads both columns of a row.
func selectOne(t *schema.Table, of column) string {
	var where []string
	for _, k := range t.Key() {
		where = append(where, model.Quote(k.Name)+" = ?")
	}
	return "SELECT " + model.Quote(of.from.Name) + ", " + model.Quote(of.to.Name) + " FROM " + model.Quote(t.Name) + " WHERE " + strings.Join(where, " AND ")
}
