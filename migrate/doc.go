// Package migrate applies numbered CQL files, and migrations in Go, to a
// Cassandra keyspace, once each and in order. Package folder reads and writes
// the folder of the files.
//
// A service carries its migrations in the binary and applies what is pending
// when it starts. Replicas may start together: one has the lock, the others wait,
// and one of them takes over if it is killed.
//
//	package main
//
//	import (
//		"context"
//		"embed"
//		"io/fs"
//		"log"
//		"os"
//		"os/signal"
//
//		"github.com/cassaml/cassaml/migrate"
//		"github.com/gocql/gocql"
//		"github.com/scylladb/gocqlx/v2"
//	)
//
//	//go:embed migrations
//	var embedded embed.FS
//
//	func main() {
//		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
//		defer stop()
//
//		cluster := gocql.NewCluster("127.0.0.1")
//		cluster.Keyspace = "shop"
//		session, err := gocqlx.WrapSession(cluster.CreateSession())
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer session.Close()
//
//		migrations, err := fs.Sub(embedded, "migrations")
//		if err != nil {
//			log.Fatal(err)
//		}
//		if err := migrate.Up(ctx, session, migrations, migrate.Config{}); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// A migration is a file NNNN_lower_snake_name.cql of CQL statements that are
// separated by semicolons (see [folder.Split]). Its number says where it belongs; the
// first is 0001. Once applied to a database that matters a file is never edited:
// a change is a new file. [Up] refuses by name what was edited, renamed, removed
// or put in between. Line ends and a byte order mark are not looked at, and
// statements reach the server with \n at the end of their lines, so a checkout
// on Windows is the same migration.
//
// A line -- aml:func NAME between statements calls a function of [Config.Funcs],
// and -- aml:backfill TABLE asks for one of [Config.Backfills] to run behind all
// statements: a package that is generated from a model has them, Backfills(). A line -- aml:optional before a conditional statement says that its
// condition may be false. Lines -- aml:allow and -- aml:manual speak to the tools that look at
// a folder (packages lint and diff). What is nearly one of them is refused, see
// [folder.Misspelling].
//
// Several packages can share a keyspace. Each has a folder, and all but one of
// these have a name, see [folder.Name]. There is one lock for the keyspace, so two
// folders never change the schema at the same time, but each folder has its own
// records. A folder owns the tables and types that its files create: [Up] refuses
// a folder that creates, alters or drops what another one owns. A line
// -- aml:shared names a type that another folder creates, see [folder.Shared].
//
// Beside the files lies aml.sum (see [folder.Sum]), which makes two branches that both
// add a migration meet in a merge conflict rather than in production.
// [folder.Write] adds a file and keeps aml.sum up to date.
package migrate
