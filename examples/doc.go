// Package examples contains the tests of the example programs. Each program is a folder.
//
//	quickstart            the model of README.md: migrations, a store, every statement and every row
//	vehicles/approach1    a client with its vehicles in one row, in a list; approach1map: in a map
//	vehicles/approach2    the same, and a redundant table of the vehicles
//	vehicles/approach3    the same, with the owner in each vehicle's row
//	vehicles/approach2versioned, approach3versioned: the same with an optimistic lock, and with plates that have one owner
//	vehicles/approach4    a vehicle with its client in one row
//	vehicles/approach5    the same, and a redundant table of the clients
//	vehicles/approach5versioned: the same with the client as the source, which its vehicles follow
//	vehicles/approach6    a client with the keys of its vehicles
//	vehicles/approach7    a vehicle with the key of its client
//	vehicles/approach6checked, approach7checked: the same with checked references
//	vehicles/approach8    a table of pairs, from both sides; approach8unique: each vehicle in one pair
//	booking               rooms, guests and bookings: versions and a unique e-mail
//	library               Chebotko's digital library
//	marketplace           users, sellers, products, orders and reviews
//	game/parts            a game whose rounds are parts
//	game/auction          an auction whose bids are parts in its table, and saved with it
//	queue                 a queue whose tasks are its parts, with producers and consumers that are killed
//	secrets               a tree of secrets, listed folder by folder
//	cookbook              the recipes of docs/cookbook.md, in memory: this one starts no server
//	traces                spans, and an index of them that is divided into buckets
//
// The vehicles are the eight ways to store a 1:N relationship that were compared on Cassandra with AML (Araújo, 2025). Their tables
// and columns have the published names, which are Portuguese.
//
// Each program starts a Cassandra, or uses the server in CASSANDRA_HOSTS. It uses a new keyspace, prints its requests and the
// contents of the tables after each step, and drops the keyspace:
//
//	go run ./examples/vehicles/approach3
//
// Models without a program are documents and the embedded form of game.
package examples
