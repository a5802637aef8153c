package clinic

import _ "embed"

// Schema is the CQL of the types and tables.
//
//go:embed schema.cql
var Schema string
