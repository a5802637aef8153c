// Package schema derives the schema of a model: user-defined types, tables and the programs that compute the rows of a
// redundant table from a row of its source. It renders them as CQL and does no I/O.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/aml/load"
//		"github.com/cassaml/cassaml/aml/model"
//		"github.com/cassaml/cassaml/aml/schema"
//	)
//
//	func main() {
//		p, err := load.Load(context.Background(), "./shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		m, faults := model.Build(p)
//		if len(faults) > 0 {
//			log.Fatal(faults[0])
//		}
//		fmt.Print(schema.New(m).CQL())
//	}
package schema
