package simulation

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// conditional sets the outcome of all conditional requests on a table.
func conditional(backend *memory.Backend, table string, end memory.Outcome) {
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional && slices.Contains(r.Tables, table) {
			return end
		}
		return memory.Done
	})
}

// The floor of a claim that a save gives back because its last request was refused is at least the version of the save.
func TestFloorOfARefusedSaveIsItsVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		conditional(backend, rootOfGarage, memory.Refused)
		require.Error(t, s.Insert(t.Context(), signUp(1, "e", "")))
		backend.Intercept(nil)
		owned, floor := readReservation(t, backend, "e")
		require.False(t, owned)
		require.GreaterOrEqual(t, floor, time.Now().Add(-time.Minute).UnixMicro())
	})
}

// A save that cannot read the reservation of a value that it drops gives back the value that it has claimed.
func TestSaveThatCannotReadWhatItDropsGivesBackItsClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		require.NoError(t, s.Insert(ctx, signUp(1, "old", "")))
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if !r.Write && slices.Contains(r.Tables, emailOfGarage) {
				return memory.Refused
			}
			return memory.Done
		})
		require.Error(t, s.Put(ctx, signUp(1, "new", "")))
		backend.Intercept(nil)
		owned, _ := readReservation(t, backend, "new")
		require.False(t, owned)
	})
}

// A claim that a save has moved from an earlier version of its row is given back like one that it has created.
func TestMovedClaimsAreGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		require.NoError(t, s.Insert(ctx, signUp(9, "", "taken")))
		require.NoError(t, s.Insert(ctx, signUp(1, "", "")))
		conditional(backend, rootOfGarage, memory.LostRequest)
		ended, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		require.Error(t, s.Put(ended, signUp(1, "e", "")))
		backend.Intercept(nil)
		_, err := s.Update(ctx, 1, func(c *garage.Customer) error { c.Name = "Ana"; return nil })
		require.NoError(t, err)
		owned, _ := readReservation(t, backend, "e")
		require.True(t, owned, "by the version that the row has had")
		require.True(t, isDuplicate(s.Put(ctx, signUp(1, "e", "taken"))))
		owned, _ = readReservation(t, backend, "e")
		require.False(t, owned)
	})
}

// A save whose request is lost, and that another save of the row has made impossible, gives back its claims.
func TestOvertakenSavesGiveBackTheirClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		ana := signUp(1, "", "")
		require.NoError(t, s.Insert(ctx, ana))
		interceptOnce(backend, rootOfGarage, 1, func() memory.Outcome {
			_, err := s.Update(ctx, 1, func(c *garage.Customer) error { c.Name = "Ana"; return nil })
			require.NoError(t, err)
			return memory.LostRequest
		})
		changed := signUp(1, "e", "")
		changed.Version = ana.Version
		require.ErrorIs(t, s.Put(ctx, changed), mapper.ErrConflict)
		backend.Intercept(nil)
		owned, _ := readReservation(t, backend, "e")
		require.False(t, owned)
	})
}

// A save that was never sent, because there is no connection until the call ends, gives back its claims.
func TestSavesThatAreNotSentGiveBackTheirClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		conditional(backend, rootOfGarage, memory.NotSent)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		require.Error(t, s.Insert(ctx, signUp(1, "e", "")))
		backend.Intercept(nil)
		owned, _ := readReservation(t, backend, "e")
		require.False(t, owned)
	})
}

// unsendable is a backend whose driver cannot send the conditional statements of a table.
type unsendable struct {
	*memory.Backend
	table string
}

func (u unsendable) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	s, err := u.Backend.Open(ctx, schema)
	return unsendableStore{s, u.table}, err
}

type unsendableStore struct {
	store.Store
	table string
}

func (u unsendableStore) CAS(ctx context.Context, c *plan.Conditional, o store.CAS) (store.Answer, error) {
	if c.Table.Name == u.table {
		return store.Answer{}, &store.Error{Outcome: store.Unsendable, Err: gocql.MarshalError("no such type")}
	}
	return u.Store.CAS(ctx, c, o)
}

// A save that can never be sent ends at once, and gives back its claims.
func TestSavesThatCannotBeSentGiveBackTheirClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend, began := memory.New(memory.Config{}), time.Now()
		s, err := garage.OpenBackend(t.Context(), unsendable{backend, rootOfGarage}, mapper.Config{Logger: discardLogger})
		require.NoError(t, err)
		err = s.Customers.Insert(t.Context(), signUp(1, "e", ""))
		require.ErrorContains(t, err, "no such type")
		require.NotErrorAs(t, err, new(*mapper.UnknownOutcomeError))
		require.Equal(t, began, time.Now())
		owned, _ := readReservation(t, backend, "e")
		require.False(t, owned)
	})
}

// failing encodes customers with the result of a method that panics when it is called for the n-th time.
type failing struct {
	customerCodec
	n *int
}

func (f failing) ComputeAny(e *cell.Encoder, _ any) {
	if *f.n--; *f.n == 0 {
		panic("the method failed")
	}
	e.Text("result")
}

// A save whose second plan, above the floor of a value, fails because of a method gives back its claims.
func TestSaveThatCannotBePlannedAgainGivesBackItsClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		ahead := saved(t, backend, time.Hour)
		require.NoError(t, ahead.Insert(ctx, &customer{ID: 2, Email: "e"}))
		require.NoError(t, ahead.Delete(ctx, customerKey(2)))
		_, before := readReservation(t, backend, "e")

		root, versioning, schema := *customersTable, *customersAggregate.Aggregate.Versioning, *customersSchema
		root.Computed = []string{"Result"}
		versioning.Done = nil
		a := plan.Link(descriptor.Aggregate{Root: &root, Versioning: &versioning})
		schema.Tables, schema.Aggregates = slices.Clone(schema.Tables), []*descriptor.Aggregate{a.Aggregate}
		schema.Tables[0] = &root
		db, err := call.OpenBackend(ctx, backend, &schema, mapper.Config{Logger: discardLogger, MaxClockSkew: -1})
		require.NoError(t, err)
		calls := 2
		table := save.NewVersioned(call.NewReader(db, new(call.Codec).Start((*plan.Table)(&root), failing{n: &calls}, nil, true)), a)
		require.ErrorContains(t, table.Insert(ctx, &customer{ID: 1, Email: "e"}), "the method failed")
		require.Zero(t, calls, "calls of the method")
		owned, floor := readReservation(t, backend, "e")
		require.False(t, owned)
		require.Greater(t, floor, before)
	})
}

// A save raises the floor of a claim of its row only from the floor that it has read: a lower floor would accept a give-back that is late.
func TestAClaimIsRaisedFromTheFloorThatWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDrifted(t)
		claim := func(floor int64) {
			d.write((*plan.Table)(emailTable), plan.Put, time.UnixMicro(floor), "e", id1, string(plan.Bigint(0)), string(plan.Bigint(floor)))
		}
		claim(5_000)
		interceptOnce(d.backend, emailTable.Name, 2, func() memory.Outcome { // after the INSERT that reads the claim
			claim(100_000)
			return memory.Done
		})
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Email: "e"}))
		d.backend.Intercept(nil)
		owned, floor := readReservation(t, d.backend, "e")
		require.True(t, owned)
		require.EqualValues(t, 100_001, floor)
	})
}

// lost loses the first conditional request on a table.
func (d *drifted) lost(table string) {
	interceptOnce(d.backend, table, 1, func() memory.Outcome { return memory.LostRequest })
}

// Reconcile repeats a release whose outcome is unknown.
func TestReconcileRepeatsAReleaseOfUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1}))
		d.write((*plan.Table)(emailTable), plan.Put, d.now, "z", id1, string(plan.Bigint(1)), string(plan.Bigint(1)))
		d.lost(emailTable.Name)
		_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{}, d.table.Root)
		require.NoError(t, err)
		d.backend.Intercept(nil)
		owned, _ := readReservation(t, d.backend, "z")
		require.False(t, owned)
	})
}

// Reconcile raises a floor again if it does not know whether it is raised, before it deletes a row of a copy above the floor.
func TestReconcileRepeatsARaiseOfUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1}))
		d.now = d.now.Add(time.Hour)
		wrote := d.now.Add(-time.Minute)
		floor := string(plan.Bigint(wrote.Add(-time.Hour).UnixMicro()))
		d.write((*plan.Table)(emailTable), plan.Put, d.now, "z", "", floor, floor)
		d.write((*plan.Table)(byEmailTable), plan.Put, wrote, "z", id1, "Ana")
		d.lost(emailTable.Name)
		_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{}, d.table.Root)
		require.NoError(t, err)
		d.backend.Intercept(nil)
		require.Zero(t, d.rows((*plan.Table)(byEmailTable)))
		_, raised := readReservation(t, d.backend, "z")
		require.Greater(t, raised, wrote.UnixMicro(), "the floor is above the time of the deletion")
	})
}

// The version of a save is at least 2 above the greatest floor of its values: a save that joins a claim raises the floor by 1.
func TestVersionsAreTwoAboveTheFloor(t *testing.T) {
	const floor = 1_000_000
	for _, now := range []int64{0, floor, floor + 1, floor + 2} {
		s := plan.PlanFence(customersAggregate, nil, cell.Row{cell.Cell(id1)}, floor, plan.SaveOptions{Now: now})
		require.EqualValues(t, floor+2, s.State.Version)
	}
	for above, want := range map[plan.Version]bool{0: false, 1: false, 2: true} {
		s := plan.Save{State: plan.State{Version: floor + above}}
		require.Equal(t, want, s.ExceedsFloor(floor))
	}
}

// The version of a save is above the floors of all its values, not only of the last.
func TestVersionsAreAboveTheFloorsOfAllValues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		ahead := openGarage(t, backend, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(time.Hour) }})
		require.NoError(t, ahead.Insert(ctx, signUp(9, "e", "")))
		require.NoError(t, ahead.Delete(ctx, 9))
		_, floor := readReservation(t, backend, "e")
		ana := signUp(1, "e", "l")
		require.NoError(t, openGarage(t, backend, mapper.Config{}).Insert(ctx, ana))
		require.Greater(t, ana.Version, floor)
	})
}
