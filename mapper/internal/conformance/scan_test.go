package conformance

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

var (
	scanCases     = flag.Int("scan.cases", 300, "the number of random scans of the memory backend")
	scanNodeCases = flag.Int("scan.node-cases", 8, "the number of random scans of a node, which are compared with the memory backend")
	scanSeed      = flag.Uint64("scan.seed", 0, "the seed of random scans; 0 chooses one")
)

// smallPages is a backend whose pages have few rows.
type smallPages struct {
	store.Backend
	size atomic.Int64 // rows of a page
}

var errKilled = errors.New("the process is killed")

func (s *smallPages) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	inner, err := s.Backend.Open(ctx, schema)
	return pagedStore{inner, s}, err
}

// pagedStore is a store of smallPages.
type pagedStore struct {
	store.Store
	of *smallPages
}

func (p pagedStore) Page(ctx context.Context, r store.Read, state []byte) (store.Page, error) {
	r.PageSize = int(p.of.size.Load())
	return p.Store.Page(ctx, r, state)
}

// scanModel is the keys of the jobs of a store, by partition.
type scanModel struct {
	rng   *rand.Rand
	store *workshop.Store
	pages *smallPages
	rows  map[string]int // by partition
	total int
}

func partitionOf(j *workshop.Job) string { return fmt.Sprint(j.Site, j.Year) }

func keyOf(j *workshop.Job) string { return fmt.Sprint(j.Site, j.Year, j.Opened, j.ID) }

// newScanModel inserts jobs in partitions of 1 to 20 rows.
func newScanModel(t *testing.T, rng *rand.Rand, backend store.Backend) *scanModel {
	t.Helper()
	m := &scanModel{rng: rng, pages: &smallPages{Backend: backend}, rows: map[string]int{}}
	var err error
	m.store, err = workshop.OpenBackend(t.Context(), m.pages)
	require.NoError(t, err)
	for i := range 24 {
		for n := range 1 + rng.IntN(3)*rng.IntN(10) {
			j := &workshop.Job{Site: fmt.Sprint("site ", i), Year: 2026, Opened: storetest.Opened(1 + n%3), ID: storetest.JobID(byte(n)), Title: "shelf", Due: storetest.Date(2026, 1, 1), Place: workshop.Place{Street: "Rua"}}
			require.NoError(t, m.store.Jobs.Insert(t.Context(), j))
			m.rows[partitionOf(j)]++
			m.total++
		}
	}
	return m
}

// recording is one run of a scan, and what it has read.
type recording struct {
	mu         sync.Mutex
	seen       map[string]int // rows, by key
	partitions map[string]int // rows, by partition
	left       int            // rows before the callback fails; -1: it never fails
	ended      bool
	killed     bool // when it ends, it cannot save a checkpoint anymore
	checkpoint string
}

func (r *recording) use(_ context.Context, j *workshop.Job) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended = r.ended || r.left == 0; r.ended {
		return errKilled
	}
	r.left--
	r.seen[keyOf(j)]++
	r.partitions[partitionOf(j)]++
	return nil
}

func (r *recording) save(checkpoint string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended || !r.killed {
		r.checkpoint = checkpoint
	}
	return nil
}

// run carries out a scan that ends after some rows, and returns what it has read.
func (m *scanModel) run(t *testing.T, c mapper.ScanConfig, from string, rows int, killed bool) (*recording, error) {
	t.Helper()
	r := &recording{seen: map[string]int{}, partitions: map[string]int{}, left: rows, killed: killed, checkpoint: from}
	c.Checkpoint, c.SaveCheckpoint = from, r.save
	return r, m.store.Jobs.Scan(t.Context(), c, r.use)
}

// check carries out a scan with random slices, which is killed and continued until it ends. Each row is read. A process that is
// not killed reads whole partitions, each row once.
func (m *scanModel) check(t *testing.T) {
	t.Helper()
	c := mapper.ScanConfig{Slices: 1 + m.rng.IntN(12), Parallel: 1 + m.rng.IntN(3)}
	m.pages.size.Store(int64(1 + m.rng.IntN(7)))
	all, from := map[string]bool{}, ""
	for kills := m.rng.IntN(4); ; kills-- {
		rows := m.rng.IntN(m.total)
		if kills <= 0 {
			rows = -1
		}
		r, err := m.run(t, c, from, rows, m.rng.IntN(2) == 0)
		for key, n := range r.seen {
			all[key] = true
			require.Equal(t, 1, n, key)
		}
		if !r.ended {
			require.NoError(t, err)
			for p, n := range r.partitions {
				require.Equal(t, m.rows[p], n, "%s is cut", p)
			}
			break
		}
		require.ErrorIs(t, err, errKilled)
		from = r.checkpoint
		c.Parallel, c.Slices = 1+m.rng.IntN(3), []int{0, c.Slices}[m.rng.IntN(2)]
		if from == "" && c.Slices == 0 {
			c.Slices = 3
		}
	}
	require.Len(t, all, m.total)
}

func scanRandom(t *testing.T) *rand.Rand {
	t.Helper()
	seed := *scanSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-scan.seed=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// A scan that is killed anywhere, and continued from its last checkpoint, reads every row.
func TestScansContinue(t *testing.T) {
	t.Parallel()
	rng := scanRandom(t)
	for range max(1, *scanCases/100) {
		m := newScanModel(t, rng, memory.New(memory.Config{}))
		for range min(100, *scanCases) {
			m.check(t)
		}
	}
}

// A node and the memory backend return the same pages of each slice.
func TestScansOfANodeContinue(t *testing.T) {
	t.Parallel()
	pair := NewPair(storetest.JobKeyspace(t).Session, memory.Config{})
	m := newScanModel(t, scanRandom(t), pair)
	for range *scanNodeCases {
		m.check(t)
	}
	m.order(t)
	r, err := pair.Compare(t.Context())
	require.NoError(t, err)
	require.Empty(t, r.Differences)
}

// order returns the keys in the order of All.
func (m *scanModel) order(t *testing.T) (keys []string) {
	t.Helper()
	for j, err := range m.store.Jobs.All(t.Context(), mapper.ScanConfig{}) {
		require.NoError(t, err)
		keys = append(keys, keyOf(j))
	}
	require.Len(t, keys, m.total)
	return keys
}

// A scan that ends after every number of rows, which is at every row of every page, and continues, reads every row. If it could save its
// last checkpoint, it reads again only the partition that was cut, and otherwise only those of the last page, too.
func TestScanContinuesAfterEachRow(t *testing.T) {
	t.Parallel()
	m := newScanModel(t, scanRandom(t), memory.New(memory.Config{}))
	order := m.order(t)
	for _, size := range []int{1, 3, 10} {
		m.pages.size.Store(int64(size))
		for n := range m.total {
			killed := n%2 == 0
			first, err := m.run(t, mapper.ScanConfig{Slices: 5, Parallel: 1}, "", n, killed)
			require.ErrorIs(t, err, errKilled)
			rest, err := m.run(t, mapper.ScanConfig{Parallel: 1, Slices: 5}, first.checkpoint, -1, false)
			require.NoError(t, err)
			for i, key := range order {
				require.Equal(t, i < n, first.seen[key] == 1, "a scan of one goroutine has the order of tokens")
				require.True(t, i < n || rest.seen[key] == 1, "%s is missed after %d rows", key, n)
			}
			again := 1
			if killed {
				again += size
			}
			require.LessOrEqual(t, cutPartitions(first, rest), again, "after %d rows", n)
		}
	}
}

// cutPartitions returns the number of partitions of which both scans have rows.
func cutPartitions(first, rest *recording) (n int) {
	for p := range first.partitions {
		if rest.partitions[p] > 0 {
			n++
		}
	}
	return n
}
