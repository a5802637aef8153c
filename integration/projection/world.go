package projection

import (
	"fmt"
	"maps"
	"slices"
	"sort"
)

// Cell is a cell as a backend has it, or as it is expected.
type Cell struct {
	Key     string // site='Recife', year=2026; of a static column the partition key alone
	Place          // with no Column it is the row itself
	Value   string // as CQL encodes it
	At      int64  // its write time, in microseconds since 1970
	Expires int64  // in seconds since 1970; 0: never
}

// World is what all tables are expected to hold, cell by cell with its write time, after a sequence of writes. It starts
// empty and is told of each write.
type World struct {
	c      *Compiled
	tables map[*Table]*held
	Life   int // of every row that is written, in seconds; 0: what the tables say

	Moves   int // how often an update took a row of a copy away and brought another
	Returns int // how often a row of a copy came that had left before
}

// held is what a table holds.
type held struct {
	rows map[string]*heldRow
	left map[string]int64 // the write time of the last delete of a row, by its key
}

// heldRow is a row, or the static values of a partition.
type heldRow struct {
	cells   map[Place]*heldCell
	static  bool
	expires int64
}

// heldCell is a cell. Where the language leaves open which of two writes a cell is of, both will do.
type heldCell struct {
	value   string
	at, or  int64
	maybe   bool // it may be absent
	expires int64
}

// NewWorld makes the empty world of a model.
func NewWorld(c *Compiled) *World {
	w := &World{c: c, tables: map[*Table]*held{}}
	for _, t := range append([]*Table{c.Root}, c.Copies...) {
		w.tables[t] = &held{map[string]*heldRow{}, map[string]int64{}}
	}
	return w
}

// Write is a write of one instance.
type Write struct {
	Old, New Record // nil: not there before, or after
	At       int64  // microseconds since 1970
	Changed  cells  // nil: where Old and New differ
}

// Problem returns why a write cannot be; "" when it can.
func (w *World) Problem(new Record) string {
	for _, t := range w.c.Copies {
		if _, problem := w.c.Rows(t, new); problem != "" {
			return problem
		}
	}
	return ""
}

// Apply notes a write, which has no problem.
func (w *World) Apply(x Write) {
	w.Expire(x.At / 1e6)
	if x.Changed == nil && x.Old != nil && x.New != nil {
		x.Changed = w.c.Root.changed(x.Old, x.New)
	}
	if x.Old != nil && x.New != nil && len(x.Changed) == 0 {
		return
	}
	var before, after []Row
	if x.Old != nil {
		before = []Row{w.c.RootRow(x.Old)}
	}
	if x.New != nil {
		after = []Row{w.c.RootRow(x.New)}
	}
	w.table(w.c.Root, x, before, after)
	for _, t := range w.c.Copies {
		before, _ := w.c.Rows(t, x.Old)
		after, _ := w.c.Rows(t, x.New)
		w.table(t, x, before, after)
	}
}

// life is the time to live of a row that is written, in seconds; 0: none.
func (w *World) life(t *Table) int {
	if w.Life > 0 && (t.TTL == 0 || w.Life < t.TTL) {
		return w.Life
	}
	return t.TTL
}

// writing is a write of one table.
type writing struct {
	Write
	t      *Table
	rows   map[string]*heldRow
	expiry int64
	shared bool
	whole  bool // a row that is touched is written whole
	renews bool // every row is touched
}

func (w *World) table(t *Table, x Write, before, after []Row) {
	life := w.life(t)
	wr := &writing{Write: x, t: t, rows: w.tables[t].rows, whole: life > 0, renews: w.life(w.c.Root) > 0}
	if life > 0 {
		wr.expiry = x.At/1e6 + int64(life)
	}
	if r := t.Aggregate.Redundancy; r != nil {
		wr.shared = r.Shared
	}
	came, went := 0, 0
	for _, r := range before {
		if find(after, r.Key) == nil && !wr.shared {
			delete(wr.rows, r.Key)
			w.tables[t].left[r.Key] = x.left()
			went++
		}
	}
	for _, r := range after {
		if old := find(before, r.Key); old != nil {
			wr.stays(*old, r)
		} else {
			wr.appears(r)
			if came++; t != w.c.Root && w.tables[t].left[r.Key] > 0 {
				w.Returns++
			}
		}
	}
	if x.Old != nil && x.New != nil && came > 0 && went > 0 {
		w.Moves++
	}
}

// left is the write time of the delete of a row that leaves: in an update it is before that of the rows that come.
func (x Write) left() int64 {
	if x.New != nil {
		return x.At - 1
	}
	return x.At
}

func find(in []Row, key string) *Row {
	for i := range in {
		if in[i].Key == key {
			return &in[i]
		}
	}
	return nil
}

// row returns the row that a cell of r belongs to, which may be new.
func (w *writing) row(r Row, at Place) *heldRow {
	key := r.Key
	if at.Static {
		key = r.Partition
	}
	if w.rows[key] == nil {
		w.rows[key] = &heldRow{cells: map[Place]*heldCell{}, static: at.Static}
	}
	return w.rows[key]
}

// appears writes a row whole. Static values that are absent stay what they are: they belong to the partition.
func (w *writing) appears(r Row) {
	row := w.row(r, Place{})
	row.expires = w.expiry
	w.unknown(r)
	for at, d := range r.Cells {
		w.row(r, at).cells[at] = &heldCell{value: d.Value, at: w.At, expires: w.expiry}
	}
}

// unknown leaves open what another instance wrote to a shared row: where this one has null, the later write wins.
func (w *writing) unknown(r Row) {
	for at, c := range w.row(r, Place{}).cells {
		if _, has := r.Cells[at]; !has {
			c.maybe = true
		}
	}
}

// stays rewrites the cells of a row whose sources are rewritten.
func (w *writing) stays(old, new Row) {
	if w.whole {
		if w.renews || !old.equal(new) {
			w.again(old, new)
		}
		return
	}
	for at, d := range old.Cells {
		if _, there := new.Cells[at]; !there && w.Changed.meets(d.From) {
			delete(w.row(old, at).cells, at)
		}
	}
	if w.shared {
		w.unknown(new)
	}
	for at, d := range new.Cells {
		touched := w.Changed.meets(union(d.From, old.Cells[at].From))
		row := w.row(new, at)
		now := &heldCell{value: d.Value, at: w.At, expires: w.expiry}
		before := row.cells[at]
		switch {
		case !touched:
		case old.givers+new.givers > 2 && before != nil && before.value == d.Value:
			before.or = w.At
		default:
			row.cells[at] = now
		}
	}
}

// again writes a row that expires whole, with a new time to live.
func (w *writing) again(old, new Row) {
	row := w.row(new, Place{})
	row.expires = w.expiry
	clear(row.cells)
	for at := range old.Cells {
		delete(w.row(old, at).cells, at)
	}
	for at, d := range new.Cells {
		w.row(new, at).cells[at] = &heldCell{value: d.Value, at: w.At, expires: w.expiry}
	}
}

// Expire removes what has expired. Now is in seconds since 1970.
func (w *World) Expire(now int64) {
	gone := func(at int64) bool { return at > 0 && at <= now }
	for _, t := range w.tables {
		for key, row := range t.rows {
			maps.DeleteFunc(row.cells, func(_ Place, c *heldCell) bool { return gone(c.expires) })
			if gone(row.expires) && len(row.cells) == 0 {
				delete(t.rows, key)
			}
		}
	}
}

// Compare returns how a table differs from what it is expected to hold, in sentences. Afterwards what was left open is what
// was found.
func (w *World) Compare(t *Table, found []Cell, slack int64) (out []string) {
	have := map[string]map[Place]Cell{}
	for _, c := range found {
		if have[c.Key] == nil {
			have[c.Key] = map[Place]Cell{}
		}
		if c.Column != "" {
			have[c.Key][c.Place] = c
		}
	}
	rows := w.tables[t].rows
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		if rows[key].static && len(rows[key].cells) == 0 {
			continue
		}
		if have[key] == nil {
			out = append(out, fmt.Sprintf("%s has no row %s", t.Name, key))
			continue
		}
		for _, why := range rows[key].compare(have[key], slack) {
			out = append(out, fmt.Sprintf("%s %s: %s", t.Name, key, why))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(have)) {
		if rows[key] == nil {
			out = append(out, fmt.Sprintf("%s has a row %s that nothing gives", t.Name, key))
		}
	}
	return out
}

func (r *heldRow) compare(have map[Place]Cell, slack int64) (out []string) {
	for at, c := range r.cells {
		h, there := have[at]
		switch {
		case !there && c.maybe:
			delete(r.cells, at)
		case !there:
			out = append(out, fmt.Sprintf("%s[%s] is missing, it should be %x", at.Column, at.Path, c.value))
		case h.Value != c.value:
			out = append(out, fmt.Sprintf("%s[%s] is %x, it should be %x", at.Column, at.Path, h.Value, c.value))
		case h.At != c.at && h.At != c.or:
			out = append(out, fmt.Sprintf("%s[%s] was written at %d, it should be %d", at.Column, at.Path, h.At, c.at))
		case h.Expires < c.expires-slack || h.Expires > c.expires+slack:
			out = append(out, fmt.Sprintf("%s[%s] expires at %d, it should at %d", at.Column, at.Path, h.Expires, c.expires))
		default:
			c.at, c.or, c.maybe = h.At, 0, false
		}
	}
	for at := range have {
		if r.cells[at] == nil {
			out = append(out, fmt.Sprintf("%s[%s] is there, it should not be", at.Column, at.Path))
		}
	}
	sort.Strings(out)
	return out
}
