// Marketplace runs a shop of many sellers, designed from its queries: users, sellers, the products of a
// category, the orders of a user newest first, the reviews of a product newest first.
//
// One of the queries, an order by user_id and order_id, cannot use the key of orders_by_user, whose rows are sorted
// by date first: its Get also requires the date. The redundant table orders_by_user_and_id answers the query, in the same
// partition, so that an order is still one mutation.
//
//	go run ./examples/marketplace
package main

import (
	"github.com/cassaml/cassaml/examples/internal/example"
	"github.com/cassaml/cassaml/examples/marketplace/shop"
)

func main() { example.Main("marketplace", shop.Schema, shop.Demo) }
