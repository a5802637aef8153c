package reconcile

import (
	"context"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

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
		has := false
		if x.w.Aggregate.CopyNamed(c.Table.Name) == nil {
			s, has, err = x.partProjects(c, row.row)
		} else if s, err = x.w.ReadSource(); err == nil {
			has = x.projects(c, s, row.key)
		}
		if err != nil || has {
			return err
		}
	}
	if s != nil && !s.Exists() && x.w.Aggregate.Versioning.Live > 0 && found[0].Stamps.ExpireWithin(soon) {
		return nil // its root has expired, by the clock of a server that is ahead
	}
	o := orphan{copy: c, row: found[0].Row, wrote: found[0].Stamps.Newest(), root: s, drift: drift(mapper.DriftOrphan, x.w.Root, c.Table, row.key)}
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
	row   cell.Row // the row that was read; nil: it has been deleted
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
	if err := x.w.Copies().Send([]plan.Mutation{m}, o.at); err != nil {
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
	if d.Kind == mapper.DriftSourcePurged {
		d.Reason = "it was written less than gc_grace_seconds ago, so a save that writes it could still be carried out; a run after that time deletes it"
		return false
	}
	if x.w.Key != nil {
		if now, err := x.w.ReadState(true); err == nil && now.CurrentVersion() != s.CurrentVersion() {
			x.countLater()
			return true
		}
	}
	d.Kind = mapper.DriftHidden
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
		r, err := x.w.Reservations().ReadReservation(x.w.Aggregate.KeyClaim(o.copy, o.row))
		switch {
		case err != nil:
			return err
		case r != nil && r.Owner != nil:
			return x.ownedLater(o, r)
		case r != nil:
			o.at = r.Floor
			o.raise = func(above int64) (int64, error) { return x.w.Reservations().RaiseFloor(r, above) }
			return nil
		}
	}
	o.drift.Kind = mapper.DriftSourcePurged
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
	if err := x.w.Copies().SendRaise(save); err != nil {
		return 0, err
	}
	o.root = &save.State
	_, err := x.propagate(o.root)
	return o.root.Version, err
}
