// Package copies is the model of the roots whose redundant tables package reconciling compares: a row of six columns with a
// redundant table in the same partition, the same with a version, and with two redundant tables in other partitions.
//
//	package main
//
//	import (
//		"context"
//		"log"
//
//		"github.com/cassaml/cassaml/integration/bench/copies"
//		"github.com/cassaml/cassaml/mapper/memory"
//	)
//
//	func main() {
//		ctx := context.Background()
//		store, err := copies.OpenBackend(ctx, memory.New(memory.Config{}))
//		if err != nil {
//			log.Fatal(err)
//		}
//		if err := store.Near.Insert(ctx, &copies.Near{ID: 1, Name: "Ana"}); err != nil {
//			log.Fatal(err)
//		}
//	}
package copies

import _ "embed"

// Schema is the CQL of the tables.
//
//go:embed schema.cql
var Schema string
