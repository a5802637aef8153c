// Package mapper holds what a program names when it uses a generated store: the configuration, the tracer and
// the errors. The store itself is generated from the model by "aml generate".
//
// A whole program, with a model in package shop:
//
//	package main
//
//	import (
//		"context"
//		"errors"
//		"fmt"
//		"log"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"example.com/shop"
//		"github.com/cassaml/cassaml/mapper"
//	)
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "shop"
//		cluster.WriteCoalesceWaitTime = 0
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//
//		ctx := context.Background()
//		store, err := shop.Open(ctx, session, mapper.Config{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		customer, err := store.Customers.Get(ctx, 7)
//		if errors.Is(err, mapper.ErrNotFound) {
//			err = store.Customers.Insert(ctx, &shop.Customer{ID: 7, Name: "Ana"})
//		}
//		fmt.Println(customer, err)
//	}
//
// # Errors
//
// Every error names the aggregate, the table and the key. [ErrNotFound] is a condition, the types that end in
// Error carry data. A write that the server may or may not have carried out ends in *[UnknownOutcomeError], every
// other error of a write means that nothing was written. Errors of the driver are wrapped: errors.As reaches
// gocql's.
package mapper
