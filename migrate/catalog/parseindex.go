package catalog

import (
	"strings"

	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// indexSpec is an index before the type of its column is known.
type indexSpec struct {
	column   string
	function string // keys, values, entries or full; "" for the column itself
	class    string // as [schema.Index] has it
	options  map[string]string
}

func (p *parser) createIndex(custom bool) Statement {
	s := &CreateIndex{IfNotExists: p.Accept("IF", "NOT", "EXISTS")}
	if !p.Peek().Is("ON") {
		s.Name = p.name()
	}
	p.expect("ON")
	keyspace := ""
	s.Table, keyspace = p.target()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	s.spec = p.index(custom)
	return s
}

// index takes (column) USING 'class' WITH OPTIONS = {…}.
func (p *parser) index(custom bool) indexSpec {
	i := indexSpec{class: indexname.Legacy}
	p.expect("(")
	i.function, i.column = p.indexed()
	if p.Peek().Is(",") {
		p.fail("an index of several columns is not known")
	}
	p.expect(")")
	if p.Accept("USING") {
		at := p.At
		v := p.value()
		if !v.quoted {
			p.At = at
			p.fail("want 'class', found " + p.found())
		}
		i.class = indexClass(v.text)
	}
	if p.Accept("WITH") {
		i.options = p.indexOptions(!custom && i.class == indexname.Legacy)
	}
	return i
}

// indexed takes a column, or values(column) and the like.
func (p *parser) indexed() (function, column string) {
	for _, of := range []string{"KEYS", "VALUES", "ENTRIES", "FULL"} {
		if p.Accept(of, "(") {
			column = p.name()
			p.expect(")")
			return strings.ToLower(of), column
		}
	}
	column = p.name()
	if p.Peek().Is("(") {
		p.fail(column + "() is nothing of a column that can be indexed")
	}
	return "", column
}

// indexOptions takes OPTIONS = {…}, which an index of the server's oldest class has not.
func (p *parser) indexOptions(plain bool) map[string]string {
	at := p.At
	name := p.name()
	if p.err == nil && (name != "options" || plain) {
		p.At = at
		p.fail(name + " is no property of such an index")
	}
	p.expect("=")
	at = p.At
	v := p.value()
	_, class := v.entries["class_name"]
	_, target := v.entries["target"]
	switch {
	case p.err != nil:
	case v.entries == nil:
		p.At = at
		p.fail("want {'option': value, …}, found " + p.found())
	case class || target:
		p.At = at
		p.fail("neither the class nor the target of an index is among its options")
	}
	return v.entries
}
