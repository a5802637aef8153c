// Package gen has the name of a package that generated files import.
package gen

// Size is a value object.
type Size struct {
	Unit  Unit `aml:",required"`
	Value int
}

// Unit is text.
type Unit string
