package lint

import (
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// checkCopy checks a call of a function that aml diff has named. It copies a table to another one, or a column to another one of its
// table, or it writes the references of a table.
func (l *linter) checkCopy(function string) {
	for _, to := range l.now.Tables {
		if function == schema.ReferencesFunc(to.Name) {
			l.report(CheckedRoot, "the references of %s become checked", to.Name)
		}
		for _, c := range to.Columns {
			for _, was := range to.Columns {
				switch {
				case was == c || !catalog.IsFunc(function, catalog.CopyColumnFunc(to.Name, was.Name, c.Name)):
				case catalog.Column(to, schema.Deleted) != nil:
					l.report(FilledColumn, "%s fills column %s of %s from %s where it is null", function, c.Name, to.Name, was.Name)
				case c.IsList() && was.IsList():
					l.report(CopiedList, "%s copies column %s of %s to %s once", function, was.Name, to.Name, c.Name)
				}
			}
		}
		for _, from := range l.now.Tables {
			if from == to || !catalog.IsFunc(function, catalog.CopyTableFunc(from.Name, to.Name)) {
				continue
			}
			if catalog.Column(to, schema.Deleted) != nil {
				l.report(CopiedVersioned, "%s copies %s to %s", function, from.Name, to.Name)
			} else if lists := listsFrom(from, to); lists != nil {
				l.report(CopiedList, "%s copies %s of %s once", function, strings.Join(lists, " and "), to.Name)
			}
		}
	}
}

// listsFrom returns the columns of a table that are lists which are not frozen, if another table has a list of the same type.
func listsFrom(from, to *schema.Table) (out []string) {
	for _, c := range to.Columns {
		for _, was := range from.Columns {
			if c.IsList() && was.IsList() && c.Type.String() == was.Type.String() {
				out = append(out, c.Name)
				break
			}
		}
	}
	return out
}
