package projection

import (
	"context"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// elementChange is a change of one element of a column.
type elementChange struct {
	column  *schema.Column
	element Value // a collection that contains only the element
	of      gen.Element
	reads   bool // the row is read first
}

// element changes one element where the generator would write a method for it, or sets one field of a UDT.
func (s *Session) element(ctx context.Context, at int64, old Record) error {
	if s.TTL > 0 {
		return s.change(ctx, at, old)
	}
	if s.draw.chance(30) {
		return s.member(ctx, at, old)
	}
	new, x := s.drawElement(old)
	if x == nil || !s.possible(new) {
		return s.change(ctx, at, old)
	}
	key := s.c.Key(old)
	if x.column.Kind == schema.Static {
		key = s.c.partition(old)
	}
	if m, ok := x.element.(Map); ok && x.of == gen.RemoveElement && x.column.Attribute.Type.Qualifier == nil {
		gen.EncodeEntryKey(key, Encode(m[0].Key), (*gen.Encoder).Blob)
	} else {
		key.Blob(Encode(x.element))
	}
	var err error
	if x.reads {
		err = gen.ChangeElement(ctx, s.root(at), x.of, key, x.column.Name)
	} else {
		err = gen.WriteElement(ctx, s.root(at), x.of, key, x.column.Name, nil)
	}
	return s.done(s.changeName(x), s.written(x, old, new, at), err)
}

// changeName returns the name of a change in the counts of a session.
func (s *Session) changeName(x *elementChange) string {
	switch {
	case x.of >= gen.AppendElement:
		return "Element of a list"
	case x.reads:
		return "Element after a read"
	case s.hasRow(x):
		return "Element with a row"
	}
	return "Element"
}

// written returns the write of a change. Elements that are added to a list leave the cells of the others.
func (s *Session) written(x *elementChange, old, new Record, at int64) Write {
	w := Write{Old: old, New: new, At: at, Replaces: x.of == gen.AddElement && !x.reads}
	if x.of >= gen.AppendElement {
		w.List, w.Before = x.column.Name, x.of == gen.PrependElement
	}
	return w
}

// member sets one field of a UDT where the generator would write a method for it.
func (s *Session) member(ctx context.Context, at int64, old Record) error {
	type field struct {
		column *schema.Column
		number int
	}
	var fields []field
	for _, c := range s.c.Root.Columns {
		for i := range c.Members() {
			if _, there := old[s.c.Root.index(c.Attribute)].(Record); there && s.c.Root.MemberSettable(c, i) == "" {
				fields = append(fields, field{c, i})
			}
		}
	}
	if len(fields) == 0 {
		return s.change(ctx, at, old)
	}
	f := fields[s.draw.Rand.IntN(len(fields))]
	new, i := slices.Clone(old), s.c.Root.index(f.column.Attribute)
	value := slices.Clone(old[i].(Record))
	value[f.number] = s.draw.attribute(f.column.Members()[f.number], false)
	new[i] = value
	if new = s.c.Normal(new); !s.possible(new) || new[i] == nil {
		return s.change(ctx, at, old)
	}
	key := s.c.Key(old)
	if f.column.Kind == schema.Static {
		key = s.c.partition(old)
	}
	key.Blob(Encode(value[f.number]))
	err := gen.SetMember(ctx, s.root(at), key, f.column.Name, f.number, nil)
	return s.done("Set of a field", Write{Old: old, New: new, At: at, Changed: s.c.Root.member(f.column.Attribute, f.number)}, err)
}

// hasRow reports whether the element has a row of its own in a copy.
func (s *Session) hasRow(x *elementChange) bool {
	return slices.ContainsFunc(s.c.Root.Projections, func(p *schema.Projection) bool { return p.Effect(x.column).Exists })
}

// drawElement draws a change of one element for which there is a method, and returns the changed row, or nil without such a method.
func (s *Session) drawElement(old Record) (new Record, x *elementChange) {
	var changes []*elementChange
	add := func(c *schema.Column, way schema.Way, of ...gen.Element) {
		for _, e := range of {
			if way.No == "" {
				changes = append(changes, &elementChange{column: c, of: e, reads: way.Reads != ""})
			}
		}
	}
	for _, c := range s.c.Root.Columns {
		switch {
		case !c.HasElements() || s.c.Root.index(c.Attribute) < 0:
		case c.IsList():
			add(c, s.c.Root.Extendable(c), gen.AppendElement, gen.PrependElement)
		default:
			add(c, s.c.Root.Addable(c), gen.AddElement)
			if len(splitElements(old[s.c.Root.index(c.Attribute)])) > 0 {
				add(c, s.c.Root.Removable(c), gen.RemoveElement)
			}
		}
	}
	if len(changes) == 0 {
		return old, nil
	}
	x = changes[s.draw.Rand.IntN(len(changes))]
	i := s.c.Root.index(x.column.Attribute)
	new = slices.Clone(old)
	if new[i] = s.changed(x, old[i]); new[i] == nil {
		return old, nil
	}
	return s.c.Normal(new), x
}

// changed draws the element, and returns the changed collection; nil if the drawn element exists.
func (s *Session) changed(x *elementChange, old Value) Value {
	t := x.column.Attribute.Type
	if x.column.IsList() {
		elements, _ := old.(List)
		v := s.draw.value(t.Elem)
		x.element = List{v}
		if x.of == gen.PrependElement {
			return slices.Insert(slices.Clone(elements), 0, v)
		}
		return append(slices.Clone(elements), v)
	}
	if t.Kind == model.MapType {
		entries, _ := old.(Map)
		return s.changedMap(x, t, slices.Clone(entries))
	}
	elements, _ := old.(Set)
	elements = slices.Clone(elements)
	if x.of == gen.RemoveElement {
		i := s.draw.Rand.IntN(len(elements))
		x.element = Set{elements[i]}
		return slices.Delete(elements, i, i+1)
	}
	v := s.draw.value(t.Elem)
	if slices.ContainsFunc(elements, func(o Value) bool { return same(o, v) }) {
		return nil
	}
	x.element = Set{v}
	return append(elements, v)
}

func (s *Session) changedMap(x *elementChange, t *model.Type, entries Map) Value {
	if x.of == gen.RemoveElement {
		i := s.draw.Rand.IntN(len(entries))
		x.element = Map{entries[i]}
		return slices.Delete(entries, i, i+1)
	}
	e := Entry{s.draw.value(t.Key), s.draw.value(t.Elem)}
	x.element = Map{e}
	i := slices.IndexFunc(entries, func(o Entry) bool { return same(o.Key, e.Key) })
	if i < 0 {
		return append(entries, e)
	}
	if same(entries[i].Value, e.Value) {
		return nil
	}
	entries[i] = e
	return entries
}
