package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Types are the names of types in the notations of aggregates.
type Types string

// The names of types.
const (
	CQL     Types = "cql" // the names of Cassandra
	Logical Types = "aml" // the names of AML: int, real, str, bool and date; other types have the names of CQL
)

// ParseTypes returns the names of types that an option selects.
func ParseTypes(name string) (Types, error) {
	if all := []string{string(CQL), string(Logical)}; !slices.Contains(all, name) {
		return "", fmt.Errorf("unknown types %q: they are %s%s", PlainText(name), strings.Join(all, " and "), meant(name, all))
	}
	return Types(name), nil
}

// logical are the types of AML, by the types of CQL.
var logical = map[string]string{
	"tinyint": "int", "smallint": "int", "int": "int", "bigint": "int", "varint": "int", "counter": "int",
	"float": "real", "double": "real", "decimal": "real",
	"text": "str", "ascii": "str",
	"boolean":   "bool",
	"timestamp": "date", "date": "date",
}

// Name returns the type of the values of an attribute.
func (n Types) Name(t *model.Type) string {
	switch t.Kind {
	case model.List, model.Set:
		return n.whole(t.Elem)
	case model.MapType:
		return n.whole(t.Key) + " → " + n.whole(t.Elem)
	}
	return n.whole(t)
}

// whole returns a type with its collections.
func (n Types) whole(t *model.Type) string {
	if n != Logical {
		return t.String()
	}
	switch t.Kind {
	case model.List:
		return "list<" + n.whole(t.Elem) + ">"
	case model.Set:
		return "set<" + n.whole(t.Elem) + ">"
	case model.MapType:
		return "map<" + n.whole(t.Key) + ", " + n.whole(t.Elem) + ">"
	case model.Vector:
		return fmt.Sprintf("vector<%s, %d>", n.whole(t.Elem), t.Size)
	case model.Tuple:
		var members []string
		for _, m := range t.Members {
			members = append(members, n.whole(m))
		}
		return "tuple<" + strings.Join(members, ", ") + ">"
	case model.Scalar:
		if name, ok := logical[t.CQL]; ok {
			return name
		}
	}
	return t.String()
}

// Inner returns the type of the elements of a composition that are collections themselves, or "".
func (n Types) Inner(t *model.Type) string {
	if t.Elem == nil || t.Elem.Elem == nil {
		return ""
	}
	return n.whole(t.Elem)
}

// Qualifier returns the qualifier of a composition, or "".
func (n Types) Qualifier(at *model.Attribute) string {
	if at.Type.Kind != model.MapType {
		return ""
	}
	if len(at.Type.Qualifier) == 0 {
		return PlainText(n.whole(at.Type.Key))
	}
	var names []string
	for _, q := range at.Type.Qualifier {
		names = append(names, q.GoName())
	}
	return PlainText(strings.Join(names, ", "))
}
