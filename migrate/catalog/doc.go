// Package catalog reads the schema of a keyspace from a folder of migrations ([Replay]), from a live keyspace ([Inspect]), or from a
// model ([Of]). All three return a [Keyspace] in the same form, so that any two can be compared ([Compare]).
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/migrate/catalog"
//		"github.com/cassaml/cassaml/migrate/folder"
//	)
//
//	func main() {
//		files, err := folder.Read(os.DirFS("migrations"))
//		if err != nil {
//			log.Fatal(err)
//		}
//		keyspace, err := catalog.Replay(files)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, t := range keyspace.Tables {
//			fmt.Println(t.CQL())
//		}
//	}
package catalog
