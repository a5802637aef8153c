package simulation

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
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

// drifted is a store whose tables the tests write directly.
type drifted struct {
	t   *testing.T
	now time.Time

	counting sync.Mutex
	wrote    int               // requests that write, except those of the test itself
	read     int               // requests
	before   func(request int) // is called before each request with its number; nil: nothing

	loseBatches bool
	backend     *memory.Backend
	raw         store.Store
	db          *call.DB
	table       save.Versioned
	found       []mapper.Drift
}

func newDrifted(t *testing.T) *drifted {
	d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
	d.open(customersSchema, mapper.Config{Logger: discardLogger, Lease: 10 * time.Millisecond})
	d.table = customers(d.db)
	return d
}

// open opens the store of a schema on a new backend.
func (d *drifted) open(schema *descriptor.Schema, c mapper.Config) {
	d.backend = memory.New(memory.Config{Now: func() time.Time { return d.now }})
	d.backend.Intercept(d.count)
	var err error
	d.raw, err = d.backend.Open(d.t.Context(), schema)
	require.NoError(d.t, err)
	d.db, err = call.OpenBackend(d.t.Context(), d.backend, schema, c)
	require.NoError(d.t, err)
}

// count counts the requests that write.
func (d *drifted) count(r memory.Request) memory.Outcome {
	d.counting.Lock()
	if d.read++; r.Write {
		d.wrote++
	}
	n, before := d.read, d.before
	d.counting.Unlock()
	if before != nil {
		before(n)
	}
	if d.loseBatches && r.Write && !r.Conditional {
		return memory.LostRequest
	}
	return memory.Done
}

// write writes a row of a table at a time, or deletes it.
func (d *drifted) write(table *plan.Table, action plan.Action, at time.Time, row ...string) {
	m := plan.Mutation{Table: table, Action: action}
	for i, c := range row {
		m.Row = append(m.Row, cell.Cell(c))
		if c == "" && table == (*plan.Table)(emailTable) {
			m.Row[i] = nil // no owner
		}
		if i >= table.Key {
			m.Write.Add(i)
		}
	}
	require.NoError(d.t, d.raw.Apply(d.t.Context(), []plan.Mutation{m}, store.Write{Timestamp: at.UnixMicro()}))
}

// reconcile runs Reconcile, and returns the findings as text, sorted.
func (d *drifted) reconcile(c mapper.ReconcileConfig) (*mapper.ReconcileReport, []string) {
	var found []string
	c.Slices = 4
	c.Found = func(x mapper.Drift) {
		d.found = append(d.found, x)
		text := x.Kind.String() + " " + x.Table + " " + x.Key
		if x.Repaired {
			text += " repaired"
		}
		found = append(found, text)
	}
	d.wrote = 0
	report, err := reconcile.Run(d.t.Context(), d.db, c, d.table.Root)
	require.NoError(d.t, err)
	if len(found) == 0 && report.Purged == 0 || c.DryRun {
		require.Zero(d.t, d.wrote, "requests that write")
	}
	slices.Sort(found)
	return report, found
}

const id1, id2 = "\x00\x00\x00\x01", "\x00\x00\x00\x02"

// Every kind of drift of a versioned root is found, repaired, and not found again.
func TestReconcileVersioned(t *testing.T) {
	d := newDrifted(t)
	for _, c := range []*customer{
		{ID: 1, Name: "Ana", City: "Recife", Email: "a", Plates: map[string]struct{}{"p1": {}, "p2": {}}},
		{ID: 2, Name: "Bia", City: "Natal", Email: "b"},
	} {
		require.NoError(t, d.table.Insert(t.Context(), c))
	}
	d.now = d.now.Add(time.Hour)
	report, found := d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	require.True(t, report.Clean())

	d.write((*plan.Table)(vehiclesTable), plan.Delete, d.now, "p1", id1)                     // missing, hidden at the version
	d.write((*plan.Table)(byCityTable), plan.Put, d.now, "Recife", id1, "Eva")               // stale, newer than the version
	d.write((*plan.Table)(byCityTable), plan.Put, d.now.Add(-2*time.Hour), "Olinda", id1)    // an orphan
	d.write((*plan.Table)(byEmailTable), plan.Put, d.now.Add(-2*time.Hour), "c", id2, "Bia") // an orphan, whose value nobody has reserved
	d.write((*plan.Table)(doneTable), plan.Delete, d.now.Add(-30*time.Minute), id2)          // it hides the done-marker at the version
	d.now = d.now.Add(time.Minute)
	want := []string{"missing vehicles plate='p1', owner=1", "orphan customers_by_city city='Olinda', id=1", "source purged customers_by_email email='c'",
		"stale customers_by_city city='Recife', id=1", "unpropagated customers__sync id=2"}
	report, found = d.reconcile(mapper.ReconcileConfig{DryRun: true})
	require.Equal(t, want[:len(want)-1], found, "the copies of a root without a done-marker are right")
	require.False(t, report.Clean())
	report, found = d.reconcile(mapper.ReconcileConfig{})
	require.False(t, report.Clean(), "a save that writes the row of c could still be carried out")
	for i := range want {
		if !strings.Contains(want[i], "source purged") {
			want[i] += " repaired"
		}
	}
	require.Equal(t, want, found)
	d.now = d.now.Add(10 * 24 * time.Hour)
	report, found = d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"source purged customers_by_email email='c' repaired"}, found)
	require.True(t, report.Clean())
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
}

// A claim of a save that was never applied is released, and so is one that a save has left behind. A unique value without a
// reservation is claimed; one that another root has reserved is reported.
func TestReconcileReleasesLeakedReservations(t *testing.T) {
	d := newDrifted(t)
	for i, email := range []string{"a", "b"} {
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: int32(i + 1), Email: email}))
	}
	state := d.state(id1)
	d.now = d.now.Add(time.Hour)
	d.reserve("dead", id1, state.Version) // in flight: the client has died
	d.reserve("stale", id1, state.Version-2)
	d.reserve("gone", "\x00\x00\x00\x09", 0) // of a row that was never inserted
	d.reserve("a", id2, state.Version-2)
	want := []string{"leaked reservation customers__email_unique email='a'", "leaked reservation customers__email_unique email='dead'",
		"leaked reservation customers__email_unique email='gone'", "leaked reservation customers__email_unique email='stale'",
	}
	report, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
	require.Equal(t, append(slices.Clone(want), "missing customers__email_unique email='a'"), found)
	require.False(t, report.Clean())
	require.Equal(t, state.Version, d.state(id1).Version, "a dry run fences nothing")
	report, found = d.reconcile(mapper.ReconcileConfig{})
	for i := range want {
		want[i] += " repaired"
	}
	require.Equal(t, append(want, "missing customers__email_unique email='a' repaired"), found)
	require.True(t, report.Clean())
	require.Greater(t, d.state(id1).Version, state.Version, "the save of the dead client is fenced")
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 3, Email: "dead"}))
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 9, Email: "gone"}))
	err := d.table.Insert(t.Context(), &customer{ID: 4, Email: "a"})
	_, duplicate := errors.AsType[*mapper.DuplicateError](err)
	require.True(t, duplicate)
}

// A pending row of a table that no longer exists is forgotten. One of a table that exists, but that this program does not know, stays.
func TestReconcileForgetsTablesThatAreGone(t *testing.T) {
	for table, want := range map[string]string{
		"customers_by_age": "unpropagated customers__sync id=1 repaired", // it does not exist
		"customers":        "unpropagated customers__sync id=1",          // it exists, and is not a copy
		"plates":           "unpropagated customers__sync id=1",          // it is created during the run
	} {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana"}))
		name := cell.AppendValue(cell.AppendValue(nil, cell.Cell(table)), cell.Cell("7"))
		pending := cell.AppendValue(cell.AppendValue(cell.AppendCount(nil, 1), name), plan.Bigint(5))
		m := plan.Mutation{Table: (*plan.Table)(customersTable), Row: make(cell.Row, customerColumns), Action: plan.Put}
		m.Row[customerID], m.Row[customerPending] = cell.Cell(id1), pending
		m.Write.Add(customerPending)
		require.NoError(t, d.raw.Apply(t.Context(), []plan.Mutation{m}, store.Write{Timestamp: d.now.UnixMicro()}))
		d.write((*plan.Table)(doneTable), plan.Delete, d.now.Add(time.Second), id1)
		d.now = d.now.Add(time.Minute)
		if table == platesTable.Name {
			d.before = func(int) {
				_, err := d.backend.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{platesTable}})
				require.NoError(t, err)
			}
		}
		report, found := d.reconcile(mapper.ReconcileConfig{})
		require.Equal(t, []string{want}, found)
		require.Equal(t, strings.HasSuffix(want, "repaired"), report.Clean())
		require.Equal(t, report.Clean(), len(d.state(id1).Pending) == 0)
	}
}

// A deleted row stays as long as a row of a table that this program does not know is pending: a program of the newer release deletes that row.
func TestReconcileKeepsADeletedRowWhoseCopiesAreNotDeleted(t *testing.T) {
	d := newDrifted(t)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana"}))
	require.NoError(t, d.table.Delete(t.Context(), customerKey(1)))
	name := cell.AppendValue(cell.AppendValue(nil, cell.Cell("customers")), cell.Cell("7"))
	m := plan.Mutation{Table: (*plan.Table)(customersTable), Row: make(cell.Row, customerColumns), Action: plan.Put}
	m.Row[customerID] = cell.Cell(id1)
	m.Row[customerPending] = cell.AppendValue(cell.AppendValue(cell.AppendCount(nil, 1), name), plan.Bigint(5))
	m.Row[customerVersion] = plan.Bigint(d.now.Add(time.Second).UnixMicro()) // above that of the done-marker
	m.Write.Add(customerPending)
	m.Write.Add(customerVersion)
	require.NoError(t, d.raw.Apply(t.Context(), []plan.Mutation{m}, store.Write{Timestamp: d.now.Add(time.Minute).UnixMicro()}))
	d.now = d.now.Add(30 * 24 * time.Hour)
	for range 2 {
		report, found := d.reconcile(mapper.ReconcileConfig{})
		require.Equal(t, []string{"unpropagated customers__sync id=1"}, found)
		require.Zero(t, report.Purged)
	}
	require.Len(t, d.state(id1).Pending, 1)
}

// A row that expires is written again with the rest of its time, and one that has expired is not.
func TestReconcileVersionedRowsThatExpire(t *testing.T) {
	expiring := *byCityTable
	expiring.TTL = 24 * 60 * 60
	d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
	a := *customersAggregate.Aggregate
	a.Copies = slices.Clone(a.Copies[1:2])
	a.Copies[0].Table = &expiring
	linked := plan.Link(a)
	d.open(&descriptor.Schema{Tables: []*descriptor.Table{customersTable, doneTable, emailTable, &expiring}, Aggregates: []*descriptor.Aggregate{linked.Aggregate}},
		mapper.Config{Logger: discardLogger})
	d.table = save.NewVersioned(call.NewReader(d.db, new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)), linked)
	for id := range int32(2) {
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: id + 1, Name: "Ana", City: "Recife"}))
	}
	d.now = d.now.Add(time.Hour)
	d.write((*plan.Table)(&expiring), plan.Delete, d.now, "Recife", id1)
	d.write((*plan.Table)(&expiring), plan.Put, d.now, "Recife", id2, "Eva")
	d.now = d.now.Add(time.Minute)
	_, found := d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"missing customers_by_city city='Recife', id=1 repaired", "stale customers_by_city city='Recife', id=2 repaired"}, found)
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	d.now = d.now.Add(25 * time.Hour)
	require.Zero(t, d.rows((*plan.Table)(&expiring)))
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
}

// Invalid configurations are refused before anything is read.
func TestReconcileRefuses(t *testing.T) {
	d, root := newLooseDrifted(t)
	refused := func(db *call.DB, c mapper.ReconcileConfig, want string) {
		t.Helper()
		d.read = 0
		_, err := reconcile.Run(t.Context(), db, c, root)
		require.ErrorContains(t, err, want)
		require.Zero(t, d.read, "requests")
	}
	refused(nil, mapper.ReconcileConfig{}, "the store is not open")
	refused(d.db, mapper.ReconcileConfig{Tables: []string{"cars"}}, `no root has the table "cars": use the names of roots with redundant tables, parts or a version: loose_customers`)
	refused(d.db, mapper.ReconcileConfig{Grace: 59 * time.Second}, "the grace 59s is too short: use at least 1m0s")
	refused(d.db, mapper.ReconcileConfig{Grace: -1}, "is too short")
	refused(d.db, mapper.ReconcileConfig{Slices: -1}, "-1 slices: use 1 or more")
	refused(d.db, mapper.ReconcileConfig{Slices: 1 << 17}, "131072 slices are too many: use at most 65536")
	refused(d.db, mapper.ReconcileConfig{Tables: []string{}}, "the list of tables is empty")
	refused(d.db, mapper.ReconcileConfig{Parallel: -1}, "use 1 or more")
	refused(d.db, mapper.ReconcileConfig{Rate: -1}, "use 1 or more")
	refused(d.db, mapper.ReconcileConfig{Job: "nightly"}, "ReconcileConfig.Job needs a store on a session")
	refused(d.db.With(mapper.Options{TTL: time.Hour}), mapper.ReconcileConfig{}, "mapper.Options.TTL and Options.Timestamp are not supported")
	refused(d.db.With(mapper.Options{Verified: true}), mapper.ReconcileConfig{}, "Options.Verified are not supported")

	backend := memory.New(memory.Config{Now: func() time.Time { return d.now }})
	ahead, err := call.OpenBackend(t.Context(), backend, looseSchema, mapper.Config{Logger: discardLogger, Now: func() time.Time { return d.now.Add(2 * time.Second) }})
	require.NoError(t, err)
	_, err = reconcile.Run(t.Context(), ahead, mapper.ReconcileConfig{}, root)
	_, wrong := errors.AsType[*mapper.ClockError](err)
	require.True(t, wrong, "%v", err)
	wide, err := call.OpenBackend(t.Context(), backend, looseSchema, mapper.Config{Logger: discardLogger, MaxClockSkew: time.Minute})
	require.NoError(t, err)
	_, err = reconcile.Run(t.Context(), wide, mapper.ReconcileConfig{Grace: 2 * time.Minute}, root)
	require.ErrorContains(t, err, "below 4 times the largest accepted difference of clocks, 1m0s: use at least 4m0s")

	one := func(c mapper.ReconcileConfig, known ...any) error {
		_, err := reconcile.Row(t.Context(), root, customerKey(1), c, known)
		return err
	}
	require.ErrorContains(t, one(mapper.ReconcileConfig{Slices: 4}), "do not apply to one row")
	require.ErrorContains(t, one(mapper.ReconcileConfig{}, nil), "the known value 0 is a nil pointer")
	require.ErrorContains(t, one(mapper.ReconcileConfig{}, &customer{ID: 2}), "the known value 0 has another key: id=2")
}

// A run that is cancelled returns the report so far. A row that cannot be read is a finding, and the run goes on.
func TestReconcileGoesOnAndEnds(t *testing.T) {
	d, root := newLooseDrifted(t)
	for id := range int32(20) {
		require.NoError(t, root.Insert(t.Context(), &customer{ID: id, City: "Recife"}))
	}
	d.write(looseTable, plan.Put, d.now.Add(time.Second), id1, "\xff", "Natal", "e") // not a text
	d.now = d.now.Add(time.Hour)
	d.write((*plan.Table)(byCityTable), plan.Delete, d.now.Add(-20*time.Minute), "Recife", id2)
	_, found := d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"missing customers_by_city city='Recife', id=2 repaired", "unprojectable loose_customers id=1"}, found)

	ctx, cancel := context.WithCancel(t.Context())
	report, err := reconcile.Run(ctx, d.db, mapper.ReconcileConfig{Slices: 64, Parallel: 1, Progress: func(p mapper.ReconcileProgress) {
		if p.Rows >= 10 {
			cancel()
		}
	}}, root)
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, report.Rows, int64(10))
	require.Less(t, report.Rows, int64(60))
}

// A row is deleted at a time before every later save, even that of a client whose clock is behind.
func TestReconcileDeletesBelowLaterSaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDrifted(t)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Email: "a", City: "Recife"}))
		d.now = d.now.Add(time.Hour)
		d.loseBatches = true
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := d.table.Update(ctx, func(v any) error { v.(*customer).Email, v.(*customer).City = "", ""; return nil }, customerKey(1))
		require.NoError(t, err)
		d.loseBatches = false
		floor := d.now.UnixMicro()
		d.write((*plan.Table)(emailTable), plan.Put, d.now, "z", "", string(plan.Bigint(floor)), string(plan.Bigint(floor)))
		d.write((*plan.Table)(byEmailTable), plan.Put, d.now.Add(-time.Second), "z", id1, "Ana") // a program of another release has left it
		d.write((*plan.Table)(byCityTable), plan.Put, d.now.Add(-time.Second), "Olinda", id1, "Ana")
		require.Equal(t, 2, d.rows((*plan.Table)(byEmailTable)))
		d.now = d.now.Add(10 * time.Second)
		d.reconcile(mapper.ReconcileConfig{})
		require.Zero(t, d.rows((*plan.Table)(byEmailTable)))
		require.Zero(t, d.rows((*plan.Table)(byCityTable)))
		d.now = d.now.Add(-5 * time.Second)
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 3, Email: "a"}))
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 4, Email: "z"}))
		_, err = d.table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(1))
		require.NoError(t, err)
		require.Equal(t, 2, d.rows((*plan.Table)(byEmailTable)))
		require.Equal(t, 1, d.rows((*plan.Table)(byCityTable)))
	})
}

// Deleted rows, released reservations and done-markers are removed after gc_grace_seconds, and not before.
func TestReconcileRemovesDeletedRows(t *testing.T) {
	d := newDrifted(t)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Email: "a", City: "Recife"}))
	require.NoError(t, d.table.Delete(t.Context(), customerKey(1)))
	tables := []*descriptor.Table{customersTable, doneTable, emailTable}
	grace := 10 * 24 * time.Hour
	d.now = d.now.Add(grace - time.Minute)
	report, _ := d.reconcile(mapper.ReconcileConfig{})
	require.Zero(t, report.Purged)
	for _, table := range tables {
		require.Equal(t, 1, d.rows((*plan.Table)(table)), table.Name)
	}
	d.now = d.now.Add(time.Hour)
	report, _ = d.reconcile(mapper.ReconcileConfig{DryRun: true})
	require.Zero(t, report.Purged)
	report, found := d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	require.Equal(t, int64(2), report.Purged)
	for _, table := range tables {
		require.Zero(t, d.rows((*plan.Table)(table)), table.Name)
	}
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Email: "a"}))
}

// A row that is inserted again while the done-marker of the removed one is removed keeps its own done-marker.
func TestReconcileRemovesOnlyOldMarkers(t *testing.T) {
	for at := 1; ; at++ {
		d := newDrifted(t)
		d.write((*plan.Table)(doneTable), plan.Put, d.now, id1, string(plan.Bigint(d.now.UnixMicro())))
		d.now = d.now.Add(11 * 24 * time.Hour)
		inserted := false
		d.read, d.before = 0, func(request int) {
			if request == at {
				inserted = true
				require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, City: "Recife"}))
			}
		}
		_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{Parallel: 1, Slices: 2}, d.table.Root)
		require.NoError(t, err)
		if d.before = nil; !inserted {
			return
		}
		require.Equal(t, 1, d.rows((*plan.Table)(doneTable)), "inserted before request %d", at)
	}
}

// state returns the state of a row.
func (d *drifted) state(key string) *plan.State {
	row, err := d.raw.Row(d.t.Context(), &store.Lookup{Read: store.Read{Table: (*plan.Table)(customersTable), Key: cell.Row{cell.Cell(key)}}})
	require.NoError(d.t, err)
	s, err := customersAggregate.DecodeState(row)
	require.NoError(d.t, err)
	return s
}

// rows returns the number of rows of a table.
func (d *drifted) rows(table *plan.Table) (n int) {
	for _, err := range d.raw.Rows(d.t.Context(), store.Read{Table: table}) {
		require.NoError(d.t, err)
		n++
	}
	return n
}

// reserve writes a reservation.
func (d *drifted) reserve(email, owner string, at plan.Version) {
	d.write((*plan.Table)(emailTable), plan.Put, d.now, email, owner, string(plan.Bigint(at)), string(plan.Bigint(0)))
}

// looseTable is customersTable without a version.
var looseTable = func() *plan.Table {
	t := *customersTable
	t.Name, t.Columns, t.Hidden, t.Deleted = "loose_customers", slices.Clone(t.Columns[:customerVersion]), 0, 0
	t.Columns[customerPlates].Update = "UPDATE loose_customers USING TIMESTAMP ? AND TTL ? SET plates = plates + ?, plates = plates - ? WHERE id = ?"
	return (*plan.Table)(&t)
}()

var looseAggregate = plan.Link(descriptor.Aggregate{Root: (*descriptor.Table)(looseTable), Copies: []descriptor.Projection{
	{Table: vehiclesTable, Ops: []projection.Op{{Code: projection.Each, Src: customerPlates, Dst: customerVersion}}, SourceKey: []projection.Place{{Column: 1, Field: -1}},
		Columns: []uint16{customerVersion, customerID, customerName, customerCity}},
	{Table: byCityTable, Ops: []projection.Op{{Code: projection.Need, Src: customerCity}}, SourceKey: []projection.Place{{Column: 1, Field: -1}},
		Columns: []uint16{customerCity, customerID, customerName}},
	{Table: byEmailTable, Ops: []projection.Op{{Code: projection.Need, Src: customerEmail}}, SourceKey: []projection.Place{{Column: 1, Field: -1}}, Distinct: true,
		Columns: []uint16{customerEmail, customerID, customerName}},
}})

var looseSchema = &descriptor.Schema{Tables: []*descriptor.Table{(*descriptor.Table)(looseTable), vehiclesTable, byCityTable, byEmailTable}, Aggregates: []*descriptor.Aggregate{looseAggregate.Aggregate}}

// looseCodec encodes customers without a version.
type looseCodec struct{ customerCodec }

func (looseCodec) ComputeAny(*cell.Encoder, any)    {}
func (looseCodec) ComputeKeyAny(*cell.Encoder, any) {}

func (looseCodec) EncodeAny(e *cell.Encoder, v any) {
	c := v.(*customer)
	e.Int(c.ID)
	text(e, c.Name)
	text(e, c.City)
	text(e, c.Email)
	cell.EncodeSet(e, c.Plates, (*cell.Encoder).Text)
}

func (looseCodec) DecodeAny(d *cell.Decoder) any {
	c := &customer{ID: d.Int(), Name: d.Text(), City: d.Text(), Email: d.Text()}
	c.Plates = cell.DecodeSet(d, (*cell.Decoder).Text)
	return c
}

// newLooseDrifted returns a store with a plain root.
func newLooseDrifted(t *testing.T) (*drifted, call.Root) {
	d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
	d.open(looseSchema, mapper.Config{Logger: discardLogger})
	codec := new(call.Codec).Start(looseTable, looseCodec{}, nil, true)
	d.table.Root = call.NewRoot(call.NewReader(d.db, codec), looseAggregate)
	return d, d.table.Root
}

// Every kind of drift of a plain root is found and repaired, or reported with the reason why it is not.
func TestReconcilePlain(t *testing.T) {
	d, root := newLooseDrifted(t)
	for _, c := range []*customer{
		{ID: 1, Name: "Ana", City: "Recife", Email: "a", Plates: map[string]struct{}{"p1": {}, "p2": {}}},
		{ID: 2, Name: "Bia", City: "Natal", Email: "b"},
		{ID: 3, Name: "Caio", Email: "b"},
	} {
		require.NoError(t, root.Insert(t.Context(), c))
	}
	_, found := d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"two owners customers_by_email email='b'"}, found, "a run leaves the rest, which may still change")
	require.NoError(t, root.Delete(t.Context(), customerKey(3)))
	d.now = d.now.Add(time.Hour)
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"missing customers_by_email email='b' repaired"}, found, "the owner that left had the row")
	report, found := d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	require.True(t, report.Clean())

	past := d.now.Add(-30 * time.Minute)
	d.write((*plan.Table)(vehiclesTable), plan.Delete, past, "p1", id1)
	d.write((*plan.Table)(vehiclesTable), plan.Put, past, "p3", id2, "Bia", "Natal")
	d.write((*plan.Table)(byCityTable), plan.Put, past, "Recife", id1, "Eva")
	d.write((*plan.Table)(byEmailTable), plan.Put, past, "a", id2, "Bia")                      // the row of another root, which does not have it
	d.write((*plan.Table)(byCityTable), plan.Delete, d.now.Add(time.Hour), "Natal", id2)       // by a clock that was ahead
	d.write((*plan.Table)(byCityTable), plan.Put, d.now.Add(-time.Minute), "Olinda", id2, "x") // within the grace
	want := []string{"missing customers_by_city city='Natal', id=2", "missing vehicles plate='p1', owner=1", "orphan vehicles plate='p3', owner=2",
		"stale customers_by_city city='Recife', id=1", "stale customers_by_email email='a'"}
	report, found = d.reconcile(mapper.ReconcileConfig{DryRun: true})
	require.Equal(t, slices.Insert(want[:len(want)-1:len(want)-1], 2, "orphan customers_by_email email='a'"), found, "its owner does not have it, and another root does")
	require.Equal(t, int64(1), report.TooRecent)
	report, found = d.reconcile(mapper.ReconcileConfig{})
	for i := range want {
		want[i] += " repaired"
	}
	want[0] = "hidden customers_by_city city='Natal', id=2"
	require.Equal(t, want, found)
	require.False(t, report.Clean())
	d.now = d.now.Add(2 * time.Hour)
	_, found = d.reconcile(mapper.ReconcileConfig{})
	require.Equal(t, []string{"missing customers_by_city city='Natal', id=2 repaired", "orphan customers_by_city city='Olinda', id=2 repaired"}, found)
	report, found = d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
	require.True(t, report.Clean())
}

// A low rate makes a run slow, but does not end a call whose time is limited.
func TestReconcileAtALowRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, root := newLooseDrifted(t)
		for i := range int32(30) {
			require.NoError(t, root.Insert(t.Context(), &customer{ID: i, City: "Recife"}))
		}
		d.now = d.now.Add(time.Hour)
		for i := range byte(30) {
			d.write((*plan.Table)(byCityTable), plan.Put, d.now.Add(-30*time.Minute), "Recife", string([]byte{0, 0, 0, i}), "Eva")
		}
		report, _ := d.reconcile(mapper.ReconcileConfig{Rate: 1})
		require.Equal(t, int64(30), report.Repaired)
	})
}

// The write time of a row without values cannot be read. One that was written within the grace is not called hidden, and a later run
// deletes it. A table that is given twice is compared once.
func TestReconcileRowsWithoutValues(t *testing.T) {
	d, _ := newLooseDrifted(t)
	m := plan.Mutation{Table: (*plan.Table)(byCityTable), Row: cell.Row{cell.Cell("Olinda"), cell.Cell(id2), nil}, Action: plan.Put}
	require.NoError(t, d.raw.Apply(t.Context(), []plan.Mutation{m}, store.Write{Timestamp: d.now.UnixMicro()}))
	d.now = d.now.Add(time.Minute)
	twice := mapper.ReconcileConfig{Tables: []string{looseTable.Name, looseTable.Name}}
	report, found := d.reconcile(twice)
	require.Equal(t, []string{"orphan customers_by_city city='Olinda', id=2"}, found)
	require.Contains(t, d.found[0].Reason, "a later run deletes it")
	require.False(t, report.Clean())
	d.now = d.now.Add(time.Hour)
	report, found = d.reconcile(twice)
	require.Equal(t, []string{"orphan customers_by_city city='Olinda', id=2 repaired"}, found)
	require.True(t, report.Clean())
}

// One row is compared by its key; known values find rows of a deleted root.
func TestReconcileOneRow(t *testing.T) {
	d, root := newLooseDrifted(t)
	ana := &customer{ID: 1, Name: "Ana", City: "Recife", Email: "a", Plates: map[string]struct{}{"p1": {}}}
	require.NoError(t, root.Insert(t.Context(), ana))
	d.now = d.now.Add(time.Hour)
	d.write(looseTable, plan.Delete, d.now.Add(-20*time.Minute), id1)
	report, err := reconcile.Row(t.Context(), root, customerKey(1), mapper.ReconcileConfig{}, nil)
	require.NoError(t, err)
	require.Zero(t, report.Total())
	require.Equal(t, []string{"customers_by_city", "customers_by_email", "vehicles"}, report.NotSearched)
	report, err = reconcile.Row(t.Context(), root, customerKey(1), mapper.ReconcileConfig{}, []any{ana})
	require.NoError(t, err)
	require.Equal(t, int64(3), report.Repaired)
	require.True(t, report.Clean())
}

// platesTable has the plates of a customer in one partition, with a static value.
var platesTable = &descriptor.Table{
	Name: "plates", Aggregate: "Plate", Partition: 1, Key: 2,
	Columns: []descriptor.Column{
		{Name: "owner", CQL: "owner", Field: "Owner", Kind: projection.PartitionKey, Type: "int"},
		{Name: "plate", CQL: "plate", Field: "Plate", Kind: projection.ClusteringKey, Type: "text"},
		{Name: "name", CQL: "name", Field: "Name", Kind: projection.Static, Type: "text"},
	},
}

// withPlates returns an aggregate of customers whose only copy is platesTable; register is the first one after the columns.
func withPlates(a descriptor.Aggregate, register uint16) (*descriptor.Schema, *plan.Aggregate) {
	a.Copies = []descriptor.Projection{{Table: platesTable, Ops: []projection.Op{{Code: projection.Each, Src: customerPlates, Dst: register}},
		Columns: []uint16{customerID, register, customerName}, SourceKey: []projection.Place{{Column: 0, Field: -1}}, Range: true}}
	all := []*descriptor.Table{a.Root, platesTable}
	if a.Versioning != nil {
		all = append(all, doneTable, emailTable)
	}
	linked := plan.Link(a)
	return &descriptor.Schema{Tables: all, Aggregates: []*descriptor.Aggregate{linked.Aggregate}}, linked
}

// Static values of a partition without rows are not a row that follows from no root. They are removed when no write of a row of the
// partition can be in flight.
func TestReconcileStaticValuesWithoutRows(t *testing.T) {
	for name, of := range map[string]func(*drifted) (put func(*customer) error){
		"plain": func(d *drifted) func(*customer) error {
			schema, a := withPlates(descriptor.Aggregate{Root: (*descriptor.Table)(looseTable)}, customerVersion)
			d.open(schema, mapper.Config{Logger: discardLogger})
			d.table.Root = call.NewRoot(call.NewReader(d.db, new(call.Codec).Start(looseTable, looseCodec{}, nil, true)), a)
			return func(c *customer) error { return d.table.Root.Put(t.Context(), c) }
		},
		"versioned": func(d *drifted) func(*customer) error {
			schema, a := withPlates(descriptor.Aggregate{Root: customersTable, Versioning: customersAggregate.Aggregate.Versioning}, customerColumns)
			d.open(schema, mapper.Config{Logger: discardLogger})
			d.table = save.NewVersioned(call.NewReader(d.db, new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)), a)
			return func(c *customer) error { return d.table.Put(t.Context(), c) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
			put := of(d)
			require.NoError(t, put(&customer{ID: 1, Name: "Ana", Plates: map[string]struct{}{"p1": {}}}))
			d.now = d.now.Add(time.Second)
			require.NoError(t, put(&customer{ID: 1, Name: "Ana"}))
			require.Equal(t, 1, d.rows((*plan.Table)(platesTable)), "the static value")
			purge := func(after time.Duration, c mapper.ReconcileConfig, want int64) {
				t.Helper()
				d.now = d.now.Add(after)
				report, found := d.reconcile(c)
				require.Empty(t, found)
				require.True(t, report.Clean())
				require.Equal(t, want, report.Purged)
			}
			purge(time.Minute, mapper.ReconcileConfig{}, 0)
			purge(11*24*time.Hour, mapper.ReconcileConfig{DryRun: true}, 0)
			purge(0, mapper.ReconcileConfig{}, 1)
			require.Zero(t, d.rows((*plan.Table)(platesTable)))
			purge(time.Hour, mapper.ReconcileConfig{}, 0)
			require.NoError(t, put(&customer{ID: 1, Name: "Bia", Plates: map[string]struct{}{"p1": {}}}))
			purge(12*24*time.Hour, mapper.ReconcileConfig{}, 0)
			require.Equal(t, 1, d.rows((*plan.Table)(platesTable)), "static values of a row stay")
		})
	}
}

// Restamp makes visible what a deletion by a clock that was ahead hides.
func TestRestamp(t *testing.T) {
	d, root := newLooseDrifted(t)
	require.NoError(t, root.Insert(t.Context(), &customer{ID: 1, Name: "Ana", City: "Recife"}))
	ahead := d.now.Add(time.Hour)
	d.write((*plan.Table)(byCityTable), plan.Delete, ahead, "Recife", id1)
	key := cell.Row{cell.Cell(id1)}
	var hidden []string
	report, err := reconcile.Restamp(t.Context(), root, key, 0, func(d mapper.Drift) { hidden = append(hidden, d.Key) })
	require.NoError(t, err)
	require.Equal(t, []string{"city='Recife', id=1"}, hidden)
	require.Equal(t, int64(1), report.Found["customers_by_city"][mapper.DriftHidden])
	require.Equal(t, int64(1), report.Total())
	report, err = reconcile.Restamp(t.Context(), root, key, ahead.UnixMicro(), nil)
	require.NoError(t, err)
	require.True(t, report.Clean())
	require.Equal(t, map[mapper.DriftKind]int64{mapper.DriftMissing: 1}, report.Found["customers_by_city"])
	d.write((*plan.Table)(byCityTable), plan.Put, ahead.Add(time.Minute), "Recife", id1, "Eva")
	report, err = reconcile.Restamp(t.Context(), root, key, 0, nil)
	require.NoError(t, err)
	require.Equal(t, map[mapper.DriftKind]int64{mapper.DriftStale: 1}, report.Found["customers_by_city"])
	require.True(t, report.Clean())
	d.now = d.now.Add(3 * time.Hour)
	_, found := d.reconcile(mapper.ReconcileConfig{})
	require.Empty(t, found)
}

// A run of tables whose rows are right reads no row by its key, although the rows of the copies are in other partitions than those of
// the root. Of a row that differs, it reads only what it examines.
func TestReconcileReadsOnlySuspects(t *testing.T) {
	for name, open := range map[string]func(*testing.T) *drifted{
		"plain":     func(t *testing.T) *drifted { d, _ := newLooseDrifted(t); return d },
		"versioned": newDrifted,
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			insert := func(id int32) {
				c := &customer{ID: id, Name: "Ana", City: "Recife"}
				if name == "plain" {
					require.NoError(t, d.table.Root.Insert(t.Context(), c))
					return
				}
				require.NoError(t, d.table.Insert(t.Context(), c))
			}
			requests := func(found ...string) int {
				d.now, d.read = d.now.Add(time.Hour), 0
				_, have := d.reconcile(mapper.ReconcileConfig{})
				require.Equal(t, found, have)
				return d.read
			}
			insert(1)
			few := requests()
			for id := range int32(200) {
				insert(id + 2)
			}
			require.Equal(t, few, requests())
			d.write((*plan.Table)(byCityTable), plan.Put, d.now.Add(-30*time.Minute), "Recife", id2, "Eva")
			require.Less(t, requests("stale customers_by_city city='Recife', id=2 repaired"), few+50)
			require.Equal(t, few, requests())
		})
	}
}

// A finding of a page is counted once, however often the page is read, and another difference of the same row is another one.
func TestReconcileCountsFindingsOnce(t *testing.T) {
	for _, dry := range []bool{false, true} {
		d, root := newLooseDrifted(t)
		for id := range int32(3) {
			require.NoError(t, root.Insert(t.Context(), &customer{ID: id, Name: "Ana", City: "Recife", Email: string('a' + id)}))
		}
		d.now = d.now.Add(time.Hour)
		past := d.now.Add(-30 * time.Minute)
		for _, id := range []string{"\x00\x00\x00\x00", id1, id2} {
			d.write((*plan.Table)(byCityTable), plan.Put, past, "Recife", id, "Eva")
		}
		d.write((*plan.Table)(byEmailTable), plan.Delete, past, "a")
		d.write((*plan.Table)(byEmailTable), plan.Delete, past, "b")
		var reads atomic.Int64
		d.backend.Intercept(func(r memory.Request) memory.Outcome {
			if n := reads.Add(1); !r.Write && n%7 == 0 {
				return memory.Refused
			}
			return memory.Done
		})
		report, found := d.reconcile(mapper.ReconcileConfig{DryRun: dry})
		require.Len(t, found, 5, "%v", found)
		require.Equal(t, int64(5), report.Total())
	}
}

// A scan encodes all rows with one storage. Each row is the one that a program writes after it has read it, even if another program
// stored it in another form, and does not change while the scan encodes later rows.
func TestScansRewriteRows(t *testing.T) {
	d := newDrifted(t)
	set := func(elements ...string) cell.Cell {
		out := cell.AppendCount(nil, len(elements))
		for _, e := range elements {
			out = cell.AppendValue(out, cell.Cell(e))
		}
		return out
	}
	version := plan.Bigint(7)
	own, shared, err := AsWritten(d.table.Root, []cell.Row{
		{cell.Cell(id1), cell.Cell("Ana"), cell.Cell("Recife"), cell.Cell("a"), set("p1", "p2"), version, nil, nil, nil},
		{cell.Cell(id2), cell.Cell("Bia"), nil, nil, set("p2", "p1"), nil, nil, nil, nil}, // without a version, and a set in another order
		{cell.Cell(id1), nil, cell.Cell("Natal"), cell.Cell("c"), set(), version, nil, nil, nil},
		{cell.Cell(id2), cell.Cell("Eva"), cell.Cell("Olinda"), cell.Cell("d"), nil, version, nil, nil, nil},
	})
	require.NoError(t, err)
	require.Equal(t, own, shared)
}

// Reconcile of one row keeps a row that an earlier value of the root had, if it belongs to another root now.
func TestReconcileOfARowKeepsTheRowsOfOthers(t *testing.T) {
	for name, first := range map[string]*garage.Mechanic{"no root": nil, "a root without the row": {ID: 1, Name: "Ana", City: "Recife"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := garage.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Logger: discardLogger})
				require.NoError(t, err)
				if first != nil {
					require.NoError(t, s.Mechanics.Insert(t.Context(), first))
				}
				require.NoError(t, s.Mechanics.Insert(t.Context(), &garage.Mechanic{ID: 2, Name: "Bia", City: "Natal", Tools: []string{"jack"}}))
				time.Sleep(time.Hour)
				earlier := &garage.Mechanic{ID: 1, Name: "Ana", City: "Recife", Tools: []string{"jack"}}
				_, err = s.Mechanics.Reconcile(t.Context(), 1, mapper.ReconcileConfig{}, earlier)
				require.NoError(t, err)
				tool, err := s.Tools.Get(t.Context(), "jack")
				require.NoError(t, err)
				require.EqualValues(t, 2, tool.Owner)
			})
		})
	}
}

// A save of a versioned root does not delete a shared row that it drops: other roots can have it.
func TestVersionedSavesKeepSharedRows(t *testing.T) {
	d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
	a := *customersAggregate.Aggregate
	a.Copies = slices.Clone(a.Copies[1:2])
	a.Copies[0].Shared = true
	linked := plan.Link(a)
	d.open(&descriptor.Schema{Tables: []*descriptor.Table{customersTable, doneTable, emailTable, byCityTable}, Aggregates: []*descriptor.Aggregate{linked.Aggregate}},
		mapper.Config{Logger: discardLogger})
	d.table = save.NewVersioned(call.NewReader(d.db, new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)), linked)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana", City: "Recife"}))
	_, err := d.table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(1))
	require.NoError(t, err)
	require.NoError(t, d.table.Delete(t.Context(), customerKey(1)))
	require.Equal(t, 2, d.rows((*plan.Table)(byCityTable)))
}
