// Package mermaid writes models as diagrams of Mermaid, which GitHub and other tools draw in Markdown: aggregates as a class diagram,
// and tables as an entity relationship diagram. The same model produces the same text.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/aml/load"
//		"github.com/cassaml/cassaml/aml/model"
//		"github.com/cassaml/cassaml/aml/schema"
//		"github.com/cassaml/cassaml/codegen/diagram"
//		"github.com/cassaml/cassaml/codegen/diagram/mermaid"
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
//		models := []diagram.Model{{Model: m, Schema: schema.New(m)}}
//		sections, err := mermaid.Draw(diagram.Mermaid, models, diagram.Options{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Print(mermaid.Page(sections))
//	}
package mermaid
