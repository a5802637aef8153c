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
		return unless(s.IfNotExists, "table %s is there already", s.Name)
	}
	if k.views[s.Name] != nil {
		return fmt.Errorf("table %s has the name of a view", s.Name)
	}
	if s.Fault != nil {
		return s.Fault
	}
	t := TableOf(s)
	if err := k.checkTable(t); err != nil {
		return err
	}
	k.Tables = append(k.Tables, t)
	return nil
}

// TableOf returns the table that a statement creates.
func TableOf(s *ddl.CreateTable) *schema.Table {
	t := *s.Table
	if s.Properties != nil {
		t.Properties = Options(Given(s.Properties))
	}
	return &t
}

// Given returns the properties that a statement gives a table, in their canonical form. The id is none.
func Given(properties map[string]ddl.Value) map[string]string {
	out := map[string]string{}
	for name, v := range properties {
		if name != "id" && name != "extensions" {
			out[name] = canonical(name, v)
		}
	}
	return out
}

// alterable finds a table that a statement alters. It is nil where the statement has nothing to do.
func (k *Keyspace) alterable(name string, ifExists bool) (*schema.Table, error) {
	if k.views[name] != nil {
		return nil, fmt.Errorf("%s is a view, and no table", name)
	}
	if t := k.Table(name); t != nil {
		return t, nil
	}
	return nil, unless(ifExists, "there is no table %s", name)
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
		if err := k.known(c.Type); err != nil {
			return err
		}
		if slices.ContainsFunc(added, func(o *schema.Column) bool { return o.Name == c.Name }) {
			if err := unless(s.IfColumnNotExists, "table %s has a column %s already", s.Name, c.Name); err != nil {
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
			if err := unless(s.IfColumnExists, "table %s has no column %s", s.Name, name); err != nil {
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
			return fmt.Errorf("two columns of %s cannot become %s", s.Name, to[from])
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

// lastNames returns what each name becomes: of one that is given twice the server knows the last only.
func lastNames(in []ddl.Rename) map[string]string {
	to := map[string]string{}
	for _, r := range in {
		to[r.From] = r.To
	}
	return to
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
	return k.set(t, optionsOf(&schema.Table{Properties: properties}))
}

func (k *Keyspace) set(t *schema.Table, given map[string]string) error {
	now := optionsOf(t)
	// The server keeps the chance of false positives that it took from the compaction when the table was made.
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
	if views := k.viewsOf(s.Name); len(views) > 0 {
		return fmt.Errorf("table %s cannot be dropped before its view %s", s.Name, views[0])
	}
	k.Tables = slices.DeleteFunc(k.Tables, func(t *schema.Table) bool { return t.Name == s.Name })
	delete(k.Dropped, s.Name)
	return nil
}

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
