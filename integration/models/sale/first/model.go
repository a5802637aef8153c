// Package first is the model of package sale before its partitions began with a head row.
package first

import "github.com/cassaml/cassaml/aml"

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// Sale is a root with a unique value and a copy.
//
//aml:ignore AML912 package sale adds it
type Sale struct {
	aml.Aggregate `aml:"sales_1"`

	ID      int32  `aml:"id,identifier"`
	Title   string `aml:"title,required"`
	Lot     string `aml:"lot,unique"`
	Seller  string `aml:"seller"`
	Highest int64  `aml:"highest"`
	Count   int32  `aml:"count"`
	Version int64  `aml:"version,version"`
}

// SalesBySeller finds sales.
type SalesBySeller struct {
	aml.Aggregate `aml:"sales_by_seller,redundant=Sale"`

	//aml:ignore AML911 sales have a seller
	Seller  string `aml:"seller,identifier,from=Sale.Seller"`
	ID      int32  `aml:"id,discriminator,from=Sale.ID"`
	Highest int64  `aml:"highest,from=Sale.Highest"`
}

// Offer is a part of a sale, the highest first.
type Offer struct {
	aml.Entity `aml:"sales_1,part=Sale,rows=1000"`

	SaleID int32   `aml:"id,identifier"`
	Cents  int64   `aml:"cents,discriminator,desc"`
	Bidder string  `aml:"bidder,discriminator"`
	Note   *string `aml:"note"`
}
