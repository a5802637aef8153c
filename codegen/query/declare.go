package query

import (
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// deriver derives a redundant aggregate from a request.
type deriver struct {
	*check
	*request
	base      *model.Aggregate // whose rows the aggregate has
	element   *restriction     // CONTAINS: a row for each element
	partition []*schema.Column // if element is set, its collection represents the element
	sorted    []sortedColumn
	when      *schema.Column // the rows without a value of it are left out, because it is in the key
}

type sortedColumn struct {
	*schema.Column
	order model.Order
}

// declare returns the struct of the aggregate.
func (d *deriver) declare() *model.Struct {
	name, table := d.names()
	pos := func(line int) model.Pos { return model.Pos{File: name, Line: line, Col: 1} }
	s := &model.Struct{Name: name, Path: d.Model.Package.Path, Pkg: d.Model.Package.Name, Marker: model.AggregateMarker, Pos: pos(1)}
	s.Tag = model.Literal{Text: d.marker(table).String(), Pos: pos(2), Found: true}
	add := func(c *schema.Column, options ...string) {
		f := d.field(c, options)
		f.Pos = pos(3 + len(s.Fields))
		f.Tag.Pos = f.Pos
		s.Fields = append(s.Fields, f)
	}
	for _, c := range d.partition {
		add(c, "identifier")
	}
	for _, c := range d.sorted {
		if c.order == model.Descending {
			add(c.Column, "discriminator", "desc")
		} else {
			add(c.Column, "discriminator")
		}
	}
	key := d.inKey()
	for _, c := range d.columns {
		if !slices.Contains(key, c) || d.element != nil && c == d.element.Column {
			add(c)
			key = append(key, c)
		}
	}
	return s
}

// marker returns the tag of the aggregate.
func (d *deriver) marker(table string) model.Tag {
	t := model.Tag{Name: table}
	option := func(key, value string) {
		t.Options = append(t.Options, model.Option{Key: key, Value: value, Valued: value != ""})
	}
	source := d.base.Struct.Name
	switch {
	case d.element != nil:
		source += "." + d.element.Attribute.GoName()
	case d.base.Redundancy != nil:
		o, _ := d.base.Tag.Option("redundant")
		source = o.Value
	}
	option("redundant", source)
	if o, ok := d.base.Tag.Option("when"); ok {
		option("when", o.Value)
	} else if d.when != nil {
		option("when", d.path(d.when).String())
	}
	if d.base.Redundancy != nil && d.base.Redundancy.Distinct {
		option("distinct", "")
	}
	return t
}

// path returns the path of a column's values in the source.
func (d *deriver) path(c *schema.Column) *model.Path { return sourcePath(d.base, c) }

// kept are the options of a field that describe its type, so that a copy has them, too.
var kept = []string{"composition", "qualifier", "final", "type", "from", "unique"}

// field returns the field of a column, with the options of its place in the key.
func (d *deriver) field(c *schema.Column, place []string) *model.Field {
	at := c.Attribute
	f := &model.Field{Name: at.GoName(), Type: at.Field.Type, Exported: true}
	t := model.Tag{Name: c.Name}
	for _, o := range place {
		t.Options = append(t.Options, model.Option{Key: o})
	}
	element := d.element != nil && c == d.element.Column && len(place) > 0
	for _, o := range at.Tag.Options {
		if !element && keeps(at, o.Key) {
			t.Options = append(t.Options, o)
		}
	}
	from := d.path(c).String()
	if element {
		f.Name, t.Name, f.Type = singular(at.GoName()), singular(c.Name), at.Field.Type.Elem
		from += ".$value"
	}
	if d.element != nil {
		t.Options = append(t.Options, model.Option{Key: "from", Value: from, Valued: true})
	}
	if len(place) > 0 && at.Type.Nullable && !element {
		f.Type = f.Type.Elem // T for *T, which a key cannot have
	}
	f.Tag = model.Literal{Text: t.String(), Found: true}
	return f
}

// keeps reports whether a copy of a field has one of its options: unique of a collection describes the type, and final of a value with
// several cells. On other fields the two are rules for the writes of the source, which are refused on a copy.
func keeps(at *model.Attribute, option string) bool {
	switch {
	case option == "unique" && !collection(at.Type), option == "final" && at.Fixed:
		return false
	}
	return slices.Contains(kept, option)
}

func collection(t *model.Type) bool {
	return t.Kind == model.List || t.Kind == model.Set || t.Kind == model.MapType
}

// singular returns a name without a plural s.
func singular(name string) string {
	one := strings.TrimSuffix(name, "s")
	if stem, ok := strings.CutSuffix(one, "ie"); ok {
		one = stem + "y"
	}
	if one == name {
		return name + "Element"
	}
	return one
}

// names returns a new name of a struct and of its table, after the columns that the query restricts and sorts by.
func (d *deriver) names() (name, table string) {
	base, _, _ := strings.Cut(sourceRoot(d.base).Table, "_by_")
	name = sourceRoot(d.base).Struct.Name + "By"
	table = base + "_by_"
	for i, n := range d.words() {
		if i > 0 {
			name, table = name+"And", table+"_and_"
		}
		name, table = name+n, table+model.SnakeCase(n)
	}
	if !d.declares(name, table) {
		return name, table
	}
	for i := 2; ; i++ {
		if n := strconv.Itoa(i); !d.declares(name+n, table+"_"+n) {
			return name + n, table + "_" + n
		}
	}
}

// words returns the Go names of the columns of the key that the query has.
func (d *deriver) words() (out []string) {
	for _, c := range d.inKey() {
		switch asked := slices.ContainsFunc(d.where, func(w restriction) bool { return w.Column == c }) ||
			slices.ContainsFunc(d.order, func(o ordering) bool { return o.Column == c }); {
		case d.element != nil && c == d.element.Column:
			out = append(out, singular(c.Attribute.GoName()))
		case asked:
			out = append(out, c.Attribute.GoName())
		}
	}
	return out
}

// declares reports whether the package has a declaration or a table of a name.
func (d *deriver) declares(name, table string) bool {
	_, declared := d.Model.Package.Names[name]
	return declared || slices.ContainsFunc(d.Schema.Tables, func(t *schema.Table) bool { return t.Name == table })
}

// declaration returns the declaration of a struct in Go, with a comment after its name.
func declaration(s *model.Struct, comment string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s %s\ntype %s struct {\n\taml.Aggregate `aml:%q`\n\n", s.Name, comment, s.Name, s.Tag.Text)
	for _, f := range s.Fields {
		fmt.Fprintf(&b, "\t%s %s `aml:%q`\n", f.Name, f.Type.Text, f.Tag.Text)
	}
	b.WriteString("}\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		panic("query: the declaration of " + s.Name + " is invalid: " + err.Error())
	}
	return string(text)
}
