package syntax

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/internal/lex"
)

// selection reads a SELECT.
func (p *parser) selection() *Select {
	p.expect("SELECT")
	s := &Select{}
	if p.isModifier("JSON") {
		s.JSON = p.accept("JSON")
	}
	if p.isModifier("DISTINCT") {
		s.Distinct = p.accept("DISTINCT")
	}
	if s.Star = p.accept("*"); s.Star == nil {
		s.Columns = p.selectors()
	}
	p.expect("FROM")
	s.Table = p.table()
	if p.Accept("WHERE") {
		s.Where = p.relations()
	}
	if p.Accept("GROUP", "BY") {
		s.GroupBy = p.names()
	}
	if p.Accept("ORDER", "BY") {
		s.OrderBy = p.orderings()
	}
	if p.Accept("PER", "PARTITION", "LIMIT") {
		s.PerPartition = p.limit()
	}
	if p.Accept("LIMIT") {
		s.Limit = p.limit()
	}
	s.Filtering = p.accept("ALLOW", "FILTERING")
	return s
}

// isModifier reports whether a word after SELECT is a modifier, not a column or function of this name.
func (p *parser) isModifier(upper string) bool {
	switch lex.UpperAt(p.Words, p.At+1) {
	case "FROM", ",", "(", "AS", ".":
		return false
	}
	return p.Peek().Is(upper)
}

func (p *parser) selectors() []Selector {
	out := []Selector{p.selector()}
	for p.Accept(",") {
		out = append(out, p.selector())
	}
	return out
}

// selector reads an expression after SELECT, and its alias.
func (p *parser) selector() Selector {
	end := p.mark()
	s := p.operand()
	s.Span = end()
	if p.Accept("AS") {
		p.name()
	}
	return s
}

// operand reads a column, a field or element of a column, a function or a constant.
func (p *parser) operand() (s Selector) {
	p.enter()
	defer p.leave()
	end := p.mark()
	w := p.Peek()
	switch {
	case w.Kind == lex.WordToken && lex.UpperAt(p.Words, p.At+1) == "(":
		s.Function = strings.ToLower(w.Text)
		p.At += 2
		s.Arguments = p.arguments()
	case w.IsName():
		s.Column = p.name()
		if p.pieces() {
			piece := end()
			s.Piece = &piece
		}
	default:
		p.value()
	}
	s.Span = end()
	return s
}

// pieces reads the fields and elements after a column, and reports whether there are any.
func (p *parser) pieces() (found bool) {
	for ; ; found = true {
		switch {
		case p.Accept("."):
			p.name()
		case p.Accept("["):
			p.value()
			p.expect("]")
		default:
			return found
		}
	}
}

// arguments reads the arguments of a function, and the closing parenthesis.
func (p *parser) arguments() (out []Selector) {
	for !p.Failed && !p.Accept(")") {
		if !p.Accept("*") {
			out = append(out, p.operand())
		}
		if p.Accept("AS") { // CAST(a AS type)
			for !p.Peek().Is(")") && p.Peek().Text != "" {
				p.At++
			}
		}
		if !p.Accept(",") && !p.Peek().Is(")") {
			p.Fail("want , or ), found " + p.Found())
		}
	}
	return out
}

func (p *parser) relations() []Relation {
	out := []Relation{p.relation()}
	for p.Accept("AND") {
		out = append(out, p.relation())
	}
	return out
}

// relation reads a restriction.
func (p *parser) relation() Relation {
	end := p.mark()
	r := Relation{}
	switch {
	case p.Accept("TOKEN", "("):
		r.Token = true
		r.Columns = p.names()
		p.expect(")")
	case p.Accept("("):
		r.Columns = p.names()
		p.expect(")")
	default:
		r.Columns = []Name{p.name()}
		if p.Accept("[") {
			v := p.value()
			r.Element = &v
			p.expect("]")
		}
	}
	r.Operator = p.operator()
	p.operands(&r)
	r.Span = end()
	return r
}

// operators are the operators of relations by their words, each before those that it begins with.
var operators = []struct {
	words []string
	is    Operator
}{
	{[]string{"CONTAINS", "KEY"}, ContainsKey}, {[]string{"CONTAINS"}, Contains}, {[]string{"IS", "NOT", "NULL"}, IsNotNull}, {[]string{"IN"}, In},
	{[]string{"LIKE"}, Like}, {[]string{"!", "="}, NotEqual}, {[]string{"<", "="}, AtMost}, {[]string{">", "="}, AtLeast}, {[]string{"<"}, Less},
	{[]string{">"}, More}, {[]string{"="}, Equal},
}

func (p *parser) operator() Operator {
	for _, o := range operators {
		if p.Accept(o.words...) {
			return o.is
		}
	}
	p.Fail("want an operator, such as = or IN, found " + p.Found())
	return ""
}

// operands reads the values after an operator.
func (p *parser) operands(r *Relation) {
	switch {
	case r.Operator == IsNotNull:
	case r.Operator == In && p.Accept("("):
		r.List = true
		r.Values = p.values(")")
	default:
		r.Values = []Value{p.value()}
	}
}

func (p *parser) orderings() []Ordering {
	out := []Ordering{p.ordering()}
	for p.Accept(",") {
		out = append(out, p.ordering())
	}
	return out
}

func (p *parser) ordering() Ordering {
	o := Ordering{Column: p.name()}
	if p.Accept("ANN", "OF") {
		v := p.value()
		o.Near = &v
		return o
	}
	if !p.Accept("ASC") {
		o.Descending = p.Accept("DESC")
	}
	return o
}

// limit reads a number of rows.
func (p *parser) limit() *Value {
	at := p.At
	v := p.value()
	if n, err := strconv.ParseInt(v.Text, 10, 32); v.Kind != Marker && (v.Kind != Integer || err != nil || n < 1) {
		p.FailAt(at, "want a number of rows, from 1 to 2147483647, or a marker")
	}
	return &v
}
