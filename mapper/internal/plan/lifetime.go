package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
)

// Lifetimes has the TTLs that a store is given when it is opened, in seconds, by name.
type Lifetimes map[string]int

// WithLifetimes returns a copy of a with the TTLs of a store. It shares the tables and projections of a.
func (a *Aggregate) WithLifetimes(l Lifetimes) *Aggregate {
	other := *a
	other.lifetimes = l
	return &other
}

// TTL returns the TTL of the rows of a table of the aggregate, in seconds; 0: none.
func (a *Aggregate) TTL(t *Table) int { return t.ttl(a.lifetimes) }

// Shorten returns writes of copies in which TTLs that are shorter than the TTL of the root count from the version of the row, as for a root
// without a TTL. now is the time in microseconds since 1970.
func (a *Aggregate) Shorten(mutations []Mutation, now int64) []Mutation {
	out := make([]Mutation, 0, len(mutations))
	for _, m := range mutations {
		if own := a.TTL(m.Table); m.Action == Put && own > 0 && own < a.TTL(a.Root) {
			left := int64(own) - max(0, now-m.At+1e6-1)/1e6
			if left <= 0 {
				continue
			}
			m.TTL = shorter(m.TTL, int32(left))
		}
		out = append(out, m)
	}
	return out
}

// ttl returns the shortest of the TTLs of a table.
func (t *Table) ttl(given Lifetimes) int {
	if t.Lifetimes == nil {
		return t.TTL
	}
	shortest := 0
	for i, l := range t.Lifetimes {
		seconds, ok := given[l.Name]
		if !ok {
			seconds = l.Seconds
		}
		if i == 0 || seconds < shortest {
			shortest = seconds
		}
	}
	return shortest
}

// CheckLifetimes returns an error if a given name is not in the tables, or if a name without a default is not given.
func CheckLifetimes(s *descriptor.Schema, given Lifetimes) error {
	var faults []string
	for _, t := range s.Tables {
		for _, l := range t.Lifetimes {
			if _, ok := given[l.Name]; !ok && l.Seconds == 0 {
				faults = append(faults, fmt.Sprintf("$%s is missing, and the model has no default for it", l.Name))
			}
		}
		if ttl := (*Table)(t).ttl(given); ttl > 0 && 2*t.Cache > ttl {
			faults = append(faults, fmt.Sprintf("rows of %s expire after %d seconds, less than twice the %d seconds of cache=", t.Name, ttl, t.Cache))
		}
	}
	for name := range given {
		if !s.HasLifetime(name) {
			faults = append(faults, fmt.Sprintf("the model has no ttl=$%s", name))
		}
	}
	if faults == nil {
		return nil
	}
	slices.Sort(faults)
	return fmt.Errorf("Config.TTL: %s", strings.Join(slices.Compact(faults), "; "))
}
