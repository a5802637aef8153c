package schema

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Reference is a reference to a root in the rows of a table or of a view.
type Reference struct {
	Target *model.Aggregate
	Path   []*model.Attribute // the compositions from the row to the struct with the fields
	Fields []*model.Attribute // ordered like the target's key; nil if missing; one if it contains the whole key, or many whole keys
	Many   bool               // the field is a collection of keys
	No     string             // why no method follows it; "" if there is one

	origin keyField // the field that was found first
}

// References returns the references in the rows of a table, in the order of the fields.
func (t *Table) References() []*Reference {
	return referencesIn(referenceFields(t.Aggregate), t.Aggregate)
}

// References returns the references in the rows of a view.
func (v *View) References() []*Reference {
	all := referenceFields(v.Aggregate)
	var fields []referenceField
	for i, at := range v.Model.Attributes {
		f := all[slices.IndexFunc(all, func(f referenceField) bool { return f.at == v.Model.Columns[i] })]
		f.at = at
		fields = append(fields, f)
	}
	return referencesIn(fields, v.Aggregate)
}

func referencesIn(fields []referenceField, a *model.Aggregate) []*Reference {
	w := &referenceWalk{}
	w.fields(fields, nil)
	for _, r := range w.list {
		r.No = r.refuse(a)
	}
	return w.list
}

// refuse returns why no method follows the reference; "" if there is one.
func (r *Reference) refuse(a *model.Aggregate) string {
	collections := 0
	for _, at := range r.Path {
		switch {
		case at.Type.Kind == model.Composed:
			continue
		case at.Type.Go.Kind == model.Map:
			return at.GoName() + " is a map, which has no order"
		}
		collections++
	}
	missing := slices.Index(r.Fields, nil)
	switch {
	case r.Target.Struct.Path != a.Struct.Path:
		return r.Target.Struct.Name + " is in another package: call Get of the store of " + r.Target.Struct.Path
	case collections > 1 || collections == 1 && r.Many:
		return "it is in a collection inside another one"
	case missing >= 0:
		return fmt.Sprintf("the row has only a part of the key of %s, without %s", r.Target.Struct.Name, r.Target.Key()[missing].GoName())
	}
	return ""
}

// Collection returns the number of the composition in Path that is a collection; -1 for none.
func (r *Reference) Collection() int {
	return slices.IndexFunc(r.Path, func(at *model.Attribute) bool { return at.Type.Kind != model.Composed })
}

// Secret reports whether messages must not contain the key of the target.
func (r *Reference) Secret() bool {
	return slices.ContainsFunc(slices.Concat(r.Path, r.Fields), func(at *model.Attribute) bool { return at.Secret })
}

// keyField is the place of a field in a reference of the model.
type keyField struct {
	target *model.Aggregate
	first  *model.Attribute   // the first field of the reference; nil: no reference
	path   []*model.Attribute // the steps from the source to the struct with the fields; set in a redundant aggregate
	number int                // the position in the key of the target
	length int                // the number of the fields of the reference
	many   bool
}

// same reports whether two fields belong to the same reference of the model.
func (k keyField) same(o keyField) bool { return k.first == o.first && slices.Equal(k.path, o.path) }

// keyFields returns the places of the fields of one struct in its references.
func keyFields(fields []*model.Attribute) map[*model.Attribute]keyField {
	out := map[*model.Attribute]keyField{}
	for _, r := range model.References(fields) {
		for i, at := range r.Fields {
			out[at] = keyField{r.Target, r.Fields[0], nil, i, len(r.Fields), at.Association.Many}
		}
	}
	return out
}

// derivedField returns the place of a value of a redundant aggregate in a reference of its source. The value is a field of the source,
// an element of a collection of keys, or one field of such an element.
func derivedField(o *model.Origin) keyField {
	if o == nil || o.Object != nil || o.Path.Part != model.Element || len(o.Path.Steps) == 0 {
		return keyField{}
	}
	steps, last := o.Path.Steps, len(o.Path.Steps)-1
	if k, ok := keyFields(enclosing(o.Path.Source, steps))[steps[last]]; ok {
		k.path, k.many = steps[:last], k.many && o.Path.Loop != last
		return k
	}
	if last == 0 || o.Path.Loop != last-1 {
		return keyField{}
	}
	k := keyFields(enclosing(o.Path.Source, steps[:last]))[steps[last-1]]
	if k.many {
		key := steps[last-1].Type.Elem.Object.Attributes
		k.path, k.many, k.number, k.length = steps[:last-1], false, slices.Index(key, steps[last]), len(key)
		return k
	}
	return keyField{}
}

// enclosing returns the fields of the struct that contains the last step of a path.
func enclosing(source *model.Aggregate, steps []*model.Attribute) []*model.Attribute {
	if len(steps) == 1 {
		return source.Attributes
	}
	if o := composed(steps[len(steps)-2].Type); o != nil {
		return o.Attributes
	}
	return nil
}

// composed returns the struct of a single composition, or of the elements of a collection; nil for any other value.
func composed(t *model.Type) *model.Object {
	switch t.Kind {
	case model.Composed:
		return t.Object
	case model.List, model.Set, model.MapType:
		return composed(t.Elem)
	}
	return nil
}

// referenceField is a field in which references are looked for.
type referenceField struct {
	at     *model.Attribute
	key    keyField
	origin *model.Origin // set for a field of a redundant aggregate
}

// referenceFields returns the fields of an aggregate.
func referenceFields(a *model.Aggregate) []referenceField {
	own := keyFields(a.Attributes)
	var out []referenceField
	for _, at := range a.Attributes {
		out = append(out, newReferenceField(at, own, at.Origin))
	}
	return out
}

func newReferenceField(at *model.Attribute, own map[*model.Attribute]keyField, o *model.Origin) referenceField {
	k, ok := own[at]
	if !ok {
		k = derivedField(o)
	}
	return referenceField{at, k, o}
}

// fieldsIn returns the fields of a composition, or of the elements of a collection of compositions; nil for any other field.
func (f referenceField) fieldsIn() (out []referenceField) {
	o := composed(f.at.Type)
	if o == nil {
		return nil
	}
	own := keyFields(o.Attributes)
	for i, at := range o.Attributes {
		var origin *model.Origin
		if f.origin != nil && f.origin.Object == o {
			origin = f.origin.Fields[i]
		}
		out = append(out, newReferenceField(at, own, origin))
	}
	return out
}

// referenceWalk collects the references of a row.
type referenceWalk struct{ list []*Reference }

// fields adds the references in the fields of the struct at the end of a path.
func (w *referenceWalk) fields(fields []referenceField, path []*model.Attribute) {
	from := len(w.list)
	for _, f := range fields {
		if f.key.first == nil {
			w.fields(f.fieldsIn(), append(slices.Clone(path), f.at))
			continue
		}
		i := slices.IndexFunc(w.list[from:], func(r *Reference) bool {
			return r.origin.same(f.key) && slices.Equal(r.Path, path) && r.Fields[f.key.number] == nil
		})
		if i < 0 {
			w.list = append(w.list, &Reference{Target: f.key.target, Path: path, Fields: make([]*model.Attribute, f.key.length), Many: f.key.many, origin: f.key})
			i = len(w.list) - 1 - from
		}
		w.list[from+i].Fields[f.key.number] = f.at
	}
}
