package reconcile

import (
	"context"
	"slices"
	"strconv"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// partPhases returns the scans of the part of a versioned root that has copies: of its rows, and of the copies. The scan of the root is before
// them: it completes saves and deletions.
func (x *run) partPhases(r save.Versioned) (out []phase) {
	part := r.Aggregate.CopiedPart()
	if part == nil {
		return nil
	}
	out = append(out, phase{name: "parts", table: part.Root, scan: func(x *run) slice { return newPartScan(x, r) }})
	for i := range part.Copies {
		c := &part.Copies[i]
		out = append(out, phase{name: "copies", table: c.Table, scan: func(x *run) slice { return newPartCopyScan(x, r, c) }})
	}
	return out
}

// partRoot returns the part of a versioned root as a root of its copies. It is only read.
func partRoot(r call.Root) call.Root {
	p := r.Part()
	return call.NewRoot(call.NewReader(r.DB, p.Codec), p.Aggregate)
}

// partRow is a row of a part with its root's version.
type partRow struct{ row cell.Row }

// newPartScan returns a scan of the rows of a part, which examines those whose copies differ.
func newPartScan(x *run, r save.Versioned) slice {
	part := partRoot(r.Root)
	t := part.Codec.Table
	of := func(read cell.Row) (partRow, error) {
		if read[t.Key-1] == nil || t.IsHead(read) || t.IsDeleted(read) {
			return partRow{}, nil
		}
		return partRow{plan.CloneRow(read[:len(t.Columns)])}, nil
	}
	s := scan.NewRowScan(part, scan.FillConfig{}, t.Name+" of "+t.Aggregate, of, func(ctx context.Context, row partRow) error {
		if row.row == nil {
			return nil
		}
		w := r.Call(ctx, reconcile, row.row[:t.Partition])
		version, err := t.RootVersion(row.row)
		if err != nil {
			return err
		}
		differs := version == 0
		if !differs {
			if found, err := x.newRowCheck(w).partDrift(row.row, version); err != nil && !call.IsRowError(err) {
				return err
			} else if differs = len(found) > 0 || err != nil; !differs { // the examination reports an error about the row
				return x.pace.Wait(ctx)
			}
		}
		key := row.row[:t.Key:t.Key]
		return x.forRow(ctx, r, w.Key, func(w *save.Call) error { return x.newRowCheck(w).repairPart(key) })
	})
	return tolerant(x, s, t)
}

// partDrift returns the rows of copies that differ from a row of the part, as it was read at a version of the root.
func (x rowCheck) partDrift(row cell.Row, version plan.Version) (out []finding, err error) {
	if row, err = x.w.ComputedPart(row); err != nil {
		return nil, err
	}
	part := partRoot(x.w.Root)
	for i := range part.Aggregate.Copies {
		c := &part.Aggregate.Copies[i]
		there, err := x.readCopyRows(x.w.Ctx, c, row, nil)
		if err != nil {
			return nil, err
		}
		found, err := x.newCopyCheck(part, c).planVersioned(&plan.State{Row: row, Version: version}, there)
		if err != nil {
			return nil, err
		}
		for k := range found {
			out = append(out, newDrift(part, c, &found[k]))
		}
	}
	return out, nil
}

// readPart reads a row of the part and its root at the serial consistency, and returns the differences. row is nil if there is none.
func (x rowCheck) readPart(key cell.Row) (s *plan.State, row cell.Row, found []finding, err error) {
	if s, err = x.w.ReadState(true); err != nil || !s.Exists() {
		return nil, nil, nil, err
	}
	if row, err = x.w.ReadPart(key, s.Version); row == nil || err != nil {
		return nil, nil, nil, err
	}
	if s.Version == 0 {
		d := drift(mapper.DriftUnprojectable, x.w.Root, x.w.Codec.Table, x.w.Key)
		d.Reason = "has no version: run the function that assigns versions"
		return nil, nil, []finding{d}, nil
	}
	found, err = x.partDrift(row, s.Version)
	return s, row, found, err
}

// repairPart compares the copies of a row of the part with it, and writes them at the version of the root if they differ. If that does not help,
// the version is raised first, as by repairVersioned.
func (x rowCheck) repairPart(key cell.Row) error {
	s, row, found, err := x.readPart(key)
	for attempt := 1; err == nil && len(found) > 0 && attempt < 2*maxReads && x.w.DB.Env.Pause(x.w.Ctx, attempt); attempt++ {
		s, row, found, err = x.readPart(key)
	}
	if err != nil || len(found) == 0 {
		return err
	}
	if !x.config.DryRun && row != nil {
		if err := x.rewritePart(s, row, found); err != nil {
			return err
		}
	}
	for _, d := range found {
		x.addFinding(d)
	}
	return nil
}

// rewritePart writes the copies of a row of the part, and sets the results of findings.
func (x rowCheck) rewritePart(s *plan.State, row cell.Row, found []finding) error {
	left, err := x.writePart(s, row)
	if err == nil && len(left) > 0 {
		raised := plan.PlanFence(x.w.Aggregate, s, x.w.Key, 0, x.w.Options())
		if err = x.w.Copies().SendRaise(raised); err == nil {
			left, err = x.writePart(&raised.State, row)
		}
	}
	if err != nil {
		return err
	}
	for i := range found {
		d := &found[i]
		if d.Repaired = !slices.ContainsFunc(left, func(o finding) bool { return o.Table == d.Table && o.Key == d.Key }); !d.Repaired {
			d.hide()
		}
	}
	return nil
}

// writePart writes the copies of a row of the part at the version of a state, and returns the remaining differences. It returns ErrChanged if the
// root has been saved in between.
func (x rowCheck) writePart(s *plan.State, row cell.Row) ([]finding, error) {
	mutations, err := x.w.PartMutations(s, row)
	if err != nil {
		return nil, err
	}
	if err := x.w.Copies().SendCopies(mutations, s); err != nil {
		return nil, err
	}
	left, err := reread(x.w.Ctx, x.run, func() ([]finding, error) { return x.partDrift(row, s.Version) })
	if err != nil || len(left) == 0 {
		return left, err
	}
	now, err := x.w.ReadState(true)
	if err == nil && now.CurrentVersion() != s.Version {
		err = call.ErrChanged
	}
	return left, err
}

// newPartCopyScan returns a scan of a copy of a part, which deletes the rows that no part has.
func newPartCopyScan(x *run, r save.Versioned, c *plan.Projection) slice {
	part := partRoot(r.Root)
	s := scan.NewRowScan(part, scan.FillConfig{}, c.Table.Name, newCopyRow(c), func(ctx context.Context, row copyRow) error {
		if row.key == nil {
			return nil
		}
		key := c.RootKey(row.row)
		if key == nil {
			return nil // not in a key
		}
		there, err := part.ReadComputed(ctx, reconcile, key, r.DB.Config.Consistency)
		if err = call.IgnoreMethods(err); err != nil { // the scan of the parts reports a method that fails
			return err
		}
		if there != nil && !part.Codec.Table.IsDeleted(there) {
			if has, err := c.RowWith(row.key, there); has != nil || err != nil {
				return x.pace.Wait(ctx)
			}
		}
		return x.forRow(ctx, r, key[:r.Codec.Table.Key:r.Codec.Table.Key], func(w *save.Call) error { return x.newRowCheck(w).deleteOrphanRow(c, row) })
	})
	return tolerant(x, s, c.Table)
}

// partProjects reads a root and its part at the serial consistency, and reports whether a row of a copy follows from the part, or will be
// deleted with the parts of a deleted root. It returns ErrChanged if the root is saved in between.
func (x rowCheck) partProjects(c *plan.Projection, row cell.Row) (s *plan.State, has bool, err error) {
	if s, err = x.w.ReadState(true); err != nil || !s.Exists() {
		return s, x.w.Aggregate.PartsSince(s) > 0, err
	}
	part, err := x.w.ReadPart(c.RootKey(row), s.Version)
	if part == nil || err != nil {
		return s, false, err
	}
	if part, err = x.w.ComputedPart(part); err != nil {
		return s, true, err
	}
	found, err := c.RowWith(row[:c.Table.Key], part)
	return s, found != nil, err
}

// pendingParts returns the differences from the parts that a save has changed: the rows of copies that are wrong, and rows that no part has.
func (x rowCheck) pendingParts(s *plan.State) (out []finding, err error) {
	has := map[string]bool{}
	for _, key := range x.w.Aggregate.PendingParts(s) {
		row, err := x.w.ReadPart(key, s.Version)
		if err != nil {
			return nil, err
		}
		if row == nil {
			continue
		}
		found, err := x.partDrift(row, s.Version)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
		mutations, err := x.w.PartMutations(s, row)
		if err != nil {
			return nil, err
		}
		for i := range mutations {
			has[mutations[i].Table.Name+call.KeyString(mutations[i].PrimaryKey(), mutations[i].Table.Key)] = true
		}
	}
	for _, p := range s.Pending {
		c := x.w.Aggregate.PendingCopy(p.Table)
		if c == nil || x.w.Aggregate.CopyNamed(p.Table) != nil || has[p.Table+call.KeyString(p.Key, c.Table.Key)] {
			continue
		}
		row, err := x.w.ReadRow(c.Table, p.Key, x.w.DB.Config.Consistency)
		if err != nil {
			return nil, err
		}
		if row != nil && row[c.Table.Key-1] != nil {
			out = append(out, drift(mapper.DriftOrphan, x.w.Root, c.Table, row))
		}
	}
	return out, nil
}

// finishParts finishes the deletion of a root whose parts are still there. Another process can be about to.
func (x *run) finishParts(ctx context.Context, r save.Versioned, key cell.Row) error {
	var s *plan.State
	err := x.forRow(ctx, r, key, func(w *save.Call) (err error) {
		s, err = w.ReadState(true)
		for attempt := 1; err == nil && w.Aggregate.PartsSince(s) > 0 && attempt < 2*maxReads && w.DB.Env.Pause(w.Ctx, attempt); attempt++ {
			s, err = w.ReadState(true)
		}
		return err
	})
	if err != nil || r.Aggregate.PartsSince(s) == 0 || x.config.DryRun {
		return err
	}
	if err := r.Call(ctx, reconcile, key).FinishParts(ctx); err != nil {
		return err
	}
	done := r.Aggregate.Versioning.Done
	d := drift(mapper.DriftUnpropagated, r.Root, r.Codec.Table, key)
	d.Repaired, d.Reason = true, "deleted at "+strconv.FormatInt(r.Aggregate.PartsSince(s), 10)+", and its parts were left"
	if done != nil {
		d.Table = done.Name
	}
	x.addFinding(d)
	return nil
}
