// Package indexname knows the names that the server gives: to an index without one, and to the classes of indexes, which
// have several each.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/migrate/internal/indexname"
//	)
//
//	func main() {
//		taken := func(name string) bool { return name == "orders_total_idx" }
//		fmt.Println(indexname.Free("orders", "total", taken))                              // orders_total_idx_1
//		fmt.Println(indexname.Class("org.apache.cassandra.index.sai.StorageAttachedIndex")) // sai
//	}
package indexname
