package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// requests counts the requests of a store by their kind.
type requests struct{ reads, conditional, batches int }

// counter counts the requests that a store receives.
type counter struct {
	store.Store
	requests
}

func (r *counter) Apply(ctx context.Context, m []plan.Mutation, w store.Write) error {
	r.batches++
	return r.Store.Apply(ctx, m, w)
}

func (r *counter) CAS(ctx context.Context, x *plan.Conditional, w store.CAS) (store.Answer, error) {
	r.conditional++
	return r.Store.CAS(ctx, x, w)
}

func (r *counter) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	r.reads++
	return r.Store.Row(ctx, l)
}

// saved opens the table of customers on a backend, for a client whose clock differs from the true time.
func saved(t *testing.T, backend *memory.Backend, skew time.Duration) save.Versioned {
	t.Helper()
	s, err := backend.Open(t.Context(), customersSchema)
	require.NoError(t, err)
	db, err := call.OpenStore(s, mapper.Config{Now: func() time.Time { return time.Now().Add(skew) }, MaxClockSkew: -1}, customersSchema)
	require.NoError(t, err)
	return customers(db)
}

func get(t *testing.T, table save.Versioned, id int32) *customer {
	t.Helper()
	v, err := table.Get(t.Context(), customerKey(id))
	require.NoError(t, err)
	return v.(*customer)
}

// A save is refused if another save came in between, whatever the clocks of the two clients show.
func TestVersions(t *testing.T) {
	ctx := t.Context()
	backend := memory.New(memory.Config{})
	table, behind := saved(t, backend, 0), saved(t, backend, -time.Hour)
	ana := &customer{ID: 1, Name: "Ana", Version: 7}
	require.NoError(t, table.Insert(ctx, ana))
	require.NotEqual(t, int64(7), ana.Version, "a version that is set by hand is replaced")
	require.ErrorIs(t, behind.Insert(ctx, &customer{ID: 1}), mapper.ErrExists)

	read := get(t, behind, 1)
	require.Equal(t, ana.Version, read.Version)
	_, err := table.Update(ctx, func(v any) error { v.(*customer).Name += " Maria"; return nil }, customerKey(1))
	require.NoError(t, err)
	changed := *read
	changed.City = "Recife"
	require.ErrorIs(t, behind.Change(ctx, read, &changed), mapper.ErrConflict)
	require.ErrorIs(t, behind.DeleteAt(ctx, customerKey(1), read.Version), mapper.ErrConflict)

	read = get(t, behind, 1)
	changed = *read
	changed.City = "Recife"
	require.NoError(t, behind.Change(ctx, read, &changed))
	require.Greater(t, changed.Version, read.Version, "the version increases although the clock is behind")
	require.Equal(t, &changed, get(t, table, 1))
	require.NoError(t, table.DeleteAt(ctx, customerKey(1), changed.Version))
	_, err = table.Get(ctx, customerKey(1))
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.NoError(t, table.Delete(ctx, customerKey(1)), "a deleted row can be deleted again")
	require.NoError(t, table.Put(ctx, &customer{ID: 1, Name: "Bia"}), "a deleted row can be written again")
	require.Equal(t, "Bia", get(t, table, 1).Name)
}

// A unique value has one owner, until the owner gives it up.
func TestUniqueValues(t *testing.T) {
	ctx := t.Context()
	table := saved(t, memory.New(memory.Config{}), 0)
	require.NoError(t, table.Insert(ctx, &customer{ID: 1, Email: "ana@example.com"}))
	var duplicate *mapper.DuplicateError
	require.ErrorAs(t, table.Insert(ctx, &customer{ID: 2, Email: "ana@example.com"}), &duplicate)
	require.EqualError(t, duplicate, "mapper: Customer (customers id=2): Email email='ana@example.com' is taken by Customer (customers id=1)")
	require.NoError(t, table.Insert(ctx, &customer{ID: 3}), "an absent value is not claimed")
	require.NoError(t, table.Insert(ctx, &customer{ID: 4}))

	_, err := table.Update(ctx, func(v any) error { v.(*customer).Email = "ana@example.org"; return nil }, customerKey(1))
	require.NoError(t, err)
	require.NoError(t, table.Insert(ctx, &customer{ID: 2, Email: "ana@example.com"}), "the value was given up")
	require.NoError(t, table.Delete(ctx, customerKey(2)))
	require.NoError(t, table.Put(ctx, &customer{ID: 3, Email: "ana@example.com"}), "its owner was deleted")
}

// A Change with a version that the row does not have claims no unique value, so that nobody has to wait for the value until the
// row has that version.
func TestChangeOfAnotherVersionClaimsNothing(t *testing.T) {
	ctx := t.Context()
	for _, version := range []int64{1, time.Now().Add(time.Hour).UnixMicro(), math.MaxInt64} {
		table := saved(t, memory.New(memory.Config{}), 0)
		require.NoError(t, table.Insert(ctx, &customer{ID: 1}))
		for id := range int32(3) {
			old, changed := &customer{ID: id, Version: version}, &customer{ID: id, Email: fmt.Sprint(id)}
			require.ErrorIs(t, table.Change(ctx, old, changed), mapper.ErrConflict)
		}
		_, err := table.Update(ctx, func(v any) error { v.(*customer).Email = "1"; return nil }, customerKey(1))
		require.NoError(t, err)
		require.NoError(t, table.Insert(ctx, &customer{ID: 2, Email: "2"}))
		other := &customer{ID: 3, Email: "0"}
		require.NoError(t, table.Insert(ctx, other))
		require.Less(t, other.Version, time.Now().Add(time.Minute).UnixMicro(), "the version follows the clock")
	}
}

// A Change of a value to itself is refused: what it drops would not be known.
func TestChangeNeedsTwoValues(t *testing.T) {
	ctx := t.Context()
	table := saved(t, memory.New(memory.Config{}), 0)
	ana := &customer{ID: 1, Name: "Ana"}
	require.NoError(t, table.Insert(ctx, ana))
	ana.Name, ana.Email = "Bia", "e"
	require.EqualError(t, table.Change(ctx, ana, ana),
		"mapper: Change Customer (customers id=1): old and new are the same variable: change a copy of the old value")
	require.Equal(t, "Ana", get(t, table, 1).Name)
}

// The claim of a value whose outcome stays unknown is repeated with pauses until the call ends.
func TestClaimsAreRepeatedWithPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := memory.New(memory.Config{})
		table := saved(t, backend, 0)
		sent := 0
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if !r.Conditional {
				return memory.Done
			}
			sent++
			return memory.LostRequest
		})
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, table.Insert(ctx, &customer{ID: 1, Email: "e"}), context.DeadlineExceeded)
		require.Less(t, sent, 1000)
	})
}

// A reservation that another program has written, such as the function of a migration, can lack its version, or have an invalid one.
func TestReservationsOfOtherPrograms(t *testing.T) {
	ctx := t.Context()
	backend := memory.New(memory.Config{})
	table := saved(t, backend, 0)
	s, err := backend.Open(ctx, customersSchema)
	require.NoError(t, err)
	reserve := func(email string, owner, at cell.Cell) {
		t.Helper()
		m := plan.Mutation{Table: (*plan.Table)(emailTable), Row: cell.Row{cell.Cell(email), owner, at, nil}, Action: plan.Put, Write: (*plan.Table)(emailTable).BeyondKey()}
		require.NoError(t, s.Apply(ctx, []plan.Mutation{m}, store.Write{Timestamp: 1}))
	}
	reserve("free", nil, nil)
	require.NoError(t, table.Insert(ctx, &customer{ID: 1, Email: "free"}))
	owner := cell.Cell{0, 0, 0, 1}
	reserve("stale", owner, nil)
	require.NoError(t, table.Insert(ctx, &customer{ID: 2, Email: "stale"}), "customer 1 does not have it")
	reserve("own", owner, nil)
	_, err = table.Update(ctx, func(v any) error { v.(*customer).Email = "own"; return nil }, customerKey(1))
	require.NoError(t, err)
	reserve("negative", cell.Cell{0, 0, 0, 9}, plan.Bigint(-7))
	require.NoError(t, table.Insert(ctx, &customer{ID: 3, Email: "negative"}), "customer 9 has no row")
}

// An error of the function of an Update ends it, and nothing is written.
func TestUpdateOfAVersionedRootEndsWithTheError(t *testing.T) {
	ctx := t.Context()
	table := saved(t, memory.New(memory.Config{}), 0)
	require.NoError(t, table.Insert(ctx, &customer{ID: 1, Name: "Ana"}))
	stop := errors.New("stop")
	_, err := table.Update(ctx, func(v any) error { v.(*customer).Name = "Bia"; return stop }, customerKey(1))
	require.Equal(t, stop, err)
	require.Equal(t, "Ana", get(t, table, 1).Name)
	_, err = table.Update(ctx, func(v any) error { v.(*customer).ID = 2; return nil }, customerKey(1))
	require.ErrorIs(t, err, mapper.ErrKeyChanged)
	_, err = table.Update(ctx, func(any) error { return nil }, customerKey(9))
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// A call sends a conditional statement and a batch; before them one conditional statement for a new unique value, and after them one
// for a value that it drops. A Change reads the row only before it claims a value.
func TestRequestsOfSaves(t *testing.T) {
	ctx := t.Context()
	s, err := memory.New(memory.Config{}).Open(ctx, customersSchema)
	require.NoError(t, err)
	count := &counter{Store: s}
	db, err := call.OpenStore(count, mapper.Config{MaxClockSkew: -1}, customersSchema)
	require.NoError(t, err)
	table := customers(db)
	sent := func(want requests, call func() error) {
		t.Helper()
		count.requests = requests{}
		require.NoError(t, call())
		require.Equal(t, want, count.requests)
	}
	ana := &customer{ID: 1, Name: "Ana", City: "Recife"}
	sent(requests{conditional: 1, batches: 1}, func() error { return table.Insert(ctx, ana) })
	bia := *ana
	bia.Name = "Bia"
	sent(requests{conditional: 1, batches: 1}, func() error { return table.Change(ctx, ana, &bia) })
	sent(requests{reads: 1, conditional: 2, batches: 1}, func() error {
		_, err := table.Update(ctx, func(v any) error { v.(*customer).Email = "e"; return nil }, customerKey(1))
		return err
	})
	sent(requests{reads: 2, conditional: 2, batches: 1}, func() error { return table.Delete(ctx, customerKey(1)) })
	rui := &customer{ID: 2, Email: "f"}
	sent(requests{conditional: 2, batches: 1}, func() error { return table.Insert(ctx, rui) })
	eva := *rui
	eva.Email = "g"
	sent(requests{reads: 2, conditional: 3, batches: 1}, func() error { return table.Change(ctx, rui, &eva) })
}
