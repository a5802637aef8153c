package form

import (
	"bytes"
	"fmt"
)

// widths are the lengths of the types whose values stand in a vector without one.
var widths = map[string]int{"boolean": 1, "float": 4, "int": 4, "double": 8, "bigint": 8, "timestamp": 8, "uuid": 16, "timeuuid": 16}

// vector returns the form of a vector: it compares element by element.
func vector(t cqlType, fields func(string) ([]string, bool)) (*Form, error) {
	width, ok := widths[t.args[0].name]
	if !ok || t.args[0].quoted {
		return nil, fmt.Errorf("form: the order of type %s is not known", t)
	}
	element, err := of(t.args[0], fields)
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
