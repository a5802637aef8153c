// Package geo has the name of another one.
package geo

import "github.com/cassaml/cassaml/aml"

// Point is another point.
type Point struct {
	aml.ValueObject `aml:"sphere_point"`

	Latitude, Longitude Degree
}

// Degree is a number.
type Degree float32
