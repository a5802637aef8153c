// Package d has the name of a parameter in generated functions.
package d

// Level is a number.
type Level int16
