package syntax

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/internal/lex"
)

// Parse parses statements with semicolons between them. It returns the valid ones, and an error for each of the others, both in the
// order of the text.
func Parse(text string) (statements []Statement, faults []*Error) {
	words, err := lex.Script(text)
	p := &parser{Reader: lex.Reader{Words: words}}
	for p.skipSemicolons(); p.At < len(p.Words); p.skipSemicolons() {
		from, batch := p.Offset(), p.Peek().Is("BEGIN")
		s := p.statement()
		if p.end(); p.Err == nil {
			statements = append(statements, s(p.span(from)))
			continue
		}
		if open := p.At >= len(p.Words) && err != nil; !open {
			faults = append(faults, (*Error)(p.Err))
		}
		p.recover(batch)
	}
	if e, ok := errors.AsType[*lex.Error](err); ok {
		faults = append(faults, &Error{Offset: e.Offset, Reason: e.Reason})
	}
	return statements, faults
}

// parser parses statements. After the first error in a statement it reads nothing more of it.
type parser struct {
	lex.Reader
	depth int // depth of the value or function that is read
}

// maxDepth is how deep values and functions can be nested: the parser calls itself for each level.
const maxDepth = 200

// enter begins a value or a function, which can be in another one.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.Fail(fmt.Sprintf("values and functions are nested more than %d deep", maxDepth))
	}
}

// leave ends a value or a function.
func (p *parser) leave() { p.depth-- }

// placed returns a statement at a place.
type placed func(Span) Statement

// statement reads a statement.
func (p *parser) statement() placed {
	switch w := p.Peek(); w.Upper {
	case "SELECT":
		s := p.selection()
		return func(at Span) Statement { s.Span = at; return s }
	case "INSERT", "UPDATE", "DELETE", "TRUNCATE":
		s := p.write()
		return func(at Span) Statement { s.Span = at; return s }
	case "BEGIN":
		s := p.batch()
		return func(at Span) Statement { s.Span = at; return s }
	default:
		s := &Other{Verb: w.Upper}
		if w.Kind != lex.WordToken || !slices.Contains(others, w.Upper) {
			p.Fail("want a statement, found " + p.Found())
		}
		p.rest()
		return func(at Span) Statement { s.Span = at; return s }
	}
}

// others begin the statements that neither read nor write rows.
var others = strings.Fields("CREATE ALTER DROP USE GRANT REVOKE LIST DESCRIBE DESC ADD")

// starts are the keywords that begin a statement and cannot be in another one, except in a batch.
var starts = []string{"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "BEGIN"}

// recover moves to the next statement after an error: after a semicolon, or where a word begins a statement although a semicolon is
// missing. A batch ends with APPLY BATCH.
func (p *parser) recover(batch bool) {
	p.Err, p.Failed = nil, false
	for ; p.At < len(p.Words); p.At++ {
		switch w := p.Words[p.At]; {
		case batch && p.Accept("APPLY", "BATCH"), !batch && (w.Kind == lex.Semicolon || slices.Contains(starts, w.Upper)):
			return
		}
	}
}

func (p *parser) skipSemicolons() {
	for p.At < len(p.Words) && p.Words[p.At].Kind == lex.Semicolon {
		p.At++
	}
}

// end checks that the statement ends here.
func (p *parser) end() {
	if w := p.Peek(); w.Text == "" || w.Kind == lex.Semicolon {
		return
	}
	p.Fail("unexpected " + p.Found())
}

// rest reads all words of the statement.
func (p *parser) rest() {
	for w := p.Peek(); w.Text != "" && w.Kind != lex.Semicolon; w = p.Peek() {
		p.At++
	}
}

// Found returns the next word for a message.
func (p *parser) Found() string {
	if p.Peek().Kind == lex.Semicolon {
		return "the end"
	}
	return p.Reader.Found()
}

// span returns the piece of the text from an offset to the end of the last word.
func (p *parser) span(from int) Span {
	if p.At == 0 || p.At > len(p.Words) {
		return Span{from, p.Offset()}
	}
	return Span{from, max(from, p.Words[p.At-1].To)}
}

// mark returns a function that returns the piece of the text from the next word on.
func (p *parser) mark() func() Span {
	from := p.Offset()
	return func() Span { return p.span(from) }
}

// accept reads words if they are next, and returns where they are; nil if they are not.
func (p *parser) accept(upper ...string) *Span {
	end := p.mark()
	if !p.Accept(upper...) {
		return nil
	}
	at := end()
	return &at
}

// expect reads words that are required.
func (p *parser) expect(upper ...string) {
	if !p.Accept(upper...) {
		p.Fail("want " + strings.Join(upper, " ") + ", found " + p.Found())
	}
}

// name reads the name of a column.
func (p *parser) name() Name {
	w := p.Peek()
	if w.Kind == lex.WordToken && strings.HasPrefix(model.Quote(strings.ToLower(w.Text)), `"`) {
		p.Fail(w.Text + " is a keyword of CQL: write it in quotes")
		return Name{}
	}
	return p.anyName()
}

// anyName reads a name that can be a keyword.
func (p *parser) anyName() Name {
	w := p.Peek()
	if !w.IsName() {
		p.Fail("want a name, found " + p.Found())
		return Name{}
	}
	end := p.mark()
	n := Name{Text: p.Identifier(), Written: w.Text}
	if n.Span = end(); w.Kind == lex.Quoted {
		n.Written = n.Text
	}
	return n
}

// table reads the name of a table, or of the struct of an aggregate, which can be a keyword such as Order. The keyspace before it is
// ignored: a store has one keyspace.
func (p *parser) table() Name {
	n := p.anyName()
	if p.Accept(".") {
		return p.anyName()
	}
	return n
}

// names reads names with commas.
func (p *parser) names() []Name {
	out := []Name{p.name()}
	for p.Accept(",") {
		out = append(out, p.name())
	}
	return out
}
