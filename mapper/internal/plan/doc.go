// Package plan computes the mutations of a write of an aggregate. It is a pure function of two rows and of descriptors: it uses
// no Go type of the user, no driver and no clock.
//
// A [descriptor.Table] describes a table, a [descriptor.Aggregate] a root table and the copies that are projected from it.
// [Link] adds the derived properties. A projection is a small program over registers: the first registers are the cells of
// the root's row, each step sets further registers, and every column of the copy is a register. So a copy shares the root's
// bytes, and the program alone determines which cells of a copy derive from which cells of the root.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/descriptor"
//		"github.com/cassaml/cassaml/aml/projection"
//		"github.com/cassaml/cassaml/mapper/internal/cell"
//		"github.com/cassaml/cassaml/mapper/internal/plan"
//	)
//
//	var customers = descriptor.Table{
//		Name: "customers", Partition: 1, Key: 1,
//		Columns: []descriptor.Column{{Name: "id", Type: "int"}, {Name: "name", Kind: projection.Regular, Type: "text"}},
//	}
//
//	var customersByName = descriptor.Table{
//		Name: "customers_by_name", Partition: 1, Key: 2,
//		Columns: []descriptor.Column{{Name: "name", Type: "text"}, {Name: "id", Kind: projection.ClusteringKey, Type: "int"}},
//	}
//
//	func main() {
//		a := plan.Link(descriptor.Aggregate{Root: &customers, Copies: []descriptor.Projection{
//			{Table: &customersByName, Columns: []uint16{1, 0}},
//		}})
//		ana := cell.Row{{0, 0, 0, 1}, cell.Cell("Ana")}
//		eva := cell.Row{{0, 0, 0, 1}, cell.Cell("Eva")}
//		mutations, err := plan.Plan(a, plan.Change{Old: ana, New: eva})
//		for i := range mutations {
//			fmt.Println(mutations[i].Action, mutations[i].Table.Name)
//		}
//		fmt.Println(err) // put customers, put customers_by_name, delete customers_by_name
//	}
//
// # Units
//
// The unit of change is the root's CQL cell: a column of one cell, a field of a UDT that is not frozen, an element of a set or
// an entry of a map that is not frozen, a list as a whole. When a unit is rewritten, every cell of a copy that derives from it
// is rewritten at the same timestamp, changed or not. Nothing else is rewritten, except that a row that is inserted, or moves
// to another key, is written with all columns. Therefore the copies of overlapping writes converge if each of their cells
// derives from one cell of the root.
package plan
