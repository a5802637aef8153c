package runtime

import (
	"container/list"
	"slices"
	"sync"

	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// recent is the set of rows of shared copies with cache= that a store has written. If it exceeds limit, the least recently used
// row is dropped.
type recent struct {
	limit int

	mu    sync.Mutex
	order list.List // of recentRow, the most recently used first
	rows  map[string]*list.Element
}

// recentRow is a row that need not be written between two times, in microseconds since 1970.
type recentRow struct {
	key   string
	from  int64 // when it was written: before it, the clock has gone back, and the row can expire before until
	until int64
}

func (r recentRow) holds(now int64) bool { return r.from <= now && now < r.until }

// newRecent returns an empty set, or nil if no table has cache=.
func newRecent(schema *plan.Schema, limit int) *recent {
	if !slices.ContainsFunc(schema.Tables, func(t *plan.Table) bool { return t.Cache > 0 }) {
		return nil
	}
	return &recent{limit: limit, rows: map[string]*list.Element{}}
}

// has reports whether a row need not be written now.
func (r *recent) has(key string, now int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.rows[key]
	if e == nil {
		return false
	}
	if !e.Value.(recentRow).holds(now) {
		r.drop(e)
		return false
	}
	r.order.MoveToFront(e)
	return true
}

// add adds a row that has been written.
func (r *recent) add(row recentRow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.rows[row.key]; e != nil {
		r.drop(e)
	}
	r.rows[row.key] = r.order.PushFront(row)
	if r.order.Len() > r.limit {
		r.drop(r.order.Back())
	}
}

// remove removes a row that is deleted.
func (r *recent) remove(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.rows[key]; e != nil {
		r.drop(e)
	}
}

func (r *recent) drop(e *list.Element) {
	delete(r.rows, e.Value.(recentRow).key)
	r.order.Remove(e)
}

// caches reports whether a change can omit rows of shared copies. A repair, and a write with a TTL or a timestamp, cannot.
func (db *DB) caches(c *change) bool {
	return db.recent != nil && db.ttl == 0 && db.at == 0 && !c.repairs
}

// unwritten returns the mutations without those of the rows that this store has written within the time of cache=.
func (db *DB) unwritten(c *change, mutations []plan.Mutation) []plan.Mutation {
	if !db.caches(c) {
		return mutations
	}
	now := db.config.Now().UnixMicro()
	written := func(m plan.Mutation) bool {
		return m.Table.Cache > 0 && m.Action == plan.Put && db.recent.has(keyOf(&m, m.Table.Key), now)
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
	at := min(c.at, db.config.Now().UnixMicro()) // a TTL counts from the timestamp of the write
	for i := range b.mutations {
		m := &b.mutations[i]
		switch {
		case m.Table.Cache == 0:
		case m.Action == plan.Put:
			db.recent.add(recentRow{keyOf(m, m.Table.Key), at, at + int64(m.Table.Cache)*1e6})
		case m.Action == plan.Delete && m.Column == 0:
			db.recent.remove(keyOf(m, m.Table.Key))
		}
	}
}
