package descriptor

import "github.com/cassaml/cassaml/aml/projection"

// Aggregate is a root table with the copies that are projected from it.
type Aggregate struct {
	Root       *Table
	Copies     []Projection
	Parts      []*Table    // the separate tables of its parts, whose partitions are deleted with a row of the root
	Inside     *Table      // the rows of its part in its own table; nil: none
	Versioning *Versioning // nil: a plain root
	Copied     []Copied    // the fields that are copies of fields of other roots
}

// Copied describes fields of a root that are copies of fields of another root, which never change. A save that adds the reference reads the other root.
type Copied struct {
	Target string        // the name of the target's table
	Field  string        // the Go field or fields of the reference, for messages: UnitID
	Key    []int         // the columns of the root with the key of the target
	Fields []CopiedField // the columns
}

// CopiedField is a column of a root, or a field of a UDT in it, that has the value of a column of the target.
type CopiedField struct {
	Column, From int
	Optional     bool // null is a value of it

	Member int    // 1 + the number of the field of the UDT in Column; 0: the whole column
	Field  string // the Go field of Member, for messages: Owner.Name; "" without Member
}

// Projection describes which rows of a copy follow from one row of the root. Registers 0, 1, … are the cells of the root's row
// and the computed values. Without Ops a copy is the root with another key. Each register is written once.
type Projection struct {
	Table   *Table
	Ops     []projection.Op
	Columns []uint16 // the register of each column of Table

	Shared   bool // a row belongs to all roots that it follows from: it is written, but never deleted
	Range    bool // the rows of one root are one range of Table, because its key starts with the root's complete key
	ByKey    bool // a root has at most one row, whose key follows from the root's key; not set with Range
	Distinct bool // two roots can claim one row, because its key does not contain the root's

	SourceKey []projection.Place // the places of the root's key in a row, column by column; nil: the row does not contain it
	ByUnique  int                // 1 + the index, in Versioning.Uniques, of the unique values in the key of Table; 0: the key contains the root's key
	ByColumns []uint16           // the columns with those values
}

// DeletedByKey reports whether a deletion of a root needs only its key to delete its rows.
func (p *Projection) DeletedByKey() bool { return p.Shared || p.Range || p.ByKey }

// OutsidePartition reports whether the rows of a copy can be in another partition than their root.
func (p *Projection) OutsidePartition(root *Table) bool {
	if p.Table.Partition != root.Partition {
		return true
	}
	for i := range root.Partition {
		if int(p.Columns[i]) != i {
			return true
		}
	}
	return false
}

// Versioning describes how a versioned root is saved. Each save is a conditional statement on the root's row, which has hidden
// columns in addition to the columns of the model.
type Versioning struct {
	Version  int // the column of the version, a bigint
	Pending  int // the hidden column of the pending rows; 0: no such column, because the root has no copies
	Attempts int // the hidden column of the attempts: the identifiers of the last saves
	Deleted  int // the hidden column that is true if the row is deleted
	Live     int // the hidden column that is true if the row is not deleted and has not expired; 0: the rows do not expire

	Insert string // "INSERT INTO t (every column) VALUES (…) IF NOT EXISTS"
	Save   string // "UPDATE t SET every column = ? WHERE key = ? IF version = ?"
	Change string // like Save, but it adds to and removes from Pending instead of setting it; "" without copies

	// Values is the second statement of a save if the rows expire: "UPDATE t USING TTL ? SET model's columns = ?, Live = ? WHERE key = ?". The
	// statements above then have only the version and the other hidden columns, "USING TTL ?".
	Values string

	Done    *Table      // the done-markers: the version up to which the copies of a row have been written; nil without copies
	Part    *PartWrites // the part in the root's table; nil: none
	Uniques []Unique

	References []CheckedReference // the references to other roots that are checked, or that fields follow

	Outbox   int    // the hidden column with the version of the last save that changed Followed, until other roots have followed; 0: no such column
	Followed []int  // the columns that columns of other roots follow
	Kept     []int  // the columns among Followed that a deleted row keeps, because roots that keep their references follow them
	Outboxes *Table // the roots whose Outbox can be set, or which are being deleted: a shard, the table of the root, its key, and the version; nil for neither
}

// CheckedReference describes a reference to another root, which must exist. Each value of it has a row in a reverse table, by which a
// deletion of the target, and a change of columns that others follow, finds the roots that refer to it.
type CheckedReference struct {
	Table    *Table // the key of the target, the bucket, the key of the root, and the version that wrote the row
	Target   string // the name of the target's table
	Field    string // the Go field or fields, for messages: PayerID
	OnDelete OnDelete
	Of       Projection // computes the keys of the targets; its Columns are the registers of a key
	Clear    []Step     // where the reference is, if OnDelete is Clear

	Copied  []CopiedField // the columns that follow columns of the target
	Version int           // the hidden column with the version of the target from which Copied are; unused without them
}

// OnDelete is the effect of a deletion of the target on a root that refers to it.
type OnDelete uint8

// The effects.
const (
	Restrict OnDelete = iota // the target is not deleted
	Cascade                  // the root is deleted
	Clear                    // the reference is set to null
	Keep                     // the root keeps the reference, and the columns that follow the target
)

// GoString returns the name of the constant.
func (d OnDelete) GoString() string { return [...]string{"Restrict", "Cascade", "Clear", "Keep"}[d] }

// Step leads from a row of a root to a reference: the first from the row to columns, the others into a value. The last one has the fields of the
// reference. A step without Fields leads to the elements of a collection, or to the values of a map.
type Step struct {
	Fields []int // the numbers of columns, or of the fields of a UDT
	Map    bool  // the elements are the values of a map
	Set    bool  // the elements of a set
}

// Unique describes values that have one owner each.
type Unique struct {
	Table  *Table     // the reservations: the value, the owner's key, the version of the claim and the floor
	Field  string     // the Go field or fields, for messages: Email
	Insert string     // "INSERT INTO t (every column) VALUES (…) IF NOT EXISTS"
	Update string     // "UPDATE t SET owner = ?, aml_at = ?, aml_floor = ? WHERE value = ? IF owner = ? AND aml_at = ? AND aml_floor = ?"
	Secret bool       // no message may show the value
	Of     Projection // computes the values of a row; its Columns are the registers of a value
}

// PartWrites has the statements that write the rows of a part in the table of its versioned root. They are sent with a save of
// the root, in one conditional batch.
type PartWrites struct {
	Table    *Table   // the part; its last columns are the static version of the root and the mark of a deleted root
	Put      string   // "INSERT INTO t (every column of the part) VALUES (…)"
	Insert   string   // Put, "… IF NOT EXISTS"
	Change   string   // "UPDATE t SET every column outside the key = ? WHERE key = ?"; "" without such a column
	ChangeIf string   // Change, "… IF EXISTS"
	Delete   string   // "DELETE FROM t WHERE key = ? IF EXISTS"
	Head     string   // "INSERT INTO t (every column of the key) VALUES (…)"; "" without head rows
	HeadKey  []string // the clustering key of a head row
	Clear    string   // "DELETE FROM t WHERE partition key = ?": all rows, and the static columns that the save does not write

	Of *Aggregate // the part with its redundant tables; nil without any
}

// Outboxes is the name of the table of the roots whose changes other roots have to follow: the only table of the schema of a model whose name
// begins with aml_.
const Outboxes = "aml_outboxes"
