// Package projection describes a redundant table for the generator and the runtime: the kinds of columns, the program that computes its
// rows from a row of its source, and which of its cells derive from which cells of the source.
//
// It is a leaf below aml/schema and below the runtime, because both need the same answer: the generator uses it for warnings,
// explanations and the choice of methods, the runtime for writes. The runtime must not import the packages of the generator, so that a
// service does not depend on them, and the generator must not import the runtime. The package consists of pure functions over data, and
// imports no other package of the project.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/projection"
//	)
//
//	func main() {
//		// customers (id, name) under the key (name, id)
//		d := projection.Derive(projection.Program{
//			Source: make([]projection.Cell, 2), Copy: make([]projection.Cell, 2), Key: 2, Columns: []uint16{1, 0},
//		})
//		fmt.Println(d.Exists.Units.Has(1)) // true: a new name is another row
//	}
//
// # Units
//
// A unit is a part of the source's row that is written separately: a column of one cell, a field of a user-defined type that is not frozen,
// and a list, set or map as a whole. The elements of a set or map that is not frozen are cells, too: values that the loop of a program
// computes from them derive from the element, not from the unit.
package projection
