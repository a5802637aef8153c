// Package aml contains the three markers that turn Go structs into a model of aggregates for Apache Cassandra, and documents
// the aml tag.
//
// A model is a Go package. Its structs describe the stored data; `go tool aml generate` derives the user-defined types, the
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
//	// VehicleByPlate has one row for each vehicle of each customer, found by its plate.
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
// With -schema, the command writes only the schema. A generated store executes the whole language except for a few types, which the
// command refuses (AML103). docs/language.md in this repository is the reference, with an example of
// every option and its CQL.
//
// # The tag
//
// A tag has a form similar to a tag of encoding/json: `aml:"name,option,option=value"`. The first element is the CQL name; if
// it is empty, the name is the Go name in snake case (UserID becomes user_id). "-" omits the field. Commas inside <>, {} and
// single quotes do not separate options. Quotes around a name or a value are removed; inside them, two quotes are one. Fields
// of a struct that have no tag are attributes, too. Types, fields, methods and groups are referred to by their Go names.
//
// # Options of a field
//
//	identifier        part of the partition key, in the order of the fields; the identity of an entity
//	discriminator     part of the clustering key, in the order of the fields; the qualifier of a value object
//	asc, desc         the order of a discriminator's rows; asc is the default
//	static            one value for the whole partition
//	required          must have a value: nil, an empty text, a zero time and a zero UUID are no value
//	final             frozen: written as one cell. On a field of one cell of a root: only Insert sets it
//	enum              only the constants that the package of the type declares are written
//	unique            on a slice: a set. On a single value: no other row of the table has it; needs version
//	unique=Group      the same for several fields together
//	min=N, max=N      the limits of the number of values of a collection
//	composition       structs that belong to the aggregate by value: one (a UDT), a slice (a list) or a map
//	qualifier=F+G     a slice of structs that is stored as a map, by fields of its elements
//	association=Root  the key of another root; association=Root.Field on each field if the key has several
//	checked           the association's root must exist; needs version on both
//	ondelete=         with checked: restrict (the default), cascade or clear; with copy=: restrict or keep
//	xor=Group         at most one of the group has a value, with required exactly one; a column contains its name
//	any=Group         at least one of the group has a value
//	version           int64, the optimistic lock; the store maintains it
//	counter           int64; then all columns outside the key must be counters
//	index             a storage-attached index; index='similarity_function=COSINE' with options
//	type=CQL          another CQL type than the default: without <> of the element, with <> of the column
//	from=Path         in a redundant aggregate: the origin of the value, if it is not the field with the same name
//	copy=Root.Field   follows a field of the association's root above it, which needs no version if it is final; copy=Root on a composition with its key
//	secret            not shown in errors, logs or traces
//	ttl               no column has the time.Duration: reads set it to the remaining TTL of the row
//	was=name          the column's earlier name
//
// # Options of a marker
//
// The tag of an embedded Aggregate, or of an Entity with part=, contains the name of the table; the tag of any other Entity
// or of a ValueObject contains the name of the user-defined type:
//
//	redundant=Path    this table is derived from another aggregate: one row for each value of Path
//	distinct          an assurance that no two rows of the source have the same key in this table
//	shared            a row belongs to all sources that write it, and is never deleted
//	unlogged          its rows are written after the rows of the source, outside of the logged batch
//	cache=12h         with shared: a process does not write a row again that it has written within this time
//	when=Path         the row exists while Path is true, or not nil; also 'Path = constant', 'Path in (a, b)'
//	part=Root         on an Entity: each is a row of the root's aggregate, in a separate table or in the root's
//	of=Struct         a view: some columns of another struct's table, only for reading
//	headrow           each partition of a versioned root with parts begins with a row that is always there
//	large             a write above the limit of a batch is several batches
//	rows=N            the expected number of rows of a partition, for the estimate of its size
//	ttl=N             TTL in seconds; a redundant aggregate can have a separate one
//	ttl=$name:N       the same, with a TTL that the program sets when it opens the store; N is the default
//	comment=, gc_grace=N, with='…'   properties of the table
//	final             on a ValueObject or an Entity: frozen wherever it is composed
//	was=name          the earlier name of the table or type
//
// # Paths
//
// A path consists of Go names: Customer.Vehicles.Plate. It goes through any number of single compositions and at most one
// collection; $key, $value and $index are the key of a map, the element itself and its index in a list. Its last step can be
// a method of the aggregate's own struct, without parameters and with one result: from=Video.Day(). In redundant= the method
// returns a slice, with one row for each element.
//
// The key of a redundant aggregate contains the whole key of its source and the fields that distinguish the elements of the collection,
// or a field that is unique in the source; or the marker has distinct or shared.
//
// # Types
//
// The Go type determines the CQL type: bool boolean, int8 tinyint, int16 smallint, int32 int, int and int64 bigint, float32 float,
// float64 double, string text (or ascii), []byte blob, time.Time timestamp (or date, time), gocql.Duration duration,
// time.Duration with type=time time, gocql.UUID and every other [16]byte uuid (or timeuuid), *inf.Dec decimal, *big.Int varint,
// net.IP and netip.Addr inet, [N]float32 a vector; a slice is a list, a map[T]struct{} a set, another map a map; a struct is a user-defined type with
// composition, a tuple with type=tuple; a pointer and a sql.Null can be null. A type defined over one of these is stored
// like it. Types with MarshalCQL and UnmarshalCQL, or Value and Scan, are stored as the type of type=; types with MarshalText
// and UnmarshalText are stored with type=text, netip.AddrPort and netip.Prefix without it.
//
// # Warnings
//
// A model that is valid but may contain a mistake causes a warning. A comment //aml:ignore CODE reason, at the end of a
// line or above a field or a declaration, silences one warning there.
package aml
