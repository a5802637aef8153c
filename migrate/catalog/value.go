package catalog

import (
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// value is what stands behind the = of a property.
type value struct {
	text    string            // of a string without its quotes
	quoted  bool              // it is a string
	entries map[string]string // of a map; nil for what is none
}

// none reports whether there is no value.
func (v value) none() bool { return v.text == "" && v.entries == nil && !v.quoted }

// value takes a string, a map, a number, a UUID or a word.
func (p *parser) value() value {
	w := p.Peek()
	switch {
	case w.Kind == lex.Quoted && w.Text[0] != '"':
		p.Next()
		return value{text: unquoted(w.Text), quoted: true}
	case p.Accept("{"):
		return value{entries: p.entries()}
	}
	text := ""
	for end := w.From; p.Peek().From == end && plain(p.Peek()); {
		end = p.Peek().To
		text += p.Next().Text
	}
	return value{text: spelled(text)}
}

// spelled writes what is no number, and nevertheless one to CQL, as the server keeps it.
func spelled(text string) string {
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

// plain reports whether a word can be a piece of a number, a UUID or a name.
func plain(w lex.Word) bool {
	return w.Kind == lex.WordToken || w.Kind == lex.Other && strings.ContainsAny(w.Text, "0123456789.-+")
}

// unquoted returns a string of CQL without its quotes.
func unquoted(s string) string {
	if strings.HasPrefix(s, "$$") {
		return s[2 : len(s)-2]
	}
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
}

// entries takes the entries of a map up to its closing brace.
func (p *parser) entries() map[string]string {
	out := map[string]string{}
	if p.Accept("}") {
		return out
	}
	for {
		at := p.At
		key := p.constant("want 'name': value")
		p.expect(":")
		v := p.constant("want a value of " + key)
		if _, twice := out[key]; twice && p.err == nil {
			p.At = at
			p.fail("'" + key + "' is given twice")
		}
		out[key] = v
		if !p.Accept(",") {
			break
		}
	}
	if !p.Accept("}") {
		p.fail("want , or }, found " + p.found())
	}
	return out
}

// constant takes a string, a number, a boolean or a UUID.
func (p *parser) constant(want string) string {
	at := p.At
	v := p.value()
	if v.entries != nil || v.none() {
		p.At = at
		p.fail(want + ", found " + p.found())
	}
	return v.text
}
