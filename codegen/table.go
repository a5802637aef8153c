package codegen

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// tableView is one table: its statements, its type with the public methods, and its descriptor.
type tableView struct {
	Name            string // CQL
	Key             string // (a, b | c desc)
	Field           string // of the store
	Type            string
	Doc             string
	Methods         methodDocs // of a root
	Struct          string     // Go type of a row
	Root            bool
	Versioned       *versionedView // of a versioned root
	Guarded         *guardedView   // of a part of a versioned root
	Counters        *countersView  // of a table of counters
	Batch           *batchView     // of a plain root
	View            bool           // some columns of another table
	Derived         bool           // only the mapper uses the table, so it has no type
	Base            string         // the embedded type: Root, Versioned, Counters or Reader
	Descriptor      string
	Codec           string
	Aggregate       string
	Metadata        string
	Statements      []statementView
	Columns         []columnView
	Partition       int
	KeyLength       int
	Hidden          int // columns without a field
	Statics         bool
	Deleted         int // the number of the column that is set in the row of a deleted root; 0: no such column
	Reversed        string
	TTL             int
	Large           bool
	Unlogged        bool
	Cache           int
	Lifetimes       string // Go values; "" without a name
	Computed        string // the results of methods, as Go strings
	Reads           string // what they read, as Go values
	Compute         string // function name; "" for none
	Sets            []setView
	Indexes         []indexView
	Encode          string // function names; "" for none
	Decode          string
	Check           string
	Copies          []copiesView
	Follows         []followView
	Referring       []referringView
	VersionParam    string // of DeleteAt
	KnownParam      string // of Reconcile
	Params          string // of the key: id gocql.UUID, year int32
	Args            string // id, year
	KeyEncode       []string
	Keys            keysView // of the methods that have several keys
	StaticColumns   *staticsView
	PartitionMethod bool // t.partition is called
	Query           *queryView

	Iter                          string // the name of package iter in the file
	ColumnNames, PartKey, SortKey string // as Go strings: "id", "year"

	Ranges string // Go strings: those of Table.Ranges, "" except for the one that is used

	Insert, InsertStatic, Add, Delete, Select, Get, Load string // names of the statements' constants; "" for a missing statement

	Source *tableView // of a redundant table
	Parts  []partView // of a root
	Of     string     // of a part: the Go type of its root

	OfField string // of a part of a versioned root: the field of the store with the root

	source *schema.Table
	view   *schema.View // of a view
}

// statementView is a constant with a statement.
type statementView struct{ Name, CQL string }

// copiesView is a projection of a root.
type copiesView struct {
	Descriptor string
	Name       string
	Ops        []string
	Columns    string
	Shared     bool
	Range      bool
	Distinct   bool
	Owned      bool
	SourceKey  []string // {Column: 2, Field: 0}; empty if a row does not contain the key of its source
	ByUnique   int      // 1 + the number of the unique values of the source in the key; 0: none
	ByColumns  string   // their columns
}

func (b *viewer) table(t *schema.Table) *tableView {
	if t.Derived != nil {
		return b.derived(t)
	}
	a := t.Aggregate
	name := a.Struct.Name // of a part in its root's table, whose name is that of the root
	if !a.InRootTable {
		name = b.names.goName(t.Name, a.Struct)
	}
	v := &tableView{
		Name: t.Name, Key: t.KeyText(), Field: name, Struct: b.imports.structType(a.Struct), Root: a.IsSource(), Base: "Reader",
		Type: b.names.exported(name+"Table", a.Struct), Metadata: b.names.exported(name+"Metadata", a.Struct),
		Descriptor: b.names.internal(name+"Table", a.Struct), Codec: b.names.internal(name+"Codec", a.Struct),
		Partition: len(t.PartitionKey), KeyLength: len(t.Key()), TTL: t.TTL, Lifetimes: lifetimes(t), Statics: t.Statics, source: t,
	}
	v.deliver(a)
	if a.Root != nil {
		v.Of = a.Root.Struct.Name
	}
	switch {
	case a.Counter:
		b.counters(v, name)
	case v.guarded():
		v.Root = false
	case v.Root:
		v.Base, v.Aggregate = "Root", b.names.internal(name+"Aggregate", a.Struct)
	}
	switch {
	case a.Counter:
	case t.Versioning != nil:
		b.versioned(v, name)
	case v.guarded():
		b.guarded(v, name)
	default:
		b.statements(v, name)
	}
	b.batch(v, name)
	for _, c := range t.Ordered() {
		v.Columns = append(v.Columns, b.column(v, c, name))
	}
	b.codec(v)
	b.keys(v)
	b.statics(v, t.Visible(), func(c *schema.Column) *model.Attribute { return c.Attribute })
	b.sets(v)
	b.indexes(v)
	if len(t.ClusteringKey) > 0 {
		v.Query = b.query(t, a.Struct, name)
		b.each(v)
	}
	b.finders(v)
	return v
}

// deliver sets how the rows of the table are written.
func (v *tableView) deliver(a *model.Aggregate) {
	v.Large = a.Large
	if r := a.Redundancy; r != nil {
		v.Unlogged, v.Cache = r.Unlogged, r.Cache
	}
}

// lifetimes returns the TTLs of a table as Go values; "" if none has a name.
func lifetimes(t *schema.Table) string {
	var out []string
	for _, l := range t.Lifetimes {
		var fields []string
		if l.Name != "" {
			fields = append(fields, fmt.Sprintf("Name: %q", l.Name))
		}
		if l.Seconds > 0 {
			fields = append(fields, fmt.Sprintf("Seconds: %d", l.Seconds))
		}
		out = append(out, "{"+strings.Join(fields, ", ")+"}")
	}
	return strings.Join(out, ", ")
}

// statements sets the names of the constants of a table's statements. A redundant table has the same: it is written with its
// source.
func (b *viewer) statements(v *tableView, name string) {
	of := v.source.Aggregate.Struct
	t := v.source
	v.Insert, v.Delete = b.statement(v, name+"Insert", t.Insert(), of), b.statement(v, name+"Delete", t.Delete(), of)
	if s := t.InsertStatic(); s != "" {
		v.InsertStatic = b.statement(v, name+"InsertStatic", s, of)
	}
	b.selects(v, name, of)
	p := b.schema.ProjectionTo(t)
	if v.Root || p.Owner() != nil {
		v.Load = b.statement(v, name+"Load", t.Load(), of)
	}
	if v.Root || p.Source.Versioning != nil {
		return
	}
	if n := len(p.Source.Key()); p.StartsWithSourceKey() && n < len(t.Key()) {
		v.Ranges = strings.Repeat(`"", `, n-len(t.PartitionKey)) + b.statement(v, name+"DeleteRange", t.DeleteRange(n), of)
	}
}

// selects sets the names of the statements that read.
func (b *viewer) selects(v *tableView, name string, of *model.Struct) {
	v.Select, v.Get = b.statement(v, name+"Select", v.source.Select(), of), b.names.internal(name+"Get", of)
	where := strings.TrimPrefix(v.source.Get(), v.source.Select())
	v.Statements = append(v.Statements, statementView{v.Get, v.Select + " + " + literal(where)})
	if r := v.source.Reversed(); r != "" {
		v.Reversed = literal(r)
	}
}

// statement adds a constant for a statement and returns its name.
func (b *viewer) statement(v *tableView, name, cql string, of *model.Struct) string {
	n := b.names.internal(name, of)
	v.Statements = append(v.Statements, statementView{n, wrapped(cql)})
	return n
}

// codec sets the functions of the table's struct. A redundant aggregate is only read.
func (b *viewer) codec(v *tableView) {
	a := v.source.Aggregate
	var ordered []*model.Attribute
	for _, c := range v.source.Visible() {
		ordered = append(ordered, c.Attribute)
	}
	row, goType := rowObject(a.Struct, ordered), b.imports.structType(a.Struct)
	if v.Root || v.Guarded != nil {
		v.Encode = b.codecs.encodeStruct(row, goType)
		v.Check = b.codecs.check(row, goType)
	}
	if v.Root {
		b.compute(v)
	}
	v.Decode = b.codecs.decodeStruct(row, goType)
}

// keys sets the parameters of a method with the complete key.
func (b *viewer) keys(v *tableView) {
	a := v.source.Aggregate
	names := b.names.parameters(a.Key())
	if v.Versioned != nil {
		v.VersionParam = b.parameter("version", names)
	}
	if v.Counters != nil {
		v.Counters.Param = b.parameter("delta", names)
	}
	v.KnownParam = b.parameter("known", names)
	v.Iter = b.imports.pkg("iter", "iter")
	v.Params, v.Args, v.KeyEncode = b.parameterList(a.Key(), names), strings.Join(names, ", "), b.encodeKey(a.Key(), names, a.Struct)
	b.several(v)
	if v.View {
		return
	}
	v.PartKey, v.SortKey, v.ColumnNames = quoted(v.source.PartitionKey), quoted(v.source.ClusteringKey), quoted(v.source.Visible())
}

// parameter returns the name of a parameter that follows those of a key.
func (b *viewer) parameter(name string, key []string) string {
	for slices.Contains(key, name) || b.imports.taken(name) {
		name += "_"
	}
	return name
}

// quoted returns the names of columns as Go strings.
func quoted(columns []*schema.Column) string {
	var out []string
	for _, n := range schema.Names(columns) {
		out = append(out, strconv.Quote(n))
	}
	return strings.Join(out, ", ")
}

// parameterList returns parameters for attributes.
func (b *viewer) parameterList(in []*model.Attribute, names []string) string {
	var list []string
	for i, a := range in {
		list = append(list, names[i]+" "+b.imports.goType(a.Field.Type))
	}
	return strings.Join(list, ", ")
}

// encodeKey returns the statements that write parameters into k.
func (b *viewer) encodeKey(in []*model.Attribute, names []string, of *model.Struct) (out []string) {
	for i, a := range in {
		out = append(out, b.codecs.encode("k", a.Type, names[i], of))
	}
	return out
}

// document sets the comments of the type and of its methods, after the copies are known.
func (v *tableView) document() {
	a := v.source.Aggregate
	if v.Counters != nil {
		v.documentCounters()
		return
	}
	if v.Guarded != nil {
		v.Doc = v.guardedDoc()
		return
	}
	if !v.Root {
		v.Doc = doc("%s reads %s: one row for every value of %s, written by the writes of %s.", v.Type, v.Name, sourceText(a.Redundancy), a.Redundancy.Source.Struct.Name)
		return
	}
	if v.Versioned != nil {
		v.documentVersioned()
		v.withParts()
		v.Methods.Reconcile = v.reconcileDoc()
		return
	}
	keeps, claimed := "", ""
	if len(v.Copies) > 0 {
		keeps = ", and keeps " + v.copyNames() + " consistent with it"
	}
	if names := v.claimed(); names != "" {
		claimed = "Rows to delete from " + names + " are read first, because another " + v.Struct + " may own them. "
	}
	v.Doc = doc("%s reads and writes %s%s. %s%sWrites return a *mapper.ConstraintError or a *mapper.BatchTooLargeError before "+
		"anything is sent, and a *mapper.UnknownOutcomeError if the outcome is unknown.", v.Type, v.rowsOf(), keeps, v.partsDoc(), claimed)
	v.Methods = v.methodDocs()
	v.documentBatch()
	v.Methods.Reconcile = v.reconcileDoc()
}

func sourceText(r *model.Redundancy) string {
	if r.Path == nil {
		return r.Source.Struct.Name
	}
	return strings.TrimSuffix(r.Path.String(), ".$value")
}

// copyView returns a projection as the descriptor of the runtime.
func copyView(p *schema.Projection, t *tableView) copiesView {
	v := copiesView{Descriptor: t.Descriptor, Name: t.Name, Columns: numbers(p.Columns), Shared: p.Table.Aggregate.Redundancy.Shared, Range: p.StartsWithSourceKey(), Distinct: p.Claimed()}
	for _, o := range p.Ops {
		v.Ops = append(v.Ops, opText(o))
	}
	v.Owned = p.Owner() != nil
	for _, k := range p.SourceKey() {
		v.SourceKey = append(v.SourceKey, fmt.Sprintf("{Column: %d, Field: %d}", k.Column, k.Field))
	}
	if number, columns := p.KeyUnique(); columns != nil {
		v.ByUnique, v.ByColumns = number+1, numbers(columns)
	}
	return v
}

func opText(o schema.Op) string {
	fields := []string{"Code: gen." + o.Code.GoString()}
	if o.Code.Reads() {
		fields = append(fields, fmt.Sprintf("Src: %d", o.Src))
	}
	if o.Fills() > 0 {
		fields = append(fields, fmt.Sprintf("Dst: %d", o.Dst))
	}
	if o.N > 0 {
		fields = append(fields, fmt.Sprintf("N: %d", o.N))
	}
	if o.Args != nil {
		fields = append(fields, "Args: []uint16{"+numbers(o.Args)+"}")
	}
	if o.Values != nil {
		fields = append(fields, fmt.Sprintf("Values: %#v", o.Values))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func numbers[N int | uint16](in []N) string {
	var out []string
	for _, n := range in {
		out = append(out, strconv.Itoa(int(n)))
	}
	return strings.Join(out, ", ")
}

// statementWidth is the maximum length of a line of a statement in the generated file, if it can be broken at a clause or in a
// list.
const statementWidth = 115

// clauses matches the first words of a clause.
var clauses = regexp.MustCompile(` (FROM|VALUES|USING|SET|WHERE|IF) `)

// wrapped returns a statement as a Go expression. A long statement has several lines, which begin with a clause or with an
// element of a list.
func wrapped(s string) string {
	var lines []string
	for len(s) > statementWidth {
		i := breakOf(s)
		if i < 0 {
			break
		}
		lines, s = append(lines, literal(s[:i])), s[i:]
	}
	return strings.Join(append(lines, literal(s)), " +\n\t\t")
}

// breakOf returns the end of the first line of a statement: before the last clause that keeps the line short enough, else
// before an element of a list; -1 for no break.
func breakOf(s string) int {
	at := -1
	for _, m := range clauses.FindAllStringIndex(s[:statementWidth], -1) {
		at = m[0] + 1
	}
	if list := strings.LastIndex(s[:statementWidth], ", ") + 2; at < 0 && list >= 2 {
		at = list
	}
	return at
}

// literal returns a statement as a Go string, raw if possible.
func literal(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// view builds the type of a view: that of a redundant table, with the key of the table and the struct of the view.
func (b *viewer) view(s *schema.View) *tableView {
	name, of := s.Model.Struct.Name, s.Model.Struct
	v := &tableView{
		Name: s.Name, Key: s.Table.KeyText(), Field: name, Struct: b.imports.structType(of), View: true, Base: "Reader",
		Type:       b.names.exported(name+"Table", of),
		Descriptor: b.names.internal(name+"Table", of), Codec: b.names.internal(name+"Codec", of),
		Partition: len(s.PartitionKey), KeyLength: len(s.Key()), source: s.Table, view: s,
	}
	v.Doc = doc("%s reads %s: those columns of %s.", v.Type, name, s.Name)
	b.selects(v, name, of)
	b.viewColumns(v, s)
	b.keys(v)
	b.statics(v, s.Visible(), s.Attribute)
	b.indexes(v)
	if len(s.ClusteringKey) > 0 {
		v.Query = b.query(s.Table, of, name)
		b.each(v)
	}
	b.finders(v)
	return v
}

// viewColumns describes the columns and sets the function that reads them. A field is secret if the column or the field is.
func (b *viewer) viewColumns(v *tableView, s *schema.View) {
	var read []*model.Attribute
	for i, c := range s.Ordered() {
		if c.Attribute == nil {
			v.Hidden, v.Deleted = 1, i
			v.Columns = append(v.Columns, b.describe(c))
			continue
		}
		at := attributeOf(s, c)
		read = append(read, at)
		column := b.describe(c)
		column.Secret = column.Secret || secret(at)
		v.Columns = append(v.Columns, column)
	}
	v.Decode = b.codecs.decodeStruct(rowObject(s.Model.Struct, read), b.imports.structType(s.Model.Struct))
}

// attributeOf returns the attribute that a column is read into. A column without one is hidden.
func attributeOf(v *schema.View, c *schema.Column) *model.Attribute {
	if a := v.Attribute(c); a != nil {
		return a
	}
	return &model.Attribute{Name: c.Name, Type: c.Attribute.Type}
}
