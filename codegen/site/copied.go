package site

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// copies returns all copies of fields of other roots in an aggregate.
func copies(a *model.Aggregate) []*model.Copy { return slices.Concat(a.Copies, a.FinalCopies) }

// holder returns the attribute of an aggregate that has a copied field: the field itself, or the composition that contains it.
func holder(c *model.Copy, f model.CopiedField) *model.Attribute {
	if c.Association == nil {
		return c.Attribute
	}
	return f.Held
}

// copied returns the fields of other roots that an attribute of an aggregate copies.
func (b *builder) copied(a *model.Aggregate, at *model.Attribute) (out []ref) {
	for _, c := range copies(a) {
		for _, f := range c.Fields {
			if holder(c, f) == at {
				out = append(out, b.path(&model.Path{Source: c.Target, Steps: []*model.Attribute{f.From}, Loop: -1}))
			}
		}
	}
	return out
}

// copiedTo returns the columns of other roots that copy an attribute of a root.
func (b *builder) copiedTo(at *model.Attribute) (out []ref) {
	for _, a := range b.Aggregates {
		for _, c := range copies(a) {
			for _, f := range c.Fields {
				if f.From == at {
					out = append(out, b.holding(b.Schema.Table(a), holder(c, f))...)
				}
			}
		}
	}
	return out
}

// holding returns the column of an attribute; nil if the table does not have one.
func (b *builder) holding(t *schema.Table, at *model.Attribute) []ref {
	i := slices.IndexFunc(t.Columns, func(c *schema.Column) bool { return c.Attribute == at })
	if i < 0 {
		return nil
	}
	return []ref{b.column(t, t.Columns[i])}
}
