package model

import (
	"slices"
	"strings"
)

// Build gives the meaning of a package. Where there are diagnostics the model is incomplete and must not be used; they
// come in the order of the source, all of them at once.
func Build(p *Package) (*Model, []Diagnostic) {
	b := &builder{model: &Model{Package: p}, objects: map[*Struct]*Object{}}
	for _, s := range p.Structs {
		b.marker(s)
		switch s.Marker {
		case AggregateMarker:
			b.aggregate(s)
		case EntityMarker:
			b.entity(s)
		case ValueObjectMarker:
			b.object(s, nil)
		}
	}
	for _, a := range b.model.Aggregates {
		b.redundancy(a)
	}
	for _, a := range b.model.Aggregates {
		b.origins(a)
	}
	b.names()
	return b.model, Sorted(b.list)
}

// marker refuses what no struct with a marker may be.
func (b *builder) marker(s *Struct) {
	for _, pos := range s.Again {
		b.add(pos, RuleMarkerTwice, "keep one of them", "%s has two markers", s.Name)
	}
	if s.Generic {
		b.add(s.Pos, RuleUnsupportedType, "write the struct out for each type", "%s has type parameters and cannot be stored", s.Name)
	}
}

func (b *builder) entity(s *Struct) {
	b.add(s.Tag.Pos, RuleUnsupportedYet, "embed aml.ValueObject", "a secondary entity (aml.Entity) is not supported yet")
}

// builder carries what a build has found so far.
type builder struct {
	faults
	model   *Model
	objects map[*Struct]*Object // nil while it is being built
	open    []*Struct           // structs whose attributes are being read, outermost first
}

// aggregate reads one root or redundant aggregate, all but its paths.
func (b *builder) aggregate(s *Struct) {
	tag := b.parse(s.Tag, onAggregate)
	a := &Aggregate{Struct: s, Table: tag.Name}
	if a.Table == "" {
		a.Table = SnakeCase(s.Name)
	}
	if why := checkTable(a.Table); why != "" {
		b.add(tag.placeOr(s.Pos), RuleName, "give the table another name", "table %q: %s", a.Table, why)
	}
	b.open = append(b.open, s)
	a.Attributes = b.attributes(s, nil, a)
	b.open = b.open[:len(b.open)-1]
	if o, ok := tag.Option("redundant"); ok {
		a.Redundancy = &Redundancy{Distinct: tag.Has("distinct"), Pos: o.Pos, text: o.Value}
	} else if o, ok := tag.Option("distinct"); ok {
		b.add(o.Pos, RuleMisplacedOption, "delete it, or add redundant=Source", "distinct means nothing on a root")
	}
	if len(a.Identifier) == 0 && !a.unread {
		b.add(s.Pos, RuleNoIdentifier, "mark the field that identifies it with identifier", "aggregate %s has no identifier", s.Name)
	}
	if cells(a) > MaxCells {
		b.add(s.Pos, RuleTooManyColumns, "make a composition final, or split the aggregate", "aggregate %s has %d cells a row, the limit is %d", s.Name, cells(a), MaxCells)
	}
	b.model.Aggregates = append(b.model.Aggregates, a)
}

// MaxCells is how many cells one row of an aggregate may have: each column counts one, a composition of one that is not
// final one for every field.
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

// Frozen says whether the attribute was declared to be written as a whole.
func (a *Attribute) Frozen() bool { return a.Final || a.Type.Final && a.Type.Kind == Composed }

// object reads a struct that is composed, once; nil after a fault. Where from is the field that composes it.
func (b *builder) object(s *Struct, from *Field) *Object {
	if i := slices.Index(b.open, s); i >= 0 {
		b.cycle(b.open[i:], from)
		return nil
	}
	if o, done := b.objects[s]; done {
		return o
	}
	if s.Marker == EntityMarker {
		b.entity(s)
		return nil
	}
	tag := b.parse(s.Tag, onObject)
	o := &Object{Struct: s, UDT: tag.Name, Final: tag.Has("final")}
	if o.UDT == "" {
		o.UDT = SnakeCase(s.Name)
	}
	b.open = append(b.open, s)
	before := len(b.list)
	o.Attributes = b.attributes(s, nil, nil)
	if len(o.Attributes) == 0 && len(b.list) == before {
		b.add(s.Pos, RuleEmptyStruct, "give it an exported field", "%s has no attributes", s.Name)
	}
	b.open = b.open[:len(b.open)-1]
	b.objects[s] = o
	if why := checkType(o.UDT); why != "" {
		b.add(tag.placeOr(s.Pos), RuleName, "embed aml.ValueObject with another name in its tag", "type %q: %s", o.UDT, why)
	}
	b.model.Objects = append(b.model.Objects, o)
	return o
}

// placeOr gives the place of a name that the tag gives, or that of what has its name by default.
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
	b.add(from.Pos, RuleCycle, "a value cannot contain itself: hold an identifier instead", "cycle of compositions: %s", strings.Join(names, " in "))
}

// attributes reads the fields of a struct; those of embedded plain structs stand among them. Keys go to a, which is nil
// for an object.
func (b *builder) attributes(s *Struct, path []string, a *Aggregate) []*Attribute {
	var out []*Attribute
	for _, f := range s.Fields {
		at := append(slices.Clone(path), f.Name)
		if f.Embedded && !f.Tag.Found {
			out = append(out, b.embedded(f, at, a)...)
		} else if x := b.attribute(f, at, a); x != nil {
			out = append(out, x)
		} else if a != nil && strings.Contains(f.Tag.Text, "identifier") {
			a.unread = true
		}
	}
	return out
}

// embedded reads a struct whose fields count as those of the struct around it.
func (b *builder) embedded(f *Field, path []string, a *Aggregate) []*Attribute {
	if f.Type.Kind != StructKind || f.Type.Struct.Marker != Plain {
		b.add(f.Pos, RuleUnsupportedType, "give the field a name", "%s cannot be embedded: only a plain struct can", f.Type.Text)
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
	return b.attributes(s, path, a)
}

// attribute reads one field; nil when it is left out or faulty.
func (b *builder) attribute(f *Field, path []string, a *Aggregate) *Attribute {
	if f.leftOut() {
		return nil
	}
	if !f.Exported {
		b.add(f.Pos, RuleUnexportedField, "export it, or leave it out with aml:\"-\"", "field %s is not exported, so its value would be lost", f.Name)
		return nil
	}
	tag := b.parse(f.Tag, onField)
	y := &typing{b: b, at: f, tag: tag}
	t := y.column(f.Type)
	if t == nil {
		return nil
	}
	at := &Attribute{Field: f, Path: path, Name: tag.Name, Type: t, Mandatory: tag.Has("required"), Final: tag.Has("final"), Pos: f.Pos}
	at.from, _ = tag.Option("from")
	if at.Name == "" {
		at.Name = SnakeCase(f.Name)
	}
	if why := checkColumn(at.Name); why != "" {
		b.add(tag.placeOr(f.Pos), RuleName, "give it another name", "name %q: %s", at.Name, why)
	}
	if a == nil && at.from.Key != "" {
		b.add(at.from.Pos, RuleMisplacedOption, "delete it, the attribute that holds the struct says where it comes from", "from= means nothing on a value object")
	}
	b.shape(at, tag)
	b.key(at, tag, a)
	return at
}

// shape applies the options that speak of the type.
func (b *builder) shape(at *Attribute, tag Tag) {
	t := at.Type
	if o, ok := tag.Option("composition"); ok && t.object() == nil {
		b.add(o.Pos, RuleMisplacedOption, "delete it", "composition means nothing on %s", t.Go.Text)
	}
	if o, ok := tag.Option("final"); ok && t.scalar() {
		b.add(o.Pos, RuleMisplacedOption, "delete it", "final means nothing on %s: it is always written as a whole", t.Go.Text)
	}
	if o, ok := tag.Option("type"); ok && t.object() != nil {
		b.add(o.Pos, RuleTypeOption, "name the type on the marker of the struct", "%s is stored as a user-defined type", t.Go.Text)
	}
	o, ok := tag.Option("unique")
	switch {
	case !ok:
	case t.Kind == List && !o.Valued:
		if t.Elem.holds("duration") {
			b.add(o.Pos, RuleUnsupportedType, "delete unique", "%s: a duration cannot be the element of a set", t.Go.Text)
		}
		t.Kind = Set
	case t.Kind == Set || t.Kind == MapType:
		b.add(o.Pos, RuleMisplacedOption, "delete it", "unique means nothing on %s, whose keys are unique", t.Go.Text)
	default:
		b.add(o.Pos, RuleUnsupportedYet, "leave it out for now", "%s on a single value is not supported yet", o)
	}
}

// key applies the options that put the attribute into the primary key of a.
func (b *builder) key(at *Attribute, tag Tag, a *Aggregate) {
	id, isID := tag.Option("identifier")
	ck, isDiscriminator := tag.Option("discriminator")
	order := b.order(tag, isDiscriminator)
	at.Key = isID || isDiscriminator
	switch {
	case !at.Key:
	case a == nil && isID:
		b.add(id.Pos, RuleKeyOfObject, "delete it", "a value object has no identifier")
	case a == nil:
		b.add(ck.Pos, RuleUnsupportedYet, "leave it out for now", "discriminator on a value object is not supported yet")
	case isID && isDiscriminator:
		b.add(ck.Pos, RuleKeyOfObject, "keep one of them", "%s is identifier and discriminator", at.GoName())
	case isID:
		b.keyType(at, id)
		a.Identifier = append(a.Identifier, at)
	default:
		b.keyType(at, ck)
		a.Discriminators = append(a.Discriminators, &Discriminator{at, order})
	}
}

func (b *builder) order(tag Tag, discriminator bool) Order {
	asc, isAsc := tag.Option("asc")
	desc, isDesc := tag.Option("desc")
	if isAsc && isDesc {
		b.add(desc.Pos, RuleRepeatedOption, "keep one of them", "a discriminator is asc or desc")
	}
	for _, o := range []Option{asc, desc} {
		if o.Key != "" && !discriminator {
			b.add(o.Pos, RuleOrderOffKey, "delete it, or make the field a discriminator", "%s orders discriminators only", o.Key)
		}
	}
	if isDesc {
		return Descending
	}
	return Ascending
}

func (b *builder) keyType(at *Attribute, o Option) {
	t := at.Type
	switch {
	case t.Nullable:
		b.add(o.Pos, RuleKeyType, "use "+t.Go.Text+" itself", "a key cannot be null, so it cannot be a pointer")
	case !t.scalar() && !at.Frozen():
		b.add(o.Pos, RuleKeyType, "add final, which freezes it", "%s is not frozen and cannot be part of a key", t)
	case t.holds("duration"):
		b.add(o.Pos, RuleKeyType, "use another type", "a duration has no order and cannot be part of a key")
	}
}
