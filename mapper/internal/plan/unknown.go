package plan

import (
	"slices"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Keep copies, from read to a row that is about to be written, the trailing fields of UDTs that this program does not have: a
// newer program has added them to the type. Here read is the row as it is stored. An element of a collection is the same as one
// that was read if both have the same identity, or without an identity if all known fields are equal; equal elements are
// matched in order. A row that Keep has changed must be normalized afterwards.
func (s *Schema) Keep(t *Table, read, row cell.Row) {
	for i := t.Key; i < len(t.Columns); i++ {
		row[i] = s.keep(parseType(t.Columns[i].Type), read[i], row[i])
	}
}

// keep returns the value now with the additional fields of old, a value of the same type.
func (s *Schema) keep(t *cqltype.Type, old, now cell.Cell) cell.Cell {
	if len(old) == 0 || len(now) == 0 {
		return now
	}
	t = t.Unfrozen()
	if u := s.udt(t); u != nil && !s.sameIdentity(u, old, now) {
		return now
	}
	if members, ok := s.memberTypes(t); ok {
		return s.keepMembers(members, old, now)
	}
	switch t.Name {
	case "list":
		return join(s.keepElements(t.Args[0], elements(old, 1), elements(now, 1)))
	case "set":
		return join(s.sorted(t.Args[0], s.keepElements(t.Args[0], elements(old, 1), elements(now, 1))))
	case "map":
		return join(s.sorted(t.Args[0], s.keepEntries(t.Args[0], t.Args[1], elements(old, 2), elements(now, 2))))
	}
	return now
}

// parseType parses a type of a descriptor. Invalid text, which no generator writes, has no order and no parts.
func parseType(text string) *cqltype.Type {
	t, err := cqltype.Parse(text)
	if err != nil {
		return &cqltype.Type{Name: text, Quoted: true}
	}
	return t
}

// udt returns the UDT of a type; nil for another type.
func (s *Schema) udt(t *cqltype.Type) *descriptor.Type {
	if !t.IsUDT() {
		return nil
	}
	i := slices.IndexFunc(s.Types, func(u *descriptor.Type) bool { return u.Name == t.Name })
	if i < 0 {
		return nil
	}
	return s.Types[i]
}

func fieldTypes(t *descriptor.Type) []*cqltype.Type {
	out := make([]*cqltype.Type, len(t.Fields))
	for i, f := range t.Fields {
		out[i] = parseType(f.Type)
	}
	return out
}

// keepMembers visits the known members and adds the unknown ones.
func (s *Schema) keepMembers(types []*cqltype.Type, old, now cell.Cell) cell.Cell {
	o, n := cell.Members(old), cell.Members(now)
	out := cell.Cell{}
	for _, t := range types {
		out = cell.AppendValue(out, s.keep(t, o.Next(), n.Next()))
	}
	for o.More() {
		out = cell.AppendValue(out, o.Next())
	}
	return out
}

// element is an element of a collection, or an entry of a map.
type element struct{ key, value cell.Cell }

// content has the elements of a collection; pairs reports that they are the entries of a map.
type content struct {
	all   []element
	pairs bool
}

func elements(c cell.Cell, per int) content {
	w, n := cell.Elements(c, per)
	out := content{pairs: per == 2, all: make([]element, n)}
	for i := range out.all {
		out.all[i].key = w.Next()
		if out.pairs {
			out.all[i].value = w.Next()
		}
	}
	return out
}

func join(c content) cell.Cell {
	out := cell.Cell(cell.AppendCount(nil, len(c.all)))
	for _, e := range c.all {
		if out = cell.AppendValue(out, e.key); c.pairs {
			out = cell.AppendValue(out, e.value)
		}
	}
	return out
}

// sorted sorts the elements of a set or the entries of a map, whose keys can have more fields now, in the order of the type.
func (s *Schema) sorted(key *cqltype.Type, c content) content {
	f := s.form(key)
	slices.SortStableFunc(c.all, func(a, b element) int { return f.Compare(a.key, b.key) })
	return c
}

// form returns the form of a type. A type without an order is compared by its bytes.
func (s *Schema) form(t *cqltype.Type) *cell.Form {
	f, err := cell.NewForm(t, func(udt string) ([]*cqltype.Type, bool) {
		i := slices.IndexFunc(s.Types, func(t *descriptor.Type) bool { return t.Name == udt })
		if i < 0 {
			return nil, false
		}
		return fieldTypes(s.Types[i]), true
	})
	if err != nil {
		return nil
	}
	return f
}

// keepElements finds the earlier element of every element.
func (s *Schema) keepElements(of *cqltype.Type, old, now content) content {
	match := matcher{old: old.all, taken: make([]bool, len(old.all))}
	for i, e := range now.all {
		if was := match.find(func(o element) bool { return s.sameElement(of, o.key, e.key) }); was != nil {
			now.all[i].key = s.keep(of, was.key, e.key)
		}
	}
	return now
}

// keepEntries finds the earlier entry of every key.
func (s *Schema) keepEntries(key, value *cqltype.Type, old, now content) content {
	match := matcher{old: old.all, taken: make([]bool, len(old.all))}
	for i, e := range now.all {
		if was := match.find(func(o element) bool { return s.sameElement(key, o.key, e.key) }); was != nil {
			now.all[i] = element{s.keep(key, was.key, e.key), s.keep(value, was.value, e.value)}
		}
	}
	return now
}

// matcher finds elements, each once. It starts at the last match, because elements usually keep their order.
type matcher struct {
	old   []element
	taken []bool
	from  int
}

func (m *matcher) find(same func(element) bool) *element {
	for k := range m.old {
		i := (m.from + k) % len(m.old)
		if !m.taken[i] && same(m.old[i]) {
			m.taken[i], m.from = true, i+1
			return &m.old[i]
		}
	}
	return nil
}

// sameElement reports whether an element is the same as one that was read.
func (s *Schema) sameElement(t *cqltype.Type, old, now cell.Cell) bool {
	if u := s.udt(t.Unfrozen()); u != nil && len(u.Identity) > 0 {
		return s.sameIdentity(u, old, now)
	}
	return s.equal(t, old, now)
}

// sameIdentity compares the identities of two UDT values. Without an identity it returns true.
func (s *Schema) sameIdentity(t *descriptor.Type, old, now cell.Cell) bool {
	for _, i := range t.Identity {
		o, n := cell.Members(old), cell.Members(now)
		for range i {
			o.Next()
			n.Next()
		}
		if !s.equal(parseType(t.Fields[i].Type), o.Next(), n.Next()) {
			return false
		}
	}
	return true
}

// equal compares the known parts of a value that was read with an encoded value. A null is read as a zero value.
func (s *Schema) equal(t *cqltype.Type, old, now cell.Cell) bool {
	if len(old) == 0 {
		return s.zero(t, now)
	}
	t = t.Unfrozen()
	if members, ok := s.memberTypes(t); ok {
		return s.equalMembers(members, old, now)
	}
	switch t.Name {
	case "list":
		return s.equalAll(t.Args[0], nil, elements(old, 1), elements(now, 1), false)
	case "set":
		return s.equalAll(t.Args[0], nil, elements(old, 1), elements(now, 1), true)
	case "map":
		return s.equalAll(t.Args[0], t.Args[1], elements(old, 2), elements(now, 2), true)
	}
	return s.form(t).Compare(old, now) == 0
}

// memberTypes returns the types of the fields of a UDT or of the members of a tuple; ok is false for any other type.
func (s *Schema) memberTypes(t *cqltype.Type) (members []*cqltype.Type, ok bool) {
	if u := s.udt(t); u != nil {
		return fieldTypes(u), true
	}
	return t.Args, t.Name == "tuple"
}

// zero reports whether the value can be the result of reading a null.
func (s *Schema) zero(t *cqltype.Type, now cell.Cell) bool {
	if members, ok := s.memberTypes(t.Unfrozen()); ok {
		return s.equalMembers(members, nil, now)
	}
	return !slices.ContainsFunc(now, func(b byte) bool { return b != 0 })
}

func (s *Schema) equalMembers(types []*cqltype.Type, old, now cell.Cell) bool {
	if len(now) == 0 {
		return len(old) == 0
	}
	o, n := cell.Members(old), cell.Members(now)
	for _, t := range types {
		if !s.equal(t, o.Next(), n.Next()) {
			return false
		}
	}
	return true
}

// equalAll compares two collections. The order of a set and a map is ignored.
func (s *Schema) equalAll(key, value *cqltype.Type, old, now content, anyOrder bool) bool {
	if len(old.all) != len(now.all) {
		return false
	}
	match := matcher{old: old.all, taken: make([]bool, len(old.all))}
	for i, e := range now.all {
		same := func(o element) bool {
			return s.equal(key, o.key, e.key) && (value == nil || s.equal(value, o.value, e.value))
		}
		if anyOrder && match.find(same) == nil || !anyOrder && !same(old.all[i]) {
			return false
		}
	}
	return true
}
