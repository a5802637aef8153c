// Package lint names what migrations do to data, and to programs of an earlier release that are still running.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/migrate"
//		"github.com/cassaml/cassaml/migrate/lint"
//	)
//
//	func main() {
//		files, err := folder.Read(os.DirFS("migrations"))
//		if err != nil {
//			log.Fatal(err)
//		}
//		found, err := lint.Lint(files)
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, f := range found {
//			fmt.Println(f) // 0003_shorter.cql:4: MIG102: column fax of customers is dropped: …
//		}
//	}
package lint
