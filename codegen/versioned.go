package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/describe"
)

// versioned sets the statements of a versioned root, which is written only by conditional statements.
func (b *viewer) versioned(v *tableView, name string) {
	t, of := v.source, v.source.Aggregate.Struct
	d := b.store.Aggregates[t].Versioning
	b.statement(v, name+"Insert", d.Insert, of)
	b.statement(v, name+"Save", d.Save, of)
	b.statement(v, name+"Change", d.Change, of)
	b.statement(v, name+"Values", d.Values, of)
	b.selects(v, name, of)
	s := &versionedView{Field: fmt.Sprintf("func(v *%s) *int64 { return &%s }", v.Struct, fieldText(t.Aggregate.Version))}
	if b.schema.Part(t) != nil {
		s.Parts = b.names.exported(of.Name+"Parts", of)
	}
	v.Versioned = s
}

// derived describes a table that only the mapper uses, for done-markers or reservations.
func (b *viewer) derived(t *schema.Table) *tableView {
	of := t.Derived.Struct
	name := b.names.goName(t.Name, of)
	v := &tableView{
		Name: t.Name, Key: keyView{Text: t.KeyText()}, Field: name, Struct: of.Name,
		Descriptor: descriptorView{Name: b.names.internal(name+"Table", of), value: b.store.Tables[t]}, source: t,
	}
	b.selects(v, name, of)
	return v
}

// linkVersioned sets the derived tables of a versioned root, and their statements.
func (b *viewer) linkVersioned(v *tableView, tables []*tableView) {
	find := func(t *schema.Table) *tableView {
		return tables[slices.IndexFunc(tables, func(x *tableView) bool { return x.source == t })]
	}
	if p := b.schema.Part(v.source); p != nil {
		v.Versioned.Part = find(p)
		v.Versioned.Part.Guarded.Root = v.Field
	}
	of, d := v.source.Aggregate.Struct, b.store.Aggregates[v.source].Versioning
	if done := v.source.Versioning.Done; done != nil {
		x := find(done)
		b.statement(x, x.Field+"Insert", d.Done.Insert, of)
	}
	if o := v.source.Versioning.Outboxes; o != nil && o.Derived == v.source.Aggregate {
		x := find(o)
		b.statement(x, x.Field+"Insert", b.store.Tables[o].Insert, of)
		b.statement(x, x.Field+"Delete", b.store.Tables[o].Delete, of)
	}
	v.holders = b.schema.Holders(v.source)
	for _, r := range v.source.Versioning.References {
		x := find(r.Table)
		b.statement(x, x.Field+"Insert", b.store.Tables[r.Table].Insert, of)
		b.statement(x, x.Field+"Delete", b.store.Tables[r.Table].Delete, of)
	}
	for i, u := range v.source.Versioning.Uniques {
		x := find(u.Table)
		b.statement(x, x.Field+"Insert", d.Uniques[i].Insert, of)
		b.statement(x, x.Field+"Update", d.Uniques[i].Update, of)
		v.Versioned.Uniques = append(v.Versioned.Uniques, uniqueView{d.Uniques[i].Field, b.getBy(v, u)})
	}
}

// documentVersioned sets the comments of the type and of the methods of a versioned root, after the copies are known.
func (v *tableView) documentVersioned() {
	copies, after, changed := "", "", ""
	if len(v.Copies) > 0 {
		copies = ", and keeps " + v.copyNames() + " consistent with it"
		after = ", then its rows in " + v.copyNames() + " as a logged batch"
		changed = ", then what changed in " + v.copyNames() + " as a logged batch"
	}
	unique, reads := "", "It does not read the row: all fields of old must be as they were read with its version."
	if n := len(v.Versioned.Uniques); n > 0 {
		reads = "All fields of old must be as they were read with its version: it reads the row only if new has a unique value that old does not have."
		var fields []string
		for _, u := range v.Versioned.Uniques {
			fields = append(fields, u.Field)
		}
		unique = "If another " + v.Struct + " has one of the unique values of " + list(fields) + ", a write returns a *mapper.DuplicateError. If another " +
			"write has claimed one and has not ended, a write waits for it, and returns mapper.ErrBusy if the time of the call ends first. "
	}
	copies += v.copiedText()
	v.Doc = doc("%s reads and writes %s%s. Each write is one conditional statement on the row, which is refused if another write has changed the row since "+
		"it was read. %sWrites return "+
		"a *mapper.ConstraintError for a value that violates a rule of the model and a *mapper.BatchTooLargeError for one that is too large, before anything is sent, "+
		"and a *mapper.UnknownOutcomeError if the outcome is unknown.", v.Type, v.Name, copies, unique)
	field := fieldName(v.source.Aggregate.Version)
	v.Methods = methodDocs{
		Insert: doc("Insert writes v%s, and sets v.%s. It returns mapper.ErrExists if there is a row with its identifier.", after, field),
		InsertOrGet: doc("InsertOrGet is like Insert, but if there is a row with the identifier of v, it returns the %s of that row, as the refused statement has "+
			"found it, and writes nothing. If v was inserted, found is nil.", v.Struct),
		Put: doc("Put reads the row and writes v%s, and sets v.%s. If v.%s is 0, it writes v whether or not the row exists and whatever its version is, and starts "+
			"over if another write comes in between. Otherwise it returns mapper.ErrConflict if the row has another version or does not exist.", after, field, field),
		Update: doc("Update reads one %s, calls change with it and writes the result%s. If another write comes in between, it starts over: change can be called several "+
			"times, and must have no other effects. If change returns an error, Update returns it and writes nothing. It returns mapper.ErrNotFound if there is no row.",
			v.Struct, changed),
		Upsert: doc("Upsert is like Update, but the row need not exist: without one it calls change with a new %s that has only its identifier, and false, and inserts "+
			"the result. If another write inserts the row in between, it calls change again, with the row and true.", v.Struct),
		Change: doc("Change writes new%s, if the row still has the version of old, and sets new.%s. %s It returns mapper.ErrConflict "+
			"if the row has another version, and mapper.ErrKeyChanged if the identifiers differ.", changed, field, reads),
		Delete: doc("Delete deletes one %s%s, whatever its version is. It is not an error if the row does not exist.", v.Struct, v.deletedCopies()),
		DeleteAt: doc("DeleteAt deletes one %s%s, if it has the given version. It returns mapper.ErrConflict if the row has another version%s.",
			v.Struct, v.deletedCopies(), v.missingAt()),
	}
}

// missingAt describes the error of DeleteAt without a row.
func (v *tableView) missingAt() string {
	if v.source.IsLease() {
		return ", and mapper.ErrNotFound if it has expired or does not exist"
	}
	return " or does not exist"
}

func fieldName(a *model.Attribute) string { return strings.Join(a.Path, ".") }

// deletedCopies describes the rows of copies that a delete deletes.
func (v *tableView) deletedCopies() string {
	var names []string
	for _, c := range v.Copies {
		if !c.Shared {
			names = append(names, c.Name)
		}
	}
	if names == nil {
		return ""
	}
	return ", then its rows in " + list(names) + " as a logged batch"
}

// getBy returns the method that reads the root of a table by unique values.
func (b *viewer) getBy(v *tableView, u *schema.Unique) getByView {
	of := v.source.Aggregate.Struct
	x := getByView{Method: u.Method()}
	b.names.distinct(of, v.Type, v.methods(), x.Method)
	fields := describe.Paths(u.Model)
	var params []string
	for i, name := range b.names.parameterNames(fieldNames(u.Model)) {
		t := notNull(u.Model.Paths[i].Steps[len(u.Model.Paths[i].Steps)-1].Type)
		params = append(params, name+" "+b.imports.goType(t.Go))
		x.Encode = append(x.Encode, b.codecs.encode("k", t, name, of))
	}
	x.Params = strings.Join(params, ", ")
	this, its, has, is := "this unique value", "its", "it", "it is"
	if len(fields) > 1 {
		this, its, has, is = "these unique values", "their", "them", "one of them is"
	}
	x.Doc = doc("%s reads one %s by %s: first the reservation of %s, then the row of %s owner. It returns mapper.ErrNotFound if no %[2]s has %[6]s, "+
		"and a *mapper.ConstraintError if %[7]s null or empty.", x.Method, v.Struct, list(fields), this, its, has, is)
	return x
}

// fieldNames returns the name of the field of each unique value, or its whole path if two fields have the same name.
func fieldNames(u *model.Unique) []string {
	var last []string
	for _, p := range u.Paths {
		last = append(last, p.Steps[len(p.Steps)-1].GoName())
	}
	out := slices.Clone(last)
	for i, path := range describe.Paths(u) {
		if slices.Contains(last[:i], last[i]) || slices.Contains(last[i+1:], last[i]) {
			out[i] = strings.ReplaceAll(path, ".", "")
		}
	}
	return out
}
