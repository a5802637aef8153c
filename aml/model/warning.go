package model

import (
	"fmt"
	"slices"
	"strings"
)

// warnings reports declarations that are valid but may not be what was meant.
func (b *builder) warnings() {
	for _, o := range b.model.Objects {
		if o.Struct.Marker != Plain && o.Struct.Path == b.model.Package.Path && !b.composed[o] {
			b.add(o.Struct.Pos, RuleUnused, "compose it, or delete it", "no aggregate composes %s", o.Struct.Name)
		}
	}
	for _, a := range b.model.Aggregates {
		b.unbounded(a)
		b.partition(a)
		b.overlap(a)
		b.claimants(a)
		b.claims(a)
		b.emptyKey(a)
		b.indexes(a)
	}
	for _, o := range b.model.Objects {
		if o.Struct.Path == b.model.Package.Path {
			b.unboundedIn(o.Attributes)
		}
	}
}

// unbounded warns of collections without a limit. A redundant aggregate has the limits of its source.
func (b *builder) unbounded(a *Aggregate) {
	if a.IsSource() {
		b.unboundedIn(a.Attributes)
	}
}

func (b *builder) unboundedIn(in []*Attribute) {
	for _, at := range in {
		if at.Type.collection() && at.Multiplicity.Max < 0 {
			b.add(at.Pos, RuleUnbounded, "add max=N, or make it a part"+untilExecuted("part"), "the number of values of %s has no limit, and all of them are read and written together", at.GoName())
		}
	}
}

// fewValues is the greatest number of partitions that counts as few: the number of values of a tinyint.
const fewValues = 256

// fewPartitions warns of a partition key with few values: booleans, tinyints and enums. A redundant aggregate has the enums of its source.
func (b *builder) fewPartitions(a *Aggregate) {
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
	b.add(a.Identifier[0].Pos, RuleFewPartitions, "add another identifier", "%s: all rows are on few nodes", what)
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
func (b *builder) partition(a *Aggregate) {
	b.fewPartitions(a)
	for _, k := range a.Identifier {
		if o := k.Type.object(); o != nil {
			b.add(k.Pos, RuleFrozenKey, "make sure that it is complete, or use its fields as identifiers", "%s is part of a partition key, so no field can be added to %s", k.GoName(), o.Struct.Name)
		}
	}
	if a.InRootTable {
		return
	}
	if e := EstimateOf(a); e.Large() {
		b.add(a.Struct.Pos, RuleBigPartition, "add an identifier that splits it, or correct rows= and max=", "a partition of %s is estimated at %d rows and %s", a.Table, e.Rows, e.Size())
	}
}

// overlap warns of plain projections that concurrent writers of one aggregate can leave wrong.
func (b *builder) overlap(a *Aggregate) {
	if why := a.Diverges(); why != "" {
		b.add(a.Struct.Pos, RuleOverlap, oneWriter(a.Redundancy.Source), "concurrent writers can leave %s wrong: %s", a.Table, why)
	}
}

// Diverges returns why concurrent writers of one aggregate can leave its redundant aggregate a wrong; "" if they cannot, or if
// a is not redundant.
func (a *Aggregate) Diverges() string {
	if r := a.Redundancy; r == nil || r.Source.Version != nil || r.Shared {
		return ""
	}
	return diverges(a)
}

// oneWriter returns how to keep the copies of a source correct: one writer at a time, or a version if the source can have one.
func oneWriter(source *Aggregate) string {
	fix := "let one writer at a time change each " + source.Struct.Name
	switch {
	case source.Root != nil:
		return fix + ": a part of " + source.Root.Struct.Name + " has no separate version"
	case source.Properties.Expires():
		return fix + ": an aggregate with ttl= cannot have a version"
	case slices.ContainsFunc(source.Attributes, func(at *Attribute) bool { return at.Static }):
		return fix + ": an aggregate with a static column cannot have a version"
	}
	return fix + ", or add a version to it" + untilExecuted("version")
}

// diverges returns why the cells of a copy do not converge; "" if they do.
func diverges(a *Aggregate) string {
	r := a.Redundancy
	if c := r.Path.collection(); c != nil {
		switch {
		case r.Path.Method() != nil:
			return "its rows are computed by a method"
		case c.Type.Kind == List:
			return "its rows follow from a list, which is written as a whole"
		case c.Frozen() || r.Path.Loop > 0:
			return "its rows follow from a frozen collection, which is written as a whole"
		}
	}
	for _, k := range a.Key() {
		if why := moves(r, k); why != "" {
			return why
		}
	}
	if r.Path != nil && !r.distinguishesElements(a.Key()) {
		return "two elements can have the same row, and one of them can be removed"
	}
	if r.Path != nil && r.When != nil && r.When.Loop < 0 {
		return fmt.Sprintf("whether an element has a row depends on a field of %s outside the element", r.Source.Struct.Name)
	}
	if r.When != nil && r.absentInSeveralWays() {
		return fmt.Sprintf("a write can change %s from one value without a row to another, and does not delete a row that another writer adds concurrently", r.When)
	}
	if why := rewrites(a); why != "" {
		return why
	}
	columns := 0
	for _, at := range a.Attributes {
		if at.Key {
			continue
		}
		columns++
		if why := mixes(r, at); why != "" {
			return why
		}
	}
	switch {
	case r.When.Method() != nil:
		return "a method, which can read several fields, decides whether a row exists"
	case r.When != nil && r.When.several():
		return "a value of several cells decides whether a row exists"
	case r.When != nil && columns > 0:
		return "its rows depend on when= and have columns outside their key"
	case (r.Path != nil || r.When != nil) && !a.StartsWithSourceKey():
		return fmt.Sprintf("a Delete does not remove a row that a concurrent write adds: the key does not start with the whole key of %s", r.Source.Struct.Name)
	}
	return ""
}

// claimants warns of keys that several sources can have one after the other, if a row does not contain the key of its source.
func (b *builder) claimants(a *Aggregate) {
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
	b.add(a.Struct.Pos, RuleClaimant, "add "+from+" to its fields, or in a composition with from="+r.Source.Struct.Name,
		"the rows of %s do not contain %s: a row that one %s releases is deleted even if another %s has already claimed its key", a.Table, from, r.Source.Struct.Name, r.Source.Struct.Name)
}

// distinguishesElements reports whether a key distinguishes the elements of the collection.
func (r *Redundancy) distinguishesElements(key []*Attribute) bool {
	var paths []*Path
	for _, k := range key {
		if k.Origin.Object == nil {
			paths = append(paths, k.Origin.Path)
		}
	}
	return slices.ContainsFunc(r.elementIdentity(), func(e []*Path) bool { return within(e, paths) })
}

// rewrites returns why a write of one cell also writes others: a row that expires is written as a whole, with one TTL.
func rewrites(a *Aggregate) string {
	r := a.Redundancy
	source := r.Source
	if source.InRootTable {
		source = source.Root
	}
	if source.Properties.Expires() {
		if r.Path != nil || r.When != nil {
			return fmt.Sprintf("rows of %s expire, so every write of one writes all its columns", r.Source.Struct.Name)
		}
		return ""
	}
	columns := len(a.Attributes) > len(a.Key())
	if a.Properties.Expires() && (columns || r.Path != nil || r.When != nil) {
		return "its rows expire, so a row is written completely or not at all"
	}
	return ""
}

// moves returns why a key column can change.
func moves(r *Redundancy, k *Attribute) string {
	for _, p := range k.Origin.paths() {
		switch {
		case p.Method() != nil:
			return fmt.Sprintf("its key column %s is computed by a method", k.Name)
		case p.Loop >= 0 && p.Part == Element && p.Steps[p.Loop].Type.Kind == MapType && !slices.Contains(p.Steps[p.Loop].Type.Qualifier, p.Steps[len(p.Steps)-1]):
			return fmt.Sprintf("its key column %s can change with the value of an entry", k.Name)
		case p.Loop < 0 && !p.Steps[0].Key && !(len(p.Steps) == 1 && p.Steps[0].Fixed):
			return fmt.Sprintf("its key column %s can change", k.Name)
		}
	}
	return ""
}

// mixes returns why a cell is not derived from exactly one cell of the source.
func mixes(r *Redundancy, at *Attribute) string {
	for _, p := range at.Origin.paths() {
		switch {
		case p.Method() != nil:
			return fmt.Sprintf("its column %s is computed by a method", at.Name)
		case p.Loop < 0 && !p.Steps[0].Key && r.Path != nil:
			return fmt.Sprintf("its column %s contains a field of %s outside the element", at.Name, r.Source.Struct.Name)
		}
	}
	single := []*Origin{at.Origin} // the origins of single cells of the copy
	switch {
	case at.Frozen() || !at.Type.MultiCell():
	case at.Origin.Object != nil:
		single = at.Origin.Fields
	default: // the same number of cells as the source
		single = nil
	}
	for _, o := range single {
		if o.sourceCells() > 1 {
			return fmt.Sprintf("its column %s is one cell that is derived from several", at.Name)
		}
	}
	return ""
}

// sourceCells counts the cells of the source that a value derives from: 2 means more than 1.
func (o *Origin) sourceCells() int {
	if o.Object != nil {
		if o.Path.several() { // it has no value if none of its cells has one
			return 2
		}
		n := 0
		for _, f := range o.Fields {
			n += f.sourceCells()
		}
		return n
	}
	switch p := o.Path; {
	case p.Loop < 0 && p.Steps[0].Key:
		return 0
	case p.several():
		return 2
	}
	return 1
}

// several reports whether the path leads to a column of several cells.
func (p *Path) several() bool { return p.Loop < 0 && len(p.Steps) == 1 && p.Steps[0].severalCells() }

// absentInSeveralWays reports whether the cell of a condition has more than one value that means no row: both null and false, or
// a user-defined type or map entry whose other fields change. A write from one of these values to another does not delete a
// row.
// Of a value that is compared with constants, every other value means no row.
func (r *Redundancy) absentInSeveralWays() bool {
	p := r.When
	last := p.Steps[len(p.Steps)-1]
	if p.Loop >= 0 {
		of := p.Steps[p.Loop].Type
		return of.Kind == MapType && p.Part == Element && !slices.Contains(of.Qualifier, last)
	}
	if r.OneOf != nil && !p.Bool() {
		return !p.Steps[0].Key
	}
	cell := 0 // the step whose value is one cell
	if !p.Steps[0].Frozen() && len(p.Steps) > 1 && !p.Steps[0].appears() {
		cell = 1
	}
	return p.Method() == nil && (len(p.Steps)-1 > cell || last.Type.CQL == "boolean" && (p.CanBeNil() || last.Type.Conversion != ByKind))
}

// appears reports whether a user-defined type can be null, because it is a pointer or because all its fields can be null. A write of
// the first value after null writes all its fields.
func (a *Attribute) appears() bool {
	present := func(f *Attribute) bool { return !f.Type.canBeNil() }
	return a.Type.Nullable && !a.Mandatory || !slices.ContainsFunc(a.Type.Object.Attributes, present)
}

// severalCells reports whether the attribute is a column of several cells of which one can be written alone.
func (a *Attribute) severalCells() bool {
	return a.Type.MultiCell() && a.Type.Kind != List && !a.Frozen()
}

// claims warns of unique values that cost a conditional write for each element.
func (b *builder) claims(a *Aggregate) {
	for _, u := range a.Uniques {
		if u.Paths[0].Loop >= 0 {
			at := u.Paths[0].Steps[len(u.Paths[0].Steps)-1]
			o, _ := at.Tag.Option("unique")
			b.add(o.Pos, RuleHotUnique, "make sure that it is rarely written", "every new %s costs a separate conditional write", u.Name)
		}
	}
}

// emptyKey warns of a redundant aggregate whose whole partition key is a text that can be empty: such a row is refused, and with it the
// write of its source.
func (b *builder) emptyKey(a *Aggregate) {
	if a.Redundancy == nil || len(a.Identifier) != 1 {
		return
	}
	key := a.Identifier[0]
	if p := key.Origin.Path; p.emptyByDefault() && !a.Redundancy.leavesOut(p) {
		b.add(key.Pos, RuleEmptyKey, "add required to "+p.String()+", or leave out such rows with when=",
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

func (b *builder) indexes(a *Aggregate) {
	for _, at := range a.Attributes {
		o, _ := at.Tag.Option("index")
		switch {
		case at.Index == nil:
		case at == a.Version:
			b.add(o.Pos, RuleIndexUse, "delete it", "every save changes %s and its index", at.GoName())
		case at.Type.Kind == Scalar && (identifying[at.Type.CQL] || at.Tag.Has("unique")):
			b.add(o.Pos, RuleIndexUse, "make a redundant aggregate with it as the identifier", "nearly every row has a different %s, and a read by its index queries all nodes", at.GoName())
		}
	}
}
