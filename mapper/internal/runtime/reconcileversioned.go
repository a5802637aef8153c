package runtime

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
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// versionedPhases returns the scans of a versioned root, in this order: of its reservations, so that none is in flight; of its
// rows, with the copies in their partitions; of the other copies; and of the reservations that can be purged.
func (x *reconciling) versionedPhases(r Versioned) []phase {
	var out []phase
	v := r.aggregate.Versioning
	all := x.sumsOf(r.Root, func(c *plan.Projection) bool { return isNear(r, c) })
	for i := range v.Uniques {
		u := &v.Uniques[i]
		out = append(out, phase{name: "reservations", table: u.Table, scan: func(x *reconciling) slice { return newReservationScan(x, r, u) }})
	}
	out = append(out, phase{name: "rows", table: r.c.Table, scan: func(x *reconciling) slice { return newVersionedScan(x, r, all) }})
	if summed := sumPhases(r.Root, all); len(summed) > 0 {
		out = append(out, summed...)
		out = append(out, phase{name: "suspects", table: r.c.Table, scan: func(x *reconciling) slice { return newVersionedSuspectScan(x, r, all) }})
	}
	for i := range r.aggregate.Copies {
		if c := &r.aggregate.Copies[i]; !c.Shared && !isNear(r, c) {
			out = append(out, phase{name: "copies", table: c.Table, scan: func(x *reconciling) slice { return newVersionedCopyScan(x, r, c, all[i]) }})
		}
	}
	for i := range v.Uniques {
		u := &v.Uniques[i]
		out = append(out, phase{name: "purge", table: u.Table, scan: func(x *reconciling) slice { return newReservationPurge(x, r, u) }})
	}
	return releasing(out, all)
}

// isNear reports whether a copy is compared page by page with its root: its partitions have the keys of those of the root.
func isNear(r Versioned, c *plan.Projection) bool {
	return !c.Elsewhere(r.c.Table) && c.SourceKey != nil
}

// onRow calls do for one row, within the time of a call. It starts over if the row has been saved in between. A row that is saved so
// often that the time ends is left for a later run.
func (x *reconciling) onRow(ctx context.Context, r Versioned, key cell.Row, do func(w *writing) error) error {
	err := x.untilDone(ctx, r, key, do)
	if ctx.Err() == nil && (errors.Is(err, mapper.ErrConflict) || errors.Is(err, mapper.ErrBusy)) {
		x.later()
		return nil
	}
	return err
}

func (x *reconciling) untilDone(ctx context.Context, r Versioned, key cell.Row, do func(w *writing) error) error {
	return r.onRow(ctx, reconcile, key, func(w *writing) error {
		for {
			err := do(w)
			if !errors.Is(err, errRefused) {
				return err
			}
			if err := w.again(); err != nil {
				return err
			}
		}
	})
}

// newReservationScan returns a scan of the reservations of unique values. One whose owner does not have the value is released.
func newReservationScan(x *reconciling, r Versioned, u *plan.Unique) *rowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row[:len(u.Table.Columns)]), nil }
	s := newRowScan(r.Root, FillConfig{}, u.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		w := r.writing(ctx, reconcile, nil)
		v, err := w.reservationOf(u.Claim(row[:u.Table.Key]), row)
		if err != nil || v.owner == nil {
			return err
		}
		return x.onRow(ctx, r, v.owner, func(w *writing) error { return x.checkReservation(w, v) })
	})
	return tolerant(x, s, u.Table)
}

// checkReservation releases a reservation unless its owner has the value.
func (x *reconciling) checkReservation(w *writing, r *reservation) error {
	o, err := w.readRow(w.key, false)
	if err != nil {
		return err
	}
	if has, err := w.has(o, r.Claim); has || err != nil {
		return err
	}
	d := drift(mapper.LeakedReservation, w.Root, r.Table, r.Key)
	d.Column, d.Have = r.Table.Columns[r.Table.Key].Name, w.c.Table.KeyText(r.owner)
	d.Key = r.Text()
	leaked, freed, err := w.free(r, x.config.DryRun)
	if err != nil || !leaked {
		return err
	}
	if d.Repaired = freed; freed {
		err = w.mark()
	}
	x.find(d)
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
	scan
	x       *reconciling
	v       Versioned
	sums    []*sums // by the index of the copy
	page    []*versionedRow
	refused map[string]bool // the keys of rows that cannot be projected
	w       rewriter
}

// newVersionedScan returns a scan without stamps: the version of a row is the write time of everything that derives from it.
func newVersionedScan(x *reconciling, r Versioned, all []*sums) *versionedScan {
	s := &versionedScan{scan: newSliceScan(r.Root, r.c.Table, false), x: x, v: r, sums: all}
	s.of = s
	return s
}

func (s *versionedScan) begin() { s.page, s.refused = s.page[:0], map[string]bool{} }

func (s *versionedScan) take(row cell.Row) {
	t := s.r.c.Table
	stored := plan.CloneRow(row[:len(t.Columns)])
	read := &versionedRow{key: stored[:t.Key:t.Key]}
	var err error
	if read.state, err = s.v.stateOf(stored, &s.w); err != nil {
		s.x.unprojectable(s.r, read.key, err)
		s.refused[keyString(read.key, t.Key)] = true
		return
	}
	s.page = append(s.page, read)
}

// stateOf returns the state of a row as the mapper writes it, with computed values. It can share the storage of read, which must not
// change later.
func (r Versioned) stateOf(read cell.Row, w *rewriter) (*plan.State, error) {
	t := r.c.Table
	if !t.IsDeleted(read) {
		source, err := r.rewritten(w, read)
		if err != nil {
			return nil, err
		}
		if &source[0] != &read[0] || len(source) > len(read) {
			first := len(t.Columns) - t.Hidden
			read = append(append(source[:first:first], read[first:]...), source[len(t.Columns):]...)
		}
	}
	return r.aggregate.StateOf(read)
}

// end examines the rows of a page whose copies, done-marker or reservations differ.
func (s *versionedScan) end(ctx context.Context) error {
	near := map[*plan.Table]*near{}
	for i := range s.r.aggregate.Copies {
		c := &s.r.aggregate.Copies[i]
		if !isNear(s.v, c) {
			continue
		}
		n, err := s.x.readNear(ctx, s.r, c, s.begun, s.ended, len(s.page))
		if err != nil {
			return err
		}
		n.equal = n.equals(s.r.aggregate, existing(s.page))
		near[c.Table] = n
	}
	marked, err := s.markers(ctx)
	if err == nil {
		err = s.purgeMarkers(ctx, marked)
	}
	if err != nil {
		return err
	}
	err = eachOf(ctx, s.x, s.r, s.page, func(ctx context.Context, row *versionedRow) error {
		return s.compare(ctx, row, near, marked)
	})
	if err != nil {
		return err
	}
	for i := range s.r.aggregate.Copies {
		if n := near[s.r.aggregate.Copies[i].Table]; n != nil && !n.copy.Shared {
			if !n.equal {
				if err := s.settleStrays(ctx, n); err != nil {
					return err
				}
			}
			if err := s.x.purgeStatics(ctx, s.r, n.copy, n.statics); err != nil {
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
			_ = sums.add(s.r.aggregate, row.state.Row)
		}
	}
}

// newVersionedSuspectScan returns a scan of a versioned root that examines the rows whose sums differ.
func newVersionedSuspectScan(x *reconciling, r Versioned, all []*sums) slice {
	var w rewriter
	of := func(row cell.Row) (*versionedRow, error) {
		read := plan.CloneRow(row[:len(r.c.Table.Columns)])
		state, err := r.stateOf(read, &w)
		if err != nil {
			return nil, nil //nolint:nilerr // the first scan has reported it
		}
		return &versionedRow{read[:r.c.Table.Key:r.c.Table.Key], state}, nil
	}
	s := newRowScan(r.Root, FillConfig{}, r.c.Table.Name, of, func(ctx context.Context, row *versionedRow) error {
		if row == nil || !row.state.Exists() || !slices.ContainsFunc(all, func(s *sums) bool { return s.show(r.aggregate, row.state.Row) }) {
			return nil
		}
		return x.onRow(ctx, r, row.key, x.settleVersioned)
	})
	return unlessEqual{tolerant(x, s, r.c.Table), func() bool { return differ(all) }}
}

// compare examines a row if it differs, and removes it if it was deleted long ago.
func (s *versionedScan) compare(ctx context.Context, row *versionedRow, near map[*plan.Table]*near, marked map[string]marker) error {
	differs, err := s.differs(ctx, row, near, marked)
	if err == nil && differs {
		err = s.x.onRow(ctx, s.v, row.key, s.x.settleVersioned)
	}
	if err != nil || !row.state.Deleted || row.state.Version >= s.x.purgeable(s.r.c.Table) || s.x.config.DryRun {
		return err
	}
	return s.x.onRow(ctx, s.v, row.key, s.x.purge)
}

// settleStrays deletes the rows of a copy in the partitions of a page that the rows of the page do not have.
func (s *versionedScan) settleStrays(ctx context.Context, n *near) error {
	strays := maps.Clone(n.byKey)
	for _, row := range s.page {
		if !row.state.Exists() {
			continue
		}
		rows, err := n.copy.Rows(row.state.Row)
		if err != nil { // the comparison of the row has reported it
			s.refused[keyString(row.key, len(row.key))] = true
		}
		for _, has := range rows {
			delete(strays, keyString(has, n.copy.Table.Key))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(strays)) {
		row := n.rows[strays[name]].Row
		source := n.copy.SourceOf(row)
		if source != nil && s.refused[keyString(source, len(source))] {
			continue
		}
		if err := s.settleStray(ctx, n.copy, source, row); err != nil {
			return err
		}
	}
	return nil
}

// settleStray deletes a row of a copy that its root does not have. An error about the root is a finding.
func (s *versionedScan) settleStray(ctx context.Context, c *plan.Projection, source, row cell.Row) error {
	stray := copyRow{key: row[:c.Table.Key], row: row}
	err := s.r.db.repeat(ctx, func() error {
		return s.x.onRow(ctx, s.v, source, func(w *writing) error { return s.x.settleOrphan(w, c, stray) })
	})
	if refusesRow(err) {
		d := drift(mapper.Unprojectable, s.r, c.Table, stray.key)
		d.Reason = err.Error()
		s.x.find(d)
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
	t := s.r.aggregate.Versioning.Done
	if t == nil {
		return nil, nil
	}
	out := make(map[string]marker, len(s.page))
	q := store.Read{Table: t, Within: true, After: s.begun, Until: s.ended, Consistency: s.read.Consistency}
	for row, err := range s.r.db.store.Rows(ctx, q) {
		if err != nil {
			return nil, readError{fmt.Errorf("read %s: %w", t.Name, err)}
		}
		at, err := plan.BigintOf(row[t.Key])
		if err != nil {
			return nil, err
		}
		out[keyString(row, t.Key)] = marker{plan.CloneRow(row[:t.Key]), at}
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
		delete(left, keyString(row.key, len(row.key)))
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		m := left[name]
		if m.at >= s.x.purgeable(s.r.c.Table) || s.x.config.DryRun {
			continue
		}
		if err := s.x.onRow(ctx, s.v, m.key, s.x.purge); err != nil {
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
	if m, _ := atKey(marked, row.key); s.r.aggregate.Versioning.Done != nil && m.at < row.state.Version {
		return true, nil
	}
	if !row.state.Exists() {
		return false, nil
	}
	for i := range s.r.aggregate.Copies {
		c := &s.r.aggregate.Copies[i]
		if s.sums[i] != nil {
			if _, err := s.r.aggregate.Valid(c, row.state.Row); err != nil {
				return true, nil //nolint:nilerr // the examination reports the error
			}
			continue
		}
		n := near[c.Table]
		if n != nil && n.equal {
			continue
		}
		there, err := s.x.copiesOf(ctx, c, row.state.Row, n)
		if err == nil {
			err = s.x.pace.wait(ctx)
		}
		if err != nil {
			return false, err
		}
		if found, err := s.x.planVersioned(s.r, c, row.state, there); len(found) > 0 || refusesRow(err) {
			return true, nil // the examination reports the error
		} else if err != nil {
			return false, err
		}
	}
	w := s.v.writing(ctx, reconcile, row.key)
	missing, err := w.unreserved(row.state, w.db.config.Consistency)
	return len(missing) > 0, err
}

// copiesOf returns the rows of a copy that exist of those that follow from a row of the root.
func (x *reconciling) copiesOf(ctx context.Context, c *plan.Projection, source cell.Row, n *near) (there []plan.StampedRow, err error) {
	rows, err := c.Rows(source)
	if err != nil {
		return nil, err
	}
	for _, want := range rows {
		if n != nil {
			if s, found := n.find(want); found {
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
func (x *reconciling) planVersioned(r Root, c *plan.Projection, s *plan.State, there []plan.StampedRow) ([]plan.Finding, error) {
	o := plan.RepairOptions{Before: latestTime, Now: x.now(), OtherOwner: true}
	stamps := r.aggregate.StampsAt(s.Version - time.Minute.Microseconds())
	return x.planRepair(r, c, s.Row, stamps, there, o)
}

// latestTime is a time after all writes.
const latestTime = 1 << 62

// settleVersioned reads a row at the serial consistency, and repairs what derives from it if it differs.
func (x *reconciling) settleVersioned(w *writing) error {
	s, found, err := x.lookUnmarked(w)
	for attempt := 1; err == nil && len(found) > 0 && attempt < 2*looks && w.db.env.Pause(w.ctx, attempt); attempt++ {
		s, found, err = x.lookUnmarked(w)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	if !x.config.DryRun {
		if found, err = x.repairVersioned(w, s, found); err != nil {
			return err
		}
	}
	for _, d := range found {
		x.find(d)
	}
	return nil
}

// lookUnmarked is lookVersioned, but a done-marker that is missing although the copies are right is not a finding: Change and the save of
// another row that raises the version write none. The done-marker is written with the copies and the deletions of the pending rows, which
// protect them against a batch of an earlier save that has not arrived.
func (x *reconciling) lookUnmarked(w *writing) (*plan.State, []finding, error) {
	s, found, err := x.lookVersioned(w)
	if err != nil || len(found) != 1 || found[0].Kind != mapper.Unpropagated {
		return s, found, err
	}
	if gone, err := x.pendingGone(w, s); !gone || err != nil {
		return s, found, err
	}
	if x.config.DryRun {
		return s, nil, nil
	}
	left, err := x.propagate(w, s)
	return s, left, err
}

// pendingGone reports whether no pending row of a state is in its copy, except rows that belong to another root now.
func (x *reconciling) pendingGone(w *writing, s *plan.State) (bool, error) {
	if !w.aggregate.Knows(s.Pending) {
		return false, nil
	}
	for _, p := range s.Pending {
		c := w.aggregate.CopyNamed(p.Table)
		row, err := w.readOne(c.Table, p.Key, w.db.config.Consistency)
		if err != nil {
			return false, err
		}
		if row == nil || row[c.Table.Key-1] == nil {
			continue
		}
		if c.SourceKey == nil && c.ByUnique == 0 {
			return false, nil
		}
		owner, err := w.sourceOf(w.ctx, w.op, w.aggregate, c, row)
		if err != nil || owner == nil || plan.SameKey(owner, w.key, w.c.Table.Key) {
			return false, err
		}
	}
	return true, nil
}

// lookVersioned returns the state of a row and everything that differs from it.
func (x *reconciling) lookVersioned(w *writing) (*plan.State, []finding, error) {
	s, err := w.readValid()
	if s == nil || err != nil {
		return nil, nil, err
	}
	var out []finding
	if s.Exists() && s.Version == 0 {
		d := drift(mapper.Unprojectable, w.Root, w.c.Table, w.key)
		d.Reason = "has no version: run the function that assigns versions"
		return s, []finding{d}, nil
	}
	if done := w.aggregate.Versioning.Done; done != nil {
		at, err := w.markedAt()
		if err != nil {
			return nil, nil, err
		}
		if at < s.Version {
			d := drift(mapper.Unpropagated, w.Root, done, w.key)
			d.Column, d.Want, d.Have = done.Columns[done.Key].Name, strconv.FormatInt(s.Version, 10), strconv.FormatInt(at, 10)
			out = append(out, d)
		}
	}
	if !s.Exists() {
		return s, out, nil
	}
	more, err := x.copyDrift(w, s)
	if err != nil {
		return nil, nil, err
	}
	missing, err := w.unreserved(s, gocql.Consistency(w.db.config.Serial))
	for _, c := range missing {
		d := drift(mapper.Missing, w.Root, c.Table, c.Key)
		d.Key = c.Text()
		more = append(more, d)
	}
	return s, append(out, more...), err
}

// copyDrift returns the rows of copies that differ from a state.
func (x *reconciling) copyDrift(w *writing, s *plan.State) (out []finding, err error) {
	for i := range w.aggregate.Copies {
		c := &w.aggregate.Copies[i]
		there, err := x.copiesOf(w.ctx, c, s.Row, nil)
		if err != nil {
			return nil, err
		}
		found, err := x.planVersioned(w.Root, c, s, there)
		if err != nil {
			return nil, err
		}
		for k := range found {
			out = append(out, driftOf(w.Root, c, &found[k]))
		}
	}
	return out, nil
}

// repairVersioned writes what derives from a state, and returns the findings with their results. What does not become equal was
// written at the same version with another value, by a program whose method returned another result: it is written again at a
// higher version.
func (x *reconciling) repairVersioned(w *writing, s *plan.State, found []finding) ([]finding, error) {
	if s.Version == 0 {
		return found, nil
	}
	taken, err := x.reserve(w, s)
	if err != nil {
		return nil, err
	}
	exists, err := x.existing(w, s)
	if err != nil {
		return nil, err
	}
	if forget := plan.PlanForget(w.aggregate, s, exists, w.options()); forget != nil {
		if err := w.raiseTo(forget); err != nil {
			return nil, err
		}
		s = &forget.State
	}
	left, err := x.propagate(w, s)
	if err != nil {
		return nil, err
	}
	free := func(d finding) bool { return taken[d.Key] == nil }
	if slices.ContainsFunc(left, free) && w.aggregate.Knows(s.Pending) {
		save := plan.PlanFence(w.aggregate, s, w.key, 0, w.options())
		if err := w.raiseTo(save); err != nil {
			return nil, err
		}
		if left, err = x.propagate(w, &save.State); err != nil {
			return nil, err
		}
	}
	for i := range found {
		d := &found[i]
		same := func(o finding) bool { return o.Table == d.Table && o.Key == d.Key }
		switch e := taken[d.Key]; {
		case !slices.ContainsFunc(left, same):
			d.Repaired = true
		case e != nil && d.Table != w.c.Table.Name:
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
func (x *reconciling) existing(w *writing, s *plan.State) (func(table string) bool, error) {
	if w.aggregate.Knows(s.Pending) {
		return func(string) bool { return true }, nil
	}
	tables, err := graceOf(w.ctx, x.db.store)
	return func(table string) bool {
		_, exists := tables[table]
		return exists || tables == nil
	}, err
}

// reserve claims the unique values of a state that are not reserved for it, and returns the errors of those that another row has,
// by the key of the reservation.
func (x *reconciling) reserve(w *writing, s *plan.State) (map[string]error, error) {
	missing, err := w.unreserved(s, gocql.Consistency(w.db.config.Serial))
	taken := map[string]error{}
	for _, c := range missing {
		floor, err := w.claimValue(c, s.Version)
		if _, duplicate := errors.AsType[*mapper.DuplicateError](err); duplicate {
			taken[c.Text()] = err
			continue
		}
		if err != nil {
			return nil, err
		}
		if floor > 0 && s.Version < floor+2 {
			if err := w.raise(s, floor); err != nil {
				return nil, err
			}
			return nil, errRefused // the version has changed: start over
		}
	}
	return taken, err
}

// propagate writes the copies of a state, and returns what still differs. It returns errRefused if the row has been saved in between.
func (x *reconciling) propagate(w *writing, s *plan.State) ([]finding, error) {
	copies, err := w.owned(s)
	if err != nil {
		return nil, err
	}
	if err := w.sendAll(copies, s.Version); err != nil {
		return nil, err
	}
	var left []finding
	now, err := reread(w.ctx, x, func() (now *plan.State, err error) {
		now, left, err = x.lookVersioned(w)
		return now, err
	})
	if err == nil && now.At() != s.Version {
		return nil, errRefused
	}
	return left, err
}

// newVersionedCopyScan returns a scan of a redundant table of a versioned root, which deletes the rows that no root has.
func newVersionedCopyScan(x *reconciling, r Versioned, c *plan.Projection, sums *sums) slice {
	s := newRowScan(r.Root, FillConfig{}, c.Table.Name, copyRowOf(c), func(ctx context.Context, row copyRow) error {
		switch {
		case row.key == nil:
			return x.purgeStatics(ctx, r.Root, c, []cell.Row{row.row})
		case !sums.suspects(row.row):
			return nil
		}
		source, err := r.sourceOf(ctx, reconcile, r.aggregate, c, row.row)
		if err != nil {
			return err
		}
		if source != nil {
			w := r.writing(ctx, reconcile, source)
			s, err := w.readState(source, r.db.config.Consistency)
			if err != nil || x.projects(c, s, row.key) {
				return withoutMethods(err) // the scan of the root reports a method that fails
			}
		}
		return x.onRow(ctx, r, source, func(w *writing) error { return x.settleOrphan(w, c, row) })
	})
	return unlessEqual{tolerant(x, s, c.Table), sums.differ}
}

// projects reports whether a row of a copy follows from a state.
func (x *reconciling) projects(c *plan.Projection, s *plan.State, key cell.Row) bool {
	if !s.Exists() {
		return false
	}
	row, err := c.RowWith(key, s.Row)
	return err != nil || row != nil // the scan of the root reports an error
}

// settleOrphan deletes a row of a copy that its root, which is read after it at the serial consistency, does not have.
func (x *reconciling) settleOrphan(w *writing, c *plan.Projection, row copyRow) error {
	found, err := x.readCopies(w.ctx, c, row.key)
	if len(found) == 0 || err != nil {
		return err
	}
	var s *plan.State
	if w.key != nil {
		if s, err = w.readSource(); err != nil || x.projects(c, s, row.key) {
			return err
		}
	}
	o := orphan{copy: c, row: found[0].Row, wrote: found[0].Stamps.Newest(), root: s, drift: drift(mapper.Orphan, w.Root, c.Table, row.key)}
	if err := x.orphanedAt(w, &o); err != nil || o.at == 0 {
		return err
	}
	switch {
	case o.wrote > o.at && o.raise != nil && x.checkAhead(w.Root, c.Table, row.key, o.wrote):
		return nil
	case x.config.DryRun:
		x.find(o.drift)
		return nil
	}
	if err := x.deleteOrphan(w, &o); err != nil {
		return err
	}
	if o.drift.Repaired = o.row == nil; o.row != nil && x.left(w, o.root, &o.drift) {
		return nil
	}
	x.find(o.drift)
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
	// returns errRefused if the row or the reservation has changed.
	raise func(above int64) (int64, error)
}

// deleteOrphan deletes an orphan. If it was written later than the version of its root, or the floor of its reservation, these are raised
// first: a deletion has no other time that every later save exceeds. A row without values has no write time that can be read; if it
// remains, they are raised to the latest time that a clock can have.
func (x *reconciling) deleteOrphan(w *writing, o *orphan) error {
	limit := x.now() + x.limit.Microseconds()
	if o.wrote > o.at && o.raise != nil {
		if err := o.raiseAbove(o.wrote); err != nil {
			return err
		}
	}
	if err := x.deleteAt(w, o); err != nil || o.row == nil || o.raise == nil || o.at >= limit || o.wrote > o.at {
		return err
	}
	if err := o.raiseAbove(limit); err != nil {
		return err
	}
	return x.deleteAt(w, o)
}

// raiseAbove raises the time at which an orphan is deleted above another time.
func (o *orphan) raiseAbove(above int64) (err error) {
	o.at, err = o.raise(above)
	return err
}

// deleteAt deletes an orphan at its time, and reads it again.
func (x *reconciling) deleteAt(w *writing, o *orphan) error {
	m := plan.Mutation{Table: o.copy.Table, Row: o.row, Action: plan.Delete, At: o.at}
	if err := w.sendUntilDone([]plan.Mutation{m}, o.at); err != nil {
		return err
	}
	left, err := reread(w.ctx, x, func() ([]plan.StampedRow, error) { return x.readCopies(w.ctx, o.copy, m.Row[:o.copy.Table.Key]) })
	if err != nil {
		return err
	}
	if o.row = nil; len(left) > 0 {
		o.row, o.wrote = left[0].Row, left[0].Stamps.Newest()
	}
	return nil
}

// left adds the reason to a finding about a row that is still there after it was deleted. It returns true if the row is left for a
// later run, because its root has been saved.
func (x *reconciling) left(w *writing, s *plan.State, d *finding) bool {
	if d.Kind == mapper.SourcePurged {
		d.Reason = "it was written less than gc_grace_seconds ago, so a save that writes it could still be carried out; a run after that time deletes it"
		return false
	}
	if w.key != nil {
		if now, err := w.read(true); err == nil && now.At() != s.At() {
			x.later()
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
func (x *reconciling) orphanedAt(w *writing, o *orphan) error {
	if o.copy.ByUnique == 0 && o.root != nil {
		o.at = o.root.Version
		if w.aggregate.Knows(o.root.Pending) {
			o.raise = func(above int64) (int64, error) { return x.raiseRoot(w, o, above) }
		}
		return nil
	}
	if o.copy.ByUnique > 0 {
		r, err := w.reservation(w.aggregate.KeyClaim(o.copy, o.row))
		switch {
		case err != nil:
			return err
		case r != nil && r.owner != nil:
			return x.ownedLater(w, o, r)
		case r != nil:
			o.at = r.floor
			o.raise = func(above int64) (int64, error) { return w.raiseFloor(r, above) }
			return nil
		}
	}
	o.drift.Kind = mapper.SourcePurged
	o.at = x.now() - x.gcGrace(w.c.Table)
	return nil
}

// ownedLater leaves a row whose key has a unique value to the owner of the value, which writes it. In a dry run the owner does not write
// it, and the scan of the root has found it.
func (x *reconciling) ownedLater(w *writing, o *orphan, r *reservation) error {
	if x.config.DryRun {
		s, err := w.readRow(r.owner, true)
		if err != nil || x.projects(o.copy, s, o.row[:o.copy.Table.Key]) {
			return err
		}
	}
	x.later()
	return nil
}

// raiseRoot raises the version of the root of an orphan above a time, and writes its copies at the new version.
func (x *reconciling) raiseRoot(w *writing, o *orphan, above int64) (int64, error) {
	save := plan.PlanFence(w.aggregate, o.root, w.key, above, w.options())
	if err := w.raiseTo(save); err != nil {
		return 0, err
	}
	o.root = &save.State
	_, err := x.propagate(w, o.root)
	return o.root.Version, err
}

// defaultGCGrace is the default of gc_grace_seconds, for a table whose value is unknown.
const defaultGCGrace = 10 * 24 * 60 * 60

// gcGrace returns the time in microseconds for which a table keeps tombstones.
func (x *reconciling) gcGrace(t *plan.Table) int64 {
	grace, known := x.grace[t.Name]
	if !known {
		grace = defaultGCGrace
	}
	return int64(grace) * time.Second.Microseconds()
}

// purgeable returns the time before which deleted rows, and reservations without an owner, can be removed: no write of them can
// appear any more that their tombstones would not hide. Both their version, which the clock of a client has chosen, and their write time, which
// the server has chosen, must be before it.
func (x *reconciling) purgeable(t *plan.Table) plan.Version {
	return x.now() - x.gcGrace(t) - x.limit.Microseconds()
}

// purge removes a deleted row whose copies are deleted, and its done-marker. The done-marker of a row that was inserted again after its
// read stays.
func (x *reconciling) purge(w *writing) error {
	s, written, err := w.readDeleted()
	limit := x.purgeable(w.c.Table)
	if err != nil || s != nil && (!s.Deleted || s.Version >= limit || written >= limit) {
		return err
	}
	done := w.aggregate.Versioning.Done
	var at plan.Version
	if done != nil {
		if at, err = w.markedAt(); err != nil || at < s.At() || at >= limit {
			return err // its copies are not deleted yet, or it has been saved
		}
	}
	if s != nil {
		if answer, err := w.cas(w.aggregate.PlanPurge(s), 1); err != nil || !answer.Applied {
			return err
		}
	}
	if at > 0 {
		if err := w.sendUntilDone([]plan.Mutation{w.aggregate.PlanUnmark(w.key, at)}, at); err != nil {
			return err
		}
	}
	x.purged()
	return nil
}

// newReservationPurge returns a scan of the reservations of unique values, which removes old ones without an owner.
func newReservationPurge(x *reconciling, r Versioned, u *plan.Unique) *rowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row[:len(u.Table.Columns)]), nil }
	s := newRowScan(r.Root, FillConfig{}, u.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		w := r.writing(ctx, reconcile, nil)
		v, err := w.reservationOf(u.Claim(row[:u.Table.Key]), row)
		if err != nil || v.owner != nil || max(v.floor, v.at) >= x.purgeable(u.Table) || x.config.DryRun {
			return err
		}
		return r.onRow(ctx, reconcile, nil, func(w *writing) error {
			removed, err := w.purgeReservation(v.Claim, x.purgeable(u.Table))
			if removed {
				x.purged()
			}
			return err
		})
	})
	return tolerant(x, s, u.Table)
}
