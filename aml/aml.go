package aml

// Aggregate marks a struct as the root of an aggregate: one table, one row per value. The tag of the embedded field
// contains the name of the table and the options of the whole aggregate, such as redundant=.
type Aggregate struct{}

// Entity marks a struct as an entity inside an aggregate, with an identity there.
type Entity struct{}

// ValueObject marks a struct as a value object: it has no identity and is compared by value. The tag of the embedded
// field contains the name of the user-defined type. A plain struct in a composition is a value object, too; the marker is
// needed only for another type name or for the option final.
type ValueObject struct{}
