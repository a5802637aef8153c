package lint

import (
	"strconv"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// schema checks a statement that changes types, tables or indexes.
func (l *linter) schema(s ddl.Statement) {
	if keyspace := s.On().Keyspace; keyspace != "" {
		l.report(NamedKeyspace, "the statement names keyspace %s", keyspace)
		return
	}
	switch s := s.(type) {
	case *ddl.CreateType:
		if old := l.now.Type(s.Name); old != nil && old.CQL() != s.Type.CQL() {
			l.report(OtherDefinition, "type %s exists with another definition", s.Name)
		}
	case *ddl.AddField:
		l.addField(s)
	case *ddl.RenameFields:
		for _, r := range s.Names {
			l.report(RenameName, "field %s of type %s is renamed to %s", r.From, s.Name, r.To)
		}
	case *ddl.CreateTable:
		l.createTable(s)
	case *ddl.AddColumns:
		l.addColumns(s)
	case *ddl.DropColumns:
		for _, name := range s.Columns {
			if t := l.now.Table(s.Name); t != nil && catalog.Column(t, name) != nil {
				l.report(DropColumn, "column %s of %s is dropped", name, s.Name)
			}
		}
	case *ddl.RenameColumns:
		for _, r := range s.Names {
			l.report(RenameName, "column %s of %s is renamed to %s", r.From, s.Name, r.To)
		}
	case *ddl.SetProperties:
		l.setProperties(s)
	case *ddl.DropTable:
		if l.now.Table(s.Name) != nil {
			l.report(DropTable, "table %s is dropped", s.Name)
		}
	case *ddl.CreateIndex:
		l.createIndex(s)
	case *ddl.DropIndex:
		if t, _ := l.now.Index(s.Name); t != nil {
			l.report(DropIndex, "index %s of %s is dropped", s.Name, t.Name)
		}
	}
}

func (l *linter) addField(s *ddl.AddField) {
	if u := l.now.Type(s.Name); u != nil {
		for _, f := range u.Fields {
			if f.Name == s.Field.Name && f.Type.String() != s.Field.Type.String() {
				l.report(OtherDefinition, "field %s of type %s exists and is %s", f.Name, s.Name, f.Type)
			}
		}
	}
	for _, t := range l.before.Tables { // no older program uses a table that this file creates
		for _, c := range t.Columns {
			if !l.before.Holds(c, s.Name) {
				continue
			}
			if !storesFields(c, s.Name) {
				l.report(GrowFrozen, "type %s gets a field %s, and column %s of %s stores it frozen", s.Name, s.Field.Name, c.Name, t.Name)
			} else if s.Field.Type.MultiCell() {
				l.report(UnfrozenField, "field %s of type %s is %s, and column %s of %s stores the type without frozen", s.Field.Name, s.Name, s.Field.Type, c.Name, t.Name)
			}
		}
	}
}

// storesFields reports whether a column stores each field of the type as a separate cell.
func storesFields(c *schema.Column, name string) bool {
	return c.Type.MultiCell() && c.Type.UDT && c.Type.Name == name
}

func (l *linter) createTable(s *ddl.CreateTable) {
	if old := l.now.Table(s.Name); old != nil {
		if old.CQL() != catalog.NewTable(s).CQL() {
			l.report(OtherDefinition, "table %s exists with another definition", s.Name)
		}
		return
	}
	l.getsUniqueValues(s)
	if grace, given := catalog.Given(s.Properties)["gc_grace_seconds"]; given {
		l.grace(s.Name, grace)
	}
}

func (l *linter) addColumns(s *ddl.AddColumns) {
	t := l.now.Table(s.Name)
	if t == nil {
		return
	}
	l.becomesVersioned(s)
	for _, c := range s.Columns {
		if old := catalog.Column(t, c.Name); old != nil {
			if old.Type.String() != c.Type.String() || old.Kind != c.Kind {
				l.report(OtherDefinition, "column %s of %s exists and is %s", c.Name, s.Name, old.Type)
			}
		} else if l.now.Dropped[s.Name][c.Name] != nil {
			l.report(Readded, "column %s of %s was dropped earlier", c.Name, s.Name)
		}
	}
}

func (l *linter) createIndex(s *ddl.CreateIndex) {
	on, old := l.now.Index(s.Name)
	if old == nil {
		return
	}
	if i, err := l.now.NewIndex(s); err != nil || on.Name != s.Table || !catalog.SameIndex(i, old) {
		l.report(OtherDefinition, "index %s exists on %s of %s", s.Name, old.Target, on.Name)
	}
}

func (l *linter) setProperties(s *ddl.SetProperties) {
	t := l.now.Table(s.Name)
	if t == nil {
		return
	}
	given := catalog.Given(s.Properties)
	if to := given["default_time_to_live"]; to != "" {
		was, now := seconds(catalog.Option(t, "default_time_to_live")), seconds(to)
		if now > 0 && (was == 0 || now < was) {
			l.report(Expiry, "rows of %s expire after %d seconds", s.Name, now)
		}
	}
	if to := given["gc_grace_seconds"]; to != "" {
		l.grace(s.Name, to)
	}
}

// The seconds for which the server can replay a logged batch, and for which it keeps hints.
const (
	batchWindow = 3600
	hintWindow  = 10800
)

func (l *linter) grace(table, value string) {
	switch n := seconds(value); {
	case n < batchWindow:
		l.report(BatchGrace, "gc_grace_seconds of %s is %d", table, n)
	case n < hintWindow && table != descriptor.Outboxes: // a row of it that reappears is only examined again
		l.report(HintGrace, "gc_grace_seconds of %s is %d", table, n)
	}
}

// seconds reads a number; 0 for an invalid one, which the server refuses.
func seconds(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
