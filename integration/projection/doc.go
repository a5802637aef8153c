// Package projection tests that copies equal the projection of their root. It compiles random models as the generator does
// ([Compile]), writes random instances of them through the mapper ([Session]; [Saves] of versioned roots with parts; [References] of roots that
// refer to each other), and
// computes the expected cells of every table, with their write times ([World]).
//
// The expected copies are computed by an evaluation of the model over plain values ([Compiled.Rows]), which shares no
// program, encoder or planning with the mapper. For each cell it also returns the cells of the root that the cell derives
// from. The tests therefore detect a write that writes too few or too many cells, and a backfill ([Session.Fill]) that
// writes a cell at another time than the write time of its source.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"math/rand/v2"
//
//		"github.com/cassaml/cassaml/integration/corpus"
//		"github.com/cassaml/cassaml/integration/projection"
//		"github.com/cassaml/cassaml/mapper/gen"
//		"github.com/cassaml/cassaml/mapper/memory"
//	)
//
//	func main() {
//		r := rand.New(rand.NewPCG(1, 2))
//		known, err := corpus.Imports()
//		if err != nil {
//			log.Fatal(err)
//		}
//		c, err := projection.Compile(string(corpus.Projected(r, "").Source()), known)
//		if err != nil {
//			log.Fatal(err)
//		}
//		clock := &projection.Clock{}
//		db, err := gen.OpenBackend(context.Background(), memory.New(memory.Config{Now: clock.Now}), c.Descriptors())
//		if err != nil {
//			log.Fatal(err)
//		}
//		s := projection.NewSession(c, db, r)
//		s.Clock = clock
//		for step := range int64(10) {
//			if err := s.Step(context.Background(), 1_800_000_000_000_000+10*step); err != nil {
//				log.Fatal(err)
//			}
//			fmt.Println(s.Last)
//		}
//	}
package projection
