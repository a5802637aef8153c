package reverse

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// A struct stands at lines of its own, its fields behind it, so that a place tells what it is. Columns up to the length
// of any tag are those of the tag.
const (
	linesEach = 1000
	behindTag = 1 << 20
)

// judge has the language read the structs, and records what it refuses. Without a refusal it gives the model.
func (w *writer) judge(name string) (*model.Model, error) {
	all := reachable(w.tables)
	m, faults := model.Build(packageOf(name, all))
	for _, d := range faults {
		if d.Rule.Severity != model.Refusal {
			continue
		}
		i, j := d.Pos.Line/linesEach-1, d.Pos.Line%linesEach-1
		if i < 0 || i >= len(all) || j >= len(all[i].fields) {
			return nil, fmt.Errorf("the language refuses what was written, at no place of it: %s", d)
		}
		w.reasons.refuse(refused(all[i], j, d), d.Rule.Code+": "+d.What)
	}
	return m, nil
}

// packageOf returns the structs as the loader would read them from their source.
func packageOf(name string, all []*structure) *model.Package {
	p := &model.Package{Path: name, Name: name}
	for i, s := range all {
		at := model.Pos{Line: (i + 1) * linesEach}
		s.of.Path, s.of.Pkg, s.of.Tag, s.of.Pos = name, name, literal(s.tag, at), placed(at)
		s.of.Fields = nil
		for j, f := range s.fields {
			at := model.Pos{Line: (i+1)*linesEach + j + 1}
			s.of.Fields = append(s.of.Fields, &model.Field{Name: f.name, Type: f.shape.of, Exported: true, Pos: placed(at), Tag: literal(f.tag, at)})
		}
		if s.marker != model.Plain {
			p.Structs = append(p.Structs, s.of)
		}
	}
	return p
}

func literal(t model.Tag, at model.Pos) model.Literal {
	text := tagText(t)
	return model.Literal{Text: text, Pos: at, Exact: true, Found: text != ""}
}

func placed(at model.Pos) model.Pos { return model.Pos{Line: at.Line, Col: behindTag} }

// refused returns what a diagnostic is about: an option that can be left out, a field, or the struct.
func refused(s *structure, field int, d model.Diagnostic) subject {
	of, tag := s.subject, s.tag
	if field >= 0 {
		of, tag = s.fields[field].subject, s.fields[field].tag
	}
	of.option = optional(of, optionAt(literal(tag, model.Pos{Line: d.Pos.Line}), d.Pos))
	return of
}

// optionAt returns the key of the option at a place; "" is none.
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

// optional returns an option by the name that it has in a subject, when the rest can stand without it.
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

// refusedProperty returns why the language refuses a property by itself; "" is nothing.
func refusedProperty(p schema.Property) string {
	s := newStructure(model.AggregateMarker, "T")
	s.tag = model.Tag{Name: "t", Options: []model.Option{option("with", p.Name+" = "+p.Value)}}
	s.fields = []*field{{name: "ID", shape: shape{of: &model.GoType{Kind: model.Int, Text: "int"}}, tag: model.Tag{Name: "id", Options: []model.Option{option("identifier", "")}}}}
	_, faults := model.Build(packageOf("p", []*structure{s}))
	for _, d := range faults {
		if d.Rule.Severity == model.Refusal {
			return d.Rule.Code + ": " + d.What
		}
	}
	return ""
}

// gap is one thing that the keyspace has and the model has not, or otherwise.
type gap struct {
	table string // whose struct it is told at; "" for the whole package
	text  string
}

func lines(gaps []gap) []string {
	var out []string
	for _, g := range gaps {
		out = append(out, g.text)
	}
	return out
}

// gaps compares the schema of the model with the keyspace, and adds what a schema cannot hold.
func (w *writer) gaps(m *model.Model) ([]gap, error) {
	given, err := catalog.Of(schema.Of(m))
	if err != nil {
		return nil, err
	}
	var out []gap
	for _, d := range catalog.Compare(given, w.from) {
		out = append(out, gap{table: w.told(d.Table), text: d.Subject() + ": " + w.why(d, catalog.AlikeField(w.from, given, d.Type, d.Column))})
	}
	for _, n := range w.from.Notes {
		out = append(out, gap{table: w.told(n.Table), text: n.String()})
	}
	return out, nil
}

// told returns the table at whose struct something is told; "" for none.
func (w *writer) told(table string) string {
	for _, s := range w.tables {
		if s.table == table {
			return table
		}
	}
	return ""
}

// why returns why the model differs from the keyspace, or only says otherwise what is stored alike.
func (w *writer) why(d catalog.Difference, alike bool) string {
	of := subject{udt: d.Type, table: d.Table, column: d.Column, option: d.Property}
	if d.Index != "" {
		of.option = indexOption(d.Index)
	}
	switch {
	case alike:
		return "it is " + d.Want + ", and a model can only say " + d.Have + "; what is stored is the same, and a store takes it"
	case w.reasons[of] != "":
		return w.reasons[of]
	case w.remarks[of] != "":
		return w.remarks[of]
	case d.Type != "" && d.Column == "" && d.Have == "":
		return "no column of the model needs it"
	case d.Index != "" && d.Have == "":
		return "a model has no index " + d.Want
	case d.Have == "":
		return "a model cannot say " + d.Want
	case d.Want == "":
		return "the model has it beside: " + d.Have
	}
	return "it is " + d.Want + ", and a model can only say " + d.Have
}
