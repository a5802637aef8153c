package model

// NotExecuted reports what the model declares and a generated store cannot do yet, each at its place. The schema of such
// a model is right, and code written by hand can use it.
func NotExecuted(m *Model) []Diagnostic {
	e := &execution{}
	for _, a := range m.Aggregates {
		e.tag(a.Tag)
		if r := a.Redundancy; r != nil && r.Path.Method() != nil {
			e.refuse(r.Pos, "a method in redundant=")
		}
		e.attributes(a.Attributes)
	}
	for _, o := range m.Objects {
		if o.Entity {
			e.refuse(o.Struct.Tag.Pos, "a secondary entity (aml.Entity)")
		}
		e.attributes(o.Attributes)
	}
	for _, v := range m.Views {
		e.refuse(v.Struct.Tag.Pos, "a view")
	}
	return Sorted(e.list)
}

type execution struct{ faults }

func (e *execution) refuse(pos Pos, what string) {
	e.add(pos, RuleNotExecuted, "leave it out for now, or generate the schema alone with -schema", "%s is not executed yet", what)
}

// tag reports options that no store executes yet.
func (e *execution) tag(t Tag) {
	for _, o := range t.Options {
		if r, _ := ruleOf(o.Key); !r.executed {
			e.refuse(o.Pos, o.Key)
		}
	}
}

func (e *execution) attributes(in []*Attribute) {
	for _, at := range in {
		e.tag(at.Tag)
		if o, ok := at.Tag.Option("unique"); ok && !at.Type.collection() {
			e.refuse(o.Pos, "unique on a single value")
		}
		e.kind(at, at.Type)
		if at.Origin == nil {
			continue
		}
		for _, p := range at.Origin.paths() {
			if p.Method() != nil && p.Loop < 0 {
				e.refuse(at.from.Pos, "a method in from=")
			} else if p.Part == Position {
				e.refuse(at.from.Pos, "$index")
			}
		}
	}
}

// kind reports types that the codecs do not know yet.
func (e *execution) kind(at *Attribute, t *Type) {
	pos := at.Pos
	if o, ok := at.Tag.Option("type"); ok {
		pos = o.Pos
	}
	switch {
	case t.Conversion != ByKind:
		e.refuse(pos, "a type with a codec of its own")
	case t.Kind == Tuple:
		e.refuse(pos, "a tuple")
	case t.Kind == Vector:
		e.refuse(at.Pos, "a vector")
	case t.Qualifier != nil && !at.Tag.Has("qualifier"):
		e.refuse(at.Pos, "a composition qualified by a discriminator")
	case t.Qualifier != nil: // the option has been reported
	case t.Nullable && at.Field != nil && at.Field.Type.Kind == SQLNull:
		e.refuse(at.Pos, "sql.Null")
	case t.Go != nil && t.Go.Named != nil && len(t.Go.Named.Args) > 0:
		e.refuse(at.Pos, "an instantiated generic type")
	case t.collection():
		if t.Key != nil {
			e.kind(at, t.Key)
		}
		e.kind(at, t.Elem)
	}
}
