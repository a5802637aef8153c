package projection_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

type (
	record = projection.Record
	list   = projection.List
	set    = projection.Set
	entry  = projection.Entry
	dict   = projection.Map
)

// anomaly is a copy that differs from the projection after two concurrent writes of one instance.
type anomaly struct {
	name  string
	model string // the structs; Root has no table names
	base  record
	early record // written with the earlier timestamp, in both orders
	late  record
	why   string // part of the warning
}

var anomalies = []anomaly{
	{
		"over a list", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags []string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}`,
		record{int32(1), list{"a"}}, record{int32(1), list{"a", "b"}}, record{int32(1), list{"a", "c"}}, "follow from a list",
	},
	{
		"key that can change", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	Name string ` + "`aml:\",identifier\"`" + `
	ID int32 ` + "`aml:\",discriminator\"`" + `
}`,
		record{int32(1), "a"}, record{int32(1), "b"}, record{int32(1), "c"}, "its key column name can change",
	},
	{
		"cell that derives from several", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	A, B string
}
type Pair struct { A, B string }
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Both Pair ` + "`aml:\",composition,final,from=Root\"`" + `
}`,
		record{int32(1), "a", "a"}, record{int32(1), "b", "a"}, record{int32(1), "a", "c"}, "one cell that is derived from several",
	},
	{
		"field of a UDT that derives from several", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
}
type Part struct { Tags map[string]struct{} }
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Part Part ` + "`aml:\",composition,from=Root\"`" + `
}`,
		record{int32(1), nil}, record{int32(1), set{"a"}}, record{int32(1), set{"b"}}, "one cell that is derived from several",
	},
	{
		"when= with columns", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Shown bool
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root,when=Root.Shown\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Name string
}`,
		record{int32(1), true, "a"}, record{int32(1), false, "a"}, record{int32(1), true, "b"}, "on when= and have columns",
	},
	{
		"when= of several cells", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root,when=Root.Tags\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
}`,
		record{int32(1), set{"a", "b"}}, record{int32(1), set{"b"}}, record{int32(1), set{"a"}}, "a value of several cells",
	},
	{
		"field and element", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	City string
	Tags map[string]struct{}
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
	City string ` + "`aml:\",from=Root.City\"`" + `
}`,
		record{int32(1), "x", nil}, record{int32(1), "y", nil}, record{int32(1), "x", set{"a"}}, "a field of Root outside the element",
	},
	{
		"when= and element", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Shown bool
	Tags map[string]struct{}
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags,when=Root.Shown\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}`,
		record{int32(1), true, nil}, record{int32(1), true, set{"a"}}, record{int32(1), false, nil}, "depends on a field of Root outside the element",
	},
	{
		"elements that share a row", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Phones map[string]Phone ` + "`aml:\",composition\"`" + `
}
type Phone struct { Kind string }
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Phones,distinct\"`" + `
	ID int32 ` + "`aml:\",identifier,from=Root.ID\"`" + `
}`,
		record{int32(1), dict{entry{"a", record{"x"}}, entry{"b", record{"x"}}}},
		record{int32(1), dict{entry{"b", record{"x"}}}}, record{int32(1), dict{entry{"a", record{"x"}}}}, "two elements can have the same row",
	},
	{
		"condition that is null or false", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Open *bool
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root,when=Root.Open\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
}`,
		record{int32(1), nil}, record{int32(1), true}, record{int32(1), false}, "a write can change Root.Open",
	},
	{
		"condition in a frozen composition", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	State State ` + "`aml:\",composition,final\"`" + `
}
type State struct {
	aml.ValueObject
	Open  bool
	Since string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root,when=Root.State.Open\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
}`,
		record{int32(1), record{false, "a"}}, record{int32(1), record{true, "a"}}, record{int32(1), record{false, "b"}}, "a write can change Root.State.Open",
	},
	{
		"condition in a composition that can be null", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	State *State ` + "`aml:\",composition\"`" + `
}
type State struct {
	aml.ValueObject
	Open  *string
	Since string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root,when=Root.State.Open\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
}`,
		record{int32(1), nil}, record{int32(1), record{"x", "a"}}, record{int32(1), record{nil, "b"}}, "a write can change Root.State.Open",
	},
	{
		"condition in a map entry", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	Rooms map[string]Room ` + "`aml:\",composition\"`" + `
}
type Room struct {
	aml.ValueObject
	Open  bool
	Since string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Rooms,when=Root.Rooms.Open\"`" + `
	ID int32 ` + "`aml:\",identifier,from=Root.ID\"`" + `
	Room string ` + "`aml:\",discriminator,from=Root.Rooms.$key\"`" + `
}`,
		record{int32(1), nil}, record{int32(1), dict{entry{"a", record{true, "a"}}}}, record{int32(1), dict{entry{"a", record{false, "b"}}}},
		"a write can change Root.Rooms.Open",
	},
	{
		"rows that expire", `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	A, B string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root,ttl=60\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	A, B string
}`,
		record{int32(1), "a", "a"}, record{int32(1), "b", "a"}, record{int32(1), "a", "c"}, "its rows expire",
	},
	{
		"root that expires", `type Root struct {
	aml.Aggregate ` + "`aml:\",ttl=60\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	Tags map[string]struct{}
	Name string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root.Tags\"`" + `
	Tag string ` + "`aml:\",identifier,from=Root.Tags.$value\"`" + `
	ID int32 ` + "`aml:\",discriminator,from=Root.ID\"`" + `
}`,
		record{int32(1), nil, "a"}, record{int32(1), set{"x"}, "a"}, record{int32(1), nil, "b"}, "rows of Root expire",
	},
}

func compiled(t *testing.T, structs string) *projection.Compiled {
	t.Helper()
	known, err := imports()
	require.NoError(t, err)
	c, err := projection.Compile("package anomaly\n\nimport \"github.com/cassaml/cassaml/aml\"\n\n"+structs+"\n", known)
	require.NoError(t, err)
	return c
}

// For each kind of copy that the model warns about, two writers leave an incorrect copy in at least one order: the warning
// is not too strong.
func TestAnomalies(t *testing.T) {
	for _, a := range anomalies {
		t.Run(a.name, func(t *testing.T) {
			c := compiled(t, a.model)
			table := c.Copies[0]
			require.False(t, c.Converges(table), "there is no warning")
			require.Contains(t, c.Warning(table), a.why)
			wrong := 0
			for _, first := range []bool{true, false} {
				o := newOverlap(t, c)
				o.insert(0, a.base)
				if first {
					o.change(10, a.base, a.early)
				}
				o.change(12, a.base, a.late)
				if !first {
					o.change(10, a.base, a.early)
				}
				want, problem := o.projected(table, o.root(a.base))
				require.Empty(t, problem)
				if !slices.Equal(want, o.held(table)) {
					wrong++
				}
			}
			require.Positive(t, wrong, "the copy is correct in both orders")
		})
	}
}

const converging = `type Root struct {
	aml.Aggregate
	ID int32 ` + "`aml:\",identifier\"`" + `
	A, B string
	C *string
}
type Copy struct {
	aml.Aggregate ` + "`aml:\",redundant=Root\"`" + `
	ID int32 ` + "`aml:\",identifier\"`" + `
	A, B string
	C *string
}`

// A delete that overlaps an update leaves a row with the updated cells, in the root and in its copy, also for the kinds that
// converge.
func TestDeleteThatOverlapsAnUpdate(t *testing.T) {
	c := compiled(t, converging)
	require.True(t, c.Converges(c.Copies[0]))
	o := newOverlap(t, c)
	base := record{int32(1), "a", "a", nil}
	o.insert(0, base)
	require.NoError(t, gen.Delete(t.Context(), o.at(10), c.Key(base)))
	o.change(12, base, record{int32(1), "b", "a", nil})
	require.Equal(t, record{int32(1), "b", nil, nil}, o.root(base), "the deleted row has the updated cell")
	require.Equal(t, []string{"row id=1", "row id=1: a[] = 62"}, o.held(c.Copies[0]))
}

// A Delete that has not read an element that a concurrent writer adds leaves the row of that element if the key of the copy
// does not start with the key of the root. The model warns about it.
func TestDeleteLeavesTheRowsOfConcurrentWrites(t *testing.T) {
	c := compiled(t, `type Root struct {
	aml.Aggregate
	ID int32 `+"`aml:\",identifier\"`"+`
	Tags map[string]struct{}
}
type ByTag struct {
	aml.Aggregate `+"`aml:\",redundant=Root.Tags\"`"+`
	Tag string `+"`aml:\",identifier,from=Root.Tags.$value\"`"+`
	ID int32 `+"`aml:\",discriminator,from=Root.ID\"`"+`
}
type OfRoot struct {
	aml.Aggregate `+"`aml:\",redundant=Root.Tags\"`"+`
	ID int32 `+"`aml:\",identifier,from=Root.ID\"`"+`
	Tag string `+"`aml:\",discriminator,from=Root.Tags.$value\"`"+`
}`)
	require.Contains(t, c.Warning(c.Copies[0]), "a Delete does not remove a row that a concurrent write adds")
	require.Empty(t, c.Warning(c.Copies[1]))
	o := newOverlap(t, c)
	base := record{int32(1), set{"a"}}
	o.insert(0, base)
	require.NoError(t, gen.Delete(t.Context(), o.at(12), c.Key(base)))
	o.change(10, base, record{int32(1), set{"a", "b"}})
	require.Nil(t, o.root(base))
	require.Equal(t, []string{"row tag='b', id=1"}, o.held(c.Copies[0]))
}

// A Delete removes all rows of a copy whose key starts with the key of the root, also rows of a write that it has not read,
// in a partition and in a range of a partition.
func TestDeleteRemovesTheRowsOfConcurrentWrites(t *testing.T) {
	c := compiled(t, `type Root struct {
	aml.Aggregate
	Hall string `+"`aml:\",identifier\"`"+`
	ID int32 `+"`aml:\",discriminator\"`"+`
	Tags map[string]struct{}
}
type InPartition struct {
	aml.Aggregate `+"`aml:\",redundant=Root.Tags\"`"+`
	ID int32 `+"`aml:\",identifier,from=Root.ID\"`"+`
	Hall string `+"`aml:\",identifier,from=Root.Hall\"`"+`
	Tag string `+"`aml:\",discriminator,from=Root.Tags.$value\"`"+`
}
type InRange struct {
	aml.Aggregate `+"`aml:\",redundant=Root.Tags\"`"+`
	Hall string `+"`aml:\",identifier,from=Root.Hall\"`"+`
	ID int32 `+"`aml:\",discriminator,from=Root.ID\"`"+`
	Tag string `+"`aml:\",discriminator,from=Root.Tags.$value\"`"+`
}`)
	o := newOverlap(t, c)
	base, other := record{"north", int32(1), set{"a"}}, record{"north", int32(2), set{"a"}}
	o.insert(0, base)
	o.insert(2, other)
	require.NoError(t, gen.Delete(t.Context(), o.at(12), c.Key(base)))
	o.change(10, base, record{"north", int32(1), set{"a", "b"}})
	require.Nil(t, o.root(base))
	require.Equal(t, []string{"row id=2, hall='north', tag='a'"}, o.held(c.Copies[0]))
	require.Equal(t, []string{"row hall='north', id=2, tag='a'"}, o.held(c.Copies[1]))
}

// An Insert over an existing row leaves its old cells, and its copies under their old keys.
func TestInsertOverAnExistingRow(t *testing.T) {
	c := compiled(t, anomalies[1].model)
	o := newOverlap(t, c)
	o.insert(0, record{int32(1), "a"})
	o.insert(10, record{int32(1), "b"})
	require.Equal(t, []string{"row name='a', id=1", "row name='b', id=1"}, o.held(c.Copies[0]))

	c = compiled(t, converging)
	o = newOverlap(t, c)
	o.insert(0, record{int32(1), "a", "a", "old"})
	o.insert(10, record{int32(1), "b", "b", nil})
	require.Equal(t, record{int32(1), "b", "b", "old"}, o.root(record{int32(1)}), "an insert does not write absent values")
	require.Contains(t, o.held(c.Copies[0]), "row id=1: c[] = 6f6c64")
}

// Values that an update removes are deleted at the time of the update, so an earlier write that arrives later does not
// restore them. Unchanged values are not deleted.
func TestAbsentValuesAreDeleted(t *testing.T) {
	c := compiled(t, converging)
	o := newOverlap(t, c)
	base := record{int32(1), "a", "a", "c"}
	o.insert(0, base)
	o.change(12, base, record{int32(1), "a", "a", nil})
	o.change(10, base, record{int32(1), "a", "late", "late"})
	require.Equal(t, record{int32(1), "a", "late", nil}, o.root(base))
	require.Equal(t, []string{"row id=1", "row id=1: a[] = 61", "row id=1: b[] = 6c617465"}, o.held(c.Copies[0]))
}

// The result of a method may depend on any field: after two overlapping writes it can equal the result of neither.
func TestMethodThatOverlaps(t *testing.T) {
	p, err := load.Load(t.Context(), "computed")
	require.NoError(t, err)
	_, found := model.Build(p)
	warned := map[string]string{}
	for _, d := range found {
		if d.Rule.Code == model.RuleOverlap.Code {
			warned[strings.Fields(strings.TrimPrefix(d.What, "concurrent writers can leave "))[0]] = d.What
		}
	}
	require.Contains(t, warned["videos_by_hour"], "computed by a method")
	require.Contains(t, warned["posts_by_word"], "computed by a method")
	require.Contains(t, warned["legs"], "computed by a method")
	require.Contains(t, warned["tasks_to_do"], "a method, which can read several fields, decides whether a row exists")

	backend := memory.New(memory.Config{})
	store, err := computed.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	stamped := func(after int64) *computed.Store {
		s, err := computed.OpenBackend(t.Context(), backend, mapper.Config{Now: func() time.Time { return time.UnixMicro(firstWrite + after) }})
		require.NoError(t, err)
		return s
	}
	base := &computed.Video{ID: 1, Minutes: 1, Title: "a"}
	at := func(after int64) computed.VideosTable { return stamped(after).Videos }
	require.NoError(t, at(0).Insert(t.Context(), base))
	require.NoError(t, at(10).Change(t.Context(), base, &computed.Video{ID: 1, Minutes: 1, Title: "b"}))
	require.NoError(t, at(12).Change(t.Context(), base, &computed.Video{ID: 1, Minutes: 2, Title: "a"}))
	root, err := store.Videos.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, &computed.Video{ID: 1, Minutes: 2, Title: "b"}, root)
	copied, err := store.VideosByHour.Get(t.Context(), 0, 1)
	require.NoError(t, err)
	require.Equal(t, "b", copied.Title)
	require.Equal(t, "B", *copied.Label, "the method reads the title alone, so only a change of the title writes its result")

	task := &computed.Task{ID: 1, Open: true}
	write := func(after int64) computed.TasksTable { return stamped(after).Tasks }
	require.NoError(t, write(0).Insert(t.Context(), task))
	require.NoError(t, write(10).Change(t.Context(), task, &computed.Task{ID: 1, Open: true, Mine: true}))
	require.NoError(t, write(12).Change(t.Context(), task, &computed.Task{ID: 1}))
	task, err = store.Tasks.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, &computed.Task{ID: 1, Mine: true}, task)
	_, err = store.TasksToDo.Get(t.Context(), 1)
	require.NoError(t, err, "the row of a closed task")
}
