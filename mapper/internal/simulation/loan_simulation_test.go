package simulation

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/loan"
	"github.com/cassaml/cassaml/mapper"
)

// TestFollowCheckedSchedules is TestFollowSchedules for fields that follow by checked references, which a deletion clears or by which it cascades, by
// references to the root itself, and in a composition.
func TestFollowCheckedSchedules(t *testing.T) {
	simulate(t, 2, playLoans)
}

// loanWorld is a world in which clients change members, books and loans.
type loanWorld struct{ *invoiceWorld }

func playLoans(w *world) {
	l := &loanWorld{&invoiceWorld{world: w, roots: map[string]*rootWorld{}}}
	for _, table := range []string{"members", "books", "loans"} {
		l.roots[table] = &rootWorld{world: w, table: table, ids: invoiceIDs, values: func(named) []string { return nil }, lookups: map[*lookup]bool{}}
	}
	w.applied, w.others = l.checkSave, loan.Roots
	w.pages = true
	w.replicate()
	l.begin()
	for range 2 + w.rng.IntN(3) {
		c := w.client()
		c.turns = 5
		l.start(c)
	}
	if w.run(); w.fault == "" {
		l.finish(l.open(w.observer()))
	}
}

// begin inserts the roots that others follow.
func (w *loanWorld) begin() {
	c := w.observer()
	s := w.open(c)
	for id := range int32(invoiceIDs) {
		c.current = &invocation{label: "begin", op: "Insert"}
		require.NoError(w.t, s.Members.Insert(w.t.Context(), &loan.Member{ID: id, Name: "begin"}))
		require.NoError(w.t, s.Books.Insert(w.t.Context(), &loan.Book{ID: id, Name: "begin"}))
	}
}

func (w *loanWorld) open(c *client) *loan.Store {
	config := c.config(0)
	config.FanOutInline = []int{-1, 1, 100}[w.rng.IntN(3)]
	s, err := loan.OpenBackend(w.t.Context(), c, config)
	require.NoError(w.t, err)
	return s
}

// start starts a client that changes roots of all tables, or reconciles them.
func (w *loanWorld) start(c *client) {
	s := w.open(c)
	members := &rootClient[loan.Member]{client: c, w: w.roots["members"], table: s.Members, known: map[int32]*loan.Member{}}
	members.fresh = func(id int32) loan.Member { return loan.Member{ID: id} }
	members.version = func(v *loan.Member) int64 { return v.Version }
	members.change = func(x *invocation, v *loan.Member) {
		v.Name += "+" + x.label
		v.Sponsor = w.reference()
	}
	books := &rootClient[loan.Book]{client: c, w: w.roots["books"], table: s.Books, known: map[int32]*loan.Book{}}
	books.fresh = func(id int32) loan.Book { return loan.Book{ID: id} }
	books.version = func(v *loan.Book) int64 { return v.Version }
	books.change = func(x *invocation, v *loan.Book) {
		v.Name += "+" + x.label
		v.Tags = [][]string{nil, {"a"}, {"b", "a"}}[c.rng.IntN(3)]
	}
	loans := &rootClient[loan.Loan]{client: c, w: w.roots["loans"], table: s.Loans, known: map[int32]*loan.Loan{}}
	loans.fresh = func(id int32) loan.Loan { return loan.Loan{ID: id} }
	loans.version = func(v *loan.Loan) int64 { return v.Version }
	loans.change = func(x *invocation, v *loan.Loan) {
		v.Name += "+" + x.label
		v.Member, v.Book = int32(w.rng.IntN(invoiceIDs)), nil
		if id := w.reference(); id != nil {
			v.Book = &loan.Item{ID: *id, Name: "is overwritten"}
		}
	}
	members.ops = []string{"Insert", "Put", "Upsert", "Update", "Update", "Update", "Change", "Delete", "Delete", "DeleteAt"}
	books.ops = members.ops
	loans.ops = []string{"Insert", "Put", "Put", "Upsert", "Upsert", "Update", "Change", "Delete", "DeleteAt"}
	w.world.start(c, func(x *invocation) {
		switch n := c.rng.IntN(20); {
		case n < 8:
			members.call(x)
		case n < 11:
			books.call(x)
		case n < 19:
			loans.call(x)
		case c.chance(50):
			x.op = "FanOut"
			x.err = s.FanOut(context.Background(), mapper.FanOutConfig{})
		default:
			x.op = "Reconcile"
			_, x.err = s.Reconcile(context.Background(), w.reconcileAll(nil))
		}
	})
}
