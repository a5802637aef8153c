package codegen

import (
	"slices"
	"strconv"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// columnView is the descriptor of a column.
type columnView struct {
	Name, CQL, Field, Kind, Type, Cells, Update, Of, Form string
	Fields                                                int
	Desc, Secret                                          bool
}

// describe returns the descriptor of a column that is read.
func (b *viewer) describe(c *schema.Column) columnView {
	return columnView{
		Name: strconv.Quote(c.Name), CQL: strconv.Quote(model.Quote(c.Name)), Field: strconv.Quote(c.Attribute.GoName()), Of: b.of(c.Attribute.Type),
		Kind: "gen." + c.Kind.GoString(), Type: strconv.Quote(c.Type.String()), Cells: cellsOf(c.Type), Desc: c.Kind == schema.ClusteringKey && c.Order == model.Descending,
		Secret: secret(c.Attribute), Fields: c.Fields(), Form: b.formOf(c),
	}
}

func (b *viewer) column(v *tableView, c *schema.Column, table string) columnView {
	out := b.describe(c)
	if u := v.source.Update(c, b.schema); u != "" {
		out.Update = b.statement(v, table+"Update"+c.Attribute.GoName(), u, v.source.Aggregate.Struct)
	}
	return out
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
