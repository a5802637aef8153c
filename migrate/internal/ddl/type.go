package ddl

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/lex"
)

// ParseType parses a CQL type from a statement or from system_schema, and returns it in the form of the server: varchar is text, a tuple is
// frozen, and so is every collection and user-defined type inside another type. It does not check whether a user-defined type exists.
func ParseType(text string) (*schema.Type, error) {
	r := &lex.Reader{Words: lex.Words(text)}
	t, _, err := readType(r)
	if err != nil {
		return nil, fmt.Errorf("type %q: %w", text, err)
	}
	if rest := r.Peek().Text; rest != "" {
		return nil, fmt.Errorf("type %q: unexpected %q", text, rest)
	}
	return t, nil
}

// readType reads a type from a statement. unfit is the reason why the server refuses it, although it can be parsed.
func readType(r *lex.Reader) (t *schema.Type, unfit, err error) {
	t, err = parseType(r)
	if err != nil {
		return nil, nil, err
	}
	unfit = nesting(t)
	Freeze(t)
	return t, unfit, nil
}

// parseType reads a type as it is written: only a type with frozen<…> is frozen.
func parseType(r *lex.Reader) (*schema.Type, error) {
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

// typeText reads the words of a type: a name, and everything between < and > after it.
func typeText(r *lex.Reader) (string, error) {
	first := r.Peek()
	name := r.Identifier()
	if r.Failed || first.Text == `""` {
		return "", fmt.Errorf("%q is not a type", first.Text)
	}
	text, end := first.Text, first.To
	for depth := 0; ; {
		w := r.Peek()
		switch {
		case w.Is("."):
			return "", fmt.Errorf("type %s cannot have a keyspace", name)
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
			text += " " // keep the words separate
		}
		text, end = text+r.Next().Text, w.To
	}
}

// written returns a parsed type, and applies frozen<…> and tuples to the types inside them.
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

// wrapped applies frozen<…>, and freezes the types in a tuple.
func wrapped(t *schema.Type) (*schema.Type, error) {
	switch {
	case t.UDT:
	case t.Name == "frozen":
		inner := t.Args[0]
		if !freezes(inner) && inner.Name != "vector" {
			return nil, fmt.Errorf("invalid frozen<%s>: only collections, tuples and user-defined types can be frozen", inner)
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

// freeze freezes a type and the types in it. It does not change a vector and its elements, or a tuple, whose members are already frozen.
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

// nesting returns why the server refuses a type because of the types in it.
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

// freezes reports whether a type can be frozen.
func freezes(t *schema.Type) bool { return t.UDT || t.Name != "vector" && len(t.Args) > 0 }

// Freeze freezes the types that the server always freezes.
func Freeze(t *schema.Type) {
	if t.Name == "tuple" && !t.UDT {
		t.Frozen = true
	}
	for _, a := range t.Args {
		a.Frozen = freezes(a)
		Freeze(a)
	}
}
