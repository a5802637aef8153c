// Package cqltype contains the types of CQL: the table of the native types, and the parser of texts such as map<text, frozen<part>>.
// It is the only list of them. The generator, the migrations and the runtime import it; it imports no other package of the project.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/aml/cqltype"
//	)
//
//	func main() {
//		t, err := cqltype.Parse("map<text, frozen<part>>")
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(t.Name, t.Args[1].Unfrozen().IsUDT()) // map true
//		n, _ := cqltype.Lookup("smallint")
//		fmt.Println(n.Go[0].Text, n.Size) // int16 2
//	}
package cqltype
