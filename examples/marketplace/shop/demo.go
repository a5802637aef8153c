package shop

import (
	"context"
	_ "embed"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/examples/internal/show"
	"github.com/cassaml/cassaml/mapper"
)

// Schema has the tables and types that Demo needs in its keyspace.
//
//go:embed schema.cql
var Schema string

const books = "books"

var home = Address{Street: "Rua da Aurora 10", City: "Recife", Country: "Brasil"}

// Demo is a day of the marketplace: a product is offered, ordered, sent, reviewed and withdrawn.
func Demo(ctx context.Context, s *show.Stage) error {
	store, err := Open(ctx, s.Session, s.Config)
	if err != nil {
		return err
	}
	maria, seller, first, second := number(1), number(2), number(11), number(12)
	s.Step("insert a user, a seller and two of its products: nothing is stored twice, so each is one statement", func() error {
		if err := store.Users.Insert(ctx, &User{UserID: maria, Name: "Maria Souza", Email: "maria@exemplo.br",
			Addresses: map[string]Address{"home": home}, CreatedAt: noon(1)}); err != nil {
			return err
		}
		if err := store.Sellers.Insert(ctx, &Seller{SellerID: seller, Name: "Sebo Recife", Email: "sebo@exemplo.br"}); err != nil {
			return err
		}
		if err := store.Products.Insert(ctx, &Product{Category: books, ProductID: first, SellerID: seller, Name: "Domain-Driven Design",
			Price: inf.NewDec(19990, 2), Stock: 3}); err != nil {
			return err
		}
		return store.Products.Insert(ctx, &Product{Category: books, ProductID: second, SellerID: seller, Name: "Dom Casmurro",
			Price: inf.NewDec(2490, 2), Stock: 40})
	})
	s.Step("the products of a category: one query of one partition", func() error {
		for p, err := range store.Products.Of(books).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%s, %v, %d left", p.Name, p.Price, p.Stock)
		}
		return nil
	})
	order(ctx, s, store, maria, first)
	review(ctx, s, store, maria, first)
	s.Step("the product is withdrawn: the order keeps its snapshot", func() error { return store.Products.Delete(ctx, books, first) })
	s.Tables(ctx, "products", "orders_by_user", "orders_by_user_and_id")
	s.Step("the user cancels the order: it is deleted from both tables, in one mutation", func() error {
		return store.OrdersByUser.Delete(ctx, maria, noon(2), number(21))
	})
	s.Tables(ctx, "orders_by_user", "orders_by_user_and_id")
	return s.Err()
}

// order places an order, changes it and reads it again.
func order(ctx context.Context, s *show.Stage, store *Store, user, product gocql.UUID) {
	placed := noon(2)
	s.Step("an order, with its items as a snapshot: two tables, but one partition, so no batchlog", func() error {
		return store.OrdersByUser.Insert(ctx, &Order{UserID: user, OrderDate: placed, OrderID: number(21), Status: "placed",
			Total: inf.NewDec(19990, 2), ShipTo: home,
			Items: []Item{{ProductID: product, Name: "Domain-Driven Design", Price: inf.NewDec(19990, 2), Quantity: 1}}})
	})
	s.Step("the price rises afterwards: the snapshot is not touched", func() error {
		return store.Products.SetPrice(ctx, books, product, inf.NewDec(24990, 2))
	})
	s.Step("the newest orders of a user: one query, in the order of the table", func() error {
		for o, err := range store.OrdersByUser.Of(user).Limit(10).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%s %s %v", o.OrderDate.Format(time.DateOnly), o.Status, o.Total)
		}
		return nil
	})
	s.Step("an order by user_id and order_id: orders_by_user cannot answer it, the redundant table does", func() error {
		for o, err := range store.OrdersByUserAndID.Of(user).OrderID(number(21)).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("order of %s, %s, %d item at %v", o.OrderDate.Format(time.DateOnly), o.Status, len(o.Items), o.Items[0].Price)
		}
		return nil
	})
	s.Step("the order is sent: its status changes in both tables, without a read", func() error {
		return store.OrdersByUser.SetStatus(ctx, user, placed, number(21), "sent")
	})
	s.Step("its destination changes: one field of the address, in both tables", func() error {
		_, err := store.OrdersByUser.Update(ctx, user, placed, number(21), func(o *Order) error {
			o.ShipTo.Street = "Rua do Sol 20"
			return nil
		})
		return err
	})
	s.Step("an order with a wrong date is not found", func() error {
		_, err := store.OrdersByUser.Get(ctx, user, noon(3), number(21))
		return s.Refused(err, mapper.ErrNotFound)
	})
}

// review adds reviews of the product and deletes one.
func review(ctx context.Context, s *show.Stage, store *Store, user, product gocql.UUID) {
	s.Step("two reviews by one user, and the newest first", func() error {
		for _, r := range []*Review{
			{ProductID: product, CreatedAt: noon(4), UserID: user, Rating: 4, Body: "Long."},
			{ProductID: product, CreatedAt: noon(9), UserID: user, Rating: 5, Body: "Long, and worth it."},
		} {
			if err := store.ReviewsByProduct.Insert(ctx, r); err != nil {
				return err
			}
		}
		for r, err := range store.ReviewsByProduct.Of(product).All(ctx) {
			if err != nil {
				return err
			}
			s.Printf("%d stars: %s", r.Rating, r.Body)
		}
		return nil
	})
	s.Step("the first one is deleted", func() error { return store.ReviewsByProduct.Delete(ctx, product, noon(4), user) })
	s.Tables(ctx, "reviews_by_product")
}

// number returns a UUID that is easy to recognize in the output; a service uses gocql.RandomUUID.
func number(n byte) gocql.UUID { return gocql.UUID{15: n} }

// noon returns a time in January 2026.
func noon(day int) time.Time { return time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC) }
