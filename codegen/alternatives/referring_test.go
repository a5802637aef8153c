package alternatives_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/alternatives"
)

const passports = `
type Team struct {
	aml.Aggregate $aml:"teams"$

	ID      int32    $aml:"id,identifier"$
	Title   string   $aml:"title,required"$
	HomeID  *int32   $aml:"home_id,association=Country,checked"$
	Players []Player $aml:"players,composition,max=5"$
	Version int64    $aml:"version,version"$
}

type Player struct {
	aml.Entity $aml:"player"$

	Number    int32  $aml:"number,identifier"$
	Name      string $aml:"name"$
	CountryID *int32 $aml:"country_id,association=Country,checked"$
}

type Country struct {
	aml.Aggregate $aml:"countries"$

	ID      int32 $aml:"id,identifier"$
	Version int64 $aml:"version,version"$
}
`

// Each element, and the root, has one checked reference to another root: a save that adds it writes its row, and reads its target. It has none where the
// reference can be null. This is so whether an element is in the row of its root or is a root itself.
func TestCostsOfReferencesInElements(t *testing.T) {
	t.Parallel()
	type more struct{ requests, statements int }
	type costs map[alternatives.Operation]more
	null := designs(t, passports, "Team.Players")
	ofElements := costs{alternatives.Insert: {6, 10}, alternatives.Add: {2, 2}, alternatives.Delete: {0, 5}}
	ofRoot := costs{alternatives.Insert: {2, 2}, alternatives.Delete: {0, 1}}
	for field, of := range map[string]map[string]costs{
		"CountryID": {"embedded-list-versioned": ofElements, "embedded-map-versioned": ofElements, "reference-from-element-checked": {alternatives.Insert: {5, 10}, alternatives.Add: {1, 2}}},
		"HomeID":    {"embedded-list-versioned": ofRoot, "embedded-map-versioned": ofRoot, "reference-from-element-checked": ofRoot},
	} {
		set := designs(t, regexp.MustCompile(field+` +\*int32`).ReplaceAllString(passports, field+" int32"), "Team.Players")
		for design, want := range of {
			require.Empty(t, set[design].Refused, design)
			for _, o := range []alternatives.Operation{alternatives.Insert, alternatives.Add, alternatives.Change, alternatives.Rename, alternatives.Delete} {
				if a, b := null[design].Costs[o], set[design].Costs[o]; a != nil {
					got := more{b.Requests - a.Requests, b.Statements - a.Statements}
					require.Equal(t, want[o], got, "%s: %s: %s", field, design, o)
				}
			}
		}
	}
}
