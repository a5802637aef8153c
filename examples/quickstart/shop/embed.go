package shop

import "embed"

// Migrations contains the CQL files that create the schema of this package; migrate.Up applies them.
//
//go:embed migrations
var Migrations embed.FS
