package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
)

// Row compares the redundant tables with one row of the root, and repairs the differences. It finds rows that the root no longer has
// if they are in a range of its key, or follow from one of the known values, which are earlier values of the row.
func Row(ctx context.Context, r call.Root, key *cell.Encoder, c mapper.ReconcileConfig, known []any) (*mapper.ReconcileReport, error) {
	x, args, earlier, err := newRowRun(ctx, r, key, c, known)
	if err != nil {
		return nil, r.WrapError(reconcile, args, err)
	}
	for i := range r.Aggregate.Copies {
		if p := &r.Aggregate.Copies[i]; !p.Shared && !p.Range {
			x.report.NotSearched = append(x.report.NotSearched, p.Table.Name)
		}
	}
	if part := r.Aggregate.CopiedPart(); part != nil {
		for i := range part.Copies {
			x.report.NotSearched = append(x.report.NotSearched, part.Copies[i].Table.Name)
		}
	}
	slices.Sort(x.report.NotSearched)
	if r.Aggregate.Versioning != nil {
		err = x.reconcileVersioned(ctx, save.Versioned{Root: r}, args, earlier)
	} else {
		err = x.newRootCheck(r).reconcilePlain(ctx, args, earlier)
	}
	if err != nil {
		return x.result(), r.WrapError(reconcile, args, err)
	}
	return x.result(), nil
}

// newRowRun checks the arguments of Reconcile, and returns the key and the known values as rows.
func newRowRun(ctx context.Context, r call.Root, key *cell.Encoder, c mapper.ReconcileConfig, known []any) (x *run, args cell.Row, earlier []cell.Row, err error) {
	if r.DB == nil {
		return nil, nil, nil, call.ErrNotOpen
	}
	if args, err = r.DB.Key(r.Codec.Table, key); err != nil {
		return nil, nil, nil, err
	}
	if c.Tables != nil || c.Job != "" || c.Slices != 0 || c.Parallel != 0 || c.Rate != 0 {
		return nil, args, nil, errors.New("the fields Tables, Job, Slices, Parallel and Rate of the configuration do not apply to one row: leave them out")
	}
	for i, v := range known {
		if v == nil {
			return nil, args, nil, fmt.Errorf("the known value %d is a nil pointer", i)
		}
		row, err := r.Encode(v)
		if err == nil {
			err = r.Compute(nil, row, v)
		}
		if err != nil {
			return nil, args, nil, err
		}
		if !plan.SameKey(row, args, r.Codec.Table.Key) {
			return nil, args, nil, fmt.Errorf("the known value %d has another key: %s", i, r.Codec.Table.KeyText(row))
		}
		earlier = append(earlier, row)
	}
	x, err = newReconciling(ctx, r.DB, c, r)
	return x, args, earlier, err
}

// reconcilePlain compares the copies of a row of a plain root.
func (x rootCheck) reconcilePlain(ctx context.Context, key cell.Row, earlier []cell.Row) error {
	row, err := x.readRoot(ctx, key)
	if call.IsRowError(err) {
		x.unprojectable(key, err)
		return nil
	}
	if err != nil {
		return err
	}
	if row.stamps != nil {
		x.checkAhead(x.r.Codec.Table, key, row.newest)
	}
	for i := range x.r.Aggregate.Copies {
		c := &x.r.Aggregate.Copies[i]
		if err := x.newCopyCheck(x.r, c).compareElsewhere(ctx, row); err != nil {
			return err
		}
		err := eachRow(c, earlier, func(was cell.Row) error { return x.newCopyCheck(x.r, c).repairDifference(ctx, key, was[:c.Table.Key]) })
		if err != nil {
			return err
		}
	}
	if row.source != nil {
		return nil
	}
	for _, part := range partTables(x.r) {
		if err := x.examineParts(ctx, part, key); err != nil {
			return err
		}
	}
	return nil
}

// eachRow calls do for each row of a copy that follows from one of the given rows of the root.
func eachRow(c *plan.Projection, roots []cell.Row, do func(cell.Row) error) error {
	for _, root := range roots {
		rows, err := c.Rows(root)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := do(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// reconcileVersioned compares the reservations, the done-marker and the copies of a row of a versioned root.
func (x *run) reconcileVersioned(ctx context.Context, r save.Versioned, key cell.Row, earlier []cell.Row) error {
	for _, row := range earlier {
		if err := x.forRow(ctx, r, key, func(w *save.Call) error { return x.newRowCheck(w).checkClaims(row) }); err != nil {
			return err
		}
	}
	err := x.finishParts(ctx, r, key)
	if err == nil {
		err = x.finishDeletion(ctx, r, key)
	}
	if err == nil {
		err = x.forRow(ctx, r, key, func(w *save.Call) error { return x.newRowCheck(w).repairVersionedRow() })
	}
	if err == nil {
		err = x.reconcileFollowing(ctx, r, key)
	}
	if call.IsRowError(err) {
		x.newRootCheck(r.Root).unprojectable(key, err)
		return nil
	}
	if err != nil {
		return err
	}
	for i := range r.Aggregate.Copies {
		c := &r.Aggregate.Copies[i]
		err := eachRow(c, earlier, func(was cell.Row) error {
			return x.forRow(ctx, r, key, func(w *save.Call) error { return x.newRowCheck(w).deleteEarlier(c, was) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkClaims releases the reservations of the unique values of an earlier row that its root does not have.
func (x rowCheck) checkClaims(row cell.Row) error {
	claims, err := x.w.Aggregate.Claims(&plan.State{Row: row})
	if err != nil {
		return err
	}
	for _, c := range claims {
		v, err := x.w.Reservations().ReadReservation(c)
		if err != nil {
			return err
		}
		if v == nil || !x.w.Reservations().Owns(v) {
			continue
		}
		if err := x.checkReservation(v); err != nil {
			return err
		}
	}
	return nil
}

// deleteEarlier deletes a row of a copy that follows from an earlier row of the root, unless it belongs to another root now.
func (x rowCheck) deleteEarlier(c *plan.Projection, was cell.Row) error {
	key := was[:c.Table.Key]
	row, err := x.w.ReadRow(c.Table, key, x.w.DB.Config.Consistency)
	if row == nil || err != nil {
		return err
	}
	if c.SourceKey != nil && c.OwnedByOther(x.w.Key, row) {
		return nil
	}
	return x.deleteOrphanRow(c, copyRow{key: key, row: row})
}

// Restamp writes the values of a row of a plain root, and all rows of its copies, again, at a time after every write time that can be read
// in them and after the given time, in microseconds since 1970. Each value keeps its remaining TTL. It deletes rows that the root does not
// have. It is for rows that deletions with timestamps of a wrong clock hide. Like an Update, it can lose concurrent changes of the same
// cells. Values that a later deletion still hides are in the report, and are passed to found.
func Restamp(ctx context.Context, r call.Root, key cell.Row, above int64, found func(mapper.Drift)) (*mapper.ReconcileReport, error) {
	ctx, end, err := r.BeginWrite(ctx, "Restamp")
	if err != nil {
		return nil, err
	}
	defer end()
	x, err := newReconciling(ctx, r.DB, mapper.ReconcileConfig{Found: found}, r)
	if err == nil {
		err = x.newRootCheck(r).restamp(ctx, key, above)
	}
	if err != nil {
		return nil, r.WrapError("Restamp", key, err)
	}
	return x.result(), nil
}

func (x rootCheck) restamp(ctx context.Context, key cell.Row, above int64) error {
	if x.r.Aggregate.Versioning != nil {
		return errors.New("the rows of a versioned root have no timestamps of clients: use Reconcile")
	}
	row, err := x.readRoot(ctx, key)
	if err != nil {
		return err
	}
	if row.source == nil {
		return mapper.ErrNotFound
	}
	newest := max(above, row.newest)
	var extra []plan.Mutation
	var differ []finding
	for i := range x.r.Aggregate.Copies {
		c := &x.r.Aggregate.Copies[i]
		found, there, err := x.newCopyCheck(x.r, c).compareRows(ctx, row)
		if err != nil {
			return err
		}
		for _, s := range there {
			newest = max(newest, s.Stamps.Newest())
		}
		for k := range found {
			f := &found[k]
			differ = append(differ, newDrift(x.r, c, f))
			if f.Kind == plan.ExtraRow {
				extra = append(extra, plan.Mutation{Table: c.Table, Row: f.Row, Action: plan.Delete, Back: 1})
			}
		}
	}
	mutations, err := plan.PlanRestamp(x.r.Aggregate, row.source, row.stamps, row.since)
	if err != nil {
		return x.r.DB.ConstraintError(x.r.Codec.Table, row.source, nil, err)
	}
	if mutations = shorten(mutations, (x.now()-row.since)/time.Second.Microseconds()); len(mutations) == 0 {
		return mapper.ErrNotFound
	}
	if err := x.r.Rewrite(ctx, "Restamp", row.source, newest, append(mutations, extra...)); err != nil {
		return err
	}
	return x.reportRestamped(ctx, row, differ)
}

// shorten subtracts seconds from the TTLs of mutations, and removes those that have expired.
func shorten(mutations []plan.Mutation, seconds int64) []plan.Mutation {
	out := mutations[:0]
	for _, m := range mutations {
		if m.TTL == 0 || int64(m.TTL) > seconds {
			if m.TTL > 0 {
				m.TTL -= int32(seconds)
			}
			out = append(out, m)
		}
	}
	return out
}

// compareRows reads the rows of a copy of a row of the root, and compares them.
func (x copyCheck) compareRows(ctx context.Context, row *rootRow) ([]plan.Finding, []plan.StampedRow, error) {
	there, err := x.rowsElsewhere(ctx, row)
	if err != nil {
		return nil, nil, err
	}
	found, err := x.plan(row, there, false)
	return found, there, err
}

// reportRestamped reports the rows of copies that differed before they were written. Those that still differ are hidden.
func (x rootCheck) reportRestamped(ctx context.Context, row *rootRow, before []finding) error {
	hidden := map[identity]bool{}
	for i := range x.r.Aggregate.Copies {
		c := &x.r.Aggregate.Copies[i]
		found, _, err := x.newCopyCheck(x.r, c).compareRows(ctx, row)
		if err != nil {
			return err
		}
		for k := range found {
			d := newDrift(x.r, c, &found[k])
			hidden[rowIdentity(&d)] = true
			d.Reason = d.Kind.String() + ", hidden by a deletion with a later timestamp: give a later time with -above"
			d.Kind = mapper.DriftHidden
			x.addFinding(d)
		}
	}
	for _, d := range before {
		if !hidden[rowIdentity(&d)] {
			d.Repaired = true
			x.addFinding(d)
		}
	}
	return nil
}

// rowIdentity returns the table and the row of a finding.
func rowIdentity(d *finding) identity { return identity{table: d.Table, row: d.row} }
