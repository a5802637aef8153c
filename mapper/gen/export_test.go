package gen

import "github.com/cassaml/cassaml/mapper/internal/call"

// OpenStore and OpenWatched open a store on a test double of the database.
var (
	OpenStore   = call.OpenStore
	OpenWatched = call.OpenWatched
)
