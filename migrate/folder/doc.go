// Package folder reads and writes a folder of migrations: numbered files of CQL with directives, and their sums.
//
// A migration is a file NNNN_lower_snake_name.cql of CQL statements that are separated by semicolons ([Split]). A line
// -- aml:VERB is a [Directive]. The file aml.sum has a hash of each file ([Sum]) and may have the name of the folder ([Name]).
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/migrate/folder"
//	)
//
//	func main() {
//		files, err := folder.Read(os.DirFS("migrations"))
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, f := range files {
//			fmt.Println(f.Name, len(f.Statements))
//		}
//	}
package folder
