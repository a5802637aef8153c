package copydata

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// writing has the values to write in one row: a statement for each stamp, all in one partition.
type writing struct {
	table  string
	key    []assignment
	slots  []slot
	exists stamp
	groups []*group
	lists  []list
}

// assignment sets a column to a value.
type assignment struct {
	column string
	value  any
}

// unset is a value that leaves a column unchanged.
type unset struct{}

// group has the values with the same stamp.
type group struct {
	stamp
	marker bool // it includes the marker of the row
	values []any
}

// group returns the group of a stamp; nil for a stamp that has expired.
func (w *writing) group(s stamp) *group {
	if s.ttl < 0 {
		return nil
	}
	for _, g := range w.groups {
		if g.stamp == s {
			return g
		}
	}
	g := &group{stamp: s}
	for range w.slots {
		g.values = append(g.values, unset{})
	}
	w.groups = append(w.groups, g)
	return g
}

func (w *writing) marker() {
	if g := w.group(w.exists); g != nil {
		g.marker = true
	}
}

// put sets the value of a slot.
func (w *writing) put(s stamp, slot int, v any) {
	if g := w.group(s); g != nil {
		g.values[slot] = v
	}
}

// putEach sets the elements of a set or the entries of a map in a slot, together for each stamp.
func (w *writing) putEach(of column, x cells, slot int) {
	values := 1
	if of.to.Type.Name == "map" {
		values = 2
	}
	var order []stamp
	by := map[stamp][]raw{}
	for i, e := range pieces(x.value, values) {
		s := w.element(x, i)
		if by[s] == nil {
			order = append(order, s)
		}
		by[s] = append(by[s], e)
	}
	for _, s := range order {
		w.put(s, slot, join(by[s]))
	}
}

// whole returns the stamp of a value as a whole. A value from a key has the stamp of the row.
func (w *writing) whole(x cells) stamp {
	if s := mergeStamps(x.stamps); s != none {
		return s
	}
	return w.exists
}

// element returns the stamp of an element. All elements of a frozen value have the same stamp.
func (w *writing) element(x cells, i int) stamp {
	if len(x.stamps) > 1 && i < len(x.stamps) {
		return x.stamps[i]
	}
	return w.whole(x)
}

// statements returns a statement for each stamp. For the stamp of the row it returns two if INSERT cannot write all values.
func (w *writing) statements() []statement {
	var out []statement
	for _, g := range w.groups {
		if g.marker {
			out = append(out, w.insert(g))
		}
		if w.updates(g) {
			out = append(out, w.update(g))
		}
	}
	return out
}

// updates reports whether a group has a value that its INSERT, if any, cannot write.
func (w *writing) updates(g *group) bool {
	for i, v := range g.values {
		if v != any(unset{}) && !(g.marker && w.slots[i].whole) {
			return true
		}
	}
	return false
}

// statement is a CQL statement with its bound values.
type statement struct {
	text string
	args []any
}

func (w *writing) insert(g *group) statement {
	var names []string
	var s statement
	for _, k := range w.key {
		names, s.args = append(names, model.Quote(k.column)), append(s.args, k.value)
	}
	for i, to := range w.slots {
		if to.whole {
			names, s.args = append(names, to.text), append(s.args, g.values[i])
		}
	}
	s.text = "INSERT INTO " + model.Quote(w.table) + " (" + strings.Join(names, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(names)-1) + ")"
	return s.using(g.stamp)
}

func (s statement) using(of stamp) statement {
	s.text, s.args = s.text+" USING TIMESTAMP ?", append(s.args, of.at)
	if of.ttl > 0 {
		s.text, s.args = s.text+" AND TTL ?", append(s.args, of.ttl)
	}
	return s
}

func (w *writing) update(g *group) statement {
	sets := make([]string, len(w.slots))
	for i, to := range w.slots {
		if sets[i] = to.text; to.whole {
			sets[i] += " = ?"
		}
	}
	return w.set(g.stamp, sets, g.values)
}

// set returns an UPDATE of the row.
func (w *writing) set(at stamp, sets []string, values []any) statement {
	s := statement{text: "UPDATE " + model.Quote(w.table)}.using(at)
	s.text, s.args = s.text+" SET "+strings.Join(sets, ", "), slices.Concat(s.args, values)
	return w.where(s)
}

// where adds the key of the row to a statement.
func (w *writing) where(s statement) statement {
	var key []string
	for _, k := range w.key {
		key, s.args = append(key, model.Quote(k.column)+" = ?"), append(s.args, k.value)
	}
	s.text += " WHERE " + strings.Join(key, " AND ")
	return s
}

// list is the value of a list that is not frozen.
type list struct {
	column string
	value  raw
	stamp
}
