// Package indexname has the names that the server chooses for indexes without a name, and the names of the classes of indexes, which
// have several.
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

// The names that [Class] returns for classes with several names: storage-attached indexes, and indexes without a separate
// class, for which USING has this name.
const (
	SAI    = "sai"
	Legacy = "legacy_local_table"
)

// Attached is the full name of the class of storage-attached indexes.
const Attached = "org.apache.cassandra.index.sai.StorageAttachedIndex"

// Class returns one name for a class of indexes: org.apache.cassandra.index.sai.StorageAttachedIndex => sai, and the name without its
// package for any other class: org.apache.cassandra.index.sasi.SASIIndex => SASIIndex.
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

// base returns table_column_idx, without the characters that the name of an index cannot have.
func base(table, column string) string { return noWord.ReplaceAllString(table+"_"+column+"_idx", "") }

// Free returns the name that the server chooses for an index: the first of table_column_idx, table_column_idx_1 and so on that is not
// taken.
func Free(table, column string, taken func(string) bool) string {
	name := base(table, column)
	for n := 1; taken(name); n++ {
		name = fmt.Sprintf("%s_%d", base(table, column), n)
	}
	return name
}

var numbered = regexp.MustCompile(`^(_[0-9]+)?$`)

// MadeUp reports whether a name is one that the server can choose for an index.
func MadeUp(name, table, column string) bool {
	rest, ok := strings.CutPrefix(name, base(table, column))
	return ok && numbered.MatchString(rest)
}
