package catalog

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// apply knows of a view what its table and its key make of it. What it selects is not judged.
func (s *CreateView) apply(k *Keyspace) error {
	t := k.Table(s.Base)
	switch {
	case t == nil:
		return fmt.Errorf("there is no table %s for a view", s.Base)
	case k.Table(s.Name) != nil:
		return fmt.Errorf("view %s has the name of a table", s.Name)
	case k.views[s.Name] != nil:
		return unless(s.IfNotExists, "view %s is there already", s.Name)
	case k.hasCounter(t):
		return fmt.Errorf("table %s holds counters, and can have no view", t.Name)
	case Option(t, "gc_grace_seconds") == "0":
		return fmt.Errorf("gc_grace_seconds of %s is 0, and so it can have no view", t.Name)
	}
	if err := k.checkViewKey(t, s); err != nil {
		return err
	}
	k.see(s.Name, s)
	return nil
}

// checkViewKey returns why the server refuses the key of a view.
func (k *Keyspace) checkViewKey(t *schema.Table, s *CreateView) error {
	key, beyond := s.key(), 0
	for i, name := range key {
		c := Column(t, name)
		switch {
		case c == nil:
			return fmt.Errorf("%s of the primary key of view %s is no column of %s", name, s.Name, t.Name)
		case slices.Index(key, name) != i:
			return fmt.Errorf("%s is twice in the primary key of view %s", name, s.Name)
		case c.Kind == schema.Static || !k.keyable(c.Type):
			return fmt.Errorf("%s cannot be of the primary key of view %s", name, s.Name)
		case !c.InKey():
			beyond++
		}
	}
	for _, c := range t.Key() {
		if !slices.Contains(key, c.Name) {
			return fmt.Errorf("the primary key of view %s has not %s of that of %s", s.Name, c.Name, t.Name)
		}
	}
	if beyond > 1 {
		return fmt.Errorf("the primary key of view %s has %d columns beyond that of %s: one is allowed", s.Name, beyond, t.Name)
	}
	return nil
}

// see remembers a view.
func (k *Keyspace) see(name string, s *CreateView) {
	if k.views == nil {
		k.views = map[string]*CreateView{}
	}
	k.views[name] = s
}

func (s *DropView) apply(k *Keyspace) error {
	if k.views[s.Name] == nil {
		return unless(s.IfExists, "there is no view %s", s.Name)
	}
	delete(k.views, s.Name)
	return nil
}

// viewsOf lists the names of the views of a table, sorted.
func (k *Keyspace) viewsOf(table string) []string {
	var out []string
	for name, v := range k.views {
		if v.Base == table {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
