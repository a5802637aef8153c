// Package library is a table of twelve columns with two clustering columns.
package library

import (
	"time"

	"github.com/cassaml/cassaml/aml"
)

// ArtifactByVenue has artifacts by venue, the newest first.
type ArtifactByVenue struct {
	aml.Aggregate `aml:"artifacts_by_venue"`

	VenueName string `aml:",identifier"`
	Year      int32  `aml:",discriminator,desc"`
	ID        int64  `aml:"artifact_id,discriminator"`
	Title     string
	Authors   []string
	Keywords  []string `aml:",unique"`
	Abstract  string
	Pages     int32
	DOI       string
	Score     float64
	Open      bool
	Added     time.Time
}
