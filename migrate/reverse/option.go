package reverse

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// index adds the option of an index that the language can declare on a column. One of another name is left alone: the server
// makes no second index that is equal to it, whatever its name.
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
			w.remarks.refuse(named, "an index of a model is called after table and column; to have it there, add index to the field, and "+
				"DROP INDEX IF EXISTS "+model.Quote(i.Name)+" before the CREATE INDEX that aml diff writes for "+model.Quote(name))
			continue
		}
		f.option("index", indexOptions(i.Options))
		return
	}
}

func indexOption(name string) string { return "index " + name }

// indexOptions writes options as the language does: a=b, c=d.
func indexOptions(options []model.IndexOption) string {
	var out []string
	for _, o := range options {
		out = append(out, o.Name+"="+o.Value)
	}
	return strings.Join(out, ", ")
}

// ownOptions are the options of a marker for properties that do not stand in with=.
var ownOptions = map[string]string{"comment": "comment", "default_time_to_live": "ttl", "gc_grace_seconds": "gc_grace"}

// marker makes the tag of a table's marker: its name and its properties.
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

// unquoted returns what a string of CQL says; what is none stays.
func unquoted(s string) string {
	if !strings.HasPrefix(s, "'") {
		return s
	}
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
}
