package model

// key applies the options that put the attribute into the primary key of an aggregate, or make it the identity of an
// object.
func (r *optionReader) key(at *Attribute, h holder) {
	id, isID := at.Tag.Option("identifier")
	ck, isDiscriminator := at.Tag.Option("discriminator")
	order := r.order(at.Tag, isDiscriminator && h.aggregate != nil)
	if at.Key = isID || isDiscriminator; !at.Key {
		return
	}
	if isID && isDiscriminator {
		r.add(ck.Pos, RuleKeyOfObject, "keep one of them", "%s is both identifier and discriminator", at.GoName())
		return
	}
	o := id
	if isDiscriminator {
		o = ck
	}
	r.keyType(at, o, h)
	switch {
	case h.object != nil:
		r.identity(at, o, h.object)
	case isID:
		h.aggregate.Identifier = append(h.aggregate.Identifier, at)
	default:
		h.aggregate.Discriminators = append(h.aggregate.Discriminators, &Discriminator{at, order})
	}
}

// identity adds an attribute to the identity of an object among its siblings.
func (r *optionReader) identity(at *Attribute, o Option, in *Object) {
	switch {
	case in.UDT == "": // see plainMembers
	case in.Entity && o.Key == "discriminator":
		r.add(o.Pos, RuleKeyOfObject, "write identifier", "an entity is identified by an identifier, not by a discriminator")
	case !in.Entity && o.Key == "identifier":
		r.add(o.Pos, RuleKeyOfObject, "delete it, write discriminator, or embed aml.Entity", "a value object has no identifier")
	default:
		in.Identity = append(in.Identity, at)
	}
}

func (r *optionReader) order(tag Tag, discriminator bool) Order {
	asc, isAsc := tag.Option("asc")
	desc, isDesc := tag.Option("desc")
	if isAsc && isDesc {
		r.add(desc.Pos, RuleRepeatedOption, "keep one of them", "a discriminator cannot be both asc and desc")
	}
	for _, o := range []Option{asc, desc} {
		if o.Key != "" && !discriminator {
			r.add(o.Pos, RuleOrderOffKey, "delete it, or make the field a discriminator of an aggregate", "%s is allowed only on discriminators of an aggregate", o.Key)
		}
	}
	if isDesc {
		return Descending
	}
	return Ascending
}

func (r *optionReader) keyType(at *Attribute, o Option, h holder) {
	t := at.Type
	switch {
	case t.Nullable:
		r.add(o.Pos, RuleKeyType, "use "+t.Go.Text, "a key cannot be null, so it cannot be a pointer")
	case t.Kind == Composed && h.object != nil: // everything inside a user-defined type is frozen
	case t.MultiCell() && !at.Frozen():
		r.add(o.Pos, RuleKeyType, "add final, which freezes it", "%s is not frozen and cannot be part of a key", t)
	case t.holds("duration"):
		r.add(o.Pos, RuleKeyType, "use another type", "a duration has no order and cannot be part of a key")
	}
}

// columnOptions applies the options that only a column of a table can have.
func (r *optionReader) columnOptions(at *Attribute, h holder) {
	if h.aggregate == nil {
		return
	}
	a := h.aggregate
	if o, ok := at.Tag.Option("static"); ok {
		at.Static = !at.Key
		if at.Key {
			r.add(o.Pos, RuleStatic, "delete it", "%s is part of the key and cannot be static", at.GoName())
		}
	}
	if o, ok := at.Tag.Option("version"); ok {
		r.version(at, o, a)
	}
	if o, ok := at.Tag.Option("counter"); ok {
		at.Counter, a.Counter = true, true
		if at.Type.Kind != Scalar || at.Type.CQL != "bigint" || at.Type.Nullable || at.Type.Conversion != ByKind || at.Key {
			r.add(o.Pos, RuleCounter, "use int64, outside the key", "%s cannot be a counter", at.Field.Type.Text)
		} else {
			counter := *at.Type
			counter.CQL = "counter"
			at.Type = &counter
		}
	}
	if o, ok := at.Tag.Option("index"); ok {
		r.index(at, o, a)
	}
	if o, _ := at.Tag.Option("type"); at.Type.Kind == Tuple || at.Type.Kind == Declared && at.Type.Spelled.Unfrozen().Name == "tuple" {
		r.add(o.Pos, RuleTupleColumn, "move it into a struct or a collection, or store it as a user-defined type", "%s is a tuple, and the driver cannot leave a tuple column unset", at.GoName())
	}
}

// version makes an attribute the optimistic lock of its aggregate.
func (r *optionReader) version(at *Attribute, o Option, a *Aggregate) {
	switch {
	case a.Version != nil:
		r.add(o.Pos, RuleVersion, "keep one of them", "%s has two versions, %s and %s", a.Struct.Name, a.Version.GoName(), at.GoName())
	case at.Field.Type.Kind != Int64 || at.Type.CQL != "bigint" || at.Key || at.Static:
		r.add(o.Pos, RuleVersion, "use int64, outside the key and not static", "%s cannot be a version", at.GoName())
	default:
		a.Version = at
	}
}
