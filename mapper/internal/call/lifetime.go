package call

import (
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// lifetimes has the TTLs that a store was given when it was opened.
type lifetimes struct {
	given      plan.Lifetimes
	aggregates sync.Map // *plan.Aggregate: the same with the TTLs
}

// newLifetimes checks and returns the TTLs of a configuration. It returns nil if there are none.
func newLifetimes(schema *descriptor.Schema, config map[string]time.Duration) (*lifetimes, error) {
	given := plan.Lifetimes{}
	for name, ttl := range config {
		if err := checkTTL(ttl); err != nil || ttl == 0 {
			return nil, fmt.Errorf("Config.TTL[%q] is %v: use a whole number of seconds between 1 s and 20 years", name, ttl)
		}
		given[name] = int(ttl / time.Second)
	}
	if err := plan.CheckLifetimes(schema, given); err != nil || len(given) == 0 {
		return nil, err
	}
	return &lifetimes{given: given}, nil
}

// NamedTTLs returns the TTLs whose names the tables of a schema have.
func NamedTTLs(schema *descriptor.Schema, all map[string]time.Duration) map[string]time.Duration {
	out := maps.Clone(all)
	maps.DeleteFunc(out, func(name string, _ time.Duration) bool { return !schema.HasLifetime(name) })
	return out
}

// aggregate returns an aggregate with the TTLs of the store.
func (db *DB) aggregate(a *plan.Aggregate) *plan.Aggregate {
	if db == nil || db.lifetimes == nil {
		return a
	}
	if known, ok := db.lifetimes.aggregates.Load(a); ok {
		return known.(*plan.Aggregate)
	}
	own, _ := db.lifetimes.aggregates.LoadOrStore(a, a.WithLifetimes(db.lifetimes.given))
	return own.(*plan.Aggregate)
}

// Life returns the TTLs of a save of a versioned root whose rows expire. The version, with which a late or repeated save is compared, is kept
// for gc_grace_seconds longer, as a deleted row is.
func (db *DB) Life(a *plan.Aggregate) plan.Life {
	if a.Versioning.Live == 0 {
		return plan.Life{}
	}
	ttl, kept := db.rowTTLs(a)
	return plan.Life{Left: plan.TTL(ttl), Kept: plan.TTL(kept), Since: db.Env.Elapsed()}
}

// rowTTLs returns the TTLs of the values of a row and of its version, in seconds.
func (db *DB) rowTTLs(a *plan.Aggregate) (ttl, kept int) {
	grace, known := db.grace[a.Root.Name]
	if !known {
		grace = defaultGCGrace
	}
	if ttl = a.TTL(a.Root); db.ttl != 0 {
		ttl = min(ttl, db.ttl)
	}
	return ttl, ttl + grace
}

// Grace returns how much longer than the values of an expired row its version is kept.
func (db *DB) Grace(a *plan.Aggregate) plan.TTL {
	ttl, kept := db.rowTTLs(a)
	return plan.TTL(kept - ttl)
}

// defaultGCGrace is the default of gc_grace_seconds.
const defaultGCGrace = 10 * 24 * 60 * 60

// CheckLife returns an error for options and TTLs with which the rows of a versioned root, and their copies, would not expire together.
func (db *DB) CheckLife(a *plan.Aggregate) error {
	if a.Versioning.Live == 0 {
		return nil
	}
	ttl, kept := db.rowTTLs(a)
	switch longest := int(maxTTL / time.Second); {
	case db.ttl != 0 && len(a.Copies) > 0:
		return errors.New("mapper.Options.TTL is not supported for a versioned aggregate with redundant tables: their rows have the TTL of the model")
	case kept > longest:
		return fmt.Errorf("the version of a row is kept for gc_grace_seconds after its TTL of %d s, %d s in all: a server accepts %d s", ttl, kept, longest)
	}
	return nil
}
