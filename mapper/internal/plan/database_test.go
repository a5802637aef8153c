package plan_test

import (
	"context"
	"strings"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// database executes the mutations of the tests: a backend in memory, which merges cells as Cassandra does.
type database struct{ store.Store }

func newDatabase(copies []*copyOf) database {
	schema := &descriptor.Schema{Tables: []*descriptor.Table{shops}}
	for _, c := range copies {
		schema.Tables = append(schema.Tables, c.table)
	}
	s, err := memory.New(memory.Config{}).Open(context.Background(), schema)
	if err != nil {
		panic(err)
	}
	return database{s}
}

func (d database) apply(mutations []plan.Mutation, at int64) {
	if err := d.Apply(context.Background(), mutations, store.Write{Timestamp: at}); err != nil {
		panic(err)
	}
}

func (d database) all(t *plan.Table) (rows []cell.Row) {
	for row, err := range d.Rows(context.Background(), store.Read{Table: t}) {
		if err != nil {
			panic(err)
		}
		rows = append(rows, row)
	}
	return rows
}

func keyOf(key cell.Row) string {
	var parts []string
	for _, c := range key {
		parts = append(parts, string(c))
	}
	return strings.Join(parts, "|")
}

// rows reads a table as text, by key.
func (d database) rows(t *plan.Table, columns []columnOf) map[string]string {
	out := map[string]string{}
	for _, row := range d.all(t) {
		var cols []string
		for i, c := range columns {
			cols = append(cols, c.name+"="+print(c.name, row[t.Key+i]))
		}
		out[keyOf(row[:t.Key])] = strings.Join(cols, ";")
	}
	return out
}

// print returns a column as the oracle prints it.
func print(name string, c cell.Cell) string {
	var d cell.Decoder
	d.Row(cell.Row{c})
	switch name {
	case "tags", "frozen_tags":
		return showSet(cell.DecodeList(&d, (*cell.Decoder).Text))
	case "labels":
		return showMap(cell.DecodeMap(&d, (*cell.Decoder).Text, (*cell.Decoder).Text), itself)
	case "places", "frozen_places":
		return showMap(cell.DecodeMapOfStructs(&d, (*cell.Decoder).Text, decodePair), place)
	case "items":
		return showItems(cell.DecodeStructs(&d, decodePair))
	case "address", "value", "owner", "frozen_owner", "parent", "frozen_parent", "living":
		return printUDT(c)
	}
	return show(decodeText(&d))
}

func printUDT(c cell.Cell) string {
	if c == nil {
		return null
	}
	var out []string
	for w := cell.Members(c); w.More(); {
		var d cell.Decoder
		d.Row(cell.Row{w.Next()})
		out = append(out, show(decodeText(&d)))
	}
	return strings.Join(out, ",")
}

// shop reads the root; nil if it does not exist.
func (d database) shop() *shop {
	rows := d.all((*plan.Table)(shops))
	if len(rows) == 0 {
		return nil
	}
	var r cell.Decoder
	r.Row(rows[0])
	return &shop{
		ID: r.Text(), Region: r.Text(), Name: decodeText(&r), City: decodeText(&r),
		Tags: cell.DecodeList(&r, (*cell.Decoder).Text), Labels: cell.DecodeMap(&r, (*cell.Decoder).Text, (*cell.Decoder).Text),
		Places: cell.DecodeMapOfStructs(&r, (*cell.Decoder).Text, decodePair), Items: cell.DecodeStructs(&r, decodePair),
		Owner: cell.DecodePointer(&r, decodeOwner), Address: cell.DecodePointer(&r, decodePair),
	}
}

func decodeText(d *cell.Decoder) *string { return cell.DecodeNullable(d, (*cell.Decoder).Text) }

func decodePair(d *cell.Decoder, v *pair) { v.A, v.B = decodeText(d), decodeText(d) }

func decodeOwner(d *cell.Decoder, v *owner) {
	v.A, v.B, v.C = decodeText(d), decodeText(d), decodeText(d)
}

// equalShops compares two values as the database distinguishes them.
func equalShops(a, b *shop) bool {
	if a == nil || b == nil {
		return a == b
	}
	return describeShop(a) == describeShop(b)
}

func describeShop(s *shop) string {
	var out []string
	for _, c := range rootColumns {
		out = append(out, c.show(s, element{}))
	}
	return strings.Join(append(out, showMap(s.Labels, itself)), ";")
}
