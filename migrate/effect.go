package migrate

import (
	"slices"
	"strings"

	"github.com/gocql/gocql"
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
	index    *index   // to wait for until it answers
}

// holds judges the names that system_schema has.
func (e effect) holds(names []string) bool {
	return (!e.some || len(names) > 0) && (!e.none || len(names) == 0) &&
		!slices.ContainsFunc(e.has, func(n string) bool { return !slices.Contains(names, n) }) &&
		!slices.ContainsFunc(e.lacks, func(n string) bool { return slices.Contains(names, n) })
}

// effectOf reads a statement. It returns nil for what leaves nothing to look
// for: data, table properties, functions, and shapes that it does not know.
func effectOf(statement, keyspace string) *effect {
	r := &reader{words: wordsOf(statement)}
	var e *effect
	switch {
	case r.accept("CREATE"):
		e = creation(r, keyspace)
	case r.accept("ALTER"):
		e = alteration(r, keyspace)
	case r.accept("DROP"):
		e = removal(r, keyspace)
	}
	if r.failed {
		return nil
	}
	return e
}

// named is the kind of object that a statement names behind its verb.
func named(r *reader) object {
	switch {
	case r.accept("TABLE"), r.accept("COLUMNFAMILY"):
		return tableObject
	case r.accept("TYPE"):
		return typeObject
	case r.accept("CUSTOM", "INDEX"), r.accept("INDEX"):
		return indexObject
	case r.accept("MATERIALIZED", "VIEW"):
		return viewObject
	}
	return ""
}

func creation(r *reader, keyspace string) *effect {
	what := named(r)
	unless := r.accept("IF", "NOT", "EXISTS")
	switch what {
	case "":
		return nil
	case indexObject:
		return indexCreation(r, keyspace)
	}
	e := &effect{object: what, some: true}
	e.keyspace, e.name = r.qualified(keyspace)
	if id := tableProperty(r, "ID"); id != "" && what == tableObject && !unless {
		e.has = []string{id}
	}
	return e
}

func removal(r *reader, keyspace string) *effect {
	e := &effect{object: named(r), none: true}
	r.accept("IF", "EXISTS")
	switch e.object {
	case "":
		return nil
	case indexObject:
		name := ""
		e.keyspace, name = r.qualified(keyspace)
		e.none, e.lacks = false, []string{name}
	default:
		e.keyspace, e.name = r.qualified(keyspace)
	}
	return e
}

func alteration(r *reader, keyspace string) *effect {
	e := &effect{object: named(r)}
	r.accept("IF", "EXISTS")
	switch e.object {
	case tableObject:
		e.object = columnObject
	case typeObject:
	default:
		return nil
	}
	e.keyspace, e.name = r.qualified(keyspace)
	switch {
	case r.accept("ADD"):
		r.accept("IF", "NOT", "EXISTS")
		e.has = listed(r)
	case r.accept("DROP"):
		r.accept("IF", "EXISTS")
		e.lacks = listed(r)
	case r.accept("RENAME"):
		r.accept("IF", "EXISTS")
		e.lacks, e.has = renamed(r)
	default:
		return nil // properties, which may be set again
	}
	return e
}

// listed takes "name …" or "(name …, name …)".
func listed(r *reader) []string {
	if !r.accept("(") {
		return []string{r.identifier()}
	}
	var names []string
	for {
		names = append(names, r.identifier())
		r.skip()
		if !r.accept(",") {
			return names
		}
	}
}

// renamed takes "a TO b AND c TO d".
func renamed(r *reader) (from, to []string) {
	for {
		from = append(from, r.identifier())
		r.failed = r.failed || !r.accept("TO")
		to = append(to, r.identifier())
		if !r.accept("AND") {
			return from, to
		}
	}
}

// tableProperty goes through the columns and properties of CREATE TABLE, behind
// its name, and returns the text of one property, "" without it.
func tableProperty(r *reader, property string) string {
	if !r.accept("(") {
		return ""
	}
	for r.skip(); r.accept(","); r.skip() {
	}
	if !r.accept(")") || !r.accept("WITH") {
		return ""
	}
	for {
		if r.accept(property, "=") {
			return propertyText(r)
		}
		for r.peek().text != "" && !r.peek().is("AND") {
			r.at++
		}
		if !r.accept("AND") {
			return ""
		}
	}
}

// propertyText joins the words of a value: a UUID is cut at its hyphens.
func propertyText(r *reader) string {
	text := ""
	for ; r.peek().text != "" && !r.peek().is("AND"); r.at++ {
		text += r.peek().text
	}
	id, err := gocql.ParseUUID(strings.Trim(text, "'"))
	if err != nil {
		return text
	}
	return id.String()
}
