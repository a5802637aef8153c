package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
)

// indexes adds a method for every index of a table.
func (b *viewer) indexes(v *tableView) {
	for _, i := range v.source.Indexes {
		x := b.find(v, i)
		b.names.distinct(v.source.Aggregate.Struct, v.Type, v.methods(), x.Name)
		v.Indexes = append(v.Indexes, x)
	}
}

// ownMethods are the methods that every table has, or may have.
var ownMethods = []string{"Insert", "Put", "Change", "Import", "Update", "Upsert", "Delete", "DeleteAt", "InsertWith", "InsertOrGet", "Reconcile", "Get", "GetMany", "Statics", "Of", "OfEach", "All", "AllPage", "Scan", "InsertAll"}

// methods are the existing methods of a table.
func (v *tableView) methods() []string {
	out := slices.Clone(ownMethods)
	for _, s := range v.Sets {
		out = append(out, s.Name)
	}
	for _, i := range v.Indexes {
		out = append(out, i.Name)
	}
	for _, f := range v.References.Follows {
		out = append(out, f.Method, f.All)
	}
	for _, r := range v.References.Referring {
		out = append(out, r.Method)
	}
	if v.Versioned != nil {
		for _, u := range v.Versioned.Uniques {
			out = append(out, u.GetBy.Method)
		}
	}
	return slices.DeleteFunc(out, func(name string) bool { return name == "" })
}

func (b *viewer) find(v *tableView, i *schema.Index) indexView {
	at := i.Column.Attribute
	value := at.Type
	if i.Read == schema.Contains {
		value = value.Elem
	}
	key := b.codecs.key(notNull(value), v.source.Aggregate.Struct)
	x := indexView{
		Name: "By" + at.GoName(), Param: "v " + b.imports.goType(value.Go), InOf: i.Column.Kind != schema.PartitionKey,
		Function: "gen.Find", Result: "gen.Found[" + v.Struct + "]", Arguments: strconv.Quote(i.Column.Name) + ", " + key,
	}
	switch field := strings.Join(at.Path, "."); i.Read {
	case schema.Near:
		x.Function, x.Result, x.Param = "gen.FindNear", "gen.Nearest["+v.Struct+"]", x.Param+", "+limit+" int"
		x.Arguments += ", " + limit
		x.Doc = fmt.Sprintf("reads limit rows, 1 or more: those whose %s is nearest to v, the nearest first", field)
	case schema.Contains:
		x.Doc = fmt.Sprintf("reads the rows whose %s contains v", field)
	default:
		x.Doc = fmt.Sprintf("reads the rows whose %s is v", field)
	}
	return x
}

// finders adds the methods that read with an index within a partition to the first state of the partition's query.
func (b *viewer) finders(v *tableView) {
	if v.Query == nil {
		return
	}
	first := v.Query.States[0]
	for _, i := range v.Indexes {
		if !i.InOf {
			continue
		}
		var has []string
		for _, s := range v.Query.States[:2] {
			for _, m := range s.Methods {
				has = append(has, m.Name)
			}
		}
		b.names.distinct(v.source.Aggregate.Struct, first.Type, has, i.Name)
		first.Finders = append(first.Finders, i)
	}
}
