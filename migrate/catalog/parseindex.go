package catalog

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// indexSpec is an index before the type of its column is known.
type indexSpec struct {
	column   string
	function string // keys, values, entries or full; "" for the column itself
	class    string
	options  map[string]string
}

func (p *parser) createIndex() Statement {
	s := &CreateIndex{IfNotExists: p.Accept("IF", "NOT", "EXISTS")}
	if !p.Peek().Is("ON") {
		s.Name = p.name()
	}
	p.expect("ON")
	keyspace := ""
	s.Table, keyspace = p.target()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	s.spec = p.index()
	return s
}

// index takes (column) USING 'class' WITH OPTIONS = {…}.
func (p *parser) index() indexSpec {
	var i indexSpec
	p.expect("(")
	i.column = p.name()
	if p.Accept("(") {
		i.function = strings.ToLower(i.column)
		i.column = p.name()
		p.expect(")")
		if !slices.Contains([]string{"keys", "values", "entries", "full"}, i.function) {
			p.fail(i.function + "() is nothing of a column that can be indexed")
		}
	}
	if p.Peek().Is(",") {
		p.fail("an index of several columns is not known")
	}
	p.expect(")")
	i.class = legacy
	if p.Accept("USING") {
		i.class = IndexClass(p.value().text)
	}
	if p.Accept("WITH") {
		p.expect("OPTIONS")
		p.expect("=")
		i.options = p.value().entries
	}
	return i
}

// legacy is the class of an index that is created without one.
const legacy = "legacy_local_table"

// IndexClass gives the name under which a class of indexes stands in [schema.Index.Class]: "" for SAI, however it is
// written.
func IndexClass(name string) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch strings.ToLower(last) {
	case "sai", "storageattachedindex":
		return ""
	case "sasi", "sasiindex":
		return "SASIIndex"
	case legacy:
		return legacy
	}
	return last
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

// IndexedColumn gives the name of the column that an index is on.
func IndexedColumn(i *schema.Index) string {
	m := regexp.MustCompile(`(?s)^(?:(?:keys|values|entries|full)\()?(.*?)\)?$`).FindStringSubmatch(i.Target)
	if strings.HasPrefix(m[1], `"`) {
		return strings.ReplaceAll(m[1][1:len(m[1])-1], `""`, `"`)
	}
	return m[1]
}

// Index gives the index that a statement creates on the table of a keyspace.
func (s *CreateIndex) Index(k *Keyspace) (*schema.Index, error) {
	t := k.Table(s.Table)
	if t == nil {
		return nil, fmt.Errorf("there is no table %s to index", s.Table)
	}
	return s.spec.on(t, s.Name)
}
