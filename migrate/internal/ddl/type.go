package ddl

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/lex"
)

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
	text, err := typeText(r)
	if err != nil {
		return nil, err
	}
	t, err := cqltype.Parse(text)
	if err != nil {
		return nil, err
	}
	return written(t)
}

// typeText takes the words of a type off a statement: a name, and all between < and > after it.
func typeText(r *lex.Reader) (string, error) {
	first := r.Peek()
	name := r.Identifier()
	if r.Failed || first.Text == `""` {
		return "", fmt.Errorf("%q is no type", first.Text)
	}
	text, end := first.Text, first.To
	for depth := 0; ; {
		w := r.Peek()
		switch {
		case w.Is("."):
			return "", fmt.Errorf("%s is of another keyspace", name)
		case w.Is("<"):
			depth++
		case depth == 0 || w.Text == "":
			return text, nil
		case w.Is(">"):
			depth--
		default:
			name = strings.ToLower(w.Text)
		}
		if w.From > end {
			text += " " // two words stay two
		}
		text, end = text+r.Next().Text, w.To
	}
}

// written returns a parsed type with what frozen<…> and tuples do to the types in them.
func written(t *cqltype.Type) (*schema.Type, error) {
	out := &schema.Type{Name: t.Name, UDT: t.IsUDT(), Size: t.Size}
	for _, a := range t.Args {
		inner, err := written(a)
		if err != nil {
			return nil, err
		}
		out.Args = append(out.Args, inner)
	}
	return wrapped(out)
}

// wrapped carries out frozen<…>, and what a tuple does to the types in it.
func wrapped(t *schema.Type) (*schema.Type, error) {
	switch {
	case t.UDT:
	case t.Name == "frozen":
		inner := t.Args[0]
		if !freezes(inner) && inner.Name != "vector" {
			return nil, fmt.Errorf("frozen<%s> is nothing: only collections, tuples and user-defined types can be frozen", inner)
		}
		freeze(inner)
		return inner, nil
	case t.Name == "tuple":
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
