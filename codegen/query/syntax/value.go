package syntax

import (
	"regexp"
	"strings"

	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/internal/lex"
)

// scalars are the forms of literals without quotes.
var scalars = []struct {
	kind Kind
	form *regexp.Regexp
}{
	{UUID, regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)},
	{Blob, regexp.MustCompile(`(?i)^0x([0-9a-f]{2})*$`)},
	{Integer, regexp.MustCompile(`^-?[0-9]+$`)},
	{Float, regexp.MustCompile(`(?i)^-?([0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?|nan|infinity)$`)},
	{Boolean, regexp.MustCompile(`(?i)^(true|false)$`)},
	{Null, regexp.MustCompile(`(?i)^null$`)},
	{Duration, regexp.MustCompile(`(?i)^-?(([0-9]+(y|mo|w|d|h|ms|m|us|µs|ns|s))+|p[0-9ymdhwst:-]+)$`)},
}

// value reads a value.
func (p *parser) value() Value {
	p.enter()
	defer p.leave()
	from := p.Offset()
	v := p.unplaced()
	v.Span = p.span(from)
	return v
}

func (p *parser) unplaced() Value {
	w := p.Peek()
	switch {
	case p.Accept("?"):
		return Value{Kind: Marker}
	case p.Accept(":"):
		return Value{Kind: Marker, Text: p.anyName().Written}
	case p.Accept("["):
		return Value{Kind: List, Of: p.values("]")}
	case p.Accept("("):
		return Value{Kind: Tuple, Of: p.values(")")}
	case p.Accept("{"):
		return p.braces()
	case w.Kind == lex.WordToken && lex.UpperAt(p.Words, p.At+1) == "(":
		p.At += 2
		return Value{Kind: Function, Text: strings.ToLower(w.Text), Of: p.values(")")}
	}
	return p.scalar()
}

// scalar reads a string, or a literal without quotes.
func (p *parser) scalar() Value {
	at := p.At
	read, err := property.Read(&p.Reader)
	if err != nil {
		p.Fail(err.Error())
		return Value{}
	}
	if read.Quoted {
		return Value{Kind: String, Text: read.Text}
	}
	for _, s := range scalars {
		if s.form.MatchString(read.Text) {
			return Value{Kind: s.kind, Text: read.Text}
		}
	}
	p.FailAt(at, "want a value, found "+read.Text)
	return Value{}
}

// values reads values with commas, up to a closing sign.
func (p *parser) values(end string) (out []Value) {
	for p.Peek().Text != "" && !p.Accept(end) {
		out = append(out, p.value())
		if !p.Accept(",") && !p.Peek().Is(end) {
			p.Fail("want , or " + end + ", found " + p.Found())
		}
	}
	if len(p.Words) == p.At && !p.Words[p.At-1].Is(end) {
		p.Fail("want " + end + ", found the end")
	}
	return out
}

// braces reads the rest of a set, a map or a value of a user-defined type.
func (p *parser) braces() Value {
	v := Value{Kind: Set}
	for !p.Failed && !p.Accept("}") {
		if w := p.Peek(); w.IsName() && lex.UpperAt(p.Words, p.At+1) == ":" && len(p.Words) > p.At {
			v.Kind = UDT
			p.At++
		} else {
			v.Of = append(v.Of, p.value())
		}
		if p.Accept(":") {
			v.Of = append(v.Of, p.value())
			if v.Kind != UDT {
				v.Kind = Map
			}
		}
		if !p.Accept(",") && !p.Peek().Is("}") {
			p.Fail("want , or }, found " + p.Found())
		}
	}
	return v
}
