package migrate

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/indexname"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// index is one that a statement creates.
type index struct {
	keyspace string
	name     string // "" where the server makes one up
	table    string
	column   string
	function string // KEYS, VALUES, ENTRIES or FULL; "" for the column itself
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

// indexCreation reads what follows CREATE INDEX IF NOT EXISTS.
func indexCreation(r *lex.Reader, keyspace string, unless bool) *effect {
	i := &index{}
	if !r.Peek().Is("ON") {
		_, i.name = r.Qualified(keyspace)
	}
	r.Failed = r.Failed || !r.Accept("ON")
	i.keyspace, i.table = r.Qualified(keyspace)
	r.Failed = r.Failed || !r.Accept("(")
	i.column, i.function = indexTarget(r)
	for r.Accept(",") {
		i.more = true
		indexTarget(r)
	}
	r.Failed = r.Failed || !r.Accept(")") || i.more && i.name == ""
	if r.Accept("USING") {
		i.class = indexname.Class(strings.Trim(r.Next().Text, "'"))
	}
	return &effect{object: indexObject, keyspace: i.keyspace, index: i, unless: unless}
}

// indexTarget takes column or FUNCTION(column), as statements and system_schema write it.
func indexTarget(r *lex.Reader) (column, function string) {
	column = r.Identifier()
	if r.Accept("(") {
		function = strings.ToUpper(column)
		column = r.Identifier()
		r.Failed = r.Failed || !r.Accept(")")
	}
	return column, function
}

// newBuiltIndex reads a row of system_schema.indexes.
func newBuiltIndex(name, table, kind string, options map[string]string) builtIndex {
	b := builtIndex{name: name, table: table, class: indexname.Legacy}
	if kind == "CUSTOM" {
		b.class = indexname.Class(options["class_name"])
	}
	r := &lex.Reader{Words: lex.Words(options["target"])}
	if column, function := indexTarget(r); !r.Failed {
		b.column, b.function = column, function
	}
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
	values := func(function string) bool { return slices.Contains([]string{"", "VALUES"}, function) }
	target := b.column == i.column && (b.function == i.function || values(b.function) && values(i.function))
	return b.table == i.table && (target || i.more) && (i.class == "" || i.class == b.class)
}
