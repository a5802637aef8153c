// Package aml holds the three markers that turn Go structs into a model of aggregates for Apache Cassandra, and is the
// place where the tag that describes them is documented.
//
// A model is a Go package. Its structs say what is stored; `go tool aml generate` derives the user-defined types, the
// tables and a typed store from them:
//
//	package shop
//
//	//go:generate go tool aml generate
//
//	import (
//		"github.com/cassaml/cassaml/aml"
//		"github.com/gocql/gocql"
//	)
//
//	type Customer struct {
//		aml.Aggregate `aml:"customers"`
//
//		ID       gocql.UUID `aml:"id,identifier"`
//		Name     string     `aml:"name,required"`
//		Vehicles []Vehicle  `aml:"vehicles,composition"` // list<frozen<vehicle>>
//	}
//
//	type Vehicle struct {
//		aml.ValueObject `aml:"vehicle"`
//
//		Plate string
//		Color string
//	}
//
//	// One row for every vehicle of every customer, found by its plate.
//	type VehicleByPlate struct {
//		aml.Aggregate `aml:"vehicles,redundant=Customer.Vehicles,distinct"`
//
//		Plate string `aml:"plate,identifier"`
//		Color string `aml:"color"`
//		Owner Owner  `aml:"owner,composition,from=Customer"`
//	}
//
//	type Owner struct {
//		ID   gocql.UUID
//		Name string
//	}
//
// # The tag
//
// A tag is read like that of encoding/json: `aml:"name,option,option=value"`. The first element is the CQL name; when it
// is empty the name is the snake case of the Go name (UserID becomes user_id), and "-" leaves the field out. Commas
// inside <>, {} and single quotes do not separate options; the quotes around a name or a value are dropped, and inside
// them two stand for one. Fields of a struct that have no tag are attributes like any other.
//
// On a field:
//
//	identifier      part of the partition key, in the order of the fields
//	discriminator   part of the clustering key, in the order of the fields; asc (the default) or desc is its order
//	required        must have a value: an empty text, a zero time, a zero UUID and nil count as none
//	final           frozen: written as a whole
//	unique          on a slice: no repeat inside it, a set
//	composition     structs that belong to the aggregate by value: one (a UDT), a slice (a list) or a map
//	type=CQL        another CQL type than the default of the Go type: type=ascii, type=date, type=timeuuid
//	from=Path       in a redundant aggregate: where the value comes from, when it is not the field of the same name
//
// On the marker of an aggregate:
//
//	redundant=Path  this table is a function of another aggregate: one row for each value of Path
//	distinct        the developer vouches that no two rows of the source share a key of this table
//
// On the marker of a value object: final.
//
// # Paths
//
// A path is made of Go names: Customer.Vehicles.Plate. It descends through single compositions freely and through one
// collection at most; $key and $value name the key of a map and the element itself.
//
// # Types
//
// The Go type decides: bool boolean, int8 tinyint, int16 smallint, int32 int, int and int64 bigint, float32 float,
// float64 double, string text, []byte blob, time.Time timestamp, time.Duration time, gocql.Duration duration,
// gocql.UUID uuid, *inf.Dec decimal, *big.Int varint, net.IP and netip.Addr inet; a slice is a list, a
// map[T]struct{} a set, another map a map, and a pointer can be null. A type defined over one of these is stored like it.
package aml
