package gen

import (
	"github.com/cassaml/cassaml/mapper/internal/runtime"
)

// OpenStore and OpenWatched open a store on a test double of the database.
var (
	OpenStore   = runtime.OpenStore
	OpenWatched = runtime.OpenWatched
)
