package ddl

import (
	"strings"

	"github.com/cassaml/cassaml/aml/cqltype"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/lex"
	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

// Parse parses one statement. It returns nil for statements that change no type, table, index or view, such as data, roles, functions and
// keyspaces. The error for an invalid statement is a *[ParseError]; the statement then has the parts before the error.
func Parse(text string) (Statement, error) {
	p := &parser{Reader: lex.Reader{Words: lex.Words(text)}}
	s := p.statement()
	if s == nil {
		return nil, nil
	}
	p.end()
	if p.Err != nil {
		return s, (*ParseError)(p.Err)
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
		s := &DropType{IfExists: p.ifExists()}
		s.Target = p.typeTarget()
		return s
	case p.Accept("DROP", "TABLE"), p.Accept("DROP", "COLUMNFAMILY"):
		s := &DropTable{IfExists: p.ifExists()}
		s.Target = p.target()
		return s
	case p.Accept("DROP", "MATERIALIZED", "VIEW"):
		s := &DropView{IfExists: p.ifExists()}
		s.Target = p.target()
		return s
	case p.Accept("DROP", "INDEX"):
		s := &DropIndex{IfExists: p.ifExists()}
		s.Target = p.target()
		return s
	}
	return nil
}

func (p *parser) ifExists() bool { return p.Accept("IF", "EXISTS") }

func (p *parser) ifNotExists() bool { return p.Accept("IF", "NOT", "EXISTS") }

func (p *parser) createType() Statement {
	s := &CreateType{IfNotExists: p.ifNotExists()}
	at := p.At
	s.Target = p.typeTarget()
	if p.Err == nil && s.Keyspace == "" && cqltype.IsReserved(s.Name) {
		p.FailAt(at, "a server accepts a type "+s.Name+", but cannot start again with it: give it another name")
	}
	s.Type = &schema.UDT{Name: s.Name}
	p.expect("(")
	p.looseList(func() { s.Type.Fields = append(s.Type.Fields, p.field()) })
	s.Fault = p.fault
	return s
}

func (p *parser) field() *schema.Field { return &schema.Field{Name: p.name(), Type: p.columnType()} }

// columnType reads a type.
func (p *parser) columnType() *schema.Type {
	if p.Failed {
		return &schema.Type{}
	}
	at := p.At
	t, unfit, err := readType(&p.Reader)
	if err != nil {
		p.At, p.Failed = at, false
		p.Fail(err.Error())
		return &schema.Type{}
	}
	if unfit != nil {
		p.addFault("%w", unfit)
	}
	end := p.At
	for p.At = at; p.At < end; p.At++ {
		if w := p.Peek(); w.Kind == lex.WordToken && !p.typeWord(strings.ToLower(w.Text)) {
			p.Fail(w.Text + " is a keyword of CQL: write a type of this name in quotes")
			return t
		}
	}
	return t
}

// typeWord reports whether the next word, in lower case, can be part of a type.
func (p *parser) typeWord(w string) bool {
	if w == "set" {
		return p.At+1 < len(p.Words) && p.Words[p.At+1].Is("<")
	}
	return cqltype.IsNative(w) || !reservedWord(w) && !notTypes[w]
}

func (p *parser) alterType() Statement {
	exists := p.ifExists()
	on := p.typeTarget()
	switch {
	case p.Accept("ADD"):
		s := &AddField{Target: on, IfExists: exists, IfFieldNotExists: p.ifNotExists()}
		s.Field = p.field()
		s.Fault = p.fault
		return s
	case p.Accept("RENAME"):
		return &RenameFields{Target: on, IfExists: exists, IfFieldExists: p.ifExists(), Names: p.renames()}
	}
	p.Fail("want ADD or RENAME, found " + p.Found() + ": a type has no other changes")
	return &RenameFields{Target: on}
}

func (p *parser) alterTable() Statement {
	exists := p.ifExists()
	on := p.target()
	switch {
	case p.Accept("ADD"):
		s := &AddColumns{Target: on, IfExists: exists, IfColumnNotExists: p.ifNotExists()}
		s.Columns = p.added()
		s.Fault = p.fault
		return s
	case p.Accept("DROP"):
		s := &DropColumns{Target: on, IfExists: exists, IfColumnExists: p.ifExists()}
		s.Columns = p.names()
		if p.Accept("USING") {
			p.expect("TIMESTAMP")
			p.timestamp()
		}
		return s
	case p.Accept("RENAME"):
		return &RenameColumns{Target: on, IfExists: exists, IfColumnExists: p.ifExists(), Names: p.renames()}
	case p.Accept("WITH"):
		return &SetProperties{Target: on, IfExists: exists, Properties: p.with(false).properties}
	case p.Accept("ALTER"):
		p.alterColumn()
		return &SetProperties{Target: on, IfExists: exists}
	}
	p.Fail("want ADD, DROP, RENAME or WITH, found " + p.Found())
	return &SetProperties{Target: on}
}

// alterColumn reads the only change of a column itself: its mask.
func (p *parser) alterColumn() {
	p.ifExists()
	p.name()
	if p.Peek().Is("TYPE") {
		p.Fail("the type of a column cannot change: add a column, or create a new table")
	}
	p.Accept("DROP")
	if !p.Peek().Is("MASKED") {
		p.Fail("want MASKED, found " + p.Found())
	}
	p.mask()
}

// timestamp reads a whole number.
func (p *parser) timestamp() {
	at := p.At
	if v := p.value(); v.Quoted || v.Entries != nil || !isWhole(v.Text) {
		p.At = at
		p.Fail("want a whole number, found " + p.Found())
	}
}

func isWhole(s string) bool {
	_, ok := property.ReadWhole(s, 64)
	return ok
}

// added reads "a int STATIC" or "(a int, b int)".
func (p *parser) added() []*schema.Column {
	if !p.Accept("(") {
		return []*schema.Column{p.column(nil)}
	}
	var out []*schema.Column
	p.list(func() { out = append(out, p.column(nil)) })
	return out
}

func (p *parser) createIndex(custom bool) Statement {
	s := &CreateIndex{IfNotExists: p.ifNotExists()}
	if !p.Peek().Is("ON") {
		s.Name = p.name()
	}
	p.expect("ON")
	on := p.target()
	s.Keyspace, s.Table = on.Keyspace, on.Name
	p.expect("(")
	s.Function, s.Column = p.indexed()
	for p.Accept(",") {
		s.More = true
		p.indexed()
	}
	p.expect(")")
	if p.Accept("USING") {
		at := p.At
		v := p.value()
		if !v.Quoted {
			p.At = at
			p.Fail("want 'class', found " + p.Found())
		}
		s.Class = indexname.Class(v.Text)
	}
	if p.Accept("WITH") {
		s.Options = p.indexOptions(!custom && (s.Class == "" || s.Class == indexname.Legacy))
	}
	return s
}

// indexed reads a column, or a function of a column, such as values(column).
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
		p.Fail(column + "() is not supported in an index: use KEYS, VALUES, ENTRIES or FULL")
	}
	return "", column
}

// ParseIndexTarget parses the target of an index in system_schema: a column, or a function of a column, such as keys(column). For any other
// target, the column is "".
func ParseIndexTarget(target string) (column, function string) {
	p := &parser{Reader: lex.Reader{Words: lex.Words(target)}}
	function, column = p.indexed()
	if p.Err != nil {
		return "", ""
	}
	return column, function
}

// indexOptions reads OPTIONS = {…}. If plain, the index has the server's oldest class, which has no options.
func (p *parser) indexOptions(plain bool) map[string]string {
	at := p.At
	name := p.name()
	if p.Err == nil && (name != "options" || plain) {
		p.At = at
		p.Fail("an index of this class has no property " + name)
	}
	p.expect("=")
	at = p.At
	v := p.value()
	_, class := v.Entries["class_name"]
	_, target := v.Entries["target"]
	switch {
	case p.Err != nil:
	case v.Entries == nil:
		p.At = at
		p.Fail("want {'option': value, …}, found " + p.Found())
	case class || target:
		p.At = at
		p.Fail("the options of an index cannot contain its class or its target")
	}
	return v.Entries
}

// createView reads the name and the table of a materialized view.
func (p *parser) createView() Statement {
	s := &CreateView{IfNotExists: p.ifNotExists()}
	s.Target = p.target()
	p.expect("AS")
	p.expect("SELECT")
	for p.Peek().Text != "" && !p.Peek().Is("FROM") {
		p.Next()
	}
	p.expect("FROM")
	base := p.target()
	s.Base = base.Name
	if s.Keyspace == "" {
		s.Keyspace = base.Keyspace
	}
	p.At = len(p.Words) // the key and the properties are not compared
	return s
}
