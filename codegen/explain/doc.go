// Package explain describes the requests of each operation of a generated store: their statements, the partitions that they touch,
// whether they are sent as a batch and through the batchlog, and the number of requests. The description follows from the model
// alone, by the rules by which the runtime plans its writes. It uses no database, and package explain does not print it.
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
//		"github.com/cassaml/cassaml/codegen/explain"
//	)
//
//	func main() {
//		p, err := load.Load(context.Background(), "./shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		m, faults := model.Build(p)
//		if model.Refused(faults) {
//			log.Fatal(faults[0])
//		}
//		for _, t := range explain.New(m, schema.New(m)).Tables {
//			for _, o := range t.Operations {
//				fmt.Println(t.Name, o.Name, o.RoundTrips)
//			}
//		}
//	}
package explain
