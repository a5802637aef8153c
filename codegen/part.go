package codegen

import (
	"github.com/cassaml/cassaml/aml/schema"
)

// part adds a part to the table of its root.
func (v *view) part(root, part *tableView) {
	p := partView{
		Field: part.Field, Method: "GetWith" + part.Field, Struct: part.Struct, Codec: part.Codec.Name,
		Separate: part.Name != root.Name, Copied: len(part.Copies) > 0,
	}
	if part.Root() {
		p.Aggregate = part.Aggregate.Name
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
