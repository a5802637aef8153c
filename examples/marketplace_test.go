package examples

import (
	"testing"

	"github.com/cassaml/cassaml/examples/marketplace/shop"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// An order is one mutation over two tables that share a partition, and is found with and without its date.
func TestMarketplace(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	p := run(t, shop.Schema, shop.Demo)
	p.sent(t, `
		1: write users
		1: write sellers
		1: write products
		1: write products
		2: read products
		3: [write orders_by_user, write orders_by_user_and_id]
		4: write products
		5: read orders_by_user
		6: read orders_by_user_and_id
		7: [write orders_by_user, write orders_by_user_and_id]
		8: read orders_by_user
		8: [write orders_by_user, write orders_by_user_and_id]
		9: read orders_by_user
		10: write reviews_by_product
		10: write reviews_by_product
		10: read reviews_by_product
		11: delete reviews_by_product
		12: delete products
		13: [delete orders_by_user, delete orders_by_user_and_id]`)
	p.says(t, `
		Domain-Driven Design, 199.90, 3 left
		2026-01-02 placed 199.90
		order of 2026-01-02, placed, 1 item at 199.90
		mapper: Get Order (orders_by_user user_id=00000000-0000-0000-0000-000000000001, order_date=2026-01-03T12:00:00Z, order_id=00000000-0000-0000-0000-000000000015): not found
		5 stars: Long, and worth it.
		{"user_id": "00000000-0000-0000-0000-000000000001", "order_date": "2026-01-02 12:00:00.000Z", "order_id": "00000000-0000-0000-0000-000000000015", "items": [{"product_id": "00000000-0000-0000-0000-00000000000b", "name": "Domain-Driven Design", "price": 199.90, "quantity": 1}], "ship_to": {"street": "Rua do Sol 20", "city": "Recife", "zip": "", "country": "Brasil"}, "status": "sent", "total": 199.90}
		{"user_id": "00000000-0000-0000-0000-000000000001", "order_id": "00000000-0000-0000-0000-000000000015", "order_date": "2026-01-02 12:00:00.000Z", "items": [{"product_id": "00000000-0000-0000-0000-00000000000b", "name": "Domain-Driven Design", "price": 199.90, "quantity": 1}], "ship_to": {"street": "Rua do Sol 20", "city": "Recife", "zip": "", "country": "Brasil"}, "status": "sent", "total": 199.90}`)
	p.holds(t, "users", `
		{"user_id": "00000000-0000-0000-0000-000000000001", "addresses": {"home": {"street": "Rua da Aurora 10", "city": "Recife", "zip": "", "country": "Brasil"}}, "created_at": "2026-01-01 12:00:00.000Z", "email": "maria@exemplo.br", "name": "Maria Souza"}`)
	p.holds(t, "sellers", `
		{"seller_id": "00000000-0000-0000-0000-000000000002", "email": "sebo@exemplo.br", "name": "Sebo Recife"}`)
	p.holds(t, "products", `
		{"category": "books", "product_id": "00000000-0000-0000-0000-00000000000c", "name": "Dom Casmurro", "price": 24.90, "seller_id": "00000000-0000-0000-0000-000000000002", "stock": 40}`)
	p.holds(t, "orders_by_user", "")
	p.holds(t, "orders_by_user_and_id", "")
	p.holds(t, "reviews_by_product", `
		{"product_id": "00000000-0000-0000-0000-00000000000b", "created_at": "2026-01-09 12:00:00.000Z", "user_id": "00000000-0000-0000-0000-000000000001", "body": "Long, and worth it.", "rating": 5}`)
}
