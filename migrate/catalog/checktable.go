package catalog

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// tableName is what the server allows as the name of a table.
var tableName = regexp.MustCompile(`^[0-9A-Za-z_]{1,222}$`)

// checkTable returns why the server refuses a new table.
func (k *Keyspace) checkTable(t *schema.Table) error {
	if !tableName.MatchString(t.Name) {
		return fmt.Errorf("table %q has a name that is not of up to 222 letters, digits and _", t.Name)
	}
	for _, c := range t.Columns {
		if err := k.storable(t, c); err != nil {
			return err
		}
		if c.InKey() && !k.keyable(c.Type) {
			return fmt.Errorf("column %s of the primary key of %s cannot be %s", c.Name, t.Name, c.Type)
		}
	}
	counters := slices.ContainsFunc(t.Columns, isCounter)
	if at := slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return !c.InKey() && c.Type.Counter() != counters }); at >= 0 {
		return fmt.Errorf("table %s would hold counters beside other columns: %s", t.Name, t.Columns[at].Name)
	}
	return expiring(t, counters)
}

// expiring returns why rows of a table cannot expire.
func expiring(t *schema.Table, counters bool) error {
	if counters && Option(t, "default_time_to_live") != "0" {
		return fmt.Errorf("table %s holds counters, which do not expire: default_time_to_live is to be 0", t.Name)
	}
	return nil
}

// storable returns why the server refuses a new column of a table, whatever else is in it.
func (k *Keyspace) storable(t *schema.Table, c *schema.Column) error {
	if err := k.known(c.Type); err != nil {
		return err
	}
	if c.Kind == schema.Static && len(t.ClusteringKey) == 0 {
		return fmt.Errorf("column %s of %s is static, and there is no clustering column", c.Name, t.Name)
	}
	if f := k.Unfrozen(c.Type); f != nil {
		return fmt.Errorf("column %s of %s is not frozen, and neither is field %s of type %s: freeze one of them", c.Name, t.Name, f.Name, c.Type.Name)
	}
	return nil
}

// Unfrozen returns the field of a column's type that is a collection of its own inside a value that is not frozen either; nil is
// none. No statement makes such a column, but a type that a column holds may get such a field later.
func (k *Keyspace) Unfrozen(t *schema.Type) *schema.Field {
	u := k.Type(t.Name)
	if !t.UDT || !t.MultiCell() || u == nil {
		return nil
	}
	for _, f := range u.Fields {
		if f.Type.MultiCell() {
			return f
		}
	}
	return nil
}

// keyable reports whether a type can be one of a primary key.
func (k *Keyspace) keyable(t *schema.Type) bool {
	return !t.MultiCell() && !t.Counter() && !k.containsDuration(t)
}

// containsDuration reports whether there is a duration in a type. Sets and vectors are not looked into.
func (k *Keyspace) containsDuration(t *schema.Type) bool {
	if t.UDT {
		u := k.Type(t.Name)
		return u != nil && slices.ContainsFunc(u.Fields, func(f *schema.Field) bool { return k.containsDuration(f.Type) })
	}
	switch t.Name {
	case "duration":
		return true
	case "list", "map", "tuple":
		return slices.ContainsFunc(t.Args, k.containsDuration)
	}
	return false
}

// hasCounter reports whether a table is one of counters, as which it was made and stays, also when the last of them was dropped.
func (k *Keyspace) hasCounter(t *schema.Table) bool {
	if slices.ContainsFunc(t.Columns, isCounter) {
		return true
	}
	for _, c := range k.Dropped[t.Name] {
		if c.Type.Counter() {
			return true
		}
	}
	return false
}

func isCounter(c *schema.Column) bool { return c.Type.Counter() }

// addable returns why the server refuses to add a column to a table.
func (k *Keyspace) addable(t *schema.Table, c *schema.Column) error {
	if err := k.storable(t, c); err != nil {
		return err
	}
	switch counters := k.hasCounter(t); {
	case counters && !c.Type.Counter():
		return fmt.Errorf("table %s would hold counters beside other columns: %s", t.Name, c.Name)
	case !counters && c.Type.Counter():
		return fmt.Errorf("table %s holds no counters: %s cannot be added", t.Name, c.Name)
	}
	return nil
}

// droppable returns why a column is not to be dropped.
func (k *Keyspace) droppable(t *schema.Table, c *schema.Column) error {
	if c.InKey() {
		return fmt.Errorf("column %s of %s is of the primary key and cannot be dropped", c.Name, t.Name)
	}
	if i := indexed(t, c.Name); i != nil {
		return fmt.Errorf("column %s of %s cannot be dropped before its index %s", c.Name, t.Name, i.Name)
	}
	if why := Stays(c.Type); why != "" {
		return fmt.Errorf("column %s of %s is %s, %s", c.Name, t.Name, c.Type, why)
	}
	if views := k.viewsOf(t.Name); len(views) > 0 {
		return fmt.Errorf("column %s of %s cannot be dropped while the table has the view %s", c.Name, t.Name, views[0])
	}
	return nil
}

// Stays returns why a column of a type can never be dropped, in words that go on after the type; "" is for one that can. A
// user-defined type that is not frozen the server refuses to drop. A vector of a user-defined type it drops, and keeps the type
// of what was dropped by its name, which it does not know yet when it reads that at its next start: it ends there.
func Stays(t *schema.Type) string {
	switch {
	case t.UDT && t.MultiCell():
		return "which is not frozen, and cannot be dropped"
	case vectorOfUDT(t):
		return "and a server that drops a vector of a user-defined type cannot start again"
	}
	return ""
}

// vectorOfUDT reports whether there is a vector in a type that has a user-defined one in it.
func vectorOfUDT(t *schema.Type) bool {
	return !t.UDT && t.Name == "vector" && len(names(t)) > 0 || slices.ContainsFunc(t.Args, vectorOfUDT)
}

// indexed finds an index of a column; nil is none.
func indexed(t *schema.Table, column string) *schema.Index {
	for _, i := range t.Indexes {
		if IndexedColumn(i) == column {
			return i
		}
	}
	return nil
}

// renamable returns why the server refuses to rename a column. IF EXISTS forgives nothing here, and what becomes of other
// columns in the same statement is not looked at.
func renamable(t *schema.Table, from, to string) error {
	c := Column(t, from)
	switch {
	case c == nil:
		return fmt.Errorf("table %s has no column %s", t.Name, from)
	case !c.InKey():
		return fmt.Errorf("column %s of %s is not of the primary key and cannot be renamed", from, t.Name)
	case indexed(t, from) != nil:
		return fmt.Errorf("column %s of %s cannot be renamed while it has the index %s", from, t.Name, indexed(t, from).Name)
	case Column(t, to) != nil:
		return fmt.Errorf("table %s has a column %s already", t.Name, to)
	}
	return nil
}
