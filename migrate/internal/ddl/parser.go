package ddl

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/internal/lex"
)

// ParseError reports an invalid statement.
type ParseError struct {
	Offset int // place of the unexpected word, in bytes
	Reason string
}

func (e *ParseError) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason) }

// parser parses a statement. After the first error it reads nothing more.
type parser struct {
	lex.Reader
	fault error // becomes the fault of the [Statement]
}

// addFault sets the fault of a [Statement], if it has none yet.
func (p *parser) addFault(format string, args ...any) {
	if p.fault == nil {
		p.fault = fmt.Errorf(format, args...)
	}
}

// expect reads words that are required.
func (p *parser) expect(upper ...string) {
	if !p.Accept(upper...) {
		p.Fail(fmt.Sprintf("want %s, found %s", strings.Join(upper, " "), p.Found()))
	}
}

// name reads a name.
func (p *parser) name() string {
	w := p.Peek()
	if w.Kind != lex.WordToken && !strings.HasPrefix(w.Text, `"`) {
		p.Fail("want a name, found " + p.Found())
		return ""
	}
	if w.Kind == lex.WordToken && reservedWord(w.Text) {
		p.Fail(w.Text + " is a keyword of CQL: write it in quotes")
		return ""
	}
	if w.Text == `""` {
		p.Fail("a name cannot be empty")
		return ""
	}
	return p.Identifier()
}

// target reads the name of the object of a statement, with an optional keyspace.
func (p *parser) target() Target {
	name := p.name()
	if p.Accept(".") {
		return Target{Keyspace: name, Name: p.name()}
	}
	return Target{Name: name}
}

// typeTarget reads the name of a user-defined type.
func (p *parser) typeTarget() Target {
	w := p.Peek()
	t := p.target()
	if t.Keyspace == "" && w.Kind == lex.WordToken && (cqltype.IsNative(t.Name) || notTypes[t.Name]) {
		p.At--
		p.Fail(t.Name + " cannot be the name of a type")
	}
	return t
}

// names reads "a" or "(a, b)".
func (p *parser) names() []string {
	if !p.Accept("(") {
		return []string{p.name()}
	}
	var out []string
	p.list(func() { out = append(out, p.name()) })
	return out
}

// list reads a list with commas, and the closing parenthesis.
func (p *parser) list(one func()) {
	for one(); p.Accept(","); one() {
	}
	p.expect(")")
}

// looseList reads the same list in a form in which the server ignores superfluous commas.
func (p *parser) looseList(one func()) {
	for one(); p.Accept(","); {
		if !p.Peek().Is(",") && !p.Peek().Is(")") {
			one()
		}
	}
	p.expect(")")
}

// renames reads "a TO b AND c TO d".
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

// end checks that the statement has no further words.
func (p *parser) end() {
	if p.Peek().Text != "" {
		p.Fail("unexpected " + p.Found())
	}
}

// reservedWord reports whether a word must be in quotes to be a name.
func reservedWord(w string) bool { return strings.HasPrefix(model.Quote(strings.ToLower(w)), `"`) }

// notTypes are words that can be names without quotes, but not names of types.
var notTypes = wordSet("byte complex enum interval macaddr bitstring cast count distinct json maxwritetime ttl writetime")

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
