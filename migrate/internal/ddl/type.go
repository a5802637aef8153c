package ddl

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// natives are CQL's types without arguments; varchar is another name of text.
var natives = map[string]bool{
	"ascii": true, "bigint": true, "blob": true, "boolean": true, "counter": true, "date": true, "decimal": true,
	"double": true, "duration": true, "float": true, "inet": true, "int": true, "smallint": true, "text": true, "time": true,
	"timestamp": true, "timeuuid": true, "tinyint": true, "uuid": true, "varchar": true, "varint": true,
}

// ParseType reads a CQL type, as a statement or a table of system_schema has it, into the form that the server gives it:
// varchar is text, a tuple is frozen, and so is every collection and user-defined type inside another. Whether a
// user-defined type exists is not looked at.
func ParseType(text string) (*schema.Type, error) {
	r := &lex.Reader{Words: lex.Words(text)}
	t, _, err := readType(r)
	if err != nil {
		return nil, fmt.Errorf("type %q: %w", text, err)
	}
	if rest := r.Peek().Text; rest != "" {
		return nil, fmt.Errorf("type %q: %q follows it", text, rest)
	}
	return t, nil
}

// readType takes a type off a statement. Unfit says why the server refuses it, although it can be read.
func readType(r *lex.Reader) (t *schema.Type, unfit, err error) {
	t, err = typeOf(r)
	if err != nil {
		return nil, nil, err
	}
	unfit = nesting(t)
	Settle(t)
	return t, unfit, nil
}

// typeOf takes a type as it is written: what is not frozen there is not.
func typeOf(r *lex.Reader) (*schema.Type, error) {
	first := r.Peek()
	quoted := strings.HasPrefix(first.Text, `"`)
	name := r.Identifier()
	if r.Failed || first.Text == `""` {
		return nil, fmt.Errorf("%q is no type", first.Text)
	}
	if !quoted && r.Peek().Is("<") {
		return parameterised(r, name)
	}
	if r.Accept(".") {
		return nil, fmt.Errorf("%s is of another keyspace", name)
	}
	if quoted || !natives[name] {
		return &schema.Type{Name: name, UDT: true}, nil
	}
	if name == "varchar" {
		name = "text"
	}
	return &schema.Type{Name: name}, nil
}

// arity says how many types stand in the <> of another; a tuple has any number.
var arity = map[string]int{"list": 1, "set": 1, "map": 2, "tuple": -1, "vector": 1, "frozen": 1}

func parameterised(r *lex.Reader, name string) (*schema.Type, error) {
	want, known := arity[name]
	if !known {
		return nil, fmt.Errorf("there is no %s<>", name)
	}
	r.Accept("<")
	out := &schema.Type{Name: name}
	sized := false
	for {
		if name == "vector" && len(out.Args) == 1 && !sized {
			size, err := strconv.ParseInt(digits(r), 10, 32)
			if err != nil {
				return nil, fmt.Errorf("a vector needs the number of its elements")
			}
			out.Size, sized = int(size), true
		} else {
			inner, err := typeOf(r)
			if err != nil {
				return nil, err
			}
			out.Args = append(out.Args, inner)
		}
		if r.Accept(",") {
			continue
		}
		if !r.Accept(">") {
			return nil, fmt.Errorf("%s<…> is not closed", name)
		}
		break
	}
	if want > 0 && len(out.Args) != want || name == "vector" && !sized {
		return nil, fmt.Errorf("%s<…> has the wrong number of arguments", name)
	}
	return wrapped(out)
}

// wrapped carries out frozen<…>, and what a tuple does to the types in it.
func wrapped(t *schema.Type) (*schema.Type, error) {
	switch t.Name {
	case "frozen":
		inner := t.Args[0]
		if !freezes(inner) && inner.Name != "vector" {
			return nil, fmt.Errorf("frozen<%s> is nothing: only collections, tuples and user-defined types can be frozen", inner)
		}
		freeze(inner)
		return inner, nil
	case "tuple":
		for _, a := range t.Args {
			freeze(a)
		}
	}
	return t, nil
}

// freeze freezes a type and what is in it. A vector and its elements stay as they are, and so does a tuple, which has frozen
// what is in it already.
func freeze(t *schema.Type) {
	switch {
	case t.UDT:
		t.Frozen = true
	case Collection(t):
		t.Frozen = true
		for _, a := range t.Args {
			freeze(a)
		}
	}
}

// Collection reports whether a type is a list, a set or a map.
func Collection(t *schema.Type) bool {
	return !t.UDT && (t.Name == "list" || t.Name == "set" || t.Name == "map")
}

// nesting returns why the server refuses a type for what is in it.
func nesting(t *schema.Type) error {
	for i, a := range t.Args {
		native := !a.UDT && len(a.Args) == 0
		switch {
		case Collection(t) && !t.Frozen && !a.Frozen && (a.UDT || Collection(a)):
			return fmt.Errorf("%s in %s is not frozen: write frozen<%[1]s>", a, t.Name)
		case native && a.Name == "counter" && t.Name != "vector":
			return fmt.Errorf("a counter cannot be in a %s", t.Name)
		case native && a.Name == "duration" && (t.Name == "set" || t.Name == "map" && i == 0):
			return fmt.Errorf("a duration cannot be in a set, nor the key of a map")
		}
		if err := nesting(a); err != nil {
			return err
		}
	}
	if t.Name == "vector" && !t.UDT && t.Size < 1 {
		return fmt.Errorf("a vector cannot have %d elements", t.Size)
	}
	return nil
}

// digits takes a whole number, of which the sign and every digit are words of their own.
func digits(r *lex.Reader) string {
	text, end := "", r.Peek().From
	if r.Peek().Is("-") {
		text, end = "-", r.Next().To
	}
	for w := r.Peek(); w.From == end && len(w.Text) == 1 && w.Text[0] >= '0' && w.Text[0] <= '9'; w = r.Peek() {
		text, end = text+w.Text, w.To
		r.Next()
	}
	return text
}

// freezes reports whether frozen<> means anything for a type.
func freezes(t *schema.Type) bool { return t.UDT || t.Name != "vector" && len(t.Args) > 0 }

// Settle freezes what the server freezes without being asked.
func Settle(t *schema.Type) {
	if t.Name == "tuple" && !t.UDT {
		t.Frozen = true
	}
	for _, a := range t.Args {
		a.Frozen = freezes(a)
		Settle(a)
	}
}
