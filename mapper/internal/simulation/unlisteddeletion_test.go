package simulation

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/loan"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// lossyBackend is a backend that can lose the rows of aml_outboxes.
type lossyBackend struct {
	store.Backend

	loses atomic.Bool
}

func (b *lossyBackend) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	s, err := b.Backend.Open(ctx, schema)
	return lossyStore{s, b}, err
}

type lossyStore struct {
	store.Store

	of *lossyBackend
}

func (s lossyStore) Apply(ctx context.Context, all []plan.Mutation, w store.Write) error {
	if s.of.loses.Load() && all[0].Table.Name == "aml_outboxes" {
		return nil
	}
	return s.Store.Apply(ctx, all, w)
}

// A run ends although the outboxes do not list the deletion of a root whose fields have to follow, and to which more roots refer than one call
// may delete.
func TestFanOutToRootsWhoseDeletionIsNotListed(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	b := &lossyBackend{Backend: memory.New(memory.Config{})}
	s, err := loan.OpenBackend(ctx, b, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond, Logger: discardLogger})
	require.NoError(t, err)
	require.NoError(t, s.Members.Insert(ctx, &loan.Member{ID: 1, Name: "a"}))
	require.NoError(t, s.Members.Insert(ctx, &loan.Member{ID: 2, Name: "b", Sponsor: new(int32(1))}))
	require.NoError(t, s.Loans.Insert(ctx, &loan.Loan{ID: 1, Member: 2}))
	b.loses.Store(true)
	require.ErrorAs(t, s.Members.Delete(ctx, 2), new(*mapper.PendingError))
	b.loses.Store(false)
	_, err = s.Members.Update(ctx, 1, func(m *loan.Member) error { m.Name = "c"; return nil })
	require.NoError(t, err)
	require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
	_, err = s.Members.Get(ctx, 2)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}
