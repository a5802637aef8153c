// Package leader elects a leader among the processes of a service.
package leader

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Leader is the row of the process that leads a group. It expires.
type Leader struct {
	aml.Aggregate `aml:"leaders,ttl=$lease:10"`

	Group   string `aml:",identifier"`
	Process string
	Version int64 `aml:",version"`
}
