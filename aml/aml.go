package aml

// Aggregate marks a struct as the root of an aggregate: one table, one row per value. The tag of the embedded field
// names the table and carries what concerns the whole of it, such as redundant=.
type Aggregate struct{}

// Entity marks a struct as a secondary entity: it is inside an aggregate and has an identity there.
type Entity struct{}

// ValueObject marks a struct as a value object: it has no identity and is equal by value. The tag of the embedded
// field names the user-defined type. A plain struct used in a composition is a value object too; the marker is only
// needed to give it another name or to make it final.
type ValueObject struct{}
