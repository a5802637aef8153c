package simulation

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/contract"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// refuseReads refuses the reads of a table.
func refuseReads(table string) func(memory.Request) memory.Outcome {
	return func(r memory.Request) memory.Outcome {
		if !r.Write && slices.Contains(r.Tables, table) {
			return memory.Refused
		}
		return memory.Done
	}
}

// heldClient opens a store in which the deletion of client 1 has begun. It is the heir of contract 1, which does not restrict the deletion, and the
// agent of contracts 2 and 3, which do.
func heldClient(t *testing.T, backend *memory.Backend) *contract.Store {
	t.Helper()
	ctx := t.Context()
	s, err := contract.OpenBackend(ctx, backend, mapper.Config{Lease: 10 * time.Millisecond, Timeout: time.Second, Logger: discardLogger})
	require.NoError(t, err)
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "a"}))
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 2, Name: "b"}))
	require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 2, Heir: new(int32(1))}))
	for id := range int32(2) {
		require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 2 + id, Client: 2, Agent: new(int32(1))}))
	}
	backend.Intercept(refuseReads("contracts__agent_holders"))
	require.True(t, mapper.OutcomeUnknown(s.Clients.Delete(ctx, 1)), "it is marked")
	time.Sleep(20 * time.Millisecond) // longer than Config.Lease
	return s
}

// A run that cannot find out whether a root restricts a deletion deletes and clears nothing.
func TestDeletionWhoseRestrictionsCannotBeRead(t *testing.T) {
	for _, finish := range []string{"FanOut", "Reconcile"} {
		t.Run(finish, func(t *testing.T) {
			ctx, backend := t.Context(), memory.New(memory.Config{})
			s := heldClient(t, backend)
			if finish == "FanOut" {
				require.ErrorContains(t, s.FanOut(ctx, mapper.FanOutConfig{}), "too few replicas")
			} else {
				_, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 1, Tables: []string{"clients"}})
				require.ErrorContains(t, err, "too few replicas")
			}
			backend.Intercept(nil)
			v, err := s.Contracts.Get(ctx, 1)
			require.NoError(t, err)
			require.Equal(t, new(int32(1)), v.Heir)
			require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
			_, err = s.Clients.Update(ctx, 1, func(c *contract.Client) error { c.Note = "n"; return nil })
			require.NoError(t, err, "it is not marked any more")
		})
	}
}

// A run that cannot remove the mark of a deletion that is refused returns an error.
func TestDeletionThatCannotBeReverted(t *testing.T) {
	for _, finish := range []string{"FanOut", "Reconcile"} {
		t.Run(finish, func(t *testing.T) {
			backend := memory.New(memory.Config{})
			s := heldClient(t, backend)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			backend.Intercept(func(r memory.Request) memory.Outcome {
				if r.Conditional {
					return memory.Refused
				}
				return memory.Done
			})
			var err error
			var report *mapper.ReconcileReport
			if finish == "FanOut" {
				err = s.FanOut(ctx, mapper.FanOutConfig{})
			} else if report, err = s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 1, Tables: []string{"clients"}}); report != nil {
				require.Zero(t, report.Repaired)
			}
			require.NoError(t, ctx.Err())
			require.ErrorContains(t, err, "its mark could not be removed")
			backend.Intercept(nil)
			require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
			_, err = s.Clients.Update(ctx, 1, func(c *contract.Client) error { c.Note = "n"; return nil })
			require.NoError(t, err)
		})
	}
}

// A root that restricts a deletion ends it although another one cannot be read.
func TestDeletionThatOneOfTwoRootsRestricts(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	s := heldClient(t, backend)
	first := true
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if !r.Write && slices.Contains(r.Tables, "contracts") && first {
			first = false
			return memory.Refused
		}
		return memory.Done
	})
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
}
