package delta

import "github.com/cassaml/cassaml/aml"

type Visits struct {
	aml.Aggregate `aml:"visits"`

	Page   string `aml:"page,identifier"`
	Number int64  `aml:"number,counter"`
}

// VisitsDelta has the name of the argument of Add.
type VisitsDelta struct{ Number int64 }
