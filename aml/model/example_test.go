package model_test

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/model"
)

func ExampleBuild() {
	id := &model.Field{
		Name: "ID", Exported: true, Type: &model.GoType{Kind: model.Int32, Text: "int32"},
		Tag: model.Literal{Text: "id,identifier,requird", Found: true, Exact: true, Pos: model.Pos{File: "m.go", Line: 3, Col: 17}},
	}
	_, faults := model.Build(&model.Package{Path: "shop", Name: "shop", Structs: []*model.Struct{
		{Name: "Customer", Path: "shop", Marker: model.AggregateMarker, Fields: []*model.Field{id}},
	}})
	for _, f := range faults {
		fmt.Println(f)
	}
	// Output: m.go:3:31: AML101: unknown option requird; did you mean required?
}

func ExampleSnakeCase() {
	fmt.Println(model.SnakeCase("UserID"), model.SnakeCase("HTTPServer"), model.SnakeCase("Address2"))
	// Output: user_id http_server address2
}

func ExampleParseTag() {
	tag, err := model.ParseTag(model.Literal{Text: "phones, unique, type=ascii", Exact: true, Pos: model.Pos{Col: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range tag.Options {
		fmt.Println(o.Pos.Col, o)
	}
	fmt.Println(tag)
	// Output:
	// 9 unique
	// 17 type=ascii
	// phones,unique,type=ascii
}
