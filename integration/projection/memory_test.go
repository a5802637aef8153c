package projection_test

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/integration/suite"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

var (
	memoryCases   = flag.Int("projection-cases", 200, "the number of random sequences of writes in memory")
	partCases     = flag.Int("projection-part-cases", 100, "the number of random sequences of writes of parts in memory")
	fillCases     = flag.Int("projection-fill-cases", 200, "the number of random sequences of writes that are filled in memory")
	overlapModels = flag.Int("projection-overlap-models", 20, "the number of random models with overlapping writers in memory")
	seed          = flag.Uint64("projection-seed", 1, "the seed of the random models and writes; 0 uses the clock")
)

// imports returns the types of a package that a model imports.
var imports = sync.OnceValues(corpus.Imports)

// accepted returns a random model that is accepted.
func accepted(t *testing.T, r *rand.Rand, prefix string, tally *tally) *projection.Compiled {
	t.Helper()
	return drawn(t, r, prefix, tally, corpus.Projected)
}

// drawn returns a random model of a function that is accepted.
func drawn(t *testing.T, r *rand.Rand, prefix string, tally *tally, draw func(*rand.Rand, string) *corpus.Model) *projection.Compiled {
	t.Helper()
	known, err := imports()
	require.NoError(t, err)
	for {
		c, err := projection.Compile(string(draw(r, prefix).Source()), known)
		if err == nil && len(c.Copies) > 0 {
			return c
		}
		tally.add("models rejected", 1)
	}
}

// tally counts the features of random cases.
type tally struct {
	sync.Mutex
	n map[string]int
}

func newTally() *tally { return &tally{n: map[string]int{}} }

func (c *tally) add(what string, n int) {
	c.Lock()
	defer c.Unlock()
	c.n[what] += n
}

// count adds the features of a case.
func (c *tally) count(m *projection.Compiled, s *projection.Session) {
	c.add("cases", 1)
	has := map[string]bool{"keys that change": s.World.Moves > 0}
	for _, t := range m.Copies {
		r := t.Aggregate.Redundancy
		has["when"] = has["when"] || r.When != nil
		has["shared"] = has["shared"] || r.Shared
		has["distinct"] = has["distinct"] || r.Distinct
		has["ttl"] = has["ttl"] || t.TTL > 0
		has["loops"] = has["loops"] || r.Path != nil
		for _, p := range m.Root.Projections {
			for _, o := range p.Ops {
				has["op "+o.Code.GoString()] = true
			}
		}
	}
	for _, a := range m.Root.Aggregate.Attributes {
		has["final"], has["enum"] = has["final"] || a.Fixed, has["enum"] || a.Enum
	}
	for what, yes := range has {
		if yes {
			c.add(what, 1)
		}
	}
	for op, n := range s.Done {
		c.add("writes: "+op, n)
	}
}

func (c *tally) String() (out string) {
	for _, what := range slices.Sorted(maps.Keys(c.n)) {
		out += fmt.Sprintf("\n%7d %s", c.n[what], what)
	}
	return out
}

// require asserts that every kind of case is frequent enough.
func (c *tally) require(t *testing.T) {
	t.Log(c)
	for what, percent := range map[string]int{"when": 3, "shared": 3, "ttl": 3, "distinct": 3, "keys that change": 10, "loops": 20, "final": 10, "enum": 10,
		"op Split": 3, "op Make": 3, "op MakeIf": 3, "op Each": 3, "op Entry": 3, "op Need": 3, "op NeedTrue": 1, "op NeedOneOf": 3} {
		require.GreaterOrEqual(t, 100*c.n[what], percent*c.n["cases"], what)
	}
	for _, op := range []string{"Insert", "Put", "Update", "Change", "Set", "Element", "Delete", "Refused"} {
		require.GreaterOrEqual(t, 50*c.n["writes: "+op], c.n["cases"], op)
	}
}

func firstSeed(t *testing.T) uint64 {
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("-projection-seed=%d", s)
	return s
}

const casesOfModel = 5 // models differ more than cases of one model

// After any sequence of writes without overlaps, the copies equal the projection of the root, and no write changes a cell
// without need.
func TestCopiesEqualTheProjection(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	models := *memoryCases / casesOfModel
	t.Run("models", func(t *testing.T) {
		for shard := range 4 {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for i := shard; i < models; i += 4 {
					r := rand.New(rand.NewPCG(from, uint64(i)))
					c := accepted(t, r, "", tally)
					for range casesOfModel {
						inMemory(t, c, r, tally)
					}
				}
			})
		}
	})
	tally.require(t)
}

// After any sequence of writes of a part and its root, in one table or in two, the copies of the part equal its projection, and
// no write of one of them changes the other. A Delete of the root deletes all its parts and their copies.
func TestCopiesOfPartsEqualTheProjection(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	r := rand.New(rand.NewPCG(from, 5_000_000))
	for tally.n["cases"] < *partCases {
		c := drawn(t, r, "", tally, corpus.ProjectedPart)
		for range casesOfModel {
			inMemory(t, c, r, tally)
		}
		if c.Owner.Statics {
			tally.add("in the table of the root", casesOfModel)
		}
	}
	t.Log(tally)
	for _, what := range []string{"writes: Put of an owner", "writes: Delete of an owner", "in the table of the root"} {
		require.GreaterOrEqual(t, 20*tally.n[what], tally.n["cases"], what)
	}
	require.Less(t, 10*tally.n["models rejected"], tally.n["cases"])
}

// inMemory runs one case in memory.
func inMemory(t *testing.T, c *projection.Compiled, r *rand.Rand, tally *tally) {
	t.Helper()
	now := time.Unix(1_800_000_000, 0)
	backend := memory.New(memory.Config{Now: func() time.Time { return now }})
	db, err := gen.OpenBackend(t.Context(), backend, c.Descriptors())
	require.NoError(t, err)
	s := projection.NewSession(c, db, r)
	if r.IntN(20) == 0 && c.Expires() {
		s.TTL = 30
	}
	for step := range 3 + r.IntN(6) {
		now = now.Add(10 * time.Microsecond)
		if r.IntN(5) == 0 {
			now = now.Add(time.Duration(r.IntN(30)) * time.Second)
		}
		if err := s.Step(context.Background(), now.UnixMicro()); err != nil {
			t.Fatalf("step %d: %v\n%s", step, err, c.Source)
		}
		differences, err := s.Differences(now.Unix(), 0, cellsOf(backend, now))
		require.NoError(t, err)
		if differences != "" {
			t.Fatalf("step %d: %s\n%s\n%s", step, s.Last, differences, c.Source)
		}
		require.NoError(t, s.Owners(t.Context()))
	}
	tally.count(c, s)
}

// cellsOf reads the cells of tables in memory.
func cellsOf(b *memory.Backend, now time.Time) func(*projection.Table) ([]projection.Cell, error) {
	return func(t *projection.Table) ([]projection.Cell, error) {
		found, err := b.Cells(t.Name)
		var out []projection.Cell
		lists := map[string]uint64{}
		for _, x := range found {
			if !t.Has(x.Column) {
				continue // of the root, whose table has the part
			}
			c := projection.Cell{Key: x.Key, Value: string(x.Value), At: x.Timestamp}
			c.Column, c.Path, c.Static = x.Column, hex.EncodeToString(x.Path), t.Static(x.Column)
			if t.List(x.Column) { // list elements have an order but no stable key
				c.Path = fmt.Sprintf("%016x", lists[x.Key+" "+x.Column])
				lists[x.Key+" "+x.Column]++
			}
			if x.TTL > 0 {
				c.Expires = now.Unix() + int64(x.TTL)
			}
			out = append(out, c)
		}
		return out, err
	}
}

func TestMain(m *testing.M) { suite.Main(m) }
