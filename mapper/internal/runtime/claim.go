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

// claims are the reservations of one save.
type claims struct {
	floor   plan.Version  // the greatest floor of the claimed reservations: the version of the save must be above it
	dropped []reservation // of the values that the save drops, as they were before it
}

// reservation is the row that contains the owner of a unique value.
type reservation struct {
	plan.Claim
	owner cell.Row     // the key of the root; nil: the value has no owner
	at    plan.Version // the version that the root had when the claim was made
	floor plan.Version // a save of the next owner must have a version above it
	was   cell.Row     // the cells of at and floor, as they were read: null in a row that another program has written
}

// claim claims the unique values that a save adds to those of the old state, and reads the reservations of those that it drops. A row without a version has
// claimed nothing, so its save claims all its values. A save that fails after its claims keeps them, because another save of the same
// row may have been applied with them. If not, the next save that needs a value takes it over.
func (w *writing) claim(old *plan.State, now plan.Claims) (claims, error) {
	var c claims
	if len(w.aggregate.Versioning.Uniques) == 0 {
		return c, nil
	}
	was, err := w.aggregate.Claims(old)
	if err != nil {
		return c, err
	}
	confirmed := !w.blind
	for _, v := range now {
		if was.Has(v) && old.Version != 0 {
			continue
		}
		if !confirmed {
			if err := w.confirm(old.Version); err != nil {
				return c, err
			}
			confirmed = true
		}
		floor, err := w.take(v, old.At())
		if err != nil {
			return c, err
		}
		c.floor = max(c.floor, floor)
	}
	for _, v := range was {
		if now.Has(v) {
			continue
		}
		r, err := w.reservation(v)
		if err != nil {
			return c, err
		}
		if r != nil {
			c.dropped = append(c.dropped, *r)
		}
	}
	return c, nil
}

// confirm reads the row before a Change claims values, and returns errRefused if its version is not that of the old value. A claim with a
// greater version than the row has would hold the value until the row exceeds it, and the version can come from outside the program.
func (w *writing) confirm(at plan.Version) error {
	now, err := w.read(true)
	if err == nil && (!now.Exists() || now.Version != at) {
		err = errRefused
	}
	return err
}

// reservation reads the reservation of a value, or returns nil if there is none.
func (w *writing) reservation(c plan.Claim) (*reservation, error) {
	row, err := w.readOne(c.Table, c.Key, gocql.Consistency(w.db.env.serial))
	if row == nil || err != nil {
		return nil, err
	}
	return w.reservationOf(c, row)
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

// ours reports whether the owner of a reservation is the row that is saved.
func (w *writing) ours(r *reservation) bool {
	return r.owner != nil && plan.SameKey(r.owner, w.key, w.c.Table.Key)
}

// take claims a value for a save that replaces the version at, and returns the floor of its reservation. It returns errRefused if a
// later save of the same row has claimed the value, a *mapper.DuplicateError if another root has it, and mapper.ErrBusy if the time
// of the call ends while another claim is in flight.
func (w *writing) take(c plan.Claim, at plan.Version) (plan.Version, error) {
	r, taken, err := w.insertReservation(c, at)
	var seen observation
	for attempt := 1; ; attempt++ {
		if taken || err != nil {
			return 0, err
		}
		if r == nil { // it did not exist, or has been purged
			if !w.db.env.pause(w.ctx, attempt) {
				return 0, fmt.Errorf("it is unknown whether a unique value is claimed: %w", context.Cause(w.ctx))
			}
			r, taken, err = w.insertReservation(c, at)
			continue
		}
		switch {
		case r.owner == nil:
			taken, err = w.setReservation(r, w.key, at, r.floor)
		case w.ours(r) && r.at > at:
			return 0, errRefused
		case w.ours(r) && r.at == at:
			return r.floor, nil
		case w.ours(r):
			taken, err = w.setReservation(r, w.key, at, r.floor)
		default:
			r.floor, taken, err = w.takeOver(r, at, &seen)
		}
		if taken || err != nil {
			return r.floor, err
		}
		if !w.db.env.pause(w.ctx, attempt) {
			return 0, fmt.Errorf("%w: %w", mapper.ErrBusy, context.Cause(w.ctx))
		}
		r, err = w.reservation(c)
	}
}

// observation is a claim in flight, with the time at which this call first read it, and the version that its owner had then.
type observation struct {
	owner   cell.Row
	at      plan.Version
	since   time.Duration
	version plan.Version
}

// stale reports whether the save that made a claim can no longer be applied, because its root o has a later version. A deleted row is no
// proof for a claim of a save that found no row: Reconcile may remove the row, and then the save could be applied. It is one
// if its version has been raised after version, which it had when this call first read the claim: Reconcile removes only rows
// that are older than gc_grace_seconds.
func (r *reservation) stale(o *plan.State, version plan.Version) bool {
	return o.At() > r.at && (r.at > 0 || o.Exists() || o.At() > version)
}

// takeOver claims a value that another root has claimed but does not have. If the claim is stale, because the root has been saved
// since without the value, takeOver claims the value at once. Otherwise the claim is in flight: after the lease, takeOver raises
// the version of the root, so that the save that made the claim can no longer be applied. The claim is then stale.
func (w *writing) takeOver(r *reservation, at plan.Version, seen *observation) (floor plan.Version, taken bool, err error) {
	o, err := w.readRow(r.owner, true)
	if err != nil {
		return 0, false, err
	}
	has, err := w.has(o, r.Claim)
	if err != nil {
		return 0, false, err
	}
	if has {
		return 0, false, w.duplicate(r)
	}
	now := w.db.env.since()
	if seen.owner == nil || !plan.SameKey(seen.owner, r.owner, w.c.Table.Key) || seen.at != r.at {
		*seen = observation{r.owner, r.at, now, o.At()}
	}
	if r.stale(o, seen.version) {
		floor = max(r.floor, o.At())
		taken, err = w.setReservation(r, w.key, at, floor)
		return floor, taken, err
	}
	if now-seen.since < w.db.env.lease {
		return r.floor, false, nil
	}
	return r.floor, false, w.fence(o, r)
}

// has reports whether a state has a unique value.
func (w *writing) has(s *plan.State, c plan.Claim) (bool, error) {
	all, err := w.aggregate.Claims(s)
	if err != nil {
		return false, err
	}
	return all.Has(c), nil
}

// fence raises the version of the root that made a claim in flight, or inserts a deleted row if there is none. It does not matter
// whether the statement is applied: it is refused only if the row has changed, which has the same effect, and the caller reads
// the row again.
func (w *writing) fence(o *plan.State, r *reservation) error {
	save := plan.PlanFence(w.aggregate, o, r.owner, r.at, w.options())
	if _, err := w.cas(&save.Root, 1); !unknownOutcome(err) {
		return err
	}
	return nil
}

func (w *writing) duplicate(r *reservation) error {
	t := w.c.Table
	return &mapper.DuplicateError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(w.key), Field: r.Field, Value: r.Text(), Owner: t.KeyText(r.owner)}
}

// insertReservation claims a value that has no reservation yet. If the value has a reservation, it returns that reservation. If the
// outcome is unknown, it reads the reservation.
func (w *writing) insertReservation(c plan.Claim, at plan.Version) (*reservation, bool, error) {
	row := slices.Concat(c.Key, w.key, cell.Row{plan.Bigint(at), plan.Bigint(0)})
	answer, err := w.cas(&plan.Conditional{Table: c.Table, CQL: c.Insert, Insert: true, Row: row}, 1)
	switch {
	case unknownOutcome(err):
		r, err := w.reservation(c)
		return r, false, err
	case err != nil || answer.Applied:
		return nil, answer.Applied, err
	}
	r, err := w.reservationOf(c, answer.Row)
	return r, false, err
}

// setReservation changes a reservation if it is still as it was read, and reports whether it was changed. If the outcome is unknown,
// it returns false, and the caller reads the reservation again. The floor is a condition, too: an owner that has released a value can
// claim it again at version 0, and a release that was delayed since its first claim must not replace the floor by a lower one.
func (w *writing) setReservation(r *reservation, owner cell.Row, at, floor plan.Version) (bool, error) {
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
	answer, err := w.cas(&c, 1)
	if unknownOutcome(err) {
		return false, nil
	}
	return answer.Applied, err
}

// unknownOutcome reports whether the outcome of a statement is unknown, or it could not be sent.
func unknownOutcome(err error) bool {
	failure, failed := errors.AsType[*store.Error](err)
	return failed && failure.Outcome != store.Refused
}

// release removes the owner of the values that a save has dropped, unless they have been claimed since. If that fails, the
// reservation is stale, and the next save that needs the value takes it over.
func (w *writing) release(c claims, version plan.Version) {
	for i := range c.dropped {
		r := &c.dropped[i]
		if !w.ours(r) {
			continue
		}
		if _, err := w.setReservation(r, nil, r.at, max(r.floor, version)); err != nil {
			w.db.config.Logger.WarnContext(w.ctx, "mapper: a unique value is not released yet: the next save that claims it takes it over",
				slog.String("row", rowname.Of(w.c.Table.Aggregate, w.c.Table.Name, w.c.Table.KeyText(w.key))), slog.Any("error", err))
		}
	}
}
