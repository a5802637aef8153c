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
// The command takes -schema, which writes the schema alone: the language is larger than what a generated store executes
// today, and what it cannot do yet is refused by name (AML103). docs/language.md in this repository is the reference, with
// an example of every option and the CQL that it becomes, and says which of them are schema only.
//
// # The tag
//
// A tag is read like that of encoding/json: `aml:"name,option,option=value"`. The first element is the CQL name; when it
// is empty the name is the snake case of the Go name (UserID becomes user_id), and "-" leaves the field out. Commas
// inside <>, {} and single quotes do not separate options; the quotes around a name or a value are dropped, and inside
// them two stand for one. Fields of a struct that have no tag are attributes like any other. Types, fields, methods and
// groups are named in Go names.
//
// # Options of a field
//
//	identifier        part of the partition key, in the order of the fields; what identifies an entity
//	discriminator     part of the clustering key, in the order of the fields; what qualifies a value object
//	asc, desc         the order of a discriminator's rows; asc is the default
//	static            one value for the whole partition
//	required          must have a value: nil, an empty text, a zero time and a zero UUID count as none
//	final             frozen: written as a whole
//	unique            on a slice: a set. On a single value: no other row of the table has it; needs version
//	unique=Group      the same of several fields together
//	min=N, max=N      how many values a collection has
//	composition       structs that belong to the aggregate by value: one (a UDT), a slice (a list) or a map
//	qualifier=F+G     a slice of structs that is stored as a map, by fields of its elements
//	association=Root  the key of another root; association=Root.Field on each field of a key of several
//	checked           the association's root must exist; needs version on both
//	ondelete=         with checked: restrict (the default), cascade or clear; with copy=: restrict or keep
//	xor=Group         at most one of the group has a value, with required exactly one; a column names it
//	any=Group         at least one of the group has a value
//	version           int64, the optimistic lock; it belongs to the tool
//	counter           int64; all columns outside the key are counters then
//	index             a storage-attached index; index='similarity_function=COSINE' with options
//	type=CQL          another CQL type than the default: of the element without <>, of the column with them
//	from=Path         in a redundant aggregate: where the value comes from, when it is not the field of the same name
//	copy=Root.Field   follows a field of the association's root above it; copy=Root on a composition with its key
//	secret            shown by no error, log or trace
//	was=name          the column's earlier name
//
// # Options of a marker
//
// The tag of an embedded Aggregate names the table, that of an Entity or a ValueObject the user-defined type, that of an
// Entity with part= a table again:
//
//	redundant=Path    this table is a function of another aggregate: one row for each value of Path
//	distinct          the developer vouches that no two rows of the source share a key of this table
//	shared            a row belongs to all sources that give it, and is never deleted
//	when=Path         the row exists while Path is true, or not nil
//	part=Root         on an Entity: one row of the root's aggregate for each, in a table of its own or in the root's
//	of=Struct         a view: some fields of another struct's table, for readers
//	rows=N            how many rows a partition will have, for the estimate of its size
//	ttl=N             seconds to live; of a redundant aggregate also by itself
//	comment=, gc_grace=N, with='…'   properties of the table
//	final             on a ValueObject or an Entity: frozen wherever it is composed
//	was=name          the earlier name of the table or type
//
// # Paths
//
// A path is made of Go names: Customer.Vehicles.Plate. It descends through single compositions freely and through one
// collection at most; $key, $value and $index name the key of a map, the element itself and its place in a list. Its last
// step can be a method of the aggregate's own struct, without parameters and with one result: from=Video.Day(). In
// redundant= it returns a slice, one row for each element.
//
// The key of a redundant aggregate holds the whole key of its source and what tells the elements of the collection apart,
// or a field that is unique in the source; or the marker says distinct or shared.
//
// # Types
//
// The Go type decides: bool boolean, int8 tinyint, int16 smallint, int32 int, int and int64 bigint, float32 float,
// float64 double, string text (or ascii), []byte blob, time.Time timestamp (or date, time), gocql.Duration duration,
// time.Duration with type=time time, gocql.UUID uuid (or timeuuid), *inf.Dec decimal, *big.Int varint, net.IP and netip.Addr inet,
// [N]float32 a vector; a slice is a list, a map[T]struct{} a set, another map a map; a struct is a user-defined type with
// composition, a tuple with type=tuple; a pointer and a sql.Null can be null. A type defined over one of these is stored
// like it. Types with MarshalCQL and UnmarshalCQL, or Value and Scan, are stored as type= says, those with MarshalText and
// UnmarshalText with type=text.
//
// # Warnings
//
// A model that is sound but may not be what was meant is warned about. A comment //aml:ignore CODE reason, at the end of a
// line or above a field or a declaration, silences one warning there.
package aml
