package model

// What a model can have at most. Rules follow every path to a value, so a model without bounds has no end.
const (
	maxValues = 2048 // in one attribute, with those of the objects in it
	maxDepth  = 32   // levels of objects in one attribute
	maxFields = 1024 // of one struct, with those of the structs that it embeds
)

// extent returns how many values a type has in it, and how many levels of objects.
func (t *Type) extent() (values, depth int) {
	if t.Object != nil {
		return t.Object.values, t.Object.depth
	}
	inside := t.inside()
	if len(inside) == 0 {
		return 1, 0
	}
	for _, i := range inside {
		v, d := i.extent()
		values, depth = values+v, max(depth, d)
	}
	return values, depth
}

// measure counts what is in an object, and reports whether it is within bounds.
func (b *builder) measure(o *Object) bool {
	for _, at := range o.Attributes {
		v, d := at.Type.extent()
		o.values, o.depth = o.values+v, max(o.depth, d)
	}
	o.depth++
	switch {
	case o.values > maxValues:
		b.add(o.Struct.Pos, RuleTooDeep, "hold identifiers instead of values", "%s has %d values in it, with those of the structs that it composes; the limit is %d", o.Struct.Name, o.values, maxValues)
	case o.depth > maxDepth:
		b.add(o.Struct.Pos, RuleTooDeep, "hold an identifier instead of a value", "%s composes structs %d levels deep; the limit is %d", o.Struct.Name, o.depth, maxDepth)
	default:
		return true
	}
	return false
}

// tooMany counts a field that is read into a holder, and reports whether it is one too many. The first such field is reported.
func (b *builder) tooMany(f *Field, h holder) bool {
	b.fields[h]++
	if b.fields[h] == maxFields+1 {
		b.add(f.Pos, RuleTooDeep, "embed fewer structs", "the struct has more than %d fields, with those of the structs that it embeds", maxFields)
		if h.aggregate != nil {
			h.aggregate.unread = true
		}
	}
	return b.fields[h] > maxFields
}
