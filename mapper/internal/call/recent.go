package call

import (
	"fmt"
	"slices"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// recent is the set of rows of shared copies with cache= that a store has written, by their keys. If it is full, the least
// recently used row is dropped.
type recent struct {
	rows interface { // an *lru.Cache, whose methods each generated package would compile again if it were the type of the field
		Get(key string) (recentRow, bool)
		Add(key string, row recentRow) bool
		Remove(key string) bool
		Purge()
	}
	epoch atomic.Int64 // how often the set was emptied
}

// recentRow is the time in which a row need not be written, in microseconds since 1970.
type recentRow struct {
	from  int64 // when it was written: before it, the clock has gone back, and the row can expire before until
	until int64
	epoch int64 // the epoch of the set before the row was sent
}

// newRecent returns an empty set of at most limit rows, or nil if no table has cache=.
func newRecent(schema *descriptor.Schema, limit int) (*recent, error) {
	if !slices.ContainsFunc(schema.Tables, func(t *descriptor.Table) bool { return t.Cache > 0 }) {
		return nil, nil
	}
	rows, err := lru.New[string, recentRow](limit)
	if err != nil {
		return nil, fmt.Errorf("mapper: Config.SharedCache is %d: %w", limit, err)
	}
	return &recent{rows: rows}, nil
}

// has reports whether a row need not be written now.
func (r *recent) has(key string, now int64) bool {
	row, found := r.rows.Get(key)
	return found && row.from <= now && now < row.until && row.epoch == r.epoch.Load()
}

// Forget empties the set of the rows of shared copies that need not be written again. A write that was sent before is not remembered.
func (db *DB) Forget() {
	if db.recent != nil {
		db.recent.epoch.Add(1)
		db.recent.rows.Purge()
	}
}

// epoch returns how often the set of rows was emptied.
func (db *DB) epoch() int64 {
	if db.recent == nil {
		return 0
	}
	return db.recent.epoch.Load()
}

// caches reports whether a change can omit rows of shared copies. A repair, and a write with a TTL or a timestamp, cannot.
func (db *DB) caches(c *change) bool {
	return db.recent != nil && db.ttl == 0 && db.at == 0 && !c.repairs
}

// unwritten returns the mutations of the rows that this store has not written within the time of cache=.
func (db *DB) unwritten(c *change, mutations []plan.Mutation) []plan.Mutation {
	if !db.caches(c) {
		return mutations
	}
	c.epoch = db.epoch()
	now := db.Config.Now().UnixMicro()
	written := func(m plan.Mutation) bool {
		return m.Table.Cache > 0 && m.Action == plan.Put && db.recent.has(mutationKey(&m, m.Table.Key), now)
	}
	if !slices.ContainsFunc(mutations, written) {
		return mutations
	}
	return slices.DeleteFunc(slices.Clone(mutations), written)
}

// acknowledged adds the rows of a batch that has been acknowledged.
func (db *DB) acknowledged(c *change, b *batch) {
	if !db.caches(c) {
		return
	}
	at := min(c.at, db.Config.Now().UnixMicro()) // a TTL counts from the timestamp of the write
	for i := range b.mutations {
		m := &b.mutations[i]
		switch {
		case m.Table.Cache == 0:
		case m.Action == plan.Put:
			db.recent.rows.Add(mutationKey(m, m.Table.Key), recentRow{at, at + int64(m.Table.Cache)*1e6, c.epoch})
		case m.Action == plan.Delete && m.Column == 0:
			db.recent.rows.Remove(mutationKey(m, m.Table.Key))
		}
	}
}
