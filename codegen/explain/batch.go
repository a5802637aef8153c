package explain

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// batch explains the batches of a store. It returns nil if no table can be written by one.
func (e *Explanation) batch() *Batch {
	b := &Batch{}
	for _, t := range e.Tables {
		x := &explainer{table: t}
		if t.Aggregate.InBatches() {
			b.Tables = append(b.Tables, &Batched{t, x.batchMethods(e.Tables)})
			b.Checks = append(b.Checks, x.checks()...)
		}
	}
	if b.Tables == nil {
		return nil
	}
	for _, root := range b.Tables {
		if len(root.Aggregate.Parts) > 0 {
			b.Together = append(b.Together, b.newTogether(root.Aggregate))
		}
	}
	return b
}

// batchMethods returns the methods that do not read, without those that add to a list, which are not repeated.
func (x *explainer) batchMethods(all []*Table) []string {
	out := []string{"Insert", "Change"}
	if len(x.table.Copies) == 0 {
		out = append(out, "Put")
	}
	copied := func(t *Table) bool { return t.Aggregate.Root == x.table.Aggregate && len(t.Copies) > 0 }
	if x.deletedByKey() && !slices.ContainsFunc(all, copied) {
		out = append(out, "Delete")
	}
	for _, f := range x.table.Fields {
		if f.Set != nil {
			out = append(out, f.Set.Name)
		}
		for _, e := range f.Elements {
			if e.Operation != nil && e.Reads == "" && !f.IsList() {
				out = append(out, e.Name)
			}
		}
	}
	return out
}

// newTogether explains a batch that inserts a row of a root and of each of its parts, all with the same partition key.
func (b *Batch) newTogether(root *model.Aggregate) *Together {
	out := &Together{}
	var writes []*Write
	for _, t := range b.Tables {
		if t.Aggregate != root && t.Aggregate.Root != root {
			continue
		}
		out.Tables = append(out.Tables, t.Table.Table)
		for _, o := range t.Operations {
			if o.Name == "Insert" {
				writes = append(writes, o.Requests[0].Writes...)
			}
		}
	}
	out.Insert = newRequest(writes)
	return out
}
