// Package property says what a table's properties and an index's options can be, as Cassandra 5.0 judges them. The rules of
// the language and the reading of migrations both ask it, so that what a model may say is what a replay takes.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/model/property"
//	)
//
//	func main() {
//		window := map[string]string{"class": "TimeWindowCompactionStrategy", "compaction_window_unit": "YEARS"}
//		for _, f := range property.Judge("compaction", property.Value{Entries: window}) {
//			fmt.Println(f.What)
//		}
//	}
package property
