package ddl

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Value is what stands behind the = of a property.
type Value struct {
	Text    string            // of a string without its quotes
	Quoted  bool              // it is a string
	Entries map[string]string // of a map; nil for what is none
}

// none reports whether there is no value.
func (v Value) none() bool { return v.Text == "" && v.Entries == nil && !v.Quoted }

// value takes a string, a map, a number, a UUID or a word.
func (p *parser) value() Value {
	w := p.Peek()
	switch {
	case w.Kind == lex.Quoted && w.Text[0] != '"':
		p.Next()
		return Value{Text: unquoted(w.Text), Quoted: true}
	case p.Accept("{"):
		return Value{Entries: p.entries()}
	}
	text := ""
	for end := w.From; p.Peek().From == end && plain(p.Peek()); {
		end = p.Peek().To
		text += p.Next().Text
	}
	return Value{Text: spelled(text)}
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
	if v.Entries != nil || v.none() {
		p.At = at
		p.fail(want + ", found " + p.found())
	}
	return v.Text
}

// ParseValue reads the value of a property.
func ParseValue(name, cql string) (Value, error) {
	p := &parser{Reader: lex.Reader{Words: lex.Words(cql)}}
	v := p.value()
	if p.Peek().Text != "" || v.none() {
		p.fail("is no value of " + name)
	}
	if p.err != nil {
		return Value{}, fmt.Errorf("%s = %s: %s", name, cql, p.err.Reason)
	}
	return v, nil
}

// ParseProperties reads what stands behind WITH.
func ParseProperties(cql string) (map[string]Value, error) {
	p := &parser{Reader: lex.Reader{Words: lex.Words(cql)}}
	w := p.with(true)
	if p.Peek().Text != "" {
		p.fail("AND or the end of the properties is missing")
	}
	if p.err != nil {
		return nil, fmt.Errorf("%s: %s", cql, p.err.Reason)
	}
	return w.properties, nil
}

// judge refuses a percentile that the server would write down as 0p or 100p, with which it cannot start again. What else a
// property can be is for the server to decide.
func (p *parser) judge(name string, v Value, at int) {
	if name != "speculative_retry" && name != "additional_write_policy" {
		return
	}
	for _, f := range property.Judge(name, property.Value{Text: v.Text, Entries: v.Entries}) {
		if !f.Local {
			p.failAt(at, f.What)
		}
	}
}
