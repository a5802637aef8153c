package corpus

import "slices"

// Model is a Go package whose structs carry aml tags.
type Model struct {
	Name    string // of the package and its folder
	Structs []*Struct
	Faults  []Planted // what was broken on purpose
	Has     []string  // the constructs of the language in it

	Executable bool // a store can be generated of it, or was until a fault was planted that the generator finds

	prefix string          // of all Go names and table names, which are unique among all models
	taken  map[string]bool // Go names
	broken map[int]bool    // families that have a fault
}

// Broken reports whether a fault of the model is to be refused; one that has only warnings planted is valid.
func (m *Model) Broken() bool {
	for _, f := range m.Faults {
		if !f.Fault.Warning() {
			return true
		}
	}
	return false
}

// Planted is a fault and where its diagnostic is expected.
type Planted struct {
	Fault *Fault
	Place Place
}

// Place is a line of a model's source: that of a field, of a struct's marker, of a second one, or else of a struct's name.
type Place struct {
	Struct *Struct
	Field  *Field
	Marker bool
	Again  bool
}

// Marker is the type of package aml that a struct embeds; "" for none.
type Marker string

// The markers.
const (
	Plain       Marker = ""
	Aggregate   Marker = "aml.Aggregate"
	Entity      Marker = "aml.Entity"
	ValueObject Marker = "aml.ValueObject"
)

// Role is what a struct is in its model.
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
	Result    // of a method
)

// Struct is a struct of a model. Structs that speak of one another by more than an association are of one family.
type Struct struct {
	Name    string
	Params  string // type parameters in brackets
	Args    string // of the instance that is used, in brackets
	Role    Role
	Family  int
	Marker  Marker
	Tag     *Tag     // the marker's; nil for none
	Also    []Marker // markers that should not be there
	Fields  []*Field
	Methods []string // Go source without the receiver, one line each

	names map[string]bool // Go and CQL names in it
	ready bool            // it can be composed again
}

// Field is a field of a struct, on a line of its own.
type Field struct {
	Name     string
	Type     *Type
	Tag      *Tag // nil for none
	Embedded bool
	Comment  string // at the end of the line
	Raw      string // stands for the whole struct tag
}

// Tag is an aml tag.
type Tag struct {
	Name    string
	Bare    bool // the name is written without quotes, though it needs them
	Options []Option
}

// Option is an option of a tag; one with an empty value is a flag.
type Option struct{ Key, Value string }

// tag makes a tag of a name and options: a key alone, or a key and, after =, its value.
func tag(name string, options ...string) *Tag {
	t := &Tag{Name: name}
	for _, o := range options {
		t.add(o)
	}
	return t
}

// add appends an option as tag takes it.
func (t *Tag) add(o string) *Tag {
	key, value := cut(o)
	t.Options = append(t.Options, Option{key, value})
	return t
}

// Value returns the value of an option and whether the tag has it.
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

// all returns the fields with those of embedded structs among them.
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

// marker adds an option to the marker's tag.
func (s *Struct) marker(o string) *Struct {
	if s.Tag == nil {
		s.Tag = &Tag{}
	}
	s.Tag.add(o)
	return s
}
