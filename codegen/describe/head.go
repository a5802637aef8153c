package describe

import (
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// fixed are values of types whose values have one length, and of timeuuid, in whose values a server checks the number of the version.
var fixed = map[string]string{
	"boolean": zeros(1), "tinyint": zeros(1), "smallint": zeros(2), "int": zeros(4), "bigint": zeros(8), "float": zeros(4), "double": zeros(8),
	"timestamp": zeros(8), "date": zeros(4), "time": zeros(8), "uuid": zeros(16), "timeuuid": zeros(6) + "\x10" + zeros(9), "inet": zeros(4),
	"varint": zeros(1), "decimal": zeros(5),
}

func zeros(n int) string { return strings.Repeat("\x00", n) }

// headValue returns a valid value of a type of a clustering column, encoded. The head row of a partition has it.
func headValue(t *cqltype.Type) string {
	t = t.Unfrozen()
	switch t.Name {
	case "list", "set", "map":
		return zeros(4)
	case "vector":
		return strings.Repeat(headElement(t.Args[0]), t.Size)
	}
	return fixed[t.Name] // a text, a blob, a tuple and a UDT can be empty
}

// headElement returns a valid element of a vector. A server writes the length of an element of the other types before it.
func headElement(t *cqltype.Type) string {
	value := headValue(t)
	switch t.Name {
	case "boolean", "int", "bigint", "float", "double", "timestamp", "uuid", "timeuuid":
		return value
	}
	return string(rune(len(value))) + value
}
