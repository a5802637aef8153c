// Package diff computes the migration from the schema of a keyspace, in a folder of migrations or on a server, to the schema of a
// model.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/aml/load"
//		"github.com/cassaml/cassaml/aml/model"
//		"github.com/cassaml/cassaml/aml/schema"
//		"github.com/cassaml/cassaml/migrate/catalog"
//		"github.com/cassaml/cassaml/migrate/folder"
//		"github.com/cassaml/cassaml/migrate/diff"
//	)
//
//	func main() {
//		source, err := load.Load(context.Background(), "shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		m, faults := model.Build(source)
//		if model.Refused(faults) {
//			log.Fatal(faults)
//		}
//		files, err := folder.Read(os.DirFS("shop/migrations"))
//		if err != nil {
//			log.Fatal(err)
//		}
//		from, err := catalog.Replay(files)
//		if err != nil {
//			log.Fatal(err)
//		}
//		plan, err := diff.Diff(from, schema.New(m))
//		if err != nil {
//			log.Fatal(err) // a *diff.RefusedError has the changes that no ALTER can make, each with its line
//		}
//		for _, step := range plan.Steps {
//			fmt.Println(step)
//		}
//	}
package diff
