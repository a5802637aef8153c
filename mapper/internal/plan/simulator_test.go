package plan_test

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// simulator merges cells as Cassandra does: the greater timestamp wins, on a tie a tombstone, then the larger
// bytes; an INSERT writes a marker that keeps a row of nothing but its key; writing a whole collection deletes
// what was there just before.
type simulator map[*plan.Table]map[string]*simulatedRow

type simulatedRow struct {
	key     cell.Row
	deleted int64
	marker  int64
	gone    map[int]int64 // by column: everything in it up to then
	cells   map[path]stamped
}

// path is a cell of a row: a column, and in it an element, an entry or a field.
type path struct {
	column int
	inner  string
}

type stamped struct {
	at    int64
	value cell.Cell // nil: a tombstone
}

func (a stamped) beats(b stamped) bool {
	if a.at != b.at {
		return a.at > b.at
	}
	if a.value == nil || b.value == nil {
		return a.value == nil
	}
	return bytes.Compare(a.value, b.value) > 0
}

func (s simulator) apply(mutations []plan.Mutation, at int64) {
	for i := range mutations {
		s.applyOne(&mutations[i], at-int64(mutations[i].Back))
	}
}

func (s simulator) applyOne(m *plan.Mutation, at int64) {
	r := s.row(m)
	switch m.Action {
	case plan.Delete:
		r.deleted = max(r.deleted, at)
	case plan.Put:
		r.marker = max(r.marker, at)
		for i := m.Table.Key; i < len(m.Table.Columns); i++ {
			if m.Write.Has(i) {
				r.assign(m.Table, i, *m.Cell(i), at)
			}
		}
	case plan.Update:
		r.update(m, at)
	}
}

func (s simulator) row(m *plan.Mutation) *simulatedRow {
	var key cell.Row
	for i := range m.Table.Key {
		key = append(key, *m.Cell(i))
	}
	if s[m.Table] == nil {
		s[m.Table] = map[string]*simulatedRow{}
	}
	k := keyOf(key)
	if s[m.Table][k] == nil {
		s[m.Table][k] = &simulatedRow{key: key, gone: map[int]int64{}, cells: map[path]stamped{}}
	}
	return s[m.Table][k]
}

func keyOf(key cell.Row) string {
	var parts []string
	for _, c := range key {
		parts = append(parts, string(c))
	}
	return strings.Join(parts, "|")
}

func (r *simulatedRow) set(column int, inner string, c cell.Cell, at int64) {
	p := path{column, inner}
	if n := (stamped{at, c}); r.cells[p].at == 0 || n.beats(r.cells[p]) {
		r.cells[p] = n
	}
}

// assign writes a column whole.
func (r *simulatedRow) assign(t *plan.Table, i int, c cell.Cell, at int64) {
	switch cells := t.Columns[i].Cells; {
	case cells == plan.Single:
		r.set(i, "", c, at)
		return
	case c == nil:
		r.gone[i] = max(r.gone[i], at)
		return
	case cells == plan.List:
		r.set(i, "", c, at)
	case cells == plan.UDT:
		r.fields(i, values(c), at, false)
	default:
		r.elements(t, i, c, at)
	}
	r.gone[i] = max(r.gone[i], at-1)
}

func (r *simulatedRow) fields(i int, fields []cell.Cell, at int64, nulls bool) {
	for k, f := range fields {
		if f != nil || nulls {
			r.set(i, string(rune('0'+k)), f, at)
		}
	}
}

func (r *simulatedRow) elements(t *plan.Table, i int, c cell.Cell, at int64) {
	per := 1
	if t.Columns[i].Cells == plan.Map {
		per = 2
	}
	w, n := cell.Elements(c, per)
	for range n {
		key, value := w.Next(), cell.Cell{}
		if per == 2 {
			value = w.Next()
		}
		r.set(i, string(key), value, at)
	}
}

// update carries out a Column.Update.
func (r *simulatedRow) update(m *plan.Mutation, at int64) {
	i := int(m.Column)
	if m.Table.Columns[i].Cells == plan.UDT {
		for k, v := range m.Values {
			if m.Write.Has(k) {
				r.set(i, string(rune('0'+k)), v, at)
			}
		}
		return
	}
	if m.Write.Has(0) {
		r.elements(m.Table, i, m.Values[0], at)
	}
	if m.Write.Has(1) {
		w, n := cell.Elements(m.Values[1], 1)
		for range n {
			r.set(i, string(w.Next()), nil, at)
		}
	}
}

func values(c cell.Cell) (out []cell.Cell) {
	for w := cell.Members(c); w.More(); {
		out = append(out, w.Next())
	}
	return out
}

// live gives what is readable of a column: by element, entry or field.
func (r *simulatedRow) live(column int) map[string]cell.Cell {
	out := map[string]cell.Cell{}
	for p, c := range r.cells {
		if p.column == column && c.value != nil && c.at > r.deleted && c.at > r.gone[column] {
			out[p.inner] = c.value
		}
	}
	return out
}

// rows reads a table as text, by key.
func (s simulator) rows(t *plan.Table, columns []columnOf) map[string]string {
	out := map[string]string{}
	for k, r := range s[t] {
		alive := r.marker > r.deleted
		var cols []string
		for i := t.Key; i < len(t.Columns); i++ {
			live := r.live(i)
			alive = alive || len(live) > 0
			cols = append(cols, t.Columns[i].Name+"="+print(columns[i-t.Key], live))
		}
		if alive {
			out[k] = strings.Join(cols, ";")
		}
	}
	return out
}

// print prints a column as the oracle does.
func print(c columnOf, live map[string]cell.Cell) string {
	if len(live) == 0 {
		return null
	}
	switch c.cells {
	case plan.Set:
		return printSet(slices.Sorted(maps.Keys(live)))
	case plan.Map:
		return printMap(c.name, live)
	case plan.UDT:
		fields := make([]string, c.fields)
		for k := range fields {
			fields[k] = printText(live[string(rune('0'+k))])
		}
		return strings.Join(fields, ",")
	}
	return printSingle(c.name, live[""])
}

func printText(c cell.Cell) string {
	if c == nil {
		return null
	}
	return string(c)
}

func printUDT(c cell.Cell) string {
	var out []string
	for _, f := range values(c) {
		out = append(out, printText(f))
	}
	return strings.Join(out, ",")
}

func printSet(elements []string) string { return "{" + strings.Join(elements, " ") + "}" }

func printMap(name string, live map[string]cell.Cell) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(live)) {
		v := string(live[k])
		if strings.HasSuffix(name, "places") {
			v = printUDT(live[k])
		}
		out = append(out, k+":"+v)
	}
	return printSet(out)
}

// printSingle prints what is one cell: text, a frozen UDT, a frozen collection.
func printSingle(name string, c cell.Cell) string {
	switch name {
	case "frozen_owner", "frozen_parent", "address", "value":
		return printUDT(c)
	case "items":
		w, n := cell.Elements(c, 1)
		var out []string
		for range n {
			out = append(out, printUDT(w.Next()))
		}
		return "[" + strings.Join(out, " ") + "]"
	case "frozen_tags":
		w, n := cell.Elements(c, 1)
		var out []string
		for range n {
			out = append(out, string(w.Next()))
		}
		return printSet(out)
	case "frozen_places":
		w, n := cell.Elements(c, 2)
		live := map[string]cell.Cell{}
		for range n {
			live[string(w.Next())] = w.Next()
		}
		return printMap(name, live)
	}
	return printText(c)
}

// shop reads the root back.
func (s simulator) shop(key string) *shop {
	r := s[shops][key]
	if r == nil || (r.marker <= r.deleted && !s.anyLive(r)) {
		return nil
	}
	single := func(i int) *string {
		c, ok := r.live(i)[""]
		if !ok {
			return nil
		}
		v := string(c)
		return &v
	}
	out := &shop{ID: string(r.key[0]), Region: string(r.key[1]), Name: single(rName), City: single(rCity)}
	out.Tags = slices.Sorted(maps.Keys(r.live(rTags)))
	for k, v := range r.live(rLabels) {
		out.Labels = with(out.Labels, k, string(v))
	}
	for k, v := range r.live(rPlaces) {
		out.Places = with(out.Places, k, readPair(v))
	}
	if c, ok := r.live(rItems)[""]; ok {
		w, n := cell.Elements(c, 1)
		for range n {
			out.Items = append(out.Items, readPair(w.Next()))
		}
	}
	if live := r.live(rOwner); len(live) > 0 {
		out.Owner = &owner{A: readText(live["0"]), B: readText(live["1"]), C: readText(live["2"])}
	}
	if c, ok := r.live(rAddress)[""]; ok {
		p := readPair(c)
		out.Address = &p
	}
	return out
}

func (s simulator) anyLive(r *simulatedRow) bool {
	for i := range shops.Columns {
		if len(r.live(i)) > 0 {
			return true
		}
	}
	return false
}

func with[V any](m map[string]V, k string, v V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[k] = v
	return m
}

func readText(c cell.Cell) *string {
	if c == nil {
		return nil
	}
	v := string(c)
	return &v
}

func readPair(c cell.Cell) pair {
	v := append(values(c), nil, nil)
	return pair{readText(v[0]), readText(v[1])}
}

// same compares two values as the database tells them apart.
func equalShops(a, b *shop) bool {
	if a == nil || b == nil {
		return a == b
	}
	return cmp.Compare(describeShop(a), describeShop(b)) == 0
}

func describeShop(s *shop) string {
	var out []string
	for _, c := range rootColumns {
		out = append(out, c.show(s, element{}))
	}
	return strings.Join(append(out, showMap(s.Labels, itself)), ";")
}
