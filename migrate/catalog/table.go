package catalog

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

func (k *Keyspace) createTable(s *ddl.CreateTable) error {
	if k.Table(s.Name) != nil {
		return existenceError(s.IfNotExists, "table %s already exists", s.Name)
	}
	if k.views[s.Name] != nil {
		return fmt.Errorf("table %s has the name of a view", s.Name)
	}
	if s.Fault != nil {
		return s.Fault
	}
	t := NewTable(s)
	if err := k.checkTable(t); err != nil {
		return err
	}
	k.Tables = append(k.Tables, t)
	return nil
}

// NewTable returns the table that a statement creates.
func NewTable(s *ddl.CreateTable) *schema.Table {
	t := *s.Table
	if s.Properties != nil {
		t.Properties = Options(Given(s.Properties))
	}
	return &t
}

// Given returns the properties that a statement sets, in their canonical form, without the ID of the table.
func Given(properties map[string]property.Value) map[string]string {
	out := map[string]string{}
	for name, v := range properties {
		if name != "id" && name != "extensions" {
			out[name] = canonical(name, v)
		}
	}
	return out
}

// alterable returns the table that a statement alters; nil if the statement has no effect.
func (k *Keyspace) alterable(name string, ifExists bool) (*schema.Table, error) {
	if k.views[name] != nil {
		return nil, fmt.Errorf("%s is a view, not a table", name)
	}
	if t := k.Table(name); t != nil {
		return t, nil
	}
	return nil, existenceError(ifExists, "there is no table %s", name)
}

func (k *Keyspace) addColumns(s *ddl.AddColumns) error {
	t, err := k.alterable(s.Name, s.IfExists)
	if t == nil {
		return err
	}
	if s.Fault != nil {
		return s.Fault
	}
	added := t.Columns
	for _, c := range s.Columns {
		if err := k.checkKnown(c.Type); err != nil {
			return err
		}
		if slices.ContainsFunc(added, func(o *schema.Column) bool { return o.Name == c.Name }) {
			if err := existenceError(s.IfColumnNotExists, "table %s already has a column %s", s.Name, c.Name); err != nil {
				return err
			}
			continue
		}
		if err := k.addable(t, c); err != nil {
			return err
		}
		added = append(slices.Clone(added), c)
	}
	t.Columns = added
	return nil
}

func (k *Keyspace) dropColumns(s *ddl.DropColumns) error {
	t, err := k.alterable(s.Name, s.IfExists)
	if t == nil {
		return err
	}
	var gone []*schema.Column
	for _, name := range s.Columns {
		c := Column(t, name)
		if c == nil {
			if err := existenceError(s.IfColumnExists, "table %s has no column %s", s.Name, name); err != nil {
				return err
			}
			continue
		}
		if err := k.droppable(t, c); err != nil {
			return err
		}
		gone = append(gone, c)
	}
	for _, c := range gone {
		k.drop(t.Name, c)
	}
	t.Columns = slices.DeleteFunc(slices.Clone(t.Columns), func(c *schema.Column) bool { return slices.Contains(gone, c) })
	return nil
}

func (k *Keyspace) renameColumns(s *ddl.RenameColumns) error {
	t, err := k.alterable(s.Name, s.IfExists)
	if t == nil {
		return err
	}
	to := lastNames(s.Names)
	taken := map[string]bool{}
	for _, from := range slices.Sorted(maps.Keys(to)) {
		if err := renamable(t, from, to[from]); err != nil {
			return err
		}
		if taken[to[from]] {
			return fmt.Errorf("two columns of %s cannot be renamed to %s", s.Name, to[from])
		}
		taken[to[from]] = true
	}
	for _, c := range t.Columns {
		if name, renamed := to[c.Name]; renamed {
			c.Name = name
		}
	}
	return nil
}

func (k *Keyspace) setProperties(s *ddl.SetProperties) error {
	t, err := k.alterable(s.Name, s.IfExists)
	if t == nil {
		return err
	}
	if len(s.Properties) == 0 {
		return nil
	}
	return k.set(t, Given(s.Properties))
}

// SetProperties sets properties of a table, whose values are in the canonical form.
func (k *Keyspace) SetProperties(table string, properties []schema.Property) error {
	t, err := k.alterable(table, false)
	if err != nil {
		return err
	}
	return k.set(t, propertyMap(&schema.Table{Properties: properties}))
}

func (k *Keyspace) set(t *schema.Table, given map[string]string) error {
	now := propertyMap(t)
	// The server keeps the bloom_filter_fp_chance that it took from the compaction when the table was created.
	now[property.FalsePositives] = Option(t, property.FalsePositives)
	maps.Copy(now, given)
	become := &schema.Table{Name: t.Name, Properties: Options(now)}
	if err := expiring(become, k.hasCounter(t)); err != nil {
		return err
	}
	t.Properties = become.Properties
	return nil
}

func (k *Keyspace) dropTable(s *ddl.DropTable) error {
	if t, err := k.alterable(s.Name, s.IfExists); t == nil {
		return err
	}
	if views := k.viewNames(s.Name); len(views) > 0 {
		return fmt.Errorf("table %s cannot be dropped before its view %s", s.Name, views[0])
	}
	k.Tables = slices.DeleteFunc(k.Tables, func(t *schema.Table) bool { return t.Name == s.Name })
	delete(k.Dropped, s.Name)
	return nil
}

var word = regexp.MustCompile(`^[0-9A-Za-z_]+$`)

// fileName reports whether the name of a table or an index is valid. A longer name is too long for a file name, and such an index stops the server.
func fileName(name string) bool { return len(name) <= 222 && word.MatchString(name) }

// checkTable returns why the server refuses a new table.
func (k *Keyspace) checkTable(t *schema.Table) error {
	if !fileName(t.Name) {
		return fmt.Errorf("the name of table %q is invalid: it must have 1 to 222 letters, digits and _", t.Name)
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
		return fmt.Errorf("table %s would have both counters and other columns: %s", t.Name, t.Columns[at].Name)
	}
	return expiring(t, counters)
}

// expiring returns an error for a table of counters whose rows would expire.
func expiring(t *schema.Table, counters bool) error {
	if counters && Option(t, "default_time_to_live") != "0" {
		return fmt.Errorf("table %s has counters, which cannot expire: default_time_to_live must be 0", t.Name)
	}
	return nil
}

// storable returns why the server refuses a column in a new or an existing table.
func (k *Keyspace) storable(t *schema.Table, c *schema.Column) error {
	if err := k.checkKnown(c.Type); err != nil {
		return err
	}
	if c.Kind == schema.Static && len(t.ClusteringKey) == 0 {
		return fmt.Errorf("column %s of %s is static, but the table has no clustering column", c.Name, t.Name)
	}
	if f := k.Unfrozen(c.Type); f != nil {
		return fmt.Errorf("column %s of %s is not frozen, and neither is field %s of type %s: freeze one of them", c.Name, t.Name, f.Name, c.Type.Name)
	}
	return nil
}

// Unfrozen returns the first field that is a collection without frozen, in a column type that is not frozen either; nil if there
// is none. No statement creates such a column, but the type of a column can get such a field later.
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

// keyable reports whether a column of a primary key can have a type.
func (k *Keyspace) keyable(t *schema.Type) bool {
	return !t.MultiCell() && !t.Counter() && !k.containsDuration(t)
}

// containsDuration reports whether a type contains a duration. It does not look into sets and vectors.
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

// hasCounter reports whether a table is a table of counters. It remains one after its last counter is dropped.
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
		return fmt.Errorf("table %s would have both counters and other columns: %s", t.Name, c.Name)
	case !counters && c.Type.Counter():
		return fmt.Errorf("table %s has no counters: counter %s cannot be added", t.Name, c.Name)
	}
	return nil
}

// droppable returns why a column cannot be dropped.
func (k *Keyspace) droppable(t *schema.Table, c *schema.Column) error {
	if c.InKey() {
		return fmt.Errorf("column %s of %s is part of the primary key and cannot be dropped", c.Name, t.Name)
	}
	if i := indexed(t, c.Name); i != nil {
		return fmt.Errorf("column %s of %s cannot be dropped before its index %s", c.Name, t.Name, i.Name)
	}
	if why := Undroppable(c.Type); why != "" {
		return fmt.Errorf("column %s of %s is %s, %s", c.Name, t.Name, c.Type, why)
	}
	if views := k.viewNames(t.Name); len(views) > 0 {
		return fmt.Errorf("column %s of %s cannot be dropped while the table has the view %s", c.Name, t.Name, views[0])
	}
	return nil
}

// Undroppable returns why a column of a type can never be dropped, as a clause that follows the type; "" if it can be dropped. The
// server refuses to drop a user-defined type that is not frozen. It drops a vector of a user-defined type, but then records the
// dropped column with the name of that type, cannot resolve the name at its next start, and stops.
func Undroppable(t *schema.Type) string {
	switch {
	case t.UDT && t.MultiCell():
		return "which is not frozen, and cannot be dropped"
	case vectorOfUDT(t):
		return "and a server that drops a vector of a user-defined type cannot start again"
	}
	return ""
}

// vectorOfUDT reports whether a type contains a vector that contains a user-defined type.
func vectorOfUDT(t *schema.Type) bool {
	return !t.UDT && t.Name == "vector" && len(names(t)) > 0 || slices.ContainsFunc(t.Args, vectorOfUDT)
}

// indexed returns an index of a column; nil if there is none.
func indexed(t *schema.Table, column string) *schema.Index {
	for _, i := range t.Indexes {
		if IndexedColumn(i) == column {
			return i
		}
	}
	return nil
}

// renamable returns why the server refuses to rename a column. IF EXISTS makes no difference here, and the server ignores the other
// renames of the same statement.
func renamable(t *schema.Table, from, to string) error {
	c := Column(t, from)
	switch {
	case c == nil:
		return fmt.Errorf("table %s has no column %s", t.Name, from)
	case !c.InKey():
		return fmt.Errorf("column %s of %s is not part of the primary key and cannot be renamed", from, t.Name)
	case indexed(t, from) != nil:
		return fmt.Errorf("column %s of %s cannot be renamed while it has the index %s", from, t.Name, indexed(t, from).Name)
	case Column(t, to) != nil:
		return fmt.Errorf("table %s already has a column %s", t.Name, to)
	}
	return nil
}

// Readdable returns why a column cannot be added because a column with its name was dropped: values of the dropped column may still
// be stored, and cannot be read with another type. The server accepts a few other types.
func (k *Keyspace) Readdable(table string, c *schema.Column) error {
	old := k.Dropped[table][c.Name]
	switch {
	case old == nil:
		return nil
	case old.Type.Counter():
		return fmt.Errorf("column %s of %s was dropped as a counter, and a counter cannot be added again", c.Name, table)
	case (old.Kind == schema.Static) != (c.Kind == schema.Static):
		return fmt.Errorf("column %s of %s was dropped, and cannot change between static and regular when it is added again", c.Name, table)
	case len(names(c.Type)) > 0:
		return fmt.Errorf("column %s of %s was dropped as %s, and a column with a user-defined type cannot be added again", c.Name, table, old.Type)
	case old.Type.String() != c.Type.String():
		return fmt.Errorf("column %s of %s was dropped as %s, and cannot be added again with another type", c.Name, table, old.Type)
	}
	return nil
}
