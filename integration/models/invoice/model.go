// Package invoice has versioned roots with fields that follow fields of other roots.
package invoice

import "github.com/cassaml/cassaml/aml"

//go:generate go run ../../../codegen/cmd/aml generate

// Customer is a target: invoices have its name and its city.
type Customer struct {
	aml.Aggregate `aml:"customers"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name,required"`
	City    *string `aml:"city"`
	Note    string  `aml:"note"`
	Version int64   `aml:"version,version"`
}

// Seller is another target: invoices have its city.
type Seller struct {
	aml.Aggregate `aml:"sellers"`

	ID      int32   `aml:"id,identifier"`
	Name    string  `aml:"name"`
	City    *string `aml:"city"`
	Version int64   `aml:"version,version"`
}

// Invoice follows two customers and a seller.
type Invoice struct {
	aml.Aggregate `aml:"invoices"`

	ID         int32   `aml:"id,identifier"`
	Name       string  `aml:"name"`
	Payer      int32   `aml:"payer,association=Customer,rows=100000"`
	PayerName  string  `aml:"payer_name,required,copy=Customer.Name"`
	PayerCity  *string `aml:"payer_city,copy=Customer.City"`
	Guest      *int32  `aml:"guest,association=Customer"`
	GuestName  *string `aml:"guest_name,copy=Customer.Name"`
	Seller     *int32  `aml:"seller,association=Seller"`
	SellerCity *string `aml:"seller_city,copy=Seller.City"`
	Version    int64   `aml:"version,version"`
}

// InvoiceByCity is a copy of an invoice, which moves when its customer moves.
type InvoiceByCity struct {
	aml.Aggregate `aml:"invoices_by_city,redundant=Invoice,when=Invoice.PayerCity"`

	PayerCity string `aml:"payer_city,identifier"`
	ID        int32  `aml:"id,discriminator"`
	PayerName string `aml:"payer_name"`
}
