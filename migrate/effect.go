package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/internal/schemachange"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// object is a kind of schema object. Its names in system_schema are the id of a table, its columns, the fields of a type, the indexes of a
// keyspace, the name of a view.
type object string

const (
	tableObject  object = "table"
	columnObject object = "column"
	typeObject   object = "type"
	indexObject  object = "index"
	viewObject   object = "view"
)

// effect is what a statement changes in system_schema, so that a statement that was executed differs from one that was not.
type effect struct {
	object   object
	keyspace string
	name     string
	has      []string // names that exist afterwards
	lacks    []string // names that do not exist afterwards
	some     bool     // the object exists afterwards, with any names
	none     bool     // the object does not exist afterwards
	ifThere  bool     // IF EXISTS of the object itself: if it does not exist, there is nothing to do
	index    *index   // an index that exists afterwards; the run waits until it answers
	unless   bool     // with IF [NOT] EXISTS, the server may accept the statement without this effect
}

// accepted returns the effect that is certain once the server has accepted the statement.
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

// holds reports whether the names in system_schema show the effect.
func (e effect) holds(names []string) bool {
	if e.ifThere && len(names) == 0 {
		return true
	}
	return (!e.some || len(names) > 0) && (!e.none || len(names) == 0) &&
		!slices.ContainsFunc(e.has, func(n string) bool { return !slices.Contains(names, n) }) &&
		!slices.ContainsFunc(e.lacks, func(n string) bool { return slices.Contains(names, n) })
}

// effectOf returns the effect of a statement. It is nil for statements whose effect system_schema does not show: data, table properties,
// functions, and statements that cannot be read. If only the name of what is created or dropped can be read, the effect is that of the
// name.
func effectOf(statement, keyspace string) *effect {
	s, err := ddl.Parse(statement)
	if s == nil {
		return nil
	}
	on := s.On()
	e := &effect{keyspace: cmp.Or(on.Keyspace, keyspace), name: on.Name}
	i, index := s.(*ddl.CreateIndex)
	switch {
	case index && (err == nil || i.More) && (i.Name != "" || !i.More):
		return indexEffect(e.keyspace, i)
	case index, on.Name == "", err != nil && !e.whole(s), err == nil && !e.whole(s) && !e.part(s):
		return nil
	}
	return e
}

// whole sets the effect of a statement that creates or drops a table, type, view or index.
func (e *effect) whole(s ddl.Statement) bool {
	switch s := s.(type) {
	case *ddl.CreateTable:
		e.object, e.some = tableObject, true
		if id, given := s.Properties["id"]; given && !s.IfNotExists {
			e.has = []string{canonicalID(id.Text)}
		}
	case *ddl.CreateType:
		e.object, e.some = typeObject, true
	case *ddl.CreateView:
		e.object, e.some = viewObject, true
	case *ddl.DropTable:
		e.object, e.none = tableObject, true
	case *ddl.DropType:
		e.object, e.none = typeObject, true
	case *ddl.DropView:
		e.object, e.none = viewObject, true
	case *ddl.DropIndex:
		e.object, e.lacks, e.name = indexObject, []string{s.Name}, ""
	default:
		return false
	}
	return true
}

// part sets the effect of a statement that alters a table or a type.
func (e *effect) part(s ddl.Statement) bool {
	e.object = columnObject
	switch s := s.(type) {
	case *ddl.AddColumns:
		e.ifThere = s.IfExists
		for _, c := range s.Columns {
			e.has = append(e.has, c.Name)
		}
	case *ddl.DropColumns:
		e.ifThere, e.lacks = s.IfExists, s.Columns
	case *ddl.RenameColumns:
		e.ifThere, e.unless = s.IfExists, s.IfColumnExists
		e.lacks, e.has = renamed(s.Names)
	case *ddl.AddField:
		e.object, e.ifThere, e.has = typeObject, s.IfExists, []string{s.Field.Name}
	case *ddl.RenameFields:
		e.object, e.ifThere, e.unless = typeObject, s.IfExists, s.IfFieldExists
		e.lacks, e.has = renamed(s.Names)
	default:
		return false // properties, which are safe to set again
	}
	return true
}

// renamed returns the names that do not exist after several renames, and those that do: a name that is no longer used can be used again.
func renamed(names []ddl.Rename) (lacks, has []string) {
	for _, r := range names {
		has = append(slices.DeleteFunc(has, func(n string) bool { return n == r.From }), r.To)
		lacks = append(slices.DeleteFunc(lacks, func(n string) bool { return n == r.To }), r.From)
	}
	return lacks, has
}

// canonicalID returns an id in the form of system_schema.
func canonicalID(text string) string {
	id, err := gocql.ParseUUID(text)
	if err != nil {
		return text
	}
	return id.String()
}

// withID returns the text of a step as it is sent. It adds an id to CREATE TABLE, unless the statement has one. The id is derived from the
// keyspace, the table, the name of the folder and the number of the migration. If a table is dropped and created again by a later
// migration, by another folder or by a later statement of the same file, the new table has another id.
func withID(s step, keyspace, folder string) string {
	st, _ := s.statement()
	ks, table, ok := createdTable(st.Text, keyspace)
	if !ok {
		return st.Text
	}
	generation := fmt.Sprint(s.file.Number)
	if again := createdBefore(s, ks, table, keyspace); again > 0 {
		generation += fmt.Sprintf(".%d", again+1)
	}
	if folder != "" {
		generation += "@" + folder
	}
	return insertID(st.Text, schemachange.TableID(ks+"."+table+"."+generation))
}

// createdBefore returns how many statements before that of the step create the same table.
func createdBefore(s step, ks, table, keyspace string) int {
	n := 0
	for _, st := range s.file.Statements[:s.record.count()] {
		if k, t, ok := createdTable(st.Text, keyspace); ok && k == ks && t == table {
			n++
		}
	}
	return n
}

// createdTable returns the table that a statement creates.
func createdTable(statement, keyspace string) (ks, table string, ok bool) {
	s, _ := ddl.Parse(statement) // the name is enough, even if the rest cannot be read
	create, ok := s.(*ddl.CreateTable)
	if !ok || create.Name == "" {
		return "", "", false
	}
	return cmp.Or(create.Keyspace, keyspace), create.Name, true
}

// insertID adds the property ID to a CREATE TABLE without it.
func insertID(statement string, id gocql.UUID) string {
	s, _ := ddl.Parse(statement)
	create, ok := s.(*ddl.CreateTable)
	if !ok || create.Closing == 0 || hasID(statement[create.Closing:]) {
		return statement
	}
	property := fmt.Sprintf(" WITH ID = %s", id)
	if create.With == 0 {
		return statement[:create.Closing] + property + statement[create.Closing:]
	}
	return statement[:create.With] + strings.TrimPrefix(property, " WITH") + " AND" + statement[create.With:]
}

// hasID reports whether properties, which may not be readable, contain an id.
func hasID(properties string) bool {
	words := lex.Words(properties)
	return slices.ContainsFunc(words, func(w lex.Word) bool { return w.Is("ID") })
}
