package store

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// The store of a model whose fields follow fields of other roots sends what aml explain prints, for saves of both and for deletions. FanOut sends the
// same requests as a save of a target that its holders follow, and the reads of the outboxes.
func TestExplainFollowed(t *testing.T) {
	t.Parallel()
	config := func(sent *interrupted) mapper.Config { return mapper.Config{Tracer: sent, Lease: time.Millisecond} }
	t.Run("memory", func(t *testing.T) {
		sent := &interrupted{}
		s, err := invoice.OpenBackend(t.Context(), memory.New(memory.Config{}), config(sent))
		require.NoError(t, err)
		explainFollowed(t, s, sent)
	})
	t.Run("node", func(t *testing.T) {
		sent := &interrupted{}
		s, err := invoice.Open(t.Context(), storetest.SharedTables(t, invoice.Schema), config(sent))
		require.NoError(t, err)
		explainFollowed(t, s, sent)
	})
}

// writes are the operations that write one row of a versioned root.
var writes = []string{"Insert", "InsertOrGet", "Put", "Upsert", "Update", "Change", "Delete", "DeleteAt"}

// requireExplained requires that a call sends the requests of an operation: all without a condition, and no other than these and more.
func (x *explanation) requireExplained(t *testing.T, name string, call func() error, more ...*explain.Request) {
	t.Helper()
	x.sent.Drain()
	require.NoError(t, call())
	o := *operation(t, x.Table, name)
	own := o.Requests
	o.Requests = slices.Concat(own, more)
	matched := x.match(t, &o)
	for _, r := range own {
		require.True(t, r.If != "" || slices.Contains(matched, r), "%s does not send %v", name, texts(r))
	}
}

// requireSeen requires that each request of the operations that write was sent by a call.
func (x *explanation) requireSeen(t *testing.T) {
	t.Helper()
	for _, name := range writes {
		for _, r := range operation(t, x.Table, name).Requests {
			require.NotEmpty(t, x.seen[r], "%s: %s: %v", name, r.If, texts(r))
		}
	}
}

func explainFollowed(t *testing.T, s *invoice.Store, sent *interrupted) {
	ctx := t.Context()
	holders := &explanation{explained(t, "../models/invoice", "invoices"), sent, map[*explain.Request][]mapper.Request{}, map[*explain.Request]bool{}}
	targets := &explanation{explained(t, "../models/invoice", "customers"), sent, map[*explain.Request][]mapper.Request{}, map[*explain.Request]bool{}}
	require.NoError(t, s.Sellers.Insert(ctx, &invoice.Seller{ID: 1}))
	explainTargets(t, s, targets, operation(t, holders.Table, "Update").Requests)
	explainHolders(t, s, holders)
	targets.requireSeen(t)
	holders.requireSeen(t)
}

// explainTargets compares the requests of customers, which invoices follow by saves with the given requests.
func explainTargets(t *testing.T, s *invoice.Store, x *explanation, follow []*explain.Request) {
	ctx := t.Context()
	held := func(name string, err error) { // which ends at the first root that refers to the row
		var held *mapper.HeldError
		require.ErrorAs(t, err, &held)
		x.match(t, operation(t, x.Table, name))
	}
	x.requireExplained(t, "Insert", func() error { return s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}) })
	x.requireExplained(t, "Insert", func() error {
		require.ErrorIs(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 1, Name: "a"}), mapper.ErrExists)
		return nil
	})
	x.requireExplained(t, "InsertOrGet", func() error { _, err := s.Customers.InsertOrGet(ctx, &invoice.Customer{ID: 2, Name: "b"}); return err })
	for id, call := range map[int32]func(*invoice.Customer) error{
		1: func(v *invoice.Customer) error { return s.Customers.Insert(ctx, v) },
		2: func(v *invoice.Customer) error { _, err := s.Customers.InsertOrGet(ctx, v); return err },
	} {
		x.requireExplained(t, "Delete", func() error { return s.Customers.Delete(ctx, id) })
		x.requireExplained(t, []string{"", "Insert", "InsertOrGet"}[id], func() error { return call(&invoice.Customer{ID: id, Name: "c"}) })
	}
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 9, Payer: 1, Guest: new(int32(2))}))
	for id := int32(1); id < 4; id++ { // with a row, and without one
		x.requireExplained(t, "Put", func() error { return s.Customers.Put(ctx, &invoice.Customer{ID: id, Name: "put"}) }, follow...)
	}
	for id := int32(1); id < 5; id++ {
		x.requireExplained(t, "Upsert", func() error {
			_, err := s.Customers.Upsert(ctx, id, func(v *invoice.Customer, _ bool) error { v.Name = "upsert"; return nil })
			return err
		}, follow...)
	}
	for _, change := range []func(*invoice.Customer) error{
		func(v *invoice.Customer) error { v.Name = "update"; return nil },
		func(v *invoice.Customer) error { v.Note = "n"; return nil },
	} {
		x.requireExplained(t, "Update", func() error { _, err := s.Customers.Update(ctx, 2, change); return err }, follow...)
	}
	read, err := s.Customers.Get(ctx, 1)
	require.NoError(t, err)
	changed := *read
	changed.City = new("x")
	x.requireExplained(t, "Change", func() error { return s.Customers.Change(ctx, read, &changed) }, follow...)
	for id := range int32(2) {
		x.sent.Drain()
		held("Delete", s.Customers.Delete(ctx, id+1))
		read, err := s.Customers.Get(ctx, id+1)
		require.NoError(t, err)
		x.sent.Drain()
		held("DeleteAt", s.Customers.DeleteAt(ctx, id+1, read.Version))
	}
	read, err = s.Customers.Get(ctx, 4)
	require.NoError(t, err)
	x.requireExplained(t, "DeleteAt", func() error { return s.Customers.DeleteAt(ctx, 4, read.Version) })
}

// explainHolders compares the requests of invoices.
func explainHolders(t *testing.T, s *invoice.Store, x *explanation) {
	ctx := t.Context()
	full := func(id int32) *invoice.Invoice {
		return &invoice.Invoice{ID: id, Payer: 1, Guest: new(int32(2)), Seller: new(int32(1))}
	}
	x.requireExplained(t, "Insert", func() error { return s.Invoices.Insert(ctx, full(1)) })
	x.sent.Drain()
	require.ErrorIs(t, s.Invoices.Insert(ctx, full(1)), mapper.ErrExists)
	x.match(t, operation(t, x.Table, "Insert"))
	x.requireExplained(t, "InsertOrGet", func() error { _, err := s.Invoices.InsertOrGet(ctx, full(2)); return err })
	for id, name := range []string{1: "Insert", 2: "InsertOrGet"} {
		if name == "" {
			continue
		}
		v, err := s.Invoices.Get(ctx, int32(id))
		require.NoError(t, err)
		x.requireExplained(t, "DeleteAt", func() error { return s.Invoices.DeleteAt(ctx, int32(id), v.Version) })
		x.requireExplained(t, name, func() error {
			if name == "Insert" {
				return s.Invoices.Insert(ctx, full(1))
			}
			_, err := s.Invoices.InsertOrGet(ctx, full(2))
			return err
		})
	}
	none := func(v *invoice.Invoice) error { v.Payer, v.Guest, v.Seller = 1, nil, nil; return nil }
	all := func(v *invoice.Invoice) error { w := full(v.ID); w.Version = v.Version; *v = *w; return nil }
	changes := []func(*invoice.Invoice) error{all, none, none} // before the last one, rows are pending
	for _, change := range changes {
		x.requireExplained(t, "Put", func() error {
			v := full(1)
			require.NoError(t, change(v))
			return s.Invoices.Put(ctx, v)
		})
	}
	for _, change := range changes {
		x.requireExplained(t, "Update", func() error { _, err := s.Invoices.Update(ctx, 1, change); return err })
	}
	for _, change := range changes {
		x.requireExplained(t, "Upsert", func() error {
			_, err := s.Invoices.Upsert(ctx, 3, func(v *invoice.Invoice, _ bool) error { return change(v) })
			return err
		})
	}
	read, err := s.Invoices.Get(ctx, 1)
	require.NoError(t, err)
	for _, change := range changes {
		changed := *read
		require.NoError(t, change(&changed))
		x.requireExplained(t, "Change", func() error { return s.Invoices.Change(ctx, read, &changed) })
		read = &changed
	}
	x.requireExplained(t, "Put", func() error { return s.Invoices.Put(ctx, full(5)) })
	for id, name := range []string{1: "Delete", 2: "DeleteAt", 3: "Delete"} {
		if name == "" {
			continue
		}
		for _, change := range changes[:2] {
			read, err = s.Invoices.Update(ctx, int32(id), change)
			require.NoError(t, err)
		}
		x.requireExplained(t, name, func() error {
			if name == "Delete" {
				return s.Invoices.Delete(ctx, int32(id))
			}
			return s.Invoices.DeleteAt(ctx, int32(id), read.Version)
		})
	}
}
