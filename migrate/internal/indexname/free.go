package indexname

import (
	"fmt"
	"regexp"
	"strings"
)

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
