package query

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// ordered reports an order that the table does not have.
func (r *request) ordered() *shortfall {
	key := slices.DeleteFunc(slices.Clone(r.table.Discriminators()), func(c *schema.Column) bool { return r.restriction(c, syntax.Equal) != nil })
	rest := r.sorting()
	for i, o := range rest {
		if i >= len(key) || key[i] != o.Column || r.reversed(o) != r.reversed(rest[0]) {
			return &shortfall{o.at, RuleOrder, fmt.Sprintf("%s has the order of %s, and its reverse", r.table.Name, r.table.KeyText()), ""}
		}
	}
	return nil
}

// sorting returns the columns of ORDER BY that do not have one value.
func (r *request) sorting() []ordering {
	return slices.DeleteFunc(slices.Clone(r.order), func(o ordering) bool { return r.restriction(o.Column, syntax.Equal) != nil })
}

// reversed reports whether a column is sorted in the reverse order of the table.
func (r *request) reversed(o ordering) bool { return o.descending != (o.Order == model.Descending) }

func (w *writer) reverse() string {
	if rest := w.sorting(); len(rest) > 0 && w.reversed(rest[0]) {
		return ".Reverse()"
	}
	return ""
}
