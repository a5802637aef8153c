package gen

import (
	"github.com/cassaml/cassaml/mapper/internal/runtime"
)

// What tests with a test double of the database need.
var (
	OpenStore   = runtime.OpenStore
	OpenWatched = runtime.OpenWatched
)
