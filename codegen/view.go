package codegen

import (
	"strconv"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// view is the whole file as the templates print it: every name, type and statement has been chosen.
type view struct {
	Package   string
	Standard  []Import
	Others    []Import
	Store     string
	Open      string
	New       string
	Schema    string
	Types     []typeView
	Tables    []*tableView
	Functions []Function

	names *names
}

// typeView is the descriptor of a UDT.
type typeView struct {
	Name   string
	Fields []fieldView
}

type fieldView struct{ Name, Type string }

// newView decides everything about the file.
func newView(m *model.Model, s *schema.Schema, c Config) *view {
	n := newNames(c.Prefix, m.Package.Names)
	im := newImports(m.Package.Path, n)
	v := &view{Package: m.Package.Name, names: n}
	b := &viewer{schema: s, names: n, imports: im, codecs: &codecs{imports: im, names: n, done: map[string]string{}}}
	v.head()
	for _, u := range s.Types {
		v.Types = append(v.Types, typeOf(u))
	}
	for _, t := range s.Tables {
		table := b.table(t)
		n.distinct(t.Aggregate.Struct, v.Store, []string{"Session", "With", "Batch", "Reconcile"}, table.Field)
		v.Tables = append(v.Tables, table)
	}
	v.link(s)
	v.Functions = b.codecs.flush()
	v.Standard, v.Others = im.sorted()
	return v
}

func (v *view) head() {
	of := &model.Struct{Name: "the store"}
	v.Store, v.Open = v.names.exported("Store", of), v.names.exported("Open", of)
	v.New, v.Schema = v.names.internal("NewStore", of), v.names.internal("StoreSchema", of)
}

// link tells each table which projections it feeds.
func (v *view) link(s *schema.Schema) {
	for i, t := range s.Tables {
		for _, p := range t.Projections {
			for j, x := range s.Tables {
				if x == p.Table {
					v.Tables[i].Copies = append(v.Tables[i].Copies, copyView(p, v.Tables[j]))
				}
			}
		}
		v.Tables[i].document()
	}
}

func typeOf(u *schema.UDT) typeView {
	t := typeView{Name: strconv.Quote(u.Name)}
	for _, f := range u.Fields {
		t.Fields = append(t.Fields, fieldView{strconv.Quote(f.Name), strconv.Quote(f.Type.String())})
	}
	return t
}

// viewer builds the views of the tables.
type viewer struct {
	schema  *schema.Schema
	names   *names
	imports *imports
	codecs  *codecs
}
