package call

import (
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
