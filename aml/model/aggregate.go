package model

import (
	"fmt"
	"slices"
)

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
func (b *builder) rules(a *Aggregate) {
	if n := cells(a); n > MaxCells {
		b.add(a.Struct.Pos, RuleTooManyColumns, "make a composition final, or split the aggregate", "a row of aggregate %s has %d cells, the limit is %d", a.Struct.Name, n, MaxCells)
	}
	b.statics(a)
	b.counters(a)
	b.needsVersion(a)
	b.times(a)
	if k := a.Identifier; len(k) == 1 && a.Root == nil && k[0].Index != nil {
		o, _ := k[0].Tag.Option("index")
		b.add(o.Pos, RuleIndex, "delete it: the key finds the row", "%s is the whole partition key, which cannot have an index", k[0].GoName())
	}
	if o, ok := a.Tag.Option("rows"); ok && len(a.Discriminators) == 0 && !a.unread && !slices.ContainsFunc(a.Parts, func(p *Aggregate) bool { return p.InRootTable }) {
		b.add(o.Pos, RuleMisplacedOption, "delete it, or add a discriminator", "rows has no effect on %s: each partition has one row", a.Struct.Name)
	}
	if a.Redundancy != nil {
		if a.Version != nil {
			o, _ := a.Version.Tag.Option("version")
			b.add(o.Pos, RuleMisplacedOption, "delete it: the source has the version", "version has no effect on a redundant aggregate")
		}
		for _, at := range a.Attributes {
			b.misplaced(at.Tag, "on a redundant aggregate: the store checks it when it writes the source", "xor", "any", "checked")
			if at.Type.collection() {
				b.misplaced(at.Tag, "on a redundant aggregate: the store checks it when it writes the source", "min", "max")
			}
		}
	}
}

// statics checks static columns against the key.
func (b *builder) statics(a *Aggregate) {
	for _, at := range a.Attributes {
		o, ok := at.Tag.Option("static")
		switch {
		case !ok || at.Key || a.Root != nil:
		case len(a.Discriminators) == 0 && a.unread:
		case len(a.Discriminators) == 0:
			b.add(o.Pos, RuleStatic, "add a discriminator, or delete it", "static has no effect on %s: each partition has one row", a.Struct.Name)
		case a.Version != nil:
			b.add(o.Pos, RuleStatic, "delete it or the version", "static on %s: the version belongs to a row, a static value to the whole partition", at.GoName())
		}
	}
}

// counters checks Cassandra's rule for counter tables: every column outside the key is a counter.
func (b *builder) counters(a *Aggregate) {
	if !a.Counter {
		return
	}
	for _, at := range a.Attributes {
		if !at.Counter && !at.Key {
			b.add(at.Pos, RuleCounter, "move it to another aggregate", "%s has counters, and %s is not a counter", a.Struct.Name, at.GoName())
		}
		if at.Counter {
			b.misplaced(at.Tag, "on a counter", "required", "xor", "any", "copy")
		}
	}
	for _, at := range a.Attributes {
		if o, ok := at.Tag.Option("index"); ok && at.Key {
			b.add(o.Pos, RuleIndex, "delete it", "a table of counters cannot have indexes")
		}
	}
	if o, ok := a.Tag.Option("ttl"); ok {
		b.add(o.Pos, RuleCounter, "delete it", "counters do not expire")
	}
	if len(a.Discriminators) > 0 && !slices.ContainsFunc(a.Attributes, func(at *Attribute) bool { return !at.Key && !at.Static }) {
		b.add(a.Struct.Pos, RuleCounter, "add a counter that is not static", "all counters of %s are static, so its table never has a row", a.Struct.Name)
	}
}

// needsVersion reports declarations that require a version in an aggregate without one.
func (b *builder) needsVersion(a *Aggregate) {
	need := func(o Option, of *Aggregate, what string) {
		switch {
		case of.Version == nil && of.Counter:
			b.add(o.Pos, RuleCounter, "delete it", "%s needs a version on %s, which has counters and cannot have one", what, of.Struct.Name)
		case of.Version == nil:
			b.add(o.Pos, RuleNeedsVersion, "add Version int64 with the option version to "+of.Struct.Name, "%s needs a version on %s", what, of.Struct.Name)
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
		if x.Checked && !b.foreign(x.Target) {
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
func (b *builder) lifetimes() {
	defaults := map[string]*Aggregate{}
	for _, a := range b.model.Aggregates {
		name := a.Properties.TTLName
		if name == "" {
			continue
		}
		first, known := defaults[name]
		if !known {
			defaults[name] = a
		} else if first.Properties.TTL != a.Properties.TTL {
			o, _ := a.Tag.Option("ttl")
			b.add(o.Pos, RuleProperty, "write ttl="+first.Tag.value("ttl")+", or use another name", "ttl=%s: %s has another default of $%s", o.Value, first.Struct.Name, name)
		}
	}
}

// times checks ttl= and gc_grace= against the other declarations.
func (b *builder) times(a *Aggregate) {
	if o, ok := a.Tag.Option("ttl"); ok && a.IsSource() && !a.Tag.Has("redundant") && (a.Version != nil || len(a.Uniques) > 0 || len(a.Copies) > 0) {
		b.add(o.Pos, RuleProperty, "delete it, or what requires the version", "ttl=%s: if a row expires, its version is lost", o.Value)
	}
	if o, ok := a.Tag.Option("gc_grace"); ok && a.Properties.GCGrace < minGCGrace && b.batched(a) {
		b.add(o.Pos, RuleProperty, fmt.Sprintf("use at least %d seconds", minGCGrace), "gc_grace=%s: batches that write %s would not be replayed", o.Value, a.Table)
	}
}

// batched reports whether a logged batch writes the table of a: that of an unlogged copy of a root without a version is only in batches
// that are not logged.
func (b *builder) batched(a *Aggregate) bool {
	unlogged := func(c *Aggregate) bool {
		r := c.Redundancy
		return r != nil && r.Unlogged && r.Source != nil && r.Source.Version == nil
	}
	return a.Tag.Has("redundant") && !unlogged(a) || a.Root != nil || len(a.Parts) > 0 || len(a.Copies) > 0 || len(a.Uniques) > 0 ||
		slices.ContainsFunc(a.Projections, func(c *Aggregate) bool { return !unlogged(c) })
}

// views resolves structs that read some columns of a table.
func (b *builder) views() {
	for _, v := range b.model.Views {
		tag := b.parse(v.Struct.Tag, onAggregate)
		o, _ := tag.Option("of")
		for _, x := range tag.Options {
			if x.Key != "of" {
				b.add(x.Pos, RuleMisplacedOption, "delete it", "%s has no effect on a view", x.Key)
			}
		}
		if tag.Name != "" {
			b.add(tag.Pos, RuleView, "delete the name", "a view has no separate table")
		}
		i := slices.IndexFunc(b.model.Aggregates, func(a *Aggregate) bool { return a.Struct.Name == o.Value })
		if i < 0 {
			b.add(o.Pos, RuleView, "write the name of a struct with a table", "of=%s: %s", o.Value, b.noAggregate(o.Value))
			continue
		}
		v.Of = b.model.Aggregates[i]
		b.viewColumns(v)
	}
}

// viewColumns matches the fields of a view by their Go names.
func (b *builder) viewColumns(v *View) {
	b.open = append(b.open, v.Struct)
	leave := b.enter(v.Struct)
	v.Attributes = b.attributes(v.Struct, nil, holder{aggregate: &Aggregate{Struct: v.Struct, Table: v.Of.Table}})
	leave()
	b.open = b.open[:len(b.open)-1]
	for _, at := range v.Attributes {
		i := slices.IndexFunc(v.Of.Attributes, func(a *Attribute) bool { return a.GoName() == at.GoName() })
		for _, o := range at.Tag.Options {
			bound := o.Key == "min" || o.Key == "max"
			if o.Key == "final" && at.Fixed || !slices.Contains([]string{"composition", "type", "unique", "final", "qualifier", "secret"}, o.Key) && (!bound || at.Type.collection()) {
				b.add(o.Pos, RuleMisplacedOption, "delete it: the struct of the table declares it", "%s has no effect on a view", o.Key)
			}
		}
		switch {
		case i >= 0 && at.Tag.Name != "" && at.Name != v.Of.Attributes[i].Name:
			b.add(at.Tag.Pos, RuleView, "delete the name", "%s is stored as %s: a view cannot rename a column", at.GoName(), v.Of.Attributes[i].Name)
		case i < 0:
			b.add(at.Pos, RuleView, "use a field of "+v.Of.Struct.Name+nearestField(at.GoName(), v.Of.Attributes), "%s has no field %s", v.Of.Struct.Name, at.GoName())
		case !at.Type.same(v.Of.Attributes[i].Type) && !(v.Of.Attributes[i].Counter && at.Type.CQL == "bigint"):
			b.add(at.Pos, RuleView, "use the same type for both", "%s is %s, that of %s is %s", at.GoName(), at.Type, v.Of.Struct.Name, v.Of.Attributes[i].Type)
		default:
			v.Columns = append(v.Columns, v.Of.Attributes[i])
		}
	}
	if len(v.Attributes) == 0 {
		b.add(v.Struct.Pos, RuleView, "add fields of "+v.Of.Struct.Name, "view %s has no fields", v.Struct.Name)
	}
}
