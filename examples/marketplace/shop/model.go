// Package shop is a shop of many sellers, designed from its queries: a user, a seller, the products of a
// category, the orders of a user newest first, the reviews of a product newest first.
//
// Its strength is these queries, one partition each. An order embeds its items as a snapshot: the products and their prices at
// the time of the order, which a later change of a product must not change. It is read and written as a unit.
//
// One query, an order by user and order id, cannot use the key of orders_by_user: its rows are sorted by date first.
// OrderByID answers it: the same order, in the same user's partition of a table sorted by id. Both tables have the partition
// key user_id, so an order is still one mutation without a batchlog. It costs twice the space for orders.
package shop

import (
	"time"

	"github.com/cassaml/cassaml/aml"
	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
)

//go:generate go run github.com/cassaml/cassaml/codegen/cmd/aml generate

// User is a buyer.
type User struct {
	aml.Aggregate `aml:"users"`

	UserID    gocql.UUID         `aml:"user_id,identifier"`
	Name      string             `aml:"name,required"`
	Email     string             `aml:"email,required"`
	Addresses map[string]Address `aml:"addresses,composition,max=20"` // the key is a name that the user chooses, such as home
	CreatedAt time.Time          `aml:"created_at"`
}

// Address is a postal address.
type Address struct {
	aml.ValueObject `aml:"address"`

	Street  string `aml:"street,required"`
	City    string `aml:"city,required"`
	ZIP     string `aml:"zip"`
	Country string `aml:"country,required"`
}

// Seller is someone who sells.
type Seller struct {
	aml.Aggregate `aml:"sellers"`

	SellerID gocql.UUID `aml:"seller_id,identifier"`
	Name     string     `aml:"name,required"`
	Email    string     `aml:"email,required"`
}

// Product is a product of a category.
type Product struct {
	aml.Aggregate `aml:"products,rows=5000"`

	Category  string     `aml:"category,identifier"`
	ProductID gocql.UUID `aml:"product_id,discriminator"`
	SellerID  gocql.UUID `aml:"seller_id,association=Seller"`
	Name      string     `aml:"name,required"`
	Price     *inf.Dec   `aml:"price,required"`
	Stock     int32      `aml:"stock"`
}

// Order has the items that a user bought together.
type Order struct {
	aml.Aggregate `aml:"orders_by_user,rows=1000"`

	UserID    gocql.UUID `aml:"user_id,identifier,association=User"`
	OrderDate time.Time  `aml:"order_date,discriminator,desc"`
	OrderID   gocql.UUID `aml:"order_id,discriminator,asc"`
	Status    string     `aml:"status,required"`
	Total     *inf.Dec   `aml:"total,required"`
	ShipTo    Address    `aml:"ship_to,composition"`
	Items     []Item     `aml:"items,composition,max=100"`
}

// Item is a product as it was when it was bought.
type Item struct {
	aml.ValueObject `aml:"item"`

	ProductID gocql.UUID `aml:"product_id,required"`
	Name      string     `aml:"name"`
	Price     *inf.Dec   `aml:"price,required"`
	Quantity  int32      `aml:"quantity"`
}

// OrderByID is the redundant aggregate: an order by its user and its own id. The date is the last column of the key only
// because it is part of an order's identity.
type OrderByID struct {
	aml.Aggregate `aml:"orders_by_user_and_id,redundant=Order,rows=1000"`

	UserID    gocql.UUID `aml:"user_id,identifier"`
	OrderID   gocql.UUID `aml:"order_id,discriminator"`
	OrderDate time.Time  `aml:"order_date,discriminator"`
	Status    string     `aml:"status"`
	Total     *inf.Dec   `aml:"total"`
	ShipTo    Address    `aml:"ship_to,composition"`
	Items     []Item     `aml:"items,composition"`
}

// Review is a user's review of a product. A user can write several reviews.
type Review struct {
	aml.Aggregate `aml:"reviews_by_product,rows=2000"`

	ProductID gocql.UUID `aml:"product_id,identifier"`
	CreatedAt time.Time  `aml:"created_at,discriminator,desc"`
	UserID    gocql.UUID `aml:"user_id,discriminator,association=User"`
	Rating    int8       `aml:"rating"`
	Body      string     `aml:"body"`
}
