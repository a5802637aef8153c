package catalog

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
)

func (s *CreateTable) apply(k *Keyspace) error {
	if k.Table(s.Table.Name) != nil {
		return unless(s.IfNotExists, "table %s is there already", s.Table.Name)
	}
	if k.views[s.Table.Name] != nil {
		return fmt.Errorf("table %s has the name of a view", s.Table.Name)
	}
	if s.fault != nil {
		return s.fault
	}
	if err := k.checkTable(s.Table); err != nil {
		return err
	}
	k.Tables = append(k.Tables, s.Table)
	return nil
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

func (s *AddColumns) apply(k *Keyspace) error {
	t, err := k.alterable(s.Table, s.IfExists)
	if t == nil {
		return err
	}
	if s.fault != nil {
		return s.fault
	}
	added := t.Columns
	for _, c := range s.Columns {
		if err := k.known(c.Type); err != nil {
			return err
		}
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

func (s *DropColumns) apply(k *Keyspace) error {
	t, err := k.alterable(s.Table, s.IfExists)
	if t == nil {
		return err
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

func (s *RenameColumns) apply(k *Keyspace) error {
	t, err := k.alterable(s.Table, s.IfExists)
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
			return fmt.Errorf("two columns of %s cannot become %s", s.Table, to[from])
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
func lastNames(in []Rename) map[string]string {
	to := map[string]string{}
	for _, r := range in {
		to[r.From] = r.To
	}
	return to
}

func (s *SetOptions) apply(k *Keyspace) error {
	t, err := k.alterable(s.Table, s.IfExists)
	if t == nil {
		return err
	}
	now := optionsOf(t)
	// The server keeps the chance of false positives that it took from the compaction when the table was made.
	now[property.FalsePositives] = Option(t, property.FalsePositives)
	maps.Copy(now, s.Options)
	become := &schema.Table{Name: t.Name, Properties: Options(now)}
	if err := expiring(become, k.hasCounter(t)); err != nil {
		return err
	}
	t.Properties = become.Properties
	return nil
}

func (s *DropTable) apply(k *Keyspace) error {
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
