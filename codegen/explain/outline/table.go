package outline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

func (p *Outline) table(t *explain.Table) {
	p.Add(0, "")
	p.Add(0, "== %s %s: %s", t.Name, t.Table.KeyText(), Kind(t.Aggregate))
	if t.Expires() {
		p.Add(1, "whole rows, %s: every write renews the TTL of every row that it touches", t.TTLText())
	}
	if t.Aggregate.Large {
		p.Add(1, "large: above Config.BatchLimit a write is several requests: the rows of the root's partition, then those of other partitions in pieces, deletions last; a Delete ends with the root")
	}
	for _, c := range t.Copies {
		p.copy(c)
	}
	for _, m := range t.Methods {
		p.Add(1, "%s", methodText(m))
	}
	for _, u := range t.Uniques {
		p.unique(u)
	}
	for _, o := range t.Operations {
		p.operation(1, o)
	}
	p.missing(t.No)
	if len(t.Fields) > 0 {
		p.Add(0, "")
		p.Add(1, "By field, the writes of Update, Change and Put; fields that change together share the INSERT of all columns.")
	}
	p.plain(t.Fields)
	for _, f := range t.Fields {
		if !isolated(f) {
			p.field(f)
		}
	}
}

func (p *Outline) view(v *explain.View) {
	p.Add(0, "")
	p.Add(0, "== view %s of %s %s", v.Model.Struct.Name, v.Name, v.Table.KeyText())
	for _, o := range v.Operations {
		p.operation(1, o)
	}
	p.missing(v.No)
}

// missing writes the methods that do not exist.
func (p *Outline) missing(methods []explain.NoMethod) {
	for _, m := range methods {
		p.Add(0, "")
		p.Add(1, "no %s method: %s", m.Name, m.Why)
	}
}

// isolated reports whether a field is one cell of the root's row that no copy reads: its Set method sends the same as Update.
func isolated(f *explain.Field) bool {
	return f.Set != nil && len(f.Elements) == 0 && f.Update.Then == nil && len(f.Update.Writes) == 1 && slices.Equal(f.Update.Writes[0].Statements, f.Set.Requests[0].Writes[0].Statements)
}

// plain writes the fields of which alone is true, together.
func (p *Outline) plain(fields []*explain.Field) {
	var names, methods []string
	var request *explain.Request
	var statements []explain.Statement
	for _, f := range fields {
		if isolated(f) {
			names, methods = append(names, strings.Join(f.Attribute.Path, ".")), append(methods, f.Set.Name)
			request = f.Set.Requests[0]
			statements = append(statements, request.Writes[0].Statements...)
		}
	}
	if request == nil {
		return
	}
	p.Add(0, "")
	p.Add(1, "%s: %s", strings.Join(names, ", "), Sending(request))
	w := *request.Writes[0]
	w.Statements = slices.CompactFunc(statements, func(a, b explain.Statement) bool { return a == b })
	p.request(2, &explain.Request{Writes: []*explain.Write{&w}})
	p.Add(2, "%s: the same in 1 request", strings.Join(methods, ", "))
}

// Kind describes an aggregate: a root, a part, or a redundant aggregate with its source.
func Kind(a *model.Aggregate) string {
	switch {
	case !a.IsSource():
		return "redundant aggregate " + a.Struct.Name + ", written with " + a.Redundancy.Source.Struct.Name
	case a.Root != nil:
		return "part " + a.Struct.Name
	}
	return "root " + a.Struct.Name
}

var places = map[schema.Place]string{
	schema.WithSource: "in the root's own partition, which costs almost nothing",
	schema.OneOther:   "in another partition",
	schema.PerElement: "each in its own partition",
}

func (p *Outline) copy(c *explain.Copy) {
	text := countRows(c.Rows) + ", " + places[c.Place()]
	if c.When != "" {
		text += "; only while " + c.When + " holds"
	}
	if c.Table.Aggregate.Redundancy.Shared {
		text += "; shared: inserted, never deleted"
	}
	if r := c.Table.Aggregate.Redundancy; r.Unlogged {
		text += "; unlogged: written after the root, and can be missing until Reconcile writes them"
	}
	if s := c.Table.Aggregate.Redundancy.Cache; s > 0 {
		text += fmt.Sprintf("; not written again by a store that has written the row within %v", time.Duration(s)*time.Second)
	}
	if c.Owner() != nil {
		text += "; distinct: a row is read before it is deleted, and stays if another " + c.Source.Aggregate.Struct.Name + " owns it"
	}
	if c.Table.Expires() {
		text += "; whole rows, " + c.Table.TTLText()
	}
	p.Add(1, "keeps %s %s: %s", c.Table.Name, c.Table.KeyText(), text)
	if c.Diverge != "" {
		p.Add(2, "%s: two concurrent writers can leave it wrong: %s", model.RuleOverlap.Code, c.Diverge)
	}
}

func methodText(m explain.Method) string {
	switch {
	case m.Everything != "":
		return m.Name + " may read every field: " + m.Everything
	case len(m.Fields) == 0:
		return m.Name + " reads no field"
	}
	return m.Name + " reads " + strings.Join(m.Fields, ", ")
}

// unique writes the requests for unique values.
func (p *Outline) unique(u *explain.Unique) {
	p.Add(1, "unique %s, in %s: one value%s", u.Fields, u.Table.Name, elements(u.Rows))
	p.Add(2, "claims a new value before the save:")
	for _, r := range u.Claim {
		p.request(3, r)
	}
	p.Add(2, "releases a dropped value, by a read before the save and a conditional statement after it:")
	for _, r := range u.Release {
		p.request(3, r)
	}
}

func (p *Outline) field(f *explain.Field) {
	p.Add(0, "")
	if f.Update == nil {
		p.Add(1, "%s: final, so a change is refused", strings.Join(f.Attribute.Path, "."))
		return
	}
	p.Add(1, "%s: %s", strings.Join(f.Attribute.Path, "."), Sending(f.Update))
	p.request(2, f.Update)
	if f.Set == nil {
		p.Add(2, "no Set method: %s", f.NoSet)
	} else {
		p.operation(2, f.Set)
	}
	for _, e := range f.Elements {
		if e.Operation == nil {
			p.Add(2, "no %s method: %s", e.Name, e.No)
		} else {
			p.operation(2, e.Operation)
		}
		if e.Reads != "" && e.Operation != nil {
			p.Add(3, "reads first: %s", e.Reads)
		}
	}
}
