package effect

import (
	"cmp"
	"slices"

	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Object is a kind of schema object. Its names in system_schema are the id of a table, its columns, the fields of a type, the indexes of a
// keyspace, the name of a view.
type Object string

// The kinds of objects.
const (
	TableObject  Object = "table"
	ColumnObject Object = "column"
	TypeObject   Object = "type"
	IndexObject  Object = "index"
	ViewObject   Object = "view"
)

// Effect has the changes of a statement in system_schema, so that a statement that was executed differs from one that was not.
type Effect struct {
	Object   Object
	Keyspace string
	Name     string
	Has      []string // names that exist afterwards
	Lacks    []string // names that do not exist afterwards
	Some     bool     // the object exists afterwards, with any names
	None     bool     // the object does not exist afterwards
	IfThere  bool     // IF EXISTS of the object itself: if it does not exist, there is nothing to do
	Index    *Index   // an index that exists afterwards; the run waits until it answers
	unless   bool     // the statement has IF [NOT] EXISTS, so the server may accept it without this effect
}

// Accepted returns the effect that is certain once the server has accepted the statement.
func (e Effect) Accepted() *Effect {
	if !e.unless {
		return &e
	}
	e.Has = nil
	if e.Index != nil {
		i := *e.Index
		i.accepted = true
		e.Index = &i
	}
	return &e
}

// Holds reports whether the names in system_schema show the effect.
func (e Effect) Holds(names []string) bool {
	if e.IfThere && len(names) == 0 {
		return true
	}
	return (!e.Some || len(names) > 0) && (!e.None || len(names) == 0) &&
		!slices.ContainsFunc(e.Has, func(n string) bool { return !slices.Contains(names, n) }) &&
		!slices.ContainsFunc(e.Lacks, func(n string) bool { return slices.Contains(names, n) })
}

// Parse returns the effect of a statement. It is nil for statements whose effect system_schema does not show: data, table properties,
// functions, and statements that cannot be read. If only the name of the created or dropped object can be read, the effect is only that an
// object with this name exists, or does not.
func Parse(statement, keyspace string) *Effect {
	s, err := ddl.Parse(statement)
	if s == nil {
		return nil
	}
	on := s.On()
	e := &Effect{Keyspace: cmp.Or(on.Keyspace, keyspace), Name: on.Name}
	i, index := s.(*ddl.CreateIndex)
	switch {
	case index && (err == nil || i.More) && (i.Name != "" || !i.More):
		return newIndexEffect(e.Keyspace, i)
	case index, on.Name == "", err != nil && !e.setWhole(s), err == nil && !e.setWhole(s) && !e.setPart(s):
		return nil
	}
	return e
}

// setWhole sets the effect of a statement that creates or drops a table, type, view or index.
func (e *Effect) setWhole(s ddl.Statement) bool {
	switch s := s.(type) {
	case *ddl.CreateTable:
		e.Object, e.Some = TableObject, true
		if id, given := s.Properties["id"]; given && !s.IfNotExists {
			e.Has = []string{canonicalID(id.Text)}
		}
	case *ddl.CreateType:
		e.Object, e.Some = TypeObject, true
	case *ddl.CreateView:
		e.Object, e.Some = ViewObject, true
	case *ddl.DropTable:
		e.Object, e.None = TableObject, true
	case *ddl.DropType:
		e.Object, e.None = TypeObject, true
	case *ddl.DropView:
		e.Object, e.None = ViewObject, true
	case *ddl.DropIndex:
		e.Object, e.Lacks, e.Name = IndexObject, []string{s.Name}, ""
	default:
		return false
	}
	return true
}

// setPart sets the effect of a statement that alters a table or a type.
func (e *Effect) setPart(s ddl.Statement) bool {
	e.Object = ColumnObject
	switch s := s.(type) {
	case *ddl.AddColumns:
		e.IfThere = s.IfExists
		for _, c := range s.Columns {
			e.Has = append(e.Has, c.Name)
		}
	case *ddl.DropColumns:
		e.IfThere, e.Lacks = s.IfExists, s.Columns
	case *ddl.RenameColumns:
		e.IfThere, e.unless = s.IfExists, s.IfColumnExists
		e.Lacks, e.Has = renamed(s.Names)
	case *ddl.AddField:
		e.Object, e.IfThere, e.Has = TypeObject, s.IfExists, []string{s.Field.Name}
	case *ddl.RenameFields:
		e.Object, e.IfThere, e.unless = TypeObject, s.IfExists, s.IfFieldExists
		e.Lacks, e.Has = renamed(s.Names)
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

// newIndexEffect is the effect of a statement that creates an index.
func newIndexEffect(keyspace string, s *ddl.CreateIndex) *Effect {
	i := &Index{Keyspace: keyspace, Name: s.Name, Table: s.Table, Column: s.Column, Function: s.Function, more: s.More, Class: s.Class}
	return &Effect{Object: IndexObject, Keyspace: keyspace, Index: i, unless: s.IfNotExists}
}
