package gen

import "github.com/scylladb/gocqlx/v2/table"

// Metadata describes a table to gocqlx: names as CQL writes them.
type Metadata = table.Metadata
