package model

import "slices"

// viewReader reads structs with some columns of a table.
type viewReader struct{ *resolver }

// views resolves structs that read some columns of a table.
func (r *viewReader) views() {
	for _, v := range r.model.Views {
		tag := r.parse(v.Struct.Tag, onAggregate)
		o, _ := tag.Option("of")
		for _, x := range tag.Options {
			if x.Key != "of" {
				r.add(x.Pos, RuleMisplacedOption, "delete it", "%s has no effect on a view", x.Key)
			}
		}
		if tag.Name != "" {
			r.add(tag.Pos, RuleView, "delete the name", "a view has no separate table")
		}
		i := slices.IndexFunc(r.model.Aggregates, func(a *Aggregate) bool { return a.Struct.Name == o.Value })
		if i < 0 {
			r.add(o.Pos, RuleView, "write the name of a struct with a table", "of=%s: %s", o.Value, r.noAggregate(o.Value))
			continue
		}
		v.Of = r.model.Aggregates[i]
		r.viewColumns(v)
	}
}

// viewColumns matches the fields of a view by their Go names.
func (r *viewReader) viewColumns(v *View) {
	r.open = append(r.open, v.Struct)
	leave := r.enter(v.Struct)
	own := &Aggregate{Struct: v.Struct, Table: v.Of.Table}
	v.Attributes = r.attributes(v.Struct, nil, holder{aggregate: own})
	if x := own.Remaining; x != nil {
		r.add(x.option.Pos, RuleMisplacedOption, "delete it: a field of the root can show the remaining TTL", "ttl has no effect on a view")
	}
	leave()
	r.open = r.open[:len(r.open)-1]
	for _, at := range v.Attributes {
		i := slices.IndexFunc(v.Of.Attributes, func(a *Attribute) bool { return a.GoName() == at.GoName() })
		for _, o := range at.Tag.Options {
			bound := o.Key == "min" || o.Key == "max"
			if o.Key == "final" && at.Fixed || !slices.Contains([]string{"composition", "type", "unique", "final", "qualifier", "secret"}, o.Key) && (!bound || at.Type.collection()) {
				r.add(o.Pos, RuleMisplacedOption, "delete it: the struct of the table declares it", "%s has no effect on a view", o.Key)
			}
		}
		switch {
		case i >= 0 && at.Tag.Name != "" && at.Name != v.Of.Attributes[i].Name:
			r.add(at.Tag.Pos, RuleView, "delete the name", "%s is stored as %s: a view cannot rename a column", at.GoName(), v.Of.Attributes[i].Name)
		case i < 0:
			r.add(at.Pos, RuleView, "use a field of "+v.Of.Struct.Name+nearestField(at.GoName(), v.Of.Attributes), "%s has no field %s", v.Of.Struct.Name, at.GoName())
		case !at.Type.same(v.Of.Attributes[i].Type) && !(v.Of.Attributes[i].Counter && at.Type.CQL == "bigint"):
			r.add(at.Pos, RuleView, "use the same type for both", "%s is %s, that of %s is %s", at.GoName(), at.Type, v.Of.Struct.Name, v.Of.Attributes[i].Type)
		default:
			v.Columns = append(v.Columns, v.Of.Attributes[i])
		}
	}
	if len(v.Attributes) == 0 {
		r.add(v.Struct.Pos, RuleView, "add fields of "+v.Of.Struct.Name, "view %s has no fields", v.Struct.Name)
	}
}
