package carry

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// writing is what is written of one row: for each stamp a statement, all of one partition.
type writing struct {
	table  string
	key    []assignment
	exists stamp
	groups []*group
	lists  []list
}

// assignment gives a column a value, in a statement that names it.
type assignment struct {
	text  string // name; or the whole assignment, as UPDATE has it
	value any
}

// group is what has one stamp.
type group struct {
	stamp
	marker  bool         // the row is there from then on
	columns []assignment // by name: INSERT and UPDATE have them
	sets    []assignment // that UPDATE alone has
}

// groupOf gives the group of a stamp; nil for one whose life is over.
func (w *writing) groupOf(s stamp) *group {
	if s.ttl < 0 {
		return nil
	}
	for _, g := range w.groups {
		if g.stamp == s {
			return g
		}
	}
	w.groups = append(w.groups, &group{stamp: s})
	return w.groups[len(w.groups)-1]
}

func (w *writing) marker() {
	if g := w.groupOf(w.exists); g != nil {
		g.marker = true
	}
}

func (w *writing) set(s stamp, column string, v any) {
	if g := w.groupOf(s); g != nil {
		g.columns = append(g.columns, assignment{column, v})
	}
}

func (w *writing) put(s stamp, text string, v any) {
	if g := w.groupOf(s); g != nil {
		g.sets = append(g.sets, assignment{text, v})
	}
}

// add adds the elements of a set, or the entries of a map, those of one stamp at once.
func (w *writing) add(of column, x cells) {
	split := members
	if of.to.Type.Name == "map" {
		split = entries
	}
	var order []stamp
	by := map[stamp][]raw{}
	for i, e := range split(x.value) {
		s := w.element(x, i)
		if by[s] == nil {
			order = append(order, s)
		}
		by[s] = append(by[s], e)
	}
	name := model.Quote(of.to.Name)
	for _, s := range order {
		w.put(s, name+" = "+name+" + ?", join(by[s]))
	}
}

// whole is the stamp of a value as a whole; what comes from a key has that of the row.
func (w *writing) whole(x cells) stamp {
	if s := together(x.stamps); s != none {
		return s
	}
	return w.exists
}

// element is the stamp of an element; those of a frozen value have one together.
func (w *writing) element(x cells, i int) stamp {
	if len(x.stamps) > 1 && i < len(x.stamps) {
		return x.stamps[i]
	}
	return w.whole(x)
}

// statements gives one for each stamp, and of the row's own two where INSERT cannot say all of it.
func (w *writing) statements() []statement {
	var out []statement
	for _, g := range w.groups {
		sets := g.sets
		if g.marker {
			out = append(out, w.insert(g))
		} else {
			sets = append(named(g.columns), sets...)
		}
		if len(sets) > 0 {
			out = append(out, w.update(g.stamp, sets))
		}
	}
	return out
}

// statement is CQL and what is bound to it.
type statement struct {
	text string
	args []any
}

func (w *writing) insert(g *group) statement {
	var names []string
	var s statement
	for _, a := range append(w.key[:len(w.key):len(w.key)], g.columns...) {
		names, s.args = append(names, model.Quote(a.text)), append(s.args, a.value)
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

func (w *writing) update(at stamp, sets []assignment) statement {
	s := statement{text: "UPDATE " + model.Quote(w.table)}.using(at)
	text := make([]string, len(sets))
	for i, a := range sets {
		text[i], s.args = a.text, append(s.args, a.value)
	}
	s.text += " SET " + strings.Join(text, ", ")
	return w.where(s)
}

// where restricts a statement to the row.
func (w *writing) where(s statement) statement {
	var key []string
	for _, k := range named(w.key) {
		key, s.args = append(key, k.text), append(s.args, k.value)
	}
	s.text += " WHERE " + strings.Join(key, " AND ")
	return s
}

// named gives columns the form that UPDATE has.
func named(columns []assignment) []assignment {
	var out []assignment
	for _, a := range columns {
		out = append(out, assignment{model.Quote(a.text) + " = ?", a.value})
	}
	return out
}
