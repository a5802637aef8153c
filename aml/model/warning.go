package model

import (
	"fmt"
	"slices"
	"strings"
)

// warner reports declarations that are valid but may be mistakes.
type warner struct {
	*faults
	model    *Model
	composed map[*Object]bool // objects that are composed
}

// warnings reports declarations that are valid but may be mistakes.
func (w *warner) warnings() {
	for _, o := range w.model.Objects {
		if o.Struct.Marker != Plain && o.Struct.Path == w.model.Package.Path && !w.composed[o] {
			w.add(o.Struct.Pos, RuleUnused, "compose it, or delete it", "no aggregate composes %s", o.Struct.Name)
		}
	}
	for _, a := range w.model.Aggregates {
		w.unbounded(a)
		w.partition(a)
		w.overlap(a)
		w.claimants(a)
		w.claims(a)
		w.emptyKey(a)
		w.indexes(a)
		w.headRow(a)
	}
	for _, o := range w.model.Objects {
		if o.Struct.Path == w.model.Package.Path {
			w.unboundedIn(o.Attributes)
		}
	}
}

// unbounded warns of collections without a limit. A redundant aggregate has the limits of its source.
func (w *warner) unbounded(a *Aggregate) {
	if a.IsSource() {
		w.unboundedIn(a.Attributes)
	}
}

func (w *warner) unboundedIn(in []*Attribute) {
	for _, at := range in {
		if at.Type.collection() && at.Multiplicity.Max < 0 {
			w.add(at.Pos, RuleUnbounded, "add max=N, or make it a part", "the number of values of %s has no limit, and all of them are read and written together", at.GoName())
		}
	}
}

// fewValues is the greatest number of partitions that counts as few: the number of values of a tinyint.
const fewValues = 256

// fewPartitions warns of a partition key with few values: booleans, tinyints and enums. A redundant aggregate has the enums of its source.
func (w *warner) fewPartitions(a *Aggregate) {
	values, enum, names := 1, false, []string(nil)
	for _, k := range a.Identifier {
		source := k
		if o := k.Origin; o != nil && o.Path != nil && len(o.Path.Steps) > 0 && k.Type.Kind == Scalar {
			source = o.Path.Steps[len(o.Path.Steps)-1]
		}
		n, few := source.Type.values(source.Enum)
		if values *= n; !few || values > fewValues {
			return
		}
		names, enum = append(names, k.GoName()), enum || source.Enum
	}
	if len(names) == 0 {
		return
	}
	what := fmt.Sprintf("%s alone is the partition key of %s, and a %s has few values", names[0], a.Struct.Name, a.Identifier[0].Type.CQL)
	switch {
	case len(names) > 1:
		what = fmt.Sprintf("%s are the partition key of %s, and have few values together (%d)", strings.Join(names, " and "), a.Struct.Name, values)
	case enum:
		what = fmt.Sprintf("%s alone is the partition key of %s, and its enum has few values (%d)", names[0], a.Struct.Name, values)
	}
	w.add(a.Identifier[0].Pos, RuleFewPartitions, "add another identifier", "%s: all rows are on few nodes", what)
}

// values returns the number of values of a type, if they are few. If enum is set, only the constants of the type are written.
func (t *Type) values(enum bool) (n int, few bool) {
	switch {
	case t.Kind != Scalar:
		return 0, false
	case enum:
		distinct := map[string]bool{}
		for _, c := range t.Go.Constants {
			distinct[c.Value] = true
		}
		return len(distinct), true
	case t.CQL == "boolean":
		return 2, true
	case t.CQL == "tinyint":
		return fewValues, true
	}
	return 0, false
}

// partition warns of keys with few values and of large partitions.
func (w *warner) partition(a *Aggregate) {
	w.fewPartitions(a)
	for _, k := range a.Identifier {
		if o := k.Type.object(); o != nil {
			w.add(k.Pos, RuleFrozenKey, "make sure that it is complete, or use its fields as identifiers", "%s is part of a partition key, so no field can be added to %s", k.GoName(), o.Struct.Name)
		}
	}
	if a.InRootTable {
		return
	}
	if e := NewEstimate(a); e.Large() {
		w.add(a.Struct.Pos, RuleBigPartition, "add an identifier that splits it, or correct rows= and max=", "a partition of %s is estimated at %d rows and %s", a.Table, e.Rows, e.Size())
	}
}

// overlap warns of plain projections that concurrent writers of one aggregate can leave wrong.
func (w *warner) overlap(a *Aggregate) {
	if why := a.Diverges(); why != "" {
		w.add(a.Struct.Pos, RuleOverlap, oneWriter(a.Redundancy.Source), "concurrent writers can leave %s wrong: %s", a.Table, why)
	}
}

// oneWriter returns how to keep the copies of a source correct: one writer at a time, or a version if the source can have one.
func oneWriter(source *Aggregate) string {
	fix := "let one writer at a time change each " + source.Struct.Name
	switch {
	case source.Root != nil:
		return fix + ": a part of " + source.Root.Struct.Name + " has no separate version"
	case slices.ContainsFunc(source.Attributes, func(at *Attribute) bool { return at.Static }):
		return fix + ": an aggregate with a static column cannot have a version"
	}
	return fix + ", or add a version to it"
}

// claimants warns of keys that several sources can have one after the other, if a row does not contain the key of its source.
func (w *warner) claimants(a *Aggregate) {
	r := a.Redundancy
	if r == nil || !r.Distinct || a.SourceKey() != nil {
		return
	}
	var missing []*Path
	for _, k := range r.sourceKey() {
		if _, ok := a.place(k); !ok {
			missing = append(missing, k)
		}
	}
	from := strings.Join(pathTexts(missing), ", ")
	w.add(a.Struct.Pos, RuleClaimant, "add "+from+" to its fields, or in a composition with from="+r.Source.Struct.Name,
		"the rows of %s do not contain %s: a row that one %s releases is deleted even if another %s has already claimed its key", a.Table, from, r.Source.Struct.Name, r.Source.Struct.Name)
}

// claims warns of unique values that cost a conditional write for each element.
func (w *warner) claims(a *Aggregate) {
	for _, u := range a.Uniques {
		if u.Paths[0].Loop >= 0 {
			at := u.Paths[0].Steps[len(u.Paths[0].Steps)-1]
			o, _ := at.Tag.Option("unique")
			w.add(o.Pos, RuleHotUnique, "make sure that it is rarely written", "every new %s costs a separate conditional write", u.Name)
		}
	}
}

// emptyKey warns of a redundant aggregate whose whole partition key is a text that can be empty: such a row is refused, and with it the
// write of its source.
func (w *warner) emptyKey(a *Aggregate) {
	if a.Redundancy == nil || len(a.Identifier) != 1 {
		return
	}
	key := a.Identifier[0]
	if p := key.Origin.Path; p.emptyByDefault() && !a.Redundancy.leavesOut(p) {
		w.add(key.Pos, RuleEmptyKey, "add required to "+p.String()+", or leave out such rows with when=",
			"%s comes from %s, which can be empty, and Cassandra refuses an empty partition key", key.GoName(), p)
	}
}

// emptyByDefault reports whether a path leads to a text that is empty unless it is set.
func (p *Path) emptyByDefault() bool {
	if p == nil || p.Method() != nil || p.Part != Element {
		return false
	}
	last := p.Steps[len(p.Steps)-1]
	alone := len(p.Source.Identifier) == 1 && last == p.Source.Identifier[0]
	return last.Type.Kind == Scalar && last.Type.Conversion == ByKind && last.Type.Go.Kind == String && !last.Type.Nullable &&
		!last.Mandatory && !last.Enum && !alone
}

// leavesOut reports whether a redundant aggregate has no row for a source in which a text is empty, as far as its condition shows.
func (r *Redundancy) leavesOut(text *Path) bool {
	return r.When != nil && (r.When.Method() != nil || r.OneOf != nil && r.When.equal(text))
}

// identifying are the types of identifiers: nearly every row has a different value.
var identifying = set("uuid timeuuid")

func (w *warner) indexes(a *Aggregate) {
	for _, at := range a.Attributes {
		o, _ := at.Tag.Option("index")
		switch {
		case at.Index == nil:
		case at == a.Version:
			w.add(o.Pos, RuleIndexUse, "delete it", "every save changes %s and its index", at.GoName())
		case at.Type.Kind == Scalar && (identifying[at.Type.CQL] || at.Tag.Has("unique")):
			w.add(o.Pos, RuleIndexUse, "make a redundant aggregate with it as the identifier", "nearly every row has a different %s, and a read by its index queries all nodes", at.GoName())
		}
	}
}

// headRow warns of a versioned root that is read behind the deleted rows of its part. Nothing in a model shows whether rows are deleted.
func (w *warner) headRow(a *Aggregate) {
	if i := slices.IndexFunc(a.Parts, func(p *Aggregate) bool { return p.InRootTable }); i >= 0 && a.Version != nil && !a.HeadRow {
		part := a.Parts[i].Struct.Name
		w.add(a.Struct.Pos, RuleHeadRow, "add headrow to the marker if many are deleted while it stays", "reads and saves of %s become slower with each %s that is deleted", a.Struct.Name, part)
	}
}
