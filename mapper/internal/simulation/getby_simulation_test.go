package simulation

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// TestGetBySchedules runs clients that change customers, as TestSchedules does, with clients that read customers by their unique values.
// In every schedule, a read returns a customer that had the value at some time during the read, and mapper.ErrNotFound only if there was a
// time during the read at which no customer had it. So a save that has returned is found, unless another save has changed the value.
func TestGetBySchedules(t *testing.T) {
	simulate(t, 3, func(w *world) {
		readerWorld{customerWorld{w, []int{60, 90}[w.rng.IntN(2)], []int{0, 60}[w.rng.IntN(2)]}, new([]*getBy)}.play()
	})
}

// readerWorld is a world in which clients change customers, and others read them by their unique values.
type readerWorld struct {
	customerWorld
	reads *[]*getBy // those that have not ended
}

// getBy is a read by unique values: the columns and the values, and the customers that have had them since it began.
type getBy struct {
	columns []string
	values  []string
	owners  []int32 // noOwner for a time at which no customer had them
}

const noOwner = -1

func (w readerWorld) play() {
	w.applied = func(a *plan.Aggregate, before, after *plan.State) {
		w.checkSave(a, before, after)
		for _, g := range *w.reads {
			w.observe(a, g)
		}
	}
	for i := range 3 + w.rng.IntN(3) {
		c := &customerClient{client: w.client(), world: w.customerWorld, known: map[int32]*garage.Customer{}}
		s, err := garage.OpenBackend(w.t.Context(), c.client, c.config(50<<10))
		require.NoError(w.t, err)
		c.table = s.Customers
		if i < 2 {
			w.start(c.client, c.call)
			continue
		}
		c.table = s.With(mapper.Options{Serial: w.chance(50)}).Customers
		w.start(c.client, func(x *invocation) { w.read(c, x) })
	}
	w.run()
}

// observe adds the customer that has the values of a read.
func (w readerWorld) observe(a *plan.Aggregate, g *getBy) {
	owner := int32(noOwner)
	for id := range int32(customerIDs) {
		if s := w.stateOf(a, idKey(id)); s.Exists() && hasValues(named{a.Root, s.Row}.cells(g.columns...), g.values) {
			owner = id
		}
	}
	g.owners = append(g.owners, owner)
}

func hasValues(row cell.Row, values []string) bool {
	for i, v := range values {
		if row[i] == nil || string(row[i]) != v {
			return false
		}
	}
	return true
}

// read makes a call that reads by a unique value, or by a group of them.
func (w readerWorld) read(c *customerClient, x *invocation) {
	g := &getBy{columns: []string{"email"}, values: []string{*c.some("e")}}
	if w.licence > 0 && w.chance(50) {
		g = &getBy{columns: []string{"country", "licence"}, values: []string{*c.some("n"), *c.some("l")}}
	}
	w.observe(w.aggregate(w.table("customers")), g)
	*w.reads = append(*w.reads, g)
	v, ctx := (*garage.Customer)(nil), context.Background()
	if x.op = "GetByEmail"; len(g.values) == 1 {
		v, x.err = c.table.GetByEmail(ctx, g.values[0])
	} else {
		x.op = "GetByLicence"
		v, x.err = c.table.GetByLicence(ctx, g.values[0], g.values[1])
	}
	*w.reads = slices.DeleteFunc(*w.reads, func(o *getBy) bool { return o == g })
	w.checkResult(x, g, v)
}

// checkResult compares the result of a read with what it can be.
func (w readerWorld) checkResult(x *invocation, g *getBy, v *garage.Customer) {
	switch {
	case errors.Is(x.err, mapper.ErrNotFound):
		if !slices.Contains(g.owners, noOwner) {
			w.failf("%s: %s of %v found nothing, but %v had it", x.label, x.op, g.values, g.owners)
		}
	case x.err != nil:
		if !readTimedOut(x.err) && !errors.Is(x.err, errDead) {
			w.failf("%s: %v", x.label, x.err)
		}
	case !slices.Contains(g.owners, v.ID):
		w.failf("%s: %s of %v returned %d, but %v had it", x.label, x.op, g.values, v.ID, g.owners)
	case x.op == "GetByEmail" && (v.Email == nil || *v.Email != g.values[0]):
		w.failf("%s: the customer %d has the e-mail %v, not %v", x.label, v.ID, v.Email, g.values)
	}
}
