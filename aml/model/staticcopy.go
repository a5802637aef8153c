package model

import "slices"

// staticChecker checks how redundant aggregates use static values of their sources.
type staticChecker struct{ *faults }

// staticDecisions refuses a copy whose rows, or results of methods, depend on a static value: a write of one source changes the value
// for all sources of its partition, and the rows of the others stay as they are.
func (c *staticChecker) staticDecisions(a *Aggregate) {
	r := a.Redundancy
	o, _ := a.Tag.Option("redundant")
	c.staticDecision(o.Pos, o.String(), r.Path)
	if r.When != nil {
		c.staticDecision(r.when.Pos, r.when.String(), r.When)
	}
	for _, at := range a.Attributes {
		if at.Origin == nil {
			continue
		}
		for _, p := range at.Origin.paths() {
			if p.Method() != nil && p.Loop < 0 {
				c.staticDecision(at.Pos, at.GoName()+" comes from "+p.String(), p)
			}
		}
	}
}

// staticDecision refuses a path that begins with a static field, or with a method that reads one. The text of the path is in what.
func (c *staticChecker) staticDecision(pos Pos, what string, p *Path) {
	if p == nil || len(p.Steps) == 0 {
		return
	}
	const fix = "use fields that are not static"
	first, every := p.Steps[0], p.Source.Struct.Name
	if first.Static {
		c.add(pos, RuleStatic, fix, "%s: %s is static: a write of one %s changes it for the whole partition, and the rows of the others would stay", what, first.GoName(), every)
		return
	}
	if p.Method() == nil {
		return
	}
	reads, why := p.Source.Reads(p.Method())
	how := "the method reads "
	if why != "" {
		reads, how = p.Source.Attributes, "the method counts as reading every field, because "+why+", and so "
	}
	if i := slices.IndexFunc(reads, func(at *Attribute) bool { return at.Static }); i >= 0 {
		c.add(pos, RuleStatic, fix, "%s: %s%s, which is static: a write of one %s changes it for the whole partition, and the rows of the others would stay", what, how, reads[i].GoName(), every)
	}
}

// staticOrigins refuses static values in a table with another partition key: a change would affect all rows of the source's
// partition.
func (c *staticChecker) staticOrigins(a *Aggregate) {
	same := slices.EqualFunc(a.Identifier, a.Redundancy.Source.Identifier, func(c, s *Attribute) bool {
		return c.Origin.Object == nil && len(c.Origin.Path.Steps) == 1 && c.Origin.Path.Steps[0] == s
	})
	for _, at := range a.Attributes {
		for _, p := range at.Origin.paths() {
			if p.Loop >= 0 && p.Steps[0].Static {
				continue // the collection has been refused
			}
			if static := len(p.Steps) > 0 && p.Steps[0].Static; static && !a.everySource() {
				c.add(at.Pos, RuleStatic, "leave the field out, or give every source a row", "%s comes from %s, which is static: a source without a row of %s can change it, too", at.GoName(), p, a.Struct.Name)
			} else if static && !same {
				c.add(at.Pos, RuleStatic, "give both tables the same partition key, or leave the field out", "%s comes from %s, which is static: it belongs to a partition of %s and not to a row", at.GoName(), p, a.Redundancy.Source.Struct.Name)
			} else if static && !at.Static {
				c.add(at.Pos, RuleStatic, "add static", "%s comes from %s, which is static", at.GoName(), p)
			} else if !static && at.Static && !c.onePartition(a) {
				c.add(at.Pos, RuleStatic, "delete static, or make the whole key of the source identifiers", "%s comes from %s, and rows of several sources share a partition", at.GoName(), p)
			}
		}
	}
}

// onePartition reports whether all rows of a partition come from one source.
func (c *staticChecker) onePartition(a *Aggregate) bool {
	var paths []*Path
	for _, k := range a.Identifier {
		if k.Origin.Object == nil {
			paths = append(paths, k.Origin.Path)
		}
	}
	return containsPaths(a.Redundancy.sourceKey(), paths)
}
