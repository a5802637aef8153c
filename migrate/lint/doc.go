// Package lint reports the effects of migrations on data, and on running programs of an earlier release.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/migrate/folder"
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
