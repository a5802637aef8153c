package gen_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/testdata/golden/hotel"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// AssignVersions and a backfill change neither the rows that a store has saved nor their copies.
func TestVersionsAndBackfillsOfSavedRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, save := t.Context(), func(string) error { return nil }
		b := memory.New(memory.Config{})
		s, err := hotel.OpenBackend(ctx, b)
		require.NoError(t, err)
		ana := &hotel.Guest{ID: 1, Name: "Ana", Email: "a", Passport: hotel.Passport{Number: "1"}, Cards: []hotel.Card{{Number: "c", Points: 5}}}
		require.NoError(t, s.Guests.Insert(ctx, ana))
		require.NoError(t, s.Guests.Insert(ctx, &hotel.Guest{ID: 2, Name: "Bia", Email: "b", Passport: hotel.Passport{Number: "2"}}))
		require.NoError(t, s.Guests.Delete(ctx, 2))
		for id := range int32(2) {
			require.NoError(t, s.Guests.Insert(ctx, &hotel.Guest{ID: 3 + id, Name: "Caio", Email: fmt.Sprint(id)}), "a group of empty texts is not claimed")
		}
		cells := func() (out []memory.Cell) {
			for _, table := range []string{"guests", "guests__sync", "guests_by_email", "guests_by_card"} {
				c, err := b.Cells(table)
				require.NoError(t, err)
				out = append(out, c...)
			}
			return out
		}
		before := cells()
		require.NoError(t, gen.AssignVersions(ctx, s.Guests.Versioned, gen.FillConfig{}, "", save))
		require.NoError(t, gen.FillVersioned(ctx, s.Guests.Versioned, "guests_by_email", gen.FillConfig{}, "", save))
		require.Equal(t, before, cells())
		require.ErrorContains(t, gen.FillVersioned(ctx, s.Guests.Versioned, "rooms", gen.FillConfig{}, "", save), "mapper: Guest (guests) has no redundant table rooms")
	})
}
