package plan

import (
	"slices"
	"strconv"

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
