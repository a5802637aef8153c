package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// workers is the number of sequences that run concurrently.
const workers = 16

// Check sends random sequences of writes to the session's keyspace, which has the tables of Schema, and to a memory backend.
// It compares every remaining cell and row, by all ways of reading. Each sequence has its own partition. An error is an
// error of the session; differences are in the report.
func Check(ctx context.Context, session *gocql.Session, seed uint64, sequences int) (*Report, error) {
	backend := memory.New(memory.Config{})
	local, err := backend.Open(ctx, &descriptor.Schema{Types: []*descriptor.Type{pairType}, Tables: []*descriptor.Table{(*descriptor.Table)(cellsTable), (*descriptor.Table)(singleTable)}})
	if err != nil {
		return nil, err
	}
	c := &checker{both: both{session: session, server: store.CQL{Session: gocqldriver.New(gocqlx.NewSession(session))}, backend: backend, local: local}, start: time.Now().Add(-time.Hour).UnixMicro(), report: &Report{Seed: seed}}
	var work sync.WaitGroup
	for w := range workers {
		work.Go(func() {
			for i := w; i < sequences && c.healthy(); i += workers {
				c.done(c.run(ctx, seed, int32(i)))
			}
		})
	}
	work.Wait()
	if c.err == nil {
		c.done(c.compareStamped(ctx))
	}
	return c.report, c.err
}

// checker sends sequences to both.
type checker struct {
	both
	start int64 // the offset of the timestamps of all writes

	mu     sync.Mutex
	report *Report
	err    error
}

func (c *checker) healthy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err == nil
}

func (c *checker) done(r *Report, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.report.add(r); c.err == nil {
		c.err = err
	}
}

// run sends one sequence to both and compares the resulting rows.
func (c *checker) run(ctx context.Context, seed uint64, partition int32) (*Report, error) {
	a := &author{Rand: rand.New(rand.NewPCG(seed, uint64(partition))), partition: partition}
	r, h := &Report{Sequences: 1}, history{}
	for _, s := range a.sequence() {
		for i := range s.mutations {
			h.note(r, &s.mutations[i], s.at)
		}
		if err := c.Apply(ctx, s.mutations, store.Write{Timestamp: c.start + s.at, Consistency: driver.LocalQuorum}); err != nil {
			return r, fmt.Errorf("conformance: partition %d: %w", partition, err)
		}
	}
	return r, c.compare(ctx, r, a)
}
