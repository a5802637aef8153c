// Package effect describes the changes of a statement in system_schema, so that a run that got no answer can find out whether the statement
// was executed. It also adds the id to CREATE TABLE, and finds the index that a statement has created.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/migrate/internal/effect"
//	)
//
//	func main() {
//		e := effect.Parse("ALTER TABLE orders ADD total decimal", "shop")
//		fmt.Println(e.Holds([]string{"id"}), e.Holds([]string{"id", "total"})) // false true
//	}
package effect
