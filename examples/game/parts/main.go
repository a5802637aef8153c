// Parts runs a game whose rounds are parts: rows of a separate table, with the key of the game. Package match has the model. It is one
// side of a published comparison of rows that share a key with one aggregate in one row (Poffo, 2016).
//
//	go run ./examples/game/parts
package main

import (
	"github.com/cassaml/cassaml/examples/game/parts/match"
	"github.com/cassaml/cassaml/examples/internal/example"
)

func main() { example.Main("parts", match.Schema, match.Demo) }
