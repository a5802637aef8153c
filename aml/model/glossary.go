package model

import (
	"slices"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// Model has the declarations of the structs and tags of one package, after all rules of the language have been checked.
type Model struct {
	Package    *Package
	Aggregates []*Aggregate // roots, redundant aggregates and parts, in source order
	Objects    []*Object    // composed by the aggregates, each after the objects that it composes
	Views      []*View
}

// Aggregate is a consistency boundary: one table, one row per value, read, written and deleted as a unit. A part is a row of
// its root's aggregate, in a separate table or in the root's.
type Aggregate struct {
	Struct         *Struct
	Tag            Tag
	Table          string           // CQL name
	Attributes     []*Attribute     // ordered like the fields
	Identifier     []*Attribute     // partition key
	Discriminators []*Discriminator // clustering key
	Disjunctions   []*Disjunction
	Alternatives   []*Alternatives
	Uniques        []*Unique
	Associations   []*Association // references by single fields and by keys, also inside objects
	Copies         []*Copy
	FinalCopies    []*Copy      // the copies of fields that never change; they have no table
	Version        *Attribute   // the optimistic lock; nil for a plain aggregate
	Counter        bool         // all columns outside the key are counters
	Redundancy     *Redundancy  // nil for a source
	Root           *Aggregate   // set for a part
	InRootTable    bool         // the rows of the part are in the root's table
	Parts          []*Aggregate // set for a root
	Projections    []*Aggregate // the redundant aggregates that are a function of this root or part
	Properties     Properties
	Remaining      *Remaining // set for a root with a field that shows the remaining TTL of a row
	HeadRow        bool       // each partition of the table with parts begins with a row that is always there
	Large          bool       // a write above the limit of a batch is several batches
	Rows           int        // expected rows of a partition; 0: not declared
	Was            string     // the table's earlier name

	unread  bool         // an identifier has a fault
	methods []*Attribute // the ends of paths through methods
}

// IsSource reports whether the program writes the aggregate directly, so that it is not derived from another.
func (a *Aggregate) IsSource() bool { return a.Redundancy == nil }

// Key returns the whole primary key: the identifier, then the discriminators.
func (a *Aggregate) Key() []*Attribute {
	key := append([]*Attribute(nil), a.Identifier...)
	for _, d := range a.Discriminators {
		key = append(key, d.Attribute)
	}
	return key
}

// Versioned reports whether the aggregate, or the root of the part, has an optimistic lock.
func (a *Aggregate) Versioned() bool {
	return a.Version != nil || a.Root != nil && a.Root.Version != nil
}

// InBatches reports whether a batch of several aggregates can have writes of the aggregate: it is a plain root or a part of one, without
// copied fields. Other writes are conditional, have no timestamp, follow from a root, or read another root.
func (a *Aggregate) InBatches() bool {
	return a.IsSource() && !a.Counter && !a.Versioned() && len(a.FinalCopies) == 0
}

// Discriminator is a clustering column: it distinguishes rows with the same identifier.
type Discriminator struct {
	*Attribute
	Order Order
}

// Order is the order in which Cassandra stores the rows of a partition.
type Order int

// The orders of a clustering column.
const (
	Ascending Order = iota
	Descending
)

// Object is a struct inside an aggregate, stored as a user-defined type, or as a tuple if its field has type=tuple: a
// value object, compared by value, or an entity, which has an identity within its root.
type Object struct {
	Struct       *Struct
	Entity       bool
	UDT          string // CQL name; "" for a tuple
	Attributes   []*Attribute
	Identity     []*Attribute // an entity's identifier, a value object's discriminators
	Disjunctions []*Disjunction
	Alternatives []*Alternatives
	Final        bool // frozen wherever it is used
	Was          string

	way    []visit // the structs being read when it was first composed
	values int     // number of values, including the values of the objects that it composes
	depth  int     // levels of objects that it composes
}

// Attribute is a typed value: a column of a table or a field of a user-defined type.
type Attribute struct {
	Field        *Field   // nil for the hidden column of a disjunction
	Path         []string // Go names from the struct to the value; more than one where plain structs are embedded
	Name         string   // CQL name
	Type         *Type
	Tag          Tag
	Key          bool // identifier or discriminator
	Nested       bool // a field of a composed struct, not a column
	Static       bool // one value per partition
	Mandatory    bool // must have a value
	Final        bool // frozen
	Fixed        bool // only Insert sets it
	Enum         bool // only the constants of its Go type are written
	Secret       bool // never in an error, a log or a trace
	Counter      bool
	Multiplicity Multiplicity
	Disjunction  *Disjunction  // the group that it is a member of, or whose name it contains
	Alternative  *Alternatives // the group of which at least one has a value
	Association  *Association
	Copy         *Copy
	Index        *Index
	Was          string // the column's earlier name
	Pos          Pos
	Origin       *Origin // the source of its value; set in a redundant aggregate

	from   Option  // the from= option, not yet resolved
	method *Method // set at the end of a path through a method
}

// GoName is the last Go name of the attribute's path.
func (a *Attribute) GoName() string { return a.Path[len(a.Path)-1] }

// Method returns the method whose result the attribute is; nil for a field.
func (a *Attribute) Method() *Method { return a.method }

// Multiplicity limits the number of values of a collection; -1 is no limit.
type Multiplicity struct{ Min, Max int }

// TypeKind is the shape of a value.
type TypeKind int

// The shapes of values.
const (
	Scalar TypeKind = iota
	List
	Set
	MapType
	Composed // a user-defined type
	Tuple    // tuple<…>: of an object, or of the attributes that qualify a composition
	Vector   // vector<float, n>
	Declared // the CQL type of type=, converted by the user's own Go code
)

// Conversion is the code that encodes a Go value.
type Conversion int

// The conversions.
const (
	ByKind Conversion = iota // the generated code
	ByCQL                    // MarshalCQL and UnmarshalCQL
	ByText                   // MarshalText and UnmarshalText
	BySQL                    // Value and Scan
)

// Type is the type of a value in Go and in CQL.
type Type struct {
	Kind       TypeKind
	Go         *GoType // a nullable value has the type without the pointer
	Nullable   bool    // the Go type is a pointer or a sql.Null; nil is null
	SQLNull    bool    // it is a sql.Null
	CQL        string  // Scalar: the native type's name
	Conversion Conversion
	Elem       *Type         // List, Set, Vector; MapType: the value
	Key        *Type         // MapType
	Object     *Object       // Composed, Tuple of a struct
	Members    []*Type       // Tuple
	Qualifier  []*Attribute  // MapType that is a slice in Go: the attributes of the element that are its key
	Size       int           // Vector
	Spelled    *cqltype.Type // Declared
	Final      bool          // its object is final
}

// Disjunction is a group of attributes of which at most one has a value: XOR. A text column contains the name
// of the member in use.
type Disjunction struct {
	Name      string
	Members   []*Attribute
	Column    *Attribute // the field with the group's name, else hidden
	Mandatory bool       // exactly one
}

// Alternatives is a group of attributes of which at least one has a value.
type Alternatives struct {
	Name    string
	Members []*Attribute
}

// Unique declares that the value of an attribute, or of several together, is different in each row of a table. The values are
// claimed in a reservation table.
type Unique struct {
	Name  string  // Go names of the path joined, or the group's
	Paths []*Path // the attributes
	Table string  // the reservation table
}

// Association is a reference to the root of another aggregate by its key.
type Association struct {
	Attribute *Attribute
	Path      []*Attribute // the steps from the aggregate to the attribute
	Target    *Aggregate
	Of        *Attribute // the attribute of the target's key that is stored; nil for the whole key
	Many      bool
	Checked   bool // the target must exist
	OnDelete  OnDelete
	Table     string // checked: the table of the references to a target
	Rows      int    // expected references to one target; 0: not declared

	Fields []*Attribute // the fields with the target's key, in its order, or the attribute itself if it has the whole key; nil without Table
}

// Buckets returns the number of partitions that have the references to one target.
func (x *Association) Buckets() int { return buckets(x.Rows) }

// OnDelete is the effect of deleting the target of a reference.
type OnDelete string

// The effects.
const (
	Restrict OnDelete = "restrict" // the target is not deleted
	Cascade  OnDelete = "cascade"  // the referring aggregates are deleted
	Clear    OnDelete = "clear"    // the reference is set to null
	Keep     OnDelete = "keep"     // the copy keeps its values
)

// Copy contains some of another aggregate's own fields together with its whole key: an extended reference. The other aggregate
// is the source.
type Copy struct {
	Attribute   *Attribute // the composition, or the association's attribute that the single fields belong to
	Target      *Aggregate
	Association *Association  // set for copies of single fields
	Fields      []CopiedField // the key excluded
	OnDelete    OnDelete
	Table       string // the reverse table: the aggregates that copy a target; the reverse table of Association if it is checked; "" if the fields never change
	Rows        int    // expected aggregates that copy one target; 0: not declared

	keys []CopiedField // the fields of the composition with the key of the target
}

// member returns the field of the composition with a field of the target's key, or nil.
func (c *Copy) member(key *Attribute) *Attribute {
	i := slices.IndexFunc(c.keys, func(f CopiedField) bool { return f.From == key })
	if i < 0 {
		return nil
	}
	return c.keys[i].Held
}

// Checked reports whether the reference of copied single fields is checked. The reference then has the reverse table, and its OnDelete decides.
func (c *Copy) Checked() bool { return c.Association != nil && c.Association.Checked }

// Reference returns the fields of an aggregate, or of the composition in it, with the key of the target, in its order.
func (c *Copy) Reference(a *Aggregate) (out []*Attribute) {
	if c.Association == nil {
		for _, k := range c.Target.Key() {
			out = append(out, c.member(k))
		}
		return out
	}
	for _, r := range References(a.Attributes) {
		if slices.Contains(r.Fields, c.Attribute) {
			return r.Fields
		}
	}
	return nil
}

// FinalCopy returns the copy of fields that never change to which a field of the aggregate belongs, as a copied field or as its reference; nil for none.
func (a *Aggregate) FinalCopy(at *Attribute) *Copy {
	for _, c := range a.FinalCopies {
		if at.Copy == c || slices.Contains(c.Reference(a), at) {
			return c
		}
	}
	return nil
}

// Buckets returns the number of partitions that have the aggregates that copy one target.
func (c *Copy) Buckets() int { return buckets(c.Rows) }

// bucketRows is the greatest number of rows that a bucket is made for.
const bucketRows = 50_000

// buckets returns the number of buckets for an expected number of rows.
func buckets(rows int) int { return max(1, (rows+bucketRows-1)/bucketRows) }

// CopiedField is a field that follows a field of the target.
type CopiedField struct{ Held, From *Attribute }

// Index is a secondary index of a column, read by a separate method.
type Index struct {
	Name    string
	Options []IndexOption
}

// IndexOption is an option of an index, as in WITH OPTIONS = {'name': 'value'}.
type IndexOption struct{ Name, Value string }

// Properties are the declared properties of a table.
type Properties struct {
	TTL     int    // seconds; 0: none, or with a TTLName no default
	TTLName string // the name under which a store is given the TTL at start-up; "" for a constant
	Comment string
	GCGrace int    // seconds; -1: the server's default
	With    string // CQL
}

// View is a separate struct with some columns of a table; it is only read.
type View struct {
	Struct     *Struct
	Of         *Aggregate
	Attributes []*Attribute
	Columns    []*Attribute // the attributes of Of
}

// Redundancy declares that each row of an aggregate is a function of one instance of a source.
type Redundancy struct {
	Source   *Aggregate
	Path     *Path      // the collection whose elements have rows; nil for one row per source
	When     *Path      // the row exists while this is true or not nil
	OneOf    []Constant // the values of When with which the row exists; nil: true, or any that is not nil
	Distinct bool       // the developer assures that the key is unique
	Shared   bool       // a row belongs to all sources that write it, and is never deleted
	Unlogged bool       // its rows are not in the logged batch of a write
	Cache    int        // seconds for which a process does not write a row again that it has written; 0: none
	Pos      Pos

	text string // the path as written
	when Option
}

// Path leads from an aggregate to a value, through any number of single compositions and at most one collection. Its first step
// can be a method of the aggregate's struct.
type Path struct {
	Source *Aggregate
	Steps  []*Attribute
	Loop   int // the index of the step whose collection the path goes into; -1: none
	Part   Part
}

// Part is the part of a collection's entry that a path leads to.
type Part int

// The parts of an entry.
const (
	Element  Part = iota // the element or the value of the entry, or the value in it at the end of the next steps
	EntryKey             // the key of a map's entry
	Position             // the index in a list, from 0
)

// Method returns the method in the path; nil if it has none.
func (p *Path) Method() *Method {
	if p == nil || len(p.Steps) == 0 {
		return nil
	}
	return p.Steps[0].method
}

// Origin describes how a value of a redundant aggregate is derived from its source.
type Origin struct {
	Path   *Path     // the value; with Fields, the struct that they are read from
	Object *Object   // the struct that is built from Fields
	Fields []*Origin // one per attribute of Object
}

// foreign reports whether a root belongs to another package.
func (m *Model) foreign(a *Aggregate) bool { return a.Struct.Path != m.Package.Path }

// Hidden reports whether the struct has no field for the attribute.
func (a *Attribute) Hidden() bool { return a.Field == nil && a.method == nil }

// Frozen reports whether the attribute was declared to be written as a whole.
func (a *Attribute) Frozen() bool { return a.Final || a.Type.Final && a.Type.Kind == Composed }
