package alternatives

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Resolve returns the relationship of the model that a name means, which has its field or else its two sides. So Customer.Vehicles is the relationship of
// Customer and Vehicle also in a design that declares it as Vehicle.CustomerID. If the design has no field that names it, the result is the reason why it is not
// compared. Both are "" if the model has no such relationship.
func Resolve(m *model.Model, name string) (relationship, omitted string) {
	names := Names(m)
	if slices.Contains(names, name) {
		return name, ""
	}
	var found []string
	for _, n := range names {
		if r, err := Find(m, n, nil); err == nil && sidesName(r.Root.Struct, r.Element.Struct) == name {
			found = append(found, n)
		}
	}
	if _, at := findReferences(m, name); len(found) == 0 && at != nil {
		return name, ""
	}
	if len(found) == 1 {
		return found[0], ""
	}
	if part := findPart(m, name); part != nil {
		return "", fmt.Sprintf("%s is a part of %s, and parts are not compared", part.Struct.Name, part.Root.Struct.Name)
	}
	if len(found) == 0 {
		return "", findOmitted(m, name)
	}
	return "", ""
}

// findOmitted returns why a relationship is not compared: its elements contain their root, or Find refuses its reference; "" if the model has no such relationship.
func findOmitted(m *model.Model, name string) string {
	var structs []string
	for _, a := range m.Aggregates {
		structs = append(structs, a.Struct.Name)
	}
	for _, o := range m.Objects {
		structs = append(structs, o.Struct.Name)
	}
	for _, a := range m.Aggregates {
		for _, root := range structs {
			if sidesName(root, a.Struct.Name) != name {
				continue
			}
			switch design := Current(m, root, a.Struct.Name); {
			case strings.HasPrefix(design, "inverse"):
				return fmt.Sprintf("each %s contains its %s, and the design %s is not compared", a.Struct.Name, root, design)
			case design != "":
				return fmt.Sprintf("the model has the design %s, and no other design is derived from its reference", design)
			}
		}
	}
	return ""
}

// sidesName returns the name of a relationship by its sides.
func sidesName(root, element string) string { return root + "." + plural(element) }

// findReferences returns the only set of references of the elements to their roots by the two sides, with the aggregate that has it; nil for none.
func findReferences(m *model.Model, name string) (holder *model.Aggregate, found *model.Attribute) {
	for _, a := range m.Aggregates {
		for _, at := range a.Attributes {
			x := at.Association
			if x == nil || !x.Many || !a.IsSource() || len(at.Path) > 1 || x.Target.Struct.Path != m.Package.Path || sidesName(x.Target.Struct.Name, a.Struct.Name) != name {
				continue
			}
			if found != nil {
				return nil, nil
			}
			holder, found = a, at
		}
	}
	return holder, found
}

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
