package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
)

// batch prints the writes that a batch of several aggregates can have, and what a batch costs.
func (p *page) batch(b *explain.Batch) {
	if b == nil {
		return
	}
	p.line(0, "")
	p.line(0, "== Batch: writes of several aggregates, which Run sends together")
	text := "1 request"
	if len(b.Checks) > 0 {
		text += ", and 1 more if rows are removed from " + checked(&explain.Operation{Checks: b.Checks})
	}
	p.line(1, "Run: %s; one statement, or a logged batch if there are more; through the batchlog (server: +1) if they touch more than one partition", text)
	p.checks(2, &explain.Operation{Checks: b.Checks})
	p.line(2, "partitions: those of all writes; equal partition keys count once, in any table")
	p.line(2, "statements: those of the methods, at one timestamp")
	for _, t := range b.Tables {
		p.line(3, "%s: %s", tableText(t), strings.Join(t.Methods, ", "))
	}
	for _, x := range b.Together {
		p.line(1, "Insert of %s with one partition key: %s", strings.Join(aggregates(x.Tables), " and "), sending(x.Insert))
		p.line(2, "partitions: %s", partitions(x.Insert))
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
	return mapped(tables, func(t *schema.Table) string { return t.Aggregate.Struct.Name })
}

// batchJSON is the documented form of the batches of a store.
type batchJSON struct {
	Kind     string         `json:"kind"` // batch
	Package  string         `json:"package"`
	Tables   []batchedJSON  `json:"tables"`
	Together []togetherJSON `json:"together"`
	Checks   []requestJSON  `json:"checks"`
}

// batchedJSON is a table that a batch can write.
type batchedJSON struct {
	Table   string   `json:"table"`
	Struct  string   `json:"struct"`
	Methods []string `json:"methods"`
}

// togetherJSON is a batch that inserts a row of a root and of each of its parts.
type togetherJSON struct {
	Structs []string    `json:"structs"`
	Insert  requestJSON `json:"insert"`
}

func writeBatchJSON(c *cobra.Command, path string, b *explain.Batch) error {
	if b == nil {
		return nil
	}
	return writeJSON(c, batchJSON{"batch", path,
		mapped(b.Tables, func(t *explain.Batched) batchedJSON { return batchedJSON{t.Name, t.Aggregate.Struct.Name, t.Methods} }),
		mapped(b.Together, func(x *explain.Together) togetherJSON { return togetherJSON{aggregates(x.Tables), requestOf(x.Insert)} }),
		mapped(b.Checks, requestOf)})
}
