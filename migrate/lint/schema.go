package lint

import (
	"strconv"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// schema judges a statement that changes types, tables or indexes.
func (l *linter) schema(s catalog.Statement) {
	switch s := s.(type) {
	case *catalog.CreateType:
		if old := l.now.Type(s.Type.Name); old != nil && old.CQL() != s.Type.CQL() {
			l.say(Unseen, "type %s is there in another shape", s.Type.Name)
		}
	case *catalog.AddField:
		l.addField(s)
	case *catalog.RenameFields:
		for _, r := range s.Names {
			l.say(RenameName, "field %s of type %s becomes %s", r.From, s.Type, r.To)
		}
	case *catalog.CreateTable:
		l.createTable(s)
	case *catalog.AddColumns:
		l.addColumns(s)
	case *catalog.DropColumns:
		for _, name := range s.Columns {
			if t := l.now.Table(s.Table); t != nil && catalog.Column(t, name) != nil {
				l.say(DropColumn, "column %s of %s is dropped", name, s.Table)
			}
		}
	case *catalog.RenameColumns:
		for _, r := range s.Names {
			l.say(RenameName, "column %s of %s becomes %s", r.From, s.Table, r.To)
		}
	case *catalog.SetOptions:
		l.setOptions(s)
	case *catalog.DropTable:
		if l.now.Table(s.Name) != nil {
			l.say(DropTable, "table %s is dropped", s.Name)
		}
	case *catalog.CreateIndex:
		l.createIndex(s)
	case *catalog.DropIndex:
		if t, _ := l.now.Index(s.Name); t != nil {
			l.say(DropIndex, "index %s of %s is dropped", s.Name, t.Name)
		}
	case *catalog.Elsewhere:
		l.say(Elsewhere, "keyspace %s is named", s.Keyspace)
	}
}

func (l *linter) addField(s *catalog.AddField) {
	if u := l.now.Type(s.Type); u != nil {
		for _, f := range u.Fields {
			if f.Name == s.Field.Name && f.Type.String() != s.Field.Type.String() {
				l.say(Unseen, "field %s of type %s is %s", f.Name, s.Type, f.Type)
			}
		}
	}
	for _, t := range l.before.Tables { // one that this file creates is in no older program
		for _, c := range t.Columns {
			if !l.before.Holds(c, s.Type) {
				continue
			}
			if !loose(c, s.Type) {
				l.say(GrowFrozen, "column %s of %s holds type %s frozen, which gets a field %s", c.Name, t.Name, s.Type, s.Field.Name)
			} else if s.Field.Type.MultiCell() {
				l.say(LooseField, "field %s of type %s is %s, and column %s of %s holds the type not frozen", s.Field.Name, s.Type, s.Field.Type, c.Name, t.Name)
			}
		}
	}
}

// loose reports whether each field of the type is a cell of its own in a column.
func loose(c *schema.Column, name string) bool {
	return c.Type.MultiCell() && c.Type.UDT && c.Type.Name == name
}

func (l *linter) createTable(s *catalog.CreateTable) {
	if old := l.now.Table(s.Table.Name); old != nil {
		if old.CQL() != s.Table.CQL() {
			l.say(Unseen, "table %s is there in another shape", s.Table.Name)
		}
		return
	}
	for _, p := range s.Table.Properties {
		if p.Name == "gc_grace_seconds" {
			l.grace(s.Table.Name, p.Value)
		}
	}
}

func (l *linter) addColumns(s *catalog.AddColumns) {
	t := l.now.Table(s.Table)
	if t == nil {
		return
	}
	for _, c := range s.Columns {
		if old := catalog.Column(t, c.Name); old != nil {
			if old.Type.String() != c.Type.String() || old.Kind != c.Kind {
				l.say(Unseen, "column %s of %s is %s", c.Name, s.Table, old.Type)
			}
		} else if l.now.Dropped[s.Table][c.Name] != nil {
			l.say(Readded, "column %s of %s was dropped before", c.Name, s.Table)
		}
	}
}

func (l *linter) createIndex(s *catalog.CreateIndex) {
	on, old := l.now.Index(s.Name)
	if old == nil {
		return
	}
	if i, err := s.Index(l.now); err != nil || on.Name != s.Table || !catalog.SameIndex(i, old) {
		l.say(Unseen, "index %s is there on %s of %s", s.Name, old.Target, on.Name)
	}
}

func (l *linter) setOptions(s *catalog.SetOptions) {
	t := l.now.Table(s.Table)
	if t == nil {
		return
	}
	if to, given := s.Options["default_time_to_live"]; given {
		was, now := seconds(catalog.Option(t, "default_time_to_live")), seconds(to)
		if now > 0 && (was == 0 || now < was) {
			l.say(Expiry, "rows of %s live %d seconds", s.Table, now)
		}
	}
	if to, given := s.Options["gc_grace_seconds"]; given {
		l.grace(s.Table, to)
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
