package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// becomesChecked reports whether a new table is the reverse table of a root with data, whose references were not checked, or had no copies, before.
func (p *planner) becomesChecked(t *schema.Table) bool {
	owner := p.owner[t]
	return t.Aggregate == nil && owner != nil && p.stored(owner) && executed(owner) &&
		(slices.ContainsFunc(owner.Associations, func(r *model.Association) bool { return r.Table == t.Name }) ||
			slices.ContainsFunc(owner.Copies, func(c *model.Copy) bool { return c.Table == t.Name }))
}

// createUnfilled plans a reverse table with the comment of a table that does not have all rows: while it has this comment, stores refuse to
// delete the targets.
func (p *planner) createUnfilled(t, asWritten *schema.Table) {
	p.unrecorded = append(p.unrecorded, t)
	p.emit(fmt.Sprintf("Until all references of %s are in this table, the roots to which they refer cannot be deleted.", p.owner[t].Table),
		CreateTable{withComment(t, descriptor.UnfilledComment(buckets(t))), withComment(asWritten, descriptor.UnfilledComment(buckets(t)))})
}

// recordUnfilled reports whether a reverse table does not have all rows yet, because a file has created it without the call of the function: the
// plan then has the call.
func (p *planner) recordUnfilled(old, t *schema.Table) bool {
	unfilled := descriptor.IsUnfilled(strings.Trim(catalog.Option(old, "comment"), "'"))
	if unfilled {
		p.unrecorded = append(p.unrecorded, t)
	}
	return unfilled
}

// addCopy remembers the root of a new column that has a copy of a field of another root, or the version of such copies.
func (p *planner) addCopy(t *schema.Table, c *schema.Column) {
	a := t.Aggregate
	if a == nil || !executed(a) || slices.Contains(p.uncopied, a) {
		return
	}
	if slices.ContainsFunc(a.Copies, func(x *model.Copy) bool {
		return c.Name == schema.CopyVersion(x) || c.Attribute != nil && c.Attribute.Copy == x
	}) {
		p.uncopied = append(p.uncopied, a)
	}
}

// withComment returns a reverse table with another comment.
func withComment(t *schema.Table, comment string) *schema.Table {
	out := *t
	out.Properties = slices.Clone(t.Properties)
	for i := range out.Properties {
		if out.Properties[i].Name == "comment" {
			out.Properties[i].Value = model.QuoteText(comment)
		}
	}
	return &out
}

// references plans the calls of the generated functions that write the rows of reverse tables and set copies, and after each the comments of tables
// that have all rows.
func (p *planner) references() {
	for len(p.unrecorded) > 0 {
		owner := p.owner[p.unrecorded[0]]
		var names []string
		var filled []Change
		p.unrecorded = slices.DeleteFunc(p.unrecorded, func(t *schema.Table) bool {
			if p.owner[t] != owner {
				return false
			}
			names = append(names, t.Name)
			filled = append(filled, SetProperties{t.Name, []schema.Property{{Name: "comment", Value: model.QuoteText(descriptor.BucketsComment(buckets(t)))}}})
			return true
		})
		p.uncopied = slices.DeleteFunc(p.uncopied, func(a *model.Aggregate) bool { return a == owner })
		name := schema.ReferencesFunc(owner.Table)
		p.emit(fmt.Sprintf("The references of each row of %s are written to %s. Stop all programs of the earlier release before this\n"+
			"file is applied: they do not write these rows, and delete what others refer to. A rolling deploy is not possible.", owner.Table, strings.Join(names, " and ")), CallFunc{name})
		p.plan.Generated = append(p.plan.Generated, name)
		for _, c := range filled {
			p.emit("", c)
		}
	}
	for _, a := range p.uncopied {
		name := schema.ReferencesFunc(a.Table)
		p.emit(fmt.Sprintf("The copies in each row of %s are set. Stop all programs of the earlier release before this file is applied: they write rows\n"+
			"without these copies, and change what is copied. A rolling deploy is not possible.", a.Table), CallFunc{name})
		p.plan.Generated = append(p.plan.Generated, name)
	}
}
