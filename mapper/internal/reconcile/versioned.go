package reconcile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// versionedPhases returns the scans of a versioned root, in this order: of its reservations, so that none is in flight; of its
// rows, with the copies in their partitions; of the other copies; and of the reservations that can be purged.
func (x *run) versionedPhases(r save.Versioned) []phase {
	var out []phase
	v := r.Aggregate.Versioning
	all := x.newSums(r.Root, func(c *plan.Projection) bool { return isNear(r, c) })
	for i := range v.Uniques {
		u := &v.Uniques[i]
		out = append(out, phase{name: "reservations", table: u.Table, scan: func(x *run) slice { return newReservationScan(x, r, u) }})
	}
	out = append(out, phase{name: "rows", table: r.Codec.Table, scan: func(x *run) slice { return newVersionedScan(x, r, all) }})
	if summed := sumPhases(r.Root, all); len(summed) > 0 {
		out = append(out, summed...)
		out = append(out, phase{name: "suspects", table: r.Codec.Table, scan: func(x *run) slice { return newVersionedSuspectScan(x, r, all) }})
	}
	for i := range r.Aggregate.Copies {
		if c := &r.Aggregate.Copies[i]; !c.Shared && !isNear(r, c) {
			out = append(out, phase{name: "copies", table: c.Table, scan: func(x *run) slice { return newVersionedCopyScan(x, r, c, all[i]) }})
		}
	}
	for i := range v.Uniques {
		u := &v.Uniques[i]
		out = append(out, phase{name: "purge", table: u.Table, scan: func(x *run) slice { return newReservationPurge(x, r, u) }})
	}
	return releasing(out, all)
}

// isNear reports whether a copy is compared page by page with its root: its partitions have the keys of those of the root.
func isNear(r save.Versioned, c *plan.Projection) bool {
	return !c.Elsewhere(r.Codec.Table) && c.SourceKey != nil
}

// forRow calls do for one row, within the time of a call. It starts over if the row has been saved in between. A row that is saved so
// often that the time ends is left for a later run.
func (x *run) forRow(ctx context.Context, r save.Versioned, key cell.Row, do func(w *save.Call) error) error {
	err := x.retryRow(ctx, r, key, do)
	if ctx.Err() == nil && (errors.Is(err, mapper.ErrConflict) || errors.Is(err, mapper.ErrBusy)) {
		x.countLater()
		return nil
	}
	return err
}

func (x *run) retryRow(ctx context.Context, r save.Versioned, key cell.Row, do func(w *save.Call) error) error {
	return r.ForRow(ctx, reconcile, key, func(w *save.Call) error {
		for {
			err := do(w)
			if !errors.Is(err, call.ErrChanged) {
				return err
			}
			if err := w.Retry(); err != nil {
				return err
			}
		}
	})
}

// newReservationScan returns a scan of the reservations of unique values. One whose owner does not have the value is released.
func newReservationScan(x *run, r save.Versioned, u *plan.Unique) *scan.RowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row[:len(u.Table.Columns)]), nil }
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, u.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		w := r.Call(ctx, reconcile, nil)
		v, err := w.DecodeReservation(u.Claim(row[:u.Table.Key]), row)
		if err != nil || v.Owner == nil {
			return err
		}
		return x.forRow(ctx, r, v.Owner, func(w *save.Call) error { return x.newRowCheck(w).checkReservation(v) })
	})
	return tolerant(x, s, u.Table)
}

// checkReservation releases a reservation unless its owner has the value.
func (x rowCheck) checkReservation(r *save.Reservation) error {
	o, err := x.w.ReadKeyState(x.w.Key, false)
	if err != nil {
		return err
	}
	if has, err := x.w.Holds(o, r.Claim); has || err != nil {
		return err
	}
	d := drift(mapper.LeakedReservation, x.w.Root, r.Table, r.Key)
	d.Column, d.Have = r.Table.Columns[r.Table.Key].Name, x.w.Codec.Table.KeyText(r.Owner)
	d.Key = r.Text()
	leaked, freed, err := x.w.ReleaseLeaked(r, x.config.DryRun)
	if err != nil || !leaked {
		return err
	}
	if d.Repaired = freed; freed {
		err = x.w.CompleteCopies()
	}
	x.addFinding(d)
	return err
}

// versionedRow is a row of a versioned root that was read.
type versionedRow struct {
	key   cell.Row
	state *plan.State
}

func (r *versionedRow) keyOf() cell.Row { return r.key }

// versionedScan compares the copies, the done-markers and the reservations of the rows of a versioned root.
type versionedScan struct {
	scan.PageScan
	x       *run
	v       save.Versioned
	sums    []*sums // by the index of the copy
	page    []*versionedRow
	refused map[string]bool // the keys of rows that cannot be projected
	w       call.ReencodeBuffer
}

// newVersionedScan returns a scan without stamps: the version of a row is the write time of everything that derives from it.
func newVersionedScan(x *run, r save.Versioned, all []*sums) *versionedScan {
	s := &versionedScan{PageScan: scan.NewSliceScan(r.Root, r.Codec.Table, false), x: x, v: r, sums: all}
	s.Handler = s
	return s
}

func (s *versionedScan) Begin() { s.page, s.refused = s.page[:0], map[string]bool{} }

func (s *versionedScan) Add(row cell.Row) {
	t := s.Root.Codec.Table
	stored := plan.CloneRow(row[:len(t.Columns)])
	read := &versionedRow{key: stored[:t.Key:t.Key]}
	var err error
	if read.state, err = decodeState(s.v, stored, &s.w); err != nil {
		s.x.newRootCheck(s.Root).unprojectable(read.key, err)
		s.refused[call.KeyString(read.key, t.Key)] = true
		return
	}
	s.page = append(s.page, read)
}

// decodeState returns the state of a row as the mapper writes it, with computed values. It can share the storage of read, which must not
// change later.
func decodeState(r save.Versioned, read cell.Row, w *call.ReencodeBuffer) (*plan.State, error) {
	t := r.Codec.Table
	if !t.IsDeleted(read) {
		source, err := r.ReencodeValid(w, read)
		if err != nil {
			return nil, err
		}
		if &source[0] != &read[0] || len(source) > len(read) {
			first := len(t.Columns) - t.Hidden
			read = append(append(source[:first:first], read[first:]...), source[len(t.Columns):]...)
		}
	}
	return r.Aggregate.StateOf(read)
}

// End examines the rows of a page whose copies, done-marker or reservations differ.
func (s *versionedScan) End(ctx context.Context) error {
	near := map[*plan.Table]*near{}
	for i := range s.Root.Aggregate.Copies {
		c := &s.Root.Aggregate.Copies[i]
		if !isNear(s.v, c) {
			continue
		}
		n, err := s.x.newCopyCheck(s.Root, c).readNear(ctx, s.PageStart, s.PageEnd, len(s.page))
		if err != nil {
			return err
		}
		n.equal = n.equals(s.Root.Aggregate, existing(s.page))
		near[c.Table] = n
	}
	marked, err := s.markers(ctx)
	if err == nil {
		err = s.purgeMarkers(ctx, marked)
	}
	if err != nil {
		return err
	}
	err = eachOf(ctx, s.x, s.Root, s.page, func(ctx context.Context, row *versionedRow) error {
		return s.compare(ctx, row, near, marked)
	})
	if err != nil {
		return err
	}
	for i := range s.Root.Aggregate.Copies {
		if n := near[s.Root.Aggregate.Copies[i].Table]; n != nil && !n.copy.Shared {
			if !n.equal {
				if err := s.deleteStrays(ctx, n); err != nil {
					return err
				}
			}
			if err := s.x.newCopyCheck(s.Root, n.copy).purgeStatics(ctx, n.statics); err != nil {
				return err
			}
		}
	}
	for _, row := range s.page {
		s.sum(row)
	}
	return nil
}

// existing yields the rows of a page that are not deleted.
func existing(page []*versionedRow) iter.Seq[cell.Row] {
	return func(yield func(cell.Row) bool) {
		for _, row := range page {
			if row.state.Exists() && !yield(row.state.Row) {
				return
			}
		}
	}
}

// sum adds the rows that follow from a row of the root to the sums. If it cannot be projected, the comparison has reported it.
func (s *versionedScan) sum(row *versionedRow) {
	for _, sums := range s.sums {
		if sums != nil && row.state.Exists() {
			_ = sums.add(s.Root.Aggregate, row.state.Row)
		}
	}
}

// newVersionedSuspectScan returns a scan of a versioned root that examines the rows whose sums differ.
func newVersionedSuspectScan(x *run, r save.Versioned, all []*sums) slice {
	var w call.ReencodeBuffer
	of := func(row cell.Row) (*versionedRow, error) {
		read := plan.CloneRow(row[:len(r.Codec.Table.Columns)])
		state, err := decodeState(r, read, &w)
		if err != nil {
			return nil, nil //nolint:nilerr // the first scan has reported it
		}
		return &versionedRow{read[:r.Codec.Table.Key:r.Codec.Table.Key], state}, nil
	}
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, r.Codec.Table.Name, of, func(ctx context.Context, row *versionedRow) error {
		if row == nil || !row.state.Exists() || !slices.ContainsFunc(all, func(s *sums) bool { return s.showsDifference(r.Aggregate, row.state.Row) }) {
			return nil
		}
		return x.forRow(ctx, r, row.key, func(w *save.Call) error { return x.newRowCheck(w).repairVersionedRow() })
	})
	return unlessEqual{tolerant(x, s, r.Codec.Table), func() bool { return differ(all) }}
}

// compare examines a row if it differs, and removes it if it was deleted long ago.
func (s *versionedScan) compare(ctx context.Context, row *versionedRow, near map[*plan.Table]*near, marked map[string]marker) error {
	differs, err := s.differs(ctx, row, near, marked)
	if err == nil && differs {
		err = s.x.forRow(ctx, s.v, row.key, func(w *save.Call) error { return s.x.newRowCheck(w).repairVersionedRow() })
	}
	if err != nil || !row.state.Deleted || row.state.Version >= s.x.purgeable(s.Root.Codec.Table) || s.x.config.DryRun {
		return err
	}
	return s.x.forRow(ctx, s.v, row.key, func(w *save.Call) error { return s.x.newRowCheck(w).purge() })
}

// deleteStrays deletes the rows of a copy in the partitions of a page that the rows of the page do not have.
func (s *versionedScan) deleteStrays(ctx context.Context, n *near) error {
	strays := maps.Clone(n.byKey)
	for _, row := range s.page {
		if !row.state.Exists() {
			continue
		}
		rows, err := n.copy.Rows(row.state.Row)
		if err != nil { // the comparison of the row has reported it
			s.refused[call.KeyString(row.key, len(row.key))] = true
		}
		for _, has := range rows {
			delete(strays, call.KeyString(has, n.copy.Table.Key))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(strays)) {
		row := n.rows[strays[name]].Row
		source := n.copy.SourceOf(row)
		if source != nil && s.refused[call.KeyString(source, len(source))] {
			continue
		}
		if err := s.deleteStray(ctx, n.copy, source, row); err != nil {
			return err
		}
	}
	return nil
}

// deleteStray deletes a row of a copy that its root does not have. An error about the root is a finding.
func (s *versionedScan) deleteStray(ctx context.Context, c *plan.Projection, source, row cell.Row) error {
	stray := copyRow{key: row[:c.Table.Key], row: row}
	err := scan.Retry(ctx, s.Root.DB, func() error {
		return s.x.forRow(ctx, s.v, source, func(w *save.Call) error { return s.x.newRowCheck(w).deleteOrphanRow(c, stray) })
	})
	if call.IsRowError(err) {
		d := drift(mapper.Unprojectable, s.Root, c.Table, stray.key)
		d.Reason = err.Error()
		s.x.addFinding(d)
		return nil
	}
	return err
}

// marker is a done-marker.
type marker struct {
	key cell.Row
	at  plan.Version
}

// markers returns the done-markers of the page, by the key of the root.
func (s *versionedScan) markers(ctx context.Context) (map[string]marker, error) {
	t := s.Root.Aggregate.Versioning.Done
	if t == nil {
		return nil, nil
	}
	out := make(map[string]marker, len(s.page))
	q := store.Read{Table: t, Within: true, After: s.PageStart, Until: s.PageEnd, Consistency: s.Read.Consistency}
	for row, err := range s.Root.DB.Store.Rows(ctx, q) {
		if err != nil {
			return nil, scan.ReadError{Err: fmt.Errorf("read %s: %w", t.Name, err)}
		}
		at, err := plan.BigintOf(row[t.Key])
		if err != nil {
			return nil, err
		}
		out[call.KeyString(row, t.Key)] = marker{plan.CloneRow(row[:t.Key]), at}
	}
	return out, s.x.read(ctx, len(out))
}

// purgeMarkers removes old done-markers of roots that have been removed.
func (s *versionedScan) purgeMarkers(ctx context.Context, marked map[string]marker) error {
	known := 0
	for _, row := range s.page {
		if _, ok := atKey(marked, row.key); ok {
			known++
		}
	}
	if known == len(marked) {
		return nil
	}
	left := maps.Clone(marked)
	for _, row := range s.page {
		delete(left, call.KeyString(row.key, len(row.key)))
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		m := left[name]
		if m.at >= s.x.purgeable(s.Root.Codec.Table) || s.x.config.DryRun {
			continue
		}
		if err := s.x.forRow(ctx, s.v, m.key, func(w *save.Call) error { return s.x.newRowCheck(w).purge() }); err != nil {
			return err
		}
	}
	return nil
}

// differs reports whether a row of a page needs to be examined.
func (s *versionedScan) differs(ctx context.Context, row *versionedRow, near map[*plan.Table]*near, marked map[string]marker) (bool, error) {
	if row.state.Version == 0 {
		return true, nil
	}
	if m, _ := atKey(marked, row.key); s.Root.Aggregate.Versioning.Done != nil && m.at < row.state.Version {
		return true, nil
	}
	if !row.state.Exists() {
		return false, nil
	}
	for i := range s.Root.Aggregate.Copies {
		c := &s.Root.Aggregate.Copies[i]
		if s.sums[i] != nil {
			if _, err := s.Root.Aggregate.Valid(c, row.state.Row); err != nil {
				return true, nil //nolint:nilerr // the examination reports the error
			}
			continue
		}
		n := near[c.Table]
		if n != nil && n.equal {
			continue
		}
		there, err := s.x.readCopyRows(ctx, c, row.state.Row, n)
		if err == nil {
			err = s.x.pace.Wait(ctx)
		}
		if err != nil {
			return false, err
		}
		if found, err := s.x.newCopyCheck(s.Root, c).planVersioned(row.state, there); len(found) > 0 || call.IsRowError(err) {
			return true, nil // the examination reports the error
		} else if err != nil {
			return false, err
		}
	}
	w := s.v.Call(ctx, reconcile, row.key)
	missing, err := w.Unreserved(row.state, w.DB.Config.Consistency)
	return len(missing) > 0, err
}

// readCopyRows returns the rows of a copy that exist of those that follow from a row of the root.
func (x *run) readCopyRows(ctx context.Context, c *plan.Projection, source cell.Row, n *near) (there []plan.StampedRow, err error) {
	rows, err := c.Rows(source)
	if err != nil {
		return nil, err
	}
	for _, want := range rows {
		if n != nil {
			if s, found := n.row(want); found {
				there = append(there, s)
			}
			continue
		}
		found, err := x.readCopies(ctx, c, want[:c.Table.Key])
		if err != nil {
			return nil, err
		}
		there = append(there, found...)
	}
	return there, nil
}

// planVersioned compares the rows of a copy with a state. The writes of the findings are not used: copies of versioned roots have
// the version as their timestamp. A row that expires within the next minute is left to expire.
func (x copyCheck) planVersioned(s *plan.State, there []plan.StampedRow) ([]plan.Finding, error) {
	o := plan.RepairOptions{Before: latestTime, Now: x.now(), OtherOwner: true}
	stamps := x.r.Aggregate.StampsAt(s.Version - time.Minute.Microseconds())
	return x.planRepair(s.Row, stamps, there, o)
}

// latestTime is a time after all writes.
const latestTime = 1 << 62

// repairVersionedRow reads a row at the serial consistency, and repairs what derives from it if it differs.
func (x rowCheck) repairVersionedRow() error {
	s, found, err := x.readUnmarked()
	for attempt := 1; err == nil && len(found) > 0 && attempt < 2*maxReads && x.w.DB.Env.Pause(x.w.Ctx, attempt); attempt++ {
		s, found, err = x.readUnmarked()
	}
	if err != nil || len(found) == 0 {
		return err
	}
	if !x.config.DryRun {
		if found, err = x.repairVersioned(s, found); err != nil {
			return err
		}
	}
	for _, d := range found {
		x.addFinding(d)
	}
	return nil
}

// readUnmarked is readVersioned, but a done-marker that is missing although the copies are right is not a finding: Change and the save of
// another row that raises the version write none. The done-marker is written with the copies and the deletions of the pending rows, which
// protect them against a batch of an earlier save that has not arrived.
func (x rowCheck) readUnmarked() (*plan.State, []finding, error) {
	s, found, err := x.readVersioned()
	if err != nil || len(found) != 1 || found[0].Kind != mapper.Unpropagated {
		return s, found, err
	}
	if gone, err := x.pendingGone(s); !gone || err != nil {
		return s, found, err
	}
	if x.config.DryRun {
		return s, nil, nil
	}
	left, err := x.propagate(s)
	return s, left, err
}

// pendingGone reports whether no pending row of a state is in its copy, except rows that belong to another root now.
func (x rowCheck) pendingGone(s *plan.State) (bool, error) {
	if !x.w.Aggregate.Knows(s.Pending) {
		return false, nil
	}
	for _, p := range s.Pending {
		c := x.w.Aggregate.CopyNamed(p.Table)
		row, err := x.w.ReadRow(c.Table, p.Key, x.w.DB.Config.Consistency)
		if err != nil {
			return false, err
		}
		if row == nil || row[c.Table.Key-1] == nil {
			continue
		}
		if c.SourceKey == nil && c.ByUnique == 0 {
			return false, nil
		}
		owner, err := x.w.SourceKey(x.w.Ctx, x.w.Op, x.w.Aggregate, c, row)
		if err != nil || owner == nil || plan.SameKey(owner, x.w.Key, x.w.Codec.Table.Key) {
			return false, err
		}
	}
	return true, nil
}

// readVersioned returns the state of a row and everything that differs from it.
func (x rowCheck) readVersioned() (*plan.State, []finding, error) {
	s, err := x.w.ReadValid()
	if s == nil || err != nil {
		return nil, nil, err
	}
	var out []finding
	if s.Exists() && s.Version == 0 {
		d := drift(mapper.Unprojectable, x.w.Root, x.w.Codec.Table, x.w.Key)
		d.Reason = "has no version: run the function that assigns versions"
		return s, []finding{d}, nil
	}
	if done := x.w.Aggregate.Versioning.Done; done != nil {
		at, err := x.w.ReadMarker()
		if err != nil {
			return nil, nil, err
		}
		if at < s.Version {
			d := drift(mapper.Unpropagated, x.w.Root, done, x.w.Key)
			d.Column, d.Want, d.Have = done.Columns[done.Key].Name, strconv.FormatInt(s.Version, 10), strconv.FormatInt(at, 10)
			out = append(out, d)
		}
	}
	if !s.Exists() {
		return s, out, nil
	}
	more, err := x.copyDrift(s)
	if err != nil {
		return nil, nil, err
	}
	missing, err := x.w.Unreserved(s, gocql.Consistency(x.w.DB.Config.Serial))
	for _, c := range missing {
		d := drift(mapper.Missing, x.w.Root, c.Table, c.Key)
		d.Key = c.Text()
		more = append(more, d)
	}
	return s, append(out, more...), err
}

// copyDrift returns the rows of copies that differ from a state.
func (x rowCheck) copyDrift(s *plan.State) (out []finding, err error) {
	for i := range x.w.Aggregate.Copies {
		c := &x.w.Aggregate.Copies[i]
		there, err := x.readCopyRows(x.w.Ctx, c, s.Row, nil)
		if err != nil {
			return nil, err
		}
		found, err := x.newCopyCheck(x.w.Root, c).planVersioned(s, there)
		if err != nil {
			return nil, err
		}
		for k := range found {
			out = append(out, newDrift(x.w.Root, c, &found[k]))
		}
	}
	return out, nil
}

// repairVersioned writes what derives from a state, and returns the findings with their results. What does not become equal was
// written at the same version with another value, by a program whose method returned another result: it is written again at a
// higher version.
func (x rowCheck) repairVersioned(s *plan.State, found []finding) ([]finding, error) {
	if s.Version == 0 {
		return found, nil
	}
	taken, err := x.reserve(s)
	if err != nil {
		return nil, err
	}
	exists, err := x.existing(s)
	if err != nil {
		return nil, err
	}
	if forget := plan.PlanForget(x.w.Aggregate, s, exists, x.w.Options()); forget != nil {
		if err := x.w.SendRaise(forget); err != nil {
			return nil, err
		}
		s = &forget.State
	}
	left, err := x.propagate(s)
	if err != nil {
		return nil, err
	}
	free := func(d finding) bool { return taken[d.Key] == nil }
	if slices.ContainsFunc(left, free) && x.w.Aggregate.Knows(s.Pending) {
		save := plan.PlanFence(x.w.Aggregate, s, x.w.Key, 0, x.w.Options())
		if err := x.w.SendRaise(save); err != nil {
			return nil, err
		}
		if left, err = x.propagate(&save.State); err != nil {
			return nil, err
		}
	}
	for i := range found {
		d := &found[i]
		same := func(o finding) bool { return o.Table == d.Table && o.Key == d.Key }
		switch e := taken[d.Key]; {
		case !slices.ContainsFunc(left, same):
			d.Repaired = true
		case e != nil && d.Table != x.w.Codec.Table.Name:
			d.Kind, d.Reason = mapper.TwoOwners, e.Error()
		case d.Kind == mapper.Unpropagated:
			d.Reason = "a row of a redundant table that this program does not know is pending: a program of the newer release completes it"
		default:
			d.Reason, d.Kind = d.Kind.String()+", and the repair has no effect: a deletion with a later timestamp hides it", mapper.Hidden
		}
	}
	return found, nil
}

// existing returns a function that reports whether a table exists. The tables are read again for pending rows of tables that this program
// does not know: a newer release can have created them during the run.
func (x rowCheck) existing(s *plan.State) (func(table string) bool, error) {
	if x.w.Aggregate.Knows(s.Pending) {
		return func(string) bool { return true }, nil
	}
	tables, err := readGrace(x.w.Ctx, x.db.Store)
	return func(table string) bool {
		_, exists := tables[table]
		return exists || tables == nil
	}, err
}

// reserve claims the unique values of a state that are not reserved for it, and returns the errors of those that another row has,
// by the key of the reservation.
func (x rowCheck) reserve(s *plan.State) (map[string]error, error) {
	missing, err := x.w.Unreserved(s, gocql.Consistency(x.w.DB.Config.Serial))
	taken := map[string]error{}
	for _, c := range missing {
		floor, err := x.w.ClaimValue(c, s.Version)
		if _, duplicate := errors.AsType[*mapper.DuplicateError](err); duplicate {
			taken[c.Text()] = err
			continue
		}
		if err != nil {
			return nil, err
		}
		if floor > 0 && s.Version < floor+2 {
			if err := x.w.RaiseAboveFloor(s, floor); err != nil {
				return nil, err
			}
			return nil, call.ErrChanged // the version has changed: start over
		}
	}
	return taken, err
}

// propagate writes the copies of a state, and returns what still differs. It returns ErrChanged if the row has been saved in between.
func (x rowCheck) propagate(s *plan.State) ([]finding, error) {
	copies, err := x.w.CopyMutations(s)
	if err != nil {
		return nil, err
	}
	if err := x.w.SendCopies(copies, s.Version); err != nil {
		return nil, err
	}
	var left []finding
	now, err := reread(x.w.Ctx, x.run, func() (now *plan.State, err error) {
		now, left, err = x.readVersioned()
		return now, err
	})
	if err == nil && now.At() != s.Version {
		return nil, call.ErrChanged
	}
	return left, err
}

// newVersionedCopyScan returns a scan of a redundant table of a versioned root, which deletes the rows that no root has.
func newVersionedCopyScan(x *run, r save.Versioned, c *plan.Projection, sums *sums) slice {
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, c.Table.Name, newCopyRow(c), func(ctx context.Context, row copyRow) error {
		switch {
		case row.key == nil:
			return x.newCopyCheck(r.Root, c).purgeStatics(ctx, []cell.Row{row.row})
		case !sums.suspects(row.row):
			return nil
		}
		source, err := r.SourceKey(ctx, reconcile, r.Aggregate, c, row.row)
		if err != nil {
			return err
		}
		if source != nil {
			w := r.Call(ctx, reconcile, source)
			s, err := w.ReadMethodState(source, r.DB.Config.Consistency)
			if err != nil || x.projects(c, s, row.key) {
				return call.IgnoreMethods(err) // the scan of the root reports a method that fails
			}
		}
		return x.forRow(ctx, r, source, func(w *save.Call) error { return x.newRowCheck(w).deleteOrphanRow(c, row) })
	})
	return unlessEqual{tolerant(x, s, c.Table), sums.differ}
}

// projects reports whether a row of a copy follows from a state.
func (x *run) projects(c *plan.Projection, s *plan.State, key cell.Row) bool {
	if !s.Exists() {
		return false
	}
	row, err := c.RowWith(key, s.Row)
	return err != nil || row != nil // the scan of the root reports an error
}

// deleteOrphanRow deletes a row of a copy that its root, which is read after it at the serial consistency, does not have.
func (x rowCheck) deleteOrphanRow(c *plan.Projection, row copyRow) error {
	found, err := x.readCopies(x.w.Ctx, c, row.key)
	if len(found) == 0 || err != nil {
		return err
	}
	var s *plan.State
	if x.w.Key != nil {
		if s, err = x.w.ReadSource(); err != nil || x.projects(c, s, row.key) {
			return err
		}
	}
	o := orphan{copy: c, row: found[0].Row, wrote: found[0].Stamps.Newest(), root: s, drift: drift(mapper.Orphan, x.w.Root, c.Table, row.key)}
	if err := x.orphanedAt(&o); err != nil || o.at == 0 {
		return err
	}
	switch {
	case o.wrote > o.at && o.raise != nil && x.newRootCheck(x.w.Root).checkAhead(c.Table, row.key, o.wrote):
		return nil
	case x.config.DryRun:
		x.addFinding(o.drift)
		return nil
	}
	if err := x.deleteOrphan(&o); err != nil {
		return err
	}
	if o.drift.Repaired = o.row == nil; o.row != nil && x.explainRemaining(o.root, &o.drift) {
		return nil
	}
	x.addFinding(o.drift)
	return nil
}

// orphan is a row of a copy that follows from no root.
type orphan struct {
	copy  *plan.Projection
	row   cell.Row // as it was read; nil: it has been deleted
	wrote int64    // its newest write time that can be read; 0: none
	drift finding
	root  *plan.State // nil: there is no row
	at    int64       // the time at which it is deleted; 0: it must not be deleted

	// raise raises the version of the root, or the floor of the reservation, above a time, and returns the new one; nil if there is neither, or if
	// a program of a newer release must write copies of the root first. It
	// returns ErrChanged if the row or the reservation has changed.
	raise func(above int64) (int64, error)
}

// deleteOrphan deletes an orphan. If it was written later than the version of its root, or the floor of its reservation, these are raised
// first: a deletion has no other time that every later save exceeds. A row without values has no write time that can be read; if it
// remains, they are raised to the latest time that a clock can have.
func (x rowCheck) deleteOrphan(o *orphan) error {
	limit := x.now() + x.limit.Microseconds()
	if o.wrote > o.at && o.raise != nil {
		if err := o.raiseAbove(o.wrote); err != nil {
			return err
		}
	}
	if err := x.deleteAt(o); err != nil || o.row == nil || o.raise == nil || o.at >= limit || o.wrote > o.at {
		return err
	}
	if err := o.raiseAbove(limit); err != nil {
		return err
	}
	return x.deleteAt(o)
}

// raiseAbove raises the time at which an orphan is deleted above another time.
func (o *orphan) raiseAbove(above int64) (err error) {
	o.at, err = o.raise(above)
	return err
}

// deleteAt deletes an orphan at its time, and reads it again.
func (x rowCheck) deleteAt(o *orphan) error {
	m := plan.Mutation{Table: o.copy.Table, Row: o.row, Action: plan.Delete, At: o.at}
	if err := x.w.Send([]plan.Mutation{m}, o.at); err != nil {
		return err
	}
	left, err := reread(x.w.Ctx, x.run, func() ([]plan.StampedRow, error) { return x.readCopies(x.w.Ctx, o.copy, m.Row[:o.copy.Table.Key]) })
	if err != nil {
		return err
	}
	if o.row = nil; len(left) > 0 {
		o.row, o.wrote = left[0].Row, left[0].Stamps.Newest()
	}
	return nil
}

// explainRemaining adds the reason to a finding about a row that is still there after it was deleted. It returns true if the row is left for a
// later run, because its root has been saved.
func (x rowCheck) explainRemaining(s *plan.State, d *finding) bool {
	if d.Kind == mapper.SourcePurged {
		d.Reason = "it was written less than gc_grace_seconds ago, so a save that writes it could still be carried out; a run after that time deletes it"
		return false
	}
	if x.w.Key != nil {
		if now, err := x.w.ReadState(true); err == nil && now.At() != s.At() {
			x.countLater()
			return true
		}
	}
	d.Kind = mapper.Hidden
	d.Reason = "orphan, and later than its deletion: its write time cannot be read, or a program of the newer release must write the redundant rows of its root first"
	return false
}

// orphanedAt sets the time at which an orphan is deleted: the version of its root; for a row whose key has a unique value instead of the
// root's key, the floor of the reservation, if no root has the value; and if the root or the reservation has been purged, the time before
// which it was purged.
func (x rowCheck) orphanedAt(o *orphan) error {
	if o.copy.ByUnique == 0 && o.root != nil {
		o.at = o.root.Version
		if x.w.Aggregate.Knows(o.root.Pending) {
			o.raise = func(above int64) (int64, error) { return x.raiseRoot(o, above) }
		}
		return nil
	}
	if o.copy.ByUnique > 0 {
		r, err := x.w.ReadReservation(x.w.Aggregate.KeyClaim(o.copy, o.row))
		switch {
		case err != nil:
			return err
		case r != nil && r.Owner != nil:
			return x.ownedLater(o, r)
		case r != nil:
			o.at = r.Floor
			o.raise = func(above int64) (int64, error) { return x.w.RaiseFloor(r, above) }
			return nil
		}
	}
	o.drift.Kind = mapper.SourcePurged
	o.at = x.now() - x.gcGrace(x.w.Codec.Table)
	return nil
}

// ownedLater leaves a row whose key has a unique value to the owner of the value, which writes it. In a dry run the owner does not write
// it, and the scan of the root has found it.
func (x rowCheck) ownedLater(o *orphan, r *save.Reservation) error {
	if x.config.DryRun {
		s, err := x.w.ReadKeyState(r.Owner, true)
		if err != nil || x.projects(o.copy, s, o.row[:o.copy.Table.Key]) {
			return err
		}
	}
	x.countLater()
	return nil
}

// raiseRoot raises the version of the root of an orphan above a time, and writes its copies at the new version.
func (x rowCheck) raiseRoot(o *orphan, above int64) (int64, error) {
	save := plan.PlanFence(x.w.Aggregate, o.root, x.w.Key, above, x.w.Options())
	if err := x.w.SendRaise(save); err != nil {
		return 0, err
	}
	o.root = &save.State
	_, err := x.propagate(o.root)
	return o.root.Version, err
}

// defaultGCGrace is the default of gc_grace_seconds, for a table whose value is unknown.
const defaultGCGrace = 10 * 24 * 60 * 60

// gcGrace returns the time in microseconds for which a table keeps tombstones.
func (x *run) gcGrace(t *plan.Table) int64 {
	grace, known := x.grace[t.Name]
	if !known {
		grace = defaultGCGrace
	}
	return int64(grace) * time.Second.Microseconds()
}

// purgeable returns the time before which deleted rows, and reservations without an owner, can be removed: no write of them can
// appear any more that their tombstones would not hide. Both their version, which the clock of a client has chosen, and their write time, which
// the server has chosen, must be before it.
func (x *run) purgeable(t *plan.Table) plan.Version {
	return x.now() - x.gcGrace(t) - x.limit.Microseconds()
}

// purge removes a deleted row whose copies are deleted, and its done-marker. The done-marker of a row that was inserted again after its
// read stays.
func (x rowCheck) purge() error {
	s, written, err := x.w.ReadDeleted()
	limit := x.purgeable(x.w.Codec.Table)
	if err != nil || s != nil && (!s.Deleted || s.Version >= limit || written >= limit) {
		return err
	}
	done := x.w.Aggregate.Versioning.Done
	var at plan.Version
	if done != nil {
		if at, err = x.w.ReadMarker(); err != nil || at < s.At() || at >= limit {
			return err // its copies are not deleted yet, or it has been saved
		}
	}
	if s != nil {
		if answer, err := x.w.CAS(x.w.Aggregate.PlanPurge(s), 1); err != nil || !answer.Applied {
			return err
		}
	}
	if at > 0 {
		if err := x.w.Send([]plan.Mutation{x.w.Aggregate.PlanUnmark(x.w.Key, at)}, at); err != nil {
			return err
		}
	}
	x.purged()
	return nil
}

// newReservationPurge returns a scan of the reservations of unique values, which removes old ones without an owner.
func newReservationPurge(x *run, r save.Versioned, u *plan.Unique) *scan.RowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row[:len(u.Table.Columns)]), nil }
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, u.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		w := r.Call(ctx, reconcile, nil)
		v, err := w.DecodeReservation(u.Claim(row[:u.Table.Key]), row)
		if err != nil || v.Owner != nil || max(v.Floor, v.At) >= x.purgeable(u.Table) || x.config.DryRun {
			return err
		}
		return r.ForRow(ctx, reconcile, nil, func(w *save.Call) error {
			removed, err := w.PurgeReservation(v.Claim, x.purgeable(u.Table))
			if removed {
				x.purged()
			}
			return err
		})
	})
	return tolerant(x, s, u.Table)
}
