package reverse

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// table creates the struct of a table. If a column of its key is refused, the table is refused.
func (w *writer) table(t *schema.Table, name string) {
	of := subject{table: t.Name}
	if w.reasons[of] != "" {
		return
	}
	s := newStructure(model.AggregateMarker, name)
	s.subject, s.tag = of, w.marker(t)
	s.about = name + " is a row of table " + model.Quote(t.Name) + "."
	var cql []string
	for _, c := range t.Columns {
		cql = append(cql, c.Name)
	}
	names := goNames(cql, "Column", map[string]bool{"Aggregate": true})
	for _, c := range t.Ordered() {
		f, err := w.column(s, names[c.Name], t, c)
		switch {
		case err == nil:
			s.fields = append(s.fields, f)
		case slices.Contains(t.Key(), c):
			w.reasons.refuse(of, "column "+model.Quote(c.Name)+" of its key: "+err.Error())
			return
		default:
			w.reasons.refuse(subject{table: t.Name, column: c.Name}, err.Error())
		}
	}
	w.tables = append(w.tables, s)
}

// column creates the field of a column.
func (w *writer) column(in *structure, name string, t *schema.Table, c *schema.Column) (*field, error) {
	w.at = subject{table: t.Name, column: c.Name}
	if why := w.reasons[w.at]; why != "" {
		return nil, errors.New(why)
	}
	if c.Type.Counter() {
		return w.counter(name, c), nil
	}
	if f := w.from.Unfrozen(c.Type); f != nil {
		return nil, fmt.Errorf("its type %s is not frozen, and neither is its field %s, %s: a store cannot read such a column",
			model.Quote(c.Type.Name), model.Quote(f.Name), f.Type)
	}
	f, err := w.field(in, name, c.Name, c.Type)
	if err != nil {
		return nil, err
	}
	f.subject = w.at
	f.tag.Options = append(keyOptions(c), f.tag.Options...)
	if multiCell := c.Type.UDT || c.Type.Name == "list" || c.Type.Name == "set" || c.Type.Name == "map"; multiCell && c.Type.Frozen {
		f.option("final", "")
	}
	w.index(f, t, c)
	return f, nil
}

func (w *writer) counter(name string, c *schema.Column) *field {
	f := &field{subject: w.at, name: name, tag: model.Tag{Name: c.Name, Options: keyOptions(c)}}
	f.shape = shape{text: "int64", of: &model.GoType{Kind: model.Int64, Text: "int64"}}
	f.option("counter", "")
	return f
}

// keyOptions returns the options for the kind of a column.
func keyOptions(c *schema.Column) []model.Option {
	switch {
	case c.Kind == schema.PartitionKey:
		return []model.Option{option("identifier", "")}
	case c.Kind == schema.ClusteringKey && c.Order == model.Descending:
		return []model.Option{option("discriminator", ""), option("desc", "")}
	case c.Kind == schema.ClusteringKey:
		return []model.Option{option("discriminator", "")}
	case c.Kind == schema.Static:
		return []model.Option{option("static", "")}
	}
	return nil
}

// index adds the option for an index if the language can declare it with its name. The server creates no second index that is equal to
// one with another name.
func (w *writer) index(f *field, t *schema.Table, c *schema.Column) {
	target := model.Quote(c.Name)
	if c.Type.MultiCell() {
		target = "values(" + target + ")"
	}
	for _, i := range t.Indexes {
		if i.Target != target || i.Class != "" {
			continue
		}
		named := subject{table: t.Name, option: indexOption(i.Name)}
		if why := w.reasons[subject{table: t.Name, column: c.Name, option: "index"}]; why != "" {
			w.remarks.refuse(named, why)
			continue
		}
		if name := t.Name + "__" + c.Name + "_index"; name != i.Name {
			w.remarks.refuse(named, "the index of a model is named after its table and column; to declare it, add index to the field, and "+
				"write DROP INDEX IF EXISTS "+model.Quote(i.Name)+" before the CREATE INDEX that aml diff writes for "+model.Quote(name))
			continue
		}
		f.option("index", indexOptions(i.Options))
		return
	}
}

// indexOptions returns options in the form of the language: a=b, c=d.
func indexOptions(options []model.IndexOption) string {
	var out []string
	for _, o := range options {
		out = append(out, o.Name+"="+o.Value)
	}
	return strings.Join(out, ", ")
}

// marker returns the tag of a table's marker: its name and its properties.
func (w *writer) marker(t *schema.Table) model.Tag {
	tag := model.Tag{Name: t.Name}
	var with []string
	together := w.reasons[subject{table: t.Name, option: "with"}]
	for _, p := range t.Properties {
		of := subject{table: t.Name, option: p.Name}
		if w.reasons[of] != "" {
			continue
		}
		if own := ownOptions[p.Name]; own != "" {
			tag.Options = append(tag.Options, option(own, unquoted(p.Value)))
			continue
		}
		why := together
		if why == "" {
			why = refusedProperty(p)
		}
		if why != "" {
			w.reasons.refuse(of, why)
			continue
		}
		with = append(with, p.Name+" = "+p.Value)
	}
	if with != nil {
		tag.Options = append(tag.Options, option("with", strings.Join(with, " AND ")))
	}
	return tag
}

// unquoted returns the text of a CQL string; any other value is returned unchanged.
func unquoted(s string) string {
	if !strings.HasPrefix(s, "'") {
		return s
	}
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
}
