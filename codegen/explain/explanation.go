package explain

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Explanation describes the requests of the store of a model.
type Explanation struct {
	Package string
	Part    bool               // it has only some of the tables or operations of the model
	Missing []model.Diagnostic // why there is no store yet; none if there is one
	Tables  []*Table           // roots, redundant aggregates and parts, in the order of the model
	Views   []*View            // views in the order of the model
	Batch   *Batch             // nil if no table can be written by one
}

// Statements returns the number of constant statements of the model's store. A driver prepares each of them once per node. A
// query with restrictions on clustering columns is one more statement for each combination of restrictions, and so is a query of
// several partitions with a token.
func (e *Explanation) Statements() int {
	texts := map[string]bool{}
	add := func(operations ...*Operation) {
		for _, o := range operations {
			if o.varies() {
				continue
			}
			for _, r := range slices.Concat(o.Requests, o.Checks, o.After) {
				r.texts(texts)
			}
		}
	}
	for _, t := range e.Tables {
		for _, u := range t.Uniques {
			for _, r := range slices.Concat(u.Claim, u.Release) {
				r.texts(texts)
			}
		}
		add(t.Operations...)
		for _, f := range t.Fields {
			if f.Update != nil {
				f.Update.texts(texts)
			}
			if f.Set != nil {
				add(f.Set)
			}
			for _, e := range f.Elements {
				if e.Operation != nil {
					add(e.Operation)
				}
			}
		}
	}
	for _, v := range e.Views {
		add(v.Operations...)
	}
	return len(texts)
}

// varies reports whether the operation sends the statement of Of without a token or a restriction.
func (o *Operation) varies() bool { return o.EachPartition || o.Restricted }

// texts adds the statements of a request.
func (r *Request) texts(to map[string]bool) {
	for ; r != nil; r = r.Then {
		for _, w := range r.Writes {
			for _, s := range w.Statements {
				to[s.CQL] = true
			}
		}
	}
}

// View describes the methods of a view.
type View struct {
	*schema.View
	Operations []*Operation
	No         []NoMethod
}

// Table describes the methods of a table.
type Table struct {
	*schema.Table
	Copies     []*Copy
	Uniques    []*Unique // set for a versioned root
	Operations []*Operation
	No         []NoMethod
	Fields     []*Field // set for a plain root: the fields outside the key
	Methods    []Method // set for a root: the methods that its copies call
}

// Method is a method of a root that its copies call, and the fields of which a change calls it again.
type Method struct {
	Name       string   // Month()
	Fields     []string // the Go paths that it reads
	Everything string   // why it counts as reading every field; "" if it reads only the fields
}

// Copy is a redundant table that is written with its root.
type Copy struct {
	*schema.Projection
	Rows    Rows   // the rows of one value of the root
	When    string // the path that must hold for a row to exist; "" for none
	Diverge string // why two concurrent writers of the root can leave it wrong; "" if they cannot
}

// Unique describes the requests for the values of a unique field, or of a group of unique fields.
type Unique struct {
	*schema.Unique
	Fields  string     // the Go paths: Passport.Country, Passport.Number
	Rows    Rows       // the values of one value of the root
	Claim   []*Request // requests before a save, for each new value
	Release []*Request // requests for each value that a save drops: a read before the save, and a conditional statement after it
}

// Rows is a number of rows, statements or partitions.
type Rows struct {
	Per     string           // one for each element of this collection: Customer.Vehicles; "" for a single one
	Of      *model.Attribute // the collection; nil for a single one, and for the rows of a part
	Part    *model.Aggregate // the part, one for each row of it; nil for none
	Changed bool             // only for the elements that are added, changed or removed
	Max     int              // the maximum number of elements of the model; 0 for any number
}

// Operation is one method of a store.
type Operation struct {
	Name          string // Insert
	RoundTrips    int    // requests that the client waits for, without requests that have a condition and requests for unique values; one more if Checks are sent
	Requests      []*Request
	After         []*Request // ByField: after the write
	Checks        []*Request // sent before the write, in parallel: the reads of distinct rows to remove, one for each row
	ByField       bool       // it then writes the differences, as described by the fields
	EveryField    bool       // ByField: it writes all fields, including those that do not differ
	OrAll         bool       // ByField: if nothing differs, it writes all rows, because an earlier call can have ended before the copies
	OrInsert      bool       // ByField: if there is no row, it writes the same as Insert
	Claims        bool       // it claims new unique values before the conditional statement
	Releases      bool       // it releases the unique values that are dropped, at the end
	Paged         bool       // it reads page by page, one request each
	EachPartition bool       // Paged: one request for each partition and page
	Restricted    bool       // Paged: its statement is one of a query with further methods, such as restrictions
	AllNodes      bool       // it queries all nodes, because there is no partition key
	LocalOne      bool       // its consistency is always LOCAL_ONE
}

// Request is one statement, or several that are sent together.
type Request struct {
	Read        bool
	Conditional bool     // a lightweight transaction: one of the statements with IF of its first write, and the statements of the parts
	Serial      bool     // the read sees a conditional statement in flight
	If          string   // the condition under which it is sent; "" for always
	Cause       Cause    // the kind of the condition
	Fields      []string // FollowedChange: the Go names of the fields

	Writes   []*Write  // writes by table, the root's first; the only statement of a read
	Unlogged bool      // the batch is not atomic: it writes unlogged copies
	Batch    Certainty // the statements are a batch, because there is more than one
	Batchlog Certainty // the server keeps the batch in its batchlog first, because it touches several partitions

	Then *Request // the request that is sent after this one has been acknowledged; nil: none
}

// Write describes the effect of a request on one table.
type Write struct {
	Table      *schema.Table
	Rows       Rows
	When       string           // the condition of the copy
	Whole      bool             // whole rows are written, because they expire
	Elsewhere  bool             // not in the partition of the root's row
	Each       bool             // each row is in its own partition
	Spreads    bool             // rows can move from one partition to another
	Range      bool             // one statement deletes all rows that the root can have
	Selected   bool             // Range: one statement deletes the rows that a query selects
	Keeps      bool             // removed rows are not deleted, because other sources share them
	RowEffect  RowEffect        // the effect of a changed field on the rows
	Cells      []*schema.Column // the columns beyond the key that are written in rows that stay
	Statements []Statement

	sure      bool   // there is at least one statement
	many      bool   // there can be more than one
	partition string // identifies the partition of rows in a batch that does not write the root's row
}

// RowEffect is the effect of a changed field on the rows of a table.
type RowEffect int

// The effects.
const (
	Stays   RowEffect = iota // only cells of the row are written
	Moves                    // its key changes, so it is deleted and inserted
	Depends                  // it can be inserted or deleted, and an existing row is written again
)

// Statement is a constant statement of a table.
type Statement struct {
	CQL      string
	If       string // the condition under which it is sent for a row; "" for always
	Case     Case   // the kind of the condition
	Verb     Verb
	Elements *schema.Column // the collection of which it writes only the elements that change; nil for none
}

// Field is a column of a root beyond its key.
type Field struct {
	*schema.Column
	Update *Request   // the writes of a change in Update, Change and Put; nil if the field is final
	Set    *Operation // nil if there is no Set method
	NoSet  string     // why it does not exist

	Elements []*Element // the methods for one field of a UDT, or for one element of a collection
}

// Element is a method that sets one field of a UDT, or that adds or removes one element of a collection.
type Element struct {
	Name      string     // AddPhones
	Operation *Operation // nil if there is no such method
	Reads     string     // why it reads the row first; "" if it does not
	No        string     // why it does not exist
}

// Certainty is whether a statement is true for every value.
type Certainty int

// The certainties.
const (
	Never Certainty = iota
	Sometimes
	Always
)

// NoMethod is a method that a store does not have, although the model has a reference for it.
type NoMethod struct {
	Name string // FollowFriend
	Why  string
}

// Batch describes the batches of several aggregates. A batch can have the writes that do not read. Each write has the statements
// of its method. All of them are one logged batch, which goes through the batchlog if it touches more than one partition.
type Batch struct {
	Tables   []*Batched
	Together []*Together
	Checks   []*Request // sent before the batch, in parallel: the reads of distinct rows to remove, one for each row
}

// Batched is a table that a batch can write.
type Batched struct {
	*Table
	Methods []string // Insert, Change, …
}

// Together is a root with its parts. For the server, rows with the same partition key are one partition, also in different
// tables.
type Together struct {
	Tables []*schema.Table // the root's first
	Insert *Request        // a batch that inserts one row of each
}
