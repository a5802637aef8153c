package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/describe"
)

// part adds a part to the table of its root.
func (v *view) part(root, part *tableView) {
	p := partView{
		Field: part.Field, Method: "GetWith" + part.Field, Struct: part.Struct, Codec: part.Codec.Name,
		Separate: part.Name != root.Name, Copied: len(part.Copies) > 0,
	}
	if part.Linked != nil {
		p.Aggregate = part.Linked.Name
	}
	between := "another write can come in between"
	if root.Versioned != nil {
		between = "if another save comes in between, it starts over, and it returns mapper.ErrConflict if the time of the call ends first"
	}
	p.Doc = doc("%s reads one %s and all rows of its part %s, in two requests: %s. It returns mapper.ErrNotFound if there is no %s. "+
		"Read a large part page by page, with Of.", p.Method, root.Struct, part.Struct, between, root.Struct)
	root.Parts = append(root.Parts, p)
}

// rowsName returns the name of the rows that a type reads and writes: the table, or the part or the root in a shared table.
func (v *tableView) rowsName() string {
	switch {
	case v.source.Aggregate.InRootTable:
		return "the rows of " + v.Name
	case v.source.Statics:
		return "the static columns of " + v.Name
	}
	return v.Name
}

// partsDoc returns the sentence of a comment that says how parts belong to a root; "" for an aggregate without parts.
func (v *tableView) partsDoc() string {
	if v.RootStruct() != "" {
		return "Each row is a part of the " + v.RootStruct() + " with its identifier. Writes do not look for that " + v.RootStruct() + ", and its Delete deletes the rows. "
	}
	var fields []string
	for _, p := range v.Parts {
		fields = append(fields, "Store."+p.Field)
	}
	if fields == nil {
		return ""
	}
	return "Its parts are read and written separately, by " + list(fields) + ", and deleted with it. "
}

// deletePartsDoc returns the sentences of the comment of Delete that describe the parts; "" for an aggregate without parts.
func (v *tableView) deletePartsDoc() string {
	var all, paged []string
	for _, p := range v.Parts {
		if p.Copied {
			paged = append(paged, "Store."+p.Field)
		} else {
			all = append(all, "Store."+p.Field)
		}
	}
	text := ""
	if all != nil {
		text = " The same write deletes its rows in " + list(all) + ", whatever their number."
	}
	if paged != nil {
		text += " Before that, it reads its rows in " + list(paged) + ", page by page, and deletes those of a page and their copies as logged batches; if it fails " +
			"in the middle, a repeated call deletes the rest."
	}
	return text
}

// SeparateParts returns the parts whose rows are deleted by a statement of their own.
func (v *tableView) SeparateParts() (out []partView) {
	for _, p := range v.Parts {
		if p.Separate {
			out = append(out, p)
		}
	}
	return out
}

// CopiedParts returns the parts with redundant tables.
func (v *tableView) CopiedParts() (out []partView) {
	for _, p := range v.Parts {
		if p.Copied {
			out = append(out, p)
		}
	}
	return out
}

// whole describes a table with the rows of a root and of its part: the columns that the server has.
func (b *viewer) whole(t *schema.Table) *tableView {
	of := t.Aggregate.Struct
	v := &tableView{
		Name: t.Name, Key: keyView{Text: t.KeyText()}, Struct: of.Name,
		Descriptor: descriptorView{Name: b.names.internal(b.names.goName(t.Name, of)+"Whole", of), value: b.store.Tables[t]}, source: t,
	}
	b.indexes(v)
	return v
}

// guarded reports whether the table has the rows of a part of a versioned root.
func (v *tableView) guarded() bool {
	return describe.IsGuarded(v.source)
}

// guarded sets the statements and the key of a part of a versioned root.
func (b *viewer) guarded(v *tableView, name string) {
	t, of := v.source, v.source.Aggregate.Struct
	g := &guardedView{Type: b.names.exported(name+"Parts", of)}
	b.statement(v, name+"Put", t.PutPart(), of)
	b.statement(v, name+"Change", t.ChangePart(), of)
	b.statement(v, name+"Delete", t.DeletePart(len(t.Key())), of)
	if head := t.PutHead(); t.HasHead() && head != t.PutPart() {
		b.statement(v, name+"Head", head, of)
	}
	b.statement(v, name+"Clear", t.DeletePart(len(t.PartitionKey)), of)
	b.selects(v, name, of)
	var key []*model.Attribute
	for _, d := range t.Aggregate.Discriminators {
		key = append(key, d.Attribute)
	}
	names := b.names.parameters(key)
	g.Params, g.Encode = b.parameterList(key, names), b.encodeKey(key, names, of)
	g.States = b.ranges(t, g.Type)
	v.Guarded = g
}

// ranges returns the types that select the rows of a part of a versioned root, to delete them. The first one cannot delete: the deletion of
// a whole partition would also delete the columns of the root that only a newer program knows.
func (b *viewer) ranges(t *schema.Table, name string) []*stateView {
	plain := "gen.PartRows[" + b.imports.structType(t.Aggregate.Struct) + "]"
	states, _ := b.steps(t, t.Aggregate.Struct, name, plain, partRows)
	first := *states[0]
	first.Methods = slices.Clone(first.Methods)
	for _, s := range states[1:] { // the methods of the types that it would embed
		if s.Type == first.Embedded {
			first.Methods, first.Embedded = append(first.Methods, s.Methods...), s.Embedded
		}
	}
	first.Embedded = "rows " + plain
	for i := range first.Methods {
		first.Methods[i].Call = strings.Replace(first.Methods[i].Call, "(q."+partRows.field+", ", "(q.rows, ", 1)
	}
	states[0] = &first
	return states
}

// partsWith sets the method that reads rows of the part of a versioned root together with the root.
func (b *viewer) partsWith(root *tableView) {
	part := root.Versioned.Part
	of := part.source.Aggregate.Struct
	w := &withView{Method: "OfWith" + part.Field, Table: b.names.internal(root.Field+"With"+part.Field+"Table", of), descriptor: b.store.Joins[root.source]}
	states, first := b.steps(part.source, of, root.Field+"With"+part.Field, "gen.PartsWith["+root.Struct+", "+part.Struct+"]", partsWith)
	w.States, w.Type = states, first.name
	w.Rows = first.value("gen.WhereWith(t.Versioned, " + w.Table + ", " + part.Codec.Name + ", t.key(" + root.Key.Args + "))")
	w.Doc = doc("%s reads rows of the part %s of one %s, page by page, in the order of %s. One request reads a page and the %s, as one save left both. A page without rows "+
		"takes two more requests.", w.Method, part.Struct, root.Struct, strings.Join(schema.Names(part.source.Discriminators()), ", "), root.Struct)
	root.Versioned.With = w
}

// guardedDoc returns the comment of the type of a part of a versioned root.
func (v *tableView) guardedDoc() string {
	return doc("%s reads the rows of %s. Each row is a part of the %s with its identifier, and is written with it: in the function of Update of Store.%s, by its "+
		"InsertWith, and by its Delete%s. Rows of a deleted %s are not returned.", v.Type, v.Name, v.RootStruct(), v.Guarded.Root, v.keptDoc(), v.RootStruct())
}

// keptDoc returns the end of a sentence about the redundant tables of a part; "" without any.
func (v *tableView) keptDoc() string {
	if len(v.Copies) == 0 {
		return ""
	}
	return ", which keep " + v.copyNames() + " consistent with it"
}

// GuardedDoc returns the comment of the type that writes the rows of the part.
func (v *tableView) GuardedDoc() string {
	return doc("%s reads and writes the rows of one %s, in the function of its Update.", v.Guarded.Type, v.RootStruct())
}

// partNames returns the fields of the store for the parts of a root.
func (v *tableView) partNames() string {
	var fields []string
	for _, p := range v.Parts {
		fields = append(fields, "Store."+p.Field)
	}
	return list(fields)
}

// withParts adds sentences about the parts to the comments of a versioned root.
func (v *tableView) withParts() {
	p := v.Versioned.Part
	if p == nil {
		return
	}
	trim := func(doc string) string { return strings.ReplaceAll(strings.TrimPrefix(doc, "// "), "\n// ", " ") }
	v.Doc = doc("%s Its parts are read by %s, and written with it.", trim(v.Doc), v.partNames())
	v.Methods.Update = doc("%s The function reads and writes the parts of the %s, too: they are saved with it in one conditional batch. If a row of a part that must "+
		"not exist exists, Update returns mapper.ErrExists, and mapper.ErrNotFound for one that must exist. Errors in the values of parts are returned "+
		"before anything is written.", trim(v.Methods.Update), v.Struct)
	v.Methods.Upsert = doc("%s The function writes rows of parts, too. Without a row of the %s there are none.", trim(v.Methods.Upsert), v.Struct)
	deletes := "It deletes all rows of its parts in the same write."
	if len(p.Copies) > 0 {
		deletes = fmt.Sprintf("Then it deletes the rows of its parts in %s page by page, and last the parts, which no method returns any more. If that fails, the %s is "+
			"deleted: repeat Delete.", p.copyNames(), v.Struct)
	}
	v.Methods.Delete, v.Methods.DeleteAt = doc("%s %s", trim(v.Methods.Delete), deletes), doc("%s %s", trim(v.Methods.DeleteAt), deletes)
	v.Methods.InsertWith = doc("InsertWith is like Insert. It writes rows of a part in the same conditional batch.")
}
