package garage

import "embed"

// Migrations contains the folder of migrations.
//
//go:embed migrations
var Migrations embed.FS
