// Package literal prints values as Go literals. A value is data: structs, slices, pointers to structs, texts, numbers and constants.
package literal

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Names are the names that a literal uses for values.
type Names struct {
	Package  string         // the package of the types and constants of the literal
	Pointers map[any]string // the expressions of pointers that are declared elsewhere
	Texts    []Text         // the constants with texts
	Zero     []reflect.Type // the types whose zero values are printed, too
}

// Text is a constant with a text.
type Text struct{ Name, Value string }

// width is the length of a line after which the fields of a struct continue on the next one.
const width = 150

// Print returns a value as Go source, which is not formatted yet. Fields with their zero values are left out. A text that begins with the
// text of a constant is printed with the name of the longest such constant.
func (n *Names) Print(v any) string { return n.value(reflect.ValueOf(v), true) }

// value prints a value. typed is false for an element of a slice, whose type is known.
func (n *Names) value(v reflect.Value, typed bool) string {
	switch v.Kind() {
	case reflect.Pointer:
		if name, ok := n.Pointers[v.Interface()]; ok {
			return name
		}
		text := n.value(v.Elem(), typed)
		if typed {
			return "&" + text
		}
		return text
	case reflect.Struct:
		return n.typeName(v.Type(), typed) + n.fields(v, typed)
	case reflect.Slice:
		return "[]" + n.typeName(v.Type().Elem(), true) + n.elements(v)
	case reflect.String:
		return n.text(v.String())
	}
	if c, ok := reflect.TypeAssert[fmt.GoStringer](v); ok {
		return n.Package + "." + c.GoString()
	}
	return fmt.Sprint(v.Interface())
}

// typeName returns the name of a type; "" if it is not written.
func (n *Names) typeName(t reflect.Type, typed bool) string {
	switch {
	case !typed:
		return ""
	case t.Kind() == reflect.Pointer:
		return "*" + n.typeName(t.Elem(), true)
	case t.PkgPath() == "":
		return t.Name()
	}
	return n.Package + "." + t.Name()
}

// text prints a text.
func (n *Names) text(s string) string {
	best := Text{}
	for _, t := range n.Texts {
		if t.Value != "" && len(t.Value) > len(best.Value) && strings.HasPrefix(s, t.Value) {
			best = t
		}
	}
	switch rest := s[len(best.Value):]; {
	case best.Name == "":
		return strconv.Quote(s)
	case rest != "":
		return best.Name + " + " + strconv.Quote(rest)
	}
	return best.Name
}

// fields prints the fields of a struct. An element of a slice is one line, of which only the last field can have several. Any other struct
// has lines that are filled, and a field with several lines begins and ends a line.
func (n *Names) fields(v reflect.Value, fill bool) string {
	var lines []string
	line, last := "", ""
	end := func() {
		if line != "" {
			lines, line = append(lines, line+","), ""
		}
	}
	for i := range v.NumField() {
		if v.Field(i).IsZero() && !n.zero(v, i) {
			continue
		}
		field := v.Type().Field(i).Name + ": " + n.value(v.Field(i), true)
		switch {
		case strings.Contains(field, "\n"):
			if last = line; last != "" {
				last += ", "
			}
			last += field
			end()
			lines = append(lines, field+",")
		case line == "":
			line = field
		case fill && len(line)+2+len(field) > width:
			end()
			line = field
		default:
			line += ", " + field
		}
	}
	if lines == nil {
		return "{" + line + "}"
	}
	if !fill && line == "" && len(lines) <= 2 {
		return "{" + last + "}"
	}
	end()
	return "{\n" + strings.Join(lines, "\n") + "\n}"
}

// zero reports whether the zero value of a field is printed.
func (n *Names) zero(v reflect.Value, field int) bool {
	return slices.Contains(n.Zero, v.Type()) || slices.Contains(n.Zero, v.Field(field).Type())
}

// elements prints the elements of a slice: in one line if they fit, otherwise in a line each.
func (n *Names) elements(v reflect.Value) string {
	out := make([]string, v.Len())
	for i := range out {
		out[i] = n.value(v.Index(i), false)
	}
	one := "{" + strings.Join(out, ", ") + "}"
	if elem := v.Type().Elem().Kind(); !strings.Contains(one, "\n") && (len(one) <= width-30 || elem != reflect.Struct) {
		return one
	}
	return "{\n" + strings.Join(out, ",\n") + ",\n}"
}
