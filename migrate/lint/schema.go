package lint

import (
	"strconv"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// schema judges a statement that changes types, tables or indexes.
func (l *linter) schema(s ddl.Statement) {
	if keyspace := s.On().Keyspace; keyspace != "" {
		l.say(Elsewhere, "keyspace %s is named", keyspace)
		return
	}
	switch s := s.(type) {
	case *ddl.CreateType:
		if old := l.now.Type(s.Name); old != nil && old.CQL() != s.Type.CQL() {
			l.say(Unseen, "type %s is there in another shape", s.Name)
		}
	case *ddl.AddField:
		l.addField(s)
	case *ddl.RenameFields:
		for _, r := range s.Names {
			l.say(RenameName, "field %s of type %s becomes %s", r.From, s.Name, r.To)
		}
	case *ddl.CreateTable:
		l.createTable(s)
	case *ddl.AddColumns:
		l.addColumns(s)
	case *ddl.DropColumns:
		for _, name := range s.Columns {
			if t := l.now.Table(s.Name); t != nil && catalog.Column(t, name) != nil {
				l.say(DropColumn, "column %s of %s is dropped", name, s.Name)
			}
		}
	case *ddl.RenameColumns:
		for _, r := range s.Names {
			l.say(RenameName, "column %s of %s becomes %s", r.From, s.Name, r.To)
		}
	case *ddl.SetProperties:
		l.setProperties(s)
	case *ddl.DropTable:
		if l.now.Table(s.Name) != nil {
			l.say(DropTable, "table %s is dropped", s.Name)
		}
	case *ddl.CreateIndex:
		l.createIndex(s)
	case *ddl.DropIndex:
		if t, _ := l.now.Index(s.Name); t != nil {
			l.say(DropIndex, "index %s of %s is dropped", s.Name, t.Name)
		}
	}
}

func (l *linter) addField(s *ddl.AddField) {
	if u := l.now.Type(s.Name); u != nil {
		for _, f := range u.Fields {
			if f.Name == s.Field.Name && f.Type.String() != s.Field.Type.String() {
				l.say(Unseen, "field %s of type %s is %s", f.Name, s.Name, f.Type)
			}
		}
	}
	for _, t := range l.before.Tables { // one that this file creates is in no older program
		for _, c := range t.Columns {
			if !l.before.Holds(c, s.Name) {
				continue
			}
			if !loose(c, s.Name) {
				l.say(GrowFrozen, "column %s of %s holds type %s frozen, which gets a field %s", c.Name, t.Name, s.Name, s.Field.Name)
			} else if s.Field.Type.MultiCell() {
				l.say(LooseField, "field %s of type %s is %s, and column %s of %s holds the type not frozen", s.Field.Name, s.Name, s.Field.Type, c.Name, t.Name)
			}
		}
	}
}

// loose reports whether each field of the type is a cell of its own in a column.
func loose(c *schema.Column, name string) bool {
	return c.Type.MultiCell() && c.Type.UDT && c.Type.Name == name
}

func (l *linter) createTable(s *ddl.CreateTable) {
	if old := l.now.Table(s.Name); old != nil {
		if old.CQL() != catalog.TableOf(s).CQL() {
			l.say(Unseen, "table %s is there in another shape", s.Name)
		}
		return
	}
	if grace, given := catalog.Given(s.Properties)["gc_grace_seconds"]; given {
		l.grace(s.Name, grace)
	}
}

func (l *linter) addColumns(s *ddl.AddColumns) {
	t := l.now.Table(s.Name)
	if t == nil {
		return
	}
	for _, c := range s.Columns {
		if old := catalog.Column(t, c.Name); old != nil {
			if old.Type.String() != c.Type.String() || old.Kind != c.Kind {
				l.say(Unseen, "column %s of %s is %s", c.Name, s.Name, old.Type)
			}
		} else if l.now.Dropped[s.Name][c.Name] != nil {
			l.say(Readded, "column %s of %s was dropped before", c.Name, s.Name)
		}
	}
}

func (l *linter) createIndex(s *ddl.CreateIndex) {
	on, old := l.now.Index(s.Name)
	if old == nil {
		return
	}
	if i, err := l.now.IndexOf(s); err != nil || on.Name != s.Table || !catalog.SameIndex(i, old) {
		l.say(Unseen, "index %s is there on %s of %s", s.Name, old.Target, on.Name)
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
			l.say(Expiry, "rows of %s live %d seconds", s.Name, now)
		}
	}
	if to := given["gc_grace_seconds"]; to != "" {
		l.grace(s.Name, to)
	}
}

// The time for which a batch can be replayed, and that for which hints are kept.
const (
	replayed = 3600
	hinted   = 10800
)

func (l *linter) grace(table, value string) {
	switch n := seconds(value); {
	case n < replayed:
		l.say(BatchGrace, "gc_grace_seconds of %s is %d", table, n)
	case n < hinted:
		l.say(HintGrace, "gc_grace_seconds of %s is %d", table, n)
	}
}

// seconds reads a number that the server has accepted; what is none is refused there.
func seconds(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
