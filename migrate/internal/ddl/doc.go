// Package ddl parses the statements of CQL that change types, tables, indexes and views. It checks the grammar; other packages
// determine the effect of a statement.
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
