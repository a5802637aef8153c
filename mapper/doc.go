// Package mapper contains the types that a program uses together with a generated store: the configuration, the tracer
// and the errors. The command "aml generate" generates the store from the model.
//
// A complete program, with a model in package shop:
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
// Every error contains the aggregate, the table and the key. [ErrNotFound] is a condition, and so are [ErrExists],
// [ErrConflict] and [ErrBusy] of versioned aggregates; the types whose names end in Error have fields with details. A write
// that the server may or may not have executed returns an *[UnknownOutcomeError]. Every other error of a write means that
// nothing was written. Errors of the driver are wrapped, so errors.As finds the errors of gocql.
package mapper
