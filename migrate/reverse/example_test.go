package reverse_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/cassaml/cassaml/migrate/catalog"
	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/reverse"
)

func ExampleAdopt() {
	files, err := folder.Read(fstest.MapFS{"0001_init.cql": {Data: []byte(`
		CREATE TYPE address (street text, zip text);
		CREATE TABLE customers (id int PRIMARY KEY, name text, addresses list<frozen<address>>) WITH gc_grace_seconds = 3600;
		CREATE INDEX by_name ON customers (name)`)}})
	fmt.Println(err)
	keyspace, err := catalog.Replay(files)
	fmt.Println(err)
	m, err := reverse.Adopt(keyspace, reverse.Config{Package: "shop"})
	fmt.Println(err)
	_, structs, _ := strings.Cut(string(m.Source), "\n)\n\n") // after the imports
	fmt.Print(structs)
	for _, gap := range m.Gaps {
		fmt.Println("gap:", gap)
	}
	// Output:
	// <nil>
	// <nil>
	// <nil>
	// // Customers is a row of table customers.
	// //
	// // The table differs from the struct:
	// //
	// //   - table customers, index by_name: a model cannot declare the index on name using legacy_local_table
	// type Customers struct {
	// 	aml.Aggregate `aml:"customers,gc_grace=3600"`
	//
	// 	ID        int32     `aml:"id,identifier"`
	// 	Name      string    `aml:"name"`
	// 	Addresses []Address `aml:"addresses,composition"`
	// }
	//
	// // Address is the type address.
	// type Address struct {
	// 	aml.ValueObject `aml:"address"`
	//
	// 	Street string `aml:"street"`
	// 	Zip    string `aml:"zip"`
	// }
	// gap: table customers, index by_name: a model cannot declare the index on name using legacy_local_table
}
