package save

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Reservation is the row that contains the owner of a unique value.
type Reservation struct {
	plan.Claim
	Owner cell.Row     // the key of the root; nil: the value has no owner
	At    plan.Version // the version that the root had when the claim was made
	Floor plan.Version // a save of the next owner must have a version above it
	was   cell.Row     // the cells of at and floor, as they were read: null in a row that another program has written

	written      int64 // when the server wrote at: the time of the claim; 0: it was not read
	floorWritten int64 // when the server wrote the floor; 0: it was not read
}

// Reservations claims, reads and releases the unique values of the row of a call.
type Reservations struct{ *Call }

// Reservations returns the reservations of the row.
func (w *Call) Reservations() Reservations { return Reservations{w} }

// ReadReservation reads the reservation of a value at the serial consistency, or returns nil if there is none.
func (w Reservations) ReadReservation(c plan.Claim) (*Reservation, error) {
	row, err := w.ReadRow(c.Table, c.Key, w.DB.Config.SerialConsistency)
	if row == nil || err != nil {
		return nil, err
	}
	return w.DecodeReservation(c, row)
}

// readTimedReservation is like ReadReservation, with the write times.
func (w Reservations) readTimedReservation(c plan.Claim) (*Reservation, error) {
	l := &store.Lookup{Read: store.Read{Table: c.Table, Key: c.Key, Within: true, Written: true, Consistency: w.DB.Config.SerialConsistency}}
	row, err := w.DB.ReadRow(w.Ctx, w.Op, l)
	if row == nil || err != nil {
		return nil, err
	}
	r, err := w.DecodeReservation(c, row)
	if err == nil {
		times := row[len(row)-2:] // the times of at and floor
		r.written, r.floorWritten = call.LatestTime(times[:1]), call.LatestTime(times[1:])
	}
	return r, err
}

// DecodeReservation returns the reservation that a row of the table of a claim contains.
func (w Reservations) DecodeReservation(c plan.Claim, row cell.Row) (*Reservation, error) {
	k, n := c.Table.Key, w.Codec.Table.Key
	r := &Reservation{Claim: c, Owner: w.Aggregate.ReservationOwner(c.Table, row), was: row[k+n : k+n+2]}
	var errs [2]error
	r.At, errs[0] = plan.DecodeBigint(row[k+n])
	r.Floor, errs[1] = plan.DecodeBigint(row[k+n+1])
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("the reservation %s (%s) is damaged: %w", c.Table.Name, c.Table.KeyText(c.Key), err)
	}
	return r, nil
}

// Owns reports whether the owner of a reservation is the row that is saved.
func (w Reservations) Owns(r *Reservation) bool {
	return r.Owner != nil && plan.SameKey(r.Owner, w.Key, w.Codec.Table.Key)
}

// ownReservation reads the reservation of a value that the row has. A row that owns the reservation owns it as long as it has the
// value, so only another result needs a serial read.
func (w Reservations) ownReservation(v plan.Claim) (*Reservation, error) {
	row, err := w.ReadRow(v.Table, v.Key, w.DB.Config.Consistency)
	if err != nil {
		return nil, err
	}
	if row != nil {
		if r, err := w.DecodeReservation(v, row); err != nil || w.Owns(r) {
			return r, err
		}
	}
	return w.ReadReservation(v)
}

// setReservation changes a reservation if it is still as it was read. The floor is a condition, too: an owner that has released a value
// can claim it again at version 0, and a release that was delayed since its first claim must not replace the floor by a lower one.
func (w Reservations) setReservation(r *Reservation, owner cell.Row, at, floor plan.Version) (plan.SaveOutcome, error) {
	t, n := r.Table, w.Codec.Table.Key
	if owner == nil {
		owner = make(cell.Row, n)
	}
	c := plan.Conditional{Table: t, CQL: r.Update, Row: slices.Concat(r.Key, owner, cell.Row{plan.Bigint(at), plan.Bigint(floor)})}
	c.Write = t.BeyondKey()
	for i := range n {
		x := plan.Condition{Column: t.Key + i}
		if r.Owner != nil {
			x.Value = r.Owner[i]
		}
		c.If = append(c.If, x)
	}
	for i, x := range r.was {
		c.If = append(c.If, plan.Condition{Column: t.Key + n + i, Value: x})
	}
	return w.decideReservation(&c)
}

// decideReservation sends a change of a reservation, and returns its outcome. If it is unknown, the caller reads the reservation again.
func (w Reservations) decideReservation(c *plan.Conditional) (plan.SaveOutcome, error) {
	answer, err := w.CAS(c, 1)
	switch {
	case unknownOutcome(err):
		return plan.Undecided, nil
	case err != nil || !answer.Applied:
		return plan.NotApplied, err
	}
	return plan.Applied, nil
}

// releaseCreated releases the reservations that a save has claimed and that does not commit. planned is the version of the save: the floor is
// at least that version, because the floor of a reservation that has been purged meanwhile begins at zero. A reservation that is not
// given back is in flight until the lease ends. A claim that the save has moved from version 0 is not given back: it belongs to
// a save that has found no row, which is applied if Reconcile removes the deleted row that this save has read.
func (w Reservations) releaseCreated(created []*Reservation, planned plan.Version) {
	if len(created) == 0 {
		return
	}
	late, end := w.late()
	defer end()
	late.Reservations().releaseAll(created, planned)
}

// releaseAll removes the owner of reservations, unless they have changed since they were read. The floor of each rises, so that a
// release or a claim that is late is refused. A root can have many values: one message reports all that remain.
func (w Reservations) releaseAll(all []*Reservation, version plan.Version) {
	failed := make([]error, len(all))
	w.DB.Env.RunAll(len(all), func(i int) {
		r := all[i]
		_, failed[i] = w.setReservation(r, nil, r.At, max(r.Floor+1, version))
	})
	if failed = slices.DeleteFunc(failed, func(err error) bool { return err == nil }); len(failed) > 0 {
		w.DB.Config.Logger.WarnContext(w.Ctx, "mapper: unique values are not released yet: the next save that claims one of them takes it over",
			slog.String("row", w.rowName()), slog.Int("values", len(failed)), slog.Any("error", failed[0]))
	}
}

// release removes the owner of the values that a save has dropped, unless they have been claimed since. If that fails, the
// reservation is stale, and the next save that needs the value takes it over.
func (w Reservations) release(c claims, version plan.Version) {
	var own []*Reservation
	for i := range c.dropped {
		if w.Owns(&c.dropped[i]) {
			own = append(own, &c.dropped[i])
		}
	}
	w.releaseAll(own, version)
}

// Unreserved returns the unique values of a state whose reservation does not have the row as its owner.
func (w Reservations) Unreserved(s *plan.State, consistency driver.Consistency) (out []plan.Claim, err error) {
	claims, err := w.Aggregate.Claims(s)
	if err != nil {
		return nil, err
	}
	reserved := make([]bool, len(claims))
	err = w.InParallel(len(claims), func(i int) (err error) {
		reserved[i], err = w.isReserved(claims[i], consistency)
		return err
	})
	for i, c := range claims {
		if !reserved[i] {
			out = append(out, c)
		}
	}
	return out, err
}

// Reserved reports whether Unreserved would return no values. It reads one reservation after the other, for a scan that examines several rows at the same time.
func (w Reservations) Reserved(s *plan.State, consistency driver.Consistency) (bool, error) {
	claims, err := w.Aggregate.Claims(s)
	for _, c := range claims {
		if reserved, err := w.isReserved(c, consistency); !reserved || err != nil {
			return false, err
		}
	}
	return err == nil, err
}

// isReserved reports whether the row is the owner of the reservation of a value.
func (w Reservations) isReserved(c plan.Claim, consistency driver.Consistency) (bool, error) {
	row, err := w.ReadRow(c.Table, c.Key, consistency)
	if row == nil || err != nil {
		return false, err
	}
	r, err := w.DecodeReservation(c, row)
	return err == nil && w.Owns(r), err
}

// ReleaseLeaked releases a reservation after its owner has been read at the serial consistency. It reports whether the owner does not have the
// value, and whether the reservation is released. A claim in flight ends with the lease: then the version of its
// owner is raised, so that the save that made the claim can no longer be applied. A dry run changes nothing.
func (w Reservations) ReleaseLeaked(r *Reservation, dryRun bool) (leaked, freed bool, err error) {
	since, version := w.DB.Env.Elapsed(), plan.Version(0)
	for attempt := 1; ; attempt++ {
		now, err := w.readTimedReservation(r.Claim)
		if now == nil || err != nil || !w.Owns(now) || now.At != r.At {
			return false, false, err // it has changed: a save uses it
		}
		o, err := w.ReadKeyState(w.Key, true)
		if err != nil {
			return false, false, err
		}
		if has, err := w.Holds(o, r.Claim); has || err != nil {
			return false, false, err
		}
		if attempt == 1 {
			version = o.CurrentVersion()
		}
		stale, ended := now.stale(o, version), w.leaseEnded(now, since)
		switch {
		case (stale || ended) && dryRun:
			return true, false, nil
		case stale:
			outcome, err := w.setReservation(now, nil, now.At, max(now.Floor+1, o.CurrentVersion()))
			if outcome == plan.Applied || err != nil {
				return true, err == nil, err
			}
		case ended:
			if err := w.fence(o, now); err != nil {
				return true, false, err
			}
			continue
		}
		if !w.DB.Env.Pause(w.Ctx, attempt) {
			return false, false, fmt.Errorf("%w: %w", mapper.ErrBusy, context.Cause(w.Ctx))
		}
	}
}

// RaiseFloor raises the floor of a reservation without an owner above a time.
func (w Reservations) RaiseFloor(r *Reservation, above int64) (int64, error) {
	outcome, err := w.setReservation(r, nil, r.At, above+1)
	if err == nil && outcome != plan.Applied {
		err = call.ErrChanged
	}
	return above + 1, err
}

// PurgeReservation removes a reservation without an owner that is older than a time, by its floor and by the time at which the server wrote the
// floor. It reports whether it has removed the reservation.
func (w Reservations) PurgeReservation(c plan.Claim, before int64) (bool, error) {
	r, err := w.readTimedReservation(c)
	if r == nil || err != nil || r.Owner != nil || max(r.Floor, r.At, r.floorWritten) >= before {
		return false, err
	}
	row := slices.Concat(c.Key, make(cell.Row, w.Codec.Table.Key), r.was)
	answer, err := w.CAS(plan.PlanPurgeReservation(c.Table, row), 1)
	return err == nil && answer.Applied, err
}
