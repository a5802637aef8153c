package simulation

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/loan"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// TestRecordCopiesSchedules runs the function that adopts copies: by two processes, of which each can be killed and be continued by the other at its
// checkpoint, beside clients of the new release that save and delete loans, and change what they copy, with the faults of TestSchedules. From the instant
// at which the function has ended, each loan has the values of roots whose outbox is clear. At the end no deletion of a target leaves a loan.
func TestRecordCopiesSchedules(t *testing.T) {
	simulate(t, 2, func(w *world) {
		(&recordCopiesWorld{loanWorld: &loanWorld{&invoiceWorld{world: w, roots: map[string]*rootWorld{}}}}).play()
	})
}

// recordCopiesWorld is a world in which an earlier release has written loans without copies and without rows in the reverse tables.
type recordCopiesWorld struct {
	*loanWorld
	checkpoint string
	recorded   bool // the function has ended
}

func (w *recordCopiesWorld) play() {
	w.pages, w.others = true, loan.Roots
	for _, table := range []string{"members", "books", "loans"} {
		w.roots[table] = &rootWorld{world: w.world, table: table, ids: invoiceIDs, values: func(named) []string { return nil }, lookups: map[*lookup]bool{}}
	}
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) { w.check() }
	w.begin()
	truth := w.open(w.observer())
	for id := range int32(invoiceIDs) {
		require.NoError(w.t, truth.Loans.Insert(w.t.Context(), w.loan(id)))
	}
	w.forget()
	for range 1 + w.rng.IntN(2) {
		c := w.client()
		c.turns = 4
		s := w.open(c)
		w.world.start(c, func(x *invocation) { w.save(x, s) })
	}
	for range 2 {
		c := w.client()
		c.turns = 2
		s := w.open(c)
		w.world.start(c, func(x *invocation) {
			x.op, x.err = "RecordReferences", w.record(context.Background(), s)
			if x.err == nil && !c.dead {
				w.recorded = true
				w.check()
			}
		})
	}
	if w.run(); w.fault == "" {
		w.end(truth)
	}
}

// loan returns a loan with random references.
func (w *recordCopiesWorld) loan(id int32) *loan.Loan {
	v := &loan.Loan{ID: id, Name: "begin", Member: int32(w.rng.IntN(invoiceIDs))}
	if book := w.reference(); book != nil {
		v.Book = &loan.Item{ID: *book}
	}
	return v
}

// forget removes the copies of all loans, the versions of their targets, and the rows of their references.
func (w *recordCopiesWorld) forget() {
	a := w.aggregate(w.table("loans"))
	for id := range int32(invoiceIDs) {
		s := w.stateOf(a, idKey(id))
		refs, err := a.Refs(s)
		require.NoError(w.t, err)
		row := plan.CloneRow(s.Row[:len(a.Root.Columns)])
		for _, r := range refs {
			w.apply([]plan.Mutation{r.DeleteRef(r.Key, s.Version)}, store.Write{Timestamp: s.Version, Consistency: driver.LocalQuorum})
			r.Follow(row, &plan.State{Row: make(cell.Row, 99)})
			row[r.Version] = nil
		}
		w.now += 1_000_000
		w.apply([]plan.Mutation{{Table: a.Root, Row: row, Action: plan.Put, Write: a.Root.BeyondKey(), At: w.now}}, store.Write{Timestamp: w.now, Consistency: driver.LocalQuorum})
	}
	w.now += 1_000_000
}

// save makes one call that saves or deletes a loan, or changes what loans copy.
func (w *recordCopiesWorld) save(x *invocation, s *loan.Store) {
	ctx, id := context.Background(), int32(w.rng.IntN(invoiceIDs))
	x.id = id
	switch n := w.rng.IntN(12); {
	case n < 2:
		x.op, x.err = "Delete", s.Loans.Delete(ctx, id)
	case n < 4:
		x.op, x.err = "Insert", s.Loans.Insert(ctx, w.loan(id))
	case n < 7:
		x.op = "Update"
		_, x.err = s.Loans.Update(ctx, id, func(v *loan.Loan) error { v.Member, v.Book = w.loan(id).Member, w.loan(id).Book; return nil })
	case n < 10:
		x.op = "Update"
		_, x.err = s.Members.Update(ctx, id, func(v *loan.Member) error { v.Name += "+" + x.label; return nil })
	case n < 11:
		x.op = "Update"
		_, x.err = s.Books.Update(ctx, id, func(v *loan.Book) error { v.Name += "+" + x.label; return nil })
	default:
		x.op, x.err = "FanOut", s.FanOut(ctx, mapper.FanOutConfig{})
	}
}

// record runs the function from the checkpoint that any process has saved last.
func (w *recordCopiesWorld) record(ctx context.Context, s *loan.Store) error {
	return gen.RecordReferences(ctx, s.Loans.Versioned, gen.FillConfig{PageSize: 1}, w.checkpoint, func(checkpoint string) error {
		w.checkpoint = checkpoint
		if w.chance(20) {
			return errors.New("the process ends")
		}
		return nil
	})
}

// check checks the copies of all rows, after the function has ended.
func (w *recordCopiesWorld) check() {
	if w.recorded {
		w.checkFollowing()
	}
}

// end runs the function until it has ended, and then deletes the targets.
func (w *recordCopiesWorld) end(s *loan.Store) {
	ctx := w.t.Context()
	w.land()
	for !w.recorded {
		w.recorded = w.record(ctx, s) == nil
	}
	w.check()
	w.finish(s)
	for id := range int32(invoiceIDs) {
		if err := w.deleteAll(s, func() error { return s.Members.Delete(ctx, id) }); err != nil {
			w.failf("delete member %d: %v", id, err)
		}
	}
	for id := range int32(invoiceIDs) {
		if err := w.deleteAll(s, func() error { return s.Books.Delete(ctx, id) }); err != nil {
			w.failf("delete book %d: %v", id, err)
		}
	}
	if rows := w.rows("loans"); len(rows) > 0 {
		w.failf("loans of members that are deleted: %d", len(rows))
	}
}

// deleteAll repeats a deletion, after FanOut, that has left roots for it.
func (w *recordCopiesWorld) deleteAll(s *loan.Store, remove func() error) error {
	err := remove()
	if _, pending := errors.AsType[*mapper.PendingError](err); pending {
		if err := s.FanOut(w.t.Context(), mapper.FanOutConfig{}); err != nil {
			return err
		}
		err = remove()
	}
	return err
}
