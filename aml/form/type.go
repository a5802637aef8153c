package form

import (
	"fmt"
	"strings"
)

// cqlType is a CQL type, taken apart: map<text, frozen<part>> is map of text and frozen of part.
type cqlType struct {
	name   string
	quoted bool
	args   []cqlType
}

// String writes the type as CQL.
func (t cqlType) String() string {
	name := t.name
	if t.quoted {
		name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	if len(t.args) == 0 {
		return name
	}
	var args []string
	for _, a := range t.args {
		args = append(args, a.String())
	}
	return name + "<" + strings.Join(args, ", ") + ">"
}

// Key returns the type of a set's or list's elements, or of a map's keys.
func Key(text string) (string, error) {
	t, err := parse(text)
	for err == nil && t.name == "frozen" && len(t.args) == 1 {
		t = t.args[0]
	}
	switch {
	case err != nil:
		return "", err
	case len(t.args) == 0:
		return "", fmt.Errorf("form: %s is no collection", text)
	}
	return t.args[0].String(), nil
}

// parse takes a type apart.
func parse(text string) (cqlType, error) {
	t, rest := parseType(text)
	if t.name == "" || rest != "" {
		return t, fmt.Errorf("form: %q is no CQL type", text)
	}
	return t, nil
}

// parseType reads a type from the beginning of a text; without a name it could not.
func parseType(text string) (t cqlType, rest string) {
	t.name, t.quoted, rest = parseName(text)
	if !strings.HasPrefix(rest, "<") {
		return t, rest
	}
	for more := true; more; {
		var a cqlType
		a, rest = parseType(strings.TrimLeft(rest[1:], " "))
		if a.name == "" {
			return cqlType{}, text
		}
		t.args = append(t.args, a)
		more = strings.HasPrefix(rest, ",")
	}
	if !strings.HasPrefix(rest, ">") {
		return cqlType{}, text
	}
	return t, rest[1:]
}

func parseName(text string) (name string, quoted bool, rest string) {
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexAny(text, "<>, ")
		if end < 0 {
			end = len(text)
		}
		return text[:end], false, text[end:]
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
			name += text[i : i+1]
		case strings.HasPrefix(text[i+1:], `"`):
			name += `"`
			i++
		default:
			return name, true, text[i+1:]
		}
	}
	return "", true, text
}
