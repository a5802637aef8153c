package simulation

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// unfilledBackend is a backend with reverse tables that do not have the rows of all references.
type unfilledBackend struct {
	store.Backend

	tables map[string]bool
}

func (b unfilledBackend) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	s, err := b.Backend.Open(ctx, schema)
	return unfilledStore{s, b.tables}, err
}

type unfilledStore struct {
	store.Store

	tables map[string]bool
}

func (s unfilledStore) Unfilled(context.Context) (map[string]bool, error) {
	return maps.Clone(s.tables), nil
}

// Whoever carries on a deletion that an earlier release has begun removes its mark while a reverse table does not have all rows.
func TestDeletionWhileReferencesAreNotRecorded(t *testing.T) {
	for name, unfilled := range map[string]string{
		"FanOut": "papers__editor_refs", "Reconcile": "papers__editor_refs", "save": "papers__editor_refs",
		"FanOut below a cascade": "papers__series_refs", "Reconcile below a cascade": "papers__series_refs", "save below a cascade": "papers__series_refs",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, b := t.Context(), unfilledBackend{memory.New(memory.Config{}), map[string]bool{}}
			open := func() *library.Store {
				s, err := library.OpenBackend(ctx, b, mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond, Logger: discardLogger})
				require.NoError(t, err)
				return s
			}
			before := open()
			require.NoError(t, before.Authors.Insert(ctx, &library.Author{ID: 1}))
			require.NoError(t, before.Series.Insert(ctx, &library.Series{ID: 1, Owner: new(int32(1))}))
			require.ErrorAs(t, before.Authors.Delete(ctx, 1), new(*mapper.PendingError))
			time.Sleep(20 * time.Millisecond) // longer than Config.Lease
			b.tables[unfilled] = true
			s := open()
			var err error
			switch finish, _, _ := strings.Cut(name, " "); finish {
			case "FanOut":
				err = s.FanOut(ctx, mapper.FanOutConfig{})
			case "Reconcile":
				_, err = s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 1})
			default:
				_, err = s.Authors.Update(ctx, 1, func(a *library.Author) error { a.Name = "b"; return nil })
			}
			require.NoError(t, err)
			for _, s := range []*library.Store{s, before} {
				_, err = s.Authors.Update(ctx, 1, func(a *library.Author) error { a.Name += "c"; return nil })
				require.NoError(t, err)
				_, err = s.Series.Get(ctx, 1)
				require.NoError(t, err)
			}
			require.ErrorIs(t, s.Authors.Delete(ctx, 1), mapper.ErrUnfilled)
			delete(b.tables, unfilled)
			require.ErrorAs(t, s.Authors.Delete(ctx, 1), new(*mapper.PendingError))
		})
	}
}
