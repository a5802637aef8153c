// Package offer has an order of a marketplace, and the redundant aggregates that aml check -queries offers for queries.cql, as
// it prints them.
package offer

import (
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml"
)

//go:generate go run ../../../codegen/cmd/aml generate

// Order is an order of a user.
type Order struct {
	aml.Aggregate `aml:"orders_by_user"`

	UserID    gocql.UUID `aml:"user_id,identifier"`
	OrderDate time.Time  `aml:"order_date,discriminator,desc"`
	OrderID   gocql.UUID `aml:"order_id,discriminator,asc"`
	Status    string     `aml:"status,required"`
	Labels    []string   `aml:"labels,unique,max=5"`
	Coupon    *string    `aml:"coupon"`
}

// OrderByUserIDAndOrderID has the rows of Order by user_id, order_id.
type OrderByUserIDAndOrderID struct {
	aml.Aggregate `aml:"orders_by_user_id_and_order_id,redundant=Order"`

	UserID    gocql.UUID `aml:"user_id,identifier"`
	OrderID   gocql.UUID `aml:"order_id,discriminator"`
	OrderDate time.Time  `aml:"order_date,discriminator,desc"`
	Status    string     `aml:"status"`
	Labels    []string   `aml:"labels,unique"`
	Coupon    *string    `aml:"coupon"`
}

// OrderByLabel has a row for each element of Order.Labels.
//
//aml:ignore AML902 one client at a time changes an order
type OrderByLabel struct {
	aml.Aggregate `aml:"orders_by_label,redundant=Order.Labels"`

	Label     string     `aml:"label,identifier,from=Order.Labels.$value"`
	UserID    gocql.UUID `aml:"user_id,discriminator,from=Order.UserID"`
	OrderDate time.Time  `aml:"order_date,discriminator,desc,from=Order.OrderDate"`
	OrderID   gocql.UUID `aml:"order_id,discriminator,from=Order.OrderID"`
	Status    string     `aml:"status,from=Order.Status"`
}

// OrderByCouponAndOrderDate has the rows of Order by coupon, order_date.
//
//aml:ignore AML902 one client at a time changes an order
type OrderByCouponAndOrderDate struct {
	aml.Aggregate `aml:"orders_by_coupon_and_order_date,redundant=Order,when=Order.Coupon"`

	Coupon    string     `aml:"coupon,identifier"`
	OrderDate time.Time  `aml:"order_date,discriminator,desc"`
	UserID    gocql.UUID `aml:"user_id,discriminator"`
	OrderID   gocql.UUID `aml:"order_id,discriminator"`
}
