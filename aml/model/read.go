package model

import (
	"slices"
	"strings"
)

// reader reads the structs of a package into aggregates and objects, without the paths in their tags.
type reader struct {
	*faults
	*visits
	model    *Model
	objects  map[*Struct]*Object
	tuples   map[*Struct]*Object
	composed map[*Object]bool // objects that are composed
	open     []*Struct        // structs whose attributes are being read, outermost first
	fields   map[holder]int   // how many have been read
}

func newReader(p *Package) *reader {
	v := &visits{pkg: p}
	return &reader{faults: &faults{moved: v.toUser}, visits: v, model: &Model{Package: p}, objects: map[*Struct]*Object{},
		tuples: map[*Struct]*Object{}, composed: map[*Object]bool{}, fields: map[holder]int{}}
}

// declare reads a struct with a marker, except its paths.
func (r *reader) declare(s *Struct) {
	for _, pos := range s.Again {
		r.add(pos, RuleMarkerTwice, "keep one of them", "%s has two markers", s.Name)
	}
	for _, m := range s.Misplaced {
		r.misplacedMarker(s, m)
	}
	if s.Generic {
		r.add(s.Pos, RuleUnsupportedType, "delete its marker and compose its instances, or declare a struct for each type", "%s has type parameters and cannot be stored itself", s.Name)
		return
	}
	switch s.Marker {
	case AggregateMarker:
		r.aggregate(s, onAggregate)
	case EntityMarker:
		if t, err := ParseTag(s.Tag); err == nil && t.Has("part") {
			r.aggregate(s, onEntity)
			return
		}
		r.object(s, nil)
	case ValueObjectMarker:
		r.object(s, nil)
	}
}

func (r *reader) misplacedMarker(s *Struct, m Misplaced) {
	switch m.Kind {
	case MarkerPointer:
		r.add(m.Pos, RuleMisplacedMarker, "embed it without the *", "%s embeds a pointer to its marker", s.Name)
	case MarkerField:
		r.add(m.Pos, RuleMisplacedMarker, "delete the name "+m.Field, "the marker of %s is a named field", s.Name)
	case MarkerOfEmbedded:
		r.add(m.Pos, RuleMisplacedMarker, "embed the marker in "+s.Name+" itself, and otherwise only plain structs",
			"%s has no marker: the marker of the embedded %s applies only to %s", s.Name, m.Field, m.Field)
	case MarkerOfUntagged:
		r.add(m.Pos, RuleMisplacedMarker, "embed the marker in "+s.Name+" itself; if it is no part of the model, write `aml:\"-\"` after "+m.Field,
			"%s has no marker and no tags: the marker of the embedded %s applies only to %s", s.Name, m.Field, m.Field)
	}
}

// aggregate reads a root, a redundant aggregate or a part.
func (r *reader) aggregate(s *Struct, where place) {
	defer r.enter(s)()
	tag := r.parse(s.Tag, where)
	if tag.Has("of") {
		r.model.Views = append(r.model.Views, &View{Struct: s})
		return
	}
	a := &Aggregate{Struct: s, Tag: tag, Table: tag.Name, Large: tag.Has("large"), HeadRow: tag.Has("headrow"), Rows: tag.number("rows", 0), Was: tag.value("was")}
	if a.Table == "" {
		a.Table = SnakeCase(s.Name)
	}
	if why := checkTable(a.Table); why != "" {
		r.add(tag.placeOr(s.Pos), RuleName, "use another name for the table", "table name %q: %s", a.Table, why)
	}
	readProperties(r.faults, a)
	r.open = append(r.open, s)
	a.Attributes = r.attributes(s, nil, holder{aggregate: a})
	if r.fields[holder{aggregate: a}] > maxFields { // nothing else is reported of it
		a.Attributes = a.Key()
	}
	r.open = r.open[:len(r.open)-1]
	if !tag.Has("redundant") { // the rule applies to its source
		a.Attributes, a.Disjunctions, a.Alternatives = (&groupReader{r.faults}).groups(a.Attributes)
	}
	if o, ok := tag.Option("redundant"); ok {
		a.Redundancy = &Redundancy{Distinct: tag.Has("distinct"), Shared: tag.Has("shared"), Unlogged: tag.Has("unlogged"), Pos: o.Pos, text: o.Value}
		readCache(r.faults, a)
		a.Redundancy.when, _ = tag.Option("when")
	} else {
		r.misplaced(tag, "without redundant=", "distinct", "shared", "unlogged", "cache", "when")
	}
	if len(a.Identifier) == 0 && !a.unread {
		r.add(s.Pos, RuleNoIdentifier, "add identifier to the field that identifies it", "aggregate %s has no identifier", s.Name)
	}
	r.model.Aggregates = append(r.model.Aggregates, a)
}

// object reads a composed struct once; it returns nil if the struct is invalid. From is the field that composes it, or nil.
func (r *reader) object(s *Struct, from *Field) *Object {
	if i := slices.Index(r.open, s); i >= 0 {
		r.cycle(r.open[i:], from)
		return nil
	}
	o, done := r.objects[s]
	if !done {
		o = r.readObject(s, from)
	}
	if from != nil && o != nil {
		r.composed[o] = true
	}
	return o
}

func (r *reader) readObject(s *Struct, from *Field) *Object {
	defer r.enter(s)()
	where := onObject
	if s.Marker == EntityMarker {
		where = onEntity
	}
	tag := r.parse(s.Tag, where)
	if tag.Has("part") && from != nil {
		r.add(from.Pos, RuleComposedRoot, "compose another struct: the rows of a part are read and written separately", "%s is a part and cannot be composed", s.Name)
		return nil
	}
	r.misplaced(tag, "on an entity that is not a part", "rows", "comment", "gc_grace", "with", "large")
	o := &Object{Struct: s, Entity: s.Marker == EntityMarker, UDT: tag.Name, Final: tag.Has("final"), Was: tag.value("was"), way: slices.Clone(r.way)}
	if o.UDT == "" {
		o.UDT = SnakeCase(strings.NewReplacer("[", "_", "]", "", ",", "_", ".", "_", "*", "", " ", "").Replace(s.Name))
	}
	if r.fill(o); !r.measure(o) {
		r.objects[s] = nil
		return nil
	}
	r.objects[s] = o
	if why := checkType(o.UDT); why != "" {
		pos, fix := r.rename(o)
		r.put(pos, RuleName, fix, "type name %q%s: %s", o.UDT, r.ofOther(o), why)
	}
	if o.Entity && len(o.Identity) == 0 && !slices.ContainsFunc(s.Fields, (*Field).keyed) {
		r.add(s.Pos, RuleNoIdentifier, "add identifier to the field that distinguishes it from its siblings, or embed aml.ValueObject", "entity %s has no identifier", s.Name)
	}
	r.model.Objects = append(r.model.Objects, o)
	return o
}

// tuple reads a struct that is stored as a tuple: an object without a name.
func (r *reader) tuple(s *Struct, from *Field, tag Tag) *Object {
	if i := slices.Index(r.open, s); i >= 0 {
		r.cycle(r.open[i:], from)
		return nil
	}
	if o, done := r.tuples[s]; done {
		return o
	}
	if s.Marker != Plain {
		pos := from.Pos
		if o, ok := tag.Option("type"); ok {
			pos = o.Pos
		}
		r.add(pos, RuleTypeOption, "use a plain struct, or composition", "%s has a marker and cannot be a tuple", s.Name)
		return nil
	}
	defer r.enter(s)()
	o := &Object{Struct: s}
	if r.fill(o); !r.measure(o) {
		o = nil
	}
	r.tuples[s] = o
	return o
}

// plainMembers refuses options that the fields of a tuple cannot have.
func (r *reader) plainMembers(o *Object) {
	for _, at := range o.Attributes {
		r.misplaced(at.Tag, "in a tuple", "association", "checked", "ondelete", "xor", "any", "was")
		if u, ok := at.Tag.Option("unique"); ok && !at.Type.collection() {
			r.add(u.Pos, RuleMisplacedOption, "delete it", "unique on a single value has no effect in a tuple")
		}
		for _, x := range at.Tag.Options {
			if x.Key == "identifier" || x.Key == "discriminator" {
				r.add(x.Pos, RuleKeyOfObject, "delete it", "a tuple has no identity")
			}
		}
	}
}

// fill reads the attributes of an object.
func (r *reader) fill(o *Object) {
	r.open = append(r.open, o.Struct)
	before := len(r.list)
	o.Attributes = r.attributes(o.Struct, nil, holder{object: o})
	if len(o.Attributes) == 0 && len(r.list) == before {
		r.add(o.Struct.Pos, RuleEmptyStruct, "add an exported field", "%s has no attributes", o.Struct.Name)
	}
	if o.UDT != "" { // a tuple has no groups
		o.Attributes, o.Disjunctions, o.Alternatives = (&groupReader{r.faults}).groups(o.Attributes)
	}
	r.open = r.open[:len(r.open)-1]
}

func (r *reader) cycle(ring []*Struct, from *Field) {
	var names []string
	for _, s := range ring {
		names = append(names, s.Name)
	}
	names = append(names, ring[0].Name)
	r.add(from.Pos, RuleCycle, "a value cannot contain itself: store an identifier instead", "cycle of compositions: %s", strings.Join(names, " in "))
}

// attributes reads the fields of a struct, including the fields of embedded plain structs.
func (r *reader) attributes(s *Struct, path []string, h holder) []*Attribute {
	var out []*Attribute
	defer r.reach(nil)
	for _, f := range s.Fields {
		r.reach(f)
		if r.tooMany(f, h) {
			break
		}
		at := append(slices.Clone(path), f.Name)
		if f.Embedded && !f.Tag.Found {
			out = append(out, r.embedded(f, at, h)...)
			continue
		}
		x := r.attribute(f, at, h)
		if x != nil {
			out = append(out, x)
		}
		if h.aggregate != nil && (x == nil || !x.Key) && f.keyed() {
			h.aggregate.unread = true
		}
	}
	return out
}

// embedded reads a struct whose fields count as fields of the struct around it.
func (r *reader) embedded(f *Field, path []string, h holder) []*Attribute {
	if f.Type.Kind != StructKind || f.Type.Struct.Marker != Plain {
		r.add(f.Pos, RuleUnsupportedType, "add a name to the field", "%s cannot be embedded: only a plain struct can", f.Type.Text)
		return nil
	}
	s := f.Type.Struct
	if !f.Exported && s.Path != r.model.Package.Path {
		r.add(f.Pos, RuleUnexportedField, "embed an exported struct", "%s is not exported by its package, so its fields would be lost", f.Type.Text)
		return nil
	}
	if slices.Contains(r.open, s) {
		r.cycle(r.open[slices.Index(r.open, s):], f)
		return nil
	}
	r.open = append(r.open, s)
	defer func() { r.open = r.open[:len(r.open)-1] }()
	defer r.enter(s)()
	return r.attributes(s, path, h)
}

// attribute reads one field; nil if it is omitted or invalid.
func (r *reader) attribute(f *Field, path []string, h holder) *Attribute {
	if f.leftOut() {
		return nil
	}
	if f.showsTTL() {
		r.remaining(f, path, h)
		return nil
	}
	if !f.Exported {
		r.add(f.Pos, RuleUnexportedField, "export it, or omit it with aml:\"-\"", "field %s is not exported, so its value would be lost", f.Name)
		return nil
	}
	tag := r.parse(f.Tag, onField)
	y := &typing{r: r, at: f, tag: tag}
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
		r.add(tag.placeOr(f.Pos), RuleName, "use another name", "name %q: %s", at.Name, why)
	}
	o := &optionReader{r.faults}
	o.shape(at)
	o.qualify(at)
	o.multiplicity(at)
	o.key(at, h)
	o.columnOptions(at, h)
	o.fixed(at, h)
	o.enum(at, h)
	if h.object != nil {
		r.misplaced(tag, "on a field of a composed struct", "from", "static", "version", "counter", "index", "copy")
	}
	return at
}

// keyed reports whether the field was meant to be part of a key, even if it has a fault.
func (f *Field) keyed() bool {
	if f.Tag.Broken || f.Tag.Twice {
		return strings.Contains(f.Tag.Text, "identifier")
	}
	t, err := ParseTag(f.Tag)
	return err == nil && t.Name != "-" && (t.Has("identifier") || t.Has("discriminator")) || err != nil && strings.Contains(f.Tag.Text, "identifier") ||
		f.misspelt()
}

// misspelt reports whether the field has a misspelt key option, which has been reported.
func (f *Field) misspelt() bool {
	t, err := ParseTag(f.Tag)
	return err == nil && t.Name != "-" && slices.ContainsFunc(t.Options, func(o Option) bool {
		meant := nearestOption(o.Key, onField)
		return meant == "identifier" || meant == "discriminator"
	})
}

// hidden reports whether a type is not exported by another package.
func (r *reader) hidden(n *GoName) bool {
	return n.Path != "" && n.Path != r.model.Package.Path && !exported(n.Name)
}

// The limits of a model. Rules follow every path to a value, so they need limits to terminate.
const (
	maxValues = 2048 // the values in one attribute, including the values of its objects
	maxDepth  = 32   // levels of objects in one attribute
	maxFields = 1024 // the fields of one struct, including the fields of embedded structs
)

// measure counts the values in an object, and reports whether they are within the limits.
func (r *reader) measure(o *Object) bool {
	for _, at := range o.Attributes {
		v, d := at.Type.extent()
		o.values, o.depth = o.values+v, max(o.depth, d)
	}
	o.depth++
	switch {
	case o.values > maxValues:
		r.add(o.Struct.Pos, RuleTooDeep, "store identifiers instead of values", "%s contains %d values, including those of the structs that it composes; the limit is %d", o.Struct.Name, o.values, maxValues)
	case o.depth > maxDepth:
		r.add(o.Struct.Pos, RuleTooDeep, "store an identifier instead of a value", "%s composes structs %d levels deep; the limit is %d", o.Struct.Name, o.depth, maxDepth)
	default:
		return true
	}
	return false
}

// tooMany counts a field of a holder, and reports whether there are too many. The first such field is reported.
func (r *reader) tooMany(f *Field, h holder) bool {
	r.fields[h]++
	if r.fields[h] == maxFields+1 {
		r.add(f.Pos, RuleTooDeep, "embed fewer structs", "the struct has more than %d fields, including those of the structs that it embeds", maxFields)
		if h.aggregate != nil {
			h.aggregate.unread = true
		}
	}
	return r.fields[h] > maxFields
}
