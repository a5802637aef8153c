package simulation

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

func email(of string) *cell.Encoder {
	e := new(cell.Encoder)
	e.Text(of)
	return e
}

// A release that does not know a unique column deletes a row: the value stays in the row, and its reservation keeps the owner. Then no
// customer has the value.
func TestGetByLeavesOutDeletedRows(t *testing.T) {
	ctx, backend := t.Context(), memory.New(memory.Config{})
	table := saved(t, backend, 0)
	ana := &customer{ID: 1, Name: "Ana", Email: "ana@example.com"}
	require.NoError(t, table.Insert(ctx, ana))
	v, err := table.GetBy(ctx, "GetByEmail", 0, email(ana.Email))
	require.NoError(t, err)
	require.Equal(t, ana, v)

	row := make(cell.Row, len(customersTable.Columns))
	row[0], row[customerDeleted] = cell.Cell{0, 0, 0, 1}, cell.Cell{1}
	deletion := plan.Mutation{Table: (*plan.Table)(customersTable), Row: row}
	deletion.Write.Add(customerDeleted)
	db, err := backend.Open(ctx, customersSchema)
	require.NoError(t, err)
	require.NoError(t, db.Apply(ctx, []plan.Mutation{deletion}, store.Write{Timestamp: time.Now().Add(time.Hour).UnixMicro()}))
	_, err = table.GetBy(ctx, "GetByEmail", 0, email(ana.Email))
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// unhurried is a database that answers the first request for a row only when the caller no longer waits for it.
type unhurried struct{ store.Store }

func (s unhurried) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	if !l.Second {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.Store.Row(ctx, l)
}

// With Options.SpeculativeDelay, the read of the reservation and that of the row are each sent a second time.
func TestGetBySpeculates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		ana := &customer{ID: 1, Name: "Ana", Email: "ana@example.com"}
		require.NoError(t, saved(t, backend, 0).Insert(ctx, ana))
		s, err := backend.Open(ctx, customersSchema)
		require.NoError(t, err)
		db, err := call.OpenStore(unhurried{s}, mapper.Config{MaxClockSkew: -1}, customersSchema)
		require.NoError(t, err)
		v, err := customers(db.With(mapper.Options{SpeculativeDelay: time.Millisecond})).GetBy(ctx, "GetByEmail", 0, email(ana.Email))
		require.NoError(t, err)
		require.Equal(t, ana, v)
	})
}
