package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/stock"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// inTime is a database in memory whose clock the test sets.
type inTime struct {
	*testing.T
	now     time.Time
	backend *memory.Backend
}

func newInTime(t *testing.T) *inTime {
	x := &inTime{T: t, now: time.Unix(1_800_000_000, 0)}
	x.backend = memory.New(memory.Config{Now: func() time.Time { return x.now }})
	return x
}

// client returns a store whose clock is ahead.
func (x *inTime) client(ahead time.Duration) *workshop.Store {
	x.Helper()
	config := mapper.Config{Now: func() time.Time { return x.now.Add(ahead) }, MaxClockSkew: -1}
	s, err := workshop.OpenBackend(x.Context(), x.backend, config)
	require.NoError(x, err)
	return s
}

// after runs Reconcile after some time and returns what it finds.
func (x *inTime) after(d time.Duration) []string {
	x.Helper()
	x.now = x.now.Add(d)
	_, found := reconcile(x.T, x.client(0), false)
	return found
}

// A row that a client with a clock ahead has deleted stays hidden until a run whose repairs are later than the deletion.
func TestReconcileLeavesHiddenRows(t *testing.T) {
	t.Parallel()
	x := newInTime(t)
	store := x.client(0)
	one, other := lent(1, jack), lent(2)
	storetest.InsertJobs(t, store, one, other)
	require.NoError(t, x.client(time.Hour).Jobs.Change(t.Context(), one, storetest.Changed(one, func(j *workshop.Job) { j.Tools = nil })))
	storetest.UpdateJob(t, store, other, func(j *workshop.Job) { j.Tools = []workshop.Tool{jack} })
	require.Empty(t, holder(t, store, jack))
	require.Equal(t, []string{"hidden tools_by_serial left"}, x.after(20*time.Minute))
	require.Equal(t, []string{"hidden tools_by_serial left"}, x.after(20*time.Minute))
	require.Equal(t, []string{"missing tools_by_serial"}, x.after(40*time.Minute))
	require.Equal(t, other.Title, holder(t, store, jack))
	require.Empty(t, x.after(0))
}

// Of two jobs that claim one tool, the one that wrote last has the row. When it releases the tool, the row of the other one is missing
// until the next run.
func TestReconcileLeavesTwoOwners(t *testing.T) {
	t.Parallel()
	x := newInTime(t)
	store := x.client(0)
	one, other := lent(1, jack), lent(2, jack)
	storetest.InsertJobs(t, store, one, other)
	for range 2 {
		require.Equal(t, []string{"two owners tools_by_serial left"}, x.after(20*time.Minute))
		require.Equal(t, other.Title, holder(t, store, jack))
	}
	storetest.UpdateJob(t, store, other, func(j *workshop.Job) { j.Tools = nil })
	require.Empty(t, holder(t, store, jack))
	require.Equal(t, []string{"missing tools_by_serial"}, x.after(20*time.Minute))
	require.Equal(t, one.Title, holder(t, store, jack))
	require.Empty(t, x.after(0))
}

// A job of which a delete and an overlapping change have left a part violates the model. Its copies are not changed until it
// is written or deleted.
func TestReconcileLeavesUnprojectableRoots(t *testing.T) {
	t.Parallel()
	for _, heal := range []func(*workshop.Store, *workshop.Job) error{
		func(s *workshop.Store, j *workshop.Job) error { return s.Jobs.Put(t.Context(), j) },
		func(s *workshop.Store, j *workshop.Job) error { return storetest.DeleteJob(t.Context(), s, j) },
	} {
		x := newInTime(t)
		store := x.client(0)
		j := storetest.Brakes()
		storetest.InsertJobs(t, store, j)
		require.NoError(t, storetest.DeleteJob(t.Context(), x.client(10*time.Microsecond), j))
		changed := storetest.Changed(j, func(j *workshop.Job) { j.Level = new(int32(4)) })
		require.NoError(t, x.client(20*time.Microsecond).Jobs.Change(t.Context(), j, changed))
		before, err := x.backend.Cells("jobs_by_title")
		require.NoError(t, err)
		require.Equal(t, []string{"unprojectable jobs left"}, x.after(20*time.Minute))
		after, err := x.backend.Cells("jobs_by_title")
		require.NoError(t, err)
		require.Equal(t, before, after)
		require.NotEmpty(t, after)
		require.NoError(t, heal(store, j))
		found := x.after(20 * time.Minute)
		require.NotContains(t, found, "unprojectable jobs left")
		require.Empty(t, x.after(0), "%s", found)
	}
}

// A deletion by Reconcile hides the rows of an import with an earlier timestamp until another run.
func TestReconcileLeavesOldImports(t *testing.T) {
	t.Parallel()
	x := newInTime(t)
	store := x.client(0)
	one, other := lent(1), lent(2, jack)
	storetest.InsertJobs(t, store, one)
	with := func(serial string) *workshop.Job {
		return storetest.Changed(one, func(j *workshop.Job) { j.Tools = []workshop.Tool{{Serial: serial, Bought: jack.Bought}} })
	}
	require.NoError(t, x.client(20*time.Microsecond).Jobs.Change(t.Context(), one, with("s9")))
	require.NoError(t, x.client(10*time.Microsecond).Jobs.Change(t.Context(), one, with(jack.Serial)))
	require.Equal(t, []string{"orphan tools_by_serial"}, x.after(20*time.Minute))
	imported := store.With(mapper.Options{Timestamp: x.now.Add(-15 * time.Minute).UnixMicro()})
	written, err := imported.Jobs.Import(t.Context(), other)
	require.NoError(t, err)
	require.True(t, written)
	require.Empty(t, holder(t, store, jack))
	require.Equal(t, []string{"missing tools_by_serial"}, x.after(time.Second))
	require.Equal(t, other.Title, holder(t, store, jack))
	require.Empty(t, x.after(0))
}

// No finding contains a secret value, whether it is in a key, in a value or in the reason.
func TestReconcileHidesSecrets(t *testing.T) {
	t.Parallel()
	x := newInTime(t)
	open := func(ahead time.Duration) *stock.Store {
		s, err := stock.OpenBackend(t.Context(), x.backend, mapper.Config{Now: func() time.Time { return x.now.Add(ahead) }, MaxClockSkew: -1})
		require.NoError(t, err)
		return s
	}
	spare := stock.Key{Serial: "s3cret", Holder: "Ana"}
	one, other := locker(func(l *stock.Locker) { l.Spares = map[string]stock.Key{"s3cret": spare} }), locker(func(l *stock.Locker) { l.Row = 2 })
	for _, l := range []*stock.Locker{one, other} {
		require.NoError(t, open(0).Lockers.Insert(t.Context(), l))
	}
	none, with := *one, *other
	none.Spares, with.Spares = nil, one.Spares
	require.NoError(t, open(time.Hour).Lockers.Change(t.Context(), one, &none))
	require.NoError(t, open(0).Lockers.Change(t.Context(), other, &with))
	x.now = x.now.Add(20 * time.Minute)
	var f findings
	_, err := open(0).Reconcile(t.Context(), f.run(false))
	require.NoError(t, err)
	require.NotEmpty(t, f.all)
	for _, d := range f.all {
		require.NotContains(t, fmt.Sprintf("%+v", d), "s3cret")
	}
}

// Alternatives that two writers have chosen at the same time violate the model: the copies of the crate are left until it is written.
func TestReconcileLeavesTwoAlternatives(t *testing.T) {
	t.Parallel()
	x := newInTime(t)
	open := func(ahead time.Duration) *stock.Store {
		s, err := stock.OpenBackend(t.Context(), x.backend, mapper.Config{Now: func() time.Time { return x.now.Add(ahead) }, MaxClockSkew: -1})
		require.NoError(t, err)
		return s
	}
	base := &stock.Crate{Hall: "A", ID: 1, Mail: new("a@b")}
	require.NoError(t, open(0).Crates.Insert(t.Context(), base))
	ship, truck := *base, *base
	ship.Ship, truck.Truck = new("Ana"), new(int32(7))
	require.NoError(t, open(10*time.Microsecond).Crates.Change(t.Context(), base, &ship))
	require.NoError(t, open(20*time.Microsecond).Crates.Change(t.Context(), base, &truck))
	run := func() []string {
		x.now = x.now.Add(20 * time.Minute)
		_, found := reconcile(t, open(0), false)
		return found
	}
	require.Equal(t, []string{"unprojectable crates left"}, run())
	require.NoError(t, open(0).Crates.Put(t.Context(), &truck))
	run()
	require.Empty(t, run())
}
