package copies

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Near is a plain root with a redundant table in its partitions.
type Near struct {
	aml.Aggregate `aml:"near"`

	ID    int64  `aml:"id,identifier"`
	Name  string `aml:"name"`
	City  string `aml:"city"`
	Email string `aml:"email"`
	Total int64  `aml:"total"`
	Paid  bool   `aml:"paid"`
}

// NearSummary is a row of near in another table.
type NearSummary struct {
	aml.Aggregate `aml:"near_summary,redundant=Near"`

	ID    int64  `aml:"id,identifier"`
	Name  string `aml:"name"`
	Total int64  `aml:"total"`
}

// Marked is a versioned root with a redundant table in its partitions, and done-markers.
type Marked struct {
	aml.Aggregate `aml:"marked"`

	ID      int64  `aml:"id,identifier"`
	Name    string `aml:"name"`
	City    string `aml:"city"`
	Email   string `aml:"email"`
	Total   int64  `aml:"total"`
	Paid    bool   `aml:"paid"`
	Version int64  `aml:"version,version"`
}

// MarkedSummary is a row of marked in another table.
type MarkedSummary struct {
	aml.Aggregate `aml:"marked_summary,redundant=Marked"`

	ID    int64  `aml:"id,identifier"`
	Name  string `aml:"name"`
	Total int64  `aml:"total"`
}

// Apart is a plain root with redundant tables in other partitions.
type Apart struct {
	aml.Aggregate `aml:"apart"`

	ID    int64  `aml:"id,identifier"`
	Name  string `aml:"name"`
	City  string `aml:"city"`
	Email string `aml:"email"`
	Total int64  `aml:"total"`
	Paid  bool   `aml:"paid"`
}

// ApartByEmail finds a row by its e-mail.
//
//aml:ignore AML902 nothing writes while it is measured
type ApartByEmail struct {
	aml.Aggregate `aml:"apart_by_email,redundant=Apart"`

	Email string `aml:"email,identifier"`
	ID    int64  `aml:"id,discriminator"`
	Name  string `aml:"name"`
}

// ApartByCity finds the rows of a city.
//
//aml:ignore AML902 nothing writes while it is measured
type ApartByCity struct {
	aml.Aggregate `aml:"apart_by_city,redundant=Apart"`

	City string `aml:"city,identifier"`
	ID   int64  `aml:"id,discriminator"`
	Name string `aml:"name"`
}
