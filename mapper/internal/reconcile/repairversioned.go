package reconcile

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

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
	return r.ForRow(ctx, reconcile, key, func(w *save.Call) error { return w.Repeat(func() error { return do(w) }) })
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

// soon is how many seconds before the end of its TTL a row is left to expire.
const soon = 60

// expiresSoon reports whether a row is left to expire. In its last second its copies are not written any more, nor is its done-marker: it must
// not count as a row whose copies cannot be repaired, whose version is raised.
func expiresSoon(s *plan.State) bool { return s.Life.Left > 0 && s.Life.Left <= soon }

// latestTime is a time after all writes.
const latestTime = 1 << 62

// repairVersionedRow reads a row at the serial consistency, and repairs the rows that derive from it if they differ.
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
	if err != nil || len(found) != 1 || found[0].Kind != mapper.DriftUnpropagated {
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
		if r := x.w.Aggregate.ReferenceNamed(p.Table); r != nil {
			if gone, err := x.w.References().Unrecorded(plan.Ref{CheckedReference: r, Key: p.Key}); !gone || err != nil {
				return false, err
			}
			continue
		}
		c := x.w.Aggregate.CopyNamed(p.Table)
		if c == nil { // readVersioned has compared a copy of a part
			continue
		}
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
		d := drift(mapper.DriftUnprojectable, x.w.Root, x.w.Codec.Table, x.w.Key)
		d.Reason = "has no version: run the function that assigns versions"
		return s, []finding{d}, nil
	}
	if done := x.w.Aggregate.Versioning.Done; done != nil {
		at, err := x.w.Copies().ReadMarker()
		if err != nil {
			return nil, nil, err
		}
		if at < s.Version && !expiresSoon(s) {
			d := drift(mapper.DriftUnpropagated, x.w.Root, done, x.w.Key)
			d.Column, d.Want, d.Have = done.Columns[done.Key].Name, strconv.FormatInt(s.Version, 10), strconv.FormatInt(at, 10)
			out = append(out, d)
		}
	}
	if len(out) > 0 {
		pending, err := x.pendingParts(s)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, pending...)
	}
	if !s.Exists() {
		return s, out, nil
	}
	more, err := x.copyDrift(s)
	if err != nil {
		return nil, nil, err
	}
	references, err := x.referenceDrift(s, true)
	if err != nil {
		return nil, nil, err
	}
	more = append(more, references...)
	missing, err := x.w.Reservations().Unreserved(s, x.w.DB.Config.SerialConsistency)
	for _, c := range missing {
		d := drift(mapper.DriftMissing, x.w.Root, c.Table, c.Key)
		d.Key = c.Text()
		more = append(more, d)
	}
	return s, append(out, more...), err
}

// copyDrift returns the rows of copies that differ from a state.
func (x rowCheck) copyDrift(s *plan.State) (out []finding, err error) {
	for i := range x.w.Aggregate.Copies {
		c := &x.w.Aggregate.Copies[i]
		rows, err := c.Rows(s.Row)
		if err != nil {
			return nil, err
		}
		there := make([][]plan.StampedRow, len(rows))
		err = x.w.InParallel(len(rows), func(i int) (err error) {
			there[i], err = x.readCopies(x.w.Ctx, c, rows[i][:c.Table.Key])
			return err
		})
		if err != nil {
			return nil, err
		}
		found, err := x.newCopyCheck(x.w.Root, c).planVersioned(s, slices.Concat(there...))
		if err != nil {
			return nil, err
		}
		if expiresSoon(s) { // the copies expire up to a second before the row
			found = slices.DeleteFunc(found, func(f plan.Finding) bool { return f.Kind == plan.MissingRow })
		}
		for k := range found {
			out = append(out, newDrift(x.w.Root, c, &found[k]))
		}
	}
	return out, nil
}

// repairVersioned writes the rows that derive from a state, and returns the findings with their results. A row that does not become equal was
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
		if err := x.w.Copies().SendRaise(forget); err != nil {
			return nil, err
		}
		s = &forget.State
	}
	if err := x.w.References().Record(s); err != nil {
		return nil, err
	}
	left, err := x.propagate(s)
	if err != nil {
		return nil, err
	}
	free := func(d finding) bool { return taken[d.Key] == nil && d.Kind != mapper.DriftDangling }
	if slices.ContainsFunc(left, free) && x.w.Aggregate.Knows(s.Pending) {
		save := plan.PlanFence(x.w.Aggregate, s, x.w.Key, 0, x.w.Options())
		if err := x.w.Copies().SendRaise(save); err != nil {
			return nil, err
		}
		if err := x.w.References().Record(&save.State); err != nil {
			return nil, err
		}
		if left, err = x.propagate(&save.State); err != nil {
			return nil, err
		}
	}
	for i := range found {
		d := &found[i]
		same := func(o finding) bool {
			return o.Table == d.Table && o.Key == d.Key && (o.Kind == mapper.DriftDangling) == (d.Kind == mapper.DriftDangling)
		}
		switch e := taken[d.Key]; {
		case !slices.ContainsFunc(left, same):
			d.Repaired = true
		case e != nil && d.Table != x.w.Codec.Table.Name:
			d.Kind, d.Reason = mapper.DriftTwoOwners, e.Error()
		case d.Kind == mapper.DriftDangling:
		case d.Kind == mapper.DriftUnpropagated:
			d.Reason = "a row of a redundant table that this program does not know is pending: a program of the newer release completes it"
		default:
			d.hide()
		}
	}
	return found, nil
}

// hide reports that the repair of a finding has no effect.
func (f *finding) hide() {
	f.Reason, f.Kind = f.Kind.String()+", and the repair has no effect: a deletion with a later timestamp hides it", mapper.DriftHidden
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

// propagate writes the copies of a state, and returns the remaining differences. It returns ErrChanged if the row has been saved in between.
func (x rowCheck) propagate(s *plan.State) ([]finding, error) {
	copies, err := x.w.Copies().CopyMutations(s)
	if err != nil {
		return nil, err
	}
	if err := x.w.Copies().SendCopies(copies, s); err != nil {
		return nil, err
	}
	var left []finding
	now, err := reread(x.w.Ctx, x.run, func() (now *plan.State, err error) {
		now, left, err = x.readVersioned()
		return now, err
	})
	if err == nil && now.CurrentVersion() != s.Version {
		return nil, call.ErrChanged
	}
	return left, err
}
