// Package measure compares the speed of pieces of code on a machine with other load. A round consists of short slices,
// several of every case, in a new random order: other load affects all cases alike. The fastest slice of a case is its
// figure in the round. A case that is measured twice under two names shows how much equal figures can differ.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"strconv"
//
//		"github.com/cassaml/cassaml/integration/bench/measure"
//	)
//
//	func main() {
//		series, err := measure.Run([]measure.Case{
//			{Work: "print", Variant: "strconv", Run: func() error { _ = strconv.Itoa(1 << 40); return nil }},
//			{Work: "print", Variant: "fmt", Run: func() error { _ = fmt.Sprint(1 << 40); return nil }},
//		}, measure.Config{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, s := range series {
//			r := s.Result()
//			fmt.Println(r.Variant, r.NS, r.Allocs)
//		}
//	}
package measure
