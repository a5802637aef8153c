package ddl

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/internal/lex"
)

// ParseError reports a statement that cannot be read.
type ParseError struct {
	Offset int // of the word that does not fit, in bytes
	Reason string
}

func (e *ParseError) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason) }

// parser takes a statement apart. After the first word that does not fit it takes nothing more.
type parser struct {
	lex.Reader
	err   *ParseError
	fault error // of the [Statement]
}

// addFault notes the fault of a [Statement], the first of several.
func (p *parser) addFault(format string, args ...any) {
	if p.fault == nil {
		p.fault = fmt.Errorf(format, args...)
	}
}

// fail notes what is wrong at the next word.
func (p *parser) fail(reason string) {
	if p.err != nil {
		return
	}
	p.err = &ParseError{Offset: p.offset(), Reason: reason}
	p.Failed = true
}

// failAt notes what is wrong at an earlier word.
func (p *parser) failAt(at int, reason string) {
	if p.err == nil {
		p.At = at
		p.fail(reason)
	}
}

// offset is where the next word begins, or the last one ends.
func (p *parser) offset() int {
	if p.At < len(p.Words) {
		return p.Words[p.At].From
	}
	if len(p.Words) == 0 {
		return 0
	}
	return p.Words[len(p.Words)-1].To
}

// found is the next word as a message shows it.
func (p *parser) found() string {
	if w := p.Peek(); w.Text != "" {
		return w.Text
	}
	return "the end"
}

// expect takes words that must come.
func (p *parser) expect(upper ...string) {
	if !p.Accept(upper...) {
		p.fail(fmt.Sprintf("want %s, found %s", strings.Join(upper, " "), p.found()))
	}
}

// name takes a name.
func (p *parser) name() string {
	w := p.Peek()
	if w.Kind != lex.WordToken && !strings.HasPrefix(w.Text, `"`) {
		p.fail("want a name, found " + p.found())
		return ""
	}
	if w.Kind == lex.WordToken && reservedWord(w.Text) {
		p.fail(w.Text + " is a word of CQL, and no name without quotes")
		return ""
	}
	if w.Text == `""` {
		p.fail("a name cannot be empty")
		return ""
	}
	return p.Identifier()
}

// target takes the name of what a statement is about, with its keyspace.
func (p *parser) target() Target {
	name := p.name()
	if p.Accept(".") {
		return Target{Keyspace: name, Name: p.name()}
	}
	return Target{Name: name}
}

// typeTarget takes the name of a user-defined type.
func (p *parser) typeTarget() Target {
	w := p.Peek()
	t := p.target()
	if t.Keyspace == "" && w.Kind == lex.WordToken && (cqltype.IsNative(t.Name) || notTypes[t.Name]) {
		p.At--
		p.fail(t.Name + " is no name of a type")
	}
	return t
}

// names takes "a" or "(a, b)".
func (p *parser) names() []string {
	if !p.Accept("(") {
		return []string{p.name()}
	}
	var out []string
	p.list(func() { out = append(out, p.name()) })
	return out
}

// list takes what stands between commas up to the closing parenthesis.
func (p *parser) list(one func()) {
	for one(); p.Accept(","); one() {
	}
	p.expect(")")
}

// looseList takes the same where the server passes over commas with nothing behind them.
func (p *parser) looseList(one func()) {
	for one(); p.Accept(","); {
		if !p.Peek().Is(",") && !p.Peek().Is(")") {
			one()
		}
	}
	p.expect(")")
}

// renames takes "a TO b AND c TO d".
func (p *parser) renames() []Rename {
	var out []Rename
	for {
		from := p.name()
		p.expect("TO")
		out = append(out, Rename{from, p.name()})
		if !p.Accept("AND") {
			return out
		}
	}
}

// end sees that nothing follows.
func (p *parser) end() {
	if p.Peek().Text != "" {
		p.fail(p.found() + " does not belong there")
	}
}

// reservedWord reports whether a word is a name in quotes alone.
func reservedWord(w string) bool { return strings.HasPrefix(model.Quote(strings.ToLower(w)), `"`) }

// notTypes are words that are names, but not of types, without quotes.
var notTypes = setOf("byte complex enum interval macaddr bitstring cast count distinct json maxwritetime ttl writetime")

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
