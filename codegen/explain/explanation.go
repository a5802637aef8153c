package explain

import (
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// Explanation is what the store of a model sends.
type Explanation struct {
	Package string
	Missing []model.Diagnostic // why there is no store yet; none where there is one
	Tables  []*Table           // of roots, redundant aggregates and parts, in the order of the model
	Views   []*View            // in the order of the model
}

// Statements counts the constant statements of the model's store: what a driver prepares, each once for a node. A query with
// restrictions of its own on clustering columns is one more for each combination of them.
func (e *Explanation) Statements() int {
	texts := map[string]bool{}
	add := func(operations ...*Operation) {
		for _, o := range operations {
			for _, r := range o.Requests {
				r.texts(texts)
			}
		}
	}
	for _, t := range e.Tables {
		add(t.Operations...)
		for _, f := range t.Fields {
			if f.Update.texts(texts); f.Set != nil {
				add(f.Set)
			}
		}
	}
	for _, v := range e.Views {
		add(v.Operations...)
	}
	return len(texts)
}

// texts adds the statements of a request.
func (r *Request) texts(to map[string]bool) {
	for _, w := range r.Writes {
		for _, s := range w.Statements {
			to[s.CQL] = true
		}
	}
}

// View is what a store does with a view.
type View struct {
	*schema.View
	Missing    string // why a store does nothing with its table yet; "" where it does
	Operations []*Operation
}

// Table is what a store does with one table.
type Table struct {
	*schema.Table
	Missing    string // why a store does nothing with it yet; "" where it does
	Copies     []*Copy
	Operations []*Operation
	Fields     []*Field // of a root: beyond its key
}

// Copy is a redundant table that is written with its root.
type Copy struct {
	*schema.Projection
	Rows    Rows   // that one value of the root has
	When    string // the path that has to hold for a row to be there; "" for none
	Diverge string // why two writers of the root at a time can leave it wrong; "" when they cannot
}

// Rows counts rows, statements or partitions.
type Rows struct {
	Per     string // one for each element of this collection: Customer.Vehicles; "" for one
	Changed bool   // only for the elements that are added, changed or removed
	Max     int    // elements that the model allows; 0 for any number
}

// Operation is one method of a store.
type Operation struct {
	Name       string // Insert
	RoundTrips int    // requests that the client waits for; with Checks one more where one is sent
	Requests   []*Request
	Checks     []*Request // before the write, in parallel: the reads of distinct rows that go, one for each row
	ByField    bool       // after the requests it writes what differs, as the fields say
	OrInsert   bool       // ByField: where there is no row, it writes what Insert does
	Paged      bool       // it reads page by page, each a request
	AllNodes   bool       // it asks all nodes, because no partition key says where to look
	LocalOne   bool       // it has this consistency, whatever the store has
}

// Request is what is sent at once.
type Request struct {
	Read     bool
	Writes   []*Write  // by table, the root's first; of a read its only statement
	Batch    Certainty // the statements are a logged batch, because there is more than one
	Batchlog Certainty // the server keeps the batch in its batchlog first, because it touches several partitions
}

// Write is what a request does to one table.
type Write struct {
	Table      *schema.Table
	Rows       Rows
	When       string           // the copy's
	Whole      bool             // whole rows are written, because they expire
	Elsewhere  bool             // in other partitions than the root's row
	Each       bool             // each row in a partition of its own
	Spreads    bool             // rows can go from one partition to another
	Range      bool             // all rows that the root can have are deleted, by one statement
	Keeps      bool             // rows that go are not deleted, because other sources share them
	RowEffect  RowEffect        // of the rows, when a field changes
	Cells      []*schema.Column // beyond the key that are written in rows that stay
	Statements []Statement

	sure bool // there is at least one statement
	many bool // there can be more than one
}

// RowEffect is what the change of a field does to the rows of a table.
type RowEffect int

// The fates.
const (
	Stays   RowEffect = iota // only cells of it are written
	Moves                    // its key changes, so it is deleted and inserted
	Depends                  // it can appear and go, and what stays is written again
)

// Statement is a constant statement of a table.
type Statement struct {
	CQL string
	If  string // when it is sent for a row; "" for always
}

// Field is a column of a root beyond its key.
type Field struct {
	*schema.Column
	Update *Request   // what a change of it writes, in Update, Change and Put
	Set    *Operation // nil where there is no Set method
	NoSet  string     // why there is none
}

// Certainty says whether something is so for every value.
type Certainty int

// The certainties.
const (
	Never Certainty = iota
	Sometimes
	Always
)
