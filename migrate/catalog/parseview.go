package catalog

// createView takes a materialized view: its name and its table.
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
	p.At = len(p.Words) // the key and the properties are no part of what is compared
	return s
}
