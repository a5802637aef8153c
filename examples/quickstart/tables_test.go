package main

import (
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
)

func TestCompareFindsEveryDifference(t *testing.T) {
	customers := []customerRow{{id: gocql.UUID{1}, name: "Ana", vehicles: []vehicle{{"A", "blue"}, {"B", "red"}, {"C", "grey"}}}}
	want := expected(customers)
	require.NoError(t, compare(want, expected(customers)))

	got := expected(customers)
	got["A"] = vehicleRow{plate: "A", color: "green", owner: owner{ID: gocql.UUID{2}, Name: "Eva"}}
	delete(got, "B")
	got["D"] = vehicleRow{plate: "D"}
	require.EqualError(t, compare(want, got), `vehicles, row A: color is green, computed was blue
vehicles, row A: owner.id is 02000000-0000-0000-0000-000000000000, computed was 01000000-0000-0000-0000-000000000000
vehicles, row A: owner.name is Eva, computed was Ana
vehicles has no row B
vehicles has a row D, which no customer has`)
}
