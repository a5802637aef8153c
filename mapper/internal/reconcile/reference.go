package reconcile

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// newReferenceScan returns a scan of the reverse table of a checked reference. A row whose root does not refer to its target is deleted.
func newReferenceScan(x *run, r save.Versioned, ref *plan.CheckedReference) *scan.RowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row), nil }
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, ref.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		return x.forRow(ctx, r, ref.HolderKey(row), func(w *save.Call) error { return x.newRowCheck(w).checkReverseRow(ref, row) })
	})
	return tolerant(x, s, ref.Table)
}

// checkReverseRow deletes a row of a reverse table unless the root refers to its target. A row that was written less than Config.Lease ago may
// belong to a save that has not ended.
func (x rowCheck) checkReverseRow(ref *plan.CheckedReference, row cell.Row) error {
	at, err := ref.WrittenAt(row, x.now())
	if err != nil {
		return err
	}
	recent, repair := at > x.now()-x.w.DB.Config.Lease.Microseconds(), x.w.References().DeleteStray
	if recent || x.config.DryRun {
		repair = x.w.References().Holds
	}
	held, err := repair(ref, row)
	switch {
	case held || err != nil:
		return err
	case recent:
		x.countLater()
		return nil
	}
	d := drift(mapper.DriftOrphan, x.w.Root, ref.Table, row[:ref.Table.Key])
	d.Repaired = !x.config.DryRun
	x.addFinding(d)
	return nil
}

// finishDeletion carries on a deletion of a row that has begun longer than Config.Lease ago.
func (x *run) finishDeletion(ctx context.Context, r save.Versioned, key cell.Row) error {
	var s *plan.State
	err := x.forRow(ctx, r, key, func(w *save.Call) (err error) {
		s, err = w.ReadState(true)
		return err
	})
	if err != nil || !s.Exists() || !s.Deleting {
		return err
	}
	if s.Version > x.now()-r.DB.Config.Lease.Microseconds() {
		x.countLater()
		return nil
	}
	d := drift(mapper.DriftDeleting, r.Root, r.Codec.Table, key)
	if !x.config.DryRun {
		err := r.FinishDeletion(ctx, reconcile, key)
		switch {
		case ctx.Err() == nil && (errors.Is(err, mapper.ErrConflict) || errors.Is(err, mapper.ErrBusy)):
			x.countLater()
			return nil
		case err != nil:
			return err
		}
		d.Repaired = true
	}
	x.newRootCheck(r.Root).addFinding(d)
	return nil
}

// referenceDrift returns the references of a state that have no row in their reverse table, and the references whose target must exist and does
// not: by a serial read, which sees a save in flight, or by a plain one.
func (x rowCheck) referenceDrift(s *plan.State, serial bool) (out []finding, err error) {
	refs, err := x.w.Aggregate.Refs(s)
	if err != nil {
		return nil, err
	}
	missing, there := make([]bool, len(refs)), make([]bool, len(refs))
	read := func(i int) (err error) {
		r := refs[i]
		there[i] = r.OnDelete == descriptor.Keep
		if missing[i], err = x.w.References().Unrecorded(r); err == nil && !there[i] {
			there[i], err = x.w.References().TargetExists(r, serial)
		}
		return err
	}
	each := x.w.InParallel
	if !serial {
		each = inOrder // the scan examines several rows at the same time
	}
	if err := each(len(refs), read); err != nil {
		return nil, err
	}
	for i, r := range refs {
		if missing[i] {
			out = append(out, drift(mapper.DriftMissing, x.w.Root, r.Table, r.Key))
		}
		if !there[i] {
			d := drift(mapper.DriftDangling, x.w.Root, r.Table, r.Key)
			d.Reason = r.Field + " refers to " + x.w.References().TargetName(r) + ", which does not exist: insert it, or let the field refer to another"
			out = append(out, d)
		}
	}
	return out, nil
}

// inOrder calls do for the numbers below n, one after the other, until an error.
func inOrder(n int, do func(i int) error) error {
	for i := range n {
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}
