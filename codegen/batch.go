package codegen

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// batched reports whether a batch can have writes of a table.
func batched(t *schema.Table) bool { return t.Derived == nil && t.Aggregate.InBatches() }

// batch adds the writes of a plain root to a batch.
func (b *viewer) batch(v *tableView, name string) {
	if batched(v.source) {
		v.Batch = &batchView{Type: b.names.exported(name+"Batch", v.source.Aggregate.Struct), Base: "Writes"}
	}
}

// documentBatch sets the parts that depend on the copies.
func (v *tableView) documentBatch() {
	if v.Batch == nil {
		return
	}
	methods := []string{"Insert", "Change"}
	if len(v.Copies) == 0 {
		v.Batch.Base = "WritesOver"
		methods = append(methods, "Put")
	}
	if v.DeletedByKey() {
		methods = append(methods, "Delete")
	}
	if len(v.BatchSets()) > 0 {
		methods = append(methods, "the methods for single fields and elements")
	}
	v.Batch.Doc = doc("%s adds writes of %s to a batch: %s do the same as those of %s, which describes them.", v.Batch.Type, v.rowsName(), list(methods), v.Type)
}

// DeletedByKey reports whether Delete does not read: the rows of all copies follow from the key, and the parts have no copies.
func (v *tableView) DeletedByKey() bool {
	return !slices.ContainsFunc(v.Copies, func(c copiesView) bool { return !c.DeletedByKey() }) &&
		len(v.CopiedParts()) == 0
}

// Keyed reports whether a write of a batch has the key as parameters.
func (v *tableView) Keyed() bool { return v.DeletedByKey() || len(v.BatchSets()) > 0 }

// batchCalls are the functions of package gen that add writes to a batch that others send at once, by their names. A batch has no method that
// reads, and none that adds to a list, which must not be repeated.
var batchCalls = map[string]string{"SetColumn": "AddColumn", "SetMember": "AddMember", "WriteElement": "AddElements"}

// BatchSets returns the methods of a batch that write one field or one element.
func (v *tableView) BatchSets() (out []setView) {
	for _, s := range v.Sets {
		if call := batchCalls[s.Call]; call != "" && !s.Once {
			s.Call = call
			out = append(out, s)
		}
	}
	return out
}

// Adds describes the write that a method of a batch adds.
func (s setView) Adds() string {
	switch s.Call {
	case "AddMember":
		return "a write of one field of a UDT"
	case "AddElements":
		return "a change of one element"
	}
	return "a write of one field"
}

// Batched returns the tables whose writes a batch can have.
func (v *view) Batched() (out []*tableView) {
	for _, t := range v.Tables {
		if t.Batch != nil {
			out = append(out, t)
		}
	}
	return out
}

// BatchDoc returns the comment of the type of a batch.
func (v *view) BatchDoc() string {
	return doc("%s collects writes of several aggregates, which Run sends as one logged batch at one timestamp. It has a field for each aggregate without a "+
		"version, and only the methods that do not read. A write is encoded when it is added, and its errors are returned by Run. A batch must not be used by "+
		"several goroutines at a time.", v.Batch)
}

// RunDoc returns the comment of the method that sends a batch.
func (v *view) RunDoc() string {
	return doc("%s", "Run sends the batch, once. In the end either all of its writes take effect or none, but readers can see some of them before the others. It "+
		"returns an error that contains all reasons, and sends nothing, if a write violates a rule of the model or two writes write the same row. A batch over "+
		"several partitions above mapper.Config.BatchLimit is a *mapper.BatchTooLargeError. If the outcome is unknown, Run returns a *mapper.UnknownOutcomeError. An empty "+
		"batch sends nothing.")
}
