// Package change shows the difference between two schemas: as a picture, and as Markdown for a pull request. In the picture, tables and
// types before and after the change are side by side. Additions, changes and removals have a sign and a colour. The statements and the
// findings about them are below.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/codegen/diagram/change"
//	)
//
//	func main() {
//		c := change.Change{Of: "shop", Objects: []change.Object{{
//			Kind: "table", Name: "customers", Sign: change.Changed,
//			Rows: []change.Row{
//				{Before: &change.Cell{Name: "id", Type: "int", Mark: "K"}, After: &change.Cell{Name: "id", Type: "int", Mark: "K"}},
//				{Sign: change.Added, After: &change.Cell{Name: "email", Type: "text"}},
//			},
//		}}}
//		fmt.Print(c.Markdown())
//		fmt.Printf("%s", c.Picture().SVG(false))
//	}
package change
