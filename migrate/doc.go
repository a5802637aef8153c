// Package migrate applies numbered CQL files, and migrations in Go, to a Cassandra keyspace, once each and in order. Package folder
// reads and writes the folder of the files.
//
// A service embeds its migrations, and applies the pending ones when it starts. If several replicas start at the same time, one takes
// the lock and the others wait. If it is killed, one of the others continues.
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
//		"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
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
//		if err := migrate.Up(ctx, gocqldriver.New(session), migrations, migrate.Config{}); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// A migration is a file NNNN_lower_snake_name.cql with CQL statements that are separated by semicolons (see [folder.Split]). The
// migrations are applied in the order of their numbers; the first is 0001. Do not edit a file after it has been applied to a database
// that matters: write the change as a new file. [Up] refuses files that were edited, renamed, removed or inserted, with their names. It
// ignores the form of line ends and a byte order mark, and sends statements with \n at the end of their lines, so a checkout on Windows is the
// same migration.
//
// A line -- aml:func NAME between statements calls a function of [Config.Funcs], or one of [Config.Backfills], which saves checkpoints. A
// line -- aml:backfill TABLE requests that one of [Config.Backfills] runs after all statements; a package that is generated from a model
// returns them from its function Backfills. A line -- aml:optional before a conditional statement means that its condition may be false.
// The lines -- aml:allow and -- aml:manual are for the tools that check a folder (packages lint and diff). A misspelt directive is
// refused, see [folder.Misspelling].
//
// Several packages can share a keyspace. Each has a folder, and all but one of the folders have a name, see [folder.Name]. There is one
// lock for the keyspace, so two folders never change the schema at the same time, but each folder has separate records. A folder owns
// the tables and types that its files create: [Up] refuses a folder that creates, alters or drops objects of another folder. A line
// -- aml:shared declares a type that another folder creates, see [folder.Shared].
//
// The file aml.sum in the folder (see [folder.Sum]) causes a merge conflict if two branches both add a migration, so the mistake is
// noticed before production. [folder.Write] adds a file and updates aml.sum.
package migrate
