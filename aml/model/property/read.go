package property

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// literal matches a number or a boolean as CQL writes it.
var literal = regexp.MustCompile(`(?i)^(-?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?|true|false)$`)

// Parse reads the value of a property in CQL.
func Parse(name, cql string) (Value, error) {
	r := &lex.Reader{Words: lex.Words(cql)}
	v, err := Read(r)
	if err == nil && r.Peek().Text != "" {
		err = fmt.Errorf("unexpected %s after the value", r.Peek().Text)
	}
	if err != nil {
		return Value{}, fmt.Errorf("%s = %s: %w", name, cql, err)
	}
	return v, nil
}

// Read reads a value of a statement: a string, a map, a number, a boolean, a UUID or a word. If there is none, the next word of r is
// the unexpected one.
func Read(r *lex.Reader) (Value, error) {
	switch w := r.Peek(); {
	case w.Kind == lex.Quoted && w.Text[0] != '"':
		r.Next()
		return Value{Text: unquoted(w.Text), Quoted: true}, nil
	case r.Accept("{"):
		return readMap(r)
	}
	text, end := "", r.Peek().From
	for r.Peek().From == end && bare(r.Peek()) {
		end = r.Peek().To
		text += r.Next().Text
	}
	if text == "" {
		return Value{}, errors.New("want a value, found " + r.Found())
	}
	v := Value{Text: stored(text)}
	if !literal.MatchString(text) {
		v.Word = text
	}
	return v, nil
}

// bare reports whether a word can be part of a number, a UUID or a name.
func bare(w lex.Word) bool {
	return w.Kind == lex.WordToken || w.Kind == lex.Other && strings.ContainsAny(w.Text, "0123456789.-+")
}

// stored returns a value without quotes as the server stores it.
func stored(text string) string {
	switch strings.ToUpper(text) {
	case "NAN", "-NAN":
		return "NaN"
	case "INFINITY":
		return "Infinity"
	case "-INFINITY":
		return "-Infinity"
	}
	return text
}

// unquoted returns a string of CQL without its quotes.
func unquoted(s string) string {
	if strings.HasPrefix(s, "$$") {
		return s[2 : len(s)-2]
	}
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
}

// readMap reads the entries of a map and its closing brace.
func readMap(r *lex.Reader) (Value, error) {
	out := Value{Entries: map[string]string{}}
	if r.Accept("}") {
		return out, nil
	}
	for {
		at := r.At
		key, err := out.constant(r, "'name': value")
		if err != nil {
			return out, err
		}
		if !r.Accept(":") {
			return out, errors.New("want : after " + key + ", found " + r.Found())
		}
		value, err := out.constant(r, "a value of "+key)
		if err != nil {
			return out, err
		}
		if _, twice := out.Entries[key]; twice {
			r.At = at
			return out, errors.New(key + " appears twice")
		}
		out.Entries[key] = value
		switch {
		case r.Accept("}"):
			return out, nil
		case !r.Accept(","):
			return out, errors.New("want , or }, found " + r.Found())
		}
	}
}

// constant reads a key or a value of the map v.
func (v *Value) constant(r *lex.Reader, want string) (string, error) {
	at := r.At
	c, err := Read(r)
	if err != nil || c.Entries != nil {
		r.At = at
		return "", errors.New("want " + want + ", found " + r.Found())
	}
	if v.Word == "" {
		v.Word = c.Word
	}
	return c.Text, nil
}
