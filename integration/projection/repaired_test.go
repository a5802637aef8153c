package projection_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// planted is a root and what the copies have instead of its rows.
type planted struct {
	name   string
	model  string
	roots  []record
	copies []record // the copies have the rows of these instances
	later  bool     // the copies are written after the roots
	want   map[mapper.DriftKind]int64
	change []record // the copies are changed from the first of these instances to the second
}

const rootOfPlaces = `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Place int32 ` + "`aml:\",discriminator\"`" + `
	Count *int32
	Common int32 ` + "`aml:\",static\"`" + `
}
`

var plantedDrift = []planted{
	{
		"row missing in the partition of the root", rootOfPlaces + `type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Place int32 ` + "`aml:\",discriminator,desc\"`" + `
	Count *int32
}`,
		[]record{{int32(1), int32(2), int32(3), int32(4)}}, nil, false, map[mapper.DriftKind]int64{mapper.DriftMissing: 1}, nil,
	},
	{
		"key of the root in another order", rootOfPlaces + `type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	Place int32 ` + "`aml:\",identifier\"`" + `
	ID int32 ` + "`aml:\",discriminator\"`" + `
}`,
		[]record{{int32(1), int32(2), nil, int32(0)}, {int32(2), int32(1), nil, int32(0)}},
		[]record{{int32(1), int32(2), nil, int32(0)}, {int32(2), int32(1), nil, int32(0)}}, false, nil, nil,
	},
	{
		"static value newer than its source", rootOfPlaces + `type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Place int32 ` + "`aml:\",discriminator,desc\"`" + `
	Common int32 ` + "`aml:\",static\"`" + `
}`,
		[]record{{int32(1), int32(2), nil, int32(4)}}, []record{{int32(1), int32(2), nil, int32(5)}}, true,
		map[mapper.DriftKind]int64{mapper.DriftStale: 1}, nil,
	},
	{
		"null instead of a zero", rootOfPlaces + `type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Place int32 ` + "`aml:\",identifier\"`" + `
	Count *int32
}`,
		[]record{{int32(1), int32(2), int32(0), int32(0)}}, []record{{int32(1), int32(2), nil, int32(0)}}, true,
		map[mapper.DriftKind]int64{mapper.DriftStale: 1}, nil,
	},
	{
		"row of stray elements only", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Count *int32
	Tags []int32 ` + "`aml:\",unique\"`" + `
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags []int32 ` + "`aml:\",unique\"`" + `
}`,
		[]record{{int32(1), int32(1), nil}}, nil, true, map[mapper.DriftKind]int64{mapper.DriftStale: 1},
		[]record{{int32(1), int32(1), nil}, {int32(1), int32(1), set{int32(5)}}},
	},
	{
		"elements in the order of the server", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags []int32 ` + "`aml:\",unique\"`" + `
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags []int32 ` + "`aml:\",unique\"`" + `
}`,
		[]record{{int32(1), set{int32(1), int32(2)}}}, []record{{int32(1), set{int32(-1), int32(1)}}}, true,
		map[mapper.DriftKind]int64{mapper.DriftStale: 1}, nil,
	},
}

// Reconcile repairs what was planted, as few rows as possible, and finds nothing afterwards.
func TestReconcileRepairsWhatIsPlanted(t *testing.T) {
	for _, p := range plantedDrift {
		t.Run(p.name, func(t *testing.T) {
			d := newDrifting(t, compiled(t, p.model), rand.New(rand.NewPCG(1, 1)), newTally())
			programs := []gen.Root[projection.Instance]{d.c.OpenPart(d.db(0), true, nil), d.c.OpenPart(d.db(map[bool]int{true: 10, false: -10}[p.later]), false, d.c.Copies)}
			for i, instances := range [][]record{p.roots, p.copies} {
				for _, v := range instances {
					require.NoError(t, gen.Insert(t.Context(), programs[i], &projection.Instance{Row: v}))
				}
			}
			if p.change != nil {
				old, new := &projection.Instance{Row: p.change[0]}, &projection.Instance{Row: p.change[1]}
				require.NoError(t, gen.Change(t.Context(), programs[1], old, new))
			}
			for _, v := range p.roots {
				d.keys[d.c.RootRow(v).Key] = v
			}
			d.now = d.now.Add(time.Hour)
			report, _, _ := d.reconcile()
			require.Equal(t, p.want, report.Found[d.c.Copies[0].Name])
			require.Equal(t, report.Total(), report.Repaired)
			d.check()
		})
	}
}

const tagged = `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags,distinct\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}`

// If two elements share a row, and one is removed while an overlapping writer adds the other, the removal hides the row until a run whose
// repairs are later.
func TestReconcileLeavesSharedRowsOfElements(t *testing.T) {
	d := newDrifting(t, compiled(t, tagged), rand.New(rand.NewPCG(1, 1)), newTally())
	change := func(ahead time.Duration, old, new record) {
		program := d.c.Open(d.db(int(ahead / time.Microsecond)))
		require.NoError(t, gen.Change(t.Context(), program, &projection.Instance{Row: old}, &projection.Instance{Row: new}))
	}
	base := record{int32(1), dict{{"k", "v"}}}
	require.NoError(t, gen.Insert(t.Context(), d.c.Open(d.db(0)), &projection.Instance{Row: base}))
	d.keys[d.c.RootRow(base).Key] = base
	change(time.Hour, base, record{int32(1), nil})
	change(time.Minute, base, record{int32(1), dict{{"k", "v"}, {"l", "v"}}})
	kinds := func(after time.Duration) (out []string) {
		d.now = d.now.Add(after)
		_, found, _ := d.reconcile()
		for _, f := range found {
			out = append(out, f.Kind.String())
		}
		return out
	}
	require.Equal(t, []string{"hidden"}, kinds(30*time.Minute))
	require.Equal(t, []string{"missing"}, kinds(time.Hour))
	d.check()
}

// The TTL of a row that expires begins with the last change of its root that can be read. If the last change was a removal, and its
// batch was lost, the row expires too early, is not reported as missing, and is written again with the next change.
func TestReconcileLeavesExpiredRows(t *testing.T) {
	d := newDrifting(t, compiled(t, `type Root struct {
	aml.Aggregate
	ID int32 `+"`aml:\",identifier\"`"+`
	A, B *int32
}
type Copy struct {
	aml.Aggregate `+"`aml:\",redundant=Root,ttl=2000\"`"+`
	ID int32 `+"`aml:\",identifier\"`"+`
	A, B *int32
}`), rand.New(rand.NewPCG(1, 1)), newTally())
	base, removed := record{int32(1), int32(1), int32(1)}, record{int32(1), int32(1), nil}
	require.NoError(t, gen.Insert(t.Context(), d.c.Open(d.db(0)), &projection.Instance{Row: base}))
	d.now = d.now.Add(1500 * time.Second)
	require.NoError(t, gen.Change(t.Context(), d.c.OpenPart(d.db(0), true, nil), &projection.Instance{Row: base}, &projection.Instance{Row: removed}))
	d.now = d.now.Add(700 * time.Second)
	_, found, _ := d.reconcile()
	require.Empty(t, found)
	require.Empty(t, d.held(d.c.Copies[0]))
	_, err := gen.Update(t.Context(), d.c.Open(d.db(0)), func(v *projection.Instance) error {
		v.Row = record{int32(1), int32(2), nil}
		return nil
	}, d.c.Key(base))
	require.NoError(t, err)
	require.Len(t, d.held(d.c.Copies[0]), 1)
}

// What derives from the key of a root that expires does so with the root.
func TestRepairedRowsExpireWithTheRoot(t *testing.T) {
	d := newDrifting(t, compiled(t, `type Root struct {
	aml.Aggregate `+"`aml:\",ttl=4000\"`"+`
	ID int32 `+"`aml:\",identifier\"`"+`
	Place int32 `+"`aml:\",discriminator\"`"+`
	A *int32
}
type Copy struct {
	aml.Aggregate `+"`aml:\",redundant=Root\"`"+`
	Place int32 `+"`aml:\",identifier\"`"+`
	ID int32 `+"`aml:\",discriminator\"`"+`
}`), rand.New(rand.NewPCG(1, 1)), newTally())
	root := record{int32(1), int32(2), int32(3)}
	require.NoError(t, gen.Insert(t.Context(), d.c.OpenPart(d.db(0), true, nil), &projection.Instance{Row: root}))
	d.now = d.now.Add(1000 * time.Second)
	_, found, _ := d.reconcile()
	require.Len(t, found, 1)
	require.Equal(t, mapper.DriftMissing, found[0].Kind, "%+v", found)
	require.Len(t, d.held(d.c.Copies[0]), 1)
	d.now = d.now.Add(3001 * time.Second)
	require.Empty(t, d.held(d.c.Copies[0]))
}

const renamed = `type Root struct {
	aml.Aggregate ` + "`aml:\"story\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Name string
	Count *int32
}
type Copy struct {
	aml.Aggregate ` + "`aml:\"story_by_name,redundant=Root\"`" + `
	Name string ` + "`aml:\",identifier\"`" + `
	ID int32 ` + "`aml:\",discriminator\"`" + `
	Count *int32
}`

// A release adds a copy while programs of the earlier one still write. A backfill adds the rows and values that it finds, and
// leaves what those programs should have deleted or set to null. Reconcile repairs all of it.
func TestReconcileAfterAMigration(t *testing.T) {
	c := compiled(t, renamed)
	t.Run("memory", func(t *testing.T) { migrates(newDrifting(t, c, rand.New(rand.NewPCG(1, 1)), newTally())) })
	t.Run("node", func(t *testing.T) {
		session := cassandra.Tables(t, c.Schema.Statements()...)
		d := newDrifting(t, c, rand.New(rand.NewPCG(1, 1)), newTally())
		d.now, d.session = time.Now().Add(-time.Hour), &session
		migrates(d)
	})
}

func migrates(d *drifting) {
	ctx, table := d.t.Context(), d.c.Copies[0]
	fill := func() {
		require.NoError(d.t, gen.Fill(ctx, d.c.Open(d.db(0)), table.Name, gen.FillConfig{}, "", func(string) error { return nil }))
	}
	earlier := func(ahead int, old, new record) {
		program := d.c.OpenPart(d.db(ahead), true, nil)
		if d.keys[d.c.RootRow(new).Key] = new; old == nil {
			require.NoError(d.t, gen.Insert(ctx, program, &projection.Instance{Row: new}))
			return
		}
		require.NoError(d.t, gen.Change(ctx, program, &projection.Instance{Row: old}, &projection.Instance{Row: new}))
	}
	one, two := record{int32(1), "a", int32(1)}, record{int32(2), "b", int32(2)}
	earlier(0, nil, one)
	earlier(0, nil, two)
	fill()
	earlier(10, one, record{int32(1), "c", int32(1)})
	earlier(10, two, record{int32(2), "b", nil})
	earlier(10, nil, record{int32(3), "d", int32(3)})
	fill()
	require.Len(d.t, d.held(table), 4, "the row of the earlier name is left")
	d.now = d.now.Add(time.Hour)
	report, _, _ := d.reconcile()
	require.Equal(d.t, map[mapper.DriftKind]int64{mapper.DriftOrphan: 1, mapper.DriftStale: 1}, report.Found[table.Name])
	d.check()
}
