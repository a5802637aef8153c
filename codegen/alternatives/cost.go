package alternatives

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// Cost is the cost of an operation: the sum over the requests of its calls, as package explain describes them, for one root with a number of
// elements. Each condition of a request has its usual value: no earlier call has ended early, and no other call overlaps.
type Cost struct {
	Requests    int
	Conditional int // the requests that are lightweight transactions
	Reads       int // the requests that read
	Batches     int // the other requests with several statements
	Batched     int // the statements of these
	Statements  int
	Partitions  int   // each request counts its own
	Bytes       int64 // the values that the statements write or read, by the sizes of aml estimate

	stored int64 // the bytes of rows that are inserted, with 8 bytes for each cell
}

func (c *Cost) add(o Cost, times int) {
	c.Requests += o.Requests * times
	c.Conditional += o.Conditional * times
	c.Reads += o.Reads * times
	c.Batches += o.Batches * times
	c.Batched += o.Batched * times
	c.Statements += o.Statements * times
	c.Partitions += o.Partitions * times
	c.Bytes += o.Bytes * int64(times)
	c.stored += o.stored * int64(times)
}

// meter evaluates explanations for a root with a number of elements.
type meter struct {
	*explain.Explanation
	collection *model.Attribute // the field of the root with its elements, or with references to them
	owners     *model.Attribute // the field of the element with references to its roots; it has one
	element    string           // the struct of the elements
	sides      []string         // the structs of both sides
	copy       string           // their first field that follows a field of their root; "" for none
	field      string           // their field that a change of an element changes; "" for none
	n          int
}

// calls returns the cost of several calls.
func (m *meter) calls(all []Call) (Cost, error) {
	var out Cost
	for _, c := range all {
		cost, err := m.one(c)
		if err != nil {
			return out, err
		}
		times := 1
		if c.Each {
			times = m.n
		}
		out.add(cost, times)
	}
	return out, nil
}

// one returns the cost of one call.
func (m *meter) one(c Call) (Cost, error) {
	t := m.table(c.Of)
	if t == nil {
		return Cost{}, fmt.Errorf("the store has no table of %s", c.Of)
	}
	o, written, err := method(t, c)
	if err != nil {
		return Cost{}, err
	}
	x := &measuring{meter: m, Call: c, table: t}
	x.operation(o, written)
	return x.cost, x.err
}

func (m *meter) table(of string) *explain.Table {
	for _, t := range m.Tables {
		if t.Aggregate.Struct.Name == of {
			return t
		}
	}
	return nil
}

// method returns the operation of a call and, if it writes by field, the field.
func method(t *explain.Table, c Call) (*explain.Operation, *explain.Field, error) {
	var f *explain.Field
	for _, x := range t.Fields {
		if x.Attribute != nil && x.Attribute.GoName() == c.Field {
			f = x
		}
	}
	switch {
	case c.Method == "Set" && f != nil && f.Set != nil:
		return f.Set, nil, nil
	case c.Method == "Elements" && f != nil:
		if o := elementMethod(f, c.Effect); o != nil {
			return o, f, nil
		}
	}
	name := c.Method
	if name == "Set" || name == "Elements" {
		name = "Update"
	}
	for _, o := range t.Operations {
		if o.Name == name || name == "GetWith" && strings.HasPrefix(o.Name, name) {
			return o, f, nil
		}
	}
	return nil, nil, fmt.Errorf("the store of %s has no method %s", c.Of, name)
}

// elementMethod returns the method that adds or removes one element, or nil.
func elementMethod(f *explain.Field, e Effect) *explain.Operation {
	var wanted []string
	switch e {
	case Adding:
		wanted = []string{f.AddMethod(), f.AppendMethod()}
	case Removing:
		wanted = []string{f.RemoveMethod()}
	case Changing:
		if f.AddMethod() != "Put"+f.Attribute.GoName() {
			return nil
		}
		wanted = []string{f.AddMethod()} // the value of an entry is replaced
	}
	for _, x := range f.Elements {
		if x.Operation != nil && slices.Contains(wanted, x.Name) {
			return x.Operation
		}
	}
	return nil
}

// measuring adds the costs of the requests of one call.
type measuring struct {
	*meter
	Call
	table *explain.Table
	cost  Cost
	err   error
}

// operation adds the requests of an operation, which writes the differences of a field if it is one that writes by field.
func (x *measuring) operation(o *explain.Operation, f *explain.Field) {
	for _, r := range o.Requests {
		if x.request(r); r.Cause == explain.Follower {
			x.follow(o, r)
		}
	}
	if removed := x.removed(); removed > 0 {
		for _, r := range o.Checks {
			x.times(r, removed)
		}
	}
	if o.ByField && f != nil && f.Update != nil {
		x.request(f.Update)
	}
	for _, u := range x.table.Uniques {
		x.unique(u, o)
	}
}

// removed returns the number of elements that the call removes.
func (x *measuring) removed() int {
	switch x.Effect {
	case Removing:
		return 1
	case Deleting:
		return x.n
	}
	return 0
}

// rowCount returns the number of rows for each value of a root.
func (x *measuring) rowCount(r explain.Rows) int {
	switch {
	case r.Of == nil && r.Part == nil, r.Of != nil && r.Of == x.owners:
		return 1
	case r.Of != nil && r.Of == x.collection:
		return x.n
	case r.Max > 0:
		return r.Max
	}
	return model.DefaultElements
}

// request adds a request as often as it is sent.
func (x *measuring) request(r *explain.Request) { x.times(r, x.sends(r)) }

// sends returns how often a request is sent. No other root follows the sample or refers to it, and no call overlaps.
func (x *measuring) sends(r *explain.Request) int {
	switch target := r.Writes[0].Table.Aggregate; r.Cause {
	case explain.NoCause, explain.WrittenRows, explain.AddsReferences: // it is not sent if it has no statements
		return 1
	case explain.EachPage: // a page without rows is only read
		if r.Read || !x.isOtherPart(target) {
			return 1
		}
	case explain.PendingRows:
		if x.pending {
			return 1
		}
	case explain.PartRow:
		return x.partRows(target, Changing)
	case explain.WrittenPartRow:
		return x.partRows(target, Adding, Changing, Removing)
	case explain.AddedTarget:
		return x.added(target)
	case explain.FollowedTarget:
		return x.saves(target)
	case explain.CopiedTarget:
		return x.copied(target)
	case explain.FollowedChange:
		if x.Effect == Renaming && slices.Contains(r.Fields, x.Field) {
			return buckets(r)
		}
	case explain.KeptReferences, explain.ReferringRows:
		return buckets(r)
	}
	return 0
}

// partRows returns 1 for an effect on one row of a part that has the elements.
func (x *measuring) partRows(part *model.Aggregate, of ...Effect) int {
	if slices.Contains(of, x.Effect) && part.Struct.Name == x.element {
		return 1
	}
	return 0
}

// times adds a request several times.
func (x *measuring) times(r *explain.Request, times int) {
	if r == nil || times == 0 {
		return
	}
	var one Cost
	own := false
	for _, w := range r.Writes {
		before := one.Statements
		x.write(&one, r, w)
		own = own || one.Statements > before && !w.Elsewhere && !w.Each && !r.Read
	}
	if one.Statements == 0 {
		return // no row follows from the change
	}
	if own {
		one.Partitions++
	}
	one.Requests = 1
	switch {
	case r.Conditional:
		one.Conditional = 1
	case r.Read:
		one.Reads = 1
	case one.Statements > 1:
		one.Batches, one.Batched = 1, one.Statements
	}
	x.cost.add(one, times)
	if r.Then != nil {
		x.request(r.Then)
	}
}

// write adds the statements of one table, without the partition of the row of the root.
func (x *measuring) write(to *Cost, r *explain.Request, w *explain.Write) {
	if r.Read {
		rows := 1
		if x.Rows && len(w.Table.ClusteringKey) > 0 {
			rows = x.n
		}
		to.Statements, to.Partitions = to.Statements+1, to.Partitions+1
		to.Bytes += x.size(w, &w.Statements[0]) * int64(rows)
		return
	}
	rows := x.changedRows(w)
	for _, s := range x.statements(w) {
		n := rows
		switch {
		case s.once:
			n = 1
		case s.others:
			n--
		}
		to.Statements += n
		size := x.size(w, s.Statement) * int64(n)
		to.Bytes += size
		if s.Verb == explain.Inserts {
			to.stored += size + 8*int64(n*cells(w.Table))
		}
		switch {
		case s.within:
		case w.Each:
			to.Partitions += n
		case w.Elsewhere:
			to.Partitions++
		}
	}
}

// changedRows returns the number of rows of a table that the call writes.
func (x *measuring) changedRows(w *explain.Write) int {
	one := x.Effect == Adding || x.Effect == Changing || x.Effect == Removing
	switch {
	case w.Range:
		return 1
	case x.reference(w.Table) != nil:
		added, dropped := x.referring(x.reference(w.Table))
		return max(added, dropped)
	case w.Rows.Changed && one && x.rowCount(w.Rows) == x.n:
		return 1
	case x.versionedPart(w):
		if one || x.Effect == Deleting {
			return 1
		}
		return x.n
	}
	return x.rowCount(w.Rows)
}

// versionedPart reports whether a table has the parts that a save writes with the root.
func (x *measuring) versionedPart(w *explain.Write) bool {
	a := w.Table.Aggregate
	return a != nil && a.Root != nil && a.Root == x.table.Aggregate && a.Versioned()
}

// withoutRows reports whether a write is for a part that has nothing to do with the relationship: the root has no rows of it. The deletion of a root
// sends the statement for a versioned part nevertheless.
func (x *measuring) withoutRows(w *explain.Write) bool {
	if w.Rows.Part != nil {
		return x.isOtherPart(w.Rows.Part)
	}
	return x.versionedPart(w) && x.isOtherPart(w.Table.Aggregate) && x.Effect != Deleting
}

// isOtherPart reports whether an aggregate is a part that has nothing to do with the relationship.
func (x *measuring) isOtherPart(a *model.Aggregate) bool {
	return a != nil && a.Root != nil && a.Struct.Name != x.element
}

// sent is a statement that is sent for each changed row.
type sent struct {
	*explain.Statement
	once   bool // only for one row
	others bool // all rows but one
	within bool // no other partitions than the statement before it
}

// statements returns the statements of a write that are sent for the effect of the call.
func (x *measuring) statements(w *explain.Write) []sent {
	remove, insert, first := find(w, explain.Deletes), find(w, explain.Inserts), []sent{{Statement: &w.Statements[0]}}
	switch {
	case x.withoutRows(w):
		return nil
	case x.reference(w.Table) != nil:
		added, dropped := x.referring(x.reference(w.Table))
		if remove != nil && dropped > 0 || insert != nil && added > 0 {
			return first
		}
		return nil
	case w.Range:
		return first
	case x.versionedPart(w):
		return x.partStatements(w)
	case x.Effect == Removing && remove != nil && w.Rows.Of != nil && w.Rows.Of == x.collection:
		return saved(w, remove, insert)
	case x.moves(w) && remove != nil && insert != nil:
		return []sent{{Statement: insert}, {Statement: remove, once: x.Effect == Changing, within: !x.changes(w.Table.PartitionKey)}}
	}
	return []sent{{Statement: x.written(w)}}
}

// find returns the first statement of a write with a verb, or nil.
func find(w *explain.Write, verb explain.Verb) *explain.Statement {
	for i := range w.Statements {
		if s := &w.Statements[i]; s.Verb == verb {
			return s
		}
	}
	return nil
}

// moves reports whether the call changes the key of a row.
func (x *measuring) moves(w *explain.Write) bool {
	switch x.Effect {
	case Renaming:
		return w.RowEffect == explain.Moves || w.RowEffect == explain.Depends && x.changes(w.Table.Key())
	case Changing:
		return x.changes(w.Table.Key())
	}
	return false
}

// written returns the statement that writes a row which stays, or a new one.
func (x *measuring) written(w *explain.Write) *explain.Statement {
	for i := range w.Statements {
		if s := &w.Statements[i]; s.Case == explain.StayingRow && x.Effect != Adding && x.Effect != Inserting {
			return s
		}
	}
	for _, verb := range []explain.Verb{explain.Inserts, explain.Updates} {
		if s := find(w, verb); s != nil {
			return s
		}
	}
	return &w.Statements[0]
}

// saved returns the statements of a save that removes an element: its row is deleted, and a save that writes all rows also writes the others.
func saved(w *explain.Write, remove, insert *explain.Statement) []sent {
	if w.Rows.Changed || insert == nil {
		return []sent{{Statement: remove, once: true}}
	}
	return []sent{{Statement: insert, others: true}, {Statement: remove, once: true}}
}

// changes reports whether the call changes one of the columns: one of them has the field of the row, or of the element, that it changes.
func (x *measuring) changes(columns []*schema.Column) bool {
	return slices.ContainsFunc(columns, func(c *schema.Column) bool {
		if c.Attribute == nil || c.Attribute.Origin == nil || c.Attribute.Origin.Path == nil {
			return false
		}
		p := c.Attribute.Origin.Path
		if x.Effect == Renaming {
			return p.Steps[0].GoName() == x.Field
		}
		return p.Loop >= 0 && p.Steps[p.Loop] == x.collection && p.Loop+1 < len(p.Steps) && p.Steps[p.Loop+1].GoName() == x.field
	})
}

// partStatements returns the statement for the rows of a part that a save writes.
func (x *measuring) partStatements(w *explain.Write) []sent {
	want, writes := map[Effect]explain.Case{Inserting: explain.PutRow, Adding: explain.InsertedRow, Changing: explain.ChangedRow, Removing: explain.RemovedRow, Deleting: explain.AnyRow}[x.Effect]
	for i := range w.Statements {
		if s := &w.Statements[i]; writes && s.Case == want {
			return []sent{{Statement: s}}
		}
	}
	return nil
}

var word = regexp.MustCompile(`"[^"]+"|\w+`)

// size returns the estimated bytes of the values of the columns that a statement names.
func (x *measuring) size(w *explain.Write, s *explain.Statement) int64 {
	named := map[string]bool{}
	for _, n := range word.FindAllString(s.CQL, -1) {
		named[n] = true
	}
	var sum int64
	for _, c := range w.Table.Columns {
		if !named[model.Quote(c.Name)] {
			continue
		}
		size := columnSize(c)
		if s.Elements == c {
			size = max(1, size/int64(max(1, x.elementCount(c))))
		}
		sum += size
	}
	return sum
}

func columnSize(c *schema.Column) int64 {
	switch {
	case c.Attribute != nil:
		return c.Attribute.Size()
	case c.From != nil:
		return c.From.Size()
	}
	return 8 // a version or a time
}

// elementCount returns the number of elements of a collection.
func (x *measuring) elementCount(c *schema.Column) int {
	if c.Attribute != nil && c.Attribute.Multiplicity.Max > 0 {
		return c.Attribute.Multiplicity.Max
	}
	return model.DefaultElements
}

// cells returns the number of cells of a row outside its key.
func cells(t *schema.Table) (n int) {
	for _, c := range t.Columns {
		if !c.InKey() {
			n++
		}
	}
	return n
}
