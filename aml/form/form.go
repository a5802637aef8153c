package form

import (
	"bytes"
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// Form compares the values of a type as Cassandra does, and returns the encoding of equal values that the project writes. A nil
// Form is the form of types that are compared by their bytes, such as text and blob.
type Form struct {
	compare   func(a, b []byte) int
	canonical func(b []byte) []byte // nil: equal values have equal bytes
}

// Compare compares two values as Cassandra sorts them. Neither can be null.
func (f *Form) Compare(a, b []byte) int {
	if f == nil {
		return bytes.Compare(a, b)
	}
	return f.compare(a, b)
}

// Variants reports whether values that are equal for Cassandra can have different bytes.
func (f *Form) Variants() bool { return f != nil && f.canonical != nil }

// Canonical returns the only encoding of a value that is written where Cassandra compares values; that of null is null. It
// returns bytes that are not a value of the type unchanged.
func (f *Form) Canonical(b []byte) []byte {
	if b == nil || !f.Variants() {
		return b
	}
	return f.canonical(b)
}

// Must returns the form of a type in which each UDT is written as a tuple. It panics if the type has no form. Generated code
// calls it once, for a package-level variable.
func Must(text string) *Form {
	f, err := Of(text, nil)
	if err != nil {
		panic(err)
	}
	return f
}

// Of returns the form of a type. Fields returns the types of a UDT's fields; it can be nil if there are no UDTs. It is an error
// if Cassandra does not sort by values of the type, or if the type is a vector with elements of variable length.
func Of(text string, fields func(udt string) (types []string, ok bool)) (*Form, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	return OfType(t, func(udt string) (types []*cqltype.Type, ok bool) {
		if fields == nil {
			return nil, false
		}
		texts, ok := fields(udt)
		for _, text := range texts {
			t, err := parse(text)
			if err != nil {
				return nil, false
			}
			types = append(types, t)
		}
		return types, ok
	})
}

func parse(text string) (*cqltype.Type, error) {
	t, err := cqltype.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("form: type %q: %w", text, err)
	}
	return t, nil
}

// OfType returns the form of a type, as [Of] does.
func OfType(t *cqltype.Type, fields func(udt string) ([]*cqltype.Type, bool)) (*Form, error) {
	if n, ok := t.Native(); ok {
		if f, ok := natives[n.Name]; ok {
			return f, nil
		}
	}
	if t.IsUDT() {
		if types, ok := fields(t.Name); ok {
			args, err := ofAll(types, fields)
			return members(args), err
		}
	}
	switch {
	case len(t.Args) == 0:
		return nil, fmt.Errorf("form: unknown order of type %s", t)
	case t.Name == "vector":
		return vector(t, fields)
	}
	args, err := ofAll(t.Args, fields)
	if err != nil {
		return nil, err
	}
	return compose(t.Name, args), nil
}

func ofAll(types []*cqltype.Type, fields func(string) ([]*cqltype.Type, bool)) ([]*Form, error) {
	args := make([]*Form, len(types))
	for i := range types {
		var err error
		if args[i], err = OfType(types[i], fields); err != nil {
			return nil, err
		}
	}
	return args, nil
}

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
