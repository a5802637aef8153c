package catalog

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

func (s *CreateIndex) apply(k *Keyspace) error {
	t := k.Table(s.Table)
	if t == nil {
		return fmt.Errorf("there is no table %s to index", s.Table)
	}
	name := s.Name
	if name == "" {
		name = indexname.Free(s.Table, s.spec.column, func(name string) bool { t, _ := k.Index(name); return t != nil })
	}
	if _, there := k.Index(name); there != nil {
		return unless(s.IfNotExists, "index %s is there already", name)
	}
	i, err := s.spec.on(t, name)
	if err != nil {
		return err
	}
	if same := equalIndex(t, i); same != nil {
		return unless(s.IfNotExists, "index %s would be what index %s is already", name, same.Name)
	}
	if !indexName.MatchString(name) {
		return fmt.Errorf("index %q has a name that is not of up to 222 letters, digits and _", name)
	}
	t.Indexes = append(t.Indexes, i)
	return nil
}

// indexName is what the server allows as the name of an index. What it is too long for is a file, and the server does not survive
// that.
var indexName = regexp.MustCompile(`^[0-9A-Za-z_]{1,222}$`)

// equalIndex finds an index of a table that differs in nothing but its name; nil is none.
func equalIndex(t *schema.Table, i *schema.Index) *schema.Index {
	for _, o := range t.Indexes {
		if SameIndex(o, i) {
			return o
		}
	}
	return nil
}

func (s *DropIndex) apply(k *Keyspace) error {
	t, _ := k.Index(s.Name)
	if t == nil {
		return unless(s.IfExists, "there is no index %s", s.Name)
	}
	t.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(i *schema.Index) bool { return i.Name == s.Name })
	return nil
}
