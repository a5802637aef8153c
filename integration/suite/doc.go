// Package suite runs the tests of a package over the driver that the variable AML_DRIVER names: gocql, which is the default, or apache.
//
//	func TestMain(m *testing.M) { suite.Main(m) }
//
// The tests create sessions of gocql in each case, with which they look at rows. Over Apache's driver, each session that package cassandra
// creates has a session of Apache's driver with the same configuration, and stores and migrations on the session of gocql send all requests
// through it. A session that was created otherwise panics when a store or a migration uses it. Apache's driver speaks version 5 of the
// native protocol, as it does by default, and version 4 if the test changes the frames of its connections.
//
// The following packages run over both drivers:
//
//	integration/faults               lost answers, killed nodes and killed processes; the processes of these tests inherit AML_DRIVER
//	integration/migrate              migrate.Up
//	integration/migrations           plans that are applied, copies of columns and tables
//	integration/projection           random models on a node
//	integration/store                generated stores
//	integration/values               values of every type
//	mapper/internal/conformance      the backend in memory against a node
//
// All other packages with a server run over gocql alone, and refuse AML_DRIVER=apache:
//
//	codegen/cmd/aml, integration/command  the command uses gocql, whatever the driver of the store
//	examples                              its programs use gocql
//	integration/bench/node                measures both drivers in one run
//	integration/cassandra                 no requests of stores or migrations
//	integration/language                  whether a node accepts a schema: no requests of stores or migrations
package suite
