package call

import (
	"cmp"
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Counters adds to the counters of a table, reads its rows and deletes them.
type Counters struct{ Reader }

// NewCounters returns the counters of a table, read by r.
func NewCounters(r Reader) Counters { return Counters{r} }

var errCounterOptions = errors.New("mapper.Options.TTL and Options.Timestamp are not supported for counters: " +
	"counters do not expire, and the server chooses their timestamps")

// Add adds deltas, one for each counter in the order of the table, to the counters of the row with the given primary key. A counter
// without a value is 0. A counter whose delta is 0 is not written; if all deltas are 0, nothing is sent.
//
// The statement is sent once. Only an attempt for which there was no connection is repeated, because nothing was sent. After an unknown
// outcome the call cannot be repeated: the deltas could be added twice.
func (r Counters) Add(ctx context.Context, key *cell.Encoder, deltas []int64) error {
	ctx, end, row, err := r.start(ctx, "Add", key)
	if err != nil {
		return err
	}
	defer end()
	m, ok := plan.Increment(r.Codec.Table, row, deltas)
	if !ok {
		return nil
	}
	return r.send(ctx, &change{op: "Add", new: row, once: true}, m)
}

// Delete deletes the row with the given primary key. It does not delete static counters, which belong to the partition. Deleting a row
// that does not exist is not an error.
func (r Counters) Delete(ctx context.Context, key *cell.Encoder) error {
	ctx, end, row, err := r.start(ctx, "Delete", key)
	if err != nil {
		return err
	}
	defer end()
	return r.send(ctx, &change{op: "Delete", old: row, repeatable: true}, plan.Mutation{Table: r.Codec.Table, Row: row, Action: plan.Delete})
}

// start begins a call that writes the row with a primary key. It returns the cells of the key.
func (r Counters) start(ctx context.Context, op string, key *cell.Encoder) (context.Context, context.CancelFunc, cell.Row, error) {
	ctx, end, err := r.BeginWrite(ctx, op)
	if err != nil {
		return ctx, nil, nil, err
	}
	row, err := r.DB.Key(r.Codec.Table, key)
	if err == nil {
		err = r.refuse(ctx, op, row)
	}
	if err != nil {
		end()
		return ctx, nil, nil, err
	}
	return ctx, end, row, nil
}

// refuse returns an error for options that a write of counters cannot have, and for a context that has ended.
func (r Counters) refuse(ctx context.Context, op string, row cell.Row) error {
	err := cmp.Or(r.DB.broken, ctx.Err())
	if err == nil && (r.DB.ttl != 0 || r.DB.at != 0) {
		err = errCounterOptions
	}
	if err != nil {
		return r.WrapError(op, row, err)
	}
	return nil
}

// send sends a mutation without a timestamp.
func (r Counters) send(ctx context.Context, c *change, m plan.Mutation) error {
	b := newBatch(*c, r.Codec.Table, []plan.Mutation{m})
	if err := r.DB.Admit(b.mutations); err != nil {
		return err
	}
	d := delivery{db: r.DB, change: c, main: b}
	return d.sendMain(ctx)
}
