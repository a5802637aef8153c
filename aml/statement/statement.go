// Package statement renders the INSERTs of a row and chooses between them. What is explained at generation and what is sent
// at run time are chosen here, so that they cannot differ. It imports nothing of the project.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/statement"
//	)
//
//	func main() {
//		fmt.Println(statement.Insert("customers", "id", "name")) // INSERT INTO customers (id, name) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?
//		fmt.Println(statement.One(1, 5, true))                   // true: a change of one column has its own INSERT
//	}
package statement

import "strings"

// Insert renders the INSERT of some columns of a table, which writes the row's marker, too. Names are as CQL writes them.
func Insert(table string, columns ...string) string {
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" +
		strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ") USING TIMESTAMP ? AND TTL ?"
}

// One reports whether a change of some columns of a row is written by the INSERT of its key and of one column alone, not by
// that of all columns, which leaves the others unset: exactly one column changes, it is kept in one cell, and the table has
// more columns beyond its key. A driver sends each unset value, too; and a statement for every combination of columns would
// overflow its cache of prepared statements.
func One(changed, beyondKey int, singleCell bool) bool {
	return changed == 1 && beyondKey > 1 && singleCell
}
