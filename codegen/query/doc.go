// Package query finds, for the SELECTs of a file, the methods of a generated store that answer them. A query that no method answers
// has a diagnostic, and the source of a redundant aggregate that would answer it, where one can.
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
//		"github.com/cassaml/cassaml/codegen/query"
//	)
//
//	func main() {
//		p, err := load.Load(context.Background(), "examples/marketplace/shop")
//		if err != nil {
//			log.Fatal(err)
//		}
//		m, _ := model.Build(p)
//		c := query.Checker{Model: m, Schema: schema.New(m)}
//		text := "SELECT name FROM users WHERE user_id = ?;"
//		for _, q := range c.Check(text, query.InFile("queries.cql", text)) {
//			fmt.Println(q.Pos, q.Method) // queries.cql:1:1 s.Users.Get(ctx, userID)
//		}
//	}
package query
