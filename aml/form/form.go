package form

import (
	"bytes"
)

// Form compares the values of a type as Cassandra does, and returns the encoding of equal values that the project writes. A nil
// Form is the form of types that are compared by their bytes, such as text and blob.
type Form struct {
	compare   func(a, b []byte) int
	canonical func(b []byte) []byte // nil: equal values have equal bytes
}

// Compare compares two values as Cassandra sorts them. Neither can be null.
func (f *Form) Compare(a, b []byte) int {
	if f == nil {
		return bytes.Compare(a, b)
	}
	return f.compare(a, b)
}

// Variants reports whether values that are equal for Cassandra can have different bytes.
func (f *Form) Variants() bool { return f != nil && f.canonical != nil }

// Canonical returns the only encoding of a value that is written where Cassandra compares values; null is the encoding of null. It
// returns bytes that are not a value of the type unchanged.
func (f *Form) Canonical(b []byte) []byte {
	if b == nil || !f.Variants() {
		return b
	}
	return f.canonical(b)
}

// natives are the forms of the native types that Cassandra sorts, except those that are compared by their bytes. Each type has an
// empty value, which sorts before all others.
var natives = map[string]*Form{
	"ascii": nil, "text": nil, "blob": nil, "date": nil, "time": nil, "inet": nil,
	"tinyint": {compare: signed}, "smallint": {compare: signed}, "int": {compare: signed}, "bigint": {compare: signed}, "timestamp": {compare: signed},
	"boolean": {nonEmpty(compareBooleans), canonicalBoolean},
	"float":   {sized(4, compareFloats), canonicalFloat}, "double": {sized(8, compareDoubles), canonicalDouble},
	"uuid": {compare: sized(16, compareUUIDs)}, "timeuuid": {compare: sized(16, compareTimeUUIDs)},
	"varint":  {nonEmpty(compareVarints), canonicalVarint},
	"decimal": {validFirst(func(b []byte) bool { return len(b) > scaleSize }, compareDecimals), canonicalDecimal},
}
