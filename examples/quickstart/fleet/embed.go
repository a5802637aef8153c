package fleet

import "embed"

// Migrations holds the CQL files that lead to the schema of this package; migrate.Up applies them.
//
//go:embed migrations
var Migrations embed.FS
