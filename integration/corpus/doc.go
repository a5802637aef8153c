// Package corpus generates random models: Go packages whose structs have aml tags. Valid ones contain every construct, option
// and type of the language, alone and combined. Broken ones are valid models with one or more added [Faults], each of which
// must be reported with its code at its [Place]. Some use only constructs that a generated store supports: the faults that
// only the generator finds are added to these. A model is a tree of [Struct]s, [Field]s and [Type]s, so that a test can
// inspect it, change it and print it again.
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/cassaml/cassaml/integration/corpus"
//	)
//
//	func main() {
//		models := corpus.New(1).Models(200)
//		for _, m := range models {
//			for _, f := range m.Faults {
//				fmt.Printf("%s/model.go:%d must be reported as %s: %s\n", m.Name, m.Line(f.Place), f.Fault.Code, f.Fault.Name)
//			}
//		}
//		fmt.Println(corpus.Count(models))
//		dir, err := os.MkdirTemp("", "corpus")
//		if err != nil {
//			log.Fatal(err)
//		}
//		if _, err := corpus.Write(dir, ".", models); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("written to", dir)
//	}
//
// [Projected] generates models with another distribution, for tests that execute projections.
//
// Generators with equal seeds generate equal models. A generator counts the constructs and prefers rare ones, so a model
// depends on the previous ones. All names in a keyspace begin with a prefix of the model, or occur once in a [Block] of
// models, so the models of a block can share a keyspace.
package corpus
