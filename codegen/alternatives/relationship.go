package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Relationship is a relationship between two structs of a model: one root has many elements. In the model it is a composition, a reference of
// either side, or a table of pairs.
type Relationship struct {
	Name    string // the given name: Customer.Vehicles
	Root    *Side
	Element *Side
	Form    Form
	Max     int // max= of the collection, or rows= of the reference or the pairs; 0: not declared

	Dependent []Dependent // redundant aggregates and views that follow from the relationship

	model   *model.Model
	removed []string          // the structs that exist only for the relationship
	fields  map[string]string // the field of each struct that has the relationship; the keys are the names of structs
	copies  []Field           // the fields of the element that copy fields of its root
	held    *model.Attribute  // the field that has the relationship

	warnings  []model.Diagnostic
	following bool // a field of them follows one that can change
}

// Form is the form that a relationship has in the model.
type Form string

// The forms.
const (
	Embedded        Form = "embedded"
	FromRoot        Form = "reference from the root"
	FromElement     Form = "reference from the element"
	FromElements    Form = "references from the element"
	FromBoth        Form = "references from both sides" // they have the names that references-both gives them
	PairsOfKeys     Form = "table of pairs"
	PairsOfElements Form = "table of pairs, one of each element"
)

// Dependent is a struct that depends on the form of the relationship.
type Dependent struct {
	Name string
	Pos  model.Pos
	View bool // it reads elements by their key, as one of the designs does
}

// Side is one side of a relationship.
type Side struct {
	Struct    string
	Table     string // the name of its table, or of the table that it has if it becomes an aggregate
	Type      string // the name of its user-defined type
	Key       []Field
	Others    []Field // the fields outside the key, without the relationship
	Aggregate bool    // it is a root of the model
	Version   string  // the field of its version; "" for none
	Needs     bool    // other declarations than the relationship need a version on its root

	tag model.Tag // the tag of its marker
}

// Field is a field of a side.
type Field struct {
	Name   string // Plate
	Type   string // string
	Column string // plate
	Text   bool   // its CQL type has empty values
	Scalar bool   // it is one value of a native type

	attribute *model.Attribute
}

// single returns the only field of the key; nil if it has several.
func (s *Side) single() *Field {
	if len(s.Key) != 1 {
		return nil
	}
	return &s.Key[0]
}

// Changed returns the first field outside the key that a program can change; nil for none.
func (s *Side) Changed() *Field {
	for i := range s.Others {
		if f := &s.Others[i]; f.Scalar && !f.attribute.Fixed && !f.attribute.Static && f.attribute.Association == nil {
			return f
		}
	}
	return nil
}

// isUnique reports whether the key of a side that is not a root is a unique value: no two roots have an element with the same key.
func (s *Side) isUnique() bool {
	return !s.Aggregate && s.single() != nil && s.single().attribute.Tag.Has("unique")
}

// Find finds a relationship by the struct and the field that have it: Customer.Vehicles. The key has the names of the fields that identify an
// element; without it, they are the identifier of the element, or else the key of a redundant table or the first field that is required. A set of references
// Vehicle.CustomerIDs is also found as Customer.Vehicles, of which the vehicles are the elements.
func Find(m *model.Model, name string, key []string) (*Relationship, error) {
	owner, field, ok := strings.Cut(name, ".")
	if !ok {
		return nil, fmt.Errorf("%s is not a relationship: name it as Struct.Field, such as Customer.Vehicles", name)
	}
	a := aggregate(m, owner)
	if a == nil {
		return nil, fmt.Errorf("%s: the model has no aggregate %s; its aggregates are %s", name, owner, strings.Join(roots(m), ", "))
	}
	i := slices.IndexFunc(a.Attributes, func(at *model.Attribute) bool { return at.GoName() == field })
	r := &Relationship{Name: name, model: m, fields: map[string]string{}}
	part := findPart(m, name)
	holder, at := findReferences(m, name)
	var err error
	switch {
	case i >= 0:
		err = r.read(a, a.Attributes[i], key)
	case part != nil:
		err = fmt.Errorf("%s: %s is a part of %s, for which there are no alternatives", name, part.Struct.Name, owner)
	case at != nil:
		err = r.references(FromElements, a, holder, holder, at)
	default:
		err = fmt.Errorf("%s: %s has no field %s; its relationships are %s", name, owner, field, listed(relationships(a)))
	}
	if err != nil {
		return nil, err
	}
	for _, s := range []*Side{r.Root, r.Element} {
		s.Needs = r.needsVersion(s)
	}
	return r, nil
}

// read reads the two sides.
func (r *Relationship) read(a *model.Aggregate, at *model.Attribute, key []string) error {
	many := isCollection(at.Type)
	switch {
	case a.Redundancy != nil:
		return fmt.Errorf("%s: %s is redundant and follows from %s: name the field of %s", r.Name, a.Struct.Name, a.Redundancy.Source.Struct.Name, a.Redundancy.Source.Struct.Name)
	case len(at.Path) > 1:
		return fmt.Errorf("%s: the field is declared in an embedded struct: declare it in %s", r.Name, a.Struct.Name)
	case many && at.Type.Elem.Kind == model.Composed:
		return r.embedded(a, at, key)
	case at.Association != nil && at.Association.Target.Struct.Path != r.model.Package.Path:
		return fmt.Errorf("%s: %s is in another package: the designs change both sides, so both must be in one package", r.Name, at.Association.Target.Struct.Name)
	case at.Association != nil && many:
		return r.references(FromRoot, a, at.Association.Target, a, at)
	case at.Association != nil && (at.Key || isPairOfElement(a)):
		return r.pairs(a, at)
	case at.Association != nil:
		return r.references(FromElement, at.Association.Target, a, a, at)
	}
	return fmt.Errorf("%s is neither a collection of compositions nor a reference; the relationships of %s are %s", r.Name, a.Struct.Name, listed(relationships(a)))
}

// embedded reads a composition.
func (r *Relationship) embedded(a *model.Aggregate, at *model.Attribute, key []string) error {
	o := at.Type.Elem.Object
	if o.Struct.Path != r.model.Package.Path {
		return fmt.Errorf("%s: %s is in another package: the designs change both sides, so both must be in one package", r.Name, o.Struct.Name)
	}
	r.Form, r.Max, r.held = Embedded, max(0, at.Multiplicity.Max), at
	r.Root, r.fields[a.Struct.Name] = newSide(a), at.GoName()
	r.Element = &Side{Struct: o.Struct.Name, Table: at.Name, Type: o.UDT, tag: model.Tag{Name: o.UDT}}
	r.findDependents(at)
	names, err := r.identity(o, at, key)
	if err != nil {
		return err
	}
	for _, x := range o.Attributes {
		if slices.Contains(names, x.GoName()) {
			r.Element.Key = append(r.Element.Key, newField(x))
		} else {
			r.Element.Others = append(r.Element.Others, newField(x))
		}
	}
	r.Root.removeField(at)
	return r.checkSides()
}

// references reads a reference of one side to the other.
func (r *Relationship) references(form Form, root, element, holder *model.Aggregate, at *model.Attribute) error {
	r.Form, r.Max, r.held = form, max(0, at.Multiplicity.Max), at
	r.Root, r.Element = newSide(root), newSide(element)
	fields := []*model.Attribute{at}
	r.fields[holder.Struct.Name] = at.GoName()
	switch opposite := r.opposite(at); {
	case opposite != nil:
		r.Form, r.fields[at.Association.Target.Struct.Name] = FromBoth, opposite.GoName()
		if fields = append(fields, opposite); form == FromElements {
			r.Max = max(0, opposite.Multiplicity.Max)
		}
	case form == FromElement:
		r.Max = at.Association.Rows
	case form == FromElements:
		r.Max = r.rowsByRoot(holder)
	}
	r.findDependents(fields...)
	for _, s := range []*Side{r.Root, r.Element} {
		for _, f := range fields {
			s.removeField(f)
		}
	}
	r.readCopies(holder, at)
	if len(root.Key()) > 1 && form == FromElement {
		return fmt.Errorf("%s: %s has a key of several fields, and only one of them is named: the designs cannot be derived from this reference", r.Name, root.Struct.Name)
	}
	return r.checkSides()
}

// opposite returns the set of references in the other direction, if both sets have the names that a design gives them; nil for none.
func (r *Relationship) opposite(at *model.Attribute) *model.Attribute {
	own, other := r.Root, r.Element
	if at.Association.Target.Struct.Name == own.Struct {
		own, other = other, own
	}
	if !at.Association.Many || other.single() == nil || own.single() == nil || at.GoName() != other.referencesName() {
		return nil
	}
	for _, x := range at.Association.Target.Attributes {
		if x.Association != nil && x.Association.Many && x.Association.Target.Struct.Name == own.Struct && x.GoName() == own.referencesName() {
			return x
		}
	}
	return nil
}

// pairs reads a table of pairs, whose fields are references to the whole keys of two aggregates. The named field refers to the root. If the key of the table
// refers to one of them, this is the element.
func (r *Relationship) pairs(a *model.Aggregate, at *model.Attribute) error {
	var targets []*model.Aggregate
	for _, k := range a.Key() {
		if k.Association == nil || k.Association.Target.Struct.Path != r.model.Package.Path {
			return fmt.Errorf("%s is in the key of %s, so it has no other place: only a table of pairs has a key of references alone, and %s is none", r.Name, a.Struct.Name, k.GoName())
		}
		if !slices.Contains(targets, k.Association.Target) {
			targets = append(targets, k.Association.Target)
		}
	}
	root := at.Association.Target
	switch r.Form = PairsOfKeys; {
	case isPairOfElement(a) && at.Key:
		return fmt.Errorf("%s refers to the element of a pair: name %s.%s, which refers to its root", r.Name, a.Struct.Name, otherFields(a)[0].GoName())
	case isPairOfElement(a):
		r.Form = PairsOfElements
		targets = append(targets, root)
	}
	if len(targets) != 2 {
		return fmt.Errorf("%s is in the key of %s, so it has no other place: only a table of pairs has a key of references to two aggregates", r.Name, a.Struct.Name)
	}
	if r.Form == PairsOfKeys && len(otherFields(a)) > 0 {
		return fmt.Errorf("%s: the pairs have fields of their own, which no other design has a place for", r.Name)
	}
	element := targets[0]
	if element == root {
		element = targets[1]
	}
	r.Root, r.Element, r.held = newSide(root), newSide(element), at
	r.removed = append(r.removed, a.Struct.Name)
	r.findDependents(at)
	r.Max = r.rowsByRoot(a)
	return r.checkSides()
}

// otherFields returns the fields of an aggregate outside its key, without its version.
func otherFields(a *model.Aggregate) (out []*model.Attribute) {
	for _, at := range a.Attributes {
		if !at.Key && at != a.Version && !at.Hidden() {
			out = append(out, at)
		}
	}
	return out
}

// isPairOfElement reports whether the key of an aggregate is the key of one other aggregate, and its other fields are the key of a second one.
func isPairOfElement(a *model.Aggregate) bool {
	var sides []*model.Aggregate
	for _, all := range [][]*model.Attribute{a.Key(), otherFields(a)} {
		if len(all) == 0 || all[0].Association == nil {
			return false
		}
		target := all[0].Association.Target
		sides = append(sides, target)
		if len(all) != len(target.Key()) || slices.ContainsFunc(all, func(at *model.Attribute) bool {
			x := at.Association
			return x == nil || x.Many || x.Target != target || at.Type.Nullable
		}) {
			return false
		}
	}
	return sides[0] != sides[1] && sides[0].Struct.Path == sides[1].Struct.Path
}

// rowsByRoot returns the declared number of elements of a root: the rows of a partition of the table, or of a redundant one, whose key begins with a reference to the
// root. It is 0 if it is not declared.
func (r *Relationship) rowsByRoot(source *model.Aggregate) int {
	for _, a := range append([]*model.Aggregate{source}, source.Projections...) {
		if x := original(a.Identifier[0]).Association; x != nil && x.Target.Struct.Name == r.Root.Struct {
			return a.Rows
		}
	}
	return 0
}

// original returns the field of the source that a field of a redundant aggregate copies; the field itself if it copies none.
func original(at *model.Attribute) *model.Attribute {
	if o := at.Origin; o != nil && o.Path != nil && len(o.Path.Steps) == 1 {
		return o.Path.Steps[0]
	}
	return at
}

// checkSides returns an error for sides that no design can be derived for.
func (r *Relationship) checkSides() error {
	if r.Root.Struct == r.Element.Struct {
		return fmt.Errorf("%s: the relationship connects %s with itself, for which there are no alternatives", r.Name, r.Root.Struct)
	}
	for _, s := range []*Side{r.Root, r.Element} {
		for _, k := range s.Key {
			if !k.Scalar {
				return fmt.Errorf("%s: the key %s.%s is not one value of a native type", r.Name, s.Struct, k.Name)
			}
		}
	}
	return nil
}

func newSide(a *model.Aggregate) *Side {
	s := &Side{Struct: a.Struct.Name, Table: a.Table, Type: model.SnakeCase(a.Struct.Name), Aggregate: true, tag: a.Tag}
	for _, k := range a.Key() {
		s.Key = append(s.Key, newField(k))
	}
	for _, at := range a.Attributes {
		switch {
		case at.Key || at.Hidden():
		case at == a.Version:
			s.Version = at.GoName()
		default:
			s.Others = append(s.Others, newField(at))
		}
	}
	return s
}

func newField(at *model.Attribute) Field {
	f := Field{Name: at.GoName(), Column: at.Name, attribute: at, Scalar: at.Type.Kind == model.Scalar && !at.Type.Nullable && len(at.Path) == 1}
	if at.Field != nil && at.Field.Type != nil {
		f.Type = at.Field.Type.Text
	}
	f.Text = f.Scalar && slices.Contains([]string{"text", "ascii", "blob"}, at.Type.CQL)
	return f
}

// removeField removes the field of the relationship from the fields of a side.
func (s *Side) removeField(at *model.Attribute) {
	s.Others = slices.DeleteFunc(s.Others, func(f Field) bool { return f.attribute == at })
}

// identity returns the names of the fields that identify an element.
func (r *Relationship) identity(o *model.Object, at *model.Attribute, key []string) ([]string, error) {
	known := func(name string) bool {
		return slices.ContainsFunc(o.Attributes, func(x *model.Attribute) bool { return x.GoName() == name })
	}
	for _, k := range key {
		if !known(k) {
			return nil, fmt.Errorf("-key: %s has no field %s", o.Struct.Name, k)
		}
	}
	switch {
	case len(key) > 0:
		return key, nil
	case len(o.Identity) > 0:
		return names(o.Identity), nil
	case len(at.Type.Qualifier) > 0:
		return names(at.Type.Qualifier), nil
	}
	for _, a := range r.model.Aggregates {
		if red := a.Redundancy; red != nil && red.Path != nil && red.Path.Steps[red.Path.Loop] == at && len(a.Key()) == 1 {
			if p := a.Key()[0].Origin.Path; p != nil && p.Loop >= 0 && len(p.Steps) == p.Loop+2 {
				return []string{p.Steps[len(p.Steps)-1].GoName()}, nil
			}
		}
	}
	for _, x := range o.Attributes {
		if x.Mandatory && newField(x).Scalar {
			return []string{x.GoName()}, nil
		}
	}
	return nil, fmt.Errorf("%s: no field identifies %s: name one with -key, or declare it as an aml.Entity with an identifier", r.Name, o.Struct.Name)
}

// findDependents finds the structs that follow from the relationship.
func (r *Relationship) findDependents(fields ...*model.Attribute) {
	gone := map[*model.Aggregate]bool{}
	for _, a := range r.model.Aggregates {
		if a.Redundancy == nil {
			continue
		}
		if slices.Contains(r.removed, a.Redundancy.Source.Struct.Name) || slices.ContainsFunc(fields, func(at *model.Attribute) bool { return follows(a, at) }) {
			gone[a] = true
			r.Dependent = append(r.Dependent, Dependent{Name: a.Struct.Name, Pos: a.Struct.Pos, View: len(a.Key()) == 1 && a.Redundancy.Path != nil})
		}
	}
	for _, v := range r.model.Views {
		if gone[v.Of] || slices.ContainsFunc(v.Columns, func(c *model.Attribute) bool { return slices.Contains(fields, c) }) {
			r.Dependent = append(r.Dependent, Dependent{Name: v.Struct.Name, Pos: v.Struct.Pos})
		}
	}
	for _, d := range r.Dependent {
		r.removed = append(r.removed, d.Name)
	}
	r.removed = append(r.removed, r.unused(gone)...)
}

// ReadOperation returns the operation that a read of a partition of the table of an aggregate of the model is; "" for none.
func (r *Relationship) ReadOperation(a *model.Aggregate) Operation {
	name, first := a.Struct.Name, original(a.Identifier[0])
	source := a
	if a.Redundancy != nil {
		source = a.Redundancy.Source
	}
	switch refers := func(s *Side) bool {
		return first.Association != nil && first.Association.Target.Struct.Name == s.Struct && r.hasRelationship(source, first)
	}; {
	case name == r.Root.Struct && r.Form == Embedded:
		return ReadByRoot
	case name == r.Element.Struct, slices.ContainsFunc(r.Dependent, func(d Dependent) bool { return d.Name == name && d.View }):
		return ReadByElement
	case !slices.Contains(r.removed, name):
		return ""
	case refers(r.Root):
		return ReadByRoot
	case refers(r.Element):
		return ReadByElement
	}
	return ""
}

// unused returns the structs of values that only removed aggregates compose.
func (r *Relationship) unused(gone map[*model.Aggregate]bool) (out []string) {
	kept := map[string]bool{}
	for _, a := range r.model.Aggregates {
		if !gone[a] && !slices.Contains(r.removed, a.Struct.Name) {
			for _, at := range a.Attributes {
				compose(at.Type, kept)
			}
		}
	}
	for _, o := range r.model.Objects {
		if !kept[o.Struct.Name] && o.Struct.Path == r.model.Package.Path && !(r.Element != nil && o.Struct.Name == r.Element.Struct) {
			out = append(out, o.Struct.Name)
		}
	}
	return out
}

// compose adds the names of the structs in a type.
func compose(t *model.Type, to map[string]bool) {
	if t == nil {
		return
	}
	if t.Object != nil && !to[t.Object.Struct.Name] {
		to[t.Object.Struct.Name] = true
		for _, at := range t.Object.Attributes {
			compose(at.Type, to)
		}
	}
	compose(t.Elem, to)
	compose(t.Key, to)
}

// follows reports whether a redundant aggregate is a function of a field of its source.
func follows(a *model.Aggregate, at *model.Attribute) bool {
	has := func(p *model.Path) bool { return p != nil && slices.Contains(p.Steps, at) }
	var origin func(o *model.Origin) bool
	origin = func(o *model.Origin) bool {
		return o != nil && (has(o.Path) || slices.ContainsFunc(o.Fields, origin))
	}
	return has(a.Redundancy.Path) || has(a.Redundancy.When) || slices.ContainsFunc(a.Attributes, func(x *model.Attribute) bool { return origin(x.Origin) })
}

func names(in []*model.Attribute) (out []string) {
	for _, at := range in {
		out = append(out, at.GoName())
	}
	return out
}

func aggregate(m *model.Model, name string) *model.Aggregate {
	for _, a := range m.Aggregates {
		if a.Struct.Name == name {
			return a
		}
	}
	return nil
}

func roots(m *model.Model) (out []string) {
	for _, a := range m.Aggregates {
		if a.IsSource() {
			out = append(out, a.Struct.Name)
		}
	}
	return out
}

// Names returns the relationships of a model: Customer.Vehicles.
func Names(m *model.Model) (out []string) {
	for _, a := range m.Aggregates {
		if a.IsSource() {
			out = append(out, relationships(a)...)
		}
	}
	return out
}

// relationships returns the names of the relationships of an aggregate. A reference of several fields has the name of the first field.
func relationships(a *model.Aggregate) (out []string) {
	for _, at := range a.Attributes {
		many := isCollection(at.Type) && at.Type.Elem.Kind == model.Composed
		if one := refers(at) && !(at.Key && isPairOfElement(a)); one || many {
			out = append(out, a.Struct.Name+"."+at.GoName())
		}
	}
	return out
}

func listed(in []string) string {
	if len(in) == 0 {
		return "none"
	}
	return strings.Join(in, ", ")
}
