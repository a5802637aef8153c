package garage

import "embed"

// Migrations leads to the schema.
//
//go:embed migrations
var Migrations embed.FS
