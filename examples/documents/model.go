// Package documents implements four patterns of document databases with tables of Cassandra.
//
// Embedded document: a customer contains its profile and addresses: one row, one read, one atomic write. It fits if there are
// few parts and they belong to no other aggregate.
//
// Extended reference: an order contains the customer's key and the fields that shipping needs, so that an order can be printed
// without a second read. The fields follow the customer: a change of the name reaches every order. This costs a version on both
// sides and one save for each order that a change reaches.
//
// Subset: a product's page shows its ten newest reviews, so the product embeds them, and a separate table has all reviews. The
// service writes both: it inserts the new review into its table and, with Update, prepends it to the ten.
//
// Computed: the screenings of a movie are summed up while they are recorded, so that a reader does not add up thousands. The
// sums are counters, which the service increments; they can be wrong.
package documents

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate -schema

// Customer is an embedded document: its profile and its addresses are parts of its row.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID        gocql.UUID         `aml:"id,identifier"`
	Name      string             `aml:"name,required"`
	Phone     string             `aml:"phone"`
	Shipping  *Address           `aml:"shipping,composition,final"`
	Profile   Profile            `aml:"profile,composition"`
	Addresses map[string]Address `aml:"addresses,composition,max=10"`
	Version   int64              `aml:"version,version"`
}

// Profile has the personal data of a customer.
type Profile struct {
	aml.ValueObject `aml:"profile"`

	Language string    `aml:"language"`
	Born     time.Time `aml:"born,type=date"`
}

// Address is a postal address.
type Address struct {
	aml.ValueObject `aml:"address"`

	Street  string `aml:"street,required"`
	City    string `aml:"city,required"`
	ZIP     string `aml:"zip"`
	Country string `aml:"country,required"`
}

// Order has an extended reference to its customer.
type Order struct {
	aml.Aggregate `aml:"orders"`

	ID       gocql.UUID `aml:"id,identifier"`
	PlacedAt time.Time  `aml:"placed_at"`
	Customer Recipient  `aml:"customer,composition,copy=Customer,ondelete=keep"`
	Lines    []Line     `aml:"lines,composition,max=100"`
	Version  int64      `aml:"version,version"`
}

// Recipient has the fields of a customer that shipping needs. The service sets the key; the tool fills in the rest and keeps it
// consistent.
type Recipient struct {
	aml.ValueObject `aml:"recipient"`

	ID       gocql.UUID `aml:"id"`
	Name     string     `aml:"name"`
	Phone    string     `aml:"phone"`
	Shipping *Address   `aml:"shipping,composition"`
}

// Line is a product as it was when it was ordered.
type Line struct {
	aml.ValueObject `aml:"line"`

	ProductID gocql.UUID `aml:"product_id"`
	Name      string     `aml:"name"`
	Cents     int64      `aml:"cents"`
	Quantity  int32      `aml:"quantity"`
}

// Product embeds a subset of its reviews, the newest ten, which the service maintains.
type Product struct {
	aml.Aggregate `aml:"products"`

	ID      gocql.UUID `aml:"id,identifier"`
	Name    string     `aml:"name,required"`
	Cents   int64      `aml:"cents"`
	Reviews []Opinion  `aml:"newest_reviews,composition,max=10"`
}

// Opinion is a review as the product's page shows it.
type Opinion struct {
	aml.ValueObject `aml:"opinion"`

	ReviewID gocql.UUID `aml:"review_id,type=timeuuid"`
	Author   string     `aml:"author"`
	Stars    int8       `aml:"stars"`
	Body     string     `aml:"body"`
}

// Review is any review of a product, newest first.
type Review struct {
	aml.Aggregate `aml:"reviews_by_product,rows=5000"`

	ProductID gocql.UUID `aml:"product_id,identifier,association=Product"`
	ReviewID  gocql.UUID `aml:"review_id,discriminator,desc,type=timeuuid"`
	Author    string     `aml:"author,required"`
	Stars     int8       `aml:"stars"`
	Body      string     `aml:"body"`
}

// Screening is one showing of a movie in one theatre.
type Screening struct {
	aml.Aggregate `aml:"screenings_by_movie,rows=50000"`

	MovieID gocql.UUID `aml:"movie_id,identifier"`
	StartAt time.Time  `aml:"start_at,discriminator,desc"`
	Theatre string     `aml:"theatre,discriminator"`
	Viewers int64      `aml:"viewers"`
	Cents   int64      `aml:"cents"`
}

// MovieTotals is computed: the totals of the screenings of a movie.
type MovieTotals struct {
	aml.Aggregate `aml:"totals_by_movie"`

	MovieID    gocql.UUID `aml:"movie_id,identifier"`
	Screenings int64      `aml:"num_screenings,counter"`
	Viewers    int64      `aml:"num_viewers,counter"`
	Cents      int64      `aml:"sum_cents,counter"`
}
