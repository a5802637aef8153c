// Package ratings is the ninth table of the digital library, the counters ratings_by_artifact. It stands beside package
// catalogue because a store does not execute counters yet: this is its schema, and a service raises the counters with a
// statement of its own.
package ratings

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
	_ "github.com/cassaml/cassaml/examples/library/catalogue" // what association names
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

// Rating counts the ratings of an artifact and sums them; the average is the reader's division.
type Rating struct {
	aml.Aggregate `aml:"ratings_by_artifact"`

	ArtifactID gocql.UUID `aml:"artifact_id,identifier,association=catalogue.Artifact"`
	NumRatings int64      `aml:"num_ratings,counter"`
	SumRatings int64      `aml:"sum_ratings,counter"`
}
