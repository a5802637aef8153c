// Package copydata copies the data of a table to another table, or to another column of the same table. aml diff writes the
// calls. Each is a migration in Go, which a line -- aml:func of a file calls.
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
//		"github.com/cassaml/cassaml/mapper/driver"
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
//		"github.com/cassaml/cassaml/migrate"
//		"github.com/cassaml/cassaml/migrate/copydata"
//	)
//
//	// CopyCustomersToClients fills table clients from table customers.
//	func CopyCustomersToClients(ctx context.Context, session driver.Session) error {
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
//		if err := migrate.Up(context.Background(), gocqldriver.New(session), os.DirFS("migrations"), config); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// # Preserved write times and TTLs
//
// Each cell is written at its own write time and with its own remaining TTL. A cell is a column, an element of a set, an entry of a map
// or a field of a user-defined type that is not frozen. So values that a program has written to the new place are newer and remain,
// independent of the order, and a run that is interrupted, or repeated soon, changes nothing that is correct. A list that is not frozen
// would contain its elements twice if it were written twice. So it is written only if the new place has no list, at the latest write
// time of its elements and with the longest of their TTLs. The same applies to a frozen value that is copied from a value that is
// not frozen.
//
// # Known limitations
//
// Programs that know only the old place continue to write there. A value that they write after its row was read is missing in the new place
// until the copy runs again: call the same function in a later file, when none of these programs is running. A value that they delete after
// it was read remains in the new place permanently, because deleted data is not read, and a list that they change after it was copied is
// not updated. If this matters, stop these programs first.
//
// A value that a program deletes in the new place remains deleted in a later run as long as the new table has the tombstone: run the copy
// again within gc_grace_seconds (ten days by default) of the first deletion there. Later, the rows would reappear. Run one copy at a time,
// as [migrate.Up] does: if two run, or one dies during the write of a list, a list can contain its elements twice.
//
// Cassandra does not show whether a row was created by INSERT, and remains without values, or by UPDATE, and disappears with the last
// value. Its copy exists as long as the value that expires last, copied or not, or until it is deleted if a value does not expire. A row with
// values only in its key has neither a write time nor a TTL: it is written with the earliest write time, and does not expire.
//
// A cell without a TTL gets the default TTL of its new table, if there is one, which starts with the copy, and again in each run. Cassandra
// before 5.0 does not return the write times of collections, and refuses the read.
package copydata
