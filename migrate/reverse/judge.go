package reverse

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// place is what the language has read at a position: a struct, or a field of it. Each place is a file of its own, so that the
// position of a diagnostic has it.
type place struct {
	structure *structure
	field     *field // nil for the struct
}

// behindTag is the column of a name; the columns before it are those of its tag.
const behindTag = 1 << 20

// judge has the language read the structs, and records what it refuses. Without a refusal it returns the model.
func (w *writer) judge(name string) (*model.Model, error) {
	p, places := packageOf(name, reachable(w.tables))
	m, faults := model.Build(p)
	for _, d := range faults {
		if d.Rule.Severity != model.Refusal {
			continue
		}
		at, known := places[d.Pos.File]
		if !known {
			return nil, fmt.Errorf("the language refuses what was written, at no place of it: %s", d)
		}
		w.reasons.refuse(at.refused(d), d.Rule.Code+": "+d.What)
	}
	return m, nil
}

// packageOf returns the structs as the loader would read them from their source, and what is at each position.
func packageOf(name string, all []*structure) (*model.Package, map[string]place) {
	p := &model.Package{Path: name, Name: name}
	places := map[string]place{}
	position := func(of place) model.Pos {
		file := fmt.Sprintf("place %04d", len(places))
		places[file] = of
		return model.Pos{File: file, Line: 1}
	}
	for _, s := range all {
		at := position(place{s, nil})
		s.of.Path, s.of.Pkg, s.of.Tag, s.of.Pos = name, name, literal(s.tag, at), behind(at)
		s.of.Fields = nil
		for _, f := range s.fields {
			at := position(place{s, f})
			s.of.Fields = append(s.of.Fields, &model.Field{Name: f.name, Type: f.shape.of, Exported: true, Pos: behind(at), Tag: literal(f.tag, at)})
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

func behind(at model.Pos) model.Pos {
	at.Col = behindTag
	return at
}

// refused returns what a diagnostic is about: an option that can be left out, a field, or the struct.
func (p place) refused(d model.Diagnostic) subject {
	of, tag := p.structure.subject, p.structure.tag
	if p.field != nil {
		of, tag = p.field.subject, p.field.tag
	}
	of.option = optional(of, optionAt(literal(tag, model.Pos{File: d.Pos.File, Line: 1}), d.Pos))
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
	alone, _ := packageOf("p", []*structure{s})
	_, faults := model.Build(alone)
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
