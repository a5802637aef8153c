// Package codec measures what a mapper costs on the client, without a server: between a struct and the bytes that the
// driver sends, and between the bytes that it received and structs. All variants use the order of package order and begin
// and end at the same points.
//
// # Where a write ends
//
// In a buffer of the request's values, each after its length, as gocql builds it when it executes a prepared statement:
// gocql.Marshal of every argument with the type of its column, then the length and the bytes. The same few lines do it for all
// variants but the floor, for which the bytes are there already. What gocql does around it (the request's head, routing,
// the connection) is not measured. The values of the columns are byte for byte the same.
//
//   - bind is the INSERT of one row of twelve columns.
//   - bind4 is the INSERT of the row and of its three copies under other keys, each with its columns in its own order.
//
// # Where a read begins
//
// In a page that the driver has received: gocql's own iterator runs over it, with the types of the columns known. It ends
// in structs that share no memory with the page.
//
//   - scan is one row out of a page of 100, whose rows all end up in one slice.
//   - get is one row out of a page of its own. The SELECT's arguments are not in it.
//
// # The variants
//
//   - cassaml: the generated codec encodes the struct, the planner decides what is written, the cells are bound; what a
//     store runs, without the model's rules, tracing, and the check of the batch's size. It alone binds a timestamp and a TTL
//     (0: none) with each INSERT; both are measured. bind plans for the root without copies, bind4 with three.
//     Reading is the generated codec over the driver's iterator; the slice of a scan is one of pointers, as the store gives them.
//   - cassaml-again: the same a second time. How far it is from cassaml is the noise.
//   - gocqlx: Table.Insert and BindStruct for each statement; Iterx.Select for a scan, Iterx.Get for a row. Statements and
//     names are built once. UDTs embed gocqlx.UDT; the elements of the list have cql tags, because gocqlx leaves them to gocql. The
//     gocql.Query is one, as if it came from a session's pool; asking it for its values copies it, about 10 of the nanoseconds.
//   - gocql: arguments and destinations written out, UDTs with cql tags.
//   - gocql-udt: the same, but the UDTs have MarshalUDT and UnmarshalUDT.
//   - floor: a write appends prepared bytes; a read lets the iterator find each value and takes none.
//
// wide is the INSERTs of a shipment and of a row of a copy for each of its 20 parcels, whose list is one column of the
// shipment; no peer makes rows of elements.
//
// plan-update and plan-move are the planner alone, which no peer has: encoded rows in, statements out, for an order with three
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
