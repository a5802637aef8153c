package cqltype

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Type is a parsed CQL type.
type Type struct {
	Name   string  // the name of a native type, a constructor or a user-defined type; without quotes, and in lower case if it is not quoted
	Quoted bool    // the name is in quotes, so it is a user-defined type
	Args   []*Type // the arguments of a constructor
	Size   int     // the number of elements of a vector
}

// MaxDimensions is the maximum number of elements of a vector.
const MaxDimensions = 8192

// maxNesting is the maximum depth of nested types, far beyond what a table supports.
const maxNesting = 32

// String returns the type as CQL writes it.
func (t *Type) String() string {
	name := t.Name
	if t.Quoted {
		name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	if len(t.Args) == 0 {
		return name
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, a.String())
	}
	if t.Size > 0 {
		args = append(args, strconv.Itoa(t.Size))
	}
	return name + "<" + strings.Join(args, ", ") + ">"
}

// IsUDT reports whether the type is a user-defined type. It does not check that the type exists.
func (t *Type) IsUDT() bool { return t.Quoted || len(t.Args) == 0 && !IsNative(t.Name) }

// Native returns the native type that t is; ok is false for any other type.
func (t *Type) Native() (n *Native, ok bool) {
	if t.Quoted || len(t.Args) > 0 {
		return nil, false
	}
	return Lookup(t.Name)
}

// Unfrozen returns the type inside frozen<>, or the type itself.
func (t *Type) Unfrozen() *Type {
	for t != nil && t.Name == "frozen" && len(t.Args) == 1 {
		t = t.Args[0]
	}
	return t
}

// Holds reports whether t is a native type or contains it.
func (t *Type) Holds(native string) bool {
	for _, a := range t.Args {
		if a.Holds(native) {
			return true
		}
	}
	return t.Name == native && !t.Quoted
}

// DriverType returns the name of the driver's constant of a type, without Type: Int, List, UDT.
func (t *Type) DriverType() string {
	if n, ok := t.Native(); ok {
		return n.Driver
	}
	if t.IsUDT() {
		return "UDT"
	}
	return constructors[t.Name].driver
}

// JavaName returns the type in the form that the server's protocol uses for types without a number. A user-defined type has no such name.
func (t *Type) JavaName() string {
	const java = "org.apache.cassandra.db.marshal."
	if n, ok := t.Native(); ok {
		return java + n.Java
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, a.JavaName())
	}
	name := java + constructors[t.Name].java
	if t.Size > 0 {
		return fmt.Sprintf("%s(%s , %d)", name, args[0], t.Size)
	}
	return name + "(" + strings.Join(args, ",") + ")"
}

// Parse reads a CQL type. Varchar is read as text. Any name that is neither a native type nor a constructor is a user-defined type.
func Parse(text string) (*Type, error) {
	p := &parser{rest: text}
	t, err := p.parse(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.rest != "" {
		return nil, fmt.Errorf("%q follows the type", p.rest)
	}
	return t, nil
}

type parser struct{ rest string }

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// word reads letters, digits and _.
func (p *parser) word() string {
	p.space()
	n := strings.IndexFunc(p.rest, func(r rune) bool { return !isWord(r) })
	if n < 0 {
		n = len(p.rest)
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return strings.ToLower(w)
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// name reads a name, with or without quotes.
func (p *parser) name() (name string, quoted bool, err error) {
	if !p.accept(`"`) {
		name = p.word()
		if of, ok := aliases[name]; ok {
			name = of
		}
		return name, false, nil
	}
	for {
		part, rest, ok := strings.Cut(p.rest, `"`)
		if !ok {
			return "", true, errors.New("the quote is not closed")
		}
		name, p.rest = name+part, rest
		if !strings.HasPrefix(rest, `"`) {
			return name, true, nil
		}
		name, p.rest = name+`"`, rest[1:]
	}
}

func (p *parser) accept(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) parse(depth int) (*Type, error) {
	name, quoted, err := p.name()
	of, generic := constructors[name]
	switch {
	case err != nil:
		return nil, err
	case depth > maxNesting:
		return nil, fmt.Errorf("types nest deeper than %d", maxNesting)
	case name == "":
		return nil, errors.New("a type is missing")
	case !generic && !quoted && p.accept("<"):
		return nil, fmt.Errorf("unknown type %s<>", name)
	case !generic || quoted:
		return &Type{Name: name, Quoted: quoted}, nil
	case !p.accept("<"):
		return nil, fmt.Errorf("%s needs its arguments in <>", name)
	}
	t := &Type{Name: name}
	return t, p.arguments(t, of.args, depth)
}

// arguments reads the arguments in <>.
func (p *parser) arguments(t *Type, want, depth int) error {
	for closed := false; !closed; {
		a, err := p.parse(depth + 1)
		if err != nil {
			return err
		}
		t.Args = append(t.Args, a)
		closed = p.accept(">")
		switch {
		case !closed && !p.accept(","):
			return fmt.Errorf("%s<…> is not closed", t.Name)
		case !closed && t.Name == "vector":
			return p.size(t)
		}
	}
	if want > 0 && len(t.Args) != want || t.Name == "vector" {
		return fmt.Errorf("invalid arguments of %s in %s", t.Name, t)
	}
	return nil
}

// size reads the number of a vector's elements. It does not check whether the server allows that number.
func (p *parser) size(t *Type) error {
	n, err := strconv.ParseInt(p.word(), 10, 32)
	if err != nil {
		return fmt.Errorf("a vector must have 1 to %d elements", MaxDimensions)
	}
	t.Size = int(n)
	if !p.accept(">") {
		return errors.New("vector<…> is not closed")
	}
	return nil
}
