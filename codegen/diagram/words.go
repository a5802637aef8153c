package diagram

import (
	"strings"

	"github.com/cassaml/cassaml/aml/model"
)

// Roots returns the roots with the given Go names, or all if names is nil.
func Roots(models []Model, names []string) ([]*model.Aggregate, error) { return choose(models, names) }

// RootOf returns the root with which an aggregate is drawn: itself, the root of a part, or that of the source of a redundant
// aggregate.
func RootOf(a *model.Aggregate) *model.Aggregate { return rootOf(a) }

// KeyOf returns the identity of an aggregate, which is the same in packages that were loaded separately.
func KeyOf(a *model.Aggregate) string { return keyOf(a) }

// NameOf returns the names of the packages of models.
func NameOf(models []Model) string { return nameOf(models) }

// Single reports whether a root has at most one row of a part: the key of the part is that of the root.
func Single(part *model.Aggregate) bool { return len(part.Key()) == len(part.Root.Key()) }

// ObjectOf returns the struct that the values of a type or their elements are, or nil.
func ObjectOf(t *model.Type) *model.Object { return objectOf(t) }

// MarkOf returns the visibility of an attribute, as AML uses it: # ~ - / or +.
func MarkOf(a *model.Aggregate, at *model.Attribute) string { return markOf(a, at) }

// TypeName returns the type of the values of an attribute.
func TypeName(t *model.Type) string { return typeName(t) }

// Multiplicity returns the multiplicity of an attribute, such as 0..20, or "" for a single value.
func Multiplicity(at *model.Attribute) string { return strings.Trim(multiplicity(at), " []") }

// Qualifier returns the qualifier of a composition, or "".
func Qualifier(at *model.Attribute) string { return qualifier(at) }

// Properties returns the properties of an attribute, such as {asc} or «final».
func Properties(a *model.Aggregate, at *model.Attribute) []string {
	return (&amlDrawing{}).properties(a, at)
}

// Notes returns the properties of an aggregate as a whole, such as distinct or ttl 7 d.
func Notes(a *model.Aggregate) []string { return (&amlDrawing{}).notes(a) }

// PlainText returns a text as it can be drawn: without control characters and characters that change the direction of the text
// after them, and cut if it is long.
func PlainText(s string) string { return plain(s) }

// PlainTo is like [PlainText] with another limit of characters.
func PlainTo(s string, most int) string { return plainTo(s, most) }
