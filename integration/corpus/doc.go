// Package corpus makes random models: Go packages whose structs carry aml tags. Valid ones hold every construct, option and
// type of the language, alone and together; broken ones are valid ones in which one or more [Faults] were planted, each of
// which is to be reported by its code and at its [Place]. Some hold only what a generated store executes: what the generator
// refuses can be planted in no other. A model is a tree of [Struct]s, [Field]s and [Type]s, so that a test can go through
// it, change it and print it again.
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
//				fmt.Printf("%s/model.go:%d is to give %s: %s\n", m.Name, m.Line(f.Place), f.Fault.Code, f.Fault.Name)
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
// [Projected] makes models of another distribution, for tests that execute projections.
//
// One generator of a seed always gives the same models. It counts what it made and prefers what is rare, so a model
// depends on those before it. All names that stand in a keyspace begin with a prefix of the model's own, or occur once in
// a [Block] of models, so those of a block can share a keyspace.
package corpus
