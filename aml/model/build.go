package model

import (
	"slices"
	"strings"
)

// Build returns the model of a package and all its diagnostics, in the order of the source. If one of them is a refusal, the
// model is incomplete and must not be used; with only warnings it is complete.
func Build(p *Package) (*Model, []Diagnostic) {
	b := newBuilder(p)
	for _, s := range p.Structs {
		b.declare(s)
	}
	b.parts()
	b.associations()
	b.redundancies()
	b.copies()
	b.uniques()
	for _, a := range b.model.Aggregates {
		b.rules(a)
	}
	b.lifetimes()
	b.deliveries()
	b.views()
	b.names()
	if !Refused(b.list) {
		b.warnings()
	}
	b.ignore(p.Ignores)
	return b.model, Sorted(b.list)
}

// builder is the state of a build.
type builder struct {
	faults
	model     *Model
	objects   map[*Struct]*Object
	tuples    map[*Struct]*Object
	externals map[*Struct]*Aggregate // roots of other packages
	composed  map[*Object]bool       // objects that are composed
	open      []*Struct              // structs whose attributes are being read, outermost first
	visits    []visit                // what is being read, outermost first
	fields    map[holder]int         // how many have been read
}

func newBuilder(p *Package) *builder {
	b := &builder{model: &Model{Package: p}, objects: map[*Struct]*Object{}, tuples: map[*Struct]*Object{},
		externals: map[*Struct]*Aggregate{}, composed: map[*Object]bool{}, fields: map[holder]int{}}
	b.moved = b.toUser
	return b
}

// holder is what attributes are read into: an aggregate or an object.
type holder struct {
	aggregate *Aggregate // nil for an object
	object    *Object    // nil for an aggregate
}

// declare reads a struct with a marker, except its paths.
func (b *builder) declare(s *Struct) {
	for _, pos := range s.Again {
		b.add(pos, RuleMarkerTwice, "keep one of them", "%s has two markers", s.Name)
	}
	for _, m := range s.Misplaced {
		b.misplacedMarker(s, m)
	}
	if s.Generic {
		b.add(s.Pos, RuleUnsupportedType, "delete its marker and compose its instances, or declare a struct for each type", "%s has type parameters and cannot be stored itself", s.Name)
		return
	}
	switch s.Marker {
	case AggregateMarker:
		b.aggregate(s, onAggregate)
	case EntityMarker:
		if t, err := ParseTag(s.Tag); err == nil && t.Has("part") {
			b.aggregate(s, onEntity)
			return
		}
		b.object(s, nil)
	case ValueObjectMarker:
		b.object(s, nil)
	}
}

func (b *builder) misplacedMarker(s *Struct, m Misplaced) {
	switch m.Kind {
	case MarkerPointer:
		b.add(m.Pos, RuleMisplacedMarker, "embed it without the *", "%s embeds a pointer to its marker", s.Name)
	case MarkerField:
		b.add(m.Pos, RuleMisplacedMarker, "delete the name "+m.Field, "the marker of %s is a named field", s.Name)
	case MarkerOfEmbedded:
		b.add(m.Pos, RuleMisplacedMarker, "embed the marker in "+s.Name+" itself, and otherwise only plain structs",
			"%s has no marker: the marker of the embedded %s applies only to %s", s.Name, m.Field, m.Field)
	case MarkerOfUntagged:
		b.add(m.Pos, RuleMisplacedMarker, "embed the marker in "+s.Name+" itself; if it is no part of the model, write `aml:\"-\"` after "+m.Field,
			"%s has no marker and no tags: the marker of the embedded %s applies only to %s", s.Name, m.Field, m.Field)
	}
}

// aggregate reads a root, a redundant aggregate or a part.
func (b *builder) aggregate(s *Struct, where place) {
	defer b.enter(s)()
	tag := b.parse(s.Tag, where)
	if tag.Has("of") {
		b.model.Views = append(b.model.Views, &View{Struct: s})
		return
	}
	a := &Aggregate{Struct: s, Tag: tag, Table: tag.Name, Large: tag.Has("large"), Rows: tag.number("rows", 0), Was: tag.value("was")}
	if a.Table == "" {
		a.Table = SnakeCase(s.Name)
	}
	if why := checkTable(a.Table); why != "" {
		b.add(tag.placeOr(s.Pos), RuleName, "use another name for the table", "table name %q: %s", a.Table, why)
	}
	b.properties(a)
	b.open = append(b.open, s)
	a.Attributes = b.attributes(s, nil, holder{aggregate: a})
	if b.fields[holder{aggregate: a}] > maxFields { // nothing else is reported of it
		a.Attributes = a.Key()
	}
	b.open = b.open[:len(b.open)-1]
	if !tag.Has("redundant") { // the rule applies to its source
		a.Attributes, a.Disjunctions, a.Alternatives = b.groups(a.Attributes)
	}
	if o, ok := tag.Option("redundant"); ok {
		a.Redundancy = &Redundancy{Distinct: tag.Has("distinct"), Shared: tag.Has("shared"), Unlogged: tag.Has("unlogged"), Pos: o.Pos, text: o.Value}
		b.cache(a)
		a.Redundancy.when, _ = tag.Option("when")
	} else {
		b.misplaced(tag, "without redundant=", "distinct", "shared", "unlogged", "cache", "when")
	}
	if len(a.Identifier) == 0 && !a.unread {
		b.add(s.Pos, RuleNoIdentifier, "add identifier to the field that identifies it", "aggregate %s has no identifier", s.Name)
	}
	b.model.Aggregates = append(b.model.Aggregates, a)
}

// object reads a composed struct once; it returns nil if the struct is invalid. From is the field that composes it, or nil.
func (b *builder) object(s *Struct, from *Field) *Object {
	if i := slices.Index(b.open, s); i >= 0 {
		b.cycle(b.open[i:], from)
		return nil
	}
	o, done := b.objects[s]
	if !done {
		o = b.readObject(s, from)
	}
	if from != nil && o != nil {
		b.composed[o] = true
	}
	return o
}

func (b *builder) readObject(s *Struct, from *Field) *Object {
	defer b.enter(s)()
	where := onObject
	if s.Marker == EntityMarker {
		where = onEntity
	}
	tag := b.parse(s.Tag, where)
	if tag.Has("part") && from != nil {
		b.add(from.Pos, RuleComposedRoot, "compose another struct: the rows of a part are read and written separately", "%s is a part and cannot be composed", s.Name)
		return nil
	}
	b.misplaced(tag, "on an entity that is not a part", "rows", "comment", "gc_grace", "with", "large")
	o := &Object{Struct: s, Entity: s.Marker == EntityMarker, UDT: tag.Name, Final: tag.Has("final"), Was: tag.value("was"), way: slices.Clone(b.visits)}
	if o.UDT == "" {
		o.UDT = SnakeCase(strings.NewReplacer("[", "_", "]", "", ",", "_", ".", "_", "*", "", " ", "").Replace(s.Name))
	}
	if b.fill(o); !b.measure(o) {
		b.objects[s] = nil
		return nil
	}
	b.objects[s] = o
	if why := checkType(o.UDT); why != "" {
		pos, fix := b.rename(o)
		b.put(pos, RuleName, fix, "type name %q%s: %s", o.UDT, b.ofOther(o), why)
	}
	if o.Entity && len(o.Identity) == 0 && !slices.ContainsFunc(s.Fields, (*Field).keyed) {
		b.add(s.Pos, RuleNoIdentifier, "add identifier to the field that distinguishes it from its siblings, or embed aml.ValueObject", "entity %s has no identifier", s.Name)
	}
	b.model.Objects = append(b.model.Objects, o)
	return o
}

// tuple reads a struct that is stored as a tuple: an object without a name.
func (b *builder) tuple(s *Struct, from *Field, tag Tag) *Object {
	if i := slices.Index(b.open, s); i >= 0 {
		b.cycle(b.open[i:], from)
		return nil
	}
	if o, done := b.tuples[s]; done {
		return o
	}
	if s.Marker != Plain {
		pos := from.Pos
		if o, ok := tag.Option("type"); ok {
			pos = o.Pos
		}
		b.add(pos, RuleTypeOption, "use a plain struct, or composition", "%s has a marker and cannot be a tuple", s.Name)
		return nil
	}
	defer b.enter(s)()
	o := &Object{Struct: s}
	if b.fill(o); !b.measure(o) {
		o = nil
	}
	b.tuples[s] = o
	return o
}

// plainMembers refuses options that the fields of a tuple cannot have.
func (b *builder) plainMembers(o *Object) {
	for _, at := range o.Attributes {
		b.misplaced(at.Tag, "in a tuple", "association", "checked", "ondelete", "xor", "any", "was")
		if u, ok := at.Tag.Option("unique"); ok && !at.Type.collection() {
			b.add(u.Pos, RuleMisplacedOption, "delete it", "unique on a single value has no effect in a tuple")
		}
		for _, x := range at.Tag.Options {
			if x.Key == "identifier" || x.Key == "discriminator" {
				b.add(x.Pos, RuleKeyOfObject, "delete it", "a tuple has no identity")
			}
		}
	}
}

// fill reads the attributes of an object.
func (b *builder) fill(o *Object) {
	b.open = append(b.open, o.Struct)
	before := len(b.list)
	o.Attributes = b.attributes(o.Struct, nil, holder{object: o})
	if len(o.Attributes) == 0 && len(b.list) == before {
		b.add(o.Struct.Pos, RuleEmptyStruct, "add an exported field", "%s has no attributes", o.Struct.Name)
	}
	if o.UDT != "" { // a tuple has no groups
		o.Attributes, o.Disjunctions, o.Alternatives = b.groups(o.Attributes)
	}
	b.open = b.open[:len(b.open)-1]
}

// placeOr returns the position of the name in the tag, or the given position if the tag has no name.
func (t Tag) placeOr(named Pos) Pos {
	if t.Name == "" {
		return named
	}
	return t.Pos
}

func (b *builder) cycle(ring []*Struct, from *Field) {
	var names []string
	for _, s := range ring {
		names = append(names, s.Name)
	}
	names = append(names, ring[0].Name)
	b.add(from.Pos, RuleCycle, "a value cannot contain itself: store an identifier instead", "cycle of compositions: %s", strings.Join(names, " in "))
}

// attributes reads the fields of a struct, including those of embedded plain structs.
func (b *builder) attributes(s *Struct, path []string, h holder) []*Attribute {
	var out []*Attribute
	defer b.reach(nil)
	for _, f := range s.Fields {
		b.reach(f)
		if b.tooMany(f, h) {
			break
		}
		at := append(slices.Clone(path), f.Name)
		if f.Embedded && !f.Tag.Found {
			out = append(out, b.embedded(f, at, h)...)
			continue
		}
		x := b.attribute(f, at, h)
		if x != nil {
			out = append(out, x)
		}
		if h.aggregate != nil && (x == nil || !x.Key) && f.keyed() {
			h.aggregate.unread = true
		}
	}
	return out
}

// embedded reads a struct whose fields count as those of the struct around it.
func (b *builder) embedded(f *Field, path []string, h holder) []*Attribute {
	if f.Type.Kind != StructKind || f.Type.Struct.Marker != Plain {
		b.add(f.Pos, RuleUnsupportedType, "add a name to the field", "%s cannot be embedded: only a plain struct can", f.Type.Text)
		return nil
	}
	s := f.Type.Struct
	if !f.Exported && s.Path != b.model.Package.Path {
		b.add(f.Pos, RuleUnexportedField, "embed an exported struct", "%s is not exported by its package, so its fields would be lost", f.Type.Text)
		return nil
	}
	if slices.Contains(b.open, s) {
		b.cycle(b.open[slices.Index(b.open, s):], f)
		return nil
	}
	b.open = append(b.open, s)
	defer func() { b.open = b.open[:len(b.open)-1] }()
	defer b.enter(s)()
	return b.attributes(s, path, h)
}

// attribute reads one field; nil if it is omitted or invalid.
func (b *builder) attribute(f *Field, path []string, h holder) *Attribute {
	if f.leftOut() {
		return nil
	}
	if !f.Exported {
		b.add(f.Pos, RuleUnexportedField, "export it, or omit it with aml:\"-\"", "field %s is not exported, so its value would be lost", f.Name)
		return nil
	}
	tag := b.parse(f.Tag, onField)
	y := &typing{b: b, at: f, tag: tag}
	t := y.resolve()
	if t == nil {
		return nil
	}
	at := &Attribute{Field: f, Path: path, Name: tag.Name, Type: t, Tag: tag, Pos: f.Pos, Was: tag.value("was"), Nested: h.object != nil,
		Mandatory: tag.Has("required"), Final: tag.Has("final") && t.MultiCell() || y.whole != nil && y.whole.Name == "frozen", Secret: tag.Has("secret")}
	at.from, _ = tag.Option("from")
	if at.Name == "" {
		at.Name = SnakeCase(f.Name)
	}
	if why := checkColumn(at.Name); why != "" {
		b.add(tag.placeOr(f.Pos), RuleName, "use another name", "name %q: %s", at.Name, why)
	}
	b.shape(at)
	b.qualify(at)
	b.multiplicity(at)
	b.key(at, h)
	b.columnOptions(at, h)
	b.fixed(at, h)
	b.enum(at, h)
	if h.object != nil {
		b.misplaced(tag, "on a field of a composed struct", "from", "static", "version", "counter", "index", "copy")
	}
	return at
}

// shape applies the options that concern the type.
func (b *builder) shape(at *Attribute) {
	t, tag := at.Type, at.Tag
	if o, ok := tag.Option("composition"); ok && t.object() == nil {
		b.add(o.Pos, RuleMisplacedOption, "delete it", "composition has no effect on %s", t.Go.Text)
	}
	if o, ok := tag.Option("required"); ok && !t.canBeMissing() {
		b.add(o.Pos, RuleMisplacedOption, "delete it, or use a pointer, which is nil without a value", "required has no effect on %s: it always has a value", at.Field.Type.Text)
	}
	o, ok := tag.Option("unique")
	switch {
	case !ok:
	case t.Kind == List && !o.Valued:
		if t.Elem.holds("duration") {
			b.add(o.Pos, RuleUnsupportedType, "delete unique", "%s: a duration cannot be the element of a set", t.Go.Text)
		}
		t.Kind = Set
	case t.collection():
		b.add(o.Pos, RuleMisplacedOption, "delete it", "%s has no effect on %s: the values of a collection are unique inside it", o, t)
	}
}

// qualify turns a composition of many into a map, by qualifier= or by the discriminators of its value object.
func (b *builder) qualify(at *Attribute) {
	t := at.Type
	o, given := at.Tag.Option("qualifier")
	if t.Kind != List || t.Elem.Kind != Composed {
		if given {
			b.add(o.Pos, RuleMisplacedOption, "delete it", "qualifier= has no effect on %s: it names the fields that distinguish the elements of a slice of structs", t.Go.Text)
		}
		return
	}
	by := t.Elem.Object.Identity
	if t.Elem.Object.Entity {
		by = nil
	}
	if given {
		by = b.qualifiers(o, t.Elem.Object)
	}
	if len(by) == 0 {
		return
	}
	key := by[0].Type
	if len(by) > 1 {
		key = &Type{Kind: Tuple}
		for _, q := range by {
			key.Members = append(key.Members, q.Type)
		}
	}
	at.Type = &Type{Kind: MapType, Go: t.Go, Key: key, Elem: t.Elem, Qualifier: by}
}

// qualifiers resolves the value of qualifier=.
func (b *builder) qualifiers(o Option, in *Object) []*Attribute {
	var out []*Attribute
	for _, name := range strings.Split(o.Value, "+") {
		i := slices.IndexFunc(in.Attributes, func(a *Attribute) bool { return a.GoName() == name })
		switch {
		case name == "":
			b.add(o.Pos, RuleQualifier, "write the names of fields of "+in.Struct.Name+", joined by +", "qualifier=%s: a name in it is empty", o.Value)
			return nil
		case i < 0:
			b.add(o.Pos, RuleQualifier, "write the names of fields of "+in.Struct.Name+", joined by +", "qualifier=%s: %s has no field %s%s", o.Value, in.Struct.Name, name, nearestField(name, in.Attributes))
			return nil
		case in.Attributes[i].Type.canBeNil() || in.Attributes[i].Type.holds("duration"):
			b.add(o.Pos, RuleQualifier, "use a field that always has a value and an order", "qualifier=%s: %s is %s, which cannot be a key", o.Value, name, in.Attributes[i].Field.Type.Text)
			return nil
		case slices.Contains(out, in.Attributes[i]):
			b.add(o.Pos, RuleQualifier, "delete one of them", "qualifier=%s: %s appears twice", o.Value, name)
			return nil
		}
		out = append(out, in.Attributes[i])
	}
	return out
}

func (b *builder) multiplicity(at *Attribute) {
	at.Multiplicity = Multiplicity{Min: at.Tag.number("min", -1), Max: at.Tag.number("max", -1)}
	if !at.Type.collection() {
		b.misplaced(at.Tag, "on "+at.Type.String()+": it limits the number of values of a collection", "min", "max")
		return
	}
	if o, ok := at.Tag.Option("max"); ok && (at.Multiplicity.Max < 1 || at.Multiplicity.Max < at.Multiplicity.Min) {
		b.add(o.Pos, RuleMultiplicity, "use at least 1, and at least min", "max=%d allows no value", at.Multiplicity.Max)
	}
}
