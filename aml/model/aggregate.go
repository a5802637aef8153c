package model

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model/property"
)

// ruleChecker checks the rules that concern several declarations of an aggregate, or several aggregates.
type ruleChecker struct {
	*faults
	model *Model
}

func (c *ruleChecker) check() {
	for _, a := range c.model.Aggregates {
		c.rules(a)
	}
	c.lifetimes()
}

// MaxCells is the maximum number of cells of a row. A column is one cell; a single composition that is not final has one
// cell for each of its fields.
const MaxCells = 256

func cells(a *Aggregate) int {
	n := 0
	for _, at := range a.Attributes {
		n++
		if at.Type.Kind == Composed && !at.Frozen() {
			n += len(at.Type.Object.Attributes) - 1
		}
	}
	return n
}

// rules checks the rules that concern several declarations of an aggregate.
func (c *ruleChecker) rules(a *Aggregate) {
	if n := cells(a); n > MaxCells {
		c.add(a.Struct.Pos, RuleTooManyColumns, "make a composition final, or split the aggregate", "a row of aggregate %s has %d cells, the limit is %d", a.Struct.Name, n, MaxCells)
	}
	c.statics(a)
	c.counters(a)
	c.needsVersion(a)
	c.times(a)
	c.remaining(a)
	if k := a.Identifier; len(k) == 1 && a.Root == nil && k[0].Index != nil {
		o, _ := k[0].Tag.Option("index")
		c.add(o.Pos, RuleIndex, "delete it: the key finds the row", "%s is the whole partition key, which cannot have an index", k[0].GoName())
	}
	if o, ok := a.Tag.Option("rows"); ok && len(a.Discriminators) == 0 && !a.unread && !slices.ContainsFunc(a.Parts, func(p *Aggregate) bool { return p.InRootTable }) {
		c.add(o.Pos, RuleMisplacedOption, "delete it, or add a discriminator", "rows has no effect on %s: each partition has one row", a.Struct.Name)
	}
	if a.Redundancy != nil {
		if a.Version != nil {
			o, _ := a.Version.Tag.Option("version")
			c.add(o.Pos, RuleMisplacedOption, "delete it: the source has the version", "version has no effect on a redundant aggregate")
		}
		for _, at := range a.Attributes {
			c.misplaced(at.Tag, "on a redundant aggregate: the store checks it when it writes the source", "xor", "any", "checked")
			if at.Type.collection() {
				c.misplaced(at.Tag, "on a redundant aggregate: the store checks it when it writes the source", "min", "max")
			}
		}
	}
}

// statics checks static columns against the key.
func (c *ruleChecker) statics(a *Aggregate) {
	for _, at := range a.Attributes {
		o, ok := at.Tag.Option("static")
		switch {
		case !ok || at.Key || a.Root != nil:
		case len(a.Discriminators) == 0 && a.unread:
		case len(a.Discriminators) == 0:
			c.add(o.Pos, RuleStatic, "add a discriminator, or delete it", "static has no effect on %s: each partition has one row", a.Struct.Name)
		case a.Version != nil:
			c.add(o.Pos, RuleStatic, "delete it or the version", "static on %s: the version belongs to a row, a static value to the whole partition", at.GoName())
		}
	}
}

// counters checks Cassandra's rule for counter tables: every column outside the key is a counter.
func (c *ruleChecker) counters(a *Aggregate) {
	if !a.Counter {
		return
	}
	for _, at := range a.Attributes {
		if !at.Counter && !at.Key {
			c.add(at.Pos, RuleCounter, "move it to another aggregate", "%s has counters, and %s is not a counter", a.Struct.Name, at.GoName())
		}
		if at.Counter {
			c.misplaced(at.Tag, "on a counter", "required", "xor", "any", "copy")
		}
	}
	for _, at := range a.Attributes {
		if o, ok := at.Tag.Option("index"); ok && at.Key {
			c.add(o.Pos, RuleIndex, "delete it", "a table of counters cannot have indexes")
		}
	}
	if o, ok := a.Tag.Option("ttl"); ok {
		c.add(o.Pos, RuleCounter, "delete it", "counters do not expire")
	}
	if len(a.Discriminators) > 0 && !slices.ContainsFunc(a.Attributes, func(at *Attribute) bool { return !at.Key && !at.Static }) {
		c.add(a.Struct.Pos, RuleCounter, "add a counter that is not static", "all counters of %s are static, so its table never has a row", a.Struct.Name)
	}
}

// needsVersion reports declarations that require a version in an aggregate without one.
func (c *ruleChecker) needsVersion(a *Aggregate) {
	need := func(o Option, of *Aggregate, what string) {
		switch {
		case of.Version == nil && of.Counter:
			c.add(o.Pos, RuleCounter, "delete it", "%s needs a version on %s, which has counters and cannot have one", what, of.Struct.Name)
		case of.Version == nil:
			c.add(o.Pos, RuleNeedsVersion, "add Version int64 with the option version to "+of.Struct.Name, "%s needs a version on %s", what, of.Struct.Name)
		}
	}
	for _, u := range a.Uniques {
		o, _ := u.Paths[0].Steps[len(u.Paths[0].Steps)-1].Tag.Option("unique")
		need(o, a, "unique "+u.Name)
	}
	for _, c := range a.Copies {
		o, ok := c.Attribute.Tag.Option("copy")
		if !ok && len(c.Fields) > 0 {
			o, _ = c.Fields[0].Held.Tag.Option("copy")
		}
		need(o, a, o.String())
		need(o, c.Target, o.String())
	}
	if a.Tag.Has("redundant") || a.Root != nil {
		return
	}
	for _, x := range a.Associations {
		if x.Checked && !c.model.foreign(x.Target) {
			o, _ := x.Attribute.Tag.Option("checked")
			need(o, a, "checked")
			need(o, x.Target, "checked")
		}
	}
}

// minGCGrace is the minimum gc_grace, in seconds, of a table that a logged batch writes: the batchlog drops batches that
// are older than it.
const minGCGrace = 3600

// lifetimes refuses two different defaults of a TTL with a name.
func (c *ruleChecker) lifetimes() {
	defaults := map[string]*Aggregate{}
	for _, a := range c.model.Aggregates {
		name := a.Properties.TTLName
		if name == "" {
			continue
		}
		first, known := defaults[name]
		if !known {
			defaults[name] = a
		} else if first.Properties.TTL != a.Properties.TTL {
			o, _ := a.Tag.Option("ttl")
			c.add(o.Pos, RuleProperty, "write ttl="+first.Tag.value("ttl")+", or use another name", "ttl=%s: %s has another default of $%s", o.Value, first.Struct.Name, name)
		}
	}
}

// times checks ttl= and gc_grace= against the other declarations.
func (c *ruleChecker) times(a *Aggregate) {
	if o, ok := a.Tag.Option("ttl"); ok && a.IsSource() && !a.Tag.Has("redundant") {
		c.lease(a, o)
	}
	if o, ok := a.Tag.Option("gc_grace"); ok && a.Properties.GCGrace < minGCGrace && c.batched(a) {
		c.add(o.Pos, RuleProperty, fmt.Sprintf("use at least %d seconds", minGCGrace), "gc_grace=%s: batches that write %s would not be replayed", o.Value, a.Table)
	}
}

// lease refuses declarations that cannot expire together with a row of a versioned root.
func (c *ruleChecker) lease(a *Aggregate, ttl Option) {
	refuse := func(what, why string) {
		c.add(ttl.Pos, RuleProperty, "delete it, or "+what, "ttl=%s: %s", ttl.Value, why)
	}
	for _, u := range a.Uniques {
		refuse("the option unique", "the value of unique "+u.Name+" would stay reserved when a row expires")
	}
	for _, x := range a.Copies {
		refuse("the option copy", a.Struct.Name+" copies "+x.Target.Struct.Name+", which would not learn that a row expires")
	}
	for _, h := range c.model.Aggregates {
		for _, x := range h.FinalCopies {
			if x.Target == a {
				refuse("the option copy of "+h.Struct.Name, h.Struct.Name+" copies "+a.Struct.Name+", and would keep the values of a row that has expired")
			}
		}
	}
	if a.Version == nil {
		return
	}
	for _, p := range a.Parts {
		refuse("the option version", "the rows of "+p.Struct.Name+", a part of "+a.Struct.Name+", would not expire with their root")
	}
	for _, at := range a.Attributes {
		if at.Static {
			refuse("the option static of "+at.GoName(), at.GoName()+" is static, and belongs to rows that expire at different times")
		}
	}
	for _, x := range a.Associations {
		if x.Checked {
			refuse("the option checked of "+x.Attribute.GoName(), x.Attribute.GoName()+" is checked, and the reference would outlive a row that expires")
		}
	}
	for _, h := range c.model.Aggregates {
		c.leaseTarget(a, h, refuse)
	}
	if kept := max(a.Properties.GCGrace, defaultGCGrace); a.Properties.TTL > property.MaxTTL-kept {
		c.add(ttl.Pos, RuleProperty, fmt.Sprintf("use at most %d seconds", property.MaxTTL-kept),
			"ttl=%s: the version of a row is kept for its TTL and gc_grace, and a server keeps nothing longer than %d seconds", ttl.Value, property.MaxTTL)
	}
}

// defaultGCGrace is the gc_grace of a table without one, in seconds.
const defaultGCGrace = 10 * 24 * 60 * 60

// leaseTarget refuses that another aggregate refers to rows that expire by a reference that is kept right.
func (c *ruleChecker) leaseTarget(a, holder *Aggregate, refuse func(what, why string)) {
	if holder.Tag.Has("redundant") {
		return
	}
	for _, x := range holder.Associations {
		if x.Checked && x.Target == a && holder != a {
			refuse("the option checked of "+holder.Struct.Name+"."+x.Attribute.GoName(), holder.Struct.Name+"."+x.Attribute.GoName()+" is checked, and would refer to a row that has expired")
		}
	}
	for _, x := range holder.Copies {
		if x.Target == a && holder != a {
			refuse("the option copy of "+holder.Struct.Name, holder.Struct.Name+" copies "+a.Struct.Name+", and would keep the values of a row that has expired")
		}
	}
}

// batched reports whether a logged batch writes the table of a: the table of an unlogged copy of a root without a version is only in
// batches that are not logged.
func (c *ruleChecker) batched(a *Aggregate) bool {
	unlogged := func(c *Aggregate) bool {
		r := c.Redundancy
		return r != nil && r.Unlogged && r.Source != nil && r.Source.Version == nil
	}
	return a.Tag.Has("redundant") && !unlogged(a) || a.Root != nil || len(a.Parts) > 0 || len(a.Copies) > 0 || len(a.Uniques) > 0 ||
		slices.ContainsFunc(a.Projections, func(c *Aggregate) bool { return !unlogged(c) })
}
