package explain

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// changesFollowed returns when an operation changes fields that fields of other roots follow; "" if it does not.
func (x *explainer) changesFollowed(name string) string {
	kept := len(x.schema.Kept(x.table.Table)) > 0
	switch {
	case x.table.Versioning.Outbox == nil || strings.HasPrefix(name, "Delete"):
		return ""
	case strings.HasPrefix(name, "Insert"):
		if kept {
			return "because other roots can still refer to the key"
		}
		return ""
	}
	var fields []string
	for _, c := range x.schema.Followed(x.table.Table) {
		fields = append(fields, c.Attribute.GoName())
	}
	when := "if " + strings.Join(fields, " or ") + " of an existing row changes"
	if kept && !strings.HasPrefix(name, "Update") && !strings.HasPrefix(name, "Change") {
		when += ", or the row is inserted"
	}
	return when
}

// listed returns the write of the row in the outboxes before a save that changes followed fields.
func (x *explainer) listed(name string) []*Request {
	when := x.changesFollowed(name)
	if when == "" {
		return nil
	}
	o := x.table.Versioning.Outboxes
	r := newBatch([]*Write{{Table: o, Statements: []Statement{{CQL: o.Insert()}}, many: true, Elsewhere: true}})
	r.If = when
	return []*Request{r}
}

// served returns the requests by which other roots follow a save, at most Config.FanOutInline of them, and which remove the row in the outboxes.
func (x *explainer) served(name string) (out []*Request) {
	when := x.changesFollowed(name)
	if when == "" {
		return nil
	}
	t := x.table.Table
	for _, h := range x.schema.Holders(t) {
		if h.Copy == nil {
			continue
		}
		r := newRead(h.Table, h.Table.SelectPartition()+" LIMIT ?")
		if r.If = when; h.Table.Buckets > 1 {
			r.If += fmt.Sprintf(", for each of the %d buckets", h.Table.Buckets)
		}
		of := x.schema.Table(h.Table.Derived)
		holder := newRead(of, of.Get())
		holder.Serial, holder.If = true, "for each row of "+h.Table.Name+": it is saved if its fields are older"
		out = append(out, r, holder)
	}
	clear := conditional(t, Statement{CQL: clearOutbox(t)})
	clear.If = when
	o := t.Versioning.Outboxes
	gone := newBatch([]*Write{{Table: o, Statements: []Statement{{CQL: o.Delete()}}, many: true, Elsewhere: true}})
	gone.If = when
	return append(out, clear, gone)
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
