package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Path writes the path of a fault with the names of Go: Vehicles[2].Plate. A member that the descriptors do not have is
// named by its number.
func (s *Schema) Path(t *Table, steps []cell.Step) string {
	if len(steps) == 0 {
		return t.Name
	}
	if i := steps[0].Member - len(t.Columns); i >= 0 {
		return t.Computed[i]
	}
	c := &t.Columns[steps[0].Member]
	path, of := c.Field, c.Of
	for _, step := range steps[1:] {
		if step.Text != "" {
			path += step.Text
			continue
		}
		f := s.field(of, step.Member)
		path, of = path+"."+f.Go, f.Of
	}
	return path
}

// field returns a field of a Go struct.
func (s *Schema) field(of string, i int) Field {
	for _, t := range slices.Concat(s.Types, s.Tuples) {
		if t.Of == of && i < len(t.Fields) {
			return t.Fields[i]
		}
	}
	return Field{Go: strconv.Itoa(i)}
}

// keyType returns the type of a map's keys, or of a set's elements.
func keyType(cqlType string) string {
	key, _ := arguments(cqlType)
	return key
}

// arguments takes what is between the outermost < and > of a type apart: list<int> => int; map<text, frozen<part>>
// => text and frozen<part>.
func arguments(cqlType string) (first, second string) {
	_, args, _ := strings.Cut(strings.TrimSuffix(thawed(cqlType), ">"), "<")
	depth := 0
	for i, r := range args {
		switch {
		case r == '<':
			depth++
		case r == '>':
			depth--
		case r == ',' && depth == 0:
			return args[:i], strings.TrimSpace(args[i+1:])
		}
	}
	return args, ""
}

// thawed takes frozen<…> off a type.
func thawed(cqlType string) string {
	if inner, ok := strings.CutPrefix(cqlType, "frozen<"); ok {
		return strings.TrimSuffix(inner, ">")
	}
	return cqlType
}
