// Package examples holds the tests of the example programs; each of the programs is a folder.
//
//	quickstart            the tour: migrations, a store, every statement and every row
//	vehicles/approach1    a client with its vehicles in one row, in a list; approach1map: in a map
//	vehicles/approach2    the same, and a redundant table of the vehicles
//	vehicles/approach3    the same, with the owner in each vehicle's row
//	vehicles/approach4    a vehicle with its client in one row
//	vehicles/approach5    the same, and a redundant table of the clients
//	vehicles/approach6    a client with the keys of its vehicles
//	vehicles/approach7    a vehicle with the key of its client
//	vehicles/approach8    a table of pairs, from both sides
//	library               Chebotko's digital library
//	marketplace           users, sellers, products, orders and reviews
//
// Each starts a Cassandra, or uses that of CASSANDRA_HOSTS, uses a keyspace of its own, prints what it sends and what
// the tables hold then, and leaves nothing behind:
//
//	go run ./examples/vehicles/approach3
//
// Beside them stand models without a program: documents, game, and the forms of the approaches that keep, with an
// optimistic lock or checked references, what the plain ones leave to the application (vehicles/approach2versioned,
// approach3versioned, approach5versioned, approach6checked, approach7checked, approach8unique).
package examples
