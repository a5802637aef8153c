package descriptor

import (
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/projection"
)

// Table describes one table. Its statements are constants: a driver prepares each of them once.
type Table struct {
	Name      string // the name in system_schema
	Aggregate string // the Go struct, for messages

	Partition int  // the number of columns of the partition key, which are the first
	Key       int  // the number of columns of the primary key, which are the first
	Hidden    int  // how many of the last Columns no codec writes or reads: those in which a versioned root is kept
	Deleted   int  // the hidden column that is true in a deleted row; 0: none
	Lives     bool // set if rows of a versioned root expire: Deleted is then the hidden column that is null in a deleted row
	Head      int  // the hidden clustering column that is true in the rows of a part and false in the head row of a partition; 0: none
	Statics   bool // set for a root with the rows of a part in its table: its columns are static there, and their values are its row
	Within    bool // set for a part of a plain root in the table of its root: a partition also has the values of the root

	TTL       int        // the TTL of a row, in seconds; 0: none. With Lifetimes: the shortest default
	Lifetimes []Lifetime // the TTLs of which the shortest applies; nil if none of them has a name

	Remaining int // set for a root with a field for the remaining TTL of a row: the column whose TTL it is; 0: none

	Large    bool // set for a root: a write above the limit of a batch is several batches
	Unlogged bool // set for a copy: its rows are not in the logged batch of a write
	Buckets  int  // set for a reverse table: the number of partitions that have the rows of one target
	Cache    int  // set for a shared copy: the seconds for which a process does not write a row again; 0: it always does

	Insert       string   // every column, "… USING TIMESTAMP ? AND TTL ?"
	InsertStatic string   // the partition key and every static column, "… USING TIMESTAMP ? AND TTL ?"; "" without any
	Delete       string   // "DELETE FROM t USING TIMESTAMP ? WHERE k = ?…"
	Select       string   // every column, without WHERE
	Get          string   // Select with the complete primary key
	Load         string   // Get with the latest write time of every column outside the key after the columns; "" for a copy that is not owned
	Ranges       []string // Delete with the partition key only, and with 1, 2, … clustering columns; nil if unused
	Reversed     string   // " ORDER BY …", the opposite of the table's order; "" without a clustering key

	// Add is the statement of a table of counters: "UPDATE t SET c = c + ?, … WHERE k = ?…", with every counter. It is "" for any other
	// table. The Delete of such a table has no timestamp, because the server refuses one, and its Insert and Load are "".
	Add string

	Columns  []Column // partition key, clustering key, then the rest: the order of rows and codecs
	Indexes  []Index
	Computed []string           // the values after them in a row of a root: results of methods, with their Go names: Day()
	Reads    []projection.Reads // the columns that each method reads; a method without an element counts as reading everything
}

// Timed returns the columns whose write times are read: the columns outside the primary key, without the hidden column of the pending rows
// of a versioned root. It has several cells, for which servers before Cassandra 5.0 have no write time, and nothing uses its times.
func (t *Table) Timed() []int {
	out := make([]int, 0, len(t.Columns)-t.Key)
	for i := t.Key; i < len(t.Columns); i++ {
		if !t.untimed(i) {
			out = append(out, i)
		}
	}
	return out
}

// Times returns the number of columns that Timed returns.
func (t *Table) Times() int {
	n := len(t.Columns) - t.Key
	for i := len(t.Columns) - t.Hidden; i < len(t.Columns); i++ {
		if t.untimed(i) {
			n--
		}
	}
	return n
}

func (t *Table) untimed(i int) bool {
	return i >= len(t.Columns)-t.Hidden && t.Columns[i].Cells != projection.Single
}

// bucketsComment begins the comment of a reverse table.
const bucketsComment = "buckets: "

// BucketsComment returns the comment of a reverse table, by which programs of other releases see the number of buckets.
func BucketsComment(n int) string { return bucketsComment + strconv.Itoa(n) }

// unfilled ends the comment of a reverse table that does not have the rows of all references yet.
const unfilled = ", unfilled"

// UnfilledComment returns the comment of a reverse table of n buckets that is created for a table with data. It is there until a migration
// has written the rows of the existing references: without them, a deletion of a target does not find the roots that refer to it.
func UnfilledComment(n int) string { return BucketsComment(n) + unfilled }

// IsUnfilled reports whether a comment shows that a reverse table does not have the rows of all references yet.
func IsUnfilled(comment string) bool {
	return BucketsOf(comment) > 0 && strings.HasSuffix(comment, unfilled)
}

// ReferencesFunc returns the name of the generated function that writes the rows of the reverse tables of a root whose references become
// checked: papers => papers__references.
func ReferencesFunc(table string) string { return table + "__references" }

// BucketsOf returns the number of buckets in the comment of a reverse table; 0 for another comment.
func BucketsOf(comment string) int {
	comment = strings.TrimSuffix(comment, unfilled)
	number, _ := strings.CutPrefix(comment, bucketsComment)
	n, err := strconv.Atoi(number)
	if err != nil || comment != BucketsComment(n) {
		return 0
	}
	return max(n, 0)
}

// Lifetime is a TTL of the rows of a table.
type Lifetime struct {
	Name    string // the name in mapper.Config.TTL; "" for a constant
	Seconds int    // 0: the name has no default
}

// Column describes one column.
type Column struct {
	Name   string // the name in system_schema: e-mail
	CQL    string // the name in a statement: "e-mail" in quotes
	Field  string // the Go field, for messages: Owner
	Kind   projection.Kind
	Type   string // the type in system_schema.columns: list<frozen<vehicle>>
	Cells  projection.Cells
	Fields int    // the number of fields of a UDT
	Of     string // the Go struct of the value, or of its elements; "" for none

	// Update writes a part of the value. Set and map: "UPDATE t USING TIMESTAMP ? AND TTL ? SET c = c + ?, c = c - ? WHERE …";
	// UDT: "UPDATE t USING TIMESTAMP ? AND TTL ? SET c.a = ?, c.b = ? WHERE …". The WHERE has the complete primary key, for a
	// static column only the partition key.
	Update string
	Assign []string   // set for a UDT with a tuple: the assignment of each field, c.a = ? or c.b = (?, ?); nil: Update has the whole statement
	Desc   bool       // clustering key in descending order
	Secret bool       // no message contains the value
	Final  bool       // set for a root: only Insert sets the value
	Enum   []Constant // set for a root: the values that can be written; none: any
	// Form is how Cassandra compares the values of a clustering column, the elements of a set or the keys of a map that is not
	// frozen; nil if by their bytes. A column of the partition key has one only if equal values can have different bytes.
	Form *form.Form
}

// Cell returns the column in the form that a derivation accepts.
func (c *Column) Cell() projection.Cell { return projection.Cell{Cells: c.Cells, Fields: c.Fields} }

// Constant is an encoded value with the name of its Go constant.
type Constant struct{ Name, Value string }

// Index describes how rows are found by the value of a column that is not the complete key.
type Index struct {
	Column int
	Target string // the indexed part, as in system_schema.indexes: tags in values(tags)
	Read   projection.Lookup

	Similarity string // Near: COSINE, DOT_PRODUCT or EUCLIDEAN

	// How a text is normalized before it is compared.
	AnyCase bool // converted to lower case
	Normal  bool // converted to Unicode's normalization form C
	ASCII   bool // converted to ASCII letters, if there are such
}
