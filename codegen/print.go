package codegen

import (
	"reflect"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/codegen/internal/literal"
)

// zero are the types whose zero values are printed: a kind and a code are read as words, and a place has two numbers.
var zero = []reflect.Type{
	reflect.TypeFor[projection.Kind](), reflect.TypeFor[projection.Code](), reflect.TypeFor[projection.Lookup](), reflect.TypeFor[projection.Place](),
	reflect.TypeFor[descriptor.OnDelete](),
}

// print sets the literals of all descriptors.
func (b *viewer) print(v *view) {
	all := slices.Concat(v.Tables, v.Views, v.Whole)
	names := literal.Names{Package: "gen", Pointers: map[any]string{}, Zero: zero}
	for _, t := range all {
		names.Pointers[t.Descriptor.value] = t.Descriptor.Name
		for i := range t.Descriptor.value.Columns {
			if f := t.Descriptor.value.Columns[i].Form; f != nil {
				names.Pointers[f] = b.codecs.form(b.store.Forms[f])
			}
		}
		if a := b.store.Aggregates[t.source]; a != nil && t.Linked != nil {
			names.Pointers[a] = t.Linked.Name + ".Aggregate"
		}
	}
	for _, t := range v.Tables {
		if t.Versioned != nil && t.Versioned.With != nil {
			names.Pointers[t.Versioned.With.descriptor] = t.Versioned.With.Table
		}
	}
	var texts []literal.Text
	for _, t := range all {
		names.Texts = t.texts()
		t.Descriptor.Literal = "&" + names.Print(*t.Descriptor.value)
		texts = append(texts, names.Texts...)
	}
	names.Texts = texts
	for _, t := range v.Tables {
		if t.Linked != nil {
			t.Linked.Literal = names.Print(*b.store.Aggregates[t.source])
		}
	}
	v.Literal = "&" + names.Print(*b.store.Schema)
}

// texts returns the constants of a table's statements.
func (v *tableView) texts() (out []literal.Text) {
	for _, s := range v.Descriptor.Statements {
		out = append(out, literal.Text{Name: s.Name, Value: s.text})
	}
	return out
}
