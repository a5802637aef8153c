package lint

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// becomesVersioned judges columns that are added to a table.
func (l *linter) becomesVersioned(s *ddl.AddColumns) {
	hidden := slices.ContainsFunc(s.Columns, func(c *schema.Column) bool { return c.Name == schema.Deleted })
	if old := l.before.Table(s.Name); hidden && old != nil && catalog.Column(old, schema.Deleted) == nil {
		l.report(Versioned, "table %s becomes versioned", s.Name)
	}
}

// getsUniqueValues judges a new reservation table. Of a table that becomes versioned, too, the other finding is enough.
func (l *linter) getsUniqueValues(s *ddl.CreateTable) {
	if !slices.ContainsFunc(s.Table.Columns, func(c *schema.Column) bool { return c.Name == schema.Floor }) {
		return
	}
	for _, t := range l.before.Tables {
		if strings.HasPrefix(s.Name, t.Name+"__") && catalog.Column(t, schema.Deleted) != nil {
			l.report(Versioned, "values of %s become unique", t.Name)
		}
	}
}
