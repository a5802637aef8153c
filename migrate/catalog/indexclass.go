package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
)

// legacy is the class of an index that is created without one, and sasi that of those that came before SAI.
const (
	legacy = "legacy_local_table"
	sasi   = "SASIIndex"
)

// The classes of the server's own indexes, by their whole names.
const (
	saiClass  = "org.apache.cassandra.index.sai.StorageAttachedIndex"
	sasiClass = "org.apache.cassandra.index.sasi.SASIIndex"
)

// IndexClass gives the name under which a class of indexes stands in [schema.Index.Class]: "" for SAI, however it is
// written.
func IndexClass(name string) string {
	switch strings.ToLower(name) {
	case "sai", "storageattachedindex", strings.ToLower(saiClass):
		return ""
	case legacy:
		return legacy
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// classForm says why the server knows no such class of indexes.
func classForm(name string) error {
	if name == sasiClass || property.Foreign(name) || IndexClass(name) == "" && (name == saiClass || !strings.Contains(name, ".")) {
		return nil
	}
	return fmt.Errorf("there is no class %s of indexes", name)
}

// IndexTarget writes what an index is on: a column, or keys(column), values(column), entries(column), full(column). Without
// a function it is the values of a collection whose elements are cells of their own.
func IndexTarget(c *schema.Column, function string) string {
	if function == "" && c.Type.MultiCell() && !c.Type.UDT {
		function = "values"
	}
	if function == "" {
		return model.Quote(c.Name)
	}
	return function + "(" + model.Quote(c.Name) + ")"
}

// IndexOptions writes the options of an index, in which its class and its target are none, one way.
func IndexOptions(given map[string]string) []model.IndexOption {
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

// on gives the index of a table.
func (i indexSpec) on(t *schema.Table, name string) (*schema.Index, error) {
	c := Column(t, i.column)
	if c == nil {
		return nil, fmt.Errorf("table %s has no column %s to index", t.Name, i.column)
	}
	return &schema.Index{Name: name, Target: IndexTarget(c, i.function), Options: IndexOptions(i.options), Class: i.class}, nil
}

// Index gives the index that a statement creates on the table of a keyspace.
func (s *CreateIndex) Index(k *Keyspace) (*schema.Index, error) {
	t := k.Table(s.Table)
	if t == nil {
		return nil, fmt.Errorf("there is no table %s to index", s.Table)
	}
	return s.spec.on(t, s.Name)
}

// IndexedColumn gives the name of the column that an index is on.
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
