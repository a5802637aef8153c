package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCompareFindsEveryDifference(t *testing.T) {
	clients := []clientRow{{id: 1, name: "Ana", vehicles: []vehicle{{"A", "blue"}, {"B", "red"}, {"C", "grey"}}}}
	want := expected(clients)
	require.NoError(t, compare(want, expected(clients)))

	got := expected(clients)
	got["A"] = vehicleRow{plate: "A", colour: "green", owner: owner{ID: 2, Name: "Eva"}}
	delete(got, "B")
	got["D"] = vehicleRow{plate: "D"}
	require.EqualError(t, compare(want, got), `veiculos, row A: cor is green, the clients say blue
veiculos, row A: cliente.id is 2, the clients say 1
veiculos, row A: cliente.nome is Eva, the clients say Ana
veiculos has no row B
veiculos has a row D, which no client has`)
}
