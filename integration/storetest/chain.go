package storetest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/mapper"
)

// Chain writes some jobs by a sequence of random operations. The environment variable JOBS_SEED repeats a chain.
type Chain struct {
	t     *testing.T
	Store *workshop.Store
	Draw
	Jobs []*workshop.Job // the index is the job's number; nil: the job does not exist
	Seed uint64
	Op   string          // the last operation
	Ops  map[string]bool // the operations up to now
}

// NewChain returns a chain whose jobs do not exist yet.
func NewChain(t *testing.T, store *workshop.Store) *Chain {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv("JOBS_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	return &Chain{t: t, Store: store, Draw: Draw{rand.New(rand.NewPCG(seed, 0))}, Jobs: make([]*workshop.Job, 5),
		Seed: seed, Ops: map[string]bool{}}
}

// Present returns the jobs that exist.
func (c *Chain) Present() (jobs []*workshop.Job) {
	for _, j := range c.Jobs {
		if j != nil {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// Step writes one job and reads it. i is the number of the step, for messages.
func (c *Chain) Step(i int) {
	c.t.Helper()
	n := c.IntN(len(c.Jobs))
	key := ChainKey(n)
	err := c.Write(n, key)
	require.NoError(c.t, err, "seed %d, step %d, %s", c.Seed, i, c.Op)
	c.Ops[c.Op] = true
	got, err := GetJob(c.t.Context(), c.Store, key)
	if c.Jobs[n] == nil {
		require.ErrorIs(c.t, err, mapper.ErrNotFound, "seed %d, step %d, %s", c.Seed, i, c.Op)
		return
	}
	require.NoError(c.t, err, "seed %d, step %d, %s", c.Seed, i, c.Op)
	require.Equal(c.t, NewRow(c.Jobs[n]), NewRow(got), "seed %d, step %d, %s", c.Seed, i, c.Op)
}

// Write writes job n, with the key of key, by a random operation.
func (c *Chain) Write(n int, key *workshop.Job) error {
	ctx, old := c.t.Context(), c.Jobs[n]
	switch k := c.IntN(10); {
	case old == nil && k < 8:
		c.Op = "Insert"
		c.Jobs[n] = c.Change(n, key, 30)
		return c.Store.Jobs.Insert(ctx, c.Jobs[n])
	case old == nil:
		c.Op = "Delete of an absent job"
		return DeleteJob(ctx, c.Store, key)
	case k < 2:
		c.Op = "Delete"
		c.Jobs[n] = nil
		return DeleteJob(ctx, c.Store, key)
	case k < 5:
		c.Op = "Change"
		c.Jobs[n] = c.Change(n, old, 1+c.IntN(3))
		return c.Store.Jobs.Change(ctx, old, c.Jobs[n])
	case k < 6:
		c.Op = "Update without a change"
		_, err := TryUpdateJob(ctx, c.Store, key, func(j *workshop.Job) {})
		return err
	}
	c.Op = "Update"
	c.Jobs[n] = c.Change(n, old, 1+c.IntN(3))
	_, err := TryUpdateJob(ctx, c.Store, key, func(j *workshop.Job) { *j = *Changed(c.Jobs[n], nil) })
	return err
}

// ChainKey returns job n with its key and required values only. Some clustering keys are before 1970.
func ChainKey(n int) *workshop.Job {
	return &workshop.Job{
		Site: []string{"Recife", ""}[n%2], Year: int16(n/2 - 1), Opened: time.UnixMilli(int64(n%3-1) * 1234567891).UTC(), ID: JobID(byte(n)),
		Title: "brakes", Due: Date(1970, 1, 1),
	}
}

// Change returns job n after some random changes.
func (c *Chain) Change(n int, old *workshop.Job, changes int) *workshop.Job {
	j := Changed(old, nil)
	for range changes {
		c.field(n, j)
	}
	return j
}

// field changes one field, or an element or a field of it.
func (c *Chain) field(n int, j *workshop.Job) { c.ChangeField(c.IntN(17), n, j) }

// ChangeField changes field number 0 to 16 of job n.
func (c *Chain) ChangeField(field, n int, j *workshop.Job) {
	switch field {
	case 0:
		j.Title = c.Text("brakes", "lamps", "São João")
	case 1:
		j.Due = c.date()
	case 2:
		j.Hours = float64(c.IntN(5)) / 2
	case 3:
		j.Budget = PickOne(c.Draw, nil, inf.NewDec(0, 0), inf.NewDec(-1250, 2), inf.NewDec(7, 0))
	case 4:
		j.Level = PickOne(c.Draw, nil, new(int32(0)), new(int32(-5)))
	case 5:
		j.Sketch = PickOne(c.Draw, nil, []byte{}, []byte{0, 0xff})
	case 6:
		j.Worker = PickOne(c.Draw, nil, c.person())
	case 7, 8:
		if j.Worker != nil {
			j.Worker = c.otherPerson(*j.Worker)
		}
	case 9:
		j.Place = workshop.Place{Street: c.Text("", "Rua"), Door: PickOne(c.Draw, nil, new(int32(1))), Codes: PickOne(c.Draw, nil, []string{}, []string{"x", ""})}
	case 10:
		j.Tools = c.tools(n)
	case 11:
		c.Shuffle(len(j.Tools), func(a, b int) { j.Tools[a], j.Tools[b] = j.Tools[b], j.Tools[a] })
	case 12, 13:
		c.part(j)
	case 14:
		j.Tags = c.Some("night", "urgent", "x'y", "ü")
	case 15:
		j.Notes = PickOne(c.Draw, nil, []string{}, []string{"a", "b", "a"}, []string{"", "a"}, c.Some("a", "b", "c"))
	case 16:
		j.Shifts = PickOne(c.Draw, nil, map[string][]int8{}, map[string][]int8{"mon": {1, -1}, "tue": {}})
	}
}

func (c *Chain) part(j *workshop.Job) {
	number := c.Text("disc", "pad", "lamp", "ø")
	switch {
	case c.IntN(8) == 0:
		j.Parts = PickOne(c.Draw, nil, map[string]workshop.Part{})
	case c.IntN(3) == 0:
		delete(j.Parts, number)
	default:
		if j.Parts == nil {
			j.Parts = map[string]workshop.Part{}
		}
		j.Parts[number] = workshop.Part{Maker: c.Text("Alfa", "Beta"), Price: PickOne(c.Draw, nil, new(int64(0)), new(int64(-1<<40)))}
	}
}

// tools draws from the tools that no other job has. A tool can occur twice, bought on two days or as equal elements.
func (c *Chain) tools(n int) (tools []workshop.Tool) {
	held := map[string]bool{}
	for i, j := range c.Jobs {
		if i == n || j == nil {
			continue
		}
		for _, x := range j.Tools {
			held[x.Serial] = true
		}
	}
	for _, serial := range c.Some("s1", "s2", "s3", "s4", "s5", "s6") {
		if held[serial] {
			continue
		}
		x := workshop.Tool{Serial: serial, Bought: c.date(), Kind: c.Text("", "jack", "saw")}
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

// Draw generates random values.
type Draw struct{ *rand.Rand }

// NewDraw returns a Draw with a new seed, which it logs.
func NewDraw(t *testing.T) Draw {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return Draw{rand.New(rand.NewPCG(seed, 0))}
}

// PickOne returns one of the values.
func PickOne[T any](d Draw, from ...T) T { return from[d.IntN(len(from))] }

// Text returns one of the texts.
func (d Draw) Text(from ...string) string { return PickOne(d, from...) }

func (d Draw) date() time.Time {
	return PickOne(d, Date(1969, 12, 31), Date(1970, 1, 1), Date(2026, 2, 28))
}

// Some returns some of the texts, not all, in random order.
func (d Draw) Some(from ...string) (some []string) {
	for _, i := range d.Perm(len(from))[:d.IntN(len(from))] {
		some = append(some, from[i])
	}
	return some
}

func (d Draw) person() *workshop.Person {
	return &workshop.Person{Name: d.Text("", "Rui", "Ana"), Phone: PickOne(d, nil, new(""), new("555")), Born: PickOne(d, time.Time{}, d.date())}
}

func (d Draw) otherPerson(p workshop.Person) *workshop.Person {
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
