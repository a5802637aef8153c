package form

import (
	"bytes"
	"fmt"
)

// Form is how Cassandra compares the values of a type, and which encoding of equal values the project writes. A nil Form is
// that of types which compare by their bytes, such as text and blob.
type Form struct {
	compare   func(a, b []byte) int
	canonical func(b []byte) []byte // nil: equal values have equal bytes
}

// Compare compares two values as Cassandra sorts them. Neither is null.
func (f *Form) Compare(a, b []byte) int {
	if f == nil {
		return bytes.Compare(a, b)
	}
	return f.compare(a, b)
}

// Variants reports whether values that are equal for Cassandra can have different bytes.
func (f *Form) Variants() bool { return f != nil && f.canonical != nil }

// Canonical returns the one encoding of a value that is written where Cassandra compares values; that of null is null. What
// is no value of the type stays as it is.
func (f *Form) Canonical(b []byte) []byte {
	if b == nil || !f.Variants() {
		return b
	}
	return f.canonical(b)
}

// Must returns the form of a type in which each UDT is written as a tuple, and panics for a type that has none. Generated
// code calls it, once, for a package-level variable.
func Must(text string) *Form {
	f, err := Of(text, nil)
	if err != nil {
		panic(err)
	}
	return f
}

// Of returns the form of a type. Fields gives the types of a UDT's fields; it can be nil where there are no UDTs. A type by
// whose values Cassandra sorts nothing, and a vector of elements that have no fixed length, is an error.
func Of(text string, fields func(udt string) (types []string, ok bool)) (*Form, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	return of(t, fields)
}

func of(t cqlType, fields func(string) ([]string, bool)) (*Form, error) {
	if f, ok := natives[t.name]; ok && !t.quoted && len(t.args) == 0 {
		return f, nil
	}
	if fields != nil && len(t.args) == 0 {
		if types, ok := fields(t.name); ok {
			return ofFields(types, fields)
		}
	}
	if t.quoted || !constructors[t.name] || len(t.args) == 0 {
		return nil, fmt.Errorf("form: the order of type %s is not known", t)
	}
	if t.name == "vector" {
		return vector(t, fields)
	}
	args := make([]*Form, len(t.args))
	for i := range t.args {
		var err error
		if args[i], err = of(t.args[i], fields); err != nil {
			return nil, err
		}
	}
	return compose(t.name, args), nil
}

// constructors are the types of types that have a form.
var constructors = map[string]bool{"frozen": true, "tuple": true, "list": true, "set": true, "map": true, "vector": true}

func compose(name string, args []*Form) *Form {
	switch name {
	case "frozen":
		return args[0]
	case "tuple":
		return members(args)
	}
	f := &Form{compare: nonEmpty(elementwise(args))}
	if anyVariants(args) {
		f.canonical = func(b []byte) []byte { return canonicalElements(b, args, name != "list") }
	}
	return f
}

func ofFields(types []string, fields func(string) ([]string, bool)) (*Form, error) {
	args := make([]*Form, len(types))
	for i := range types {
		var err error
		if args[i], err = Of(types[i], fields); err != nil {
			return nil, err
		}
	}
	return members(args), nil
}

func members(args []*Form) *Form {
	f := &Form{compare: nonEmpty(memberwise(args))}
	if anyVariants(args) {
		f.canonical = func(b []byte) []byte { return canonicalMembers(b, args) }
	}
	return f
}

func anyVariants(args []*Form) bool {
	for _, f := range args {
		if f.Variants() {
			return true
		}
	}
	return false
}
