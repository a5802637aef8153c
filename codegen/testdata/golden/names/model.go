// Package names has keys whose fields have the names of parameters of the generated methods.
package names

import "github.com/cassaml/cassaml/aml"

// Release is a release of a product. Its key has the names of parameters.
type Release struct {
	aml.Aggregate `aml:"releases"`

	Known   int32  `aml:",identifier"`
	Version int32  `aml:",discriminator"`
	Config  int32  `aml:",discriminator"`
	Name    string `aml:",unique"`
	At      int64  `aml:",version"`
}
