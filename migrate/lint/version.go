package lint

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// becomesVersioned judges columns that are added to a table.
func (l *linter) becomesVersioned(s *ddl.AddColumns) {
	old := l.before.Table(s.Name)
	adds := func(name string) bool {
		return old != nil && catalog.Column(old, name) == nil && slices.ContainsFunc(s.Columns, func(c *schema.Column) bool { return c.Name == name })
	}
	switch {
	case adds(schema.Deleted):
		l.reportVersioned(s.Name, "table %s becomes versioned")
	case adds(schema.Live) && catalog.Column(old, schema.Deleted) != nil:
		l.reportVersioned(s.Name, "rows of %s expire")
	}
}

// getsUniqueValues judges a new reservation table. Of a table that becomes versioned, too, the other finding is enough.
func (l *linter) getsUniqueValues(s *ddl.CreateTable) {
	if !slices.ContainsFunc(s.Table.Columns, func(c *schema.Column) bool { return c.Name == schema.Floor }) {
		return
	}
	for _, t := range l.before.Tables {
		if strings.HasPrefix(s.Name, t.Name+"__") && catalog.Column(t, schema.Deleted) != nil {
			l.reportVersioned(t.Name, "values of %s become unique")
		}
	}
}

// reportVersioned reports a table at a statement that its user knows, not at a column or table of the mapper: the new column of the version
// or, if there is none, the call of the generated function.
func (l *linter) reportVersioned(table, what string) {
	line, number := l.line, l.number
	if s := l.versionStatement(table); s != nil {
		l.line, l.number = s.Line, s.Number
	}
	l.report(Versioned, what, table)
	l.line, l.number = line, number
}

// versionStatement returns the statement of the file that adds the version to a table, or that calls the generated function; nil if there is
// none.
func (l *linter) versionStatement(table string) *folder.Statement {
	var added, called []*folder.Statement
	for i := range l.file.Statements {
		s := &l.file.Statements[i]
		if s.Func == schema.VersionFunc(table) {
			called = append(called, s)
		}
		parsed, _ := ddl.Parse(s.Text) // the replay returns the error
		if add, ok := parsed.(*ddl.AddColumns); ok && s.Func == "" && add.Name == table && slices.ContainsFunc(add.Columns, isVersion) {
			added = append(added, s)
		}
	}
	if len(added) == 1 {
		return added[0]
	}
	if len(called) > 0 {
		return called[0]
	}
	return nil
}

// isVersion reports whether a column can be the version of a root.
func isVersion(c *schema.Column) bool {
	return c.Type.String() == "bigint" && !strings.HasPrefix(c.Name, "aml_")
}
