package mermaid

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/diagram"
)

// classes writes a class diagram of roots, their parts and redundant aggregates.
func classes(models []diagram.Model, roots []*model.Aggregate, types diagram.Types) string {
	d := &classDiagram{types: types, roots: map[string]bool{}, ids: newIDs(), labels: newLabels(models), drawn: map[string]bool{}, plain: map[string]bool{}}
	for _, r := range roots {
		d.roots[diagram.AggregateKey(r)] = true
	}
	for _, m := range models {
		for _, a := range m.Aggregates {
			if d.roots[diagram.AggregateKey(diagram.Root(a))] {
				d.labels.add(a.Struct.Path, a.Struct.Name)
				d.findPlain(a)
			}
		}
		for _, o := range m.Objects {
			d.labels.add(o.Struct.Path, o.Struct.Name)
		}
	}
	for _, m := range models {
		for _, a := range m.Aggregates {
			if d.roots[diagram.AggregateKey(diagram.Root(a))] {
				d.aggregate(a)
			}
		}
	}
	return "classDiagram\n" + d.boxes.String() + d.lines.String()
}

// classDiagram is a class diagram.
type classDiagram struct {
	types        diagram.Types
	roots        map[string]bool // keys of the roots
	plain        map[string]bool // keys of the objects with a value that is not written as a whole
	ids          *ids
	labels       *labels
	drawn        map[string]bool // objects
	boxes, lines strings.Builder
}

// findPlain records the objects of which an aggregate has a value that is not written as a whole.
func (d *classDiagram) findPlain(a *model.Aggregate) {
	for _, at := range a.Attributes {
		if o := diagram.ComposedObject(at.Type); o != nil && !diagram.FinalValues(at) {
			d.plain[objectKey(o)] = true
		}
	}
}

// aggregate writes an aggregate with its members, and its lines to others.
func (d *classDiagram) aggregate(a *model.Aggregate) {
	kind := "root"
	switch r := a.Redundancy; {
	case r != nil:
		kind = "redundant"
		d.line(d.rootClass(a), "..>", "", d.rootClass(r.Source), redundant(a))
	case a.Root != nil:
		kind = "part"
		d.line(d.rootClass(a.Root), "*--", partRows(a), d.rootClass(a), "part")
	}
	if a.Redundancy == nil {
		kind = strings.Join(append([]string{kind}, diagram.Notes(a)...), ", ")
	}
	var more []string
	if s := diagram.RemainingTTL(a); s != "" {
		more = append(more, s)
	}
	d.box(a, d.rootClass(a), d.labels.label(a.Struct.Path, a.Struct.Name), kind, a.Attributes, more...)
}

// partRows returns how many rows a root has of a part. There is at most one if the key of the part is the key of the root.
func partRows(part *model.Aggregate) string {
	if diagram.Single(part) {
		return "0..1"
	}
	return "0..*"
}

// redundant returns the label of the line from a redundant aggregate to its source.
func redundant(a *model.Aggregate) string {
	from, _ := a.Tag.Option("redundant")
	label := []string{"from " + from.Value}
	for _, note := range diagram.Notes(a) {
		if !strings.HasPrefix(note, "of ") {
			label = append(label, note)
		}
	}
	return strings.Join(label, ", ")
}

// object writes an entity or a value object, once, with its members.
func (d *classDiagram) object(a *model.Aggregate, o *model.Object) {
	if d.drawn[objectKey(o)] {
		return
	}
	d.drawn[objectKey(o)] = true
	kind := "value"
	switch {
	case o.Entity:
		kind = "entity"
	case o.UDT == "":
		kind = "tuple"
	}
	if !d.plain[objectKey(o)] && kind != "tuple" {
		kind = "final " + kind
	}
	d.box(a, d.objectID(o), d.labels.label(o.Struct.Path, o.Struct.Name), kind, o.Attributes)
}

func (d *classDiagram) rootClass(a *model.Aggregate) string {
	return d.ids.id(diagram.AggregateKey(a), a.Struct.Name)
}

func (d *classDiagram) objectID(o *model.Object) string { return d.ids.id(objectKey(o), o.Struct.Name) }

// objectKey returns the identity of a struct, which can be a type and a tuple.
func objectKey(o *model.Object) string {
	return fmt.Sprint(o.Struct.Path, ".", o.Struct.Name, " ", o.UDT == "")
}

// box writes a class with its attributes and more rows, and then the classes and lines that follow from its attributes.
func (d *classDiagram) box(a *model.Aggregate, id, label, kind string, attributes []*model.Attribute, more ...string) {
	fmt.Fprintf(&d.boxes, "    class %s {\n        <<%s>>\n", labelled(id, label), escapeTo(kind, maxLabel))
	var lines []*model.Attribute
	for _, at := range attributes {
		if at.Hidden() {
			continue
		}
		if d.isLine(at) {
			lines = append(lines, at)
		}
		if !d.isLine(at) || at.Key {
			d.boxes.WriteString("        " + d.member(a, at) + "\n")
		}
	}
	for _, m := range more {
		d.boxes.WriteString("        +" + escape(m) + "\n")
	}
	d.boxes.WriteString("    }\n")
	for _, at := range lines {
		d.attribute(a, id, at)
	}
}

// isLine reports whether an attribute is drawn as a line to another class.
func (d *classDiagram) isLine(at *model.Attribute) bool {
	return diagram.ComposedObject(at.Type) != nil || d.target(at) != nil && begins(at.Association)
}

// begins reports whether a field begins a reference: a reference by several fields is one line, of the field with the first part of the key.
func begins(as *model.Association) bool { return as.Of == nil || as.Of == as.Target.Key()[0] }

// target returns the aggregate that an attribute refers to, if it is drawn.
func (d *classDiagram) target(at *model.Attribute) *model.Aggregate {
	if at.Association == nil || !d.roots[diagram.AggregateKey(at.Association.Target)] {
		return nil
	}
	return at.Association.Target
}

// attribute writes the line of an attribute.
func (d *classDiagram) attribute(a *model.Aggregate, from string, at *model.Attribute) {
	label := diagram.Visibility(a, at) + diagram.StaticSign(at) + at.GoName() // Mermaid reads a sign before a space as the item of a list
	if inner := d.types.Inner(at.Type); inner != "" && diagram.ComposedObject(at.Type) != nil {
		label += ": " + inner
	}
	if q := d.types.Qualifier(at); q != "" {
		label += " by " + q
	}
	for _, p := range diagram.Properties(a, at) {
		label += " " + p
	}
	if o := diagram.ComposedObject(at.Type); o != nil {
		d.line(from, "*--", times(at), d.objectID(o), label)
		d.object(a, o)
		return
	}
	d.line(from, "-->", times(at), d.rootClass(d.target(at)), label)
}

// times returns the multiplicity at the end of a line.
func times(at *model.Attribute) string {
	switch m := diagram.Multiplicity(at); {
	case m != "":
		return m
	case diagram.Mandatory(at):
		return "1"
	}
	return "0..1"
}

// line writes a line between two classes.
func (d *classDiagram) line(from, arrow, times, to, label string) {
	if times != "" {
		times = ` "` + times + `"`
	}
	fmt.Fprintf(&d.lines, "    %s %s%s %s : %s\n", from, arrow, times, to, escapeTo(label, maxLabel))
}

// member returns the line of an attribute in its class. Mermaid underlines a member that ends with $: a mandatory one, as in AML.
func (d *classDiagram) member(a *model.Aggregate, at *model.Attribute) string {
	s := diagram.StaticSign(at) + escape(at.GoName()) + ": " + escape(d.types.Name(at.Type))
	if m := diagram.Multiplicity(at); m != "" {
		s += " [" + m + "]"
	}
	if at.Association != nil && d.target(at) == nil {
		s += " → " + escape(at.Association.Target.Struct.Name)
	}
	for _, p := range diagram.Properties(a, at) {
		s += " " + escape(p)
	}
	if diagram.Mandatory(at) {
		s += "$"
	}
	return diagram.Visibility(a, at) + s
}
