package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// references adds the methods that follow references, and those that read in the reverse direction.
func (b *viewer) references(v *view) {
	for _, t := range v.Tables {
		if !t.Derived() {
			b.follows(t, t.source.References(), v.Tables)
			b.referring(t, v.Tables)
		}
	}
	for _, t := range v.Views {
		b.follows(t, t.view.References(), v.Tables)
	}
}

// referring adds the methods that read the rows that refer to the root of a table.
func (b *viewer) referring(v *tableView, tables []*tableView) {
	for _, r := range b.schema.Referring(v.source) {
		if r.No != "" {
			continue
		}
		of := tables[slices.IndexFunc(tables, func(t *tableView) bool { return t.source == r.Table })]
		x := referringView{Method: r.Method()}
		key := "gen.EncodeKey(v, " + b.rowKey(v) + ")"
		rows := fmt.Sprintf("the rows of %s that refer to v by %s", r.From.Name, r.Reference.Fields[0].GoName())
		if r.Index != nil {
			x.Result, x.Query = "gen.Found["+of.Struct+"]", fmt.Sprintf("gen.Find(gen.Every(gen.On(t.Reader, %s)), %s, %s)", of.Codec.Name, strconv.Quote(r.Index.Column.Name), key)
			x.Doc = doc("%s reads %s, with the index of that column. It queries all nodes.", x.Method, rows)
		} else {
			x.Result, x.Query = of.Query.Type, of.Query.of.value(of.where(key))
			x.Doc = doc("%s reads %s: one partition of %s, in the order of %s.", x.Method, rows, of.Name, strings.Join(schema.Names(r.Table.ClusteringKey), ", "))
		}
		b.names.distinct(v.source.Aggregate.Struct, v.Type, v.methods(), x.Method)
		v.References.Referring = append(v.References.Referring, x)
	}
}

// where returns the query of the rows of a partition, in a method of another table.
func (v *tableView) where(key string) string {
	if !v.Query.rows {
		return "gen.Where(gen.On(t.Reader, " + v.Codec.Name + "), " + key + ")"
	}
	parts := ""
	for _, p := range v.CopiedParts() {
		parts += ", gen.NewPart(" + p.Codec + ", " + p.Aggregate + ")"
	}
	return "gen.WhereRows(gen.RootOn(t.Reader, " + v.Codec.Name + ", " + v.Aggregate.Name + parts + "), " + key + ")"
}
