package shelf

import (
	_ "embed"

	"github.com/cassaml/cassaml/aml/descriptor"
)

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string

// Roots are the aggregates of the roots that refer to each other with parts, for simulations. The schema of a store has only aggregates with
// redundant tables.
var Roots = []*descriptor.Aggregate{tagsAggregate.Aggregate, ownersAggregate.Aggregate, standsAggregate.Aggregate}
