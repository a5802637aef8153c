package memory

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Config configures a backend. Its zero value works.
type Config struct {
	// Now is the clock. It provides the timestamps for the writes of stores that have no Config.Now, and decides which values
	// have expired. Nil means time.Now.
	Now func() time.Time
}

// Backend is a keyspace in memory. It can be used by several goroutines. Several stores can be opened on it; they share tables
// of the same name.
type Backend struct {
	now   func() time.Time
	clock *store.Clock

	mu        sync.RWMutex
	keyspace  *store.Keyspace
	tables    map[string]*table
	layouts   map[*plan.Table]layout
	ballot    int64  // the last timestamp that the backend chose, of a conditional statement or of counters, in microseconds since 1970
	list      uint64 // the number of list elements written so far: a unique, ordered position of each element
	intercept func(Request) Outcome
}

var _ store.Backend = (*Backend)(nil)

// New returns an empty backend.
func New(c Config) *Backend {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Backend{
		now: c.Now, clock: store.NewClock(c.Now, 0), keyspace: store.NewKeyspace("memory"), tables: map[string]*table{},
		layouts: map[*plan.Table]layout{},
	}
}

// Now returns the time of the backend's clock.
func (b *Backend) Now() time.Time { return b.now() }

// Clock returns the clock for the timestamps of all stores on the backend that have no clock of their own.
func (b *Backend) Clock() *store.Clock { return b.clock }

// Open creates the missing tables of a schema, and adds the missing columns and fields. If
// one exists in another form, Open returns a *mapper.SchemaError and changes nothing. The OpenBackend of a generated store calls it.
func (b *Backend) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	if b == nil || b.clock == nil {
		return nil, errors.New("memory: the backend is nil or zero: create one with New")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.extend(schema); err != nil {
		return nil, err
	}
	return database{b}, nil
}

// database implements the store interface of the mapper.
type database struct{ b *Backend }

var (
	_ store.Store   = database{}
	_ store.Watched = database{}
)

// Clocks returns the clock of the backend.
func (d database) Clocks(_ context.Context, now func() time.Time) ([]skew.Answer, error) {
	return []skew.Answer{{Host: "memory", Server: d.b.Now(), Client: now()}}, nil
}

// GCGrace returns the default of the server for each table, 10 days.
func (d database) GCGrace(context.Context, string, ...*descriptor.Table) (map[string]int, error) {
	d.b.mu.RLock()
	defer d.b.mu.RUnlock()
	out := map[string]int{}
	for name := range d.b.tables {
		out[name] = 10 * 24 * 60 * 60
	}
	return out, nil
}

// Identities returns nil, because a table in memory is never replaced.
func (d database) Identities(context.Context) (map[string]string, error) { return nil, nil }
