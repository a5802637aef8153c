package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// Reconcile compares the redundant tables with one row of the root, and repairs what differs. It finds rows that the root no longer has
// if they are in a range of its key, or follow from one of the known values, which are earlier values of the row.
func (r Root) Reconcile(ctx context.Context, key *cell.Encoder, c mapper.ReconcileConfig, known []any) (*mapper.ReconcileReport, error) {
	x, args, earlier, err := r.reconciling(ctx, key, c, known)
	if err != nil {
		return nil, r.wrap(reconcile, args, err)
	}
	for i := range r.aggregate.Copies {
		if p := &r.aggregate.Copies[i]; !p.Shared && !p.Range {
			x.report.Unproven = append(x.report.Unproven, p.Table.Name)
		}
	}
	slices.Sort(x.report.Unproven)
	if r.aggregate.Versioning != nil {
		err = x.reconcileVersioned(ctx, Versioned{r}, args, earlier)
	} else {
		err = x.reconcilePlain(ctx, r, args, earlier)
	}
	if err != nil {
		return x.result(), r.wrap(reconcile, args, err)
	}
	return x.result(), nil
}

// reconciling checks the arguments of Reconcile, and returns the key and the known values as rows.
func (r Root) reconciling(ctx context.Context, key *cell.Encoder, c mapper.ReconcileConfig, known []any) (x *reconciling, args cell.Row, earlier []cell.Row, err error) {
	if r.db == nil {
		return nil, nil, nil, errNotOpen
	}
	if args, err = r.db.key(r.c.Table, key); err != nil {
		return nil, nil, nil, err
	}
	if c.Tables != nil || c.Share != "" || c.Slices != 0 || c.Parallel != 0 || c.Rate != 0 {
		return nil, args, nil, errors.New("the fields Tables, Share, Slices, Parallel and Rate of the configuration do not apply to one row: leave them out")
	}
	for i, v := range known {
		if v == nil {
			return nil, args, nil, fmt.Errorf("the known value %d is a nil pointer", i)
		}
		row, err := r.encode(v)
		if err == nil {
			err = r.compute(nil, row, v)
		}
		if err != nil {
			return nil, args, nil, err
		}
		if !plan.SameKey(row, args, r.c.Table.Key) {
			return nil, args, nil, fmt.Errorf("the known value %d has another key: %s", i, r.c.Table.KeyText(row))
		}
		earlier = append(earlier, row)
	}
	x, err = newReconciling(ctx, r.db, c)
	return x, args, earlier, err
}

// reconcilePlain compares the copies of a row of a plain root.
func (x *reconciling) reconcilePlain(ctx context.Context, r Root, key cell.Row, earlier []cell.Row) error {
	row, err := x.readRoot(ctx, r, key)
	if refusesRow(err) {
		x.unprojectable(r, key, err)
		return nil
	}
	if err != nil {
		return err
	}
	if row.stamps != nil {
		x.checkAhead(r, r.c.Table, key, row.newest)
	}
	for i := range r.aggregate.Copies {
		c := &r.aggregate.Copies[i]
		if err := x.compareElsewhere(ctx, r, c, row); err != nil {
			return err
		}
		err := eachRow(c, earlier, func(was cell.Row) error { return x.settle(ctx, r, c, key, was[:c.Table.Key]) })
		if err != nil {
			return err
		}
	}
	if row.source != nil {
		return nil
	}
	for _, part := range r.partTables() {
		if err := x.examineParts(ctx, r, part, key); err != nil {
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
func (x *reconciling) reconcileVersioned(ctx context.Context, r Versioned, key cell.Row, earlier []cell.Row) error {
	for _, row := range earlier {
		if err := x.onRow(ctx, r, key, func(w *writing) error { return x.checkClaims(w, row) }); err != nil {
			return err
		}
	}
	err := x.onRow(ctx, r, key, x.settleVersioned)
	if refusesRow(err) {
		x.unprojectable(r.Root, key, err)
		return nil
	}
	if err != nil {
		return err
	}
	for i := range r.aggregate.Copies {
		c := &r.aggregate.Copies[i]
		err := eachRow(c, earlier, func(was cell.Row) error {
			return x.onRow(ctx, r, key, func(w *writing) error { return x.settleEarlier(w, c, was) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkClaims releases the reservations of the unique values of an earlier row that its root does not have.
func (x *reconciling) checkClaims(w *writing, row cell.Row) error {
	claims, err := w.aggregate.Claims(&plan.State{Row: row})
	if err != nil {
		return err
	}
	for _, c := range claims {
		v, err := w.reservation(c)
		if err != nil {
			return err
		}
		if v == nil || !w.ownedByRow(v) {
			continue
		}
		if err := x.checkReservation(w, v); err != nil {
			return err
		}
	}
	return nil
}

// settleEarlier deletes a row of a copy that follows from an earlier row of the root, unless it belongs to another root now.
func (x *reconciling) settleEarlier(w *writing, c *plan.Projection, was cell.Row) error {
	key := was[:c.Table.Key]
	row, err := w.readOne(c.Table, key, w.db.config.Consistency)
	if row == nil || err != nil {
		return err
	}
	if c.SourceKey != nil && c.OwnedByOther(w.key, row) {
		return nil
	}
	return x.settleOrphan(w, c, copyRow{key: key, row: row})
}

// Restamp writes the values of a row of a plain root, and all rows of its copies, again, at a time after every write time that can be read
// in them and after the given time, in microseconds since 1970. Each value keeps its remaining TTL. It deletes rows that the root does not
// have. It is for rows that deletions with timestamps of a wrong clock hide. Like an Update, it can lose concurrent changes of the same
// cells. What a later deletion still hides is in the report, and is passed to found.
func (r Root) Restamp(ctx context.Context, key cell.Row, above int64, found func(mapper.Drift)) (*mapper.ReconcileReport, error) {
	ctx, end, err := r.beginWrite(ctx, "Restamp")
	if err != nil {
		return nil, err
	}
	defer end()
	x, err := newReconciling(ctx, r.db, mapper.ReconcileConfig{Found: found})
	if err == nil {
		err = x.restamp(ctx, r, key, above)
	}
	if err != nil {
		return nil, r.wrap("Restamp", key, err)
	}
	return x.result(), nil
}

func (x *reconciling) restamp(ctx context.Context, r Root, key cell.Row, above int64) error {
	if r.aggregate.Versioning != nil {
		return errors.New("the rows of a versioned root have no timestamps of clients: use Reconcile")
	}
	row, err := x.readRoot(ctx, r, key)
	if err != nil {
		return err
	}
	if row.source == nil {
		return mapper.ErrNotFound
	}
	newest := max(above, row.newest)
	var extra []plan.Mutation
	var differ []finding
	for i := range r.aggregate.Copies {
		c := &r.aggregate.Copies[i]
		found, there, err := x.compareRows(ctx, r, c, row)
		if err != nil {
			return err
		}
		for _, s := range there {
			newest = max(newest, s.Stamps.Newest())
		}
		for k := range found {
			f := &found[k]
			differ = append(differ, driftOf(r, c, f))
			if f.Kind == plan.ExtraRow {
				extra = append(extra, plan.Mutation{Table: c.Table, Row: f.Row, Action: plan.Delete, Back: 1})
			}
		}
	}
	mutations, err := plan.PlanRestamp(r.aggregate, row.source, row.stamps, row.since)
	if err != nil {
		return r.db.constraint(r.c.Table, row.source, nil, err)
	}
	if mutations = shorten(mutations, (x.now()-row.since)/time.Second.Microseconds()); len(mutations) == 0 {
		return mapper.ErrNotFound
	}
	if err := r.rewrite(ctx, "Restamp", row.source, newest, append(mutations, extra...)); err != nil {
		return err
	}
	return x.reportRestamped(ctx, r, row, differ)
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
func (x *reconciling) compareRows(ctx context.Context, r Root, c *plan.Projection, row *rootRow) ([]plan.Finding, []plan.StampedRow, error) {
	there, err := x.rowsElsewhere(ctx, c, row)
	if err != nil {
		return nil, nil, err
	}
	found, err := x.plan(r, c, row, there, false)
	return found, there, err
}

// reportRestamped reports the rows of copies that differed before they were written. Those that still differ are hidden.
func (x *reconciling) reportRestamped(ctx context.Context, r Root, row *rootRow, before []finding) error {
	hidden := map[identity]bool{}
	for i := range r.aggregate.Copies {
		c := &r.aggregate.Copies[i]
		found, _, err := x.compareRows(ctx, r, c, row)
		if err != nil {
			return err
		}
		for k := range found {
			d := driftOf(r, c, &found[k])
			hidden[rowOf(&d)] = true
			d.Reason = d.Kind.String() + ", hidden by a deletion with a later timestamp: give a later time with -above"
			d.Kind = mapper.Hidden
			x.find(d)
		}
	}
	for _, d := range before {
		if !hidden[rowOf(&d)] {
			d.Repaired = true
			x.find(d)
		}
	}
	return nil
}

// rowOf returns the table and the row of a finding.
func rowOf(d *finding) identity { return identity{table: d.Table, row: d.row} }
