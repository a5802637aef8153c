package corpus

import "slices"

// Model is a Go package whose structs have aml tags.
type Model struct {
	Name    string // name of the package and its folder
	Structs []*Struct
	Faults  []Planted // faults that were added
	Has     []string  // the constructs of the language in it

	Executable bool // a store can be generated from it, or could before a fault was added that the generator finds

	prefix string          // starts all Go names and table names, which are unique among all models
	taken  map[string]bool // Go names
	broken map[int]bool    // families that have a fault

	grades bool // it has the enumerated type Grade
}

// Broken reports whether the model has a fault that must be rejected. A model whose faults cause only warnings is valid.
func (m *Model) Broken() bool {
	for _, f := range m.Faults {
		if !f.Fault.Warning() {
			return true
		}
	}
	return false
}

// Planted is a fault and the place of its expected diagnostic.
type Planted struct {
	Fault *Fault
	Place Place
}

// Place is a line in the source of a model: the line of a field, of a struct's marker, of a second marker, or of a struct's
// name.
type Place struct {
	Struct *Struct
	Field  *Field
	Marker bool
	Again  bool
}

// Marker is the type of package aml that a struct embeds, or "".
type Marker string

// The markers.
const (
	Plain       Marker = ""
	Aggregate   Marker = "aml.Aggregate"
	Entity      Marker = "aml.Entity"
	ValueObject Marker = "aml.ValueObject"
)

// Role is the use of a struct in its model.
type Role int

// The roles.
const (
	Root Role = iota
	Counters
	Redundant
	Part
	View
	Object    // stored as a user-defined type
	TupleOf   // stored as a tuple
	Inherited // embedded in another struct
	Result    // result of a method
)

// Struct is a struct of a model. Structs that refer to one another other than by an association are in one family.
type Struct struct {
	Name    string
	Params  string // type parameters in brackets
	Args    string // type arguments of the instance that is used, in brackets
	Role    Role
	Family  int
	Marker  Marker
	Tag     *Tag     // tag of the marker; nil if it has none
	Also    []Marker // invalid additional markers
	Fields  []*Field
	Methods []string // Go source without the receiver, one line each

	names map[string]bool // Go and CQL names in it
	ready bool            // it can be composed again
}

// Field is a field of a struct, on a separate line.
type Field struct {
	Name     string
	Type     *Type
	Tag      *Tag // nil for none
	Embedded bool
	Comment  string // comment at the end of the line
	Raw      string // replaces the struct tag
}

// Tag is an aml tag.
type Tag struct {
	Name    string
	Bare    bool // the name is written without quotes, although it needs them
	Options []Option
}

// Option is an option of a tag. One with an empty value is a flag.
type Option struct{ Key, Value string }

// tag returns a tag with a name and options: each is a key, or a key, = and its value.
func tag(name string, options ...string) *Tag {
	t := &Tag{Name: name}
	for _, o := range options {
		t.add(o)
	}
	return t
}

// add appends an option in the format of tag.
func (t *Tag) add(o string) *Tag {
	key, value := cut(o)
	t.Options = append(t.Options, Option{key, value})
	return t
}

// Value returns the value of an option, and whether the tag has it.
func (t *Tag) Value(key string) (string, bool) {
	if t == nil {
		return "", false
	}
	for _, o := range t.Options {
		if o.Key == key {
			return o.Value, true
		}
	}
	return "", false
}

// Has reports whether a field has an option.
func (f *Field) Has(key string) bool {
	_, ok := f.Tag.Value(key)
	return ok
}

// option adds an option to a field, with a tag if it has none.
func (f *Field) option(o string) *Field {
	if f.Tag == nil {
		f.Tag = &Tag{}
	}
	f.Tag.add(o)
	return f
}

// field finds a field by its Go name, also in embedded structs; nil for none.
func (s *Struct) field(name string) *Field {
	for _, f := range s.all() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// all returns the fields, including the fields of embedded structs.
func (s *Struct) all() []*Field {
	var out []*Field
	for _, f := range s.Fields {
		if f.Embedded && f.Type.Struct != nil {
			out = append(out, f.Type.Struct.all()...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// with returns the fields that have one of some options.
func (s *Struct) with(keys ...string) []*Field {
	var out []*Field
	for _, f := range s.all() {
		if slices.ContainsFunc(keys, f.Has) {
			out = append(out, f)
		}
	}
	return out
}

// key returns the primary key: identifiers, then discriminators.
func (s *Struct) key() []*Field { return append(s.with("identifier"), s.with("discriminator")...) }

// versioned reports whether the struct has an optimistic lock.
func (s *Struct) versioned() bool { return len(s.with("version")) > 0 }

// marker adds an option to the tag of the marker.
func (s *Struct) marker(o string) *Struct {
	if s.Tag == nil {
		s.Tag = &Tag{}
	}
	s.Tag.add(o)
	return s
}
