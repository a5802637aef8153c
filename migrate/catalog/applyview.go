package catalog

import (
	"fmt"
	"slices"
)

// apply knows the name and the table of a view.
func (s *CreateView) apply(k *Keyspace) error {
	switch {
	case k.Table(s.Base) == nil:
		return fmt.Errorf("there is no table %s for a view", s.Base)
	case k.Table(s.Name) != nil:
		return fmt.Errorf("view %s has the name of a table", s.Name)
	case k.views[s.Name] != nil:
		return unless(s.IfNotExists, "view %s is there already", s.Name)
	}
	k.see(s.Name, s)
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
