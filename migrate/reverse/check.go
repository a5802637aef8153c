package reverse

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// place is a struct or one of its fields. Each place is a separate file in the package that is checked, so that the position of a
// diagnostic identifies it.
type place struct {
	structure *structure
	field     *field // nil for the struct
}

// nameColumn is the column of a name. Smaller columns are in its tag.
const nameColumn = 1 << 20

// check builds the model of the structs, and records the objects that the language refuses. The model is complete if nothing is refused.
func (w *writer) check(name string) (*model.Model, error) {
	p, places := newPackage(name, reachable(w.tables))
	m, faults := model.Build(p)
	for _, d := range faults {
		if d.Rule.Severity != model.Refusal {
			continue
		}
		at, known := places[d.Pos.File]
		if !known {
			return nil, fmt.Errorf("the language refuses the model at an unknown position: %s", d)
		}
		w.reasons.refuse(at.refused(d), d.Rule.Code+": "+d.What)
	}
	return m, nil
}

// newPackage returns the structs as the loader would read them from their source, and the place of each position.
func newPackage(name string, all []*structure) (*model.Package, map[string]place) {
	p := &model.Package{Path: name, Name: name}
	places := map[string]place{}
	position := func(of place) model.Pos {
		file := fmt.Sprintf("place %04d", len(places))
		places[file] = of
		return model.Pos{File: file, Line: 1}
	}
	for _, s := range all {
		at := position(place{s, nil})
		s.of.Path, s.of.Pkg, s.of.Tag, s.of.Pos = name, name, literal(s.tag, at), nameAt(at)
		s.of.Fields = nil
		for _, f := range s.fields {
			at := position(place{s, f})
			s.of.Fields = append(s.of.Fields, &model.Field{Name: f.name, Type: f.shape.of, Exported: true, Pos: nameAt(at), Tag: literal(f.tag, at)})
		}
		if s.marker != model.Plain {
			p.Structs = append(p.Structs, s.of)
		}
	}
	return p, places
}

func literal(t model.Tag, at model.Pos) model.Literal {
	text := tagText(t)
	return model.Literal{Text: text, Pos: at, Exact: true, Found: text != ""}
}

func nameAt(at model.Pos) model.Pos {
	at.Col = nameColumn
	return at
}

// refused returns the subject of a diagnostic: an option that can be omitted, a field, or the struct.
func (p place) refused(d model.Diagnostic) subject {
	of, tag := p.structure.subject, p.structure.tag
	if p.field != nil {
		of, tag = p.field.subject, p.field.tag
	}
	of.option = optional(of, optionAt(literal(tag, model.Pos{File: d.Pos.File, Line: 1}), d.Pos))
	return of
}

// optionAt returns the key of the option at a position; "" if there is none.
func optionAt(l model.Literal, at model.Pos) string {
	t, err := model.ParseTag(l)
	if err != nil {
		return ""
	}
	i := slices.IndexFunc(t.Options, func(o model.Option) bool { return o.Pos == at })
	if i < 0 {
		return ""
	}
	return t.Options[i].Key
}

// optional returns the name of an option in a subject if the option can be omitted; "" if it cannot.
func optional(of subject, key string) string {
	if of.column != "" {
		if key == "index" {
			return key
		}
		return ""
	}
	if key == "with" {
		return key
	}
	for property, own := range ownOptions {
		if key == own {
			return property
		}
	}
	return ""
}

// refusedProperty returns why the language refuses a property; "" if it does not.
func refusedProperty(p schema.Property) string {
	s := newStructure(model.AggregateMarker, "T")
	s.tag = model.Tag{Name: "t", Options: []model.Option{option("with", p.Name+" = "+p.Value)}}
	s.fields = []*field{{name: "ID", shape: shape{of: &model.GoType{Kind: model.Int, Text: "int"}}, tag: model.Tag{Name: "id", Options: []model.Option{option("identifier", "")}}}}
	alone, _ := newPackage("p", []*structure{s})
	_, faults := model.Build(alone)
	for _, d := range faults {
		if d.Rule.Severity == model.Refusal {
			return d.Rule.Code + ": " + d.What
		}
	}
	return ""
}

// gap is one difference between the keyspace and the model.
type gap struct {
	table string // the table whose struct has the comment; "" for the package
	text  string
}

func lines(gaps []gap) []string {
	var out []string
	for _, g := range gaps {
		out = append(out, g.text)
	}
	return out
}

// gaps returns the differences between the schema of the model and the keyspace, and its other objects.
func (w *writer) gaps(m *model.Model) ([]gap, error) {
	have, err := catalog.New(schema.New(m))
	if err != nil {
		return nil, err
	}
	var out []gap
	for _, d := range catalog.Compare(have, w.from) {
		out = append(out, gap{table: w.commented(d.Table), text: d.Subject() + ": " + w.explainDifference(d, catalog.SameFieldStorage(w.from, have, d.Type, d.Column))})
	}
	for _, n := range w.from.Notes {
		out = append(out, gap{table: w.commented(n.Table), text: n.String()})
	}
	return out, nil
}

// commented returns the name of a table that has a struct; "" for any other.
func (w *writer) commented(table string) string {
	for _, s := range w.tables {
		if s.table == table {
			return table
		}
	}
	return ""
}

// explainDifference returns why the model differs from the keyspace.
func (w *writer) explainDifference(d catalog.Difference, alike bool) string {
	of := subject{udt: d.Type, table: d.Table, column: d.Column, option: d.Property}
	if d.Index != "" {
		of.option = indexOption(d.Index)
	}
	switch {
	case alike:
		return "it is " + d.Want + ", which a model can only declare as " + d.Have + "; the values are stored in the same way, and a store accepts it"
	case w.reasons[of] != "":
		return w.reasons[of]
	case w.remarks[of] != "":
		return w.remarks[of]
	case d.Type != "" && d.Column == "" && d.Have == "":
		return "no column of the model uses it"
	case d.Index != "" && d.Have == "":
		return "a model cannot declare the index " + d.Want
	case d.Have == "":
		return "a model cannot declare " + d.Want
	case d.Want == "":
		return "only the model has it: " + d.Have
	}
	return "it is " + d.Want + ", which a model can only declare as " + d.Have
}

func indexOption(name string) string { return "index " + name }

// ownOptions are the options of a marker for properties that are not in with=.
var ownOptions = map[string]string{"comment": "comment", "default_time_to_live": "ttl", "gc_grace_seconds": "gc_grace"}
