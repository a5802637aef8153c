package plan

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// Path writes the path of a fault with names: the Go field of the column, then elements, and the CQL names
// of UDT fields: Vehicles[2].plate.
func (s *Schema) Path(t *Table, steps []cell.Step) string {
	if len(steps) == 0 || steps[0].Member >= len(t.Columns) {
		return t.Name
	}
	c := &t.Columns[steps[0].Member]
	path, cqlType := c.Field, c.Type
	for _, step := range steps[1:] {
		if step.Text != "" {
			path, cqlType = path+step.Text, elementType(cqlType)
			continue
		}
		f := s.field(cqlType, step.Member)
		path, cqlType = path+"."+f.Name, f.Type
	}
	return path
}

// field gives a field of the UDT that cqlType names.
func (s *Schema) field(cqlType string, i int) Field {
	name := strings.Trim(thawed(cqlType), `"`)
	for _, t := range s.Types {
		if t.Name == name && i < len(t.Fields) {
			return t.Fields[i]
		}
	}
	return Field{Name: strconv.Itoa(i)}
}

// elementType gives the type of a collection's elements, or of a map's values.
func elementType(cqlType string) string {
	key, value := arguments(cqlType)
	if value == "" {
		return key
	}
	return value
}

// keyType gives the type of a map's keys, or of a set's elements.
func keyType(cqlType string) string {
	key, _ := arguments(cqlType)
	return key
}

// arguments takes what stands between the outermost < and > of a type apart: list<int> => int; map<text, frozen<part>>
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
