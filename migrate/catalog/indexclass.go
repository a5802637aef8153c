package catalog

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// indexClass returns the name under which a class of indexes stands in [schema.Index.Class]: "" for SAI, however it is
// written.
func indexClass(name string) string {
	if class := indexname.Class(name); class != indexname.SAI {
		return class
	}
	return ""
}

// indexTarget writes what an index is on: a column, or keys(column), values(column), entries(column), full(column). Without
// a function it is the values of a collection whose elements are cells of their own.
func indexTarget(c *schema.Column, function string) string {
	if function == "" && c.Type.MultiCell() && !c.Type.UDT {
		function = "values"
	}
	if function == "" {
		return model.Quote(c.Name)
	}
	return function + "(" + model.Quote(c.Name) + ")"
}

// indexOptions writes the options of an index, in which its class and its target are none, one way.
func indexOptions(given map[string]string) []model.IndexOption {
	var out []model.IndexOption
	for _, k := range slices.Sorted(maps.Keys(given)) {
		if k != "class_name" && k != "target" {
			out = append(out, model.IndexOption{Name: k, Value: given[k]})
		}
	}
	return out
}

// SameIndex reports whether two indexes differ in nothing but their names.
func SameIndex(a, b *schema.Index) bool {
	return a.Target == b.Target && a.Class == b.Class && slices.Equal(a.Options, b.Options)
}

// on returns the index of a table.
func (i indexSpec) on(t *schema.Table, name string) (*schema.Index, error) {
	c := Column(t, i.column)
	if c == nil {
		return nil, fmt.Errorf("table %s has no column %s to index", t.Name, i.column)
	}
	return &schema.Index{Name: name, Target: indexTarget(c, i.function), Options: indexOptions(i.options), Class: i.class}, nil
}

// Index returns the index that a statement creates on the table of a keyspace.
func (s *CreateIndex) Index(k *Keyspace) (*schema.Index, error) {
	t := k.Table(s.Table)
	if t == nil {
		return nil, fmt.Errorf("there is no table %s to index", s.Table)
	}
	return s.spec.on(t, s.Name)
}

var targets = regexp.MustCompile(`^(?s)(?:keys|values|entries|full)\((.*)\)$`)

// IndexedColumn returns the name of the column that an index is on.
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
