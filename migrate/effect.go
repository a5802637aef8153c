package migrate

import (
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// object is a kind of thing that system_schema knows, and what its names are:
// the id of a table, its columns, the fields of a type, the indexes of a
// keyspace, a view itself.
type object string

const (
	tableObject  object = "table"
	columnObject object = "column"
	typeObject   object = "type"
	indexObject  object = "index"
	viewObject   object = "view"
)

// effect is what a statement does to the schema, as far as system_schema tells
// it from not having been run.
type effect struct {
	object   object
	keyspace string
	name     string
	has      []string // names there afterwards
	lacks    []string // names gone afterwards
	some     bool     // the object is there afterwards, under whatever names
	none     bool     // the object is gone
	ifThere  bool     // IF EXISTS of the object itself: where there is none, nothing is to be done
	index    *index   // that is there afterwards, and to wait for until it answers
	unless   bool     // IF [NOT] EXISTS lets the server accept it and leave out what is to be there
}

// accepted is the effect once the server has answered that it accepts the statement.
func (e effect) accepted() *effect {
	if !e.unless {
		return &e
	}
	e.has = nil
	if e.index != nil {
		i := *e.index
		i.settled = true
		e.index = &i
	}
	return &e
}

// holds judges the names that system_schema has.
func (e effect) holds(names []string) bool {
	if e.ifThere && len(names) == 0 {
		return true
	}
	return (!e.some || len(names) > 0) && (!e.none || len(names) == 0) &&
		!slices.ContainsFunc(e.has, func(n string) bool { return !slices.Contains(names, n) }) &&
		!slices.ContainsFunc(e.lacks, func(n string) bool { return slices.Contains(names, n) })
}

// effectOf reads a statement. It returns nil for what leaves nothing to look
// for: data, table properties, functions, and shapes that it does not know.
func effectOf(statement, keyspace string) *effect {
	r := &lex.Reader{Words: lex.Words(statement)}
	var e *effect
	switch {
	case r.Accept("CREATE"):
		e = creation(r, keyspace)
	case r.Accept("ALTER"):
		e = alteration(r, keyspace)
	case r.Accept("DROP"):
		e = removal(r, keyspace)
	}
	if r.Failed {
		return nil
	}
	return e
}

// named is the kind of object that a statement names behind its verb.
func named(r *lex.Reader) object {
	switch {
	case r.Accept("TABLE"), r.Accept("COLUMNFAMILY"):
		return tableObject
	case r.Accept("TYPE"):
		return typeObject
	case r.Accept("CUSTOM", "INDEX"), r.Accept("INDEX"):
		return indexObject
	case r.Accept("MATERIALIZED", "VIEW"):
		return viewObject
	}
	return ""
}

func creation(r *lex.Reader, keyspace string) *effect {
	what := named(r)
	unless := r.Accept("IF", "NOT", "EXISTS")
	switch what {
	case "":
		return nil
	case indexObject:
		return indexCreation(r, keyspace, unless)
	}
	e := &effect{object: what, some: true}
	e.keyspace, e.name = r.Qualified(keyspace)
	if id := tableProperty(r, "ID"); id != "" && what == tableObject && !unless {
		e.has = []string{id}
	}
	return e
}

func removal(r *lex.Reader, keyspace string) *effect {
	e := &effect{object: named(r), none: true}
	r.Accept("IF", "EXISTS")
	switch e.object {
	case "":
		return nil
	case indexObject:
		name := ""
		e.keyspace, name = r.Qualified(keyspace)
		e.none, e.lacks = false, []string{name}
	default:
		e.keyspace, e.name = r.Qualified(keyspace)
	}
	return e
}

func alteration(r *lex.Reader, keyspace string) *effect {
	e := &effect{object: named(r)}
	e.ifThere = r.Accept("IF", "EXISTS")
	switch e.object {
	case tableObject:
		e.object = columnObject
	case typeObject:
	default:
		return nil
	}
	e.keyspace, e.name = r.Qualified(keyspace)
	switch {
	case r.Accept("ADD"):
		r.Accept("IF", "NOT", "EXISTS")
		e.has = listed(r)
	case r.Accept("DROP"):
		r.Accept("IF", "EXISTS")
		e.lacks = listed(r)
	case r.Accept("RENAME"):
		e.unless = r.Accept("IF", "EXISTS")
		e.lacks, e.has = renamed(r)
	default:
		return nil // properties, which may be set again
	}
	return e
}

// listed takes "name …" or "(name …, name …)".
func listed(r *lex.Reader) []string {
	if !r.Accept("(") {
		return []string{r.Identifier()}
	}
	var names []string
	for {
		names = append(names, r.Identifier())
		r.Skip()
		if !r.Accept(",") {
			return names
		}
	}
}

// renamed takes "a TO b AND c TO d", one after the other: a name that is given away can be taken again.
func renamed(r *lex.Reader) (lacks, has []string) {
	for {
		from := r.Identifier()
		r.Failed = r.Failed || !r.Accept("TO")
		to := r.Identifier()
		has = append(slices.DeleteFunc(has, func(n string) bool { return n == from }), to)
		lacks = append(slices.DeleteFunc(lacks, func(n string) bool { return n == to }), from)
		if !r.Accept("AND") {
			return lacks, has
		}
	}
}

// tableProperty goes through the columns and properties of CREATE TABLE, behind
// its name, and returns the text of one property, "" without it.
func tableProperty(r *lex.Reader, property string) string {
	if !r.Accept("(") {
		return ""
	}
	for r.Skip(); r.Accept(","); r.Skip() {
	}
	if !r.Accept(")") || !r.Accept("WITH") {
		return ""
	}
	for {
		if r.Accept(property, "=") {
			return propertyText(r)
		}
		for r.Peek().Text != "" && !r.Peek().Is("AND") {
			r.At++
		}
		if !r.Accept("AND") {
			return ""
		}
	}
}

// propertyText joins the words of a value: a UUID is cut at its hyphens.
func propertyText(r *lex.Reader) string {
	text := ""
	for ; r.Peek().Text != "" && !r.Peek().Is("AND"); r.At++ {
		text += r.Peek().Text
	}
	id, err := gocql.ParseUUID(strings.Trim(text, "'"))
	if err != nil {
		return text
	}
	return id.String()
}
