package model

// Model is the meaning of one package: what its structs and tags declare, every rule of the language applied.
type Model struct {
	Package    *Package
	Aggregates []*Aggregate // in source order
	Objects    []*Object    // what the aggregates compose, what an object needs before it
}

// Aggregate is a consistency boundary: one table, one row per value, read, written and deleted as a unit.
type Aggregate struct {
	Struct         *Struct
	Table          string           // CQL name
	Attributes     []*Attribute     // in the order of the fields
	Identifier     []*Attribute     // partition key
	Discriminators []*Discriminator // clustering key
	Redundancy     *Redundancy      // nil for a root, whose value is the truth

	unread bool // an identifier has a fault
}

// Root says whether the aggregate is the truth, not a projection of another.
func (a *Aggregate) Root() bool { return a.Redundancy == nil }

// Key gives the whole primary key: the identifier, then the discriminators.
func (a *Aggregate) Key() []*Attribute {
	key := append([]*Attribute(nil), a.Identifier...)
	for _, d := range a.Discriminators {
		key = append(key, d.Attribute)
	}
	return key
}

// Discriminator tells siblings of one identifier apart: a clustering column.
type Discriminator struct {
	*Attribute
	Order Order
}

// Order is the physical order of a discriminator's rows.
type Order int

// The orders of a clustering column.
const (
	Ascending Order = iota
	Descending
)

// Object is a struct inside an aggregate, stored as a user-defined type.
type Object struct {
	Struct     *Struct
	UDT        string // CQL name
	Attributes []*Attribute
	Final      bool // frozen wherever it is used
}

// Attribute is a typed value: a column of a table or a field of a user-defined type.
type Attribute struct {
	Field     *Field
	Path      []string // Go names from the struct to the value; more than one where plain structs are embedded
	Name      string   // CQL name
	Type      *Type
	Key       bool // identifier or discriminator
	Mandatory bool // must have a value
	Final     bool // frozen
	Pos       Pos
	Origin    *Origin // in a redundant aggregate: where its value comes from

	from Option // the from= option, not yet resolved
}

// GoName is the last Go name of the attribute's path.
func (a *Attribute) GoName() string { return a.Path[len(a.Path)-1] }

// TypeKind is the shape of a value.
type TypeKind int

// The shapes of values.
const (
	Scalar TypeKind = iota
	List
	Set
	MapType
	Composed // a user-defined type
)

// Type is the type of a value on both sides: what Go holds and what CQL stores.
type Type struct {
	Kind     TypeKind
	Go       *GoType // without the pointer of a nullable value
	Nullable bool    // Go holds a pointer, nil is null
	CQL      string  // Scalar: the native type's name
	Elem     *Type   // List, Set; MapType: the value
	Key      *Type   // MapType
	Object   *Object // Composed
	Final    bool    // its object is final
}

// Redundancy declares that each row of an aggregate is a function of one instance of a source.
type Redundancy struct {
	Source   *Aggregate
	Path     *Path // the collection or value that gives the rows; nil for one row per source
	Distinct bool  // the developer vouches for the key
	Pos      Pos

	text string // the path as written
}

// Path leads from an aggregate to a value: through single compositions freely, through one collection at most.
type Path struct {
	Source *Aggregate
	Steps  []*Attribute
	Loop   int // the step that is a collection the path goes into; -1: none
	Part   Part
}

// Part is what of a collection's entry a path takes.
type Part int

// The parts of an entry.
const (
	Element  Part = iota // the element or the value of the entry, or what the steps after the collection name in it
	EntryKey             // the key of a map's entry
)

// Origin says how a value of a redundant aggregate is made from its source.
type Origin struct {
	Path   *Path     // the value itself; with Fields, the struct that they are read from (nil: the root)
	Object *Object   // the struct to be made of Fields
	Fields []*Origin // one per attribute of Object
}
