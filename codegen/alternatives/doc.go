// Package alternatives lists the designs of a relationship of a model: the edit of the Go source that each of them needs, its tables, and the costs of
// the same operations in each, which it reads from package explain.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/aml/load"
//		"github.com/cassaml/cassaml/codegen/alternatives"
//	)
//
//	func main() {
//		files, err := load.Read(context.Background(), "./shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		list, err := alternatives.List(files, "Customer.Vehicles", alternatives.Config{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, a := range list.Alternatives {
//			fmt.Println(a.Name, a.Refused, a.Costs[alternatives.ReadByRoot].Requests)
//		}
//	}
package alternatives
