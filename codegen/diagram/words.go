package diagram

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Single reports whether a root has at most one row of a part: the key of the part is the key of the root.
func Single(part *model.Aggregate) bool { return len(part.Key()) == len(part.Root.Key()) }

// Multiplicity returns the multiplicity of an attribute, such as 0..20, or "" for a single value.
func Multiplicity(at *model.Attribute) string { return strings.Trim(multiplicity(at), " []") }

// Properties returns the properties of an attribute, such as {asc} or «final».
func Properties(a *model.Aggregate, at *model.Attribute) []string {
	return (&amlDrawing{}).properties(a, at)
}

// Notes returns the properties of an aggregate as a whole, such as distinct or ttl 7 d.
func Notes(a *model.Aggregate) []string { return (&amlDrawing{}).notes(a) }
