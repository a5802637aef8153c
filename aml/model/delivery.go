package model

import (
	"slices"
	"time"
)

// deliveryChecker checks the options that determine how the rows of redundant aggregates are written.
type deliveryChecker struct{ *faults }

// readCache reads cache= of a redundant aggregate.
func readCache(f *faults, a *Aggregate) {
	o, ok := a.Tag.Option("cache")
	if !ok {
		return
	}
	if !a.Redundancy.Shared {
		f.add(o.Pos, RuleMisplacedOption, "add shared, or delete it", "cache has no effect without shared: a row that is not shared has one writer")
		return
	}
	d, err := time.ParseDuration(o.Value)
	if err != nil || d < time.Second || d%time.Second != 0 {
		f.add(o.Pos, RuleCache, "write a whole number of seconds like cache=12h", "cache=%s is not a valid time", o.Value)
		return
	}
	a.Redundancy.Cache = int(d / time.Second)
}

// deliveries checks the options that determine how the rows of redundant aggregates are written.
func (c *deliveryChecker) deliveries(m *Model) {
	for _, a := range m.Aggregates {
		if o, ok := a.Tag.Option("large"); ok {
			c.large(a, o)
		}
		if r := a.Redundancy; r == nil || r.Source == nil {
			continue
		}
		if o, ok := a.Tag.Option("unlogged"); ok {
			c.unlogged(a, o)
		}
		if o, ok := a.Tag.Option("cache"); ok && a.Redundancy.Cache > 0 {
			c.cached(a, o)
		}
	}
}

// large checks an aggregate whose writes can be several batches.
func (c *deliveryChecker) large(a *Aggregate, o Option) {
	why, fix := "", "delete it"
	switch {
	case a.Tag.Has("redundant"):
		why, fix = "on a redundant aggregate", "write it on the source"
	case a.Counter:
		why = "on counters: each is written by itself"
	case a.Versioned():
		why = "on an aggregate with a version: its redundant rows are always written in several batches if they are too large for one"
	case len(a.Projections) == 0:
		why = "on an aggregate without redundant aggregates: a write of one partition is not a batch for the server"
	default:
		return
	}
	c.add(o.Pos, RuleMisplacedOption, fix, "large has no effect %s", why)
}

// unlogged checks a redundant aggregate whose rows can be missing for a while.
func (c *deliveryChecker) unlogged(a *Aggregate, o Option) {
	r := a.Redundancy
	switch {
	case r.Distinct:
		c.add(o.Pos, RuleUnlogged, "delete it, or distinct", "unlogged with distinct: the store reads a row of %s to find out which %s owns it", a.Struct.Name, r.Source.Struct.Name)
	case c.holdsUnique(a):
		c.add(o.Pos, RuleUnlogged, "delete it", "unlogged: the rows of %s find one %s by a unique value, which must not seem to be free", a.Struct.Name, r.Source.Struct.Name)
	case a.besideSource():
		c.add(o.Pos, RuleMisplacedOption, "delete it", "unlogged has no effect on %s: its rows are in the partition of their %s, so the batchlog is not used for them", a.Struct.Name, r.Source.Struct.Name)
	}
}

// holdsUnique reports whether the key of a redundant aggregate contains a value, or all values of a group, that is unique in its
// source.
func (c *deliveryChecker) holdsUnique(a *Aggregate) bool {
	if !a.resolved() {
		return false
	}
	key := newCopyColumns(a)
	return slices.ContainsFunc(a.Redundancy.Source.uniquePaths(), func(u []*Path) bool { return containsPaths(u, key.plain) })
}

// resolved reports whether the source of each value in the key is known.
func (a *Aggregate) resolved() bool {
	return !slices.ContainsFunc(a.Key(), func(k *Attribute) bool { return k.Origin == nil })
}

// besideSource reports whether the rows of a redundant aggregate are in the partition of their source.
func (a *Aggregate) besideSource() bool {
	return slices.EqualFunc(a.Identifier, a.Redundancy.Source.Identifier, func(c, s *Attribute) bool {
		return c.Origin != nil && c.Origin.Object == nil && len(c.Origin.Path.Steps) == 1 && c.Origin.Path.Steps[0] == s
	})
}

// cached checks cache= of a shared aggregate.
func (c *deliveryChecker) cached(a *Aggregate, o Option) {
	for _, at := range a.Attributes {
		if !at.Key {
			c.add(o.Pos, RuleCache, "delete it, or leave the field out", "cache=%s: %s is not in the key of %s, and the latest value of it would not be written", o.Value, at.GoName(), a.Struct.Name)
			return
		}
	}
	for _, of := range []*Aggregate{a, a.Redundancy.Source.table()} {
		if ttl := of.Properties.TTL; ttl > 0 && 2*a.Redundancy.Cache > ttl {
			c.add(o.Pos, RuleCache, "use at most half of it", "cache=%s: the rows of %s expire after %d seconds, and would be missing before they are written again", o.Value, a.Struct.Name, ttl)
			return
		}
	}
}
