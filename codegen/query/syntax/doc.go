// Package syntax parses the statements of CQL that read and write rows. It checks the grammar of a SELECT; the parts of other statements
// are read as far as their tables and columns. Places are offsets in bytes, so that a caller can report them in a file or in a
// constant of Go.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/codegen/query/syntax"
//	)
//
//	func main() {
//		statements, faults := syntax.Parse("SELECT title FROM artifacts WHERE artifact_id = ?;")
//		s := statements[0].(*syntax.Select)
//		fmt.Println(s.Table.Text, s.Where[0].Columns[0].Text, len(faults)) // artifacts artifact_id 0
//	}
package syntax
