package memory

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Transact carries out a transaction if all its conditions hold.
func (d database) Transact(ctx context.Context, t *plan.Transaction, w store.CAS) (store.Answer, error) {
	if err := ctx.Err(); err != nil {
		return store.Answer{}, &store.Error{Outcome: store.Refused, Err: err}
	}
	outcome := d.b.outcome(Request{Write: true, Conditional: true, Tables: []string{t.Root.Table.Name}})
	var answer store.Answer
	if outcome == Done || outcome == LostAnswer {
		var err error
		if answer, err = d.b.transact(t); err != nil {
			return store.Answer{}, &store.Error{Outcome: store.Refused, Err: err}
		}
	}
	if err := outcome.ofCAS(w); err != nil {
		return store.Answer{}, err
	}
	return answer, nil
}

func (b *Backend) transact(t *plan.Transaction) (store.Answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range t.Copies {
		if err := b.check(&t.Copies[i]); err != nil {
			return store.Answer{}, err
		}
	}
	for i := range t.Claims {
		r := &t.Claims[i]
		if row := b.rowAt(r.Table, r.Key); !t.Allows(r, row) {
			return store.Answer{Reservation: r, Row: row}, nil
		}
	}
	answer, err := b.compareAndSet(&t.Root)
	if err != nil || !answer.Applied {
		return answer, err
	}
	for i := range t.Claims {
		b.stamp(&plan.Mutation{Table: t.Claims[i].Table, Row: t.Claims[i].Row, Write: t.Claims[i].Table.BeyondKey()}, b.ballot)
	}
	for i := range t.Releases {
		r := &t.Releases[i]
		if t.Owns(r, b.rowAt(r.Table, r.Key)) {
			b.stamp(&plan.Mutation{Table: r.Table, Row: r.Row, Write: r.Table.BeyondKey()}, b.ballot)
		}
	}
	for i := range t.Copies {
		b.stamp(&t.Copies[i], t.Copies[i].At)
	}
	return answer, nil
}

// stamp applies a mutation with a timestamp.
func (b *Backend) stamp(m *plan.Mutation, at int64) {
	c := change{m: m, layout: b.layouts[m.Table], list: &b.list, written: written{at: at}}
	c.apply()
}
