// Package copydata moves what a table holds to where a migration wants it: to another table, or to another column of the same
// one. aml diff writes the calls; each is a migration in Go, which a line -- aml:func of a file calls.
//
//	package main
//
//	import (
//		"context"
//		"log"
//		"os"
//		"strconv"
//		"strings"
//
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//
//		"github.com/cassaml/cassaml/migrate"
//		"github.com/cassaml/cassaml/migrate/copydata"
//	)
//
//	// CopyCustomersToClients fills table clients from table customers.
//	func CopyCustomersToClients(ctx context.Context, session gocqlx.Session) error {
//		return copydata.Rows{From: "customers", To: "clients", Columns: []copydata.Column{
//			{From: "id", To: "id"},
//			{From: "name", To: "full_name"},
//			{From: "points", To: "points", Convert: copydata.Convert(func(points string) (int64, error) {
//				return strconv.ParseInt(points, 10, 64)
//			})},
//		}}.Run(ctx, session)
//	}
//
//	func main() {
//		cluster := gocql.NewCluster(strings.Split(os.Getenv("CASSANDRA_HOSTS"), ",")...)
//		cluster.Keyspace = "shop"
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//		config := migrate.Config{Funcs: map[string]migrate.Func{"copy_customers_to_clients": CopyCustomersToClients}}
//		if err := migrate.Up(context.Background(), session, os.DirFS("migrations"), config); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// # What it keeps
//
// Each cell is written at its own write time and with what is left of its own time to live: each element of a set, each entry of a
// map and each field of a user-defined type is one. So what a program has written to the new place is newer and stays, in
// whatever order the two arrive, and a run that is broken off, or runs again soon, changes nothing that is right. A list that
// is not frozen would hold its elements twice if it were written twice, so it is written only where the new place has none, at
// the latest write time of its elements and with the longest of their times to live. So is a frozen value that is made of elements.
//
// # What it cannot keep
//
// Programs that know only the old place go on writing there. What they write after its row was read is missing in the new
// place until the copy runs again: call the same function in a later file, when the last of them has gone. What they delete
// after it was read stays in the new place for good, for what is deleted is not read; and a list that they change after it
// was copied stays as it was. Where that matters, stop them first.
//
// What a program deletes in the new place stays deleted in a later run as long as the new table keeps the tombstone: run it
// again within gc_grace_seconds (ten days, unless the table says otherwise) of the first program that deletes there. Later the
// rows would come back. One run at a time, as [migrate.Up] has it: of two, or of one that dies while a write of a list is under
// way, a list can have its elements twice.
//
// Whether a row was made by INSERT, and stays without its values, or by UPDATE, and goes with the last of them, cannot be read.
// Its copy is there as long as the value that expires last, copied or not, and until it is deleted where one does not expire. A
// row that has values in its key alone has neither write time nor time to live: it is written as long ago as can be, and does not expire.
//
// A cell without a time to live gets that of its new table, if that has one, counted from the copy, and anew in each run. Cassandra
// before 5.0 does not tell the write times of collections, and refuses the read.
package copydata
