package lease

import _ "embed"

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string

// Locks is the aggregate of locks, for simulations. The schema of a store has only aggregates with redundant tables.
var Locks = locksAggregate
