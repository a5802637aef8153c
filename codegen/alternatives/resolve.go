package alternatives

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Resolve returns the relationship of the model that a name means, which has its field or else its two sides. So Customer.Vehicles is the relationship of
// Customer and Vehicle also in a design that declares it as Vehicle.CustomerID. If the elements are parts, they are the result instead, since parts have no field.
func Resolve(m *model.Model, name string) (relationship string, part *model.Aggregate) {
	names := Names(m)
	if slices.Contains(names, name) {
		return name, nil
	}
	var found []string
	for _, n := range names {
		if r, err := Find(m, n, nil); err == nil && sidesName(r.Root.Struct, r.Element.Struct) == name {
			found = append(found, n)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return "", findPart(m, name)
}

// sidesName returns the name of a relationship by its sides.
func sidesName(root, element string) string { return root + "." + plural(element) }

// findPart returns the part with a name, or nil.
func findPart(m *model.Model, name string) *model.Aggregate {
	for _, a := range m.Aggregates {
		if a.Root != nil && PartName(a) == name {
			return a
		}
	}
	return nil
}

// PartName returns the name of the relationship of a part and its root: Customer.Vehicles.
func PartName(part *model.Aggregate) string {
	return sidesName(part.Root.Struct.Name, part.Struct.Name)
}
