package catalog

import (
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Parse reads one statement. What changes no type, table or index, nor says what can become of them, gives nil: data, roles,
// functions, keyspaces. A materialized view is read for its name, table and key, and no further. A statement that cannot be read is a *[ParseError].
func Parse(text string) (Statement, error) {
	p := &parser{Reader: lex.Reader{Words: lex.Words(text)}}
	s := p.statement()
	if s == nil {
		return nil, nil
	}
	if _, ok := s.(*Elsewhere); ok {
		return s, nil // it is read no further than to its name
	}
	p.end()
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}

func (p *parser) statement() Statement {
	switch {
	case p.Accept("CREATE", "TYPE"):
		return p.createType()
	case p.Accept("CREATE", "TABLE"), p.Accept("CREATE", "COLUMNFAMILY"):
		return p.createTable()
	case p.Accept("CREATE", "INDEX"):
		return p.createIndex(false)
	case p.Accept("CREATE", "CUSTOM", "INDEX"):
		return p.createIndex(true)
	case p.Accept("CREATE", "MATERIALIZED", "VIEW"):
		return p.createView()
	case p.Accept("ALTER", "TYPE"):
		return p.alterType()
	case p.Accept("ALTER", "TABLE"), p.Accept("ALTER", "COLUMNFAMILY"):
		return p.alterTable()
	case p.Accept("DROP", "TYPE"):
		return p.dropType()
	case p.Accept("DROP", "TABLE"), p.Accept("DROP", "COLUMNFAMILY"):
		return p.drop(func(name string, if_ bool) Statement { return &DropTable{name, if_} })
	case p.Accept("DROP", "MATERIALIZED", "VIEW"):
		return p.drop(func(name string, if_ bool) Statement { return &DropView{name, if_} })
	case p.Accept("DROP", "INDEX"):
		return p.drop(func(name string, if_ bool) Statement { return &DropIndex{name, if_} })
	}
	return nil
}

func (p *parser) drop(of func(name string, ifExists bool) Statement) Statement {
	exists := p.Accept("IF", "EXISTS")
	name, keyspace := p.target()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	return of(name, exists)
}

func (p *parser) dropType() Statement {
	exists := p.Accept("IF", "EXISTS")
	name, keyspace := p.typeName()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	return &DropType{name, exists}
}

func (p *parser) createType() Statement {
	s := &CreateType{IfNotExists: p.Accept("IF", "NOT", "EXISTS")}
	at := p.At
	name, keyspace := p.typeName()
	if keyspace != "" {
		return &Elsewhere{keyspace}
	}
	if p.err == nil && cqltype.IsReserved(name) {
		p.At = at
		p.fail("the server takes a type " + name + ", and cannot start again: give it another name")
	}
	s.Type = &schema.UDT{Name: name}
	p.expect("(")
	p.looseList(func() { s.Type.Fields = append(s.Type.Fields, p.field()) })
	s.fault = p.fault
	return s
}

func (p *parser) field() *schema.Field { return &schema.Field{Name: p.name(), Type: p.columnType()} }

// columnType takes a type.
func (p *parser) columnType() *schema.Type {
	if p.Failed {
		return &schema.Type{}
	}
	at := p.At
	t, unfit, err := readType(&p.Reader)
	if err != nil {
		p.At, p.Failed = at, false
		p.fail(err.Error())
		return &schema.Type{}
	}
	if unfit != nil {
		p.addFault("%w", unfit)
	}
	end := p.At
	for p.At = at; p.At < end; p.At++ {
		if w := p.Peek(); w.Kind == lex.WordToken && !p.typeWord(strings.ToLower(w.Text)) {
			p.fail(w.Text + " is a word of CQL, and no type without quotes")
			return t
		}
	}
	return t
}

// typeWord reports whether the next word, in small letters, can be one of a type.
func (p *parser) typeWord(w string) bool {
	if w == "set" {
		return p.At+1 < len(p.Words) && p.Words[p.At+1].Is("<")
	}
	return cqltype.IsNative(w) || !reservedWord(w) && !notTypes[w]
}

func (p *parser) alterType() Statement {
	exists := p.Accept("IF", "EXISTS")
	name, keyspace := p.typeName()
	switch {
	case keyspace != "":
		return &Elsewhere{keyspace}
	case p.Accept("ADD"):
		unless := p.Accept("IF", "NOT", "EXISTS")
		s := &AddField{Type: name, IfExists: exists, IfFieldNotExists: unless, Field: p.field()}
		s.fault = p.fault
		return s
	case p.Accept("RENAME"):
		if_ := p.Accept("IF", "EXISTS")
		return &RenameFields{Type: name, IfExists: exists, IfFieldExists: if_, Names: p.renames()}
	}
	p.fail("want ADD or RENAME, found " + p.found() + ": nothing else can be altered of a type")
	return &AddField{}
}

func (p *parser) alterTable() Statement {
	exists := p.Accept("IF", "EXISTS")
	name, keyspace := p.target()
	switch {
	case keyspace != "":
		return &Elsewhere{keyspace}
	case p.Accept("ADD"):
		s := &AddColumns{Table: name, IfExists: exists, IfColumnNotExists: p.Accept("IF", "NOT", "EXISTS")}
		s.Columns = p.added()
		s.fault = p.fault
		return s
	case p.Accept("DROP"):
		s := &DropColumns{Table: name, IfExists: exists, IfColumnExists: p.Accept("IF", "EXISTS")}
		s.Columns = p.names()
		if p.Accept("USING") {
			p.expect("TIMESTAMP")
			p.timestamp()
		}
		return s
	case p.Accept("RENAME"):
		if_ := p.Accept("IF", "EXISTS")
		return &RenameColumns{Table: name, IfExists: exists, IfColumnExists: if_, Names: p.renames()}
	case p.Accept("WITH"):
		return &SetOptions{Table: name, IfExists: exists, Options: p.with(false).options}
	case p.Accept("ALTER"):
		return p.alterColumn()
	}
	p.fail("want ADD, DROP, RENAME or WITH, found " + p.found())
	return &SetOptions{}
}

// alterColumn takes what can be altered of a column in place: how it is masked.
func (p *parser) alterColumn() Statement {
	p.Accept("IF", "EXISTS")
	p.name()
	if p.Peek().Is("TYPE") {
		p.fail("the server alters no column's type: add a column, or make a new table")
		return &SetOptions{}
	}
	p.Accept("DROP")
	if !p.Peek().Is("MASKED") {
		p.fail("want MASKED, found " + p.found())
		return &SetOptions{}
	}
	p.mask()
	p.end()
	if p.err != nil {
		return &SetOptions{}
	}
	return nil
}

// timestamp takes a whole number.
func (p *parser) timestamp() {
	at := p.At
	if v := p.value(); v.quoted || v.entries != nil || !isWhole(v.text) {
		p.At = at
		p.fail("want a whole number, found " + p.found())
	}
}

func isWhole(s string) bool {
	_, ok := property.ReadWhole(s, 64)
	return ok
}

// added takes "a int STATIC" or "(a int, b int)".
func (p *parser) added() []*schema.Column {
	if !p.Accept("(") {
		return []*schema.Column{p.column(nil)}
	}
	var out []*schema.Column
	p.list(func() { out = append(out, p.column(nil)) })
	return out
}
