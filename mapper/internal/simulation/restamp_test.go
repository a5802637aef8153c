package simulation

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// contents returns all rows of tables as text.
func (d *expiring) contents() (out []string) {
	for _, table := range d.tables {
		for row, err := range d.raw.Rows(d.t.Context(), store.Read{Table: (*plan.Table)(table)}) {
			require.NoError(d.t, err)
			out = append(out, fmt.Sprintf("%s %q", table.Name, row[:len(table.Columns)]))
		}
	}
	slices.Sort(out)
	return out
}

// expiring is a store with a plain root some of whose values expire.
type expiring struct {
	*drifted
	tables []*descriptor.Table // the first is that of the root
	with   func(mapper.Options) call.Root
}

// newExpiring returns a store with a plain root. Rows of the root and of its copies by city expire after the given times; 0: never.
func newExpiring(t *testing.T, root, byCity time.Duration) *expiring {
	d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
	var tables []*descriptor.Table
	for _, table := range looseSchema.Tables {
		t := *table
		t.TTL = int(root / time.Second)
		tables = append(tables, &t)
	}
	customers, cities := tables[0], tables[2]
	cities.TTL = int(cmp.Or(byCity, root) / time.Second)
	copies := slices.Clone(looseAggregate.Aggregate.Copies)
	for i := range copies {
		copies[i].Table = tables[i+1]
	}
	linked := plan.Link(descriptor.Aggregate{Root: customers, Copies: copies})
	d.open(&descriptor.Schema{Tables: tables, Aggregates: []*descriptor.Aggregate{linked.Aggregate}}, mapper.Config{Logger: discardLogger})
	codec := new(call.Codec).Start((*plan.Table)(customers), looseCodec{}, nil, true)
	with := func(o mapper.Options) call.Root {
		return call.NewRoot(call.NewReader(d.db.With(o), codec), linked)
	}
	d.table.Root = with(mapper.Options{})
	return &expiring{d, tables, with}
}

// expire writes an email and a plate of a root that expire after an hour, as a program with its own CQL does.
func (d *expiring) expire(id string) {
	root := d.tables[0]
	email := plan.Mutation{Table: (*plan.Table)(root), Action: plan.Update, Column: customerPlates, TTL: 3600, Row: make(cell.Row, len(root.Columns))}
	email.Row[customerID] = cell.Cell(id)
	plate := email
	plate.Values = []cell.Cell{cell.AppendValue(cell.AppendCount(nil, 1), cell.Cell("p9")), nil}
	plate.Write.Add(0)
	email.Action = plan.Fill
	email.Values = make([]cell.Cell, len(root.Columns)-root.Key)
	email.Values[customerEmail-root.Key] = cell.Cell("e")
	require.NoError(d.t, d.raw.Apply(d.t.Context(), []plan.Mutation{email, plate}, store.Write{Timestamp: d.now.UnixMicro()}))
}

// A restamp changes no value and no TTL: at each later time, the tables have the rows that they would have without it.
func TestRestampKeepsTimesToLive(t *testing.T) {
	ana := &customer{ID: 1, Name: "Ana", City: "Recife", Email: "a", Plates: map[string]struct{}{"p1": {}}}
	bare := &customer{ID: 1, City: "Recife"}
	insert := func(c *customer, o mapper.Options) func(*expiring) {
		return func(d *expiring) { require.NoError(d.t, d.with(o).Insert(d.t.Context(), c)) }
	}
	mixed := func(d *expiring) {
		insert(ana, mapper.Options{})(d)
		d.now = d.now.Add(time.Second)
		d.expire(id1)
	}
	for name, of := range map[string]struct {
		root, byCity time.Duration
		fill         func(*expiring)
	}{
		"without":              {0, 0, insert(ana, mapper.Options{})},
		"options":              {0, 0, insert(ana, mapper.Options{TTL: time.Hour})},
		"options, few values":  {0, 0, insert(bare, mapper.Options{TTL: time.Hour})},
		"root":                 {time.Hour, 0, insert(ana, mapper.Options{})},
		"copy":                 {0, time.Hour, insert(ana, mapper.Options{})},
		"root and copy":        {2 * time.Hour, time.Hour, insert(ana, mapper.Options{})},
		"options below a copy": {0, 2 * time.Hour, insert(ana, mapper.Options{TTL: time.Hour})},
		"single values":        {0, 0, mixed},
		"single values, copy":  {0, 2 * time.Hour, mixed},
	} {
		t.Run(name, func(t *testing.T) {
			open := func() *expiring {
				d := newExpiring(t, of.root, of.byCity)
				of.fill(d)
				d.now = d.now.Add(20 * time.Minute)
				d.reconcile(mapper.ReconcileConfig{})
				return d
			}
			kept, d := open(), open()
			d.now = d.now.Add(29 * time.Second)
			report, err := reconcile.Restamp(t.Context(), d.table.Root, cell.Row{cell.Cell(id1)}, 0, nil)
			require.NoError(t, err)
			require.Zero(t, report.Total())
			for _, later := range []time.Duration{29 * time.Second, 39 * time.Minute, 41 * time.Minute, 99 * time.Minute, 101 * time.Minute, 48 * time.Hour} {
				kept.now = d.now.Add(later)
				want := kept.contents()
				was := d.now
				d.now = kept.now
				require.Equal(t, want, d.contents(), "after %v", later)
				if later < 40*time.Minute || of.byCity == 0 { // the write time of the root no longer shows that a row of a copy has expired
					_, found := d.reconcile(mapper.ReconcileConfig{DryRun: true})
					require.Empty(t, found, "after %v", later)
				}
				d.now = was
			}
		})
	}
}

// A restamp makes each value later than what hides it, even if the values of the row expire at different times.
func TestRestampOfValuesThatExpire(t *testing.T) {
	d := newExpiring(t, 0, 0)
	require.NoError(t, d.table.Root.Insert(t.Context(), &customer{ID: 1, Name: "Ana", City: "Recife", Plates: map[string]struct{}{"p1": {}}}))
	d.now = d.now.Add(time.Second)
	d.expire(id1)
	d.now = d.now.Add(20 * time.Minute)
	d.reconcile(mapper.ReconcileConfig{})
	want := d.contents()
	ahead := d.now.Add(time.Hour)
	d.write((*plan.Table)(d.tables[2]), plan.Delete, ahead, "Recife", id1)
	d.write((*plan.Table)(d.tables[1]), plan.Put, ahead, "p1", id1, "Bia", "Natal")
	report, err := reconcile.Restamp(t.Context(), d.table.Root, cell.Row{cell.Cell(id1)}, ahead.UnixMicro(), nil)
	require.NoError(t, err)
	require.True(t, report.Clean())
	require.Equal(t, int64(2), report.Total())
	require.Equal(t, want, d.contents())
}

// A restamp that takes longer than a remaining TTL does not write the values that expire in the meantime.
func TestRestampOfARowThatExpiresMeanwhile(t *testing.T) {
	d := newExpiring(t, 0, 0)
	require.NoError(t, d.with(mapper.Options{TTL: time.Hour}).Insert(t.Context(), &customer{ID: 1, Name: "Ana", City: "Recife"}))
	d.now = d.now.Add(time.Hour - 2*time.Second)
	d.read = 0
	d.before = func(request int) {
		if request == 2 {
			d.now = d.now.Add(5 * time.Second)
		}
	}
	_, err := reconcile.Restamp(t.Context(), d.table.Root, cell.Row{cell.Cell(id1)}, 0, nil)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.Empty(t, d.contents())
}
