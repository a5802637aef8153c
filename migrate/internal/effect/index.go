package effect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// Index is an index that a statement creates.
type Index struct {
	Keyspace string
	Name     string // "" if the server chooses it
	Table    string
	Column   string
	Function string // keys, values, entries or full; "" for the column itself
	more     bool   // it has more than one column
	Class    string // the result of indexname.Class; "" for the server's default
	accepted bool   // the server has accepted it with IF NOT EXISTS, so an index that prevented it is an effect, too
}

// BuiltIndex is an index in system_schema.
type BuiltIndex struct {
	Name     string
	Table    string
	Column   string
	Function string
	Class    string
}

// NewBuiltIndex reads a row of system_schema.indexes.
func NewBuiltIndex(name, table, kind string, options map[string]string) BuiltIndex {
	b := BuiltIndex{Name: name, Table: table, Class: indexname.Legacy}
	if kind == "CUSTOM" {
		b.Class = indexname.Class(options["class_name"])
	}
	b.Column, b.Function = ddl.ParseIndexTarget(options["target"])
	return b
}

// Find returns the index that the statement creates, and those that prevent the server from creating it: an equal index with another name,
// and a different index with the same name.
func (i Index) Find(built []BuiltIndex) (own, equal, namesake *BuiltIndex) {
	for n := range built {
		b := &built[n]
		switch named, alike := i.isNamed(b.Name), i.isLike(*b); {
		case named && alike:
			own = b
		case alike && !i.more:
			equal = b
		case named && i.Name != "":
			namesake = b
		}
	}
	return own, equal, namesake
}

// Holds reports whether the statement has had its effect.
func (i Index) Holds(built []BuiltIndex) bool {
	own, equal, namesake := i.Find(built)
	return own != nil || i.accepted && (equal != nil || namesake != nil)
}

// isNamed reports whether an index has the name of the statement or, if it has none, a name that the server can choose.
func (i Index) isNamed(name string) bool {
	if i.Name != "" {
		return name == i.Name
	}
	return indexname.MadeUp(name, i.Table, i.Column)
}

// isLike reports whether an index has the table, the target and, if the statement contains one, the class. On a collection, a target
// without a function means the values.
func (i Index) isLike(b BuiltIndex) bool {
	values := func(function string) bool { return slices.Contains([]string{"", "values"}, function) }
	target := b.Column == i.Column && (b.Function == i.Function || values(b.Function) && values(i.Function))
	return b.Table == i.Table && (target || i.more) && (i.Class == "" || i.Class == b.Class)
}

// Probe returns a read by the index for an arbitrary value, with the encoded values of its markers. cqlType is the type of the column, and key is another column of the table. ok
// is false if there is no literal of the type.
func (i Index) Probe(cqlType, key string) (statement string, values [][]byte, ok bool) {
	column := quote(i.Column)
	t := parseType(cqlType)
	if t == nil {
		return "", nil, false // the column does not exist, or its type is unknown
	}
	condition := ""
	switch {
	case t.Name == "vector":
		condition, ok = vectorProbe(column, t)
	case i.Function == "keys" && len(t.Args) == 2:
		condition, ok = format(column+" CONTAINS KEY %s", t.Args[0])
	case i.Function == "entries" && len(t.Args) == 2:
		key, known := literal(t.Args[0])
		condition, ok = format(column+"["+key+"] = %s", t.Args[1])
		ok = ok && known
	case i.Function == "full":
		condition, ok = column+" = "+map[string]string{"list": "[]", "set": "{}", "map": "{}"}[t.Name], len(t.Args) > 0
	case len(t.Args) > 0 && t.Name != "tuple":
		condition, ok = format(column+" CONTAINS %s", t.Args[len(t.Args)-1])
	default:
		condition, ok = format(column+" = %s", t)
	}
	for range strings.Count(condition, "?") - strings.Count(column, "?") {
		values = append(values, emptyUDT)
	}
	where := " WHERE "
	if strings.HasPrefix(condition, "ORDER") {
		where = " "
	}
	return fmt.Sprintf("SELECT %s FROM %s.%s%s%s LIMIT 1", quote(key), quote(i.Keyspace), quote(i.Table), where, condition), values, ok
}

func vectorProbe(column string, t *cqltype.Type) (string, bool) {
	ones := strings.TrimSuffix(strings.Repeat("1,", t.Size), ",")
	return fmt.Sprintf("ORDER BY %s ANN OF [%s]", column, ones), t.Args[0].Name == "float" && !t.Args[0].Quoted
}

func format(format string, t *cqltype.Type) (string, bool) {
	value, ok := literal(t)
	return fmt.Sprintf(format, value), ok
}

// literal returns a value of any type except a vector; the value of a UDT is bound.
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

// emptyUDT is a value of any user-defined type: its first field is null, and the others are missing.
var emptyUDT = []byte{0xff, 0xff, 0xff, 0xff}

// parseType parses a type from system_schema; nil for other texts, such as a class in quotes.
func parseType(cqlType string) *cqltype.Type {
	t, err := cqltype.Parse(cqlType)
	if err != nil {
		return nil
	}
	return t.Unfrozen()
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
