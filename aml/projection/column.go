package projection

import "slices"

// Kind is the kind of a column in its table.
type Kind uint8

// The kinds of columns, in the order in which the runtime lists them; Static and Regular are mixed.
const (
	PartitionKey Kind = iota
	ClusteringKey
	Static
	Regular
)

var (
	kindNames = [...]string{"PartitionKey", "ClusteringKey", "Static", "Regular"}
	kindTexts = [...]string{"partition_key", "clustering", "static", "regular"}
)

// String returns the kind as system_schema.columns prints it.
func (k Kind) String() string { return kindTexts[k] }

// GoString returns the name of the constant.
func (k Kind) GoString() string { return kindNames[k] }

// ParseKind returns the kind of a text from system_schema.columns; ok is false for any other text.
func ParseKind(text string) (k Kind, ok bool) {
	i := slices.Index(kindTexts[:], text)
	return Kind(max(i, 0)), i >= 0
}

// Cells describes the cells in which Cassandra stores a column's value. A cell can change separately.
type Cells uint8

// The ways to store a value.
const (
	Single Cells = iota // one: native types, and whatever is frozen
	List                // a list that is not frozen; always written as a whole, because a repeated write of an element adds it again
	Set                 // a set that is not frozen: one per element
	Map                 // a map that is not frozen: one per entry
	UDT                 // a UDT that is not frozen: one per field
)

// GoString returns the name of the constant.
func (c Cells) GoString() string { return [...]string{"Single", "List", "Set", "Map", "UDT"}[c] }

// Values returns the number of values of an element of a collection.
func (c Cells) Values() int {
	if c == Map {
		return 2
	}
	return 1
}

// Lookup is how rows are found by an index.
type Lookup uint8

// The lookups.
const (
	Equals   Lookup = iota // the column has the value
	Contains               // an element of the set or list is the value
	Near                   // the nearest vectors, the nearest first
)

// GoString returns the name of the constant.
func (l Lookup) GoString() string { return [...]string{"Equals", "Contains", "Near"}[l] }
