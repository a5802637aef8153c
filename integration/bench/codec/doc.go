// Package codec measures the cost of a mapper on the client, without a server: between a struct and the bytes that the
// driver sends, and between the bytes that it received and structs. All variants use the order of package order and begin
// and end at the same points.
//
// # The end of a write
//
// A write ends in a buffer with the values of the request, each after its length, as gocql builds it when it executes a prepared
// statement: gocql.Marshal of every argument with the type of its column, then the length and the bytes. The same few lines
// do it for all variants except the floor, which has the bytes already. The other work of gocql (the header of the request,
// routing, the connection) is not measured. The values of the columns are equal byte for byte.
//
//   - bind is the INSERT of one row of twelve columns.
//   - bind4 is the INSERT of the row and of its three copies with other keys, each with its own order of columns.
//
// # The start of a read
//
// A read begins with a page that the driver has received: gocql's own iterator runs over it, with known types of the columns. It
// ends in structs that share no memory with the page.
//
//   - scan is one row of a page of 100, whose rows are all appended to one slice.
//   - get is one row of a page with one row. The arguments of the SELECT are not measured.
//
// # The variants
//
//   - cassaml: the generated codec encodes the struct, the planner computes the mutations, and the cells are bound. This is the code
//     of a store without the model's rules, tracing, and the check of the size of the batch. Only cassaml binds a timestamp and a TTL
//     (0: none) with each INSERT; both are measured. bind plans for the root without copies, bind4 with three.
//     A read is the generated codec over the driver's iterator; a scan returns a slice of pointers, as the store does.
//   - cassaml-again: the same a second time. The difference from cassaml is noise.
//   - gocqlx: Table.Insert and BindStruct for each statement; Iterx.Select for a scan, Iterx.Get for a row. Statements and
//     names are built once. UDTs embed gocqlx.UDT; the elements of the list have cql tags, because gocqlx leaves them to gocql. There is
//     one gocql.Query, as from the pool of a session; reading its values copies it, which takes about 10 ns.
//   - gocql: handwritten arguments and destinations, UDTs with cql tags.
//   - gocql-udt: the same, but the UDTs have MarshalUDT and UnmarshalUDT.
//   - cassaml-apache: cassaml over Apache's driver, with the types, the marshalling and the iterator of that driver.
//   - apache: that driver with handwritten arguments and destinations, UDTs with cql tags.
//   - floor: a write appends prepared bytes; a read lets the iterator locate each value and decodes none.
//
// wide is the INSERTs of a shipment and of a row of a copy for each of its 20 parcels, whose list is one column of the
// shipment. No peer derives rows from elements.
//
// plan-update and plan-move measure only the planner, which no peer has: from encoded rows to statements, for an order with three
// copies of which one cell changes (4 statements), or the key of one copy (5 statements).
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//
//		"github.com/cassaml/cassaml/integration/bench/codec"
//		"github.com/cassaml/cassaml/integration/bench/measure"
//	)
//
//	func main() {
//		cases, err := codec.Cases()
//		if err != nil {
//			log.Fatal(err)
//		}
//		series, err := measure.Run(cases, measure.Config{})
//		if err != nil {
//			log.Fatal(err)
//		}
//		for _, s := range series {
//			fmt.Printf("%+v\n", s.Result())
//		}
//	}
package codec
