// Package ddl reads the statements of CQL that change types, tables, indexes and views. It knows the grammar; what a statement
// does is for others.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/migrate/internal/ddl"
//	)
//
//	func main() {
//		s, err := ddl.Parse("DROP TABLE shop.orders")
//		fmt.Println(s.On(), err) // {shop orders} <nil>
//	}
package ddl
