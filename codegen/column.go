package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// columnView is the descriptor of a column.
type columnView struct {
	Name, CQL, Field, Kind, Type, Cells, Update, Of, Form string
	Fields                                                int
	Assign                                                string // "home.city = ?", …
	Enum                                                  string // {Name: "Pending", Value: "pending"}, …
	Desc, Secret, Final                                   bool
}

// describe returns the descriptor of a column that is read.
func (b *viewer) describe(c *schema.Column) columnView {
	v := columnView{
		Name: strconv.Quote(c.Name), CQL: strconv.Quote(model.Quote(c.Name)), Kind: "gen." + c.Kind.GoString(), Type: strconv.Quote(c.Type.String()), Cells: cellsOf(c.Type),
		Desc: c.Kind == schema.ClusteringKey && c.Order == model.Descending,
	}
	if a := cmp.Or(c.Attribute, c.From); a != nil {
		v.Field, v.Of, v.Secret, v.Fields, v.Form = strconv.Quote(a.GoName()), b.of(a.Type), secret(a), c.Fields(), b.formOf(c, a)
	}
	return v
}

func (b *viewer) column(v *tableView, c *schema.Column, table string) columnView {
	out := b.describe(c)
	if a := c.Attribute; a != nil && (v.Root || v.Guarded != nil) {
		out.Final, out.Enum = a.Fixed, enumText(a)
	}
	if u := v.source.Update(c, b.schema); u != "" && v.source.Versioning == nil && v.Guarded == nil {
		out.Update = b.statement(v, table+"Update"+c.Attribute.GoName(), u, v.source.Aggregate.Struct)
		out.Assign = quotedTexts(v.source.Assign(c, b.schema))
	}
	return out
}

// quotedTexts returns texts as Go values.
func quotedTexts(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = strconv.Quote(t)
	}
	return strings.Join(out, ", ")
}

// enumText returns the constants that a column can have, as Go values; "" for any value.
func enumText(a *model.Attribute) string {
	if !a.Enum {
		return ""
	}
	var out []string
	for _, c := range a.Type.Go.Constants {
		out = append(out, fmt.Sprintf("{Name: %q, Value: %q}", c.Name, schema.Constant(a.Type, c)))
	}
	return strings.Join(out, ", ")
}

// secret reports whether a value, or a value inside it, must never be printed.
func secret(a *model.Attribute) bool {
	var in func(t *model.Type) bool
	in = func(t *model.Type) bool {
		switch {
		case t == nil:
			return false
		case t.Object != nil:
			return slices.ContainsFunc(t.Object.Attributes, secret)
		}
		return in(t.Elem) || in(t.Key)
	}
	return a.Secret || in(a.Type)
}

// cellsOf returns the kind of a column of several cells; "" for one cell.
func cellsOf(t *schema.Type) string {
	if !t.MultiCell() {
		return ""
	}
	return "gen." + t.Cells().GoString()
}
