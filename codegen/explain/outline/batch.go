package outline

import (
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// batch prints the writes that a batch of several aggregates can have, and the costs of a batch.
func (p *Outline) batch(b *explain.Batch) {
	if b == nil {
		return
	}
	p.Add(0, "")
	p.Add(0, "== Batch: writes of several aggregates, which Run sends together")
	text := "1 request"
	if len(b.Checks) > 0 {
		text += ", and 1 more if rows are removed from " + checked(&explain.Operation{Checks: b.Checks})
	}
	p.Add(1, "Run: %s; one statement, or a logged batch if there are more; through the batchlog (server: +1) if they touch more than one partition", text)
	p.checks(2, &explain.Operation{Checks: b.Checks})
	p.Add(2, "partitions: those of all writes; equal partition keys count once, in any table")
	p.Add(2, "statements: those of the methods, at one timestamp")
	for _, t := range b.Tables {
		p.Add(3, "%s: %s", tableText(t), strings.Join(t.Methods, ", "))
	}
	for _, x := range b.Together {
		p.Add(1, "Insert of %s with one partition key: %s", strings.Join(aggregates(x.Tables), " and "), Sending(x.Insert))
		p.Add(2, "partitions: %s", Partitions(x.Insert))
	}
}

// tableText returns the name of a table. If a root and a part share the table, the name of the struct follows.
func tableText(t *explain.Batched) string {
	if t.Statics || t.Aggregate.InRootTable {
		return t.Name + " (" + t.Aggregate.Struct.Name + ")"
	}
	return t.Name
}

// aggregates returns the names of the structs of tables.
func aggregates(tables []*schema.Table) []string {
	var out []string
	for _, t := range tables {
		out = append(out, t.Aggregate.Struct.Name)
	}
	return out
}
