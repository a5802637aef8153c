package alternatives_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const withReferences = `
type Club struct {
	aml.Aggregate $aml:"clubs"$

	ID   int32 $aml:"id,identifier"$
	Wins int64 $aml:"wins,counter"$
}

type Team struct {
	aml.Aggregate $aml:"teams"$

	ID      int32    $aml:"id,identifier"$
	ClubID  int32    $aml:"club_id,association=Club"$
	Rivals  []int32  $aml:"rivals,association=Team"$
	Home    Place    $aml:"home,composition,final"$
	Players []Player $aml:"players,composition,max=5"$
}

type Player struct {
	aml.Entity $aml:"player"$

	Number int32 $aml:"number,identifier"$
	Loan   Loan  $aml:"loan,composition"$
}

type Loan struct {
	TeamID int32 $aml:"team_id,association=Team"$
}

type Place struct {
	City string
}

type Ticket struct {
	aml.Aggregate $aml:"tickets"$

	ID     int32 $aml:"id,identifier"$
	ClubID int32 $aml:"club_id,association=Club"$
	Seat   int32 $aml:"seat,final"$
}
`

// Each fault is named once, for the field that a program writes: not for its copy in a redundant table. Lists and values that are written as a whole lose one of two changes. A
// counter and a field that only Insert sets have no update that a Delete could leave.
func TestOverlapsOfFields(t *testing.T) {
	t.Parallel()
	total := designs(t, withReferences, "Team.Players")["embedded-list-total"]
	require.Empty(t, total.Refused)
	require.ElementsMatch(t, []string{
		"Team: an update that overlaps a Delete leaves a row with only the updated fields",
		"Team.Rivals: of two overlapping changes of the list, one is lost",
		"Team.Home: of two overlapping changes of the value, one is lost",
		"Team.Players: of two overlapping changes of the list, one is lost",
		"Team.ClubID can refer to a Club that does not exist",
		"Team.Rivals can refer to a Team that does not exist",
		"Team.Players.Loan.TeamID can refer to a Team that does not exist",
		"players_by_number can differ from teams: its rows follow from a list, which is written as a whole",
		"two elements of different roots with one key share a row of players_by_number",
	}, total.Overlaps)
	require.NotEmpty(t, total.Warnings)
	require.Contains(t, total.Warnings[0].String(), "the number of values of Rivals has no limit")
	pairs := designs(t, withReferences, "Ticket.ClubID")["pairs"]
	require.Empty(t, pairs.Refused)
	require.NotContains(t, strings.Join(pairs.Overlaps, "\n"), "an update that overlaps")
}

// A Delete of a plain root leaves parts that an overlapping writer inserts, and fields that such a writer updates; a Delete of a versioned root does not.
func TestOverlapsWithADelete(t *testing.T) {
	t.Parallel()
	l := list(t, examples+"quickstart/shop", "Customer.Vehicles")
	overlaps := map[string][]string{}
	for _, a := range l.Alternatives {
		overlaps[a.Name] = a.Overlaps
		plain := !a.Versioned && a.Refused == "" || a.Name == "pairs-unique-versioned"
		if plain {
			require.NotEmpty(t, a.Overlaps, a.Name)
		}
	}
	const missing = "Vehicle: a write that overlaps the Delete of its Customer leaves a row without a Customer, which Reconcile reports as a missing root"
	for _, name := range []string{"parts", "parts-in-root"} {
		require.Contains(t, overlaps[name], missing, name)
		require.Contains(t, overlaps[name], "Customer: an update that overlaps a Delete leaves a row with only the updated fields", name)
	}
	for _, name := range []string{"parts-in-root-versioned", "embedded-list-versioned", "reference-from-element-checked"} {
		require.Empty(t, slices.DeleteFunc(overlaps[name], func(s string) bool { return s == "max=20 is not checked: a Customer can have more Vehicles" }), name)
	}
	require.Contains(t, overlaps["embedded-map"], "Customer.Vehicles: of two overlapping changes of the same element, one is lost")
	require.Contains(t, overlaps["inverse-versioned"], "Vehicle.Customer: the rows of the elements of one Customer can have different values of its fields")
	require.Contains(t, strings.Join(overlaps["references-both-checked"], ""), "Customer.VehiclePlates and Vehicle.CustomerIDs can differ")
}
