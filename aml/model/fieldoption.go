package model

import (
	"slices"
	"strings"
)

// optionReader applies the options of a field to the attribute that the field declares.
type optionReader struct{ *faults }

// holder is the declaration into which attributes are read: an aggregate or an object.
type holder struct {
	aggregate *Aggregate // nil for an object
	object    *Object    // nil for an aggregate
}

// shape applies the options that concern the type.
func (r *optionReader) shape(at *Attribute) {
	t, tag := at.Type, at.Tag
	if o, ok := tag.Option("composition"); ok && t.object() == nil {
		r.add(o.Pos, RuleMisplacedOption, "delete it", "composition has no effect on %s", t.Go.Text)
	}
	if o, ok := tag.Option("required"); ok && !t.canBeMissing() {
		r.add(o.Pos, RuleMisplacedOption, "delete it, or use a pointer, which is nil without a value", "required has no effect on %s: it always has a value", at.Field.Type.Text)
	}
	o, ok := tag.Option("unique")
	switch {
	case !ok:
	case t.Kind == List && !o.Valued:
		if t.Elem.holds("duration") {
			r.add(o.Pos, RuleUnsupportedType, "delete unique", "%s: a duration cannot be the element of a set", t.Go.Text)
		}
		t.Kind = Set
	case t.collection():
		r.add(o.Pos, RuleMisplacedOption, "delete it", "%s has no effect on %s: the values of a collection are unique inside it", o, t)
	}
}

// qualify turns a composition of many into a map, by qualifier= or by the discriminators of its value object.
func (r *optionReader) qualify(at *Attribute) {
	t := at.Type
	o, given := at.Tag.Option("qualifier")
	if t.Kind != List || t.Elem.Kind != Composed {
		if given {
			r.add(o.Pos, RuleMisplacedOption, "delete it", "qualifier= has no effect on %s: it names the fields that distinguish the elements of a slice of structs", t.Go.Text)
		}
		return
	}
	by := t.Elem.Object.Identity
	if t.Elem.Object.Entity {
		by = nil
	}
	if given {
		by = r.qualifiers(o, t.Elem.Object)
	}
	if len(by) == 0 {
		return
	}
	key := by[0].Type
	if len(by) > 1 {
		key = &Type{Kind: Tuple}
		for _, q := range by {
			key.Members = append(key.Members, q.Type)
		}
	}
	at.Type = &Type{Kind: MapType, Go: t.Go, Key: key, Elem: t.Elem, Qualifier: by}
}

// qualifiers resolves the value of qualifier=.
func (r *optionReader) qualifiers(o Option, in *Object) []*Attribute {
	var out []*Attribute
	for _, name := range strings.Split(o.Value, "+") {
		i := slices.IndexFunc(in.Attributes, func(a *Attribute) bool { return a.GoName() == name })
		switch {
		case name == "":
			r.add(o.Pos, RuleQualifier, "write the names of fields of "+in.Struct.Name+", joined by +", "qualifier=%s: a name in it is empty", o.Value)
			return nil
		case i < 0:
			r.add(o.Pos, RuleQualifier, "write the names of fields of "+in.Struct.Name+", joined by +", "qualifier=%s: %s has no field %s%s", o.Value, in.Struct.Name, name, nearestField(name, in.Attributes))
			return nil
		case in.Attributes[i].Type.canBeNil() || in.Attributes[i].Type.holds("duration"):
			r.add(o.Pos, RuleQualifier, "use a field that always has a value and an order", "qualifier=%s: %s is %s, which cannot be a key", o.Value, name, in.Attributes[i].Field.Type.Text)
			return nil
		case slices.Contains(out, in.Attributes[i]):
			r.add(o.Pos, RuleQualifier, "delete one of them", "qualifier=%s: %s appears twice", o.Value, name)
			return nil
		}
		out = append(out, in.Attributes[i])
	}
	return out
}

func (r *optionReader) multiplicity(at *Attribute) {
	at.Multiplicity = Multiplicity{Min: at.Tag.number("min", -1), Max: at.Tag.number("max", -1)}
	if !at.Type.collection() {
		r.misplaced(at.Tag, "on "+at.Type.String()+": it limits the number of values of a collection", "min", "max")
		return
	}
	if o, ok := at.Tag.Option("max"); ok && (at.Multiplicity.Max < 1 || at.Multiplicity.Max < at.Multiplicity.Min) {
		r.add(o.Pos, RuleMultiplicity, "use at least 1, and at least min", "max=%d allows no value", at.Multiplicity.Max)
	}
}

// fixed reads final on a field of one cell: only Insert sets it. On a field of several cells final freezes the value instead.
func (r *optionReader) fixed(at *Attribute, h holder) {
	o, ok := at.Tag.Option("final")
	if !ok || at.Type.MultiCell() {
		return
	}
	why := ""
	switch {
	case h.object != nil:
		why = "on a field of a composed struct: a field of a root can be final"
	case h.aggregate.Tag.Has("redundant"):
		why = "on a redundant aggregate: the field of the source can be final"
	case at.Key:
		why = "on a part of a key: the key of a row never changes"
	case at.Tag.Has("static"):
		why = "on a static field: it belongs to the partition, and each row that is inserted can set it"
	case slices.ContainsFunc([]string{"version", "counter", "copy"}, at.Tag.Has):
		why = "on a field that the store changes"
	}
	if why != "" {
		r.add(o.Pos, RuleMisplacedOption, "delete it", "final has no effect %s", why)
		return
	}
	at.Fixed = true
}

// enum reads enum: only the constants of the field's Go type are written.
func (r *optionReader) enum(at *Attribute, h holder) {
	o, ok := at.Tag.Option("enum")
	if !ok {
		return
	}
	t := at.Type
	switch {
	case h.object != nil:
		r.add(o.Pos, RuleMisplacedOption, "delete it, and check the value before you write it", "enum has no effect on a field of a composed struct")
	case h.aggregate.Tag.Has("redundant"):
		r.add(o.Pos, RuleMisplacedOption, "write it on the field of the source", "enum has no effect on a redundant aggregate: the store checks it when it writes the source")
	case !t.comparable():
		r.add(o.Pos, RuleEnum, "use a type over string or an integer, which the store encodes", "the values of %s, a %s, are not compared with constants", at.GoName(), t)
	case len(t.Go.Constants) == 0:
		r.add(o.Pos, RuleEnum, "declare constants of the type "+t.Go.Text+" in its package, or delete enum", "no constants of the type %s are declared", t.Go.Text)
	default:
		at.Enum = true
	}
}
