// Package geo has types that models use.
package geo

// Kind is text.
type Kind string

// Point is a place; it is always written whole.
type Point struct{ X, Y float64 }

// Audit is embedded elsewhere.
type Audit struct{ By string }
