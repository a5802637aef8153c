package call

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// deleteParts deletes the parts of a root that have copies.
func (r Root) deleteParts(ctx context.Context, key *cell.Encoder) error {
	for _, p := range r.parts {
		part := NewRoot(NewReader(r.DB, p.Codec), p.Aggregate)
		args, err := part.staticPartition(key)
		if err != nil {
			return err
		}
		if err := part.deletePages(ctx, store.Read{Key: args}); err != nil {
			return err
		}
	}
	return nil
}

// deleteOrphans deletes the parts of a root that does not exist.
func (r Root) deleteOrphans(ctx context.Context, key cell.Row) error {
	mutations := plan.PlanDeleteParts(r.Aggregate, key)
	if mutations == nil {
		return nil
	}
	return r.DB.write(ctx, &change{op: "Delete", old: key, repeatable: true}, r.Codec.Table, mutations)
}

// staticPartition returns the cells of a partition key.
func (r Root) staticPartition(key *cell.Encoder) (cell.Row, error) {
	if r.DB == nil {
		return nil, ErrNotOpen
	}
	return r.DB.cutKey(r.Codec.Table, key, nil)
}

// Deletable returns a query of the table, whose rows [Query.Delete] can delete.
func (r Root) Deletable(q Query) Query {
	q.selection.root = &r
	return q
}

// errPortion is returned for a query that CQL cannot delete.
var errPortion = errors.New("rows with a limit, an order or an index cannot be deleted: use a query without them")

// Delete deletes the rows of a query, and their copies. If the rows of each copy are a range of its table, too, it is one write that reads
// nothing, whatever the number of rows. Otherwise it reads the rows page by page, and deletes the rows of a page in logged batches. Then a
// row that is inserted meanwhile can stay; a repeated call deletes it.
func (q Query) Delete(ctx context.Context) error {
	switch {
	case q.err != nil:
		return q.err
	case q.root == nil || q.portion != portion{} || q.find.Index != nil:
		return q.r.WrapError("Delete", q.named(), errPortion)
	case q.partitions != nil:
		return q.eachPartition(func(one Query) error { return one.Delete(ctx) })
	}
	mutations, ok := plan.PlanDeleteRange(q.root.Aggregate, q.key, q.low, q.up)
	if !ok {
		return q.root.deletePages(ctx, store.Read{Key: q.key, Low: q.low, Up: q.up})
	}
	ctx, end, err := q.r.BeginWrite(ctx, "Delete")
	if err != nil {
		return err
	}
	defer end()
	return q.r.DB.write(ctx, &change{op: "Delete", old: q.key, repeatable: true}, q.r.Codec.Table, mutations)
}

// deletePage is the number of rows that a deletion of rows with copies reads at a time.
const deletePage = 100

// deletePages deletes the rows that a read finds, and their copies. The time limit of a call applies to each page.
func (r Root) deletePages(ctx context.Context, read store.Read) error {
	read.Table, read.Stamped, read.PageSize, read.Consistency = r.Codec.Table, true, deletePage, r.DB.Config.Consistency
	var state []byte
	for {
		next, err := r.deletePage(ctx, read, state)
		if err != nil || len(next) == 0 {
			return err
		}
		state = next
	}
}

// deletePage reads one page and deletes its rows.
func (r Root) deletePage(ctx context.Context, read store.Read, state []byte) (next []byte, err error) {
	ctx, end, err := r.BeginWrite(ctx, "Delete")
	if err != nil {
		return nil, err
	}
	defer end()
	traced, done := r.DB.TraceRead(ctx, "Delete", &read)
	page, err := r.DB.Store.Page(traced, read, state)
	done(err, page.Rows)
	if err != nil {
		return nil, r.WrapError("Delete", read.Key, err)
	}
	d := deletion{root: r}
	for row, err := range page.All() {
		if err != nil {
			return nil, r.WrapError("Delete", read.Key, err)
		}
		if row[r.Codec.Table.Key-1] == nil {
			continue // the partition has only static values
		}
		if err := d.add(ctx, row); err != nil {
			return nil, err
		}
	}
	return page.State, d.send(ctx)
}

// deletion is a logged batch that deletes several rows of a partition and their copies.
type deletion struct {
	root Root
	change
	mutations []plan.Mutation
	bytes     int
}

// add adds a row, as it was read with its stamps. If the batch would be too large, the rows before it are sent first.
func (d *deletion) add(ctx context.Context, read cell.Row) error {
	r := d.root
	stamps, err := r.Aggregate.Stamps(read)
	if err != nil {
		return r.WrapError("Delete", read, err)
	}
	var decoder cell.Decoder
	read = read[:len(r.Codec.Table.Columns)]
	v, err := r.Decode(&decoder, read)
	if err != nil {
		return err
	}
	row, _, err := r.replacedRow(read, decoder.Unknown(), v)
	if err != nil {
		return err
	}
	c := change{op: "Delete", old: row, written: stamps.Latest(), repeatable: true}
	mutations, err := plan.Plan(r.Aggregate, plan.Change{Old: row})
	if err != nil {
		return wrapPlan(err, r.Codec.Table, &c)
	}
	if mutations, err = r.resolveReleases(ctx, &c, mutations); err != nil {
		return err
	}
	size := totalSize(mutations)
	if len(d.mutations) > 0 && d.bytes+size > r.DB.Config.BatchLimit {
		if err := d.send(ctx); err != nil {
			return err
		}
	}
	c.written = max(c.written, d.written)
	d.change, d.mutations, d.bytes = c, append(d.mutations, mutations...), d.bytes+size
	return nil
}

// send sends the deletion, if it has rows, and empties it.
func (d *deletion) send(ctx context.Context) error {
	if len(d.mutations) == 0 {
		return nil
	}
	err := d.root.DB.write(ctx, &d.change, d.root.Codec.Table, d.mutations)
	*d = deletion{root: d.root}
	return err
}
