package reconcile

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// versionedRow is a row of a versioned root that was read.
type versionedRow struct {
	key   cell.Row
	state *plan.State
}

func (r *versionedRow) primaryKey() cell.Row { return r.key }

// versionedScan compares the copies, the done-markers and the reservations of the rows of a versioned root.
type versionedScan struct {
	scan.PageScan
	x       *run
	v       save.Versioned
	sums    []*sums // index: the copy
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
	return r.Aggregate.DecodeState(read)
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
	err = forEachRow(ctx, s.x, s.Root, s.page, func(ctx context.Context, row *versionedRow) error {
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
	return s.x.newRootCheck(s.Root).compareCopied(ctx, existing(s.page))
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
	if err == nil && s.v.Aggregate.PartsSince(row.state) > 0 {
		err = s.x.finishParts(ctx, s.v, row.key)
	}
	if err == nil && row.state.Deleting {
		err = s.x.finishDeletion(ctx, s.v, row.key)
	}
	if err == nil && differs {
		err = s.x.forRow(ctx, s.v, row.key, func(w *save.Call) error { return s.x.newRowCheck(w).repairVersionedRow() })
	}
	if err == nil {
		err = s.x.compareFollowing(ctx, s.v, row.key, row.state)
	}
	if err != nil || !row.state.Deleted || s.v.Aggregate.Versioning.Live > 0 || // a row that expires is removed by its TTL
		row.state.Version >= s.x.purgeable(s.Root.Codec.Table) || s.x.config.DryRun {
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
		source := n.copy.RootKey(row)
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
		d := drift(mapper.DriftUnprojectable, s.Root, c.Table, stray.key)
		d.Reason = err.Error()
		s.x.addFinding(d)
		return nil
	}
	return err
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
	if differs, err := s.referencesDiffer(ctx, row); differs || err != nil {
		return differs, err
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
	reserved, err := w.Reservations().Reserved(row.state, w.DB.Config.Consistency)
	return !reserved, err
}

// referencesDiffer reports whether a row of a page is being deleted, or has a reference without its row in the reverse table or without a target.
func (s *versionedScan) referencesDiffer(ctx context.Context, row *versionedRow) (bool, error) {
	if row.state.Deleting || len(s.v.Aggregate.Versioning.References) == 0 {
		return row.state.Deleting, nil
	}
	found, err := s.x.newRowCheck(s.v.Call(ctx, reconcile, row.key)).referenceDrift(row.state, false)
	return len(found) > 0, err
}
