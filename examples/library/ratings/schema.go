package ratings

import _ "embed"

// Schema is the table of this package.
//
//go:embed schema.cql
var Schema string
