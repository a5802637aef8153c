package projection_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
		[]record{{int32(1), int32(2), int32(3), int32(4)}}, nil, false, map[mapper.DriftKind]int64{mapper.Missing: 1}, nil,
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
		map[mapper.DriftKind]int64{mapper.Stale: 1}, nil,
	},
	{
		"null instead of a zero", rootOfPlaces + `type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Place int32 ` + "`aml:\",identifier\"`" + `
	Count *int32
}`,
		[]record{{int32(1), int32(2), int32(0), int32(0)}}, []record{{int32(1), int32(2), nil, int32(0)}}, true,
		map[mapper.DriftKind]int64{mapper.Stale: 1}, nil,
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
		[]record{{int32(1), int32(1), nil}}, nil, true, map[mapper.DriftKind]int64{mapper.Stale: 1},
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
		map[mapper.DriftKind]int64{mapper.Stale: 1}, nil,
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
