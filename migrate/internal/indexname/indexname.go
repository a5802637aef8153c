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

import (
	"fmt"
	"regexp"
	"strings"
)

// What [Class] calls the classes that have several names: the storage-attached indexes, and those that have no class of their
// own, which USING calls so.
const (
	SAI    = "sai"
	Legacy = "legacy_local_table"
)

// Attached is the whole name of the class of storage-attached indexes.
const Attached = "org.apache.cassandra.index.sai.StorageAttachedIndex"

// Class is one name for a class of indexes: org.apache.cassandra.index.sai.StorageAttachedIndex => sai, and without its package
// for any other, org.apache.cassandra.index.sasi.SASIIndex => SASIIndex.
func Class(written string) string {
	switch strings.ToLower(written) {
	case SAI, "storageattachedindex", strings.ToLower(Attached):
		return SAI
	case Legacy:
		return Legacy
	}
	return written[strings.LastIndexByte(written, '.')+1:]
}

var noWord = regexp.MustCompile(`\W`)

// base is table_column_idx, without what cannot be in the name of an index.
func base(table, column string) string { return noWord.ReplaceAllString(table+"_"+column+"_idx", "") }

// Free returns the name that the server makes up for an index: of table_column_idx, table_column_idx_1 and so on the first that
// is not taken.
func Free(table, column string, taken func(string) bool) string {
	name := base(table, column)
	for n := 1; taken(name); n++ {
		name = fmt.Sprintf("%s_%d", base(table, column), n)
	}
	return name
}

var numbered = regexp.MustCompile(`^(_[0-9]+)?$`)

// MadeUp reports whether the name is one of those that the server may make up for an index.
func MadeUp(name, table, column string) bool {
	rest, ok := strings.CutPrefix(name, base(table, column))
	return ok && numbered.MatchString(rest)
}
