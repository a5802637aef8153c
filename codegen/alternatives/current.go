package alternatives

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// Current returns the name of the design that the relationship has in the model.
func (r *Relationship) Current() string {
	name := map[Form]string{Embedded: "embedded-list", FromRoot: "references-from-root", FromElement: "reference-from-element", PairsOfKeys: "pairs"}[r.Form]
	if r.held.Type.Kind == model.MapType {
		name = "embedded-map"
	}
	switch name += r.copiedElsewhere(); {
	case r.Form == Embedded && r.Root.Version != "":
		return name + "-versioned"
	case r.held.Association != nil && r.held.Association.Checked:
		return name + "-checked"
	}
	return name
}

// copiedElsewhere returns the end of the name of a design with a redundant table; "" for none.
func (r *Relationship) copiedElsewhere() string {
	for _, d := range r.Dependent {
		a := aggregate(r.model, d.Name)
		switch {
		case r.Form == FromRoot && a != nil:
			return "-list"
		case r.Form == FromElement && a != nil && !d.View:
			return "-table"
		case r.Form == Embedded && d.View && slices.ContainsFunc(a.Attributes, r.isOfRoot):
			return "-total"
		case r.Form == Embedded && d.View:
			return "-partial"
		}
	}
	return ""
}

// isOfRoot reports whether a field of a redundant aggregate of the elements is a field of their root.
func (r *Relationship) isOfRoot(at *model.Attribute) bool {
	o := at.Origin
	return o != nil && !at.Key && (o.Path == nil || o.Path.Loop < 0)
}
