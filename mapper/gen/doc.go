// Package gen has the types and functions that generated code uses: descriptors of tables, codecs, and the generic methods
// of a store. Programs do not use it directly. Its API follows the version of the generator, not the version of the module:
// generated files refer to [V2].
//
// The generator writes this code for a model with one aggregate; main uses it:
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/mapper"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//		"github.com/cassaml/cassaml/mapper/gen"
//	)
//
//	type Customer struct {
//		ID   int32
//		Name string
//	}
//
//	var customersTable = gen.Table{
//		Name: "customers", Aggregate: "Customer", Partition: 1, Key: 1,
//		Columns: []gen.Column{
//			{Name: "id", CQL: "id", Field: "ID", Kind: gen.PartitionKey, Type: "int"},
//			{Name: "name", CQL: "name", Field: "Name", Kind: gen.Regular, Type: "text"},
//		},
//		Insert: "INSERT INTO customers (id, name) VALUES (?, ?) USING TIMESTAMP ? AND TTL ?",
//		Delete: "DELETE FROM customers USING TIMESTAMP ? WHERE id = ?",
//		Select: "SELECT id, name FROM customers",
//		Get:    "SELECT id, name FROM customers WHERE id = ?",
//		Load:   "SELECT id, name, WRITETIME(name) FROM customers WHERE id = ?",
//	}
//
//	var customersCodec = gen.Codec[Customer]{
//		Table:  &customersTable,
//		Encode: func(e *gen.Encoder, v *Customer) { e.Int(v.ID); e.Text(v.Name) },
//		Decode: func(d *gen.Decoder, v *Customer) { v.ID = d.Int(); v.Name = d.Text() },
//	}
//
//	var customersAggregate = gen.Link(gen.Aggregate{Root: &customersTable})
//
//	type CustomersTable struct{ gen.Root[Customer] }
//
//	func (t CustomersTable) Get(ctx context.Context, id int32) (*Customer, error) {
//		var k gen.Encoder
//		k.Int(id)
//		return gen.Get(ctx, t.Reader, &k)
//	}
//
//	func main() {
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "shop"
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		ctx := context.Background()
//		db, err := gen.Open(ctx, gocqldriver.New(session), mapper.Config{}, &gen.Schema{Tables: []*gen.Table{&customersTable}})
//		if err != nil {
//			log.Fatal(err)
//		}
//		customers := CustomersTable{gen.NewRoot(db, &customersCodec, customersAggregate)}
//		if err := gen.Insert(ctx, customers.Root, &Customer{1, "Ana"}); err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(customers.Get(ctx, 1))
//	}
package gen
