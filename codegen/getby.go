package codegen

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/describe"
)

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
