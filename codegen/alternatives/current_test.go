package alternatives_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

// The model that a design writes has this design, by its two sides and by each name of the relationship.
func TestDesignsAreRecognised(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for folder, name := range relationships {
		l := list(t, examples+folder, name)
		for _, a := range l.Alternatives {
			if a.Refused != "" {
				continue
			}
			seen[a.Name] = true
			require.Equal(t, a.Name, alternatives.Current(a.Model, l.Root.Struct, l.Element.Struct), "%s\n%s", folder, a.Diff)
			requireCurrent(t, a, l)
		}
	}
	require.Len(t, seen, len(list(t, examples+"quickstart/shop", "Customer.Vehicles").Alternatives)-3, "%v", slices.Sorted(maps.Keys(seen)))
}

// requireCurrent compares the designs of the relationships of a written model that have the same two sides.
func requireCurrent(t *testing.T, a *alternatives.Alternative, l *alternatives.Listing) {
	t.Helper()
	for _, n := range alternatives.Names(a.Model) {
		r, err := alternatives.Find(a.Model, n, nil)
		if err == nil && r.Root.Struct == l.Root.Struct && r.Element.Struct == l.Element.Struct {
			require.Equal(t, a.Name, r.Current(), n)
		}
	}
}
