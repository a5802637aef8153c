package explain

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// change is when an operation changes fields that fields of other roots follow.
type change struct {
	cause  Cause
	fields []string
	when   string
}

// caused sets the condition of a request.
func (c *change) caused(r *Request) *Request {
	r.Cause, r.Fields, r.If = c.cause, c.fields, c.when
	return r
}

// changesFollowed returns when an operation changes fields that fields of other roots follow; nil if it does not.
func (x *explainer) changesFollowed(name string) *change {
	kept := len(x.schema.Kept(x.table.Table)) > 0
	switch {
	case x.table.Versioning.Outbox == nil || strings.HasPrefix(name, "Delete"):
		return nil
	case strings.HasPrefix(name, "Insert"):
		if kept {
			return &change{cause: KeptReferences, when: "because other roots can still refer to the key"}
		}
		return nil
	}
	var fields []string
	for _, c := range x.schema.Followed(x.table.Table) {
		fields = append(fields, c.Attribute.GoName())
	}
	when := "if " + strings.Join(fields, " or ") + " of an existing row changes"
	if kept && !strings.HasPrefix(name, "Update") && !strings.HasPrefix(name, "Change") {
		when += ", or the row is inserted"
	}
	return &change{FollowedChange, fields, when}
}

// listed returns the write of the row in the outboxes before a save that changes followed fields.
func (x *explainer) listed(name string) []*Request {
	c := x.changesFollowed(name)
	if c == nil {
		return nil
	}
	o := x.table.Versioning.Outboxes
	return []*Request{c.caused(newBatch([]*Write{{Table: o, Statements: []Statement{{CQL: o.Insert(), Verb: Inserts}}, many: true, Elsewhere: true}}))}
}

// served returns the requests by which other roots follow a save, at most Config.FanOutInline of them, and which remove the row in the outboxes.
func (x *explainer) served(name string) (out []*Request) {
	c := x.changesFollowed(name)
	if c == nil {
		return nil
	}
	t := x.table.Table
	for _, h := range x.schema.Holders(t) {
		if h.Copy == nil {
			continue
		}
		r := c.caused(newRead(h.Table, h.Table.LoadPartition()+" LIMIT ?"))
		if h.Table.Buckets > 1 {
			r.If += fmt.Sprintf(", for each of the %d buckets", h.Table.Buckets)
		}
		of := x.schema.Table(h.Table.Derived)
		holder := newRead(of, of.Get())
		holder.Serial, holder.Cause, holder.If = true, Follower, "for each row of "+h.Table.Name+": it is saved if its fields are older"
		out = append(out, r, holder)
	}
	o := t.Versioning.Outboxes
	gone := newBatch([]*Write{{Table: o, Statements: []Statement{{CQL: o.Delete(), Verb: Deletes}}, many: true, Elsewhere: true}})
	return append(out, c.caused(conditional(t, Statement{CQL: clearOutbox(t), Verb: Updates})), c.caused(gone))
}

// clearOutbox renders the statement that clears the outbox of a row.
func clearOutbox(t *schema.Table) string {
	var key []string
	for _, c := range t.Key() {
		key = append(key, model.Quote(c.Name)+" = ?")
	}
	name := model.Quote(t.Versioning.Outbox.Name)
	return "UPDATE " + model.Quote(t.Name) + " SET " + name + " = ? WHERE " + strings.Join(key, " AND ") + " IF " + name + " = ?"
}
