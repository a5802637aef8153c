package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// index is an index that a statement creates.
type index struct {
	keyspace string
	name     string // "" if the server chooses it
	table    string
	column   string
	function string // keys, values, entries or full; "" for the column itself
	more     bool   // it has more than one column
	class    string // as indexname.Class returns it; "" for the server's default
	settled  bool   // the server has accepted it with IF NOT EXISTS, so an index that prevented it is an effect, too
}

// builtIndex is an index in system_schema.
type builtIndex struct {
	name     string
	table    string
	column   string
	function string
	class    string
}

// indexEffect is the effect of a statement that creates an index.
func indexEffect(keyspace string, s *ddl.CreateIndex) *effect {
	i := &index{keyspace: keyspace, name: s.Name, table: s.Table, column: s.Column, function: s.Function, more: s.More, class: s.Class}
	return &effect{object: indexObject, keyspace: keyspace, index: i, unless: s.IfNotExists}
}

// newBuiltIndex reads a row of system_schema.indexes.
func newBuiltIndex(name, table, kind string, options map[string]string) builtIndex {
	b := builtIndex{name: name, table: table, class: indexname.Legacy}
	if kind == "CUSTOM" {
		b.class = indexname.Class(options["class_name"])
	}
	b.column, b.function = ddl.ParseIndexTarget(options["target"])
	return b
}

// found returns the index that the statement creates, and those that prevent the server from creating it: an equal index with another name,
// and a different index with the same name.
func (i index) found(built []builtIndex) (own, equal, namesake *builtIndex) {
	for n := range built {
		b := &built[n]
		switch named, alike := i.isNamed(b.name), i.isLike(*b); {
		case named && alike:
			own = b
		case alike && !i.more:
			equal = b
		case named && i.name != "":
			namesake = b
		}
	}
	return own, equal, namesake
}

// holds reports whether the statement has had its effect.
func (i index) holds(built []builtIndex) bool {
	own, equal, namesake := i.found(built)
	return own != nil || i.settled && (equal != nil || namesake != nil)
}

// isNamed reports whether an index has the name of the statement or, if it has none, a name that the server can choose.
func (i index) isNamed(name string) bool {
	if i.name != "" {
		return name == i.name
	}
	return indexname.MadeUp(name, i.table, i.column)
}

// isLike reports whether an index has the table, the target and, if the statement contains one, the class. On a collection, a target
// without a function means the values.
func (i index) isLike(b builtIndex) bool {
	values := func(function string) bool { return slices.Contains([]string{"", "values"}, function) }
	target := b.column == i.column && (b.function == i.function || values(b.function) && values(i.function))
	return b.table == i.table && (target || i.more) && (i.class == "" || i.class == b.class)
}

// probe returns a read by the index for an arbitrary value. cqlType is the type of the column, and key is another column of the table. ok
// is false if there is no literal of the type.
func (i index) probe(cqlType, key string) (statement string, values []any, ok bool) {
	column := quote(i.column)
	t := typeOf(cqlType)
	if t == nil {
		return "", nil, false // the column does not exist, or its type is unknown
	}
	condition := ""
	switch {
	case t.Name == "vector":
		condition, ok = vectorProbe(column, t)
	case i.function == "keys" && len(t.Args) == 2:
		condition, ok = with(column+" CONTAINS KEY %s", t.Args[0])
	case i.function == "entries" && len(t.Args) == 2:
		key, known := literal(t.Args[0])
		condition, ok = with(column+"["+key+"] = %s", t.Args[1])
		ok = ok && known
	case i.function == "full":
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
type emptyUDT struct{}

// MarshalCQL implements [gocql.Marshaler].
func (emptyUDT) MarshalCQL(gocql.TypeInfo) ([]byte, error) {
	return []byte{0xff, 0xff, 0xff, 0xff}, nil
}

// typeOf parses a type from system_schema; nil for other texts, such as a class in quotes.
func typeOf(cqlType string) *cqltype.Type {
	t, err := cqltype.Parse(cqlType)
	if err != nil {
		return nil
	}
	return t.Unfrozen()
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
