package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// saves explains the operations of a versioned root. Each save is a conditional statement on the root's row, followed by the
// copies, all of whose columns are written.
func (x *explainer) saves() {
	t := x.table.Table
	x.uniques()
	read, insert, save, live := newRead(t, t.ShownState()), Statement{CQL: t.InsertNew(), Verb: Inserts}, Statement{CQL: t.Save(), Verb: Updates}, Statement{CQL: t.SaveLive(), Verb: Updates}
	written, removed := x.propagate((*Copy).save, true), x.propagate((*Copy).drop, true)

	const (
		deleted = "if the row is deleted"
		pending = "if rows of copies are pending"
		missing = "if there is no row, or a deleted one"
	)
	again := newRead(t, t.ShownState())
	again.Serial, again.Cause, again.If = true, ExistingRow, "if there is a row: mapper.ErrExists, unless it is deleted"
	over := conditional(t, save)
	over.Cause, over.If = DeletedRow, deleted
	pendingOver := x.pending(DeletedRow, deleted+" and rows of copies are pending")
	x.save("Insert", x.propagate((*Copy).insert, true), x.withHead(conditional(t, insert), ""), again, pendingOver, x.withHead(over, ""))
	var found *Request
	if t.Remaining != nil { // the refused statement does not return TTLs
		found = newRead(t, t.ShownState())
		found.Serial, found.Cause, found.If = true, ExistingRow, "if there is a row: it is returned, unless it is deleted"
	}
	x.save("InsertOrGet", x.propagate((*Copy).insert, true), x.withHead(conditional(t, insert), ""), found, pendingOver, x.withHead(over, ""))
	if part := x.schema.Part(t); part != nil {
		put := Statement{CQL: part.PutPart(), If: "for each row of the part", Case: PutRow, Verb: Inserts}
		with := addPart(conditional(t, save), part, put)
		with.Cause, with.If = DeletedRow, deleted
		x.save("InsertWith", x.withPartCopies(x.propagate((*Copy).insert, true)), x.withHead(addPart(conditional(t, insert), part, put), ""), again, pendingOver, x.withHead(with, ""))
	}

	insert.If, save.If = "if there is no row", "if there is a row, even a deleted one"
	either := []Statement{insert, save}
	if t.IsLease() {
		save.If, live.If = "if the row is deleted or has expired", "if there is a row"
		either = []Statement{insert, save, live}
	}
	x.save("Put", written, read, x.pending(PendingRows, pending), x.withHead(conditional(t, either...), missing))
	with := x.withPartCopies(written)
	x.save("Upsert", with, read, x.partRead(), x.partRangeRead(), x.pending(PendingRows, pending), x.withHead(x.withParts(conditional(t, either...)), missing))
	live.If = ""
	save = live
	x.save("Update", with, read, x.partRead(), x.partRangeRead(), x.pending(PendingRows, pending), x.withParts(conditional(t, save)))
	if x.related() { // it reads the row, as Update does
		x.save("Change", written, x.confirmed(), x.pending(PendingRows, pending), conditional(t, save))
	} else {
		change := save
		if cql := t.SaveChange(); cql != "" {
			change.CQL, change.Elements = cql+t.AndLive(), t.Versioning.Pending
		}
		x.save("Change", x.propagate((*Copy).save, false), x.confirmed(), conditional(t, change))
	}
	for _, name := range []string{"Delete", "DeleteAt"} {
		if x.part() != nil && len(x.part().Copies) > 0 {
			x.deletions(name, read, x.pending(PendingRows, pending), conditional(t, save), removed)
			continue
		}
		x.save(name, removed, read, x.pending(PendingRows, pending), x.clearing(conditional(t, save)))
	}
}

// uniques explains the unique values of a versioned root.
func (x *explainer) uniques() {
	for _, u := range x.table.Versioning.Uniques {
		of := newUnique(x.table.Table, u)
		if kept := x.readKept(of); kept != nil {
			of.Release = append(of.Release, kept)
		}
		x.table.Uniques = append(x.table.Uniques, of)
	}
}

// addPart adds statements of a part to a conditional request, which then is a batch.
func addPart(r *Request, part *schema.Table, statements ...Statement) *Request {
	r.Batch = Sometimes
	r.Writes = append(r.Writes, &Write{Table: part, Statements: statements, many: true})
	return r
}

// withParts adds the statements of the part that the function of an Update writes.
func (x *explainer) withParts(r *Request) *Request {
	part := x.schema.Part(x.table.Table)
	if part == nil {
		return r
	}
	remove := part.DeletePart(len(part.Key()))
	all := []Statement{{CQL: part.PutPart() + " IF NOT EXISTS", If: "for each inserted row", Case: InsertedRow, Verb: Inserts}, {CQL: part.PutPart(), If: "for each row that is put", Verb: Inserts}}
	if change := part.ChangePart(); change != "" {
		all = append(all, Statement{CQL: change, If: "for each changed row that was read", Case: ChangedRow, Verb: Updates}, Statement{CQL: change + " IF EXISTS", If: "for each changed row that was not read", Verb: Updates})
	}
	within := part.DeletePart(len(part.Prefix())) + " AND " + model.Quote(part.Discriminators()[0].Name) + " <= ?"
	return addPart(r, part, append(all, Statement{CQL: remove + " IF EXISTS", If: "for each deleted row", Case: RemovedRow, Verb: Deletes}, Statement{CQL: within, If: "for each deleted range, with its bounds", Verb: Deletes})...)
}

// withHead adds the statement that writes the head row of the partition.
func (x *explainer) withHead(r *Request, condition string) *Request {
	part := x.schema.Part(x.table.Table)
	if part == nil || !part.HasHead() {
		return r
	}
	if r.Batch = Always; condition != "" {
		r.Batch = Sometimes
	}
	r.Writes = append(r.Writes, &Write{Table: part, Statements: []Statement{{CQL: part.PutHead(), If: condition, Verb: Inserts}}, sure: condition == ""})
	return r
}

// clearing adds the statement that deletes all rows of the part.
func (x *explainer) clearing(r *Request) *Request {
	if part := x.schema.Part(x.table.Table); part != nil {
		addPart(r, part, Statement{CQL: part.DeletePart(len(part.PartitionKey)), Verb: Deletes}).Batch = Always
	}
	return x.withHead(r, "")
}

// partRead returns the read of a row of a part in the function of an Update, or nil if there is no part.
func (x *explainer) partRead() *Request {
	part := x.schema.Part(x.table.Table)
	if part == nil {
		return nil
	}
	r := newRead(part, part.Get())
	r.Serial, r.Cause, r.If = true, PartRow, "for each row of "+part.Aggregate.Struct.Name+" that the function reads"
	if len(part.Projections) > 0 {
		r.Cause = WrittenPartRow
		r.If += ", puts, changes or deletes, and for each one whose redundant rows an earlier save has left"
	}
	return r
}

// partRangeRead returns the read of the rows of a range that the function of an Update deletes, or nil if no redundant rows follow from them.
func (x *explainer) partRangeRead() *Request {
	part := x.schema.Part(x.table.Table)
	if part == nil || len(part.Projections) == 0 {
		return nil
	}
	r := newRead(part, part.Select()+" WHERE "+wherePrefix(part)+" AND "+model.Quote(part.Discriminators()[0].Name)+" <= ?")
	r.Serial, r.Cause, r.If = true, PartRange, "for each page of a range that the function deletes, with its bounds"
	return r
}

// part returns the part of the table with its copies, or nil if there is none.
func (x *explainer) part() *Table {
	part := x.schema.Part(x.table.Table)
	if part == nil {
		return nil
	}
	return &Table{Table: part, Copies: newCopies(part)}
}

// withPartCopies adds to the batch of the copies the copies of the part.
func (x *explainer) withPartCopies(r *Request) *Request {
	part := x.part()
	if part == nil || len(part.Copies) == 0 {
		return r
	}
	var writes []*Write
	for _, c := range part.Copies {
		w := c.write()
		w.Statements = []Statement{{CQL: c.Table.Insert(), If: "for each row that the save writes", Verb: Inserts}, {CQL: c.Table.Delete(), If: "for each dropped row", Verb: Deletes}}
		w.Elsewhere, w.Each, w.sure, w.many = true, true, false, true
		if w.Rows.Per == "" {
			w.Rows.Per, w.Rows.Part = part.Aggregate.Struct.Name, part.Aggregate
		}
		writes = append(writes, w)
	}
	all := slices.Insert(slices.Clone(r.Writes), len(r.Writes)-1, writes...) // the done-marker is the last one
	return newBatch(all)
}

// deletions adds an operation that deletes a root whose part has copies: first the root, without a done-marker, then the copies page by page, then
// the parts.
func (x *explainer) deletions(name string, read, pending, save, removed *Request) {
	part := x.part()
	state, page := newRead(x.table.Table, x.table.Table.Get()), newRead(part.Table, part.Select()+" WHERE "+wherePrefix(part.Table))
	state.Serial, page.Serial, page.Cause, page.If = true, true, EachPage, "for each page of the rows of "+part.Aggregate.Struct.Name
	var writes []*Write
	for _, c := range part.Copies {
		w := c.write()
		w.Statements = []Statement{{CQL: c.Table.Delete(), Verb: Deletes}}
		w.Elsewhere, w.Each, w.sure, w.many = true, true, false, true
		if w.Rows.Per == "" {
			w.Rows.Per, w.Rows.Part = part.Aggregate.Struct.Name, part.Aggregate
		}
		writes = append(writes, w)
	}
	left := newBatch(writes)
	left.Cause, left.If = EachPage, page.If
	clear := x.clearing(conditional(x.table.Table, save.Writes[0].Statements...))
	var first *Request
	if all := len(removed.Writes); all > 1 {
		first = newBatch(removed.Writes[:all-1])
	}
	x.save(name, removed, read, pending, save, first, state, page, left, clear)
}

// wherePrefix renders the condition of the rows of a part of one root.
func wherePrefix(part *schema.Table) string {
	var names []string
	for _, c := range part.Prefix() {
		names = append(names, model.Quote(c.Name)+" = ?")
	}
	return strings.Join(names, " AND ")
}

// save adds an operation that sends some requests and then the copies. Requests that are nil are omitted.
func (x *explainer) save(name string, copies *Request, requests ...*Request) {
	o := &Operation{Name: name}
	requests = x.withReferences(name, requests)
	if !strings.HasPrefix(name, "Delete") {
		requests = x.withTargets(requests)
	}
	for _, r := range slices.Concat(requests, []*Request{copies}, x.served(name), x.unlisted(name)) {
		if r == nil {
			continue
		}
		if o.Requests = append(o.Requests, r); r.If == "" {
			o.RoundTrips++
		}
	}
	if len(x.table.Uniques) > 0 {
		o.Claims = !strings.HasPrefix(name, "Delete")
		o.Releases = !strings.HasPrefix(name, "Insert")
	}
	x.table.Operations = append(x.table.Operations, o)
}

// pending returns the read that determines whether the rows of copies that earlier saves have dropped have been deleted. It returns nil
// if there are no copies.
func (x *explainer) pending(cause Cause, condition string) *Request {
	done := x.table.Versioning.Done
	if done == nil {
		return nil
	}
	r := newRead(done, done.Get())
	r.Cause, r.If = cause, condition
	return r
}

// related reports whether the root refers to others by references that the store keeps right, or others to it.
func (x *explainer) related() bool {
	return len(x.table.Versioning.References) > 0 || x.schema.Holders(x.table.Table) != nil
}

// confirmed returns the read that compares the version before a Change claims unique values or changes references, or nil if there are neither.
func (x *explainer) confirmed() *Request {
	if len(x.table.Uniques) == 0 && !x.related() {
		return nil
	}
	r := newRead(x.table.Table, x.table.Table.Get())
	if r.Serial = true; !x.related() {
		r.Cause, r.If = NewValues, "if there are new unique values"
	}
	return r
}

// propagate returns the batch of the copies, with the done-marker if done is set, or nil if there are no copies.
func (x *explainer) propagate(of func(*Copy) *Write, done bool) *Request {
	t := x.table.Table
	if t.Versioning.Done == nil {
		return nil
	}
	var writes []*Write
	for _, c := range x.table.Copies {
		if w := of(c); w != nil {
			writes = append(writes, w)
		}
	}
	writes = append(writes, x.droppedReferences()...)
	_, unlogged := splitUnlogged(writes)
	var marker *Write
	if done {
		m := t.Versioning.Done
		marker = &Write{Table: m, Elsewhere: len(t.ClusteringKey) > 0, Statements: []Statement{{CQL: m.Insert(), Verb: Inserts}}, sure: true, partition: registers(len(t.Key()))}
	}
	if marker != nil && unlogged == nil {
		writes = append(writes, marker)
	}
	r := newBatch(writes)
	if r == nil {
		return nil
	}
	if marker != nil && unlogged != nil {
		r.last().Then = newLoggedBatch([]*Write{marker}) // sent when all rows are acknowledged
	}
	if !slices.ContainsFunc(writes, func(w *Write) bool { return w.sure }) {
		r.Cause, r.If = WrittenRows, "if there are rows"
	}
	return r
}

// last returns the last request of the chain that begins with r.
func (r *Request) last() *Request {
	for r.Then != nil {
		r = r.Then
	}
	return r
}

// registers identifies the partition whose key is the first n columns of the source.
func registers(n int) string {
	key := make([]uint16, n)
	for i := range key {
		key[i] = uint16(i)
	}
	return fmt.Sprint(key)
}

// insert writes the rows of a copy of a versioned root whose row is missing or deleted.
func (c *Copy) insert() *Write {
	w := c.write()
	w.Statements = []Statement{{CQL: c.Table.Insert(), Verb: Inserts}}
	if c.drops() {
		w.many = true
		w.Statements = append(w.Statements, Statement{CQL: c.Table.Delete(), If: "if the row of the root is deleted, for each pending row", Verb: Deletes})
	}
	return w
}

// save writes all columns of the rows of a copy of a versioned root, and deletes the dropped rows.
func (c *Copy) save() *Write {
	w := c.write()
	w.Statements = []Statement{{CQL: c.Table.Insert(), Verb: Inserts}}
	if w.Keeps = c.shared(); c.drops() {
		w.RowEffect, w.many = Depends, true
		w.Spreads = w.Elsewhere && c.MovesPartition(c.Source.Ordered()[len(c.Source.Key()):]...)
		w.Statements = append(w.Statements, Statement{CQL: c.Table.Delete(), If: "for each dropped or pending row", Verb: Deletes})
	}
	return w
}

// drops reports whether a save that does not delete the root can drop rows of the copy.
func (c *Copy) drops() bool {
	return !c.shared() && c.Effect(c.Source.Ordered()[len(c.Source.Key()):]...).Exists
}

// drop deletes the rows of a copy of a versioned root. It returns nil for a shared copy, whose rows are not deleted.
func (c *Copy) drop() *Write {
	if c.shared() {
		return nil
	}
	w := c.write()
	w.Statements = []Statement{{CQL: c.Table.Delete(), Verb: Deletes}}
	return w
}

// conditional returns a request that sends one of several conditional statements.
func conditional(t *schema.Table, statements ...Statement) *Request {
	r := &Request{Conditional: true, Writes: []*Write{{Table: t, Statements: statements, sure: true}}}
	if cql := t.SaveValues(); cql != "" { // the same row, with a TTL of its own
		r.Batch = Always
		r.Writes = append(r.Writes, &Write{Table: t, Statements: []Statement{{CQL: cql, Verb: Updates}}, sure: true})
	}
	return r
}

// newUnique explains how unique values of a root are claimed and released.
func newUnique(t *schema.Table, of *schema.Unique) *Unique {
	u := &Unique{Unique: of}
	var fields []string
	for _, p := range of.Model.Paths {
		fields = append(fields, strings.TrimSuffix(strings.TrimPrefix(p.String(), t.Aggregate.Struct.Name+"."), ".$value"))
	}
	u.Fields = strings.Join(fields, ", ")
	if p := of.Model.Paths[0]; p.Loop >= 0 {
		collection := model.Path{Source: p.Source, Steps: p.Steps[:p.Loop+1], Loop: -1}
		u.Rows = Rows{Per: collection.String(), Of: p.Steps[p.Loop], Max: max(0, p.Steps[p.Loop].Multiplicity.Max)}
	}
	root := t.Aggregate.Struct.Name
	other := newRead(t, t.Get())
	other.Serial, other.Cause, other.If = true, ContestedValue, "if another "+root+" has claimed the value"
	fence, absent := conditional(t, Statement{CQL: t.Save(), Verb: Updates}), conditional(t, Statement{CQL: t.InsertNew(), Verb: Inserts})
	fence.Cause, fence.If = ContestedValue, "if that "+root+" has a row, and has not been saved before the end of the lease"
	absent.Cause, absent.If = ContestedValue, "if that "+root+" has no row at the end of the lease"
	paused := newRead(of.Table, of.Table.Load())
	paused.Serial, paused.Cause, paused.If = true, ContestedValue, "after each pause, if the save of that "+root+" may still be in flight"
	over := reserve(of.Table, Statement{CQL: of.Table.Claim(), Verb: Updates})
	over.Cause, over.If = ReleasedValue, "if the value was released, or that "+root+" does not have it"
	raise := reserve(of.Table, Statement{CQL: of.Table.Raise(), Verb: Updates})
	raise.Cause, raise.If = ContestedValue, "if another save of the same "+root+" has claimed the value"
	back := reserve(of.Table, Statement{CQL: of.Table.Claim(), Verb: Updates})
	back.Cause, back.If = ContestedValue, "if the save is refused later: the value is released again"
	u.Claim = []*Request{reserve(of.Table, Statement{CQL: of.Table.InsertNew(), Verb: Inserts}), other, fence, absent, paused, over, raise, back}
	was := newRead(of.Table, of.Table.Get())
	was.Serial = true
	u.Release = []*Request{was, reserve(of.Table, Statement{CQL: of.Table.Claim(), Verb: Updates})}
	return u
}

// readKept returns the read of the reservation of a unique value that a save keeps, or nil if no copy is keyed by it.
func (x *explainer) readKept(u *Unique) *Request {
	for _, c := range x.table.Copies {
		if number, columns := c.KeyUnique(); columns == nil || x.table.Versioning.Uniques[number] != u.Unique {
			continue
		}
		r := newRead(u.Unique.Table, u.Unique.Table.Get())
		r.Cause, r.If = KeptValue, "if the value stays: a redundant table is keyed by it, and only the owner of the value writes its row"
		return r
	}
	return nil
}

// reserve returns a request that writes a reservation.
func reserve(t *schema.Table, s Statement) *Request {
	r := conditional(t, s)
	r.Writes[0].Elsewhere = true
	return r
}
