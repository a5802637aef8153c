package projection

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
)

// Cell is a cell of a backend, or an expected cell.
type Cell struct {
	Key     string // site='Recife', year=2026; for a static column the partition key only
	Place          // has no Column for the row itself
	Value   string // value in the encoding of CQL
	At      int64  // its write time, in microseconds since 1970
	Expires int64  // seconds since 1970; 0: never
}

// World has the expected rows of all tables, cell by cell with their write times, after a sequence of writes. It starts
// empty; Apply adds a write.
type World struct {
	c      *Compiled
	tables map[*Table]*held
	TTL    int // applies to every written row, in seconds; 0: the TTL of the tables

	Moves   int // number of rows of copies that an update replaced by rows with another key
	Returns int // number of deleted rows of copies that were written again
}

// held has the expected rows of a table.
type held struct {
	rows map[string]*heldRow
	left map[string]int64 // the write time of the last delete of a row, by key
}

// heldRow is a row, or the static values of a partition.
type heldRow struct {
	cells   map[Place]*heldCell
	static  bool
	expires int64
}

// heldCell is a cell. If the language does not define which of two writes wins, both write times are accepted.
type heldCell struct {
	value   string
	at, or  int64
	maybe   bool // it may be absent
	expires int64
}

// NewWorld returns the empty world of a model.
func NewWorld(c *Compiled) *World {
	w := &World{c: c, tables: map[*Table]*held{}}
	for _, t := range append([]*Table{c.Root}, c.Copies...) {
		w.tables[t] = &held{map[string]*heldRow{}, map[string]int64{}}
	}
	return w
}

// Write is a write of one instance.
type Write struct {
	Old, New Record // nil: not present before, or after
	At       int64  // microseconds since 1970
	Changed  cells  // nil: the cells that differ between Old and New
	Replaces bool   // the row of an element that is written may be written whole
	Whole    bool   // every row is written with all columns, even if nothing differs
	List     string // the column of a list to which one element is added, and nothing else changes; "" for any other write
	Before   bool   // the element is the first of the list, not the last
}

// Problem returns the reason why a write is invalid, or "".
func (w *World) Problem(new Record) string {
	for _, t := range w.c.Copies {
		if _, problem := w.c.Rows(t, new); problem != "" {
			return problem
		}
	}
	return ""
}

// Apply adds a valid write.
func (w *World) Apply(x Write) {
	w.Expire(x.At / 1e6)
	if x.List != "" {
		w.extend(x)
		return
	}
	if x.Changed == nil && x.Old != nil && x.New != nil {
		x.Changed = w.c.Root.changed(x.Old, x.New)
	}
	if x.Old != nil && x.New != nil && len(x.Changed) == 0 && !x.Whole {
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

// extend adds an element to a list of the root. The cells of the other elements stay.
func (w *World) extend(x Write) {
	t := w.c.Root
	new := w.c.RootRow(x.New)
	wr := &writing{Write: x, t: t, rows: w.tables[t].rows}
	row := wr.row(new, Place{Static: t.Static(x.List)})
	list := map[Place]*heldCell{}
	for at, d := range new.Cells {
		if at.Column != x.List {
			continue
		}
		was := at
		if x.Before {
			n, _ := strconv.ParseInt(at.Path, 16, 64)
			was.Path = fmt.Sprintf("%016x", uint64(n-1))
		}
		if list[at] = row.cells[was]; list[at] == nil {
			list[at] = &heldCell{value: d.Value, at: x.At}
		}
	}
	maps.Copy(row.cells, list)
}

// rowTTL returns the TTL of a written row, in seconds; 0: none.
func (w *World) rowTTL(t *Table) int {
	if w.TTL > 0 && (t.TTL == 0 || w.TTL < t.TTL) {
		return w.TTL
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
	whole  bool // every changed row is written with all columns
	renews bool // every row is written
}

func (w *World) table(t *Table, x Write, before, after []Row) {
	ttl := w.rowTTL(t)
	wr := &writing{Write: x, t: t, rows: w.tables[t].rows, whole: ttl > 0 || x.Whole, renews: w.rowTTL(w.c.Root) > 0 || x.Whole}
	if ttl > 0 {
		wr.expiry = x.At/1e6 + int64(ttl)
	}
	if r := t.Aggregate.Redundancy; r != nil {
		wr.shared = r.Shared
	}
	added, removed := 0, 0
	for _, r := range before {
		if find(after, r.Key) == nil && !wr.shared {
			delete(wr.rows, r.Key)
			w.tables[t].left[r.Key] = x.left()
			removed++
		}
	}
	for _, r := range after {
		if old := find(before, r.Key); old != nil {
			wr.updateRow(*old, r)
		} else {
			wr.insertRow(r)
			wr.dropStatics(before, r)
			if added++; t != w.c.Root && w.tables[t].left[r.Key] > 0 {
				w.Returns++
			}
		}
	}
	if x.Old != nil && x.New != nil && added > 0 && removed > 0 {
		w.Moves++
	}
}

// left returns the write time of the delete of a row. In an update it is before the write time of the new rows.
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

// row returns the row that contains a cell of r. It adds the row if it is new.
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

// insertRow writes a row with all columns. Absent static values do not change, unless the write removes them: they belong to the
// partition.
func (w *writing) insertRow(r Row) {
	row := w.row(r, Place{})
	row.expires = w.expiry
	w.unknown(r)
	w.replaceStatics(r)
	for at, d := range r.Cells {
		w.row(r, at).cells[at] = &heldCell{value: d.Value, at: w.At, expires: w.expiry}
	}
}

// dropStatics removes the static cells that an update removes, if its row has moved within the partition.
func (w *writing) dropStatics(before []Row, now Row) {
	for _, old := range before {
		for at, d := range old.Cells {
			if _, there := now.Cells[at]; at.Static && !there && old.Partition == now.Partition && w.Changed.intersects(d.From) {
				delete(w.row(now, at).cells, at)
			}
		}
	}
}

// replaceStatics removes the cells of the static columns that a row writes as a whole: the cells of another row of the partition.
func (w *writing) replaceStatics(r Row) {
	for at := range r.Cells {
		if at.Static {
			maps.DeleteFunc(w.row(r, at).cells, func(o Place, _ *heldCell) bool { return o.Column == at.Column })
		}
	}
}

// unknown accepts both values for cells of a shared row that another instance wrote and that are null here: the later write
// wins.
func (w *writing) unknown(r Row) {
	for at, c := range w.row(r, Place{}).cells {
		if _, has := r.Cells[at]; !has {
			c.maybe = true
		}
	}
}

// updateRow rewrites the cells of a row whose sources are rewritten.
func (w *writing) updateRow(old, new Row) {
	if w.whole {
		if w.renews || !old.equal(new) {
			w.rewrite(old, new)
		}
		return
	}
	for at, d := range old.Cells {
		if _, there := new.Cells[at]; !there && w.Changed.intersects(d.From) {
			delete(w.row(old, at).cells, at)
		}
	}
	if w.shared {
		w.unknown(new)
	}
	for at, d := range new.Cells {
		touched := w.Changed.intersects(union(d.From, old.Cells[at].From))
		row := w.row(new, at)
		now := &heldCell{value: d.Value, at: w.At, expires: w.expiry}
		before := row.cells[at]
		switch {
		case !touched && w.Replaces && before != nil && w.Changed.intersects(new.exists):
			before.or = w.At
		case !touched:
		case old.elements+new.elements > 2 && before != nil && before.value == d.Value:
			before.or = w.At
		default:
			row.cells[at] = now
		}
	}
}

// rewrite writes all columns of a row that expires, with a new TTL.
func (w *writing) rewrite(old, new Row) {
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

// Expire removes expired rows and cells. Now is in seconds since 1970.
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

// Compare returns the differences between a table and its expected rows. Afterwards, cells with two accepted values have the
// value that was found.
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
		if rows[key].static && len(rows[key].cells) == 0 && len(have[key]) == 0 {
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
			out = append(out, fmt.Sprintf("%s has an unexpected row %s", t.Name, key))
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
			out = append(out, fmt.Sprintf("%s[%s] is missing, want %x", at.Column, at.Path, c.value))
		case h.Value != c.value:
			out = append(out, fmt.Sprintf("%s[%s] is %x, want %x", at.Column, at.Path, h.Value, c.value))
		case h.At != c.at && h.At != c.or:
			out = append(out, fmt.Sprintf("%s[%s] was written at %d, want %d", at.Column, at.Path, h.At, c.at))
		case h.Expires < c.expires-slack || h.Expires > c.expires+slack:
			out = append(out, fmt.Sprintf("%s[%s] expires at %d, want %d", at.Column, at.Path, h.Expires, c.expires))
		default:
			c.at, c.or, c.maybe = h.At, 0, false
		}
	}
	for at := range have {
		if r.cells[at] == nil {
			out = append(out, fmt.Sprintf("%s[%s] is unexpected", at.Column, at.Path))
		}
	}
	sort.Strings(out)
	return out
}
