package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// claims are the reservations of one save.
type claims struct {
	floor   plan.Version   // the greatest floor of the claimed reservations: the version of the save must be above it
	created []*reservation // that only this call can have claimed: it gives them back if it does not commit
	dropped []reservation  // of the values that the save drops, as they were before it
	unowned plan.Claims    // the values of the row, before or after the save, whose reservations it does not own, if copies are keyed by them
}

// claim claims the unique values that a save adds to those of the old state, and reads the reservations of those that it drops. A row without a version has
// claimed nothing, so its save claims all its values. If claim returns an error, it has given back what it has claimed.
func (w *writing) claim(old *plan.State, save *plan.Save) (claims, error) {
	var c claims
	if len(w.aggregate.Versioning.Uniques) == 0 {
		return c, nil
	}
	was, err := w.aggregate.Claims(old)
	if err != nil {
		return c, err
	}
	var added plan.Claims
	for _, v := range save.Claims {
		if kept := was.Has(v) && old.At() != 0; !kept {
			added = append(added, v)
		}
	}
	held := was
	if w.blind && len(added) > 0 {
		if held, err = w.confirm(old.Version); err != nil {
			return c, err
		}
	}
	if c, err = w.claimAdded(added, held, old.At(), save.State.Version); err != nil {
		return c, err
	}
	if err = w.readOwners(&c, was, save.Claims, added); err != nil {
		w.giveBack(c.created, save.State.Version)
	}
	return c, err
}

// confirm reads the row before a Change claims values, and returns its unique values. It returns errRefused if its version is not that of
// the old value. A claim with a greater version than the row has would hold the value until the row exceeds it, and the version can
// come from outside the program.
func (w *writing) confirm(at plan.Version) (plan.Claims, error) {
	now, err := w.read(true)
	if err == nil && (!now.Exists() || now.Version != at) {
		err = errRefused
	}
	if err != nil {
		return nil, err
	}
	return w.aggregate.Claims(now)
}

// claimAdded claims values for a save that replaces the version at: all at the same time, and if one of them is in flight, one after the
// other in their order, so that two saves do not wait for each other. held are the values of the row, which a save never gives back. If
// claimAdded returns an error, it has given back what it has claimed; planned is the version of the save.
func (w *writing) claimAdded(values, held plan.Claims, at, planned plan.Version) (claims, error) {
	attempts := make([]*claiming, len(values))
	for i, v := range values {
		attempts[i] = &claiming{writing: w, value: v, at: at, joins: true, unsure: held.Has(v)}
	}
	if len(values) > 1 {
		c, all, err := w.claimTogether(attempts)
		if err == nil && all {
			return c, nil
		}
		if w.giveBack(c.created, planned); err != nil {
			return claims{}, err
		}
	}
	var c claims
	for _, x := range attempts {
		if err := x.run(); err != nil {
			w.giveBack(c.created, planned) // those before it
			return claims{}, err
		}
		c.add(x)
	}
	return c, nil
}

// claimTogether makes one attempt to claim each value, and waits for all answers. It reports whether all values are claimed, and returns
// the first error in the order of the values. Each claiming of a claimed value is reset, because the value may be given back.
func (w *writing) claimTogether(attempts []*claiming) (c claims, all bool, err error) {
	done, errs := make([]bool, len(attempts)), make([]error, len(attempts))
	w.db.env.Together(len(attempts), func(i int) { done[i], errs[i] = attempts[i].attempt() })
	all = true
	for i, x := range attempts {
		switch {
		case errs[i] != nil:
			err = cmp.Or(err, errs[i])
		case done[i]:
			c.add(x)
			x.r, x.created = nil, false
		default:
			all = false
		}
	}
	return c, all, err
}

// add adds a claimed value.
func (c *claims) add(x *claiming) {
	c.floor = max(c.floor, x.r.floor)
	if x.created {
		c.created = append(c.created, x.r)
	}
}

// readOwners reads the reservations of the values that a save drops, and of those that it keeps if the rows of a copy have them in place of
// the root's key: such a row belongs to the owner of the reservation.
func (w *writing) readOwners(c *claims, was, now, added plan.Claims) error {
	var values plan.Claims
	for _, v := range was {
		if !now.Has(v) || !added.Has(v) && w.aggregate.InKeys(v) {
			values = append(values, v)
		}
	}
	found, errs := make([]*reservation, len(values)), make([]error, len(values))
	w.db.env.Together(len(values), func(i int) {
		if v := values[i]; now.Has(v) {
			found[i], errs[i] = w.ownReservation(v)
		} else {
			found[i], errs[i] = w.reservation(v)
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for i, v := range values {
		r := found[i]
		if r != nil && !now.Has(v) {
			c.dropped = append(c.dropped, *r)
		}
		if r == nil || !w.ownedByRow(r) {
			c.unowned = append(c.unowned, v)
		}
	}
	return nil
}

// unowned returns the values of a state whose reservations its row does not own, of those that the rows of copies have in place of the
// root's key.
func (w *writing) unowned(s *plan.State) (out plan.Claims, err error) {
	all, err := w.aggregate.Claims(s)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if !w.aggregate.InKeys(v) {
			continue
		}
		r, err := w.ownReservation(v)
		if err != nil {
			return nil, err
		}
		if r == nil || !w.ownedByRow(r) {
			out = append(out, v)
		}
	}
	return out, nil
}

// claiming is the claim of one value for a save that replaces the version at.
type claiming struct {
	*writing
	value  plan.Claim
	at     plan.Version
	joins  bool // a claim of the row at its version can be that of another save
	unsure bool // the call must not give the value back: the row has it, or a request had an unknown outcome

	r       *reservation // as it was read or, after it was claimed, as it is; nil: there is none
	created bool         // only this call can have claimed the value
	seen    observation
}

// claimValue claims a value that the row has at the version at, and returns the floor of its reservation. It returns the errors of run.
func (w *writing) claimValue(v plan.Claim, at plan.Version) (plan.Version, error) {
	x := &claiming{writing: w, value: v, at: at, unsure: true}
	if err := x.run(); err != nil {
		return 0, err
	}
	return x.r.floor, nil
}

// run claims the value. It returns errRefused if a later save of the same row has claimed the value, a *mapper.DuplicateError if another
// root has it, and mapper.ErrBusy if the time of the call ends while another claim is in flight.
func (x *claiming) run() error {
	claimed, err := false, error(nil)
	if x.r == nil {
		claimed, err = x.insert()
	}
	for attempt := 1; ; attempt++ {
		if !claimed && err == nil && x.r != nil {
			claimed, err = x.step(true)
		}
		if claimed || err != nil {
			return err
		}
		if !x.db.env.Pause(x.ctx, attempt) {
			if x.r == nil { // it did not exist, or has been purged
				return fmt.Errorf("it is unknown whether a unique value is claimed: %w", context.Cause(x.ctx))
			}
			return fmt.Errorf("%w: %w", mapper.ErrBusy, context.Cause(x.ctx))
		}
		if x.r == nil {
			claimed, err = x.insert()
		} else {
			x.r, err = x.timedReservation(x.value)
		}
	}
}

// attempt makes one attempt to claim the value. It reports whether the value is claimed; it is not if another claim is in flight.
func (x *claiming) attempt() (claimed bool, err error) {
	if claimed, err = x.insert(); claimed || err != nil || x.r == nil {
		return claimed, err
	}
	return x.step(false)
}

// step does what the reservation allows, and reports whether the value is claimed. waits is false if the call does not wait for a claim
// that is in flight.
func (x *claiming) step(waits bool) (claimed bool, err error) {
	switch r := x.r; {
	case r.owner == nil:
		return x.set(r.floor)
	case x.ownedByRow(r) && r.at > x.at:
		return false, errRefused
	case x.ownedByRow(r) && r.at == x.at:
		if !x.joins {
			return true, nil
		}
		return x.join(waits)
	case x.ownedByRow(r):
		x.unsure = x.unsure || r.at == 0 // see giveBack
		return x.set(r.floor)
	}
	return x.takeOver(waits)
}

// insert claims a value that has no reservation yet. If the value has a reservation, or the outcome is unknown, insert reads the
// reservation.
func (x *claiming) insert() (claimed bool, err error) {
	row := slices.Concat(x.value.Key, x.key, cell.Row{plan.Bigint(x.at), plan.Bigint(0)})
	answer, err := x.cas(&plan.Conditional{Table: x.value.Table, CQL: x.value.Insert, Insert: true, Row: row}, 1)
	switch {
	case unknownOutcome(err):
		x.unsure = true
		x.r, err = x.timedReservation(x.value)
		return false, err
	case err != nil:
		return false, err
	case answer.Applied:
		x.claimed(0)
		return true, nil
	}
	x.r, err = x.reservationOf(x.value, answer.Row)
	return false, err
}

// set makes the row the owner of a reservation that has no owner, a stale owner or an older claim of the row.
func (x *claiming) set(floor plan.Version) (claimed bool, err error) {
	outcome, err := x.setReservation(x.r, x.key, x.at, floor)
	if !x.unsure {
		x.unsure = outcome == plan.Undecided
	}
	if outcome != plan.Applied || err != nil {
		return false, err
	}
	x.claimed(floor)
	return true, nil
}

// claimed sets the reservation as it is after the claim.
func (x *claiming) claimed(floor plan.Version) {
	x.created = !x.unsure
	x.r = &reservation{Claim: x.value, owner: x.key, at: x.at, floor: floor, was: cell.Row{plan.Bigint(x.at), plan.Bigint(floor)}}
}

// join raises the floor of a claim that another save of the row has made at the same version. That save gives the value back only with the
// floor that it knows, so after the raise the claim is also that of this save. The raise does not change the time of the claim.
func (x *claiming) join(waits bool) (joined bool, err error) {
	if !waits { // both saves would join, and neither could give the value back
		return false, nil
	}
	raised := *x.r
	raised.floor++
	outcome, err := x.decideReservation(plan.PlanRaise(x.r.Table, slices.Concat(x.r.Key, x.r.owner, x.r.was), raised.floor))
	if joined = outcome == plan.Applied; joined {
		x.r = &raised
	}
	return joined, err
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
func (x *claiming) takeOver(waits bool) (claimed bool, err error) {
	r := x.r
	o, err := x.readRow(r.owner, true)
	if err != nil {
		return false, err
	}
	has, err := x.has(o, r.Claim)
	if err != nil {
		return false, err
	}
	if has {
		return false, x.duplicate(r)
	}
	if x.seen.owner == nil || !plan.SameKey(x.seen.owner, r.owner, x.c.Table.Key) || x.seen.at != r.at {
		x.seen = observation{r.owner, r.at, x.db.env.Since(), o.At()}
	}
	if r.stale(o, x.seen.version) {
		return x.set(max(r.floor, o.At()))
	}
	if !waits || !x.leaseEnded(r, x.seen.since) {
		return false, nil
	}
	return false, x.fence(o, r)
}

// leaseEnded reports whether the lease of a claim in flight has ended. It counts from the time of the claim, which the server chose, or
// from the time at which this call first read the claim, whichever ends first: so calls that are shorter than the lease can also
// take over the value.
func (w *writing) leaseEnded(r *reservation, since time.Duration) bool {
	if w.db.env.Since()-since >= w.db.config.Lease {
		return true
	}
	age := w.db.config.Now().Sub(time.UnixMicro(r.written)) - max(0, w.db.config.MaxClockSkew)
	return r.written > 0 && age >= w.db.config.Lease
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

// unknownOutcome reports whether the outcome of a statement is unknown, or it could not be sent.
func unknownOutcome(err error) bool {
	failure, failed := errors.AsType[*store.Error](err)
	return failed && failure.Outcome != store.Refused
}
