package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// withReferences adds the requests for checked references before the conditional statement of a save: of the references that the save
// adds, or of the references of other roots to the row that is deleted.
func (x *explainer) withReferences(name string, requests []*Request) []*Request {
	i := slices.IndexFunc(requests, func(r *Request) bool { return r != nil && r.Conditional })
	if strings.HasPrefix(name, "Delete") {
		return slices.Insert(requests, i, x.release()...)
	}
	return slices.Insert(requests, i, append(x.establish(), x.listed(name)...)...)
}

// establish returns the writes of the rows of the references that a save adds, and the reads of the targets. First come the references that
// fields follow, whose targets each save reads.
func (x *explainer) establish() []*Request {
	followed := func(r *schema.CheckedReference) bool { return r.Copy != nil }
	out := x.establishEach(followed, FollowedTarget, "for each %s whose fields the row has")
	return append(out, x.establishEach(func(r *schema.CheckedReference) bool { return !followed(r) }, AddedTarget, "for each %s of an added reference")...)
}

// establishEach is establish for some references, with the cause and the condition of the reads.
func (x *explainer) establishEach(chosen func(*schema.CheckedReference) bool, cause Cause, condition string) (out []*Request) {
	var writes []*Write
	var targets []*model.Aggregate
	for _, r := range x.table.Versioning.References {
		if !chosen(r) {
			continue
		}
		writes = append(writes, referenceWrite(r, Statement{CQL: r.Table.Insert(), Verb: Inserts}))
		if !slices.Contains(targets, r.Model.Target) {
			targets = append(targets, r.Model.Target)
		}
	}
	if writes == nil {
		return nil
	}
	rows := newBatch(writes)
	rows.Cause, rows.If = AddsReferences, "if the save adds references, for each of them"
	out = append(out, rows)
	for _, a := range targets {
		t := x.schema.Table(a)
		r := newRead(t, t.Get())
		r.Serial, r.Cause, r.If = true, cause, fmt.Sprintf(condition, a.Struct.Name)
		out = append(out, r)
	}
	return out
}

// unlisted returns the deletion of the row in the outboxes after a deletion that it lists; nil for any other operation.
func (x *explainer) unlisted(name string) []*Request {
	o := x.table.Versioning.Outboxes
	if !strings.HasPrefix(name, "Delete") || !x.table.Versioning.ListsDeletions {
		return nil
	}
	return []*Request{newBatch([]*Write{{Table: o, Statements: []Statement{{CQL: o.Delete(), Verb: Deletes}}, many: true, Elsewhere: true}})}
}

// release returns the requests that list and mark a target as being deleted, and that find the roots that refer to it.
func (x *explainer) release() (out []*Request) {
	holders := slices.DeleteFunc(x.schema.Holders(x.table.Table), func(r *schema.CheckedReference) bool { return r.Model.OnDelete == model.Keep })
	if len(holders) == 0 {
		return nil
	}
	if o := x.table.Versioning.Outboxes; x.table.Versioning.ListsDeletions {
		out = append(out, newBatch([]*Write{{Table: o, Statements: []Statement{{CQL: o.Insert(), Verb: Inserts}}, many: true, Elsewhere: true}}))
	}
	out = append(out, conditional(x.table.Table, Statement{CQL: x.table.Table.Save(), Verb: Updates}))
	slices.SortStableFunc(holders, func(a, b *schema.CheckedReference) int { return restricts(b) - restricts(a) })
	for _, h := range holders {
		r := newRead(h.Table, h.Table.LoadPartition())
		if r.Cause = ReferringRows; h.Table.Buckets > 1 {
			r.If = fmt.Sprintf("for each of the %d buckets", h.Table.Buckets)
		}
		of := x.schema.Table(h.Table.Derived)
		holder := newRead(of, of.Get())
		holder.Serial, holder.Cause, holder.If = true, Referring, "for each row of "+h.Table.Name+": "+effects[h.Model.OnDelete]
		out = append(out, r, holder)
	}
	return out
}

// effects describes the effect on a root that refers to the target.
var effects = map[model.OnDelete]string{
	model.Restrict: "*mapper.HeldError if it refers to the row",
	model.Cascade:  "it is deleted if it refers to the row",
	model.Clear:    "it is saved without the reference",
}

func restricts(r *schema.CheckedReference) int {
	if r.Model.OnDelete == model.Restrict {
		return 1
	}
	return 0
}

// droppedReferences returns the deletions of the rows of references that a save drops.
func (x *explainer) droppedReferences() (out []*Write) {
	for _, r := range x.table.Versioning.References {
		out = append(out, referenceWrite(r, Statement{CQL: r.Table.Delete(), If: "for each dropped reference", Verb: Deletes}))
	}
	return out
}

// referenceWrite returns a write of rows of a reverse table. They are in the partitions of the targets.
func referenceWrite(r *schema.CheckedReference, s Statement) *Write {
	w := &Write{Table: r.Table, Statements: []Statement{s}, many: true, Elsewhere: true, partition: r.Table.Name}
	if path := r.Paths[0]; r.Of.Loop() != nil {
		w.Each, w.Rows = true, Rows{Per: strings.TrimSuffix(path.String(), ".$value"), Of: path.Steps[path.Loop], Changed: true}
	}
	return w
}
