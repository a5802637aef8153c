package projection

import (
	"math/rand/v2"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Drawer draws random instances. The sets of values are small, so that keys collide and change.
type Drawer struct {
	Rand   *rand.Rand
	C      *Compiled
	Breaks bool // some values are not declared, and some final values change
}

func (d Drawer) chance(percent int) bool { return d.Rand.IntN(100) < percent }

// Instance draws an instance with the key and the static values of another instance, or with random ones for nil.
func (d Drawer) Instance(like Record) Record {
	row := make(Record, len(d.C.Root.Aggregate.Attributes))
	for i, a := range d.C.Root.Aggregate.Attributes {
		if row[i] = d.attribute(a, a.Key); like != nil && (a.Key || a.Static) {
			row[i] = like[i]
		}
	}
	return d.C.Normal(d.xor(row))
}

// xor leaves at most one alternative of each group.
func (d Drawer) xor(row Record) Record {
	for _, g := range d.C.Root.Aggregate.Disjunctions {
		keep := d.Rand.IntN(len(g.Members) + 1)
		for i, m := range g.Members {
			if i != keep {
				row[d.C.Root.index(m)] = nil
			}
		}
	}
	return row
}

// Variation draws an instance that differs from another in some values.
func (d Drawer) Variation(of Record) Record {
	row := slices.Clone(of)
	for i, a := range d.C.Root.Aggregate.Attributes {
		switch {
		case a.Key || a.Fixed && !(d.Breaks && d.chance(15)) || !d.chance(35):
		case a.Enum:
			row[i] = d.attribute(a, false)
		default:
			row[i] = d.vary(a.Type, row[i])
		}
	}
	return d.C.Normal(d.drawAlternatives(row, of))
}

// drawAlternatives keeps the alternatives of an instance, or draws others.
func (d Drawer) drawAlternatives(row, of Record) Record {
	if len(d.C.Root.Aggregate.Disjunctions) > 0 && d.chance(40) {
		return d.xor(row)
	}
	for _, g := range d.C.Root.Aggregate.Disjunctions {
		for _, m := range g.Members {
			row[d.C.Root.index(m)] = of[d.C.Root.index(m)]
		}
	}
	return row
}

func (d Drawer) attribute(a *model.Attribute, present bool) Value {
	if nilable(a.Type) && !present && d.chance(25) {
		return nil
	}
	if a.Enum && !(d.Breaks && d.chance(10)) {
		return a.Type.Go.Constants[d.Rand.IntN(len(a.Type.Go.Constants))].Value
	}
	return d.value(a.Type)
}

// nilable reports whether an attribute of a type can be null. A zero time is null.
func nilable(t *model.Type) bool {
	return t.Nullable || t.Kind == model.List || t.Kind == model.Set || t.Kind == model.MapType || t.CQL == "timestamp"
}

func (d Drawer) value(t *model.Type) Value {
	switch t.Kind {
	case model.List:
		return List(d.elements(t.Elem, false))
	case model.Set:
		return Set(d.elements(t.Elem, true))
	case model.MapType:
		m := Map{}
		for _, k := range d.elements(t.Key, true) {
			m = append(m, Entry{k, d.value(t.Elem)})
		}
		return m
	case model.Composed:
		r := Record{}
		for _, a := range t.Object.Attributes {
			r = append(r, d.attribute(a, false))
		}
		return r
	}
	return d.scalar(t.CQL)
}

func (d Drawer) scalar(cql string) Value {
	n := d.Rand.IntN(3)
	switch cql {
	case "text":
		if d.chance(4) {
			return ""
		}
		return string("abc"[n])
	case "int":
		return int32(n - 1)
	case "bigint":
		return int64(n-1) << 40
	case "boolean":
		return n > 0
	case "timestamp":
		return Stamp(1000 * (n + 1))
	}
	return UUID{15: byte(n)}
}

func (d Drawer) elements(t *model.Type, distinct bool) []Value {
	out := []Value{}
	for range d.Rand.IntN(4) {
		if v := d.value(t); !distinct || !slices.ContainsFunc(out, func(o Value) bool { return same(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// vary draws a value similar to another: a struct with one field changed, a collection with one element changed.
func (d Drawer) vary(t *model.Type, of Value) Value {
	if nilable(t) && d.chance(15) {
		return nil
	}
	if of == nil || d.chance(20) {
		return d.value(t)
	}
	switch x := of.(type) {
	case Record:
		r := slices.Clone(x)
		i := d.Rand.IntN(len(r))
		r[i] = d.vary(t.Object.Attributes[i].Type, r[i])
		return r
	case List:
		return d.varyList(t.Elem, x)
	case Set:
		return Set(d.varySet(t.Elem, x))
	case Map:
		return d.varyMap(t, x)
	}
	return d.value(t)
}

func (d Drawer) varyList(t *model.Type, of List) Value {
	out := slices.Clone(of)
	switch {
	case len(out) == 0 || len(out) < 4 && d.chance(40):
		return slices.Insert(out, d.Rand.IntN(len(out)+1), d.value(t))
	case d.chance(50):
		i := d.Rand.IntN(len(out))
		return slices.Delete(out, i, i+1)
	}
	i := d.Rand.IntN(len(out))
	out[i] = d.vary(t, out[i])
	if out[i] == nil {
		out[i] = d.value(t)
	}
	return out
}

func (d Drawer) varySet(t *model.Type, of Set) []Value {
	out := slices.Clone([]Value(of))
	if len(out) > 0 && d.chance(50) {
		i := d.Rand.IntN(len(out))
		out = slices.Delete(out, i, i+1)
	}
	if v := d.value(t); d.chance(60) && !slices.ContainsFunc(out, func(o Value) bool { return same(o, v) }) {
		out = append(out, v)
	}
	return out
}

func (d Drawer) varyMap(t *model.Type, of Map) Value {
	out := slices.Clone(of)
	if len(out) > 0 {
		i := d.Rand.IntN(len(out))
		switch {
		case d.chance(35):
			out = slices.Delete(out, i, i+1)
		default:
			v := d.vary(t.Elem, out[i].Value)
			if v == nil {
				v = d.value(t.Elem)
			}
			out[i].Value = v
		}
	}
	if k := d.value(t.Key); d.chance(40) && !slices.ContainsFunc(out, func(o Entry) bool { return same(o.Key, k) }) {
		out = append(out, Entry{k, d.value(t.Elem)})
	}
	return out
}
