package ddl

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
)

// primary is the primary key of a table.
type primary struct {
	partition, clustering []string
	given                 bool
}

func (p *parser) createTable() Statement {
	s := &CreateTable{IfNotExists: p.Accept("IF", "NOT", "EXISTS")}
	s.Target = p.target()
	s.Table = &schema.Table{Name: s.Name}
	key := &primary{}
	var columns []*schema.Column
	p.expect("(")
	p.looseList(func() {
		if p.Peek().Is("PRIMARY") {
			p.primaryKey(key)
			return
		}
		columns = append(columns, p.declared(s.Name, columns, key))
	})
	if p.Err == nil {
		s.Closing = p.Words[p.At-1].To
	}
	var w with
	if p.Accept("WITH") {
		s.With = p.Words[p.At-1].To
		w = p.with(true)
		s.Properties = w.properties
	}
	if !key.given {
		p.Fail("table " + s.Name + " has no PRIMARY KEY")
	}
	s.Table = p.table(s.Name, columns, key, w)
	s.Fault = p.fault
	return s
}

// declared reads a column of CREATE TABLE.
func (p *parser) declared(table string, before []*schema.Column, key *primary) *schema.Column {
	at := p.At
	c := p.column(key)
	if p.Err == nil && slices.ContainsFunc(before, func(o *schema.Column) bool { return o.Name == c.Name }) {
		p.At = at
		p.Fail("table " + table + " has two columns " + c.Name)
	}
	return c
}

// column reads a column. In CREATE TABLE it can be the primary key.
func (p *parser) column(key *primary) *schema.Column {
	c := &schema.Column{Name: p.name(), Kind: schema.Regular}
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

// mask reads how a column is masked, which is not compared.
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

// nested reads to the closing parenthesis of an open one.
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
		p.Fail("the table has a second PRIMARY KEY")
	}
	key.given = true
}

// primaryKey reads PRIMARY KEY ((a, b), c).
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

// table returns the table with its columns and its key.
func (p *parser) table(name string, columns []*schema.Column, key *primary, w with) *schema.Table {
	t := &schema.Table{Name: name}
	for i, n := range slices.Concat(key.partition, key.clustering) {
		at := slices.IndexFunc(columns, func(c *schema.Column) bool { return c.Name == n })
		if at < 0 {
			p.addFault("%s of the primary key of %s is not a column, or appears in it twice", n, name)
			return t
		}
		c := columns[at]
		if c.Kind == schema.Static {
			p.addFault("%s of the primary key of %s is static", n, name)
		}
		c.Kind = schema.PartitionKey
		if i >= len(key.partition) {
			c.Kind = schema.ClusteringKey
		}
		t.Columns = append(t.Columns, c)
		columns = slices.Delete(slices.Clone(columns), at, at+1)
	}
	t.Columns = append(t.Columns, columns...)
	t.PartitionKey = slices.Clone(t.Columns[:len(key.partition)])
	t.ClusteringKey = slices.Clone(t.Columns[len(key.partition) : len(key.partition)+len(key.clustering)])
	p.order(t, w.order)
	return t
}

// order sets the order of the clustering columns, which must be listed in the order of the key.
func (p *parser) order(t *schema.Table, order []clustering) {
	for i, o := range order {
		if i >= len(t.ClusteringKey) || t.ClusteringKey[i].Name != o.name {
			p.addFault("CLUSTERING ORDER BY has %s, which is not clustering column %d", o.name, i+1)
			return
		}
		t.ClusteringKey[i].Order = o.order
	}
}

// with is the part after WITH.
type with struct {
	properties map[string]property.Value
	order      []clustering
}

type clustering struct {
	name  string
	order model.Order
}

// with reads properties and, for a new table, the order of its clustering columns.
func (p *parser) with(created bool) with {
	w := with{properties: map[string]property.Value{}}
	for {
		if created && p.Accept("CLUSTERING", "ORDER", "BY") {
			p.expect("(")
			p.list(func() { w.order = append(w.order, p.clustering(w.order)) })
		} else if p.Peek().Is("COMPACT") {
			p.Fail("COMPACT STORAGE is not supported: delete it")
		} else {
			p.option(w.properties)
		}
		if !p.Accept("AND") {
			return w
		}
	}
}

func (p *parser) clustering(before []clustering) clustering {
	at := p.At
	c := clustering{name: p.name()}
	if slices.ContainsFunc(before, func(o clustering) bool { return o.name == c.name }) {
		p.At = at
		p.Fail("CLUSTERING ORDER BY has " + c.name + " twice")
	}
	if p.Accept("DESC") {
		c.order = model.Descending
	} else {
		p.expect("ASC")
	}
	return c
}

// option reads name = value.
func (p *parser) option(given map[string]property.Value) {
	name := p.name()
	p.expect("=")
	if _, twice := given[name]; twice {
		p.Fail(name + " appears twice")
	}
	at := p.At
	v := p.value()
	p.checkPercentile(name, v, at)
	given[name] = v
}
