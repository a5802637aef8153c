package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/projection"
)

// Schema is the schema of a model in one keyspace.
type Schema struct {
	Types  []*UDT   // each after the types that it uses
	Tables []*Table // ordered like the model; each is followed by its derived tables
	Stored []*Table // the same as a store reads and writes them: a table with the rows of a part is two, see [Schema.stored]
	Views  []*View  // ordered like the model
}

// UDT is a user-defined type.
type UDT struct {
	Name   string
	Fields []*Field
	Object *model.Object
}

// Field is a field of a user-defined type.
type Field struct {
	Name      string
	Type      *Type
	Attribute *model.Attribute
}

// Table is a table; its columns are in the order of their declaration.
type Table struct {
	Name          string
	Columns       []*Column
	PartitionKey  []*Column
	ClusteringKey []*Column
	Aggregate     *model.Aggregate // nil for a derived table
	Part          *model.Aggregate // the part whose rows are in this table of a root
	Statics       bool             // set in Stored for a root whose columns are the static columns of a table with the rows of a part
	Properties    []Property
	TTL           int        // the TTL of a row, in seconds; 0: none, or only names without a default, see Expires
	Lifetimes     []Lifetime // the TTLs of which the shortest applies; nil if none of them has a name
	Remaining     *Column    // the column whose remaining TTL a field of the root shows; nil for none, and in a view
	Indexes       []*Index
	Computed      []*model.Attribute // methods that projections of a row read; their results are registers after the columns
	Projections   []*Projection      // the projections that fill the redundant tables of a root
	Versioning    *Versioning        // set for a versioned root
	Derived       *model.Aggregate   // the aggregate that needs the derived table; nil for a table of an aggregate
	Buckets       int                // the number of partitions of one target in a reverse table; 0 for any other table
}

// Column is a column of a table.
type Column struct {
	Name      string
	Type      *Type
	Kind      Kind
	Order     model.Order      // set for a clustering column
	Attribute *model.Attribute // nil for one of the tool's own columns
	From      *model.Attribute // the attribute that has its values; set in the key of a derived table
}

// Kind is the kind of a column in its table.
type Kind = projection.Kind

// The kinds of columns.
const (
	PartitionKey  = projection.PartitionKey
	ClusteringKey = projection.ClusteringKey
	Static        = projection.Static
	Regular       = projection.Regular
)

// InKey reports whether a column is part of the primary key.
func (c *Column) InKey() bool { return c.Kind == PartitionKey || c.Kind == ClusteringKey }

// Property is a property of a table in CQL; the text of with= has no name.
type Property struct{ Name, Value string }

// Key returns the whole primary key.
func (t *Table) Key() []*Column { return slices.Concat(t.PartitionKey, t.ClusteringKey) }

// Head is the hidden first clustering column of a table whose partitions begin with a head row: false in the head row, and true in the
// rows of the part.
const Head = "aml_part"

// HasHead reports whether the partitions of the table begin with a head row.
func (t *Table) HasHead() bool {
	return len(t.ClusteringKey) > 0 && t.ClusteringKey[0].Name == Head && t.ClusteringKey[0].Attribute == nil
}

// Discriminators returns the clustering columns that are attributes.
func (t *Table) Discriminators() []*Column {
	if t.HasHead() {
		return t.ClusteringKey[1:]
	}
	return t.ClusteringKey
}

// Prefix returns the columns that a read of the rows of one partition restricts: the partition key and, with a head row, Head.
func (t *Table) Prefix() []*Column { return t.Key()[:len(t.Key())-len(t.Discriminators())] }

// KeyText returns the primary key as text: (partition | clustering desc).
func (t *Table) KeyText() string {
	text := strings.Join(Names(t.PartitionKey), ", ")
	for i, c := range t.ClusteringKey {
		separator := ", "
		if i == 0 {
			separator = " | "
		}
		if text += separator + model.Quote(c.Name); c.Order == model.Descending {
			text += " desc"
		}
	}
	return "(" + text + ")"
}

// Ordered returns the columns in the order of the runtime: the primary key, then the others as declared.
func (t *Table) Ordered() []*Column {
	out := t.Key()
	for _, c := range t.Columns {
		if c.Kind == Regular || c.Kind == Static {
			out = append(out, c)
		}
	}
	return out
}

// Table returns the table of an aggregate as a store sees it.
func (s *Schema) Table(a *model.Aggregate) *Table {
	return s.Stored[slices.IndexFunc(s.Stored, func(t *Table) bool { return t.Aggregate == a })]
}

// Lifetime is a TTL of the rows of a table.
type Lifetime struct {
	Name    string // the name under which a store is given the TTL at start-up; "" for a constant
	Seconds int    // the TTL, or the default of a name; 0: no default
}

// Expires reports whether the rows have a TTL.
func (t *Table) Expires() bool { return t.TTL > 0 || t.Lifetimes != nil }

// TTLText returns the TTL of the rows as text: "3600 seconds", or "$retention (172800 seconds by default)".
func (t *Table) TTLText() string {
	text := make([]string, 0, len(t.Lifetimes))
	for _, l := range t.Lifetimes {
		switch {
		case l.Name == "":
			text = append(text, fmt.Sprintf("%d seconds", l.Seconds))
		case l.Seconds == 0:
			text = append(text, "$"+l.Name)
		default:
			text = append(text, fmt.Sprintf("$%s (%d seconds by default)", l.Name, l.Seconds))
		}
	}
	switch len(text) {
	case 0:
		return fmt.Sprintf("%d seconds", t.TTL)
	case 1:
		return text[0]
	}
	return "the shorter of " + strings.Join(text, " and ")
}

// View contains the columns that a view reads: the whole key, which finds a row and identifies it in messages, and the columns
// of its fields.
type View struct {
	*Table // it has the name and key of the view's table
	Model  *model.View
}

// Attribute returns the attribute of a view for a column. It returns nil for a key column that the view does not have, and for a hidden
// column.
func (v *View) Attribute(c *Column) *model.Attribute {
	if c.Attribute == nil {
		return nil
	}
	if i := slices.Index(v.Model.Columns, c.Attribute); i >= 0 {
		return v.Model.Attributes[i]
	}
	return nil
}

// Names returns the names of columns, quoted as in CQL.
func Names(in []*Column) []string {
	var out []string
	for _, c := range in {
		out = append(out, model.Quote(c.Name))
	}
	return out
}

// Deleted is the hidden column that is not null in the row of a deleted versioned root. Programs that read the table with their own
// CQL must skip such rows.
const Deleted = "aml_deleted"

// Live is the hidden column that is null in the row of a deleted or expired root, if the rows of the root expire. It expires with the columns
// of the model. The version, the key and the other hidden columns are kept longer, so that the versions of the row go on.
const Live = "aml_live"

// pending is the hidden column of a versioned root with the rows of copies that a save has not written yet.
const pending = "aml_pending"

// Floor is the column of a reservation table below whose version no aggregate has the value.
const Floor = "aml_floor"

// Versioning describes the hidden columns and the derived tables with which a versioned root is saved.
type Versioning struct {
	Version, Pending, Attempts, Deleted *Column // Pending is nil without redundant tables
	Live                                *Column // nil if the rows do not expire
	Done                                *Table  // the version up to which the copies of each row are written; nil without redundant tables
	Uniques                             []*Unique
	References                          []*CheckedReference
	Outbox                              *Column // nil if no fields of other roots follow the fields of the root
	ListsDeletions                      bool    // a deletion of a row deletes or changes other roots
	Outboxes                            *Table  // nil without Outbox and ListsDeletions
}

// CheckedReference is the reverse table of a checked reference, or of one that other fields follow.
type CheckedReference struct {
	Table *Table
	Model *model.Association
	Paths []*model.Path // the paths to the fields with the target's key
	Of    *Projection   // the keys of the targets that follow from a row of the root

	Copy    *model.Copy // the fields that follow fields of the target; nil: none
	Version *Column     // the hidden column with the version of the target from which they are
}

// Unique is the reservation table of a unique value, or of a group of them.
type Unique struct {
	Table *Table
	Model *model.Unique
	Of    *Projection // the rows of Table that follow from a row of the root: only the key
}

// Index is a secondary index.
type Index struct {
	Name    string
	Column  *Column
	Read    Lookup
	Target  string // a column, or values(column)
	Options []model.IndexOption
	Class   string // the implementation, if it is not SAI
}

// Projection is the program that computes the rows of a redundant table from one row of its source. The first registers are the columns
// of the source as numbered by Ordered. A column of the redundant table is a register, so a table with only another key needs no steps.
type Projection struct {
	Source  *Table
	Table   *Table
	Ops     []Op
	Columns []uint16 // the register of each column of Table, as numbered by Ordered
}

// Lookup is the way in which rows are found by an index.
type Lookup = projection.Lookup

// The lookups.
const (
	Equals   = projection.Equals
	Contains = projection.Contains
	Near     = projection.Near
)

// Op is one step of a program.
type Op = projection.Op
