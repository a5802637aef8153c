package simulation

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/release/first"
	"github.com/cassaml/cassaml/integration/models/release/second"
	"github.com/cassaml/cassaml/integration/models/release/third"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// TestReleaseSchedules runs three releases of a program on one database, with the faults of TestSchedules. The first one has plain roots, and
// ends. Clients of the second one, which has versions and a unique value, save roots beside clients that assign versions, end early
// and continue. Then clients of the third one, which has one more column and one more copy, run beside clients of the second one, and backfill the copy.
// In every schedule, the saves are linearizable, a unique value has one owner, and a client of the second release does not change the column
// that it does not know. Each row gets a version, and its unique value is reserved. At the end one run of Reconcile of the third release,
// or Reconcile of each person with the values that clients have given, leaves the copies and reservations that follow from the roots.
func TestReleaseSchedules(t *testing.T) {
	simulate(t, 10, func(w *world) {
		r := newReleaseWorld(w)
		r.plain()
		r.pass()
		r.assigning()
		if w.fault == "" {
			r.checkAssigned()
			r.both()
		}
		if w.fault == "" {
			r.finish()
		}
	})
}

// releaseWorld is a world in which several releases of a program change people.
type releaseWorld struct {
	*rootWorld
	older map[*invocation]bool      // the calls of the second release
	given map[int32][]*third.Person // the values that clients have tried to write
}

const people = 3

func newReleaseWorld(w *world) *releaseWorld {
	r := &releaseWorld{&rootWorld{world: w, table: "people", ids: people, lookups: map[*lookup]bool{}}, map[*invocation]bool{}, map[int32][]*third.Person{}}
	r.values = func(n named) (out []string) {
		if v := n.cell("email"); v != nil {
			out = append(out, string(v))
		}
		return out
	}
	r.assigns = true
	w.applied = func(a *plan.Aggregate, before, after *plan.State) {
		if r.assigned(before, after) { // a version above the floor of a claimed value, or the first one
			return
		}
		if r.checkSave(a, before, after); after != nil && len(after.Attempts) > 0 && r.older[w.saves[lastAttempt(after)]] {
			r.checkPhone(a, before, after)
		}
	}
	r.third(w.observer()) // has all columns
	return r
}

// assigned reports whether a row without a version got one without another change.
func (r *releaseWorld) assigned(before, after *plan.State) bool {
	return before != nil && after != nil && before.Version == 0 && len(after.Attempts) == 0
}

// checkPhone requires that a save of the second release has not changed the telephone.
func (r *releaseWorld) checkPhone(a *plan.Aggregate, before, after *plan.State) {
	var was cell.Cell
	if before != nil {
		was = named{a.Root, before.Row}.cell("phone")
	}
	if is := (named{a.Root, after.Row}).cell("phone"); string(was) != string(is) || (was == nil) != (is == nil) {
		r.failf("a save of the second release has changed the telephone %q to %q", was, is)
	}
}

func (r *releaseWorld) second(c *client) *second.Store {
	s, err := second.OpenBackend(r.t.Context(), c, c.config([]int{200, 50 << 10}[r.rng.IntN(2)]))
	require.NoError(r.t, err)
	return s
}

func (r *releaseWorld) third(c *client) *third.Store {
	s, err := third.OpenBackend(r.t.Context(), c, c.config([]int{200, 50 << 10}[r.rng.IntN(2)]))
	require.NoError(r.t, err)
	return s
}

// plain writes people as the first release does. No two people have the same e-mail.
func (r *releaseWorld) plain() {
	c := r.observer()
	s, err := first.OpenBackend(r.t.Context(), c, c.config(0))
	require.NoError(r.t, err)
	for id := range int32(people) {
		if !r.chance(75) {
			continue
		}
		v := &first.Person{ID: id, Name: "plain", City: *c.some("x")}
		if r.chance(70) {
			v.Email = new(fmt.Sprint("e", id))
		}
		require.NoError(r.t, s.People.Insert(r.t.Context(), v))
		r.given[id] = append(r.given[id], &third.Person{ID: id, Name: v.Name, City: v.City, Email: v.Email})
		if r.chance(30) {
			c.skew = int64(r.rng.IntN(2*maxSkew)) - maxSkew
			changed := *v
			changed.City = *c.some("x")
			require.NoError(r.t, s.People.Change(r.t.Context(), v, &changed))
		}
	}
}

// some returns one of the values with a prefix.
func (c *client) some(prefix string) *string {
	for {
		if v := c.pick(prefix); v != nil {
			return v
		}
	}
}

// assigning runs clients of the second release, and clients that assign versions.
func (r *releaseWorld) assigning() {
	from := ""
	for range 1 + r.rng.IntN(2) {
		r.startSecond(0, func(x *invocation) string { return fmt.Sprint("e", x.id) }) // a person without a claim is not found
	}
	for range 1 + r.rng.IntN(2) {
		c := r.client()
		r.second(c)
		r.start(c, func(x *invocation) {
			x.op, x.err = "AssignVersions", r.assign(c, &from)
		})
	}
	r.run()
}

// assign assigns versions after a checkpoint. Some calls end early.
func (r *releaseWorld) assign(c *client, from *string) error {
	db, err := call.OpenBackend(r.t.Context(), c, c.schema, c.config(0))
	require.NoError(r.t, err)
	a := plan.Link(*c.schema.Aggregates[0])
	codec := new(call.Codec).Start(a.Root, nil, nil, false)
	config := scan.FillConfig{PageSize: 1 + c.rng.IntN(2)}
	err = save.NewVersioned(call.NewReader(db, codec), a).AssignVersions(context.Background(), config, *from, func(next string) error {
		if *from = next; !c.calm && c.chance(10) {
			return errInterrupted
		}
		return nil
	})
	if err == nil {
		*from = ""
	}
	return err
}

// checkAssigned assigns versions once more, when no version is ahead of the clock, and requires that each person has one, and owns the
// e-mail.
func (r *releaseWorld) checkAssigned() {
	r.land()
	r.now += 2 * maxSkew
	c, from := r.observer(), ""
	r.second(c)
	if err := r.assign(c, &from); err != nil {
		r.failf("assign versions: %v", err)
	}
	owned := r.reservations()
	for _, p := range r.rows("people") {
		if p.cell("version") == nil {
			r.failf("a person has no version: %s", rowText(p.row))
		}
		if email := p.cell("email"); email != nil && !slices.Contains(owned, "people__email_unique"+rowText(cell.Row{email, p.cell("id")})) {
			r.failf("the e-mail %s is not reserved: %v", email, owned)
		}
	}
}

// startSecond starts a client of the second release. reads is how many of 100 calls are reads.
func (r *releaseWorld) startSecond(reads int, email func(*invocation) string) {
	c := r.client()
	s := r.second(c)
	writer := &rootClient[second.Person]{client: c, w: r.rootWorld, table: s.People, known: map[int32]*second.Person{}}
	writer.fresh = func(id int32) second.Person { return second.Person{ID: id} }
	writer.version = func(v *second.Person) int64 { return v.Version }
	writer.change = func(x *invocation, v *second.Person) {
		v.Name, v.City, v.Email = v.Name+"+"+x.label, *c.some("x"), changedEmail(c, v.Email, email(x))
		r.given[v.ID] = append(r.given[v.ID], &third.Person{ID: v.ID, Name: v.Name, City: v.City, Email: v.Email})
	}
	r.start(c, func(x *invocation) {
		r.older[x] = true
		if c.chance(reads) {
			r.findEmail(c, x, s.With(mapper.Options{Serial: c.chance(50)}).People.GetByEmail)
			return
		}
		writer.call(x)
	})
}

// changedEmail returns the e-mail as it was, another one, or none.
func changedEmail(c *client, was *string, email string) *string {
	switch c.rng.IntN(3) {
	case 0:
		return was
	case 1:
		return nil
	}
	return &email
}

// findEmail reads a person by an e-mail.
func (r *releaseWorld) findEmail(c *client, x *invocation, get func(context.Context, string) (*second.Person, error)) {
	email := fmt.Sprint("e", c.rng.IntN(people))
	x.op = "GetByEmail"
	r.find(x, email, func() (int32, error) {
		v, err := get(context.Background(), email)
		if err != nil {
			return noOwner, err
		}
		return v.ID, nil
	})
}

// both runs clients of the second and third release.
func (r *releaseWorld) both() {
	emails := func(c *client) func(*invocation) string {
		return func(*invocation) string { return fmt.Sprint("e", c.rng.IntN(people)) }
	}
	for range 1 + r.rng.IntN(2) {
		r.startSecond(20, emails(r.observer()))
	}
	for range 1 + r.rng.IntN(2) {
		r.startThird()
	}
	r.run()
}

// startThird starts a client of the third release, which also fills the new copy and reconciles the tables.
func (r *releaseWorld) startThird() {
	c := r.client()
	s := r.third(c)
	writer := &rootClient[third.Person]{client: c, w: r.rootWorld, table: s.People, known: map[int32]*third.Person{}}
	writer.fresh = func(id int32) third.Person { return third.Person{ID: id} }
	writer.version = func(v *third.Person) int64 { return v.Version }
	writer.change = func(x *invocation, v *third.Person) {
		v.Name, v.City, v.Phone = v.Name+"+"+x.label, *c.some("x"), c.pick("t")
		v.Email = changedEmail(c, v.Email, fmt.Sprint("e", c.rng.IntN(people)))
		given := *v
		r.given[v.ID] = append(r.given[v.ID], &given)
	}
	from := map[string]string{}
	r.start(c, func(x *invocation) {
		switch n := c.rng.IntN(20); {
		case n < 14:
			writer.call(x)
		case n < 18:
			x.op, x.err = "Fill", r.fillTable(c, r.world.table("people"), "people_by_phone", from)
		default:
			x.op = "Reconcile"
			_, x.err = s.Reconcile(context.Background(), r.reconcileConfig("people", nil))
		}
	})
}

// finish compares the tables after a run of Reconcile of the third release.
func (r *releaseWorld) finish() {
	r.checkResults()
	r.land()
	r.now += 2*maxSkew + int64(r.rng.IntN(1_000_000))
	s := r.third(r.observer())
	if r.chance(50) {
		for id := range int32(people) {
			if _, err := s.People.Reconcile(r.t.Context(), id, mapper.ReconcileConfig{}, r.given[id]...); err != nil {
				r.failf("reconcile %d: %v", id, err)
			}
		}
	} else if report, err := s.Reconcile(r.t.Context(), r.reconcileConfig("people", nil)); err != nil || !report.Clean() {
		r.failf("reconcile: %+v, %v", report, err)
	}
	want := projections{}
	var reservations []string
	for _, p := range r.rows("people") {
		want.one("people_by_city", p, true, "city", "id", "name")
		want.one("people_by_email", p, p.cell("email") != nil, "email", "id", "name")
		want.one("people_by_phone", p, p.cell("phone") != nil, "phone", "id", "name")
		if p.cell("email") != nil {
			reservations = append(reservations, "people__email_unique"+rowText(p.cells("email", "id")))
		}
	}
	r.compare(want, "people_by_city", "people_by_email", "people_by_phone")
	slices.Sort(reservations)
	if got := r.reservations(); !slices.Equal(got, reservations) {
		r.failf("the reservations are %v, not %v", got, reservations)
	}
}
