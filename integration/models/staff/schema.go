package staff

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml/descriptor"
)

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string

// Roots are the aggregates of all roots, for simulations. The schema of a store has only aggregates with redundant tables.
var Roots = []*descriptor.Aggregate{teamsAggregate.Aggregate, desksAggregate.Aggregate, employeesAggregate.Aggregate, badgesAggregate.Aggregate}
