// Package property reads and checks the properties of tables and the options of indexes by the rules of Cassandra 5.0. The language
// and the replay of migrations both use it, so that both accept the same values.
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
//		for _, f := range property.Check("compaction", property.Value{Entries: window}) {
//			fmt.Println(f.What)
//		}
//	}
package property
