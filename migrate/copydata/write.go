package copydata

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// write writes a row: first the static values of its partition, then the values of the row.
func (c *copying) write(ctx context.Context, r row) error {
	if r.static && slices.ContainsFunc(c.partition, func(of column) bool { return of.from.Kind == schema.ClusteringKey }) {
		return nil // there is no row, so there is no partition of To
	}
	static := slices.ContainsFunc(c.others, func(of column) bool { return of.to.Kind == schema.Static })
	if static && !r.repeats {
		if err := c.writeKind(ctx, r, schema.Static, c.partition); err != nil {
			return c.rowError(r, err)
		}
	}
	if r.static {
		return nil
	}
	return c.rowError(r, c.writeKind(ctx, r, schema.Regular, slices.Concat(c.partition, c.cluster)))
}

// canonical is a value of a key in the encoding that a store uses: in a column outside a key, a decimal keeps its scale, but in a partition
// key 1.0 and 1.00 are different.
type canonical struct {
	value any
	form  *form.Form
}

// encode returns the value in a type.
func (c canonical) encode(values driver.Values, t driver.Type) ([]byte, error) {
	if b, ok := c.value.(raw); ok {
		return c.form.Canonical(b), nil
	}
	b, err := values.Encode(t, c.value)
	return c.form.Canonical(b), err
}

// argument returns an argument for a value: an encoded one, a canonical one, or a Go value.
func argument(values driver.Values, v any) any {
	switch x := v.(type) {
	case unset:
		return values.Unset()
	case raw:
		return values.Value((*[]byte)(&x))
	case canonical:
		return values.Bind(func(t driver.Type) ([]byte, error) { return x.encode(values, t) })
	}
	return v
}

// bind returns the arguments of a statement.
func (s statement) bind(values driver.Values) []any {
	out := make([]any, len(s.args))
	for i, v := range s.args {
		out[i] = argument(values, v)
	}
	return out
}

// rowError adds the partition of a row to an error, without values of the row.
func (c *copying) rowError(r row, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("a row of %s where token(%s) = %d: %w", model.Quote(c.from.Name), names(c.from.PartitionKey), r.token, err)
}

// writeKind writes the values of a row, or the static values of its partition: first everything that is idempotent, in one mutation, then
// the lists.
func (c *copying) writeKind(ctx context.Context, r row, kind schema.Kind, key []column) error {
	w := &writing{table: c.to.Name, exists: r.exists(c.others)}
	for _, of := range c.others {
		if of.to.Kind == kind {
			w.slots = append(w.slots, of.slots...)
		}
	}
	for _, k := range key {
		v, err := k.converted(c.session, r.of[k.from.Name])
		if err == nil && v == nil {
			err = fmt.Errorf("column %s is null, but column %s of the primary key cannot be null", model.Quote(k.from.Name), model.Quote(k.to.Name))
		}
		if err != nil {
			return err
		}
		if k.form.Variants() {
			v = canonical{v, k.form}
		}
		w.key = append(w.key, assignment{k.to.Name, v})
	}
	if kind == schema.Regular && c.from.Name != c.to.Name {
		w.marker()
	}
	slot := 0
	for _, of := range c.others {
		if of.to.Kind != kind {
			continue
		}
		if err := c.add(w, of, r.of[of.from.Name], slot); err != nil {
			return err
		}
		slot += len(of.slots)
	}
	return w.send(ctx, c.session)
}

// add adds a value, cell by cell, from a slot on.
func (c *copying) add(w *writing, of column, x cells, slot int) error {
	t := of.to.Type
	switch {
	case x.value == nil:
	case !t.MultiCell():
		v, err := of.converted(c.session, x)
		if err != nil || v == nil {
			return err
		}
		w.put(w.whole(x), slot, v)
	case t.UDT:
		known := c.fields(of.to)
		for i, f := range fields(x.value) {
			if f != nil && i < len(known) {
				w.put(w.element(x, i), slot+i, f)
			}
		}
	case t.Name == "list":
		w.lists = append(w.lists, list{of.to.Name, x.value, w.whole(x)})
	default:
		w.putEach(of, x, slot)
	}
	return nil
}

// exists returns the stamp of the row itself: the latest write time and the longest TTL of its cells.
func (r row) exists(others []column) stamp {
	all := slices.Clone(r.unseen)
	for _, of := range others {
		if of.from.Kind == schema.Regular {
			all = append(all, r.of[of.from.Name].stamps...)
		}
	}
	if s := mergeStamps(all); s != none {
		return s
	}
	return stamp{at: longAgo}
}

const (

	// A server refuses a batch of 65,536 statements, and a batch that is larger than its frames or half of a segment of its
	// commit log (16 MiB each by default). A row can be that large.
	batchStatements = 100
	batchBytes      = 1 << 20
)

// send sends the idempotent statements, in batches, and then list after list.
func (w *writing) send(ctx context.Context, session driver.Session) error {
	for _, some := range batches(w.statements()) {
		batch := session.Batch(ctx, driver.BatchConfig{Unlogged: true, Consistency: driver.LocalQuorum, Attempts: driver.Repeat, NoTimestamp: true}, len(some))
		for _, s := range some {
			batch.Add(s.text, s.bind(session))
		}
		if err := batch.Exec(); err != nil {
			return err
		}
	}
	for _, l := range w.lists {
		if err := w.writeList(ctx, session, l); err != nil {
			return err
		}
	}
	return nil
}

// batches divides statements into batches that a server accepts. A statement that is too large is a separate batch.
func batches(all []statement) (out [][]statement) {
	from, size := 0, 0
	for i, s := range all {
		n := s.size()
		if i > from && (i-from == batchStatements || size+n > batchBytes) {
			out = append(out, all[from:i])
			from, size = i, 0
		}
		size += n
	}
	if from < len(all) {
		out = append(out, all[from:])
	}
	return out
}

// size returns the length of the values that are copied unchanged.
func (s statement) size() (n int) {
	for _, a := range s.args {
		if v, ok := a.(raw); ok {
			n += len(v)
		}
	}
	return n
}

// writeList writes a list if the row has none. A list that is written twice at the same time would contain its elements twice, so each
// attempt is two microseconds later: it then overwrites the list that an earlier attempt has written, or will write.
func (w *writing) writeList(ctx context.Context, session driver.Session, l list) error {
	if l.ttl < 0 {
		return nil
	}
	return w.once(l, func() (bool, error) { return w.has(ctx, session, l.column) }, func(s statement) error {
		return session.Query(ctx, driver.Query{CQL: s.text, Args: s.bind(session), Consistency: driver.LocalQuorum}).Close()
	})
}

// once decides which statement writeList sends, and whether it sends it again.
func (w *writing) once(l list, has func() (bool, error), send func(statement) error) error {
	sent := false
	var errs []error
	for range attempts {
		there, err := has()
		if err == nil && there && !sent {
			return nil
		}
		if err == nil {
			sent = true
			if err = send(w.set(l.stamp, []string{model.Quote(l.column) + " = ?"}, []any{l.value})); err == nil {
				return nil
			}
			l.at += 2
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// has reports whether a row has a value in a column.
func (w *writing) has(ctx context.Context, session driver.Session, column string) (bool, error) {
	s := w.where(statement{text: "SELECT " + model.Quote(column) + " FROM " + model.Quote(w.table)})
	var value []byte
	_, err := driver.ScanOne(session.Query(ctx, driver.Query{CQL: s.text, Args: s.bind(session), Consistency: driver.LocalQuorum, Metadata: true}), session.Value(&value))
	return value != nil, err
}
