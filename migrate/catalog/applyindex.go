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
	if k.counts(t) {
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

var noWord = regexp.MustCompile(`\W`)

// indexName gives an index the name that the server does: table_column_idx, with a number behind it when that is taken.
func (k *Keyspace) indexName(table, column string) string {
	base := noWord.ReplaceAllString(table+"_"+column+"_idx", "")
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
