package schema

import (
	"slices"
	"strings"
)

// keysetOperators are the methods that compare several clustering columns with values, with their operators.
var keysetOperators = []struct{ method, operator string }{{"From", ">="}, {"After", ">"}, {"To", "<="}, {"Before", "<"}}

// KeysetOperator returns the operator of a method that compares several clustering columns with values: After is >.
func KeysetOperator(method string) string {
	for _, k := range keysetOperators {
		if k.method == method {
			return k.operator
		}
	}
	return ""
}

// KeysetMethods returns the methods of a query that compare all clustering columns from one of them on with values. A single column has
// methods with its name instead.
func (t *Table) KeysetMethods(first int) (names []string) {
	if len(t.Discriminators())-first < 2 || t.mixedOrder(first) {
		return nil
	}
	for _, k := range keysetOperators {
		if !t.isDiscriminator(k.method) {
			names = append(names, k.method)
		}
	}
	return names
}

// NoKeyset returns which of the methods that compare all clustering columns with values do not exist, and why; "" if all of them do, or if
// there are not several clustering columns.
func (t *Table) NoKeyset() (methods, why string) {
	if len(t.Discriminators()) < 2 {
		return "", ""
	}
	var names []string
	mixed := t.mixedOrder(0)
	for _, k := range keysetOperators {
		if mixed || t.isDiscriminator(k.method) {
			names = append(names, k.method)
		}
	}
	switch columns := strings.Join(Names(t.Discriminators()), ", "); {
	case len(names) == 0:
		return "", ""
	case mixed:
		return strings.Join(names, ", "), columns + " have different orders, so the rows on one side of their values are not contiguous in a partition"
	}
	return strings.Join(names, ", "), "a discriminator has a method with this name"
}

// mixedOrder reports whether the clustering columns from one of them on have different orders.
func (t *Table) mixedOrder(first int) bool {
	return slices.ContainsFunc(t.Discriminators()[first:], func(c *Column) bool { return c.Order != t.Discriminators()[first].Order })
}

// isDiscriminator reports whether a discriminator has a Go name.
func (t *Table) isDiscriminator(name string) bool {
	return slices.ContainsFunc(t.Discriminators(), func(c *Column) bool { return c.Attribute.GoName() == name })
}
