package catalog

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

func (k *Keyspace) createIndex(s *ddl.CreateIndex) error {
	t := k.Table(s.Table)
	if t == nil {
		return fmt.Errorf("there is no table %s to index", s.Table)
	}
	name := s.Name
	if name == "" {
		name = indexname.Free(s.Table, s.Column, func(name string) bool { t, _ := k.Index(name); return t != nil })
	}
	if _, there := k.Index(name); there != nil {
		return existenceError(s.IfNotExists, "index %s already exists", name)
	}
	i, err := indexOn(t, name, s)
	if err != nil {
		return err
	}
	if same := equalIndex(t, i); same != nil {
		return existenceError(s.IfNotExists, "index %s is equal to index %s", name, same.Name)
	}
	return k.AddIndex(s.Table, i)
}

// AddIndex adds an index to a table.
func (k *Keyspace) AddIndex(table string, i *schema.Index) error {
	if !fileName(i.Name) {
		return fmt.Errorf("the name of index %q is invalid: it must have 1 to 222 letters, digits and _", i.Name)
	}
	t := k.Table(table)
	t.Indexes = append(slices.Clip(t.Indexes), i)
	return nil
}

// equalIndex returns an index of a table that differs only in its name; nil if there is none.
func equalIndex(t *schema.Table, i *schema.Index) *schema.Index {
	for _, o := range t.Indexes {
		if SameIndex(o, i) {
			return o
		}
	}
	return nil
}

func (k *Keyspace) dropIndex(s *ddl.DropIndex) error {
	t, _ := k.Index(s.Name)
	if t == nil {
		return existenceError(s.IfExists, "there is no index %s", s.Name)
	}
	t.Indexes = slices.DeleteFunc(slices.Clone(t.Indexes), func(i *schema.Index) bool { return i.Name == s.Name })
	return nil
}

// indexClass returns the class of an index in the form of [schema.Index.Class]: "" for SAI in any spelling.
func indexClass(name string) string {
	switch class := indexname.Class(name); class {
	case indexname.SAI:
		return ""
	case "":
		return indexname.Legacy
	default:
		return class
	}
}

// indexTarget returns the target of an index: a column, or keys(column), values(column), entries(column) or full(column). Without a
// function, the target is values(column) for a collection that is not frozen.
func indexTarget(c *schema.Column, function string) string {
	if function == "" && c.Type.MultiCell() && !c.Type.UDT {
		function = "values"
	}
	if function == "" {
		return model.Quote(c.Name)
	}
	return function + "(" + model.Quote(c.Name) + ")"
}

// indexOptions returns the options of an index in the canonical form, without its class and its target.
func indexOptions(given map[string]string) []model.IndexOption {
	var out []model.IndexOption
	for _, k := range slices.Sorted(maps.Keys(given)) {
		if k != "class_name" && k != "target" {
			out = append(out, model.IndexOption{Name: k, Value: given[k]})
		}
	}
	return out
}

// SameIndex reports whether two indexes differ at most in their names.
func SameIndex(a, b *schema.Index) bool {
	return a.Target == b.Target && a.Class == b.Class && slices.Equal(a.Options, b.Options)
}

// indexOn returns the index that a statement creates on a table.
func indexOn(t *schema.Table, name string, s *ddl.CreateIndex) (*schema.Index, error) {
	c := Column(t, s.Column)
	switch {
	case s.More:
		return nil, errors.New("an index of several columns is not supported")
	case c == nil:
		return nil, fmt.Errorf("table %s has no column %s to index", t.Name, s.Column)
	}
	return &schema.Index{Name: name, Target: indexTarget(c, s.Function), Options: indexOptions(s.Options), Class: indexClass(s.Class)}, nil
}

// NewIndex returns the index that a statement creates in a keyspace.
func (k *Keyspace) NewIndex(s *ddl.CreateIndex) (*schema.Index, error) {
	t := k.Table(s.Table)
	if t == nil {
		return nil, fmt.Errorf("there is no table %s to index", s.Table)
	}
	return indexOn(t, s.Name, s)
}

var targets = regexp.MustCompile(`^(?s)(?:keys|values|entries|full)\((.*)\)$`)

// IndexedColumn returns the name of the indexed column.
func IndexedColumn(i *schema.Index) string {
	name := i.Target
	if m := targets.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	if strings.HasPrefix(name, `"`) {
		return strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
	}
	return name
}

// createView records the name and the table of a view.
func (k *Keyspace) createView(s *ddl.CreateView) error {
	switch {
	case k.Table(s.Base) == nil:
		return fmt.Errorf("there is no table %s for a view", s.Base)
	case k.Table(s.Name) != nil:
		return fmt.Errorf("view %s has the name of a table", s.Name)
	case k.views[s.Name] != nil:
		return existenceError(s.IfNotExists, "view %s already exists", s.Name)
	}
	k.addView(s.Name, s)
	return nil
}

// addView records a view.
func (k *Keyspace) addView(name string, s *ddl.CreateView) {
	if k.views == nil {
		k.views = map[string]*ddl.CreateView{}
	}
	k.views[name] = s
}

func (k *Keyspace) dropView(s *ddl.DropView) error {
	if k.views[s.Name] == nil {
		return existenceError(s.IfExists, "there is no view %s", s.Name)
	}
	delete(k.views, s.Name)
	return nil
}

// viewNames returns the names of the views of a table, sorted.
func (k *Keyspace) viewNames(table string) []string {
	var out []string
	for name, v := range k.views {
		if v.Base == table {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
