package reconcile

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// plainPhases returns the scans of a plain root: of its rows, which finds missing rows of its copies, and of each copy in other
// partitions, which finds rows that belong to no root. Of copies with sums, these scans examine only the suspects that their sums show.
func (x *run) plainPhases(r call.Root) []phase {
	all := x.newSums(r, func(c *plan.Projection) bool { return !c.InOtherPartition() })
	out := []phase{{name: "rows", table: r.Codec.Table, scan: func(x *run) slice { return newRootScan(x, r, all) }}}
	if summed := sumPhases(r, all); len(summed) > 0 {
		out = append(out, summed...)
		out = append(out, phase{name: "suspects", table: r.Codec.Table, scan: func(x *run) slice { return newSuspectScan(x, r, all) }})
	}
	for i := range r.Aggregate.Copies {
		if c := &r.Aggregate.Copies[i]; !c.Shared && c.SourceKey != nil && c.InOtherPartition() {
			out = append(out, phase{name: "copies", table: c.Table, scan: func(x *run) slice { return newCopyScan(x, r, c, all[i]) }})
		}
	}
	return releasing(out, all)
}

// rootRow is a row of a root that was read.
type rootRow struct {
	key    cell.Row
	source cell.Row     // the row as the mapper writes it, with computed values; nil: there is no row
	read   cell.Row     // the stored row, with computed values
	stamps *plan.Stamps // nil without a row
	newest int64        // the newest write time of its values; 0: none
	since  int64        // a time before the row was read
}

func (r *rootRow) primaryKey() cell.Row { return r.key }

// newRootRow returns a row that was read with its stamps. The error is about the row.
func (x rootCheck) newRootRow(read cell.Row, w *call.ReencodeBuffer, since int64) (*rootRow, error) {
	stamps, err := x.r.Aggregate.Stamps(read)
	if err != nil {
		return &rootRow{key: plan.CloneRow(read[:x.r.Codec.Table.Key]), since: since}, err
	}
	return x.completeRootRow(read, w, rootRow{stamps: stamps, newest: stamps.Newest(), since: since})
}

// completeRootRow completes out for a row that was read. It returns nil for a partition that has only static values.
func (x rootCheck) completeRootRow(read cell.Row, w *call.ReencodeBuffer, out rootRow) (*rootRow, error) {
	t := x.r.Codec.Table
	if read[t.Key-1] == nil {
		return nil, nil
	}
	stored := plan.CloneRow(read[:len(t.Columns)])
	out.key = stored[:t.Key:t.Key]
	source, err := x.r.ReencodeValid(w, stored)
	if err != nil {
		return &out, err
	}
	out.source, out.read = source, append(stored, source[len(t.Columns):]...)
	return &out, nil
}

// rootScan compares the copies of the rows of a plain root.
type rootScan struct {
	scan.PageScan
	x         *run
	sums      []*sums      // index: the copy
	unstamped *plan.Stamps // the stamps of every row; nil: rows are read with their stamps
	page      []*rootRow
	w         call.ReencodeBuffer
}

// newRootScan returns a scan that reads stamps if rows of the root or of its copies expire. Otherwise it reads only write times, which
// is faster; a row that differs is read again.
func newRootScan(x *run, r call.Root, all []*sums) *rootScan {
	expires := r.Aggregate.TTL(r.Codec.Table) > 0
	for i := range r.Aggregate.Copies {
		expires = expires || r.Aggregate.TTL(r.Aggregate.Copies[i].Table) > 0
	}
	s := &rootScan{PageScan: scan.NewSliceScan(r, r.Codec.Table, expires), x: x, sums: all}
	if s.Handler = s; !expires {
		s.Read.Written, s.unstamped = true, r.Aggregate.Unstamped()
	}
	return s
}

// newRow returns a row of the scan. The error is about the row.
func (s *rootScan) newRow(read cell.Row) (*rootRow, error) {
	if s.unstamped == nil {
		return s.x.newRootCheck(s.Root).newRootRow(read, &s.w, s.Since)
	}
	n := len(s.Root.Codec.Table.Columns)
	newest := call.LatestTime(read[n : 2*n-s.Root.Codec.Table.Key])
	return s.x.newRootCheck(s.Root).completeRootRow(read, &s.w, rootRow{stamps: s.unstamped, newest: newest, since: s.Since})
}

func (s *rootScan) Begin() { s.page = s.page[:0] }

// Add decodes a row. The copies of a row that cannot be projected are not changed.
func (s *rootScan) Add(row cell.Row) {
	read, err := s.newRow(row)
	switch {
	case err != nil:
		s.x.newRootCheck(s.Root).unprojectable(read.key, err)
	case read != nil:
		s.x.newRootCheck(s.Root).checkAhead(s.Root.Codec.Table, read.key, read.newest)
		s.page = append(s.page, read)
	}
}

// End compares the copies of a page, examines the parts whose root is not in it, and adds the rows that follow from it to the
// sums.
func (s *rootScan) End(ctx context.Context) error {
	for i := range s.Root.Aggregate.Copies {
		if s.sums[i] != nil {
			continue
		}
		if err := s.compare(ctx, &s.Root.Aggregate.Copies[i]); err != nil {
			return err
		}
	}
	for _, part := range partTables(s.Root) {
		if err := s.compareParts(ctx, part); err != nil {
			return err
		}
	}
	for _, row := range s.page {
		s.sum(row)
	}
	return s.x.newRootCheck(s.Root).compareCopied(ctx, func(yield func(cell.Row) bool) {
		for _, row := range s.page {
			if !yield(row.source) {
				return
			}
		}
	})
}

// compare compares a copy of the page.
func (s *rootScan) compare(ctx context.Context, c *plan.Projection) error {
	if !c.InOtherPartition() {
		return s.compareNear(ctx, c)
	}
	return s.each(ctx, func(ctx context.Context, row *rootRow) error {
		return s.x.newCopyCheck(s.Root, c).compareElsewhere(ctx, row)
	})
}

// sources yields the rows of a page as the mapper writes them.
func sources(page []*rootRow) iter.Seq[cell.Row] {
	return func(yield func(cell.Row) bool) {
		for _, row := range page {
			if !yield(row.source) {
				return
			}
		}
	}
}

func (s *rootScan) each(ctx context.Context, do func(context.Context, *rootRow) error) error {
	return forEachRow(ctx, s.x, s.Root, s.page, do)
}

// compareNear compares a copy in the partitions of the page.
func (s *rootScan) compareNear(ctx context.Context, c *plan.Projection) error {
	near, err := s.x.newCopyCheck(s.Root, c).readNear(ctx, s.PageStart, s.PageEnd, len(s.page))
	if err != nil {
		return err
	}
	if !near.equals(s.Root.Aggregate, sources(s.page)) {
		if err := s.compareEach(ctx, near); err != nil {
			return err
		}
	}
	return s.x.newCopyCheck(s.Root, c).purgeStatics(ctx, near.statics)
}

// compareEach compares the rows of a copy with the rows of the page, one by one.
func (s *rootScan) compareEach(ctx context.Context, n *near) error {
	n.bySource = map[string][]plan.StampedRow{}
	for _, row := range n.rows {
		if source := sourceKey(n.copy, row.Row); source != nil {
			name := call.KeyString(source, len(source))
			n.bySource[name] = append(n.bySource[name], row)
		}
	}
	if err := s.x.newRootCheck(s.Root).compareStrays(ctx, n, s.page); err != nil {
		return err
	}
	return s.each(ctx, func(ctx context.Context, row *rootRow) error {
		return s.x.newRootCheck(s.Root).compareNear(ctx, n, row)
	})
}

// sum adds the rows that follow from a row of the root to the sums.
func (s *rootScan) sum(row *rootRow) {
	for _, sums := range s.sums {
		if sums == nil {
			continue
		}
		if err := sums.add(s.Root.Aggregate, row.source); err != nil {
			s.x.newRootCheck(s.Root).unprojectable(row.key, s.Root.DB.ConstraintError(s.Root.Codec.Table, row.source, nil, err))
		}
	}
}

// newSuspectScan returns a scan of a plain root that compares the rows whose sums differ.
func newSuspectScan(x *run, r call.Root, all []*sums) slice {
	var s *scan.RowScan[*rootRow]
	var w call.ReencodeBuffer
	of := func(read cell.Row) (*rootRow, error) {
		row, err := x.newRootCheck(r).newRootRow(read, &w, s.Since)
		if err != nil {
			return nil, nil //nolint:nilerr // the first scan has reported it
		}
		return row, nil
	}
	s = scan.NewRowScan(r, scan.FillConfig{}, r.Codec.Table.Name, of, func(ctx context.Context, row *rootRow) error {
		for _, sums := range all {
			if row == nil || !sums.showsDifference(r.Aggregate, row.source) {
				continue
			}
			if err := x.newCopyCheck(r, sums.copy).compareElsewhere(ctx, row); err != nil {
				return err
			}
		}
		return nil
	})
	return unlessEqual{tolerant(x, s, r.Codec.Table), func() bool { return differ(all) }}
}

// near is the rows of a copy in the partitions of a page of its root.
type near struct {
	copy     *plan.Projection
	rows     []plan.StampedRow
	byKey    map[string]int               // the indexes of rows
	bySource map[string][]plan.StampedRow // keys: the key of the root that the rows contain; nil: not needed
	statics  []cell.Row                   // the partitions that have only static values
	equal    bool                         // the result of equals; set for a versioned root
}

// row returns the row that has the key of another row.
func (n *near) row(row cell.Row) (found plan.StampedRow, ok bool) {
	i, ok := atKey(n.byKey, row[:n.copy.Table.Key])
	if ok {
		found = n.rows[i]
	}
	return found, ok
}

// equals reports whether the rows are exactly those that follow from the rows of a page, with the same bytes. If so, no row of the
// page needs to be compared.
func (n *near) equals(a *plan.Aggregate, page iter.Seq[cell.Row]) bool {
	left := len(n.rows)
	for source := range page {
		rows, err := a.Valid(n.copy, source)
		if err != nil {
			return false
		}
		for _, want := range rows {
			if there, ok := n.row(want); !ok || !plan.SameKey(want, there.Row, len(want)) {
				return false
			}
		}
		left -= len(rows)
	}
	return left == 0
}

// readNear reads the rows of a copy whose partitions have the same keys as the partitions of the root; expected is about their number. A row
// that differs is read again, with its write times. If rows expire, the first read has them, too: a row that is about to expire is
// not a difference.
func (x copyCheck) readNear(ctx context.Context, low, high cell.Cell, expected int) (*near, error) {
	n := &near{copy: x.c, byKey: make(map[string]int, expected)}
	q := store.Read{Table: x.c.Table, Within: true, Stamped: x.r.Aggregate.TTL(x.c.Table) > 0, After: low, Until: high, Consistency: x.db.Config.Consistency}
	unstamped := x.c.Unstamped()
	for row, err := range x.db.Store.Rows(ctx, q) {
		if err != nil {
			return nil, scan.ReadError{Err: fmt.Errorf("read %s: %w", x.c.Table.Name, err)}
		}
		if p, static := staticPartition(x.c, row); static {
			n.statics = append(n.statics, p)
			continue
		}
		s := plan.StampedRow{Row: plan.CloneRow(row[:len(x.c.Table.Columns)]), Stamps: unstamped}
		if q.Stamped {
			if s, err = stampedRow(x.c, row); err != nil {
				return nil, err
			}
		}
		n.byKey[call.KeyString(s.Row, x.c.Table.Key)] = len(n.rows)
		n.rows = append(n.rows, s)
	}
	return n, x.read(ctx, len(n.rows))
}

// stampedRow returns a row of a copy that was read with its stamps.
func stampedRow(c *plan.Projection, read cell.Row) (plan.StampedRow, error) {
	stamps, err := c.Stamps(read)
	return plan.StampedRow{Row: plan.CloneRow(read[:len(c.Table.Columns)]), Stamps: stamps}, err
}

// sourceKey returns the key of the root that a row of a copy contains; nil if there is none.
func sourceKey(c *plan.Projection, row cell.Row) cell.Row {
	if c.SourceKey == nil {
		return nil
	}
	return c.RootKey(row)
}

// atKey returns the value of a key in a map whose keys are results of KeyString.
func atKey[T any](in map[string]T, key cell.Row) (T, bool) {
	var short [64]byte
	v, ok := in[string(call.AppendKey(short[:0], key))]
	return v, ok
}

// compareNear compares the rows of a copy that are in the partitions of its root.
func (x rootCheck) compareNear(ctx context.Context, n *near, row *rootRow) error {
	rows, err := n.copy.Rows(row.source)
	if err != nil {
		return err
	}
	there, _ := atKey(n.bySource, row.key)
	for _, want := range rows {
		s, found := n.row(want)
		if !found {
			continue
		}
		if source := sourceKey(n.copy, s.Row); source == nil || !plan.SameKey(source, row.key, len(row.key)) {
			there = append(there[:len(there):len(there)], s)
		}
	}
	return x.newCopyCheck(x.r, n.copy).compare(ctx, row, there)
}

// pageKeys returns the keys of the rows of a page.
func pageKeys(page []*rootRow) map[string]bool {
	keys := make(map[string]bool, len(page))
	for _, row := range page {
		keys[call.KeyString(row.key, len(row.key))] = true
	}
	return keys
}

// compareStrays examines the rows of a copy that contain the key of a root that is not in the page.
func (x rootCheck) compareStrays(ctx context.Context, n *near, page []*rootRow) error {
	there := pageKeys(page)
	for _, name := range slices.Sorted(maps.Keys(n.bySource)) {
		if there[name] || n.copy.Shared {
			continue
		}
		for _, s := range n.bySource[name] {
			if err := x.newCopyCheck(x.r, n.copy).repairDifference(ctx, sourceKey(n.copy, s.Row), s.Row[:n.copy.Table.Key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// compareElsewhere reads the rows of a copy of one root, and compares them.
func (x copyCheck) compareElsewhere(ctx context.Context, row *rootRow) error {
	there, err := x.rowsElsewhere(ctx, row)
	if err == nil {
		err = x.pace.Wait(ctx)
	}
	if err != nil {
		return err
	}
	return x.compare(ctx, row, there)
}

// rowsElsewhere reads the rows of a copy that follow from a row of the root, and, if they are one range, all rows of that range.
func (x copyCheck) rowsElsewhere(ctx context.Context, row *rootRow) (there []plan.StampedRow, err error) {
	if x.c.Range {
		return x.readCopies(ctx, x.c, x.c.RootRange(row.key))
	}
	return x.readCopyRows(ctx, x.c, row.source, nil)
}

// readCopies reads the rows of a copy whose primary key begins with a key.
func (x *run) readCopies(ctx context.Context, c *plan.Projection, key cell.Row) (out []plan.StampedRow, err error) {
	q := store.Read{Table: c.Table, Key: key, Stamped: true, Consistency: x.db.Config.Consistency}
	ctx, end := x.db.TraceRead(ctx, reconcile, &q)
	defer func() { end(err, len(out)) }()
	for row, err := range x.db.Store.Rows(ctx, q) {
		if err != nil {
			return nil, err
		}
		s, err := stampedRow(c, row)
		if err != nil {
			return nil, err
		}
		if s.Row[c.Table.Key-1] != nil {
			out = append(out, s)
		}
	}
	x.note(len(out))
	return out, nil
}

// compare compares the rows of a copy of one root, and examines those that differ.
func (x copyCheck) compare(ctx context.Context, row *rootRow, there []plan.StampedRow) error {
	found, err := x.plan(row, there, false)
	if call.IsRowError(err) {
		x.unprojectable(row.key, err)
		return nil
	}
	if err != nil {
		return err
	}
	for i := range found {
		if found[i].Kind == plan.ExtraRow && x.findsOrphansLater() && x.c.SourceKey != nil && x.c.InOtherPartition() {
			continue
		}
		if err := x.repairDifference(ctx, row.key, found[i].Row[:x.c.Table.Key]); err != nil {
			return err
		}
	}
	return nil
}

// findsOrphansLater reports whether the scan of a root leaves orphans to the scan of the copy, which would find them again: a dry run repairs
// none.
func (x *run) findsOrphansLater() bool { return x.config.DryRun && x.whole != nil }

func (x copyCheck) plan(row *rootRow, there []plan.StampedRow, otherOwner bool) ([]plan.Finding, error) {
	o := plan.RepairOptions{Before: x.repairBefore(row.since), Now: row.since, OtherOwner: otherOwner, Read: row.read}
	return x.planRepair(row.source, row.stamps, there, o)
}

// planRepair compares the rows of a copy with a row of the root. If the root cannot be projected, the error is a *mapper.ConstraintError.
func (x copyCheck) planRepair(source cell.Row, stamps *plan.Stamps, there []plan.StampedRow, o plan.RepairOptions) ([]plan.Finding, error) {
	found, err := x.db.Schema.PlanRepair(x.r.Aggregate, x.c, source, stamps, there, o)
	if err != nil {
		err = x.r.DB.ConstraintError(x.r.Codec.Table, source, nil, err)
	}
	return found, err
}
