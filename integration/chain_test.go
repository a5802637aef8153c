package integration

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/jobmodel"
	"github.com/cassaml/cassaml/mapper"
)

// After every write of a random chain, every table holds what follows from the jobs. WORKSHOP_SEED plays a chain again.
func TestRandomWrites(t *testing.T) {
	t.Parallel()
	session := jobKeyspace(t)
	c := newChain(t, openJobs(t, session, mapper.Config{}))
	for i := 0; i < 150 || len(c.ops) < 6; i++ { // on until there was each operation
		c.step(i)
		requireTables(t, session, c.present(), "seed %d, step %d, %s", c.seed, i, c.op)
	}
}

// chain is a number of jobs, written by one random operation after the other.
type chain struct {
	t     *testing.T
	store *jobmodel.Store
	draw
	jobs []*jobmodel.Job // by number; nil: not there
	seed uint64
	op   string          // the last
	ops  map[string]bool // all that there were
}

func newChain(t *testing.T, store *jobmodel.Store) *chain {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("WORKSHOP_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	return &chain{t: t, store: store, draw: draw{rand.New(rand.NewPCG(seed, 0))}, jobs: make([]*jobmodel.Job, 5),
		seed: seed, ops: map[string]bool{}}
}

func (c *chain) present() (jobs []*jobmodel.Job) {
	for _, j := range c.jobs {
		if j != nil {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// step writes one job, and reads it back.
func (c *chain) step(i int) {
	c.t.Helper()
	n := c.IntN(len(c.jobs))
	key := chainKey(n)
	err := c.write(n, key)
	require.NoError(c.t, err, "seed %d, step %d, %s", c.seed, i, c.op)
	c.ops[c.op] = true
	got, err := get(c.t.Context(), c.store, key)
	if c.jobs[n] == nil {
		require.ErrorIs(c.t, err, mapper.ErrNotFound, "seed %d, step %d, %s", c.seed, i, c.op)
		return
	}
	require.NoError(c.t, err, "seed %d, step %d, %s", c.seed, i, c.op)
	require.Equal(c.t, jobRow(c.jobs[n]), jobRow(got), "seed %d, step %d, %s", c.seed, i, c.op)
}

func (c *chain) write(n int, key *jobmodel.Job) error {
	ctx, old := c.t.Context(), c.jobs[n]
	switch k := c.IntN(10); {
	case old == nil && k < 8:
		c.op = "Insert"
		c.jobs[n] = c.change(n, key, 30)
		return c.store.Jobs.Insert(ctx, c.jobs[n])
	case old == nil:
		c.op = "Delete of nothing"
		return remove(ctx, c.store, key)
	case k < 2:
		c.op = "Delete"
		c.jobs[n] = nil
		return remove(ctx, c.store, key)
	case k < 5:
		c.op = "Change"
		c.jobs[n] = c.change(n, old, 1+c.IntN(3))
		return c.store.Jobs.Change(ctx, old, c.jobs[n])
	case k < 6:
		c.op = "Update without a change"
		_, err := tryUpdate(ctx, c.store, key, func(j *jobmodel.Job) {})
		return err
	}
	c.op = "Update"
	c.jobs[n] = c.change(n, old, 1+c.IntN(3))
	_, err := tryUpdate(ctx, c.store, key, func(j *jobmodel.Job) { *j = *with(c.jobs[n], nil) })
	return err
}

// Two writers that know one value and overlap leave every copy as it follows from what the job is then, whichever lands
// first and whichever has the later timestamp: as long as no key changes, in every cell that derives from one cell of the
// job. The hours of a part's row do not: beside the part, they are the job's.
func TestOverlappingWritersConverge(t *testing.T) {
	t.Parallel()
	session := jobKeyspace(t)
	now := time.UnixMicro(1_700_000_000_000_000)
	first := openJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return now }})
	c := newChain(t, first)
	base := with(brakes(), func(j *jobmodel.Job) { j.Tools = nil })
	insert(t, first, base)
	change := func(j *jobmodel.Job) {
		for range 1 + c.IntN(6) {
			c.fieldOf(pickOne(c.draw, 3, 4, 5, 7, 9, 12, 12, 12, 12, 14, 14, 15, 16), 0, j)
		}
	}
	for i := range 100 {
		now = now.Add(time.Second)
		times := []time.Time{now.Add(time.Millisecond), now.Add(2 * time.Millisecond)}
		c.Shuffle(2, func(a, b int) { times[a], times[b] = times[b], times[a] })
		for _, at := range times {
			store := openJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return at }})
			require.NoError(t, store.Jobs.Change(t.Context(), base, with(base, change)))
		}
		merged, err := get(t.Context(), first, base)
		require.NoError(t, err)
		want, got := derive(t, []*jobmodel.Job{merged}), held(t, session)
		for _, side := range []tables{want, got} {
			for _, r := range side["parts_by_number"] {
				delete(r, "hours")
			}
		}
		requireSame(t, want, got, "seed %d, round %d", c.seed, i)
		base = merged
	}
}

// chainKey returns a job that has nothing but its key, what must not be absent, and a clustering key before 1970.
func chainKey(n int) *jobmodel.Job {
	return &jobmodel.Job{
		Site: []string{"Recife", ""}[n%2], Year: int16(n/2 - 1), Opened: time.UnixMilli(int64(n%3-1) * 1234567891).UTC(), ID: jobID(byte(n)),
		Title: "brakes", Due: day(1970, 1, 1),
	}
}

// change returns job n after some random changes.
func (c *chain) change(n int, old *jobmodel.Job, changes int) *jobmodel.Job {
	j := with(old, nil)
	for range changes {
		c.field(n, j)
	}
	return j
}

// field changes one field, or an element or a field of it.
func (c *chain) field(n int, j *jobmodel.Job) { c.fieldOf(c.IntN(17), n, j) }

func (c *chain) fieldOf(field, n int, j *jobmodel.Job) {
	switch field {
	case 0:
		j.Title = c.text("brakes", "lamps", "São João")
	case 1:
		j.Due = c.date()
	case 2:
		j.Hours = float64(c.IntN(5)) / 2
	case 3:
		j.Budget = pickOne(c.draw, nil, inf.NewDec(0, 0), inf.NewDec(-1250, 2), inf.NewDec(7, 0))
	case 4:
		j.Level = pickOne(c.draw, nil, new(int32(0)), new(int32(-5)))
	case 5:
		j.Sketch = pickOne(c.draw, nil, []byte{}, []byte{0, 0xff})
	case 6:
		j.Worker = pickOne(c.draw, nil, c.person())
	case 7, 8:
		if j.Worker != nil {
			j.Worker = c.otherPerson(*j.Worker)
		}
	case 9:
		j.Place = jobmodel.Place{Street: c.text("", "Rua"), Door: pickOne(c.draw, nil, new(int32(1))), Codes: pickOne(c.draw, nil, []string{}, []string{"x", ""})}
	case 10:
		j.Tools = c.tools(n)
	case 11:
		c.Shuffle(len(j.Tools), func(a, b int) { j.Tools[a], j.Tools[b] = j.Tools[b], j.Tools[a] })
	case 12, 13:
		c.part(j)
	case 14:
		j.Tags = c.some("night", "urgent", "x'y", "ü")
	case 15:
		j.Notes = pickOne(c.draw, nil, []string{}, []string{"a", "b", "a"}, []string{"", "a"}, c.some("a", "b", "c"))
	case 16:
		j.Shifts = pickOne(c.draw, nil, map[string][]int8{}, map[string][]int8{"mon": {1, -1}, "tue": {}})
	}
}

func (c *chain) part(j *jobmodel.Job) {
	number := c.text("disc", "pad", "lamp", "ø")
	switch {
	case c.IntN(8) == 0:
		j.Parts = pickOne(c.draw, nil, map[string]jobmodel.Part{})
	case c.IntN(3) == 0:
		delete(j.Parts, number)
	default:
		if j.Parts == nil {
			j.Parts = map[string]jobmodel.Part{}
		}
		j.Parts[number] = jobmodel.Part{Maker: c.text("Alfa", "Beta"), Price: pickOne(c.draw, nil, new(int64(0)), new(int64(-1<<40)))}
	}
}

// tools draws from those that no other job holds. One may be there twice, bought on two days or as equal elements.
func (c *chain) tools(n int) (tools []jobmodel.Tool) {
	held := map[string]bool{}
	for i, j := range c.jobs {
		if i == n || j == nil {
			continue
		}
		for _, x := range j.Tools {
			held[x.Serial] = true
		}
	}
	for _, serial := range c.some("s1", "s2", "s3", "s4", "s5", "s6") {
		if held[serial] {
			continue
		}
		x := jobmodel.Tool{Serial: serial, Bought: c.date(), Kind: c.text("", "jack", "saw")}
		tools = append(tools, x)
		switch c.IntN(5) {
		case 0:
			tools = append(tools, x)
		case 1:
			x.Bought = x.Bought.AddDate(0, 0, 1)
			tools = append(tools, x)
		}
	}
	return tools
}

// draw draws values.
type draw struct{ *rand.Rand }

func pickOne[T any](d draw, from ...T) T { return from[d.IntN(len(from))] }

func (d draw) text(from ...string) string { return pickOne(d, from...) }

func (d draw) date() time.Time {
	return pickOne(d, day(1969, 12, 31), day(1970, 1, 1), day(2026, 2, 28))
}

// some draws a part of what there is, in any order.
func (d draw) some(from ...string) (some []string) {
	for _, i := range d.Perm(len(from))[:d.IntN(len(from))] {
		some = append(some, from[i])
	}
	return some
}

func (d draw) person() *jobmodel.Person {
	return &jobmodel.Person{Name: d.text("", "Rui", "Ana"), Phone: pickOne(d, nil, new(""), new("555")), Born: pickOne(d, time.Time{}, d.date())}
}

func (d draw) otherPerson(p jobmodel.Person) *jobmodel.Person {
	switch other := d.person(); d.IntN(3) {
	case 0:
		p.Name = other.Name
	case 1:
		p.Phone = other.Phone
	default:
		p.Born = other.Born
	}
	return &p
}
