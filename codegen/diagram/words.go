package diagram

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Single reports whether a root has at most one row of a part: the key of the part is the key of the root.
func Single(part *model.Aggregate) bool { return len(part.Key()) == len(part.Root.Key()) }

// Mandatory reports whether an attribute always has a value.
func Mandatory(at *model.Attribute) bool { return mandatory(at) || at.Key }

// Multiplicity returns the multiplicity of an attribute, such as 0..20, or "" for a single value.
func Multiplicity(at *model.Attribute) string { return strings.Trim(multiplicity(at), " []") }

// Properties returns the properties of an attribute, such as {asc} or «final».
func Properties(a *model.Aggregate, at *model.Attribute) []string {
	out := (&amlDrawing{}).properties(a, at)
	if s := disjunction(at); s != "" {
		out = append(out, s)
	}
	return out
}

// RemainingTTL returns the row of the field that shows the remaining TTL of a root; "" for none.
func RemainingTTL(a *model.Aggregate) string {
	if a.Remaining == nil {
		return ""
	}
	return a.Remaining.Field.Name + ": remaining ttl"
}

// Notes returns the properties of an aggregate as a whole, such as distinct or ttl 7 d.
func Notes(a *model.Aggregate) []string { return (&amlDrawing{}).notes(a) }
