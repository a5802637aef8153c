package model

import (
	"fmt"
	"strings"
)

// CQLType is a CQL type as type= spells it.
type CQLType struct {
	Name string // in lower case; a type with Args is list, set, map, tuple, vector or frozen
	Args []*CQLType
	Size int // vector<T, Size>
}

// String writes the type as CQL does.
func (t *CQLType) String() string {
	if len(t.Args) == 0 {
		return t.Name
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, a.String())
	}
	if t.Name == "vector" {
		args = append(args, fmt.Sprint(t.Size))
	}
	return t.Name + "<" + strings.Join(args, ", ") + ">"
}

// arity says how many arguments a parameterised type takes; a tuple takes any number above none.
var arity = map[string]int{"list": 1, "set": 1, "map": 2, "frozen": 1, "vector": 1, "tuple": -1}

// ParseCQLType reads a CQL type made of native types, collections, tuples, vectors and frozen<>.
func ParseCQLType(text string) (*CQLType, error) {
	p := &typeParser{rest: text}
	t, err := p.parse(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.rest != "" {
		return nil, fmt.Errorf("%q follows the type", p.rest)
	}
	return t, nil
}

type typeParser struct{ rest string }

func (p *typeParser) space() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *typeParser) word() string {
	p.space()
	n := strings.IndexFunc(p.rest, func(r rune) bool { return !isWord(r) })
	if n < 0 {
		n = len(p.rest)
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return strings.ToLower(w)
}

func (p *typeParser) take(s string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

// maxNesting bounds how deep types may nest, far beyond what a table can hold.
const maxNesting = 32

func (p *typeParser) parse(depth int) (*CQLType, error) {
	name := p.word()
	if depth > maxNesting {
		return nil, fmt.Errorf("types nest deeper than %d", maxNesting)
	}
	want, generic := arity[name]
	if !generic {
		return native(name)
	}
	if !p.take("<") {
		return nil, fmt.Errorf("%s needs its arguments in <>", name)
	}
	t := &CQLType{Name: name}
	for {
		if name == "vector" && len(t.Args) == 1 {
			return t, p.size(t)
		}
		a, err := p.parse(depth + 1)
		if err != nil {
			return nil, err
		}
		t.Args = append(t.Args, a)
		if p.take(">") {
			break
		}
		if !p.take(",") {
			return nil, fmt.Errorf("%s<…> is not closed", name)
		}
	}
	if want > 0 && len(t.Args) != want || name == "vector" {
		return nil, fmt.Errorf("%s takes other arguments than %s", name, t)
	}
	return t, nil
}

// size reads the number of a vector's elements.
func (p *typeParser) size(t *CQLType) error {
	if _, err := fmt.Sscan(p.word(), &t.Size); err != nil || t.Size < 1 || t.Size > maxDimensions {
		return fmt.Errorf("a vector has 1 to %d elements", maxDimensions)
	}
	if !p.take(">") {
		return fmt.Errorf("vector<…> is not closed")
	}
	return nil
}

func native(name string) (*CQLType, error) {
	switch {
	case name == "":
		return nil, fmt.Errorf("a type is missing")
	case name == "varchar": // CQL's other name of text
		name = "text"
	case !natives[name] || name == "counter":
		return nil, fmt.Errorf("%s is no CQL type that a value can have", name)
	}
	return &CQLType{Name: name}, nil
}

// natives are CQL's types without arguments.
var natives = set(`ascii bigint blob boolean counter date decimal double duration float inet int smallint text time
	timestamp timeuuid tinyint uuid varint`)

// holds reports whether a native type occurs anywhere in t.
func (t *CQLType) holds(native string) bool {
	for _, a := range t.Args {
		if a.holds(native) {
			return true
		}
	}
	return t.Name == native
}

// fault returns what Cassandra refuses in a type, wherever it stands; "" is nothing.
func (t *CQLType) fault() string {
	for _, a := range t.Args {
		if why := a.fault(); why != "" {
			return why
		}
	}
	if t.Name == "frozen" && len(t.Args[0].Args) == 0 {
		return "frozen<> is for collections and tuples, and " + t.Args[0].Name + " is neither"
	}
	if (t.Name == "set" || t.Name == "map") && t.Args[0].holds("duration") {
		return "a duration cannot be the element of a set or the key of a map"
	}
	return ""
}
