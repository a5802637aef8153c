// Package model is the Aggregate Modeling Language as plain data: the possible declarations (glossary.go), the
// declarations of a package (source.go), and the rules of the language. It reads no files and does not depend on the generator, so
// that an editor can apply the same rules as the command.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/model"
//	)
//
//	func main() {
//		id := &model.Field{Name: "ID", Exported: true, Type: &model.GoType{Kind: model.Int32, Text: "int32"},
//			Tag: model.Literal{Text: "id,identifer", Found: true, Exact: true, Pos: model.Pos{File: "m.go", Line: 3, Col: 17}}}
//		_, faults := model.Build(&model.Package{Path: "shop", Name: "shop", Structs: []*model.Struct{
//			{Name: "Customer", Path: "shop", Marker: model.AggregateMarker, Fields: []*model.Field{id}},
//		}})
//		for _, f := range faults {
//			fmt.Println(f)
//		}
//	}
package model
