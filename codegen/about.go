package codegen

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// aboutCopies returns a comment for each redundant table of a root, which the steps of its program are hard to read without: which rows it has, and
// where the value of each column is from.
func aboutCopies(t *schema.Table) (out []string) {
	for _, p := range t.Projections {
		r := p.Table.Aggregate.Redundancy
		text := "In " + p.Table.Name + ": one row"
		if r.Path != nil {
			text = "In " + p.Table.Name + ": a row for each element of " + strings.TrimSuffix(r.Path.String(), ".$value")
		}
		if when := r.Condition(); when != "" {
			text += ", only while " + when + " holds"
		}
		var columns []string
		for _, c := range p.Table.Ordered() {
			columns = append(columns, c.Name+" is "+originText(c.Attribute.Origin))
		}
		out = append(out, doc("%s. %s.", text, strings.Join(columns, ", ")))
	}
	return out
}

// originText returns the paths of a value of a redundant aggregate, without the struct of the root: Vehicles.Plate, {ID, Name}.
func originText(o *model.Origin) string {
	if o.Object == nil {
		_, fields, _ := strings.Cut(o.Path.String(), ".")
		return fields
	}
	var fields []string
	for _, f := range o.Fields {
		if f != nil {
			fields = append(fields, originText(f))
		}
	}
	return "{" + strings.Join(slices.Compact(fields), ", ") + "}"
}
