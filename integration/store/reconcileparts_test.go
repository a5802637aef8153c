package store

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A run of a root compares the redundant tables of its parts, too, whether or not it names the parts, and each table once. A run of a part or
// of another root does not compare the others.
func TestReconcileOfTablesComparesTheirParts(t *testing.T) {
	t.Parallel()
	s, err := part.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	read := func(tables ...string) (out []string, phases int) {
		all := map[string]bool{}
		c := mapper.ReconcileConfig{Slices: 1, Tables: tables, Progress: func(p mapper.ReconcileProgress) {
			all[p.Table] = true
			phases = p.Total
		}}
		_, err := s.Reconcile(t.Context(), c)
		require.NoError(t, err)
		return slices.Sorted(maps.Keys(all)), phases
	}
	games := []string{"games", "games_by_name", "guests", "guests_by_name"}
	runs := []string{"runs", "runs_by_owner", "segments_by_word"}
	for _, of := range []struct{ tables, want []string }{
		{nil, append(slices.Clone(games), runs...)},
		{[]string{"games"}, games},
		{[]string{"guests", "games", "guests"}, games},
		{[]string{"guests"}, games[2:]},
		{[]string{"runs"}, runs},
	} {
		tables, once := read(of.tables...)
		require.Equal(t, of.want, tables, "%s", of.tables)
		_, twice := read(append(slices.Clone(of.tables), of.tables...)...)
		require.Equal(t, once, twice, "%s", of.tables)
	}
}
