package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// keyset is a restriction that compares all clustering columns from one on with values: (a, b) > (?, ?).
type keyset struct {
	*syntax.Relation
	columns []*schema.Column
	method  string // After
}

// newKeyset returns the keyset restriction of a relation, or nil if it is none. If a relation compares several columns in another way, fix
// names the method that compares columns from the first of them on; "" for none.
func newKeyset(r *syntax.Relation, of source) (k *keyset, fix string) {
	key := of.table.Discriminators()
	first := slices.IndexFunc(key, func(c *schema.Column) bool {
		return slices.ContainsFunc(r.Columns, func(n syntax.Name) bool { return of.column(n) == c })
	})
	if len(r.Columns) < 2 || r.Token || first < 0 {
		return nil, ""
	}
	for _, method := range of.table.KeysetMethods(first) {
		if schema.KeysetOperator(method) != string(r.Operator) {
			continue
		}
		if !slices.EqualFunc(r.Columns, key[first:], func(n syntax.Name, c *schema.Column) bool { return of.column(n) == c }) {
			return nil, fmt.Sprintf("compare (%s), which %s of a query with s.%s.Of does", names(key[first:]), method, of.field)
		}
		if v := r.Values[0]; v.Kind == syntax.Marker && v.Text == "" || v.Kind == syntax.Tuple && len(v.Of) == len(r.Columns) {
			return &keyset{r, key[first:], method}, ""
		}
		return nil, fmt.Sprintf("write (%s) after %s, for %s of a query with s.%s.Of", strings.TrimSuffix(strings.Repeat("?, ", len(r.Columns)), ", "), r.Operator, method, of.field)
	}
	return nil, ""
}

// lower reports whether the rows are after the values, in the order of the values.
func (k *keyset) lower() bool { return k.Operator == syntax.AtLeast || k.Operator == syntax.More }

// value returns the value that a column is compared with.
func (k *keyset) value(i int) syntax.Value {
	if v := k.Values[0]; v.Kind == syntax.Tuple {
		return v.Of[i]
	}
	return k.Values[0]
}

// comparable reports why the keyset restrictions of a request cannot be combined with the others.
func (r *request) comparable() *shortfall {
	for i := range r.keysets {
		k := &r.keysets[i]
		for _, c := range r.table.Discriminators() {
			switch at := slices.IndexFunc(r.where, func(w restriction) bool { return w.Column == c }); {
			case slices.Contains(k.columns, c) && at >= 0:
				return &shortfall{r.where[at].Relation.From, RuleNoMethod, fmt.Sprintf("%s is restricted alone, and with the other columns of (%s)", c.Name, names(k.columns)),
					fmt.Sprintf("compare (%s) in both restrictions: From or After for the lower bound, and To or Before for the upper one", names(k.columns))}
			case !slices.Contains(k.columns, c) && r.restriction(c, syntax.Equal) == nil:
				return &shortfall{k.From, RuleKey, fmt.Sprintf("(%s) is restricted, but %s, which is before it in the key of %s %s, has no value", names(k.columns), c.Name, r.table.Name, r.table.KeyText()), ""}
			}
		}
		for _, other := range r.keysets[:i] {
			if other.lower() == k.lower() || len(other.columns) != len(k.columns) {
				return &shortfall{k.From, RuleNoMethod, "the two restrictions of several columns have no methods of one query", "keep a lower and an upper bound of the same columns"}
			}
		}
	}
	return nil
}

// compared returns the methods that compare all clustering columns from one on, the lower bound first.
func (w *writer) compared() (text string) {
	for i := range w.keysets {
		k := &w.keysets[i]
		var arguments []string
		for at, c := range k.columns {
			suffix := ""
			if len(w.keysets) > 1 {
				suffix = k.method
			}
			arguments = append(arguments, w.compare(c, suffix, k.value(at)))
		}
		if call := "." + k.method + "(" + strings.Join(arguments, ", ") + ")"; k.lower() {
			text = call + text
		} else {
			text += call
		}
	}
	return text
}
