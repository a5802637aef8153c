package call

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Batch collects writes of plain roots and parts, which Run sends as one atomic write at one timestamp. A write is encoded when it is
// added; its errors are returned by Run. A batch must not be used by several goroutines at a time.
type Batch struct {
	db     *DB
	writes []planned
	errs   []error // the writes that cannot be sent
	ran    bool
}

// NewBatch returns an empty batch.
func NewBatch(db *DB) *Batch { return &Batch{db: db} }

// Insert adds [Root.Insert].
func (b *Batch) Insert(r Root, v any) {
	b.addValue("Insert", r, v, func() (*change, error) { return r.newInsert("Insert", v) })
}

// Put adds [Root.Put] of a root without copies, which does not read.
func (b *Batch) Put(r Root, v any) {
	b.addValue("Put", r, v, func() (*change, error) { return r.newPut(v) })
}

// Change adds [Root.Change].
func (b *Batch) Change(r Root, old, new any) {
	b.addValue("Change", r, new, func() (*change, error) { return r.newChange(old, new) })
}

// Delete adds [Root.Delete] of a root whose copies follow from its key and whose parts have no copies, which does not read.
func (b *Batch) Delete(r Root, key *cell.Encoder) {
	b.addValue("Delete", r, nil, func() (*change, error) {
		args, err := r.DB.Key(r.Codec.Table, key)
		if err != nil {
			return nil, err
		}
		return r.newDelete(args)
	})
}

// Set adds [Root.Set].
func (b *Batch) Set(r Root, values *cell.Encoder, name string, broken []mapper.Violation) {
	b.add("Set", r, func() (*change, []plan.Mutation, error) { return r.set(values, name, broken) })
}

// SetMember adds [Root.SetMember].
func (b *Batch) SetMember(r Root, values *cell.Encoder, name string, field int, broken []mapper.Violation) {
	b.add("Set", r, func() (*change, []plan.Mutation, error) { return r.setMember(values, name, field, broken) })
}

// WriteElement adds [Root.WriteElement] of a set or a map. Elements of lists are sent once, and a batch may be sent again.
func (b *Batch) WriteElement(r Root, e Element, values *cell.Encoder, name string, broken []mapper.Violation) {
	w := elementWrite{r, e}
	b.add(w.op(name), r, func() (*change, []plan.Mutation, error) { return w.planUnread(values, name, broken) })
}

// addValue adds a change to v by an operation; v is nil for a deletion.
func (b *Batch) addValue(op string, r Root, v any, to func() (*change, error)) {
	b.add(op, r, func() (*change, []plan.Mutation, error) {
		c, err := to()
		if err != nil {
			return nil, nil, err
		}
		mutations, err := r.plan(c, v)
		return c, mutations, err
	})
}

// add adds a write by an operation, or its error. Without an open store it does nothing, because Run returns the error.
func (b *Batch) add(op string, r Root, write func() (*change, []plan.Mutation, error)) {
	if b.db == nil {
		return
	}
	c, mutations, err := write()
	if err != nil {
		b.errs = append(b.errs, InOperation(op, err, nil))
		return
	}
	b.writes = append(b.writes, planned{*c, r, mutations})
}

var errRan = errors.New("mapper: Run: the batch has been run: create a new one")

// Run sends the writes of the batch, once. If one of them cannot be sent, or two of them write the same row, nothing is sent, and the
// error contains all reasons. Rows that leave a copy in which another root can have claimed them are read first. An empty batch, and
// one whose writes change nothing, send nothing.
func (b *Batch) Run(ctx context.Context) error {
	ctx, end, err := b.db.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	rows, err := b.check()
	if err != nil || len(b.writes) == 0 {
		return err
	}
	all := b.writes[0].change
	all.op, all.writes = "Run", len(b.writes)
	mutations, err := b.resolveReleases(ctx, &all, rows)
	if err != nil || len(mutations) == 0 {
		return err
	}
	return InOperation("Run", b.db.write(ctx, &all, b.writes[0].root.Codec.Table, mutations), nil)
}

// check returns the rows that the batch writes, or the reasons why nothing can be sent.
func (b *Batch) check() (*batchRows, error) {
	if b.ran {
		return nil, errRan
	}
	b.ran = true
	if err := cmp.Or(b.db.broken, b.db.checkWrite()); err != nil {
		return nil, fmt.Errorf("mapper: Run: %w", err)
	}
	rows := newBatchRows(b.writes)
	errs := b.errs
	for i := range b.writes {
		if x := rows.add(i); x != nil {
			errs = append(errs, x.error(b.writes))
		}
	}
	return rows, Join(errs)
}

// resolveReleases decides the rows that leave copies, and returns the mutations of all writes. all becomes a change after everything that was
// read, which is repeatable if all writes are.
func (b *Batch) resolveReleases(ctx context.Context, all *change, rows *batchRows) (out []plan.Mutation, err error) {
	for i := range b.writes {
		w := &b.writes[i]
		if w.mutations, err = w.root.resolveReleases(ctx, &w.change, w.mutations); err != nil {
			return nil, err
		}
		all.written = max(all.written, w.written)
		all.repeatable = all.repeatable && w.repeatable
		for _, m := range w.mutations {
			if !rows.replaces(i, &m) {
				out = append(out, m)
			}
		}
	}
	return out, nil
}
