package loan

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml/descriptor"
)

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string

// Roots are the aggregates of all roots, for simulations. The schema of a store has only aggregates with redundant tables.
var Roots = []*descriptor.Aggregate{membersAggregate.Aggregate, booksAggregate.Aggregate, loansAggregate.Aggregate}
