package form

import (
	"bytes"
	"fmt"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// vector returns the form of a vector: it compares element by element.
func vector(t *cqltype.Type, fields func(string) ([]*cqltype.Type, bool)) (*Form, error) {
	n, ok := t.Args[0].Native()
	if !ok || !n.Fixed {
		return nil, fmt.Errorf("form: unknown order of type %s", t)
	}
	width := n.Size
	element, err := OfType(t.Args[0], fields)
	if err != nil {
		return nil, err
	}
	f := &Form{compare: func(a, b []byte) int { return compareVectors(a, b, width, element) }}
	if element.Variants() {
		f.canonical = func(b []byte) []byte { return canonicalVector(b, width, element) }
	}
	return f, nil
}

func compareVectors(a, b []byte, width int, element *Form) int {
	for len(a) >= width && len(b) >= width {
		if c := element.Compare(a[:width], b[:width]); c != 0 {
			return c
		}
		a, b = a[width:], b[width:]
	}
	return bytes.Compare(a, b)
}

func canonicalVector(b []byte, width int, element *Form) []byte {
	out := make([]byte, 0, len(b))
	for ; len(b) >= width; b = b[width:] {
		out = append(out, element.Canonical(b[:width])...)
	}
	return append(out, b...)
}
