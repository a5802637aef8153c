package catalog

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
	t, err := readType(r)
	if err != nil {
		return nil, fmt.Errorf("type %q: %w", text, err)
	}
	if rest := r.Peek().Text; rest != "" {
		return nil, fmt.Errorf("type %q: %q follows it", text, rest)
	}
	return t, nil
}

// readType takes a type off a statement.
func readType(r *lex.Reader) (*schema.Type, error) {
	t, err := typeOf(r)
	if err != nil {
		return nil, err
	}
	settle(t)
	return t, nil
}

func typeOf(r *lex.Reader) (*schema.Type, error) {
	first := r.Peek()
	quoted := strings.HasPrefix(first.Text, `"`)
	name := r.Identifier()
	if r.Failed {
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
	for {
		if name == "vector" && len(out.Args) == 1 {
			size, err := strconv.Atoi(digits(r))
			if err != nil || size < 1 {
				return nil, fmt.Errorf("a vector needs the number of its elements")
			}
			out.Size = size
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
	if want > 0 && len(out.Args) != want || name == "vector" && out.Size == 0 {
		return nil, fmt.Errorf("%s<…> has the wrong number of arguments", name)
	}
	if name == "frozen" {
		out.Args[0].Frozen = freezes(out.Args[0])
		return out.Args[0], nil
	}
	return out, nil
}

// digits takes a whole number, of which every digit is a word of its own.
func digits(r *lex.Reader) string {
	text, end := "", r.Peek().From
	for w := r.Peek(); w.From == end && len(w.Text) == 1 && w.Text[0] >= '0' && w.Text[0] <= '9'; w = r.Peek() {
		text, end = text+w.Text, w.To
		r.Next()
	}
	return text
}

// freezes reports whether frozen<> means anything for a type.
func freezes(t *schema.Type) bool { return t.UDT || t.Name != "vector" && len(t.Args) > 0 }

// settle freezes what the server freezes without being asked.
func settle(t *schema.Type) {
	if t.Name == "tuple" && !t.UDT {
		t.Frozen = true
	}
	for _, a := range t.Args {
		a.Frozen = freezes(a)
		settle(a)
	}
}
