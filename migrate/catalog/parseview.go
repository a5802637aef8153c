package catalog

import "slices"

// createView takes a materialized view: its name, its table and its key.
func (p *parser) createView() Statement {
	s := &CreateView{IfNotExists: p.Accept("IF", "NOT", "EXISTS")}
	name, keyspace := p.target()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	s.Name = name
	p.expect("AS")
	p.expect("SELECT")
	for p.Peek().Text != "" && !p.Peek().Is("FROM") {
		p.Next()
	}
	p.expect("FROM")
	if s.Base, keyspace = p.target(); keyspace != "" {
		return &Elsewhere{keyspace}
	}
	for p.Peek().Text != "" && !p.Peek().Is("PRIMARY") {
		p.Next()
	}
	key := &primary{}
	p.primaryKey(key)
	s.partition, s.clustering = key.partition, key.clustering
	for p.Peek().Text != "" {
		p.Next() // properties are as those of a table, and no part of what is compared
	}
	return s
}

// key lists the columns of the primary key.
func (s *CreateView) key() []string { return slices.Concat(s.partition, s.clustering) }

// rename carries out what becomes of columns of the table.
func (s *CreateView) rename(to map[string]string) {
	for _, key := range [][]string{s.partition, s.clustering} {
		for i, name := range key {
			if now, renamed := to[name]; renamed {
				key[i] = now
			}
		}
	}
}
