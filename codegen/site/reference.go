package site

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// referenceView is a reference between two aggregates.
type referenceView struct {
	Aggregate ref
	Field     string
	Methods   []string
	No        string
}

// references returns the references of an aggregate to roots, and the references of others to it.
func (b *builder) references(a *model.Aggregate, t *schema.Table) (out, in []referenceView) {
	for _, r := range t.References() {
		v := referenceView{Aggregate: b.aggregate(r.Target), No: text(r.No)}
		if r.Fields[0] != nil {
			v.Field = text(r.Field())
		}
		if v.No == "" {
			v.Methods = append(v.Methods, r.FollowMethod())
			if all := r.FollowAllMethod(); all != "" {
				v.Methods = append(v.Methods, all)
			}
		}
		out = append(out, v)
	}
	if !a.IsSource() {
		return out, nil
	}
	for _, r := range b.Schema.Referring(t) {
		v := referenceView{Aggregate: b.aggregate(r.From.Aggregate), Field: text(r.Reference.Field()), No: text(r.No)}
		if v.No == "" {
			v.Methods = []string{r.Method()}
		}
		in = append(in, v)
	}
	return out, in
}
