package catalog

import (
	"fmt"
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
	if k.hasCounter(t) {
		return fmt.Errorf("table %s holds counters, which cannot be indexed", t.Name)
	}
	i, err := s.spec.on(t, name)
	if err != nil {
		return err
	}
	c := Column(t, s.spec.column)
	if err := s.spec.check(k, t, c); err != nil {
		return err
	}
	if s.fault != nil {
		return s.fault
	}
	same, err := k.besides(t, i, s.spec.written)
	if same != nil {
		return unless(s.IfNotExists, "index %s would be what index %s is already", name, same.Name)
	}
	for _, refused := range []error{err, s.spec.accepted(t, c), settings(t)} {
		if refused != nil {
			return refused
		}
	}
	if !indexName.MatchString(name) {
		return fmt.Errorf("index %q has a name that is not of up to 222 letters, digits and _", name)
	}
	t.Indexes = append(t.Indexes, i)
	k.called(name, s.spec.written)
	return nil
}

// called remembers what a statement calls the class of an index.
func (k *Keyspace) called(index, class string) {
	if k.classes == nil {
		k.classes = map[string]string{}
	}
	k.classes[index] = class
}

func (s *DropIndex) apply(k *Keyspace) error {
	t, _ := k.Index(s.Name)
	if t == nil {
		return unless(s.IfExists, "there is no index %s", s.Name)
	}
	t.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(i *schema.Index) bool { return i.Name == s.Name })
	return nil
}
