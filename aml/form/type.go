package form

import (
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// Must returns the form of a type in which each UDT is written as a tuple. It panics if the type has no form. Generated code
// calls it once, for a package-level variable.
func Must(text string) *Form {
	f, err := Parse(text, nil)
	if err != nil {
		panic(err)
	}
	return f
}

// Parse returns the form of a type in CQL. Fields returns the types of a UDT's fields; it can be nil if there are no UDTs. It is an error
// if Cassandra does not sort by values of the type, or if the type is a vector with elements of variable length.
func Parse(text string, fields func(udt string) (types []string, ok bool)) (*Form, error) {
	t, err := parseType(text)
	if err != nil {
		return nil, err
	}
	return New(t, func(udt string) (types []*cqltype.Type, ok bool) {
		if fields == nil {
			return nil, false
		}
		texts, ok := fields(udt)
		for _, text := range texts {
			t, err := parseType(text)
			if err != nil {
				return nil, false
			}
			types = append(types, t)
		}
		return types, ok
	})
}

func parseType(text string) (*cqltype.Type, error) {
	t, err := cqltype.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("form: type %q: %w", text, err)
	}
	return t, nil
}

// New returns the form of a type, as [Parse] does.
func New(t *cqltype.Type, fields func(udt string) ([]*cqltype.Type, bool)) (*Form, error) {
	if n, ok := t.Native(); ok {
		if f, ok := natives[n.Name]; ok {
			return f, nil
		}
	}
	if t.IsUDT() {
		if types, ok := fields(t.Name); ok {
			args, err := newForms(types, fields)
			return members(args), err
		}
	}
	switch {
	case len(t.Args) == 0:
		return nil, fmt.Errorf("form: unknown order of type %s", t)
	case t.Name == "vector":
		return vector(t, fields)
	}
	args, err := newForms(t.Args, fields)
	if err != nil {
		return nil, err
	}
	return compose(t.Name, args), nil
}

func newForms(types []*cqltype.Type, fields func(string) ([]*cqltype.Type, bool)) ([]*Form, error) {
	args := make([]*Form, len(types))
	for i := range types {
		var err error
		if args[i], err = New(types[i], fields); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// vector returns the form of a vector: it compares element by element.
func vector(t *cqltype.Type, fields func(string) ([]*cqltype.Type, bool)) (*Form, error) {
	n, ok := t.Args[0].Native()
	if !ok || !n.Fixed {
		return nil, fmt.Errorf("form: unknown order of type %s", t)
	}
	width := n.Size
	element, err := New(t.Args[0], fields)
	if err != nil {
		return nil, err
	}
	f := &Form{compare: func(a, b []byte) int { return compareVectors(a, b, width, element) }}
	if element.Variants() {
		f.canonical = func(b []byte) []byte { return canonicalVector(b, width, element) }
	}
	return f, nil
}
