package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// index is one that a statement creates.
type index struct {
	keyspace string
	name     string // "" where the server makes one up
	table    string
	column   string
	function string // keys, values, entries or full; "" for the column itself
	more     bool   // columns beside the first
	class    string // as indexname.Class gives it; "" for the server's default
	settled  bool   // the server has accepted it with IF NOT EXISTS, so that whatever kept it from making one counts
}

// builtIndex is one that system_schema has.
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

// found looks for the index that the statement makes, and for what keeps the server from making one: an equal index of
// another name, and another index of its name.
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

// isNamed reports whether the name is that of the statement or, without one, may be what the server makes up.
func (i index) isNamed(name string) bool {
	if i.name != "" {
		return name == i.name
	}
	return indexname.MadeUp(name, i.table, i.column)
}

// isLike reports whether an index has the table, the target and, where the statement names one, the class. What is
// indexed of a collection without a function are its values.
func (i index) isLike(b builtIndex) bool {
	values := func(function string) bool { return slices.Contains([]string{"", "values"}, function) }
	target := b.column == i.column && (b.function == i.function || values(b.function) && values(i.function))
	return b.table == i.table && (target || i.more) && (i.class == "" || i.class == b.class)
}

// probe is a read by the index of nothing in particular. cqlType is the column's,
// key another column of the table. ok is false for an index that no
// value can be made up for.
func (i index) probe(cqlType, key string) (statement string, values []any, ok bool) {
	column := quote(i.column)
	inner := elements(cqlType)
	condition := ""
	switch kind := outer(cqlType); {
	case kind == "vector":
		condition, ok = vectorProbe(column, cqlType)
	case i.function == "keys" && len(inner) == 2:
		condition, ok = with(column+" CONTAINS KEY %s", inner[0])
	case i.function == "entries" && len(inner) == 2:
		key, known := literal(inner[0])
		condition, ok = with(column+"["+key+"] = %s", inner[1])
		ok = ok && known
	case i.function == "full":
		condition, ok = column+" = "+map[string]string{"list": "[]", "set": "{}", "map": "{}"}[kind], kind != ""
	case len(inner) > 0 && kind != "tuple":
		condition, ok = with(column+" CONTAINS %s", inner[len(inner)-1])
	case cqlType == "":
		return "", nil, false // the column is gone
	default:
		condition, ok = with(column+" = %s", cqlType)
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

func vectorProbe(column, cqlType string) (string, bool) {
	inner := elements(cqlType)
	if len(inner) != 2 || inner[0] != "float" {
		return "", false
	}
	var dimension int
	if _, err := fmt.Sscan(inner[1], &dimension); err != nil {
		return "", false
	}
	ones := strings.TrimSuffix(strings.Repeat("1,", dimension), ",")
	return fmt.Sprintf("ORDER BY %s ANN OF [%s]", column, ones), true
}

func with(format, cqlType string) (string, bool) {
	value, ok := literal(cqlType)
	return fmt.Sprintf(format, value), ok
}

// literal is a value of any type but a vector; that of a UDT is bound.
func literal(cqlType string) (string, bool) {
	switch outer(cqlType) {
	case "list":
		return "[]", true
	case "set", "map":
		return "{}", true
	case "vector":
		return "", false
	case "tuple":
		var members []string
		for _, e := range elements(cqlType) {
			value, ok := literal(e)
			if !ok {
				return "", false
			}
			members = append(members, value)
		}
		return "(" + strings.Join(members, ", ") + ")", true
	}
	if value, ok := natives[unfrozen(cqlType)]; ok {
		return value, true
	}
	return "?", true
}

// emptyUDT is a value of any user-defined type: its first field is null, the others are missing.
type emptyUDT struct{}

// MarshalCQL implements [gocql.Marshaler].
func (emptyUDT) MarshalCQL(gocql.TypeInfo) ([]byte, error) {
	return []byte{0xff, 0xff, 0xff, 0xff}, nil
}

// natives are values of the native types.
var natives = map[string]string{
	"ascii": "'a'", "text": "'a'", "varchar": "'a'", "blob": "0x00", "boolean": "false", "inet": "'127.0.0.1'",
	"tinyint": "0", "smallint": "0", "int": "0", "bigint": "0", "varint": "0", "decimal": "0", "float": "0", "double": "0",
	"date": "'1970-01-01'", "time": "'00:00:00'", "timestamp": "0",
	"uuid": "00000000-0000-4000-8000-000000000000", "timeuuid": "00000000-0000-1000-8000-000000000000",
}

// outer is the collection that a type is, frozen or not: frozen<list<int>> =>
// list, int => "".
func outer(cqlType string) string {
	name, _, ok := strings.Cut(unfrozen(cqlType), "<")
	if !ok {
		return ""
	}
	return name
}

// elements lists what a type consists of: map<text, list<int>> => text, list<int>.
func elements(cqlType string) []string {
	_, rest, ok := strings.Cut(unfrozen(cqlType), "<")
	if !ok {
		return nil
	}
	var parts []string
	depth, from := 0, 0
	for i, c := range strings.TrimSuffix(rest, ">") + "," {
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(rest[from:i]))
			from = i + 1
		}
	}
	return parts
}

func unfrozen(cqlType string) string {
	if inner, ok := strings.CutPrefix(cqlType, "frozen<"); ok {
		return strings.TrimSuffix(inner, ">")
	}
	return cqlType
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
