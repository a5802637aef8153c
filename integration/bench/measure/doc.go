// Package measure times pieces of code against each other on a machine that does other things too. A round is made of
// short slices, a few of every case, in an order that is drawn anew each round: what slows the machine down hits all cases
// alike. The fastest slice of a case is its figure in the round. A case that is given twice under two names shows how far two figures can be apart that ought to be equal.
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
