package alternatives

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// shape distinguishes a design from all others. The name of a design is a function of it, both in a list and where a model has the design.
type shape struct {
	form  string // where the relationship is: embedded-list
	table string // the table that repeats it: total; "" for none
	guard string // versioned or checked, if overlapping writes leave no fault; "" for neither
}

func (s shape) name() string {
	return strings.Join(slices.DeleteFunc([]string{s.form, s.table, s.guard}, func(part string) bool { return part == "" }), "-")
}

// guarded returns a guard if something has it; "" if not.
func guarded(guard string, has bool) string {
	if has {
		return guard
	}
	return ""
}

// Current returns the name of the design that the relationship has in the model; "" for none.
func (r *Relationship) Current() string {
	return (&recognition{r.model, r.Root.Struct, r.Element.Struct, r.hasRelationship}).name()
}

// Current returns the name of the design that the only relationship of two structs has in a model; "" if they have none, or several.
func Current(m *model.Model, root, element string) string {
	return (&recognition{m, root, element, func(*model.Aggregate, *model.Attribute) bool { return true }}).name()
}

// recognition recognises the design of a relationship in a model.
type recognition struct {
	model         *model.Model
	root, element string                                             // the structs
	has           func(a *model.Aggregate, at *model.Attribute) bool // a field has the relationship, if its type allows it
}

func (x *recognition) name() string {
	var found []shape
	for _, a := range x.model.Aggregates {
		switch name := a.Struct.Name; {
		case name == x.root && a.IsSource():
			found = append(found, x.fromRoot(a)...)
		case name == x.root && a.Redundancy.Shared && a.Redundancy.Source.Struct.Name == x.element:
			found = append(found, shape{"inverse", "shared", ""})
		case name == x.element && a.IsSource():
			found = append(found, x.fromElement(a)...)
		case a.IsSource():
			found = append(found, x.pairs(a)...)
		}
	}
	if both := (shape{form: "references-both"}); len(found) == 2 {
		slices.SortFunc(found, func(a, b shape) int { return strings.Compare(b.form, a.form) })
		if both.guard = found[0].guard; found[0] == (shape{"references-from-root", "", both.guard}) && found[1] == (shape{"references-from-element", "", both.guard}) {
			found = []shape{both}
		}
	}
	if len(found) != 1 || !slices.ContainsFunc(designs(), func(d *design) bool { return d.shape == found[0] }) {
		return ""
	}
	return found[0].name()
}

// fromRoot returns the shapes that fields of the root have.
func (x *recognition) fromRoot(a *model.Aggregate) (out []shape) {
	for _, at := range a.Attributes {
		t := at.Type
		switch {
		case !x.has(a, at):
		case isCollection(t) && t.Elem.Kind == model.Composed && t.Elem.Object.Struct.Name == x.element:
			form := "embedded-list"
			if t.Kind == model.MapType {
				form = "embedded-map"
			}
			out = append(out, shape{form, repeatedElements(a, at), guarded("versioned", a.Version != nil)})
		case x.refersTo(at, x.element) && at.Association.Many:
			out = append(out, shape{"references-from-root", guarded("list", isKeyOfTable(a, at)), guarded("checked", at.Association.Checked)})
		}
	}
	return out
}

// fromElement returns the shapes that an element has which is a root or a part.
func (x *recognition) fromElement(a *model.Aggregate) (out []shape) {
	if a.Root != nil && a.Root.Struct.Name == x.root {
		return []shape{{"parts" + guarded("-in-root", a.InRootTable), "", guarded("versioned", a.Root.Version != nil)}}
	}
	for _, at := range a.Attributes {
		copied := slices.ContainsFunc(a.Copies, func(c *model.Copy) bool {
			return c.Attribute == at && c.Association == nil && c.Target.Struct.Name == x.root
		})
		switch version := guarded("versioned", a.Version != nil); {
		case copied:
			out = append(out, shape{"inverse", "copied", version})
		case at.Type.Kind == model.Composed && at.Type.Object.Struct.Name == x.root:
			out = append(out, shape{"inverse", "", version})
		case !x.has(a, at) || !x.refersTo(at, x.root) || at.Key:
		case at.Association.Many:
			out = append(out, shape{"references-from-element", guarded("list", isKeyOfTable(a, at)), guarded("checked", at.Association.Checked)})
		default:
			out = append(out, shape{"reference-from-element", guarded("table", isKeyOfTable(a, at)), guarded("checked", at.Association.Checked)})
		}
	}
	return out
}

// pairs returns the shape of a table of pairs of the two sides with a redundant table in the other order.
func (x *recognition) pairs(a *model.Aggregate) []shape {
	var targets []string // first the targets of the key
	checked := false
	fields := append(a.Key(), otherFields(a)...)
	for _, at := range fields {
		if at.Association == nil || !x.has(a, at) {
			return nil
		}
		checked = checked || at.Association.Checked
		if name := at.Association.Target.Struct.Name; !slices.Contains(targets, name) {
			targets = append(targets, name)
		}
	}
	reversed := slices.ContainsFunc(a.Projections, func(p *model.Aggregate) bool {
		by := original(p.Identifier[0]).Association
		return by != nil && len(targets) == 2 && by.Target.Struct.Name == targets[1]
	})
	switch both := slices.Contains(targets, x.root) && slices.Contains(targets, x.element); {
	case !both || !reversed:
	case len(otherFields(a)) == 0:
		return []shape{{"pairs", "", guarded("checked", checked)}}
	case isPairOfElement(a) && targets[0] == x.element && !checked:
		return []shape{{"pairs", "unique", guarded("versioned", a.Version != nil)}}
	}
	return nil
}

// refersTo reports whether a field refers to a struct, as the first or only field of the reference.
func (x *recognition) refersTo(at *model.Attribute, target string) bool {
	return refers(at) && at.Association.Target.Struct.Name == target
}

// refers reports whether a field is the first or only field of a reference.
func refers(at *model.Attribute) bool {
	r := at.Association
	return r != nil && (r.Of == nil || r.Of == r.Target.Key()[0])
}

// isKeyOfTable reports whether the key of a redundant table of an aggregate begins with a field of it.
func isKeyOfTable(a *model.Aggregate, at *model.Attribute) bool {
	return slices.ContainsFunc(a.Projections, func(p *model.Aggregate) bool { return original(p.Identifier[0]) == at })
}

// repeatedElements describes the redundant table of the elements in a collection by their key: partial, or total if it also has fields of their root; "" for none.
func repeatedElements(a *model.Aggregate, collection *model.Attribute) string {
	for _, p := range a.Projections {
		path := p.Redundancy.Path
		if path == nil || path.Loop < 0 || path.Steps[path.Loop] != collection || len(p.Discriminators) > 0 || slices.ContainsFunc(p.Identifier, isOfRoot) {
			continue
		}
		if slices.ContainsFunc(p.Attributes, isOfRoot) {
			return "total"
		}
		return "partial"
	}
	return ""
}

// isOfRoot reports whether a field of a redundant aggregate of elements is a field of their root.
func isOfRoot(at *model.Attribute) bool {
	o := at.Origin
	return o != nil && (o.Path == nil || o.Path.Loop < 0)
}

func isCollection(t *model.Type) bool {
	return t.Kind == model.List || t.Kind == model.Set || t.Kind == model.MapType
}
