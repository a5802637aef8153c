package syntax

import (
	"slices"

	"github.com/cassaml/cassaml/internal/lex"
)

// write reads a statement that changes rows: its table and the columns that it names.
func (p *parser) write() *Write {
	w := &Write{Verb: p.Next().Upper}
	switch w.Verb {
	case "INSERT":
		p.expect("INTO")
		w.Table = p.table()
		if !p.Accept("JSON") {
			p.expect("(")
			w.Columns = p.names()
			p.expect(")")
			p.expect("VALUES")
		}
	case "UPDATE":
		w.Table = p.table()
		p.skipTo("SET")
		p.expect("SET")
		w.Columns = p.assigned()
	case "DELETE":
		if !p.Peek().Is("FROM") {
			w.Columns = p.removed()
		}
		p.expect("FROM")
		w.Table = p.table()
		if p.skip("WHERE", "IF"); p.Peek().Is("IF") {
			p.Fail("IF follows WHERE")
		}
	default:
		p.Accept("TABLE")
		w.Table = p.table()
		return w
	}
	if p.Accept("WHERE") {
		for _, r := range p.relations() {
			w.Columns = append(w.Columns, r.Columns...)
		}
	}
	w.Conditional = p.skipTo("IF")
	p.skipTo()
	return w
}

// assigned reads the columns that an UPDATE sets, up to WHERE.
func (p *parser) assigned() []Name {
	out := []Name{p.name()}
	for p.skip(",", "WHERE"); p.Accept(","); p.skip(",", "WHERE") {
		out = append(out, p.name())
	}
	return out
}

// removed reads the columns, fields and elements between DELETE and FROM.
func (p *parser) removed() []Name {
	out := []Name{p.name()}
	for p.pieces(); p.Accept(","); p.pieces() {
		out = append(out, p.name())
	}
	return out
}

// skipTo reads up to a word, or to the end of the statement, and reports whether the word is next.
func (p *parser) skipTo(words ...string) bool {
	p.skip(words...)
	return len(words) > 0 && p.Peek().Is(words[0])
}

// skip reads up to one of some words outside parentheses, or to the end of the statement. In a batch, statements need no semicolon.
func (p *parser) skip(words ...string) {
	for depth := 0; ; p.At++ {
		w := p.Peek()
		switch {
		case w.Text == "", w.Kind == lex.Semicolon, w.Upper == "APPLY", slices.Contains(starts, w.Upper):
			return
		case depth == 0 && slices.Contains(words, w.Upper):
			return
		case w.Is("("), w.Is("["), w.Is("{"):
			depth++
		case w.Is(")"), w.Is("]"), w.Is("}"):
			depth--
		}
	}
}

// batch reads BEGIN BATCH … APPLY BATCH.
func (p *parser) batch() *Batch {
	b := &Batch{}
	p.expect("BEGIN")
	if !p.Accept("UNLOGGED") {
		p.Accept("COUNTER")
	}
	p.expect("BATCH")
	if p.Peek().Is("USING") {
		p.skip()
	}
	for p.skipSemicolons(); !p.Failed && !p.Accept("APPLY"); p.skipSemicolons() {
		if w := p.Peek(); !slices.Contains([]string{"INSERT", "UPDATE", "DELETE"}, w.Upper) {
			p.Fail("want INSERT, UPDATE, DELETE or APPLY BATCH, found " + p.Found())
			return b
		}
		from := p.Offset()
		w := p.write()
		w.Span = p.span(from)
		b.Writes = append(b.Writes, w)
	}
	p.expect("BATCH")
	return b
}
