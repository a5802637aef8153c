package codegen

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/codegen/describe"
)

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
	b.statement(v, name+"Clear", t.DeletePart(len(t.PartitionKey)), of)
	b.selects(v, name, of)
	var key []*model.Attribute
	for _, d := range t.Aggregate.Discriminators {
		key = append(key, d.Attribute)
	}
	names := b.names.parameters(key)
	g.Params, g.Encode = b.parameterList(key, names), b.encodeKey(key, names, of)
	v.Guarded = g
}

// guardedDoc returns the comment of the type of a part of a versioned root.
func (v *tableView) guardedDoc() string {
	return doc("%s reads the rows of %s. Each row is a part of the %s with its identifier, and is written with it: in the function of Update of Store.%s, by its "+
		"InsertWith, and by its Delete. Rows of a deleted %s are not returned.", v.Type, v.Name, v.RootStruct(), v.Guarded.Root, v.RootStruct())
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
	v.Methods.Delete = doc("%s It deletes all rows of its parts in the same write.", trim(v.Methods.Delete))
	v.Methods.DeleteAt = doc("%s It deletes all rows of its parts in the same write.", trim(v.Methods.DeleteAt))
	v.Methods.InsertWith = doc("InsertWith is like Insert. It writes rows of a part in the same conditional batch.")
}
