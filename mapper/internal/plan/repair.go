package plan

import (
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// RepairOptions contains the parameters of the repair of copies, except for the rows.
type RepairOptions struct {
	// Before is a time before the root was read, less the grace: every write that the reads can have missed has a later timestamp.
	// A row is deleted at Before, and a cell is repaired at the write time of its sources or just after Before, whichever is
	// later. So every later write wins over a repair.
	Before int64
	Now    int64 // when the root was read, in microseconds since 1970

	OtherOwner bool // a row that contains the key of another root is compared: that root does not have it

	// Read is the row of the root as it was read, with the computed values: a null in it can be a zero value in the row of the
	// root. Nil: a null in the copy is the same as any zero value.
	Read cell.Row
}

// StampedRow is a row of a copy that was read with its stamps.
type StampedRow struct {
	Row    cell.Row // the columns
	Stamps *Stamps
}

// Finding is a row of a copy that differs from the projection of the root.
type Finding struct {
	Kind   FindingKind
	Row    cell.Row // the wanted row; of an extra row the row as it was read
	Column int      // set for a row with other values: the first column that differs, or 0
	Want   cell.Cell
	Have   cell.Cell
	Writes []RepairWrite // nil if the row is not repaired now
	Later  bool          // a part of the row was written too recently to be compared
	Recent bool          // a source was written so recently that its write may still be carried out
	Newest int64         // the newest write time of the values of the row that was read; 0: none
	Now    int64         // the time to which the TTLs of the writes are relative
}

// FindingKind describes how a row differs.
type FindingKind uint8

// The kinds of findings.
const (
	MissingRow FindingKind = iota
	OtherValue
	ExtraRow   // the root has no such row
	OtherOwner // the row contains the key of another root
)

// RepairWrite is a write of one row at one timestamp.
type RepairWrite struct {
	Mutation
	At int64
}

// Rows returns the rows of the copy that follow from a row of the root and have a key, without the cells of the loop's element.
// The row of the root includes the computed values; nil has no rows.
func (p *Projection) Rows(root cell.Row) ([]cell.Row, error) {
	given, err := p.project(root)
	if err != nil {
		return nil, err
	}
	var out []cell.Row
	for i := range given.n {
		row := given.row(i)
		if hasKey(view{row: row}, p.Table) {
			out = append(out, row[:len(p.Columns):len(p.Columns)])
		}
	}
	return out, nil
}

// PlanRepair compares the rows of a copy that were read with the rows that follow from a row of the root, and returns the
// differences with the writes that repair them. The rows that were read are all existing rows with the keys of
// [Projection.Rows], and further rows that belong to the root, if any. A root that is nil has no rows. The order is the order of
// the repair: the root is read first, and then the copies.
//
// A missing row is written whole, with null for absent values, at the newest write time of everything that it derives from. A cell or an
// element that differs is written at the newest write time of its sources. Both are written after o.Before at the earliest. If
// the cell of the copy is as new as that, the difference is left for later. A row that does not follow from the root is
// deleted at o.Before, unless all of it is newer. Of a shared copy only missing rows are written. A row that expires is
// written as if it had been written at the last change of its sources.
//
// If the root cannot be projected, the error is a *[FaultError].
func (s *Schema) PlanRepair(a *Aggregate, c *Projection, root cell.Row, stamps *Stamps, there []StampedRow, o RepairOptions) ([]Finding, error) {
	given, err := c.project(root)
	if err != nil {
		return nil, err
	}
	r := repairer{filler: filler{a: a, c: c, stamps: stamps, now: o.Now}, schema: s, o: o, root: root}
	p := planner{a: a, new: root}
	found := newFinder(&given, c.Table.Key)
	elements := r.loop(&given, &found)
	for i := range given.n {
		if p.checkRow(c, &given, i, &found) {
			r.compare(given.row(i), elements[i], there)
		}
	}
	for _, x := range there {
		if found.find(x.Row) < 0 {
			r.extra(x)
		}
	}
	if err := p.faulty(); err != nil {
		return nil, err
	}
	return r.found, nil
}

// repairer plans the repairs of one copy.
type repairer struct {
	filler
	schema *Schema
	o      RepairOptions
	root   cell.Row
	found  []Finding
}

// add adds a finding.
func (r *repairer) add(f Finding) {
	for _, w := range f.Writes {
		f.Recent = f.Recent || w.At > r.o.Before+1
	}
	f.Now = r.o.Now
	r.found = append(r.found, f)
}

// compare compares a row that follows from the root with the row that was read.
func (r *repairer) compare(row cell.Row, element Stamp, there []StampedRow) {
	r.element, r.decided = element, r.stamps.derive(&r.c.Exists, element)
	row = row[:len(r.c.Columns):len(r.c.Columns)]
	i := slices.IndexFunc(there, func(x StampedRow) bool { return SameKey(x.Row, row, r.c.Table.Key) })
	switch {
	case i < 0:
		r.missing(row)
	case r.c.Shared:
	case r.c.Owned() && !r.o.OtherOwner && r.c.OwnedByOther(r.root[:r.a.Root.Key], there[i].Row):
		r.add(Finding{Kind: OtherOwner, Row: there[i].Row})
	default:
		r.values(row, &there[i])
	}
}

// missing writes a row that does not exist. One that would have expired is not missing.
func (r *repairer) missing(row cell.Row) {
	whole := r.whole(row)
	w, alive := r.put(row, whole)
	if !alive {
		return
	}
	f := Finding{Kind: MissingRow, Row: row}
	for i := r.c.Table.Key; i < len(row); i++ {
		switch {
		case r.c.Shared && row[i] == nil:
		case r.c.Table.Columns[i].Kind == projection.Static:
			f.Writes = append(f.Writes, r.staticWrite(row, i))
		default:
			w.Write.Add(i)
		}
	}
	f.Writes = append(f.Writes, w)
	r.add(f)
}

// staticWrite returns the write of a static value. It does not depend on the other values of the row.
func (r *repairer) staticWrite(row cell.Row, i int) RepairWrite {
	of := r.source(i)
	w := RepairWrite{Mutation: Mutation{Table: r.c.Table, Row: row, Action: Put, TTL: r.ttl(of)}, At: r.time(of)}
	w.Write.Add(i)
	return w
}

// whole returns the stamp of everything that a row derives from.
func (r *repairer) whole(row cell.Row) Stamp {
	whole := r.decided
	for i := r.c.Table.Key; i < len(row); i++ {
		whole = whole.with(r.source(i))
	}
	return whole
}

// source returns the stamp of the sources of a column.
func (r *repairer) source(i int) Stamp {
	t := &r.c.Targets[i]
	s := r.stamps.derive(&t.Origin, r.element)
	for k := range t.Fields {
		s = s.with(r.stamps.derive(&t.Fields[k], r.element))
	}
	return s
}

// put returns the write of a row, without columns, at the time of its sources; alive is false if the row would have expired. Each
// write of a root that expires writes all rows of its copies.
func (r *repairer) put(row cell.Row, of Stamp) (w RepairWrite, alive bool) {
	if r.a.TTL(r.a.Root) > 0 {
		of = of.with(r.stamps.row)
	}
	w = RepairWrite{Mutation: Mutation{Table: r.c.Table, Row: row, Action: Put, TTL: r.ttl(of)}, At: r.time(of)}
	if r.a.TTL(r.c.Table) == 0 {
		return w, true
	}
	left := int64(r.a.TTL(r.c.Table)) - max(0, (r.now-of.At+1e6-1)/1e6)
	if !of.There || left <= 0 {
		return w, false
	}
	w.TTL = shorter(w.TTL, int32(left))
	return w, true
}

// time returns the timestamp of a repair with the values of a source.
func (r *repairer) time(of Stamp) int64 {
	at := r.o.Before + 1
	if of.There {
		at = max(at, of.At)
	}
	return at
}

// ttl returns the remaining TTL of a write, which is the TTL of its sources. A key has no TTL: a column that derives only from it expires
// with the last value of the root.
func (r *repairer) ttl(of Stamp) int32 {
	if of.There {
		return of.RemainingTTL
	}
	if r.stamps.row.There {
		return r.stamps.longestTTL(r.a)
	}
	return int32(r.a.TTL(r.a.Root))
}

// values compares the values of an existing row.
func (r *repairer) values(row cell.Row, there *StampedRow) {
	if SameKey(row, there.Row, len(row)) {
		return
	}
	want := slices.Clone(row)
	r.schema.Keep(r.c.Table, there.Row, want)
	r.c.Table.Normalize(want)
	have := slices.Clone(there.Row)
	r.c.Table.Normalize(have)
	d := rowDifference{repairer: r, Finding: Finding{Kind: OtherValue, Row: want, Newest: there.Stamps.Newest()}, there: there, have: have}
	for i := r.c.Table.Key; i < len(want); i++ {
		d.column(i)
	}
	if d.Column == 0 {
		return
	}
	if r.a.TTL(r.c.Table) > 0 {
		d.expiring()
	} else {
		d.mark()
	}
	if len(d.Writes) > 0 || d.Later {
		r.add(d.Finding)
	}
}

// extra plans the deletion of a row that does not follow from the root.
func (r *repairer) extra(x StampedRow) {
	if r.c.Shared || r.c.Owned() && r.root != nil && r.c.OwnedByOther(r.root[:r.a.Root.Key], x.Row) {
		return
	}
	f := Finding{Kind: ExtraRow, Row: x.Row, Newest: x.Stamps.Newest()}
	if f.Later = x.Stamps.writtenAfter(r.o.Before); !f.Later {
		f.Writes = []RepairWrite{{Mutation{Table: r.c.Table, Row: x.Row, Action: Delete}, r.o.Before}}
	}
	r.add(f)
}

// writtenAfter reports whether every value of a row was written after a time. A row without values has no write time.
func (s *Stamps) writtenAfter(at int64) bool {
	oldest, any := int64(0), false
	for _, u := range s.units {
		if u.There && (!any || u.At < oldest) {
			oldest, any = u.At, true
		}
	}
	return any && oldest > at
}

// Newest returns the newest write time of a row, or 0 if it has none.
func (s *Stamps) Newest() (at int64) {
	for _, u := range s.units {
		if u.There {
			at = max(at, u.At)
		}
	}
	return at
}

// rowDifference collects the differences of one existing row.
type rowDifference struct {
	*repairer
	Finding
	there  *StampedRow
	have   cell.Row // the row that was read, normalized
	unread cell.Row // see stored
}

// column compares one column.
func (d *rowDifference) column(i int) {
	if d.same(i) {
		return
	}
	if d.Column == 0 {
		d.Column, d.Want, d.Have = i, d.Row[i], d.have[i]
	}
	if d.a.TTL(d.c.Table) > 0 {
		return // the row is written whole
	}
	t, c := &d.c.Targets[i], &d.c.Table.Columns[i]
	switch {
	case c.Kind == projection.Static:
		d.static(i)
	case c.Cells == projection.UDT:
		d.fields(i, t)
	case c.Cells == projection.Set || c.Cells == projection.Map:
		d.elements(i, t)
	default:
		d.value(i)
	}
}

// mark writes the row marker with the elements and fields: without it, a row that loses its last value does not exist anymore.
func (d *rowDifference) mark() {
	parts := false
	for i := range d.Writes {
		w := &d.Writes[i]
		if parts = parts || w.Action == Update; w.Action == Put {
			return
		}
	}
	if parts {
		d.Writes = append(d.Writes, d.newRepairWrite(d.decided))
	}
}

// same reports whether a value of the copy is the wanted value, or the value that stored returns: a column that
// is null in the root, because an earlier program did not have it, can be null in the copy, too.
func (d *rowDifference) same(i int) bool {
	switch {
	case same(d.Row[i], d.have[i]):
		return true
	case d.o.Read == nil:
		return d.schema.SameValue(d.c.Table, i, d.have[i], d.Row[i])
	}
	have := d.ordered(i, d.have[i])
	return d.equal(i, d.ordered(i, d.Row[i]), have) || d.equal(i, d.ordered(i, d.stored(i)), have)
}

// equal reports whether two values are equal as Cassandra compares them. Null equals only null.
func (d *rowDifference) equal(i int, a, b cell.Cell) bool {
	return same(a, b) || a != nil && b != nil && d.schema.form(parseType(d.c.Table.Columns[i].Type).Unfrozen()).Compare(a, b) == 0
}

// ordered returns a value of a column with ordered sets and maps.
func (d *rowDifference) ordered(i int, c cell.Cell) cell.Cell {
	return d.schema.keep(parseType(d.c.Table.Columns[i].Type), c, c)
}

// stored returns the value of a column if null were not read as a zero value.
func (d *rowDifference) stored(i int) cell.Cell {
	if d.unread == nil {
		row, err := d.c.RowWith(d.Row, d.o.Read)
		if row == nil || err != nil {
			row = make(cell.Row, len(d.Row))
		}
		d.schema.Keep(d.c.Table, d.there.Row, row)
		d.c.Table.Normalize(row)
		d.unread = row
	}
	return d.unread[i]
}

// value writes a column as one value.
func (d *rowDifference) value(i int) {
	of := d.source(i).with(d.decided)
	if !d.newer(of, d.columnStamp(i)) {
		d.write(of, i)
	}
}

// static writes a static value. All rows of a partition have the same one.
func (d *rowDifference) static(i int) {
	if of := d.source(i); !d.newer(of, d.columnStamp(i)) {
		d.Writes = append(d.Writes, d.staticWrite(d.Row, i))
	}
}

// columnStamp returns the stamp of a column of the row that was read.
func (d *rowDifference) columnStamp(i int) (s Stamp) {
	for u := d.c.units[i]; u < d.c.units[i+1]; u++ {
		s = s.with(d.there.Stamps.units[u])
	}
	return s
}

// newer reports whether a value of the copy is as new as its repair, which is then left for later.
func (d *rowDifference) newer(of, have Stamp) bool {
	if have.There && have.At >= d.time(of) {
		d.Later = true
		return true
	}
	return false
}

// write adds a column to the write at the time of its source.
func (d *rowDifference) write(of Stamp, i int) {
	at := d.time(of)
	for k := range d.Writes {
		if w := &d.Writes[k]; w.At == at && w.Action == Put && w.TTL == d.ttl(of) {
			w.Write.Add(i)
			return
		}
	}
	w := d.newRepairWrite(of)
	w.Write.Add(i)
	d.Writes = append(d.Writes, w)
}

func (d *rowDifference) newRepairWrite(of Stamp) RepairWrite {
	return RepairWrite{Mutation{Table: d.c.Table, Row: d.Row, Action: Put, TTL: d.ttl(of)}, d.time(of)}
}

// fields writes the fields of a UDT that differ, each at the time of its sources.
func (d *rowDifference) fields(i int, t *projection.Target) {
	n := d.c.Table.Columns[i].Cell().Units()
	want, have := splitMembers(d.ordered(i, d.Row[i]), n), splitMembers(d.ordered(i, d.have[i]), n)
	stored := want
	if d.o.Read != nil {
		stored = splitMembers(d.ordered(i, d.stored(i)), n)
	}
	for k := range n {
		of := d.source(i).with(d.decided)
		if t.Form == projection.ByField {
			of = d.ofField(t, k).with(d.decided)
		}
		if same(want[k], have[k]) || same(stored[k], have[k]) || d.newer(of, d.there.Stamps.units[d.c.units[i]+k]) {
			continue
		}
		w := d.newRepairWrite(of)
		w.Action, w.Values, w.Column = Update, want, uint16(i)
		w.Write.Add(k)
		d.Writes = append(d.Writes, w)
	}
}

func splitMembers(c cell.Cell, n int) []cell.Cell {
	out := make([]cell.Cell, n)
	w := cell.Members(c)
	for i := range out {
		out[i] = w.Next()
	}
	return out
}

// elements writes the elements of a set or the entries of a map that differ, each at the time of its source. An element without
// a source is removed at the earliest time.
func (d *rowDifference) elements(i int, t *projection.Target) {
	per := 1
	if d.c.Table.Columns[i].Cells == projection.Map {
		per = 2
	}
	form := d.c.Table.Columns[i].Form
	added, removed := difference(inOrder(d.there.Row[i], per, form), inOrder(d.Row[i], per, form), per, form)
	have := d.there.Stamps.elements[i]
	for e := newEntries(added, per); e.more; e.next() {
		of := d.source(i)
		if t.Form == projection.ByElement {
			of = d.stamps.element(d.a, t.Column, e.key)
		}
		d.setElement(i, 0, of.with(d.decided), have[string(e.key)], e.values())
	}
	for e := newEntries(removed, 1); e.more; e.next() {
		d.setElement(i, 1, Stamp{}, have[string(e.key)], e.values())
	}
}

// inOrder returns a set (per 1) or a map (per 2) in the order of f. A server returns it in the order of its type, which can be another one.
func inOrder(c cell.Cell, per int, f *cell.Form) cell.Cell {
	all := elements(c, per)
	slices.SortStableFunc(all.all, func(a, b element) int { return f.Compare(a.key, b.key) })
	return join(all)
}

// setElement adds an element (0) or removes it (1).
func (d *rowDifference) setElement(i, action int, of, have Stamp, values []cell.Cell) {
	if d.newer(of, have) {
		return
	}
	var c collection
	c.append(values...)
	w := d.newRepairWrite(of)
	w.Action, w.Column, w.Values = Update, uint16(i), make([]cell.Cell, 2)
	w.Values[action] = c.cell()
	w.Write.Add(action)
	d.Writes = append(d.Writes, w)
}

// expiring writes a row that expires whole.
func (d *rowDifference) expiring() {
	whole := d.whole(d.Row)
	have := Stamp{At: d.Newest, There: d.Newest > 0}
	w, alive := d.put(d.Row, whole)
	if !alive || d.newer(whole, have) {
		return
	}
	for i := d.c.Table.Key; i < len(d.Row); i++ {
		if d.c.Table.Columns[i].Kind != projection.Static || d.Row[i] != nil {
			w.Write.Add(i)
		}
	}
	d.Writes = append(d.Writes, w)
}

// SameValue reports whether a value of a column that was read equals an encoded value: sets and maps in any order, and null equals a zero
// value, as readers see it. Fields of a UDT that this program does not have are not compared.
func (s *Schema) SameValue(t *Table, column int, read, encoded cell.Cell) bool {
	return same(read, encoded) || s.equal(parseType(t.Columns[column].Type), read, encoded)
}
