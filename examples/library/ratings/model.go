// Package ratings has the ninth table of the digital library, the counters ratings_by_artifact. It is separate from package
// catalogue because a store does not execute counters yet: this package has the schema, and a service increments the counters
// with its own statement.
package ratings

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
	_ "github.com/cassaml/cassaml/examples/library/catalogue" // the target of association
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

// Rating has the number and the sum of the ratings of an artifact; a reader computes the average.
type Rating struct {
	aml.Aggregate `aml:"ratings_by_artifact"`

	ArtifactID gocql.UUID `aml:"artifact_id,identifier,association=catalogue.Artifact"`
	NumRatings int64      `aml:"num_ratings,counter"`
	SumRatings int64      `aml:"sum_ratings,counter"`
}
