package reconcilecmd

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// roots returns the tables of the roots that Reconcile of the store compares.
func roots(s *schema.Schema) (tables []*schema.Table) {
	for _, t := range s.Stored {
		if t.Derived == nil && t.Aggregate.IsSource() && (len(t.Projections) > 0 || len(t.Aggregate.Parts) > 0 || t.Versioning != nil) {
			tables = append(tables, t)
		}
	}
	return tables
}

// rootName returns the name of a root's table, which differs from the name of a part in the same table.
func rootName(t *schema.Table) string {
	if t.Aggregate.InRootTable {
		return t.Aggregate.Struct.Name + " in " + t.Name
	}
	return t.Name
}

// checkRoot returns an error if a table is not the table of a root that is reconciled.
func checkRoot(s *schema.Schema, option, table string) error {
	var names []string
	for _, t := range roots(s) {
		if t.Name == table {
			return nil
		}
		names = append(names, t.Name)
	}
	if p := projectionTo(s, table); p != nil {
		return fmt.Errorf("-%s: %s is a redundant table of %s: use %[3]s", option, table, p.Source.Name)
	}
	return fmt.Errorf("-%s: %s is not the table of a root with redundant tables, parts or a version: use one of %s", option, table, strings.Join(names, ", "))
}

// projectionTo returns the projection that writes a redundant table; nil for any other table.
func projectionTo(s *schema.Schema, table string) *schema.Projection {
	for _, t := range s.Stored {
		for _, p := range t.Projections {
			if p.Table.Name == table {
				return p
			}
		}
	}
	return nil
}
