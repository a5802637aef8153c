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

func (b *viewer) table(t *schema.Table) *tableView {
	if t.Derived != nil {
		return b.derived(t)
	}
	a := t.Aggregate
	name := a.Struct.Name // a table has the name of its root, so the name of a part in it is its struct
	if !a.InRootTable {
		name = b.names.goName(t.Name, a.Struct)
	}
	v := &tableView{
		Name: t.Name, Key: keyView{Text: t.KeyText()}, Field: name, Struct: b.imports.structType(a.Struct),
		Type: b.names.exported(name+"Table", a.Struct), Metadata: &metadataView{Name: b.names.exported(name+"Metadata", a.Struct)},
		Descriptor: descriptorView{Name: b.names.internal(name+"Table", a.Struct), value: b.store.Tables[t]},
		Codec:      &codecView{Name: b.names.internal(name+"Codec", a.Struct)}, source: t,
	}
	switch {
	case a.Counter:
		b.counters(v, name)
	case a.IsSource() && (!v.guarded() || len(t.Projections) > 0):
		v.Linked = &aggregateView{Name: b.names.internal(name+"Aggregate", a.Struct), About: aboutCopies(t)}
	}
	if !v.guarded() {
		v.Aggregate = v.Linked
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
	b.updates(v, name)
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

// statements adds the constants of a table's statements. A redundant table has the same: it is written with its source.
func (b *viewer) statements(v *tableView, name string) {
	of, d := v.source.Aggregate.Struct, v.Descriptor.value
	b.statement(v, name+"Insert", d.Insert, of)
	b.statement(v, name+"Delete", d.Delete, of)
	b.statement(v, name+"InsertStatic", d.InsertStatic, of)
	b.selects(v, name, of)
	if d.Load != d.Get {
		b.statement(v, name+"Load", d.Load, of)
	}
	if n := len(d.Ranges); n > 0 {
		b.statement(v, name+"DeleteRange", d.Ranges[n-1], of)
	}
}

// selects adds the statements that read.
func (b *viewer) selects(v *tableView, name string, of *model.Struct) {
	d := v.Descriptor.value
	b.statement(v, name+"Select", d.Select, of)
	from := v.Descriptor.Statements[len(v.Descriptor.Statements)-1].Name
	where := strings.TrimPrefix(d.Get, d.Select)
	v.Descriptor.Statements = append(v.Descriptor.Statements, statementView{b.names.internal(name+"Get", of), from + " + " + quotedCQL(where), d.Get})
}

// updates adds the statements that write a part of a column.
func (b *viewer) updates(v *tableView, name string) {
	for i, c := range v.source.Ordered() {
		if u := v.Descriptor.value.Columns[i].Update; u != "" {
			b.statement(v, name+"Update"+c.Attribute.GoName(), u, v.source.Aggregate.Struct)
		}
	}
}

// statement adds a constant for a statement, unless it is "".
func (b *viewer) statement(v *tableView, name, cql string, of *model.Struct) {
	if cql != "" {
		v.Descriptor.Statements = append(v.Descriptor.Statements, statementView{b.names.internal(name, of), wrapped(cql), cql})
	}
}

// codec sets the functions of the table's struct. A redundant aggregate is only read.
func (b *viewer) codec(v *tableView) {
	a := v.source.Aggregate
	var ordered []*model.Attribute
	for _, c := range v.source.Visible() {
		ordered = append(ordered, c.Attribute)
	}
	row, goType := rowObject(a.Struct, ordered), b.imports.structType(a.Struct)
	if v.Root() || v.Guarded != nil {
		v.Codec.Encode = b.codecs.encodeStruct(row, goType)
		v.Codec.Check = b.codecs.check(row, goType)
	}
	if v.Root() || v.Guarded != nil {
		b.compute(v)
		b.copied(v)
		b.remaining(v)
	}
	v.Codec.Decode = b.codecs.decodeStruct(row, goType)
}

// keys sets the parameters of a method with the complete key.
func (b *viewer) keys(v *tableView) {
	a := v.source.Aggregate
	names := b.names.parameters(a.Key())
	if v.Versioned != nil {
		v.Versioned.Param = b.parameter("version", names)
	}
	if v.Counters != nil {
		v.Counters.Param = b.parameter("delta", names)
	}
	v.Key.Known = b.parameter("known", names)
	v.Iter = b.imports.pkg("iter", "iter")
	v.Key.Params, v.Key.Args, v.Key.Encode = b.parameterList(a.Key(), names), strings.Join(names, ", "), b.encodeKey(a.Key(), names, a.Struct)
	b.several(v)
	if v.view != nil {
		return
	}
	v.Metadata.PartKey, v.Metadata.SortKey, v.Metadata.Columns = quoted(v.source.PartitionKey), quoted(v.source.ClusteringKey), quoted(v.source.Visible())
}

// parameter returns the name of a parameter that follows the parameters of a key.
func (b *viewer) parameter(name string, key []string) string {
	for slices.Contains(key, name) || b.imports.isTaken(name) {
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
	if !v.Root() {
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
	keeps += v.copiedText()
	if names := v.claimed(); names != "" {
		claimed = "Rows to delete from " + names + " are read first, because another " + v.Struct + " may own them. "
	}
	v.Doc = doc("%s reads and writes %s%s. %s%sWrites return a *mapper.ConstraintError or a *mapper.BatchTooLargeError before "+
		"anything is sent, and a *mapper.UnknownOutcomeError if the outcome is unknown.", v.Type, v.rowsName(), keeps, v.partsDoc(), claimed)
	v.Methods = v.methodDocs()
	v.documentBatch()
	v.Methods.Reconcile = v.reconcileDoc()
}

// copiedText describes the fields that are copies of fields of other roots, after a list of what the writes do; "" if there are none.
func (v *tableView) copiedText() string {
	text := ""
	if of := v.copiedFrom(v.source.Aggregate.FinalCopies); of != "" {
		text = ". A write that adds or changes a reference reads its target, and sets " + of
	}
	if of := v.copiedFrom(v.source.Aggregate.Copies); of != "" {
		text += ". Each save reads the targets of its references, and sets " + of
	}
	return text
}

// copiedFrom describes fields that are copies, with their roots.
func (v *tableView) copiedFrom(copies []*model.Copy) string {
	var texts []string
	for _, c := range copies {
		var held []*model.Attribute
		for _, f := range c.Fields {
			held = append(held, f.Held)
		}
		texts = append(texts, copiedFields(held)+" from the "+c.Target.Struct.Name+" of "+copiedFields(c.Reference(v.source.Aggregate)))
	}
	return strings.Join(texts, ", and ")
}

func copiedFields(in []*model.Attribute) string {
	var names []string
	for _, at := range in {
		names = append(names, fieldName(at))
	}
	return list(names)
}

func sourceText(r *model.Redundancy) string {
	if r.Path == nil {
		return r.Source.Struct.Name
	}
	return strings.TrimSuffix(r.Path.String(), ".$value")
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
		i := lineBreak(s)
		if i < 0 {
			break
		}
		lines, s = append(lines, quotedCQL(s[:i])), s[i:]
	}
	return strings.Join(append(lines, quotedCQL(s)), " +\n\t\t")
}

// lineBreak returns the end of the first line of a statement: before the last clause that keeps the line short enough, else
// before an element of a list; -1 for no break.
func lineBreak(s string) int {
	at := -1
	for _, m := range clauses.FindAllStringIndex(s[:statementWidth], -1) {
		at = m[0] + 1
	}
	if list := strings.LastIndex(s[:statementWidth], ", ") + 2; at < 0 && list >= 2 {
		at = list
	}
	return at
}

// quotedCQL returns a statement as a Go string, raw if possible.
func quotedCQL(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// view builds the type of a view: the type of a redundant table, with the key of the table and the struct of the view.
func (b *viewer) view(s *schema.View) *tableView {
	name, of := s.Model.Struct.Name, s.Model.Struct
	v := &tableView{
		Name: s.Name, Key: keyView{Text: s.Table.KeyText()}, Field: name, Struct: b.imports.structType(of),
		Type:       b.names.exported(name+"Table", of),
		Descriptor: descriptorView{Name: b.names.internal(name+"Table", of), value: b.store.Views[s]},
		Codec:      &codecView{Name: b.names.internal(name+"Codec", of)}, source: s.Table, view: s,
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

// viewColumns sets the function that reads the columns.
func (b *viewer) viewColumns(v *tableView, s *schema.View) {
	var read []*model.Attribute
	for _, c := range s.Ordered() {
		if c.Attribute != nil {
			read = append(read, readAttribute(s, c))
		}
	}
	v.Codec.Decode = b.codecs.decodeStruct(rowObject(s.Model.Struct, read), b.imports.structType(s.Model.Struct))
}

// readAttribute returns the attribute that a column is read into. A column without one is hidden.
func readAttribute(v *schema.View, c *schema.Column) *model.Attribute {
	if a := v.Attribute(c); a != nil {
		return a
	}
	return &model.Attribute{Name: c.Name, Type: c.Attribute.Type}
}

// Derived reports whether only the mapper uses the table.
func (v *tableView) Derived() bool { return v.Codec == nil }

// View reports whether the table is some columns of another one.
func (v *tableView) View() bool { return v.view != nil }

// Root reports whether the table has the rows of a root or of a part that is not written with its root.
func (v *tableView) Root() bool { return v.Aggregate != nil }

// Base returns the type of package gen that the type of the table embeds.
func (v *tableView) Base() string {
	switch {
	case v.Versioned != nil:
		return "Versioned"
	case v.Counters != nil:
		return "Counters"
	case v.Root():
		return "Root"
	}
	return "Reader"
}

// RootStruct returns the Go type of the root of a part; "" for any other aggregate.
func (v *tableView) RootStruct() string {
	if root := v.source.Aggregate.Root; root != nil {
		return root.Struct.Name
	}
	return ""
}

// VersionFunc returns the name of the function that assigns versions to the rows of a versioned root; "" for any other table.
func (v *tableView) VersionFunc() string {
	if v.Versioned == nil {
		return ""
	}
	return schema.VersionFunc(v.Name)
}

// remaining sets the function that returns the field for the remaining TTL of a row.
func (b *viewer) remaining(v *tableView) {
	if x := v.source.Aggregate.Remaining; x != nil {
		v.Codec.Remaining = fmt.Sprintf("func(v *%s) *%s { return &v.%s }", v.Struct, b.imports.goType(x.Field.Type), strings.Join(x.Path, "."))
	}
}

// ReferencesFunc returns the name of the function that writes the rows of the reverse tables of a root; "" for a root without checked references.
func (v *tableView) ReferencesFunc() string {
	if v.Versioned == nil || len(v.source.Versioning.References) == 0 {
		return ""
	}
	return schema.ReferencesFunc(v.Name)
}

// copied adds the function that sets the fields that are copies of fields of other roots.
func (b *viewer) copied(v *tableView) {
	s := v.source.Aggregate.Struct
	copies := slices.Concat(v.source.Aggregate.FinalCopies, v.source.Aggregate.Copies)
	if len(copies) == 0 {
		return
	}
	v.Codec.Copy = b.codecs.request("copy "+s.Name, "copy"+b.codecs.structName(s), s, func(name string) Function {
		f := Function{Signature: name + "(to, from *" + b.imports.structType(s) + ")"}
		for _, c := range copies {
			f.Body = append(f.Body, copyStatements(c)...)
		}
		return f
	})
}

// copyStatements returns the statements that set the fields of a copy. A composition can have fields that are not stored, which stay.
func copyStatements(c *model.Copy) (out []string) {
	within := ""
	if c.Association == nil {
		within = strings.Join(c.Attribute.Path, ".") + "."
	}
	for _, x := range c.Fields {
		field := within + strings.Join(x.Held.Path, ".")
		out = append(out, "to."+field+" = from."+field)
	}
	if whole := strings.TrimSuffix(within, "."); whole != "" && c.Attribute.Type.Nullable {
		return wholePointer(whole, c)
	}
	return out
}

// wholePointer returns the statements that set the fields of a copy in a composition that is a pointer: the value that it points to stays.
func wholePointer(whole string, c *model.Copy) []string {
	out := []string{fmt.Sprintf("if to.%[1]s == nil || from.%[1]s == nil {\n\tto.%[1]s = from.%[1]s\n} else {\n\twhole := *to.%[1]s", whole)}
	for _, x := range c.Fields {
		field := strings.Join(x.Held.Path, ".")
		out = append(out, fmt.Sprintf("\twhole.%[2]s = from.%[1]s.%[2]s", whole, field))
	}
	return append(out, fmt.Sprintf("\tto.%s = &whole\n}", whole))
}

// compute adds the function that calls the methods of redundant tables and writes their results after the columns, and the function that
// calls only the methods from which keys of rows derive that are deleted without a read.
func (b *viewer) compute(v *tableView) {
	methods := v.source.Computed
	if len(methods) == 0 {
		return
	}
	s := v.source.Aggregate.Struct
	function := func(kind string, called func(i int) bool) string {
		return b.codecs.request(kind+" "+s.Name, kind+b.codecs.structName(s), s, func(name string) Function {
			f := Function{Signature: name + "(e *gen.Encoder, v *" + b.imports.structType(s) + ")"}
			for i, m := range methods {
				if !called(i) {
					f.Body = append(f.Body, "e.Null()")
					continue
				}
				result := "r" + strconv.Itoa(i) // a variable, because encoding may need its address
				f.Body = append(f.Body, result+" := v."+m.Method().Name+"()", b.codecs.encode("e", m.Type, result, s))
			}
			return f
		})
	}
	v.Codec.Compute = function("compute", func(int) bool { return true })
	if ofKey := v.source.KeyMethods(); ofKey != nil {
		v.Codec.ComputeKey = function("computeKey", func(i int) bool { return ofKey[i] })
	}
}
