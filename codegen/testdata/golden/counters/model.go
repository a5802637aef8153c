// Package counters has tables of counters: one counter in a row of its own, and counters of rows and of their partition.
package counters

import (
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

// Visits are the visits of a page.
type Visits struct {
	aml.Aggregate `aml:"visits"`

	Page   string `aml:"page,identifier"`
	Number int    `aml:"number,counter"`
}

// Rating has the ratings of a video, by day and by the change that they were caused by.
type Rating struct {
	aml.Aggregate `aml:"ratings"`

	VideoID gocql.UUID `aml:"video_id,identifier"`
	Day     time.Time  `aml:"day,discriminator,desc,type=date"`
	Delta   int32      `aml:"delta,discriminator"`
	Total   int64      `aml:"total,counter,static"`
	Number  int64      `aml:"number,counter"`
	Sum     int64      `aml:"'sum of stars',counter"`
}

// RatingSum reads the sum only.
type RatingSum struct {
	aml.Aggregate `aml:",of=Rating"`

	Day time.Time `aml:",type=date"`
	Sum int64
}
