package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onInvoices calls test with stores whose saves of targets let a number of holders follow.
func onInvoices(t *testing.T, inline int, test func(t *testing.T, s *invoice.Store, sent *storetest.Requests)) {
	t.Parallel()
	onHolders(t, inline, generated[*invoice.Store]{invoice.Schema, invoice.Open, invoice.OpenBackend}, test)
}

// onHolders calls test with stores whose saves of targets let a number of holders follow.
func onHolders[S any](t *testing.T, inline int, of generated[S], test func(t *testing.T, s S, sent *storetest.Requests)) {
	config := func(sent *storetest.Requests) mapper.Config {
		return mapper.Config{Tracer: sent, FanOutInline: inline, Lease: 10 * time.Millisecond}
	}
	t.Run("memory", func(t *testing.T) {
		sent := new(storetest.Requests)
		s, err := of.openBackend(t.Context(), memory.New(memory.Config{}), config(sent))
		require.NoError(t, err)
		test(t, s, sent)
	})
	t.Run("node", func(t *testing.T) {
		sent := new(storetest.Requests)
		s, err := of.open(t.Context(), storetest.SharedTables(t, of.schema), config(sent))
		require.NoError(t, err)
		test(t, s, sent)
	})
}

// insertCustomers inserts customers and a seller with the number 1.
func insertCustomers(t *testing.T, s *invoice.Store, names ...string) {
	t.Helper()
	for i, name := range names {
		require.NoError(t, s.Customers.Insert(t.Context(), &invoice.Customer{ID: int32(i + 1), Name: name, City: new("x")}))
	}
	require.NoError(t, s.Sellers.Insert(t.Context(), &invoice.Seller{ID: 1, City: new("y")}))
}

func rename(t *testing.T, s *invoice.Store, id int32, name string) {
	t.Helper()
	_, err := s.Customers.Update(t.Context(), id, func(c *invoice.Customer) error { c.Name = name; return nil })
	require.NoError(t, err)
}

// A save sets the fields that follow other roots, over those of the caller. A target that does not exist refuses it.
func TestSavesSetFollowedFields(t *testing.T) {
	onInvoices(t, 0, func(t *testing.T, s *invoice.Store, sent *storetest.Requests) {
		ctx := t.Context()
		v := &invoice.Invoice{ID: 1, Payer: 1, PayerName: "by hand", Guest: new(int32(2)), Seller: new(int32(1))}
		var missing *mapper.ConstraintError
		require.ErrorAs(t, s.Invoices.Insert(ctx, v), &missing)
		require.Equal(t, []mapper.Violation{
			{Path: "Payer", Problem: "is a reference, and there is no Customer (customers id=1)"},
			{Path: "Guest", Problem: "is a reference, and there is no Customer (customers id=2)"},
			{Path: "Seller", Problem: "is a reference, and there is no Seller (sellers id=1)"},
		}, missing.Violations)
		_, err := s.Invoices.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)

		insertCustomers(t, s, "a", "b")
		sent.Drain()
		require.NoError(t, s.Invoices.Insert(ctx, v))
		requests := sent.Drain()
		require.Len(t, requests, 6, "the rows of the references, three targets, the save, the copies")
		require.Contains(t, requests[0].Statements[0].CQL, "__payer_holders", "before the targets are read")
		for _, q := range requests[1:4] {
			require.NotZero(t, q.SerialConsistency, "a plain read does not see a save in flight")
		}
		require.Equal(t, []any{"a", "x", "b", "y"}, []any{v.PayerName, *v.PayerCity, *v.GuestName, *v.SellerCity})
		got, err := s.Invoices.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, v, got)

		v, err = s.Invoices.Update(ctx, 1, func(v *invoice.Invoice) error { v.Name, v.PayerName = "n", "by hand"; return nil })
		require.NoError(t, err)
		require.Len(t, sent.Drain(), 7, "the save reads the row, the copies that are left and its three targets")
		require.Equal(t, "a", v.PayerName)
		changed := *v
		changed.Payer, changed.Guest, changed.Seller = 2, nil, nil
		require.NoError(t, s.Invoices.Change(ctx, v, &changed))
		require.Equal(t, "b", changed.PayerName)
		require.Nil(t, changed.GuestName)
		require.Nil(t, changed.SellerCity)
		require.NoError(t, s.Customers.Delete(ctx, 1), "nothing refers to it any more")
		var held *mapper.HeldError
		require.ErrorAs(t, s.Customers.Delete(ctx, 2), &held)
		require.Equal(t, &mapper.HeldError{Aggregate: "Customer", Table: "customers", Key: "id=2", Field: "Payer", Holder: "Invoice", HolderTable: "invoices", HolderKey: "id=1"}, held)

		broken := changed
		broken.Payer = 9
		require.ErrorAs(t, s.Invoices.Put(ctx, &broken), &missing)
		got, err = s.Invoices.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, int32(2), got.Payer, "nothing was saved")
		cleanInvoices(t, s, false)
	})
}

// cleanInvoices runs Reconcile, and checks that it finds nothing, or that another run finds nothing more.
func cleanInvoices(t *testing.T, s *invoice.Store, first bool) (found []string) {
	t.Helper()
	time.Sleep(20 * time.Millisecond) // longer than Config.Lease
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) {
		found = append(found, fmt.Sprintf("%s %s %s %t", d.Table, d.Key, d.Kind, d.Repaired))
	}})
	require.NoError(t, err)
	require.True(t, report.Clean(), "%v", found)
	if first {
		require.Empty(t, cleanInvoices(t, s, false))
	}
	return found
}

// A save that changes a followed field lets the roots with copies follow before it returns, in all buckets, with their redundant rows. One that
// changes no such field sends nothing more.
func TestHoldersFollow(t *testing.T) {
	onInvoices(t, 0, func(t *testing.T, s *invoice.Store, sent *storetest.Requests) {
		ctx := t.Context()
		insertCustomers(t, s, "a", "b")
		const invoices = 20
		for id := range int32(invoices) {
			require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Payer: 1, Guest: new(int32(2))}))
		}
		sent.Drain()
		_, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Note = "n"; return nil })
		require.NoError(t, err)
		require.Len(t, sent.Drain(), 2)

		v, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name, c.City = "c", new("z"); return nil })
		require.NoError(t, err)
		requests := sent.Drain()
		require.Contains(t, requests[1].Statements[0].CQL, "INSERT INTO aml_outboxes", "before the save")
		require.Contains(t, requests[len(requests)-2].Statements[0].CQL, "SET aml_outbox = ? WHERE id = ? IF aml_outbox = ?")
		require.Contains(t, requests[len(requests)-1].Statements[0].CQL, "DELETE FROM aml_outboxes")
		for id := range int32(invoices) {
			got, err := s.Invoices.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, []any{"c", "z", "b"}, []any{got.PayerName, *got.PayerCity, *got.GuestName})
		}
		n := 0
		for row, err := range s.InvoicesByCity.Of("z").All(ctx) {
			require.NoError(t, err)
			require.Equal(t, "c", row.PayerName)
			n++
		}
		require.Equal(t, invoices, n)
		changed := *v
		changed.Name = "d"
		require.NoError(t, s.Customers.Change(ctx, v, &changed), "the holders have followed without a change of the version")
		require.Empty(t, cleanInvoices(t, s, false))
	})
}

// Without inline fan-out the copies stay, until Reconcile lets them follow.
func TestReconcileServesOutboxes(t *testing.T) {
	onInvoices(t, -1, func(t *testing.T, s *invoice.Store, _ *storetest.Requests) {
		ctx := t.Context()
		insertCustomers(t, s, "a", "b")
		for id := range int32(3) {
			require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Payer: 1}))
		}
		rename(t, s, 1, "c")
		v, err := s.Invoices.Get(ctx, 0)
		require.NoError(t, err)
		require.Equal(t, "a", v.PayerName)
		v, err = s.Invoices.Update(ctx, 0, func(v *invoice.Invoice) error { return nil })
		require.NoError(t, err)
		require.Equal(t, "c", v.PayerName, "each save reads its targets")
		_, err = s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Note = "n"; return nil })
		require.NoError(t, err)
		found := cleanInvoices(t, s, true)
		require.Contains(t, strings.Join(found, "\n"), "customers id=1 unpropagated true")
		for id := range int32(3) {
			v, err := s.Invoices.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, "c", v.PayerName)
		}
	})
}

// FanOut lets the roots with copies follow, of all roots that are listed: until nothing is left, or until its context ends.
func TestFanOut(t *testing.T) {
	onInvoices(t, -1, func(t *testing.T, s *invoice.Store, _ *storetest.Requests) {
		ctx := t.Context()
		insertCustomers(t, s, "a", "b")
		for id := range int32(40) {
			require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Payer: 1 + id%2}))
		}
		rename(t, s, 1, "c")
		rename(t, s, 2, "d")
		var last mapper.FanOutProgress
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{Progress: func(p mapper.FanOutProgress) { last = p }}))
		require.Equal(t, mapper.FanOutProgress{Served: 2}, last)
		for id := range int32(40) {
			v, err := s.Invoices.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, []string{"c", "d"}[id%2], v.PayerName)
		}
		require.Empty(t, cleanInvoices(t, s, false))

		rename(t, s, 2, "e")
		following, end := context.WithCancel(ctx)
		defer end()
		err := s.FanOut(following, mapper.FanOutConfig{Follow: true, Rate: 1000, Progress: func(mapper.FanOutProgress) { end() }})
		require.ErrorIs(t, err, context.Canceled)
		v, err := s.Invoices.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, "e", v.PayerName)
		require.ErrorContains(t, s.FanOut(ctx, mapper.FanOutConfig{Rate: -1}), "use 0 or more")
	})
}

// A save lets as many roots follow as it may, and leaves the others to Reconcile.
func TestSomeHoldersFollow(t *testing.T) {
	onInvoices(t, 3, func(t *testing.T, s *invoice.Store, _ *storetest.Requests) {
		ctx := t.Context()
		insertCustomers(t, s, "a")
		for id := range int32(5) {
			require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Payer: 1}))
		}
		rename(t, s, 1, "c")
		count := func() (n int) {
			for id := range int32(5) {
				v, err := s.Invoices.Get(ctx, id)
				require.NoError(t, err)
				if v.PayerName == "c" {
					n++
				}
			}
			return n
		}
		require.Equal(t, 3, count())
		cleanInvoices(t, s, true)
		require.Equal(t, 5, count())
	})
}

// The function of a migration records the references of rows that an earlier release has written without copies, and sets their copies. It is safe
// to repeat. A row that refers to a root that does not exist ends it with an error, and stays.
func TestFollowingFieldsOfEarlierReleases(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, invoice.Schema)
	s, err := invoice.Open(ctx, session, mapper.Config{Lease: 10 * time.Millisecond})
	require.NoError(t, err)
	insertCustomers(t, s, "ana", "bia")
	storetest.Execute(t, session, `
		INSERT INTO invoices (id, name, payer, version, aml_attempts) VALUES (1, 'a', 1, 7, []);
		INSERT INTO invoices (id, name, payer, guest, version, aml_attempts) VALUES (2, 'b', 2, 1, 7, []);
		INSERT INTO invoices (id, name, payer, version, aml_attempts) VALUES (3, 'c', 9, 7, []);
	`)
	record := invoice.Backfills()["invoices__references"]
	require.ErrorContains(t, record(ctx, gocqldriver.New(session), "", storetest.NoSave), "Invoice (invoices id=3): Payer is a reference, and there is no Customer (customers id=9)")
	require.NoError(t, s.Customers.Insert(ctx, &invoice.Customer{ID: 9, Name: "eva"}))
	var versions []int64
	for range 2 {
		require.NoError(t, record(ctx, gocqldriver.New(session), "", storetest.NoSave))
		v, err := s.Invoices.Get(ctx, 2)
		require.NoError(t, err)
		require.Equal(t, "bia", v.PayerName)
		require.Equal(t, new("ana"), v.GuestName)
		versions = append(versions, v.Version)
	}
	require.Equal(t, versions[0], versions[1], "the second run changes nothing")
	rename(t, s, 1, "anna")
	one, err := s.Invoices.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "anna", one.PayerName)
	two, err := s.Invoices.Get(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, new("anna"), two.GuestName)
	var held *mapper.HeldError
	require.ErrorAs(t, s.Customers.Delete(ctx, 9), &held)
	copied, err := s.InvoicesByCity.Get(ctx, "x", 1)
	require.NoError(t, err)
	require.Equal(t, "anna", copied.PayerName)
}
