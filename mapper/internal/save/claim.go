package save

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// claims are the reservations of one save.
type claims struct {
	floor   plan.Version   // the greatest floor of the claimed reservations: the version of the save must be above it
	created []*Reservation // that only this call can have claimed: it gives them back if it does not commit
	dropped []Reservation  // the reservations of the values that the save drops, before the save
	unowned plan.Claims    // the values of the row, before or after the save, whose reservations it does not own, if copies are keyed by them
}

// claim claims the unique values that a save adds, and reads the reservations of the values that it drops. A row without a version has
// claimed nothing, so its save claims all its values. If claim returns an error, it has given back the claimed values.
func (w Reservations) claim(old *plan.State, save *plan.Save) (claims, error) {
	var c claims
	if len(w.Aggregate.Versioning.Uniques) == 0 {
		return c, nil
	}
	was, err := w.Aggregate.Claims(old)
	if err != nil {
		return c, err
	}
	var added plan.Claims
	for _, v := range save.Claims {
		if kept := was.Has(v) && old.CurrentVersion() != 0; !kept {
			added = append(added, v)
		}
	}
	held := was
	if w.blind && len(added) > 0 {
		if held, err = w.confirm(old.Version); err != nil {
			return c, err
		}
	}
	if c, err = w.claimAdded(added, held, old.CurrentVersion(), save.State.Version); err != nil {
		return c, err
	}
	if err = w.readOwners(&c, was, save.Claims, added); err != nil {
		w.releaseCreated(c.created, save.State.Version)
	}
	return c, err
}

// confirm reads the row before a Change claims values, and returns its unique values. It returns ErrChanged if its version is not the version
// of the old value. A claim with a greater version than the row has would hold the value until the row exceeds it, and the version can
// come from outside the program.
func (w Reservations) confirm(at plan.Version) (plan.Claims, error) {
	now, err := w.ReadState(true)
	if err == nil && (!now.Exists() || now.Version != at) {
		err = call.ErrChanged
	}
	if err != nil {
		return nil, err
	}
	return w.Aggregate.Claims(now)
}

// claimAdded claims values for a save that replaces the version at: all at the same time, and if one of them is in flight, one after the
// other in their order, so that two saves do not wait for each other. held are the values of the row, which a save never gives back. If
// claimAdded returns an error, it has given back the claimed values; planned is the version of the save.
func (w Reservations) claimAdded(values, held plan.Claims, at, planned plan.Version) (claims, error) {
	attempts := make([]*claiming, len(values))
	for i, v := range values {
		attempts[i] = &claiming{Reservations: w, value: v, at: at, joins: true, unsure: held.Has(v)}
	}
	if len(values) > 1 {
		c, all, err := w.claimTogether(attempts)
		if err == nil && all {
			return c, nil
		}
		if w.releaseCreated(c.created, planned); err != nil {
			return claims{}, err
		}
	}
	var c claims
	for _, x := range attempts {
		if err := x.run(); err != nil {
			w.releaseCreated(c.created, planned) // those before it
			return claims{}, err
		}
		c.add(x)
	}
	return c, nil
}

// claimTogether makes one attempt to claim each value, and waits for all answers. It reports whether all values are claimed, and returns
// the first error in the order of the values. Each claiming of a claimed value is reset, because the value may be given back.
func (w Reservations) claimTogether(attempts []*claiming) (c claims, all bool, err error) {
	done, errs := make([]bool, len(attempts)), make([]error, len(attempts))
	w.DB.Env.RunAll(len(attempts), func(i int) { done[i], errs[i] = attempts[i].attempt() })
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
	c.floor = max(c.floor, x.r.Floor)
	if x.created {
		c.created = append(c.created, x.r)
	}
}

// readOwners reads the reservations of the values that a save drops, and of those that it keeps if the rows of a copy have them in place of
// the root's key: such a row belongs to the owner of the reservation.
func (w Reservations) readOwners(c *claims, was, now, added plan.Claims) error {
	var values plan.Claims
	for _, v := range was {
		if !now.Has(v) || !added.Has(v) && w.Aggregate.InKeys(v) {
			values = append(values, v)
		}
	}
	found, errs := make([]*Reservation, len(values)), make([]error, len(values))
	w.DB.Env.RunAll(len(values), func(i int) {
		if v := values[i]; now.Has(v) {
			found[i], errs[i] = w.ownReservation(v)
		} else {
			found[i], errs[i] = w.ReadReservation(v)
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
		if r == nil || !w.Owns(r) {
			c.unowned = append(c.unowned, v)
		}
	}
	return nil
}

// unowned returns the values of a state whose reservations its row does not own, of those that the rows of copies have in place of the
// root's key.
func (w Reservations) unowned(s *plan.State) (out plan.Claims, err error) {
	all, err := w.Aggregate.Claims(s)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(v plan.Claim) bool { return !w.Aggregate.InKeys(v) })
	owned := make([]bool, len(all))
	err = w.InParallel(len(all), func(i int) error {
		r, err := w.ownReservation(all[i])
		owned[i] = r != nil && w.Owns(r)
		return err
	})
	for i, v := range all {
		if !owned[i] {
			out = append(out, v)
		}
	}
	return out, err
}

// claiming is the claim of one value for a save that replaces the version at.
type claiming struct {
	Reservations
	value  plan.Claim
	at     plan.Version
	joins  bool // a claim of the row at its version can belong to another save
	unsure bool // the call must not give the value back: the row has it, or a request had an unknown outcome

	r       *Reservation // the reservation that was read or, after the claim, as the claim has left it; nil: there is none
	created bool         // only this call can have claimed the value
	seen    observation
}

// ClaimValue claims a value that the row has at the version at, and returns the floor of its reservation. It returns the errors of run.
func (w Reservations) ClaimValue(v plan.Claim, at plan.Version) (plan.Version, error) {
	x := &claiming{Reservations: w, value: v, at: at, unsure: true}
	if err := x.run(); err != nil {
		return 0, err
	}
	return x.r.Floor, nil
}

// run claims the value. It returns ErrChanged if a later save of the same row has claimed the value, a *mapper.DuplicateError if another
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
		if !x.DB.Env.Pause(x.Ctx, attempt) {
			if x.r == nil { // it did not exist, or has been purged
				return fmt.Errorf("it is unknown whether a unique value is claimed: %w", context.Cause(x.Ctx))
			}
			return fmt.Errorf("%w: %w", mapper.ErrBusy, context.Cause(x.Ctx))
		}
		if x.r == nil {
			claimed, err = x.insert()
		} else {
			x.r, err = x.readTimedReservation(x.value)
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

// step takes the next step that the reservation allows, and reports whether the value is claimed. waits is false if the call
// does not wait for a claim that is in flight.
func (x *claiming) step(waits bool) (claimed bool, err error) {
	switch r := x.r; {
	case r.Owner == nil:
		return x.set(r.Floor)
	case x.Owns(r) && r.At > x.at:
		return false, call.ErrChanged
	case x.Owns(r) && r.At == x.at:
		if !x.joins {
			return true, nil
		}
		return x.join(waits)
	case x.Owns(r):
		x.unsure = x.unsure || r.At == 0 // see releaseCreated
		return x.set(r.Floor)
	}
	return x.reclaim(waits)
}

// insert claims a value that has no reservation yet. If the value has a reservation, or the outcome is unknown, insert reads the
// reservation.
func (x *claiming) insert() (claimed bool, err error) {
	row := slices.Concat(x.value.Key, x.Key, cell.Row{plan.Bigint(x.at), plan.Bigint(0)})
	answer, err := x.CAS(&plan.Conditional{Table: x.value.Table, CQL: x.value.Insert, Insert: true, Row: row}, 1)
	switch {
	case unknownOutcome(err):
		x.unsure = true
		x.r, err = x.readTimedReservation(x.value)
		return false, err
	case err != nil:
		return false, err
	case answer.Applied:
		x.claimed(0)
		return true, nil
	}
	x.r, err = x.DecodeReservation(x.value, answer.Row)
	return false, err
}

// set makes the row the owner of a reservation that has no owner, a stale owner or an older claim of the row.
func (x *claiming) set(floor plan.Version) (claimed bool, err error) {
	outcome, err := x.setReservation(x.r, x.Key, x.at, floor)
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
	x.r = &Reservation{Claim: x.value, Owner: x.Key, At: x.at, Floor: floor, was: cell.Row{plan.Bigint(x.at), plan.Bigint(floor)}}
}

// join raises the floor of a claim that another save of the row has made at the same version. That save gives the value back only with the
// floor that it knows, so after the raise the claim also belongs to this save. The raise does not change the time of the claim.
func (x *claiming) join(waits bool) (joined bool, err error) {
	if !waits { // both saves would join, and neither could give the value back
		return false, nil
	}
	raised := *x.r
	raised.Floor++
	outcome, err := x.decideReservation(plan.PlanRaise(x.r.Table, slices.Concat(x.r.Key, x.r.Owner, x.r.was), raised.Floor))
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
// proof for a claim of a save that found no row: Reconcile may remove the row, and then the save could be applied. It is proof
// if its version has been raised after version, which it had when this call first read the claim: Reconcile removes only rows
// that are older than gc_grace_seconds.
func (r *Reservation) stale(o *plan.State, version plan.Version) bool {
	return o.CurrentVersion() > r.At && (r.At > 0 || o.Exists() || o.CurrentVersion() > version)
}

// reclaim claims a value that another root has claimed but does not have. If the claim is stale, because the root has been saved
// since without the value, reclaim claims the value at once. Otherwise the claim is in flight: after the lease, reclaim raises
// the version of the root, so that the save that made the claim can no longer be applied. The claim is then stale.
func (x *claiming) reclaim(waits bool) (claimed bool, err error) {
	r := x.r
	o, err := x.ReadKeyState(r.Owner, true)
	if err != nil {
		return false, err
	}
	has, err := x.Holds(o, r.Claim)
	if err != nil {
		return false, err
	}
	if has {
		return false, x.duplicate(r)
	}
	if x.seen.owner == nil || !plan.SameKey(x.seen.owner, r.Owner, x.Codec.Table.Key) || x.seen.at != r.At {
		x.seen = observation{r.Owner, r.At, x.DB.Env.Elapsed(), o.CurrentVersion()}
	}
	if r.stale(o, x.seen.version) {
		return x.set(max(r.Floor, o.CurrentVersion()))
	}
	if !waits || !x.leaseEnded(r, x.seen.since) {
		return false, nil
	}
	return false, x.fence(o, r)
}

// leaseEnded reports whether the lease of a claim in flight has ended. It counts from the time of the claim, which the server chose, or
// from the time at which this call first read the claim, whichever ends first: so calls that are shorter than the lease can also
// take over the value.
func (w Reservations) leaseEnded(r *Reservation, since time.Duration) bool {
	if w.DB.Env.Elapsed()-since >= w.DB.Config.Lease {
		return true
	}
	age := w.DB.Config.Now().Sub(time.UnixMicro(r.written)) - max(0, w.DB.Config.MaxClockSkew)
	return r.written > 0 && age >= w.DB.Config.Lease
}

// Holds reports whether a state has a unique value.
func (w Reservations) Holds(s *plan.State, c plan.Claim) (bool, error) {
	all, err := w.Aggregate.Claims(s)
	if err != nil {
		return false, err
	}
	return all.Has(c), nil
}

// fence raises the version of the root that made a claim in flight, or inserts a deleted row if there is none. It does not matter
// whether the statement is applied: it is refused only if the row has changed, which has the same effect, or if its outbox has been
// served. In each case the caller reads the row again.
func (w Reservations) fence(o *plan.State, r *Reservation) error {
	save := plan.PlanFence(w.Aggregate, o, r.Owner, r.At, w.Options())
	if _, err := w.CAS(&save.Root, 1); !unknownOutcome(err) {
		return err
	}
	return nil
}

func (w Reservations) duplicate(r *Reservation) error {
	t := w.Codec.Table
	return &mapper.DuplicateError{Aggregate: t.Aggregate, Table: t.Name, Key: t.KeyText(w.Key), Field: r.Field, Value: r.Text(), Owner: t.KeyText(r.Owner)}
}

// unknownOutcome reports whether the outcome of a statement is unknown, or there was no connection.
func unknownOutcome(err error) bool {
	failure, failed := errors.AsType[*store.Error](err)
	return failed && !failure.Outcome.Final()
}
