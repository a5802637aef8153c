package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// newCopyScan returns a scan of a redundant table of a plain root, which examines the rows that their roots do not have; with
// sums, only the rows that differ.
func newCopyScan(x *run, r call.Root, c *plan.Projection, sums *sums) slice {
	s := scan.NewRowScan(r, scan.FillConfig{}, c.Table.Name, newCopyRow(c), func(ctx context.Context, row copyRow) error {
		switch {
		case row.key == nil:
			return x.newCopyCheck(r, c).purgeStatics(ctx, []cell.Row{row.row})
		case !sums.suspects(row.row):
			return nil
		}
		source := c.RootKey(row.row)
		if source == nil {
			return x.newCopyCheck(r, c).deleteUnowned(ctx, row.key)
		}
		return x.newCopyCheck(r, c).compareSource(ctx, source, row.key)
	})
	return unlessEqual{tolerant(x, s, c.Table), sums.differ}
}

// copyRow is a row of a copy.
type copyRow struct {
	key cell.Row // nil: the partition has only static values
	row cell.Row // all columns; without a key, the partition key
}

// newCopyRow returns a function that returns a copy of a row that was read.
func newCopyRow(c *plan.Projection) func(cell.Row) (copyRow, error) {
	return func(read cell.Row) (copyRow, error) {
		if p, static := staticPartition(c, read); static {
			return copyRow{row: p}, nil
		}
		row := plan.CloneRow(read[:len(c.Table.Columns)])
		return copyRow{key: row[:c.Table.Key], row: row}, nil
	}
}

// compareSource examines a row of a copy unless its root has it. Its values are compared in the scan of the root.
func (x copyCheck) compareSource(ctx context.Context, source, key cell.Row) error {
	root, err := x.r.ReadComputed(ctx, reconcile, source, x.db.Config.Consistency)
	if call.IsRowError(err) {
		return nil // the scan of the root reports it
	}
	if err != nil {
		return err
	}
	if root != nil {
		has, err := x.c.RowWith(key, root)
		if err != nil || has != nil {
			return err
		}
	}
	return x.repairDifference(ctx, source, key)
}

// deleteUnowned deletes a row of a copy in which a part of the root's key is null. Such a row remains if a row is deleted while another
// program changes some of its cells; if a root has the row, the scan of the root has completed it.
func (x copyCheck) deleteUnowned(ctx context.Context, key cell.Row) error {
	ctx, end, err := x.r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	since := x.now()
	f, err := x.unowned(ctx, key, since)
	if f == nil || err != nil {
		return err
	}
	if f.Later {
		x.postpone(f)
		return nil
	}
	d := newDrift(x.r, x.c, f)
	if !x.config.DryRun {
		if err := x.send(ctx, nil, f); err != nil {
			return err
		}
		again, err := reread(ctx, x.run, func() (*plan.Finding, error) { return x.unowned(ctx, key, since) })
		if err != nil {
			return err
		}
		d.Repaired = again == nil
	}
	x.addFinding(d)
	return x.purgeBeside(ctx, f)
}

// unowned reads a row of a copy, and returns it as an extra row if it contains no key of a root.
func (x copyCheck) unowned(ctx context.Context, key cell.Row, since int64) (*plan.Finding, error) {
	there, err := x.readCopies(ctx, x.c, key)
	if err != nil || len(there) == 0 || x.c.RootKey(there[0].Row) != nil {
		return nil, err
	}
	found, err := x.db.Schema.PlanRepair(nil, x.c, nil, nil, there, plan.RepairOptions{Before: x.repairBefore(since), Now: since})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// maxReads is the number of times that a difference is read if a write that explains it may still be carried out.
const maxReads = 3

// repairDifference reads a row of a copy and its root again, and repairs the row if it differs.
func (x copyCheck) repairDifference(ctx context.Context, rootKey, rowKey cell.Row) error {
	ctx, end, err := x.r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	f, err := x.readDifference(ctx, rootKey, rowKey, false)
	for attempt := 1; err == nil && f != nil && f.Recent && attempt < maxReads && x.db.Env.Pause(ctx, attempt); attempt++ {
		f, err = x.readDifference(ctx, rootKey, rowKey, false)
	}
	if err == nil && f != nil && f.Kind == plan.OtherOwner {
		f, err = x.readOwnerDifference(ctx, rootKey, f)
	}
	switch {
	case call.IsRowError(err):
		return nil // the scan of the root reports it
	case err != nil || f == nil:
		return err
	case f.Writes == nil:
		x.postpone(f)
		return nil
	}
	return x.repair(ctx, rootKey, f)
}

// postpone leaves a difference for a later run.
func (x copyCheck) postpone(f *plan.Finding) {
	if !x.checkAhead(x.c.Table, f.Row, f.Newest) {
		x.countLater()
	}
}

// readDifference reads a root and then a row of a copy, and returns how the row differs; nil if it does not differ. Before a row of a copy
// is deleted, the root is read after it, too: another program can have written both in between.
func (x copyCheck) readDifference(ctx context.Context, rootKey, rowKey cell.Row, otherOwner bool) (*plan.Finding, error) {
	root, err := x.readRoot(ctx, rootKey)
	if err != nil {
		return nil, err
	}
	there, err := x.readCopies(ctx, x.c, rowKey)
	if err != nil {
		return nil, err
	}
	f, err := x.differing(root, there, rowKey, otherOwner)
	if f == nil || f.Kind != plan.ExtraRow || err != nil {
		return f, err
	}
	before := root.since
	if root, err = x.readRoot(ctx, rootKey); err != nil {
		return nil, err
	}
	root.since = before
	return x.differing(root, there, rowKey, otherOwner)
}

// differing returns how the row of a copy with a key differs.
func (x copyCheck) differing(root *rootRow, there []plan.StampedRow, key cell.Row, otherOwner bool) (*plan.Finding, error) {
	if root.source == nil && x.c.Owned() { // a row of another root is not an orphan of this one
		there = slices.DeleteFunc(there, func(s plan.StampedRow) bool { return x.c.OwnedByOther(root.key, s.Row) })
	}
	found, err := x.plan(root, there, otherOwner)
	for i := range found {
		if plan.SameKey(found[i].Row, key, x.c.Table.Key) {
			return &found[i], err
		}
	}
	return nil, err
}

// readRoot reads a root by its key.
func (x rootCheck) readRoot(ctx context.Context, key cell.Row) (*rootRow, error) {
	since := x.now()
	q := store.Read{Table: x.r.Codec.Table, Key: key, Stamped: true, Consistency: x.db.Config.Consistency}
	row, err := x.db.ReadRow(ctx, reconcile, &store.Lookup{Read: q})
	if err != nil {
		return nil, err
	}
	if row == nil || row[x.r.Codec.Table.Key-1] == nil {
		return &rootRow{key: key, since: since}, nil
	}
	return x.newRootRow(row, new(call.ReencodeBuffer), since)
}

// readOwnerDifference looks at a row that contains the key of another root. If that root has the row, two roots claim it, which is reported
// and not repaired.
func (x copyCheck) readOwnerDifference(ctx context.Context, rootKey cell.Row, f *plan.Finding) (*plan.Finding, error) {
	key := f.Row[:x.c.Table.Key]
	owner, err := x.r.ReadComputed(ctx, reconcile, x.c.RootKey(f.Row), x.db.Config.Consistency)
	if err != nil {
		return nil, err
	}
	if owner != nil {
		has, err := x.c.RowWith(key, owner)
		if err != nil {
			return nil, err
		}
		if has != nil {
			d := drift(mapper.DriftTwoOwners, x.r, x.c.Table, key)
			d.Want, d.Have = x.r.Codec.Table.KeyText(rootKey), x.r.Codec.Table.KeyText(owner)
			d.Reason = "both rows of " + x.r.Codec.Table.Name + " have it: change one of them"
			x.addFinding(d)
			return nil, nil
		}
	}
	if x.findsOrphansLater() {
		return nil, nil
	}
	return x.readDifference(ctx, rootKey, key, true)
}

// repair writes a repair, looks at the row again and reports the finding.
func (x copyCheck) repair(ctx context.Context, rootKey cell.Row, f *plan.Finding) error {
	d := newDrift(x.r, x.c, f)
	if x.config.DryRun {
		x.addFinding(d)
		return nil
	}
	if err := x.send(ctx, rootKey, f); err != nil {
		return err
	}
	again, err := reread(ctx, x.run, func() (*plan.Finding, error) {
		return x.readDifference(ctx, rootKey, f.Row[:x.c.Table.Key], f.Kind == plan.OtherValue)
	})
	switch {
	case err != nil:
		return err
	case again != nil && again.Kind == plan.ExtraRow && again.Newest == 0:
		d.Reason = "it has no value whose write time can be read, and was written less than the grace before this run: a later run deletes it"
	case again != nil && again.Writes != nil && !again.Recent:
		d.Kind = newDrift(x.r, x.c, again).Kind
		d.hide()
	default:
		if d.Repaired = true; again != nil {
			x.countLater()
		}
	}
	x.addFinding(d)
	return x.purgeBeside(ctx, f)
}

// reread reads the rows that a repair has written, and repeats it after an error: if the whole repair were repeated, it would find nothing.
func reread[T any](ctx context.Context, x *run, read func() (T, error)) (again T, err error) {
	err = scan.Retry(ctx, x.db, func() error {
		again, err = read()
		return err
	})
	return again, err
}

// send sends the writes of a repair until they are acknowledged. They can be repeated.
func (x rootCheck) send(ctx context.Context, key cell.Row, f *plan.Finding) error {
	mutations := make([]plan.Mutation, len(f.Writes))
	for i, w := range f.Writes {
		mutations[i] = w.Mutation
		mutations[i].At = w.At
	}
	if err := x.db.Admit(mutations); err != nil {
		return err
	}
	return save.Versioned{Root: x.r}.Call(ctx, reconcile, key).Copies().SendAged(mutations, f.Writes[0].At, f.Now)
}

var driftKinds = [...]mapper.DriftKind{plan.MissingRow: mapper.DriftMissing, plan.OtherValue: mapper.DriftStale, plan.ExtraRow: mapper.DriftOrphan, plan.OtherOwner: mapper.DriftTwoOwners}

// newDrift returns the report of a finding.
func newDrift(r call.Root, c *plan.Projection, f *plan.Finding) finding {
	d := drift(driftKinds[f.Kind], r, c.Table, f.Row)
	if f.Kind == plan.OtherValue {
		column := &c.Table.Columns[f.Column]
		d.Column, d.Want, d.Have = column.Name, valueText(column, f.Want), valueText(column, f.Have)
	}
	return d
}

// unprojectable reports a root whose copies cannot be compared.
func (x rootCheck) unprojectable(key cell.Row, err error) {
	d := drift(mapper.DriftUnprojectable, x.r, x.r.Codec.Table, key)
	d.Reason = err.Error()
	x.addFinding(d)
}

// checkAhead reports a row that was written at a time that is ahead of the clock, and returns whether it was.
func (x rootCheck) checkAhead(t *plan.Table, key cell.Row, at int64) bool {
	if at <= x.now()+x.limit.Microseconds() {
		return false
	}
	d := drift(mapper.DriftClockAhead, x.r, t, key)
	d.Reason = "written at " + time.UnixMicro(at).UTC().Format(time.RFC3339Nano) + ", by a clock that was ahead"
	x.addFinding(d)
	return true
}
