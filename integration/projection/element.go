package projection

import (
	"context"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// elementChange is the addition or the removal of one element of a column.
type elementChange struct {
	column  *schema.Column
	element Value // a collection that contains only the element
	add     bool
}

// element adds or removes an element where the generator would write a method for it.
func (s *Session) element(ctx context.Context, at int64, old Record) error {
	new, x := s.drawElement(old)
	if x == nil || s.TTL > 0 || !s.possible(new) {
		return s.change(ctx, at, old)
	}
	key := s.c.Key(old)
	var err error
	if m, ok := x.element.(Map); ok && !x.add && x.column.Attribute.Type.Qualifier == nil {
		gen.EncodeEntryKey(key, Encode(m[0].Key), (*gen.Encoder).Blob)
	} else {
		key.Blob(Encode(x.element))
	}
	if x.add {
		err = gen.AddElement(ctx, s.root(at), key, x.column.Name, nil)
	} else {
		err = gen.RemoveElement(ctx, s.root(at), key, x.column.Name)
	}
	op := "Element"
	if s.hasRow(x) {
		op = "Element with a row"
	}
	return s.done(op, Write{Old: old, New: new, At: at, Replaces: x.add}, err)
}

// hasRow reports whether the element has a row of its own in a copy.
func (s *Session) hasRow(x *elementChange) bool {
	return slices.ContainsFunc(s.c.Root.Projections, func(p *schema.Projection) bool { return p.Effect(x.column).Exists })
}

// drawElement draws a change of one element for which there is a method, and returns the changed row; nil if there is none.
func (s *Session) drawElement(old Record) (new Record, x *elementChange) {
	var changes []*elementChange
	for _, c := range s.c.Root.Columns {
		if !c.HasElements() || s.c.Root.index(c.Attribute) < 0 {
			continue
		}
		if s.c.Root.Addable(c) == "" {
			changes = append(changes, &elementChange{column: c, add: true})
		}
		if s.c.Root.Removable(c) == "" && len(elementsOf(old[s.c.Root.index(c.Attribute)])) > 0 {
			changes = append(changes, &elementChange{column: c})
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
	if t.Kind == model.MapType {
		entries, _ := old.(Map)
		return s.changedMap(x, t, slices.Clone(entries))
	}
	elements, _ := old.(Set)
	elements = slices.Clone(elements)
	if !x.add {
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
	if !x.add {
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
