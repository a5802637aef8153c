package store

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/contract"
	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/integration/models/loan"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// What ends the deletion of a root whose last save others have not followed lets them follow, too.
func TestDeletionOfARootToFollow(t *testing.T) {
	for _, finish := range []string{"FanOut", "Reconcile"} {
		t.Run(finish, func(t *testing.T) {
			onContracts(t, -1, func(t *testing.T, s *contract.Store, _ *storetest.Requests) {
				ctx := t.Context()
				v := &contract.Client{ID: 1, Name: "a"}
				require.NoError(t, s.Clients.Insert(ctx, v))
				require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 2, Name: "x"}))
				require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 1}))
				require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 2, Client: 2, Heir: new(int32(1))}))
				require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
				v.Name = "b"
				require.NoError(t, s.Clients.Put(ctx, v))
				require.ErrorAs(t, s.Clients.Delete(ctx, 1), new(*mapper.PendingError))
				time.Sleep(20 * time.Millisecond) // longer than Config.Lease
				if finish == "FanOut" {
					require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
				} else {
					_, err := s.Reconcile(ctx, mapper.ReconcileConfig{})
					require.NoError(t, err)
				}
				wantContract(t, s, 1, "b", nil, nil)
				other, err := s.Contracts.Get(ctx, 2)
				require.NoError(t, err)
				require.Nil(t, other.Heir)
				cleanContracts(t, s)
			})
		})
	}
}

// A root that restricts a deletion ends it before any other root is deleted or cleared, whoever carries the deletion on.
func TestDeletionThatIsRestrictedLater(t *testing.T) {
	t.Parallel()
	ctx, backend := t.Context(), memory.New(memory.Config{})
	s, err := contract.OpenBackend(ctx, backend, mapper.Config{Lease: 10 * time.Millisecond, Timeout: time.Second, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "a"}))
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 2, Name: "b"}))
	require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 2, Heir: new(int32(1))}))
	require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 2, Client: 2, Agent: new(int32(1))}))
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if !r.Write && slices.Contains(r.Tables, "contracts__agent_holders") {
			return memory.Refused
		}
		return memory.Done
	})
	require.True(t, mapper.OutcomeUnknown(s.Clients.Delete(ctx, 1)), "it is marked")
	backend.Intercept(nil)
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	v, err := s.Contracts.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, new(int32(1)), v.Heir)
	_, err = s.Clients.Update(ctx, 1, func(c *contract.Client) error { c.Note = "n"; return nil })
	require.NoError(t, err, "it is not marked any more")
	cleanContracts(t, s)
}

// One run removes a root from the outboxes although a later save which was not applied has listed it again.
func TestOutboxListedByARefusedSave(t *testing.T) {
	t.Parallel()
	ctx, backend := t.Context(), memory.New(memory.Config{})
	s, err := invoice.OpenBackend(ctx, backend, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond})
	require.NoError(t, err)
	insertCustomers(t, s, "a")
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	rename(t, s, 1, "b")
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional {
			return memory.Refused
		}
		return memory.Done
	})
	_, err = s.Customers.Update(ctx, 1, func(c *invoice.Customer) error { c.Name = "c"; return nil })
	require.Error(t, err)
	backend.Intercept(nil)
	cleanInvoices(t, s, true)
	require.Empty(t, cleanInvoices(t, s, false))
}

// A save that leaves an outbox as it is does not set it again after it has been served, and is not a conflict.
func TestServedOutboxStaysClear(t *testing.T) {
	onInvoices(t, -1, func(t *testing.T, s *invoice.Store, _ *storetest.Requests) {
		ctx := t.Context()
		insertCustomers(t, s, "a")
		require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
		rename(t, s, 1, "b")
		tries := 0
		_, err := s.Customers.Update(ctx, 1, func(c *invoice.Customer) error {
			c.Note = "n"
			if tries++; tries == 1 {
				require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, 2, tries)
		require.Empty(t, cleanInvoices(t, s, false))
	})
}

// FanOut without Follow ends when nothing is left, also of what was listed while it ran.
func TestFanOutOfWhatIsListedMeanwhile(t *testing.T) {
	onInvoices(t, -1, func(t *testing.T, s *invoice.Store, _ *storetest.Requests) {
		ctx := t.Context()
		const customers = 20
		names := slices.Repeat([]string{"a"}, customers)
		insertCustomers(t, s, names...)
		for id := range int32(customers) {
			require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: id, Payer: 1 + id}))
		}
		rename(t, s, 1, "b")
		var once sync.Once
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{Progress: func(mapper.FanOutProgress) {
			once.Do(func() {
				for id := range int32(customers) {
					rename(t, s, 1+id, "c")
				}
			})
		}}))
		for id := range int32(customers) {
			v, err := s.Invoices.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, "c", v.PayerName)
		}
	})
}

// A holder that has to follow a change is being deleted, and more roots refer to it than one call may delete: FanOut ends the deletion first.
func TestFanOutToRootsThatAreBeingDeleted(t *testing.T) {
	t.Parallel()
	onHolders(t, -1, generated[*loan.Store]{loan.Schema, loan.Open, loan.OpenBackend}, func(t *testing.T, s *loan.Store, _ *storetest.Requests) {
		ctx := t.Context()
		const pairs = 8 // the order in which two roots are served depends on their keys
		for id := range int32(pairs) {
			require.NoError(t, s.Members.Insert(ctx, &loan.Member{ID: id, Name: "a"}))
			require.NoError(t, s.Members.Insert(ctx, &loan.Member{ID: pairs + id, Name: "b", Sponsor: &id}))
			require.NoError(t, s.Loans.Insert(ctx, &loan.Loan{ID: id, Member: pairs + id}))
		}
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
		for id := range int32(pairs) {
			require.ErrorAs(t, s.Members.Delete(ctx, pairs+id), new(*mapper.PendingError))
			_, err := s.Members.Update(ctx, id, func(m *loan.Member) error { m.Name = "c"; return nil })
			require.NoError(t, err)
		}
		var last mapper.FanOutProgress
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{Parallel: 1, Progress: func(p mapper.FanOutProgress) { last = p }}))
		require.Zero(t, last.Failed)
		for id := range int32(pairs) {
			_, err := s.Members.Get(ctx, pairs+id)
			require.ErrorIs(t, err, mapper.ErrNotFound)
			_, err = s.Loans.Get(ctx, id)
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
	})
}

// FanOut ends although Config.Now stands still.
func TestFanOutWithAFixedClock(t *testing.T) {
	t.Parallel()
	ctx, now := t.Context(), time.Unix(1_800_000_000, 0)
	s, err := invoice.OpenBackend(ctx, memory.New(memory.Config{}), mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond, Now: func() time.Time { return now }})
	require.NoError(t, err)
	insertCustomers(t, s, "a")
	require.NoError(t, s.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
	rename(t, s, 1, "b")
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	v, err := s.Invoices.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "b", v.PayerName)
}

// meanwhile is a tracer that calls a function once, before the first read of a table.
type meanwhile struct {
	storetest.Requests
	table string
	once  sync.Once
	call  func()
}

func (m *meanwhile) Start(ctx context.Context, r mapper.Request) context.Context {
	if r.Timestamp == 0 && !r.Conditional && r.Statements[0].Table == m.table {
		m.once.Do(m.call)
	}
	return m.Requests.Start(ctx, r)
}

// A DeleteAt whose deletion another call has ended has deleted the root.
func TestDeletionEndedByAnotherCall(t *testing.T) {
	onInlineDeletions(t, 100, func(t *testing.T, s *library.Store, open func(mapper.Config) *library.Store) {
		insertSeries(t, s, &library.Series{ID: 1}, 3)
		v, err := s.Series.Get(t.Context(), 1)
		require.NoError(t, err)
		tracer := &meanwhile{table: "papers__series_refs", call: func() { require.NoError(t, s.Series.Delete(t.Context(), 1)) }}
		require.NoError(t, open(mapper.Config{Tracer: tracer}).Series.DeleteAt(t.Context(), 1, v.Version))
		require.Zero(t, countPapers(t, s))
		finishAndClean(t, s)
	})
}

// A root keeps its copies of a target that was created again at a version below the one that it has followed, until the target passes that.
func TestCopiesOfATargetWithALowerVersion(t *testing.T) {
	t.Parallel()
	ctx, now := t.Context(), time.Unix(1_800_000_000, 0)
	backend := memory.New(memory.Config{Now: func() time.Time { now = now.Add(time.Millisecond); return now }})
	open := func(behind time.Duration) *contract.Store {
		s, err := contract.OpenBackend(ctx, backend, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond, Now: func() time.Time { return now.Add(-behind) }})
		require.NoError(t, err)
		return s
	}
	s := open(0)
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "a"}))
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 1}))
	require.NoError(t, s.Clients.Delete(ctx, 1))
	now = now.Add(11 * 24 * time.Hour)
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{})
	require.NoError(t, err)
	require.Equal(t, int64(1), report.Purged)
	require.NoError(t, open(30*24*time.Hour).Clients.Insert(ctx, &contract.Client{ID: 1, Name: "b"}))
	_, err = s.Contracts.Update(ctx, 1, func(v *contract.Contract) error { v.Name = "n"; return nil })
	require.NoError(t, err)
	wantContract(t, s, 1, "a", nil, nil)
}
