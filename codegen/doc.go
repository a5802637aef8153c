// Package codegen generates the Go source of a typed store from a model and its schema.
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
//		"github.com/cassaml/cassaml/codegen"
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
//		source, faults, err := codegen.Generate(m, schema.New(m), codegen.Config{})
//		if err != nil || len(faults) > 0 {
//			log.Fatal(err, faults)
//		}
//		fmt.Printf("%s", source)
//	}
package codegen
