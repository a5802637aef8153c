package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// reservation is the row that contains the owner of a unique value.
type reservation struct {
	plan.Claim
	owner cell.Row     // the key of the root; nil: the value has no owner
	at    plan.Version // the version that the root had when the claim was made
	floor plan.Version // a save of the next owner must have a version above it
	was   cell.Row     // the cells of at and floor, as they were read: null in a row that another program has written

	written      int64 // when the server wrote at: the time of the claim; 0: it was not read
	floorWritten int64 // when the server wrote the floor; 0: it was not read
}

// reservation reads the reservation of a value at the serial consistency, or returns nil if there is none.
func (w *writing) reservation(c plan.Claim) (*reservation, error) {
	row, err := w.readOne(c.Table, c.Key, gocql.Consistency(w.db.config.Serial))
	if row == nil || err != nil {
		return nil, err
	}
	return w.reservationOf(c, row)
}

// timedReservation is like reservation, with the write times.
func (w *writing) timedReservation(c plan.Claim) (*reservation, error) {
	l := &store.Lookup{Read: store.Read{Table: c.Table, Key: c.Key, Within: true, Written: true, Consistency: gocql.Consistency(w.db.config.Serial)}}
	row, err := w.db.readRow(w.ctx, w.op, l)
	if row == nil || err != nil {
		return nil, err
	}
	r, err := w.reservationOf(c, row)
	if err == nil {
		times := row[len(row)-2:] // of at and floor
		r.written, r.floorWritten = latest(times[:1]), latest(times[1:])
	}
	return r, err
}

func (w *writing) reservationOf(c plan.Claim, row cell.Row) (*reservation, error) {
	k, n := c.Table.Key, w.c.Table.Key
	r := &reservation{Claim: c, was: row[k+n : k+n+2]}
	if row[k] != nil {
		r.owner = row[k : k+n]
	}
	var errs [2]error
	r.at, errs[0] = plan.BigintOf(row[k+n])
	r.floor, errs[1] = plan.BigintOf(row[k+n+1])
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("the reservation %s (%s) is damaged: %w", c.Table.Name, c.Table.KeyText(c.Key), err)
	}
	return r, nil
}

// ownedByRow reports whether the owner of a reservation is the row that is saved.
func (w *writing) ownedByRow(r *reservation) bool {
	return r.owner != nil && plan.SameKey(r.owner, w.key, w.c.Table.Key)
}

// ownReservation reads the reservation of a value that the row has. A row that owns the reservation owns it as long as it has the
// value, so only another result needs a serial read.
func (w *writing) ownReservation(v plan.Claim) (*reservation, error) {
	row, err := w.readOne(v.Table, v.Key, w.db.config.Consistency)
	if err != nil {
		return nil, err
	}
	if row != nil {
		if r, err := w.reservationOf(v, row); err != nil || w.ownedByRow(r) {
			return r, err
		}
	}
	return w.reservation(v)
}

// setReservation changes a reservation if it is still as it was read. The floor is a condition, too: an owner that has released a value
// can claim it again at version 0, and a release that was delayed since its first claim must not replace the floor by a lower one.
func (w *writing) setReservation(r *reservation, owner cell.Row, at, floor plan.Version) (plan.SaveOutcome, error) {
	t, n := r.Table, w.c.Table.Key
	if owner == nil {
		owner = make(cell.Row, n)
	}
	c := plan.Conditional{Table: t, CQL: r.Update, Row: slices.Concat(r.Key, owner, cell.Row{plan.Bigint(at), plan.Bigint(floor)})}
	c.Write = t.BeyondKey()
	for i := range n {
		x := plan.Condition{Column: t.Key + i}
		if r.owner != nil {
			x.Value = r.owner[i]
		}
		c.If = append(c.If, x)
	}
	for i, x := range r.was {
		c.If = append(c.If, plan.Condition{Column: t.Key + n + i, Value: x})
	}
	return w.decideReservation(&c)
}

// decideReservation sends a change of a reservation, and returns its outcome. If it is unknown, the caller reads the reservation again.
func (w *writing) decideReservation(c *plan.Conditional) (plan.SaveOutcome, error) {
	answer, err := w.cas(c, 1)
	switch {
	case unknownOutcome(err):
		return plan.Undecided, nil
	case err != nil || !answer.Applied:
		return plan.NotApplied, err
	}
	return plan.Applied, nil
}

// giveBackTime is how long a save that does not commit may take to give back its claims, in addition to the time of its call.
const giveBackTime = time.Second

// giveBack releases the reservations that a save has claimed and that does not commit. planned is the version of the save: the floor is
// at least that version, because the floor of a reservation that has been purged meanwhile begins at zero. A reservation that is not
// given back is in flight until the lease ends. A claim that the save has moved from version 0 is not given back: it is that of a save
// that has found no row, which is applied if Reconcile removes the deleted row that this save has read.
func (w *writing) giveBack(created []*reservation, planned plan.Version) {
	if len(created) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), giveBackTime)
	defer cancel()
	late := *w
	late.ctx = ctx
	late.releaseAll(created, planned)
}

// releaseAll removes the owner of reservations, unless they have changed since they were read. The floor of each rises, so that a
// release or a claim that is late is refused.
func (w *writing) releaseAll(all []*reservation, version plan.Version) {
	w.db.env.Together(len(all), func(i int) {
		r := all[i]
		if _, err := w.setReservation(r, nil, r.at, max(r.floor+1, version)); err != nil {
			w.db.config.Logger.WarnContext(w.ctx, "mapper: a unique value is not released yet: the next save that claims it takes it over",
				slog.String("row", rowname.Of(w.c.Table.Aggregate, w.c.Table.Name, w.c.Table.KeyText(w.key))), slog.Any("error", err))
		}
	})
}

// release removes the owner of the values that a save has dropped, unless they have been claimed since. If that fails, the
// reservation is stale, and the next save that needs the value takes it over.
func (w *writing) release(c claims, version plan.Version) {
	var own []*reservation
	for i := range c.dropped {
		if w.ownedByRow(&c.dropped[i]) {
			own = append(own, &c.dropped[i])
		}
	}
	w.releaseAll(own, version)
}

// unreserved returns the unique values of a state whose reservation does not have the row as its owner.
func (w *writing) unreserved(s *plan.State, consistency gocql.Consistency) (out []plan.Claim, err error) {
	claims, err := w.aggregate.Claims(s)
	if err != nil {
		return nil, err
	}
	for _, c := range claims {
		row, err := w.readOne(c.Table, c.Key, consistency)
		if err != nil {
			return nil, err
		}
		if row != nil {
			r, err := w.reservationOf(c, row)
			if err != nil {
				return nil, err
			}
			if w.ownedByRow(r) {
				continue
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// free releases a reservation after its owner has been read at the serial consistency. It reports whether the owner does not have the
// value, and whether the reservation is released. A claim in flight ends with the lease: then the version of its
// owner is raised, so that the save that made the claim can no longer be applied. A dry run changes nothing.
func (w *writing) free(r *reservation, dryRun bool) (leaked, freed bool, err error) {
	since, version := w.db.env.Since(), plan.Version(0)
	for attempt := 1; ; attempt++ {
		now, err := w.timedReservation(r.Claim)
		if now == nil || err != nil || !w.ownedByRow(now) || now.at != r.at {
			return false, false, err // it has changed: a save uses it
		}
		o, err := w.readRow(w.key, true)
		if err != nil {
			return false, false, err
		}
		if has, err := w.has(o, r.Claim); has || err != nil {
			return false, false, err
		}
		if attempt == 1 {
			version = o.At()
		}
		stale, ended := now.stale(o, version), w.leaseEnded(now, since)
		switch {
		case (stale || ended) && dryRun:
			return true, false, nil
		case stale:
			outcome, err := w.setReservation(now, nil, now.at, max(now.floor+1, o.At()))
			if outcome == plan.Applied || err != nil {
				return true, err == nil, err
			}
		case ended:
			if err := w.fence(o, now); err != nil {
				return true, false, err
			}
			continue
		}
		if !w.db.env.Pause(w.ctx, attempt) {
			return false, false, fmt.Errorf("%w: %w", mapper.ErrBusy, context.Cause(w.ctx))
		}
	}
}

// raiseFloor raises the floor of a reservation without an owner above a time.
func (w *writing) raiseFloor(r *reservation, above int64) (int64, error) {
	outcome, err := w.setReservation(r, nil, r.at, above+1)
	if err == nil && outcome != plan.Applied {
		err = errRefused
	}
	return above + 1, err
}

// purgeReservation removes a reservation without an owner that is older than a time, by its floor and by the time at which the server wrote the
// floor. It reports whether it has removed the reservation.
func (w *writing) purgeReservation(c plan.Claim, before int64) (bool, error) {
	r, err := w.timedReservation(c)
	if r == nil || err != nil || r.owner != nil || max(r.floor, r.at, r.floorWritten) >= before {
		return false, err
	}
	row := slices.Concat(c.Key, make(cell.Row, w.c.Table.Key), r.was)
	answer, err := w.cas(plan.PlanPurgeReservation(c.Table, row), 1)
	return err == nil && answer.Applied, err
}
