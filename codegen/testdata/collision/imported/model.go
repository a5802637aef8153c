package imported

import (
	"time"

	"github.com/cassaml/cassaml/aml"
)

type A struct {
	aml.Aggregate `aml:"a"`

	ID   int32 `aml:",identifier"`
	When time.Time
}

type (
	gen     int
	mapper  int
	gocqlx  int
	context int
	fmt     int
)
