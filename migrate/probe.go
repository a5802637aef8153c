package migrate

import (
	"fmt"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// probe is a read by the index of nothing in particular. cqlType is the column's,
// key another column of the table. ok is false for an index that no
// value can be made up for.
func (i index) probe(cqlType, key string) (statement string, values []any, ok bool) {
	column := quote(i.column)
	t := typeOf(cqlType)
	if t == nil {
		return "", nil, false // the column is gone, or its type is none that is known
	}
	condition := ""
	switch {
	case t.Name == "vector":
		condition, ok = vectorProbe(column, t)
	case i.function == "KEYS" && len(t.Args) == 2:
		condition, ok = with(column+" CONTAINS KEY %s", t.Args[0])
	case i.function == "ENTRIES" && len(t.Args) == 2:
		key, known := literal(t.Args[0])
		condition, ok = with(column+"["+key+"] = %s", t.Args[1])
		ok = ok && known
	case i.function == "FULL":
		condition, ok = column+" = "+map[string]string{"list": "[]", "set": "{}", "map": "{}"}[t.Name], len(t.Args) > 0
	case len(t.Args) > 0 && t.Name != "tuple":
		condition, ok = with(column+" CONTAINS %s", t.Args[len(t.Args)-1])
	default:
		condition, ok = with(column+" = %s", t)
	}
	for range strings.Count(condition, "?") - strings.Count(column, "?") {
		values = append(values, emptyUDT{})
	}
	where := " WHERE "
	if strings.HasPrefix(condition, "ORDER") {
		where = " "
	}
	return fmt.Sprintf("SELECT %s FROM %s.%s%s%s LIMIT 1", quote(key), quote(i.keyspace), quote(i.table), where, condition), values, ok
}

func vectorProbe(column string, t *cqltype.Type) (string, bool) {
	ones := strings.TrimSuffix(strings.Repeat("1,", t.Size), ",")
	return fmt.Sprintf("ORDER BY %s ANN OF [%s]", column, ones), t.Args[0].Name == "float" && !t.Args[0].Quoted
}

func with(format string, t *cqltype.Type) (string, bool) {
	value, ok := literal(t)
	return fmt.Sprintf(format, value), ok
}

// literal is a value of any type but a vector; that of a UDT is bound.
func literal(t *cqltype.Type) (string, bool) {
	switch t = t.Unfrozen(); t.Name {
	case "list":
		return "[]", true
	case "set", "map":
		return "{}", true
	case "vector":
		return "", false
	case "tuple":
		var members []string
		for _, a := range t.Args {
			value, ok := literal(a)
			if !ok {
				return "", false
			}
			members = append(members, value)
		}
		return "(" + strings.Join(members, ", ") + ")", true
	}
	if n, ok := t.Native(); ok && n.Literal != "" {
		return n.Literal, true
	}
	return "?", true
}

// emptyUDT is a value of any user-defined type: its first field is null, the others are missing.
type emptyUDT struct{}

// MarshalCQL implements [gocql.Marshaler].
func (emptyUDT) MarshalCQL(gocql.TypeInfo) ([]byte, error) {
	return []byte{0xff, 0xff, 0xff, 0xff}, nil
}

// typeOf parses a type that system_schema has; nil for what is none, such as a class in quotes.
func typeOf(cqlType string) *cqltype.Type {
	t, err := cqltype.Parse(cqlType)
	if err != nil {
		return nil
	}
	return t.Unfrozen()
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
