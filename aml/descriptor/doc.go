// Package descriptor describes the tables of a store as data: their columns and statements, the projections that fill redundant
// tables, and how versioned roots are saved. The generator builds a [Schema] from a model, and prints it as Go; the runtime reads it. A
// descriptor does not change after it is built.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/cassaml/cassaml/aml/descriptor"
//		"github.com/cassaml/cassaml/aml/projection"
//	)
//
//	func main() {
//		customers := &descriptor.Table{Name: "customers", Partition: 1, Key: 1, Columns: []descriptor.Column{
//			{Name: "id", CQL: "id", Kind: projection.PartitionKey, Type: "uuid"},
//			{Name: "email", CQL: "email", Kind: projection.Regular, Type: "text"},
//		}}
//		byEmail := &descriptor.Table{Name: "customers_by_email", Partition: 1, Key: 2, Columns: []descriptor.Column{
//			{Name: "email", CQL: "email", Kind: projection.PartitionKey, Type: "text"},
//			{Name: "id", CQL: "id", Kind: projection.ClusteringKey, Type: "uuid"},
//		}}
//		s := descriptor.Schema{Aggregates: []*descriptor.Aggregate{{
//			Root: customers, Copies: []descriptor.Projection{{Table: byEmail, Columns: []uint16{1, 0}}},
//		}}}
//		for _, t := range s.Batchlog() {
//			fmt.Println(t.Name) // customers, then customers_by_email: they are written as one logged batch
//		}
//	}
package descriptor
