// Package catalog reads what a keyspace consists of: from the statements of a folder of migrations ([Replay]), from a live
// keyspace ([Inspect]), or from a model ([Of]). All three give a [Keyspace] in one form, so that any two can be compared
// ([Compare]).
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
