// Package load reads a Go package and returns its structs and tags as a [model.Package].
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
//	)
//
//	func main() {
//		p, err := load.Load(context.Background(), "./shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		_, faults := model.Build(p)
//		for _, f := range faults {
//			fmt.Println(f)
//		}
//	}
package load
