package catalog

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

func (s *CreateIndex) apply(k *Keyspace) error {
	t := k.Table(s.Table)
	if t == nil {
		return fmt.Errorf("there is no table %s to index", s.Table)
	}
	name := s.Name
	if name == "" {
		name = k.indexName(s.Table, s.spec.column)
	}
	if _, there := k.Index(name); there != nil {
		return unless(s.IfNotExists, "index %s is there already", name)
	}
	i, err := s.spec.on(t, name)
	if err != nil {
		return err
	}
	for _, o := range t.Indexes {
		if SameIndex(o, i) {
			return unless(s.IfNotExists, "index %s would be what index %s is already", name, o.Name)
		}
	}
	t.Indexes = append(t.Indexes, i)
	return nil
}

// indexName gives an index the name that the server does: table_column_idx, with a number behind it when that is taken.
func (k *Keyspace) indexName(table, column string) string {
	other := regexp.MustCompile(`\W`)
	base := other.ReplaceAllString(table, "") + "_" + other.ReplaceAllString(column, "") + "_idx"
	name := base
	for n := 1; ; n++ {
		if _, taken := k.Index(name); taken == nil {
			return name
		}
		name = fmt.Sprintf("%s_%d", base, n)
	}
}

func (s *DropIndex) apply(k *Keyspace) error {
	t, _ := k.Index(s.Name)
	if t == nil {
		return unless(s.IfExists, "there is no index %s", s.Name)
	}
	t.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(i *schema.Index) bool { return i.Name == s.Name })
	return nil
}
