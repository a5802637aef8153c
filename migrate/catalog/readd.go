package catalog

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/schema"
)

// Readdable returns why a column should not be added because the table had one of that name: what is stored of it may still be
// there, and could not be read as anything else. The server takes a few other types; which, it decides.
func (k *Keyspace) Readdable(table string, c *schema.Column) error {
	old := k.Dropped[table][c.Name]
	switch {
	case old == nil:
		return nil
	case old.Type.Counter():
		return fmt.Errorf("column %s of %s was a counter that was dropped, and a counter is never added again", c.Name, table)
	case (old.Kind == schema.Static) != (c.Kind == schema.Static):
		return fmt.Errorf("column %s of %s was dropped, and comes back neither static instead of regular nor the other way round", c.Name, table)
	case len(names(c.Type)) > 0:
		return fmt.Errorf("column %s of %s was dropped as %s, and no column with a user-defined type in it comes back", c.Name, table, old.Type)
	case old.Type.String() != c.Type.String():
		return fmt.Errorf("column %s of %s was dropped as %s, and comes back as nothing else", c.Name, table, old.Type)
	}
	return nil
}
