package site

import (
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/codegen/explain/outline"
)

// batchView describes the batches of several aggregates.
type batchView struct {
	Checks   []lineView // the reads before a batch
	Tables   []batchedView
	Together []togetherView
}

// batchedView has the methods of a batch that write a table.
type batchedView struct {
	Aggregate, Table ref
	Methods          []string
}

// togetherView is a batch that inserts a root and its parts with one partition key.
type togetherView struct {
	Aggregates          []ref
	Sending, Partitions string
}

// batch describes the batches of a store; nil: it has none.
func (b *builder) batch() *batchView {
	x := b.explain.Batch
	if x == nil {
		return nil
	}
	v := &batchView{}
	for _, r := range x.Checks {
		v.Checks = append(v.Checks, lineView{CQL: text(r.Writes[0].Statements[0].CQL), Text: "for each row to remove from " + name(r.Writes[0].Table.Name)})
	}
	for _, t := range x.Tables {
		v.Tables = append(v.Tables, batchedView{b.aggregate(t.Aggregate), b.table(t.Table.Table), t.Methods})
	}
	for _, t := range x.Together {
		v.Together = append(v.Together, b.newTogether(t))
	}
	return v
}

func (b *builder) newTogether(t *explain.Together) togetherView {
	v := togetherView{Sending: text(outline.Sending(t.Insert)), Partitions: text(outline.Partitions(t.Insert))}
	for _, table := range t.Tables {
		v.Aggregates = append(v.Aggregates, b.aggregate(table.Aggregate))
	}
	return v
}
