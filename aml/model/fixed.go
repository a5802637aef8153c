package model

import "slices"

// fixed reads final on a field of one cell: only Insert sets it. On a field of several cells final freezes the value instead.
func (b *builder) fixed(at *Attribute, h holder) {
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
		b.add(o.Pos, RuleMisplacedOption, "delete it", "final has no effect %s", why)
		return
	}
	at.Fixed = true
}

// enum reads enum: only the constants of the field's Go type are written.
func (b *builder) enum(at *Attribute, h holder) {
	o, ok := at.Tag.Option("enum")
	if !ok {
		return
	}
	t := at.Type
	switch {
	case h.object != nil:
		b.add(o.Pos, RuleMisplacedOption, "delete it, and check the value before you write it", "enum has no effect on a field of a composed struct")
	case h.aggregate.Tag.Has("redundant"):
		b.add(o.Pos, RuleMisplacedOption, "write it on the field of the source", "enum has no effect on a redundant aggregate: the store checks it when it writes the source")
	case !t.comparable():
		b.add(o.Pos, RuleEnum, "use a type over string or an integer, which the store encodes", "the values of %s, a %s, are not compared with constants", at.GoName(), t)
	case len(t.Go.Constants) == 0:
		b.add(o.Pos, RuleEnum, "declare constants of the type "+t.Go.Text+" in its package, or delete enum", "no constants of the type %s are declared", t.Go.Text)
	default:
		at.Enum = true
	}
}

// comparable reports whether a value is encoded like a constant of its type: a text, an integer or a bool without methods of its own.
func (t *Type) comparable() bool {
	return t.Kind == Scalar && t.Conversion == ByKind && slices.Contains(comparedTypes[t.CQL], t.Go.Kind)
}
