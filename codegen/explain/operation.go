package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// writes explains the operations of a root that write or delete complete values.
func (x *explainer) writes() {
	t := x.table.Table
	load := newRead(t, t.Shown(t.Load()))
	replaced := 0 // the reads of a Put before it reads targets
	put := &Operation{Name: "Put", RoundTrips: 1, Requests: []*Request{newRequest([]*Write{rootWrite(t, Statement{CQL: t.Insert(), Verb: Inserts})})}}
	remove := &Operation{Name: "Delete", RoundTrips: 1, Requests: []*Request{x.remove()}, Checks: x.checks()}
	if len(x.table.Copies) > 0 {
		replaced = 1
		put = &Operation{Name: "Put", RoundTrips: 2, Requests: []*Request{load}, ByField: true, OrAll: x.divisible(), OrInsert: true, Checks: x.checks()}
	}
	if !x.deletedByKey() {
		remove.RoundTrips, remove.Requests = 2, append([]*Request{load}, remove.Requests...)
	}
	x.partPages(remove)
	x.table.Operations = append(x.table.Operations,
		x.reading(0, &Operation{Name: "Insert", RoundTrips: 1, Requests: []*Request{x.insert()}}),
		x.reading(replaced, put),
		x.reading(1, &Operation{Name: "Update", RoundTrips: 2, Requests: []*Request{load}, ByField: true, Checks: x.checks()}),
		x.reading(0, &Operation{Name: "Change", RoundTrips: 1, ByField: true, Checks: x.checks()}),
		x.reading(1, x.imports(load)),
		x.reading(0, x.insertAll()),
		remove)
	if len(t.ClusteringKey) > 0 && t.Ranged() {
		x.table.Operations = append(x.table.Operations, x.ranges()...)
	}
}

// ranges explains the deletion of the rows of a query: first the queries whose rows in each copy are a range, too, then all others.
func (x *explainer) ranges() (out []*Operation) {
	all := true
	for _, r := range x.restrictions() {
		if x.isRange(r[0], r[1]) {
			out = append(out, x.deleteRange(r[0], r[1]))
		} else {
			all = false
		}
	}
	if all {
		return out[:1]
	}
	pages := &Operation{Name: "Of(…).Delete", RoundTrips: 2, Paged: true, Requests: x.page("the rows of the query"), Checks: x.checks()}
	if out != nil {
		pages.Name = "Of(…).Delete of other rows"
	}
	return append(out, pages)
}

// restrictions returns how a query can restrict its rows: the number of columns of the key that are given, and of the next ones that have a
// bound.
func (x *explainer) restrictions() (out [][2]int) {
	t := x.table.Table
	first, end := len(t.PartitionKey), len(t.Key())
	for given := first; given < end; given++ {
		out = append(out, [2]int{given, 0}, [2]int{given, 1})
		if slices.Contains(t.KeysetMethods(given-first), "To") {
			out = append(out, [2]int{given, end - given})
		}
	}
	return append(out, [2]int{end, 0})
}

// isRange reports whether a range of rows can be deleted as such, without the root of a part in its table, and the rows that follow from it
// are a range of each copy. The range is given by the first columns of the key, and bounds of the next ones.
func (x *explainer) isRange(given, compared int) bool {
	if x.table.Aggregate.InRootTable && given == len(x.table.PartitionKey) && compared == 0 {
		return false
	}
	return !slices.ContainsFunc(x.table.Copies, func(c *Copy) bool {
		return !c.shared() && !c.Ranges(given, compared)
	})
}

// deleteRange explains the deletion of a range, which reads nothing.
func (x *explainer) deleteRange(given, compared int) *Operation {
	t := x.table.Table
	o := &Operation{Name: x.rangeName(given, compared), RoundTrips: 1, Restricted: compared > 0 || given > len(t.PartitionKey)}
	writes := []*Write{{Table: t, Range: true, sure: true, Statements: []Statement{{CQL: t.DeleteSlice(given, compared, "<="), Verb: Deletes}}}}
	for _, c := range x.table.Copies {
		if !c.shared() {
			w := c.write()
			w.Rows, w.When, w.Range, w.Selected, w.sure, w.many, w.Each = Rows{}, "", true, true, true, false, false
			w.Statements = []Statement{{CQL: c.Table.DeleteSlice(given, compared, "<="), Verb: Deletes}}
			writes = append(writes, w)
		}
	}
	o.Requests = []*Request{newRequest(writes)}
	return o
}

// rangeName returns the calls that delete a range: Of(…).Year(…).MonthTo(…).Delete.
func (x *explainer) rangeName(given, compared int) string {
	t := x.table.Table
	name := "Of(…)"
	for _, c := range t.Key()[len(t.PartitionKey):given] {
		name += "." + c.Attribute.GoName() + "(…)"
	}
	switch compared {
	case 0:
	case 1:
		name += "." + t.Key()[given].Attribute.GoName() + "To(…)"
	default:
		name += ".To(…)"
	}
	return name + ".Delete"
}

// newRangeDelete deletes all rows of a partition.
func newRangeDelete(t *schema.Table) *Write {
	return &Write{Table: t, Range: true, sure: true, Statements: []Statement{{CQL: t.DeleteRange(len(t.PartitionKey)), Verb: Deletes}}}
}

// page returns two requests: the read of a page of rows, and the logged batch that deletes the rows and their copies.
func (x *explainer) page(of string) []*Request {
	read, r := newRead(x.table.Table, x.table.Table.Stamped()), x.remove()
	read.Cause, read.If = EachPage, "for each page of "+of
	r.Cause, r.If = EachPage, read.If+", or several such batches if one would be too large"
	for _, w := range r.Writes {
		w.many = true
	}
	return []*Request{read, r}
}

// partPages adds the requests that delete the parts with copies, before the requests of the root.
func (x *explainer) partPages(remove *Operation) {
	var pages []*Request
	for _, t := range x.schema.Stored {
		if t.Aggregate != nil && t.Aggregate.Root == x.table.Aggregate && len(t.Projections) > 0 {
			part := &explainer{table: &Table{Table: t, Copies: newCopies(t)}, schema: x.schema}
			pages = append(pages, part.page("rows of "+t.Aggregate.Struct.Name)...)
			remove.Checks = append(remove.Checks, part.checks()...)
		}
	}
	remove.Requests = append(pages, remove.Requests...)
}

// imports returns the operation that writes a value of another database. If there are copies, it reads the row again after the
// write, and deletes the rows of copies that do not follow from it.
func (x *explainer) imports(load *Request) *Operation {
	o := &Operation{Name: "Import", RoundTrips: 2, Requests: []*Request{load}, ByField: true, EveryField: true, OrInsert: true, Checks: x.checks()}
	if len(x.table.Copies) == 0 {
		return o
	}
	o.RoundTrips, o.After = 3, []*Request{load}
	var left []*Write
	for _, c := range x.table.Copies {
		if !c.shared() {
			left = append(left, c.left())
		}
	}
	if left != nil {
		r := newBatch(left)
		r.Cause, r.If = LaterWrite, "if the row has been changed or deleted at a later time"
		o.After = append(o.After, r)
	}
	return o
}

// left deletes the rows of a copy that an import wrote and that do not follow from the row.
func (c *Copy) left() *Write {
	w := c.write()
	w.sure = false
	w.Statements = []Statement{{CQL: c.Table.Delete(), If: c.unowned(""), Verb: Deletes}}
	if c.StartsWithSourceKey() {
		if all := c.Table.DeleteRange(len(c.Source.Key())); all != c.Table.Delete() {
			w.Statements[0].If = "if it has been changed"
			w.Statements = append(w.Statements, Statement{CQL: all, If: "if it has been deleted", Verb: Deletes})
		}
	}
	return w
}

// insertAll explains the insert of the values of a sequence.
func (x *explainer) insertAll() *Operation {
	r := x.insert()
	r.Cause, r.If = EachKey, "for each value"
	t := x.table.Table
	if len(x.table.Copies) == 0 && t.InsertStatic() == "" && len(t.ClusteringKey) > 0 {
		r.If, r.Batch = "for a group of values of one partition, within the limit of a batch", Sometimes
	}
	return &Operation{Name: "InsertAll", RoundTrips: 1, Requests: []*Request{r}}
}

// insert returns the request with an INSERT for every row of the aggregate.
func (x *explainer) insert() *Request {
	t := x.table.Table
	writes := []*Write{rootWrite(t, Statement{CQL: t.Insert(), Verb: Inserts})}
	for _, c := range x.table.Copies {
		w := c.write()
		w.Whole = c.Table.Expires()
		w.Statements = []Statement{{CQL: c.Table.Insert(), Verb: Inserts}}
		writes = append(writes, w)
	}
	return newRequest(writes)
}

// remove returns the request with a DELETE for every row of the aggregate.
func (x *explainer) remove() *Request {
	t := x.table.Table
	writes := []*Write{rootWrite(t, Statement{CQL: t.Delete(), Verb: Deletes})}
	writes[0].Whole = false
	for _, c := range x.table.Copies {
		if !c.shared() {
			writes = append(writes, c.remove())
		}
	}
	for _, part := range x.schema.Parts(t.Aggregate) {
		writes = append(writes, newRangeDelete(part))
	}
	return newRequest(writes)
}

// remove deletes the rows of a copy: with one range, if the copy's key starts with the root's key.
func (c *Copy) remove() *Write {
	w := c.write()
	if c.StartsWithSourceKey() {
		w.Rows, w.When, w.Range, w.sure, w.many = Rows{}, "", true, true, false
		w.Statements = []Statement{{CQL: c.Table.DeleteRange(len(c.Source.Key())), Verb: Deletes}}
		return w
	}
	if c.FollowsFromKey() {
		w.When, w.sure = "", true
	}
	w.sure = w.sure && c.Owner() == nil
	w.Statements = []Statement{{CQL: c.Table.Delete(), If: c.unowned(""), Verb: Deletes}}
	return w
}

// divisible reports whether a write can be several requests, which begin with the row of the root.
func (x *explainer) divisible() bool {
	return x.table.Aggregate.Large && slices.ContainsFunc(x.table.Copies, func(c *Copy) bool {
		return !c.Table.Aggregate.Redundancy.Unlogged && c.Place() != schema.WithSource
	})
}

// unowned adds to the condition of a DELETE that no other source owns the row.
func (c *Copy) unowned(condition string) string {
	if c.Owner() == nil {
		return condition
	}
	return strings.TrimPrefix(condition+", unless another "+c.Table.Aggregate.Redundancy.Source.Struct.Name+" owns it", ", ")
}

// checks returns the reads of rows to remove from the copies in which another source can own them.
func (x *explainer) checks() (out []*Request) {
	for _, c := range x.table.Copies {
		if c.Owner() != nil {
			out = append(out, newRead(c.Table, c.Table.Load()))
		}
	}
	return out
}

// deletedByKey reports whether Delete reads nothing, because the rows of all copies follow from the root's key.
func (x *explainer) deletedByKey() bool {
	return !slices.ContainsFunc(x.table.Copies, func(c *Copy) bool { return !c.shared() && !c.StartsWithSourceKey() && !c.FollowsFromKey() })
}

func (c *Copy) shared() bool { return c.Table.Aggregate.Redundancy.Shared }

// rootWrite writes the root's row with one statement.
func rootWrite(t *schema.Table, s Statement) *Write {
	return &Write{Table: t, Whole: t.Expires(), Statements: []Statement{s}, sure: true}
}

// write returns a write to the rows of a copy, without statements.
func (c *Copy) write() *Write {
	place := c.Place()
	return &Write{Table: c.Table, Rows: c.Rows, When: c.When, Elsewhere: place != schema.WithSource, Each: place == schema.PerElement,
		sure: c.Rows.Per == "" && c.When == "", many: c.Rows.Per != "" && c.Rows.Max != 1, partition: c.partition()}
}

// partition identifies the partition of the rows: by the registers of its key, if these are columns of the source.
func (c *Copy) partition() string {
	key := c.Columns[:len(c.Table.PartitionKey)]
	if slices.ContainsFunc(key, func(r uint16) bool { return int(r) >= len(c.Source.Columns) }) {
		return c.Table.Name
	}
	return fmt.Sprint(key)
}
