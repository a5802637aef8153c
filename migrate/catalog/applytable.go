package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

func (s *CreateTable) apply(k *Keyspace) error {
	if k.Table(s.Table.Name) != nil {
		return unless(s.IfNotExists, "table %s is there already", s.Table.Name)
	}
	if err := k.checkTable(s.Table); err != nil {
		return err
	}
	k.Tables = append(k.Tables, s.Table)
	return nil
}

// checkTable says why the server refuses a new table.
func (k *Keyspace) checkTable(t *schema.Table) error {
	for i, c := range t.Columns {
		if err := k.known(c.Type); err != nil {
			return err
		}
		if slices.IndexFunc(t.Columns, func(o *schema.Column) bool { return o.Name == c.Name }) != i {
			return fmt.Errorf("table %s has two columns %s", t.Name, c.Name)
		}
		if err := checkColumn(t, c); err != nil {
			return err
		}
	}
	return nil
}

// checkColumn says why the server refuses a new column of a table.
func checkColumn(t *schema.Table, c *schema.Column) error {
	key := c.Kind == schema.PartitionKey || c.Kind == schema.ClusteringKey
	switch {
	case c.Kind == schema.Static && len(t.ClusteringKey) == 0:
		return fmt.Errorf("column %s of %s is static, and there is no clustering column", c.Name, t.Name)
	case key && (c.Type.MultiCell() || isCounter(c)):
		return fmt.Errorf("column %s of the primary key of %s cannot be %s", c.Name, t.Name, c.Type)
	case !key && slices.ContainsFunc(t.Columns, func(o *schema.Column) bool { return plainColumn(o) && isCounter(o) != isCounter(c) }):
		return fmt.Errorf("table %s would hold counters beside other columns: %s", t.Name, c.Name)
	}
	return nil
}

func isCounter(c *schema.Column) bool { return c.Type.Name == "counter" && !c.Type.UDT }

// plainColumn says whether a column is none of the key.
func plainColumn(c *schema.Column) bool { return c.Kind == schema.Regular || c.Kind == schema.Static }

func (s *AddColumns) apply(k *Keyspace) error {
	t := k.Table(s.Table)
	if t == nil {
		return unless(s.IfExists, "there is no table %s", s.Table)
	}
	added := t.Columns
	for _, c := range s.Columns {
		if slices.ContainsFunc(added, func(o *schema.Column) bool { return o.Name == c.Name }) {
			if err := unless(s.IfColumnNotExists, "table %s has a column %s already", s.Table, c.Name); err != nil {
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

// addable says why the server refuses to add a column to a table.
func (k *Keyspace) addable(t *schema.Table, c *schema.Column) error {
	if err := k.known(c.Type); err != nil {
		return err
	}
	if err := checkColumn(t, c); err != nil {
		return err
	}
	if isCounter(c) && !slices.ContainsFunc(t.Columns, isCounter) {
		return fmt.Errorf("table %s holds no counters: %s cannot be added", t.Name, c.Name)
	}
	return k.Readdable(t.Name, c)
}

// Readdable says why the server refuses a column because the table had one of that name: what is stored of it may still be
// there, and could not be read as anything else.
func (k *Keyspace) Readdable(table string, c *schema.Column) error {
	old := k.Dropped[table][c.Name]
	switch {
	case old == nil:
		return nil
	case isCounter(old):
		return fmt.Errorf("column %s of %s was a counter that was dropped, and a counter is never added again", c.Name, table)
	case old.Kind != c.Kind:
		return fmt.Errorf("column %s of %s was dropped, and comes back neither static instead of regular nor the other way round", c.Name, table)
	case len(names(old.Type)) > 0:
		return fmt.Errorf("column %s of %s was dropped as %s, and no column with a user-defined type in it comes back", c.Name, table, old.Type)
	case !readsAs(old.Type, c.Type):
		return fmt.Errorf("column %s of %s was dropped as %s, and comes back as nothing else", c.Name, table, old.Type)
	}
	return nil
}

// readsAs says whether the values of one type are values of another.
func readsAs(old, now *schema.Type) bool {
	return old.String() == now.String() || old.Name == "ascii" && now.Name == "text" ||
		now.Name == "blob" && (old.Name == "ascii" || old.Name == "text")
}

func (s *DropColumns) apply(k *Keyspace) error {
	t := k.Table(s.Table)
	if t == nil {
		return unless(s.IfExists, "there is no table %s", s.Table)
	}
	var gone []*schema.Column
	for _, name := range s.Columns {
		c := Column(t, name)
		if c == nil {
			if err := unless(s.IfColumnExists, "table %s has no column %s", s.Table, name); err != nil {
				return err
			}
			continue
		}
		if err := droppable(t, c); err != nil {
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

// droppable says why the server refuses to drop a column.
func droppable(t *schema.Table, c *schema.Column) error {
	if !plainColumn(c) {
		return fmt.Errorf("column %s of %s is of the primary key and cannot be dropped", c.Name, t.Name)
	}
	if i := indexed(t, c.Name); i != nil {
		return fmt.Errorf("column %s of %s cannot be dropped before its index %s", c.Name, t.Name, i.Name)
	}
	if c.Type.UDT && c.Type.MultiCell() {
		return fmt.Errorf("column %s of %s is a user-defined type that is not frozen, and cannot be dropped", c.Name, t.Name)
	}
	return nil
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

func (s *RenameColumns) apply(k *Keyspace) error {
	t := k.Table(s.Table)
	if t == nil {
		return unless(s.IfExists, "there is no table %s", s.Table)
	}
	for _, r := range s.Names {
		c := Column(t, r.From)
		switch {
		case c == nil:
			if err := unless(s.IfColumnExists, "table %s has no column %s", s.Table, r.From); err != nil {
				return err
			}
			continue
		case plainColumn(c):
			return fmt.Errorf("column %s of %s is not of the primary key and cannot be renamed", r.From, s.Table)
		case indexed(t, r.From) != nil:
			return fmt.Errorf("column %s of %s cannot be renamed while it has the index %s", r.From, s.Table, indexed(t, r.From).Name)
		case Column(t, r.To) != nil:
			return fmt.Errorf("table %s has a column %s already", s.Table, r.To)
		}
		c.Name = r.To
	}
	return nil
}

func (s *SetOptions) apply(k *Keyspace) error {
	t := k.Table(s.Table)
	if t == nil {
		return unless(s.IfExists, "there is no table %s", s.Table)
	}
	now := optionsOf(t)
	// The server keeps the chance of false positives that it took from the compaction when the table was made.
	now["bloom_filter_fp_chance"] = Option(t, "bloom_filter_fp_chance")
	maps.Copy(now, s.Options)
	t.Properties = Options(now)
	return nil
}

func (s *DropTable) apply(k *Keyspace) error {
	if k.Table(s.Name) == nil {
		return unless(s.IfExists, "there is no table %s", s.Name)
	}
	k.Tables = slices.DeleteFunc(k.Tables, func(t *schema.Table) bool { return t.Name == s.Name })
	delete(k.Dropped, s.Name)
	return nil
}
