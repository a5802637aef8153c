package examples

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/examples/marketplace/shop"
	"github.com/cassaml/cassaml/mapper/memory"
)

func Example_queries() {
	ctx := context.Background()
	s, err := shop.OpenBackend(ctx, memory.New(memory.Config{}))
	if err != nil {
		log.Fatal(err)
	}
	userID, orderID := gocql.UUID{15: 1}, gocql.UUID{15: 21}
	order := &shop.Order{UserID: userID, OrderDate: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC), OrderID: orderID, Status: "placed",
		Total: inf.NewDec(19990, 2), ShipTo: shop.Address{Street: "Rua da Aurora 10", City: "Recife", Country: "Brasil"}}
	if err := s.OrdersByUser.Insert(ctx, order); err != nil {
		log.Fatal(err)
	}

	// SELECT * FROM orders_by_user WHERE user_id = ? AND order_id = ?
	for o, err := range s.OrdersByUserAndID.Of(userID).OrderID(orderID).All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(o.OrderDate.Format(time.DateOnly), o.Status, o.Total)
	}
	// Output:
	// 2026-01-02 placed 199.90
}
