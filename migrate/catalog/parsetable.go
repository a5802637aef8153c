package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// primary collects the primary key of a table while it is read.
type primary struct {
	partition, clustering []string
	given                 bool
}

func (p *parser) createTable() Statement {
	s := &CreateTable{IfNotExists: p.Accept("IF", "NOT", "EXISTS")}
	name, keyspace := p.target()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	key := &primary{}
	var columns []*schema.Column
	p.expect("(")
	p.list(func() {
		if p.Peek().Is("PRIMARY") {
			p.primaryKey(key)
			return
		}
		columns = append(columns, p.column(key))
	})
	var w with
	if p.Accept("WITH") {
		w = p.with()
	}
	s.Table = p.table(name, columns, key, w)
	return s
}

// column takes a column; of CREATE TABLE it may be the primary key.
func (p *parser) column(key *primary) *schema.Column {
	c := &schema.Column{Name: p.name()}
	c.Type = p.columnType()
	if p.Accept("STATIC") {
		c.Kind = schema.Static
	}
	if p.Peek().Is("MASKED") {
		p.mask()
	}
	if key != nil && p.Accept("PRIMARY", "KEY") {
		p.once(key)
		key.partition = []string{c.Name}
	}
	return c
}

// mask takes how a column is masked, which is not compared.
func (p *parser) mask() {
	p.expect("MASKED")
	if p.Accept("WITH") {
		p.Accept("DEFAULT")
		for p.Peek().Text != "" && !p.Peek().Is(",") && !p.Peek().Is(")") && !p.Peek().Is("PRIMARY") {
			if p.Next().Is("(") {
				p.nested()
			}
		}
	}
}

// nested takes what stands in parentheses that are open.
func (p *parser) nested() {
	for depth := 1; depth > 0 && p.Peek().Text != ""; {
		switch w := p.Next(); {
		case w.Is("("):
			depth++
		case w.Is(")"):
			depth--
		}
	}
}

func (p *parser) once(key *primary) {
	if key.given {
		p.fail("a second PRIMARY KEY")
	}
	key.given = true
}

// primaryKey takes PRIMARY KEY ((a, b), c).
func (p *parser) primaryKey(key *primary) {
	p.once(key)
	p.expect("PRIMARY", "KEY")
	p.expect("(")
	key.partition = p.names()
	for p.Accept(",") {
		key.clustering = append(key.clustering, p.name())
	}
	p.expect(")")
}

// table puts together what was read.
func (p *parser) table(name string, columns []*schema.Column, key *primary, w with) *schema.Table {
	t := &schema.Table{Name: name}
	for i, n := range slices.Concat(key.partition, key.clustering) {
		at := slices.IndexFunc(columns, func(c *schema.Column) bool { return c.Name == n })
		if at < 0 {
			p.fail(n + " of the primary key is no column, or is in it twice")
			return t
		}
		c := columns[at]
		if c.Kind == schema.Static {
			p.fail(n + " of the primary key is static")
		}
		c.Kind = schema.PartitionKey
		if i >= len(key.partition) {
			c.Kind = schema.ClusteringKey
		}
		t.Columns = append(t.Columns, c)
		columns = slices.Delete(slices.Clone(columns), at, at+1)
	}
	t.Columns = append(t.Columns, columns...)
	if !key.given {
		p.fail("table " + name + " has no PRIMARY KEY")
		return t
	}
	keys(t, len(key.partition), len(key.clustering))
	p.order(t, w.order)
	t.Properties = Options(w.options)
	return t
}

// order gives clustering columns their order, which names them in the order of the key.
func (p *parser) order(t *schema.Table, order []clustering) {
	for i, o := range order {
		if i >= len(t.ClusteringKey) || t.ClusteringKey[i].Name != o.name {
			p.fail(fmt.Sprintf("CLUSTERING ORDER BY names %s, which is not clustering column %d", o.name, i+1))
			return
		}
		t.ClusteringKey[i].Order = o.order
	}
}

// with is what stands behind WITH.
type with struct {
	options map[string]string // in the canonical form
	order   []clustering
}

type clustering struct {
	name  string
	order model.Order
}

func (p *parser) with() with {
	w := with{options: map[string]string{}}
	for {
		if p.Accept("CLUSTERING", "ORDER", "BY") {
			p.expect("(")
			p.list(func() { w.order = append(w.order, p.clustering()) })
		} else if p.Peek().Is("COMPACT") {
			p.fail("a table of COMPACT STORAGE is none that a model could describe: leave that out")
		} else {
			p.option(w.options)
		}
		if !p.Accept("AND") {
			return w
		}
	}
}

func (p *parser) clustering() clustering {
	c := clustering{name: p.name()}
	if p.Accept("DESC") {
		c.order = model.Descending
	} else {
		p.Accept("ASC")
	}
	return c
}

// option takes name = value. The id of a table is not compared.
func (p *parser) option(into map[string]string) {
	name := p.name()
	p.expect("=")
	if _, twice := into[name]; twice {
		p.fail(name + " is given twice")
	}
	at := p.At
	v := p.value()
	if !v.quoted && v.entries == nil && v.text == "" {
		p.At = at
		p.fail("want a value of " + name + ", found " + p.found())
	}
	if name != "id" && name != "extensions" {
		into[name] = v.canonical(name)
	}
}

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
	return value{text: text}
}

// plain says whether a word can be a piece of a number, a UUID or a name.
func plain(w lex.Word) bool {
	return w.Kind == lex.WordToken || w.Kind == lex.Other && strings.ContainsAny(w.Text, "0123456789.-+")
}

// unquoted gives a string of CQL without its quotes.
func unquoted(s string) string {
	if strings.HasPrefix(s, "$$") {
		return s[2 : len(s)-2]
	}
	return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
}

// entries takes the entries of a map up to its closing brace.
func (p *parser) entries() map[string]string {
	out := map[string]string{}
	for !p.Accept("}") {
		key := p.value()
		if !key.quoted {
			p.fail("want 'name': value, found " + p.found())
			return out
		}
		p.expect(":")
		v := p.value()
		if v.entries != nil || !v.quoted && v.text == "" {
			p.fail("want a value of " + key.text + ", found " + p.found())
			return out
		}
		out[key.text] = v.text
		if !p.Accept(",") && !p.Peek().Is("}") {
			p.fail("want , or }, found " + p.found())
			return out
		}
	}
	return out
}
