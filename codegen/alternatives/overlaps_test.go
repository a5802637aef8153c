package alternatives_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
