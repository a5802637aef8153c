// Package driver is the seam between stores and the drivers of Cassandra. A store, its migrations and its copies of tables send their
// requests through a [Session], which two packages make:
//
//	gocqldriver.New(session)  // a gocqlx.Session of github.com/scylladb/gocqlx/v2, over github.com/gocql/gocql
//	apachedriver.New(session) // a *gocql.Session of github.com/apache/cassandra-gocql-driver/v2
//
// Open of a generated store does this itself. A program calls it for [github.com/cassaml/cassaml/migrate.Up]:
//
//	err := migrate.Up(ctx, gocqldriver.New(session), files, migrate.Config{})
//
// The interfaces have no other implementations, and can get more methods.
package driver
