package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// nearest reads the rows with the nearest vectors.
func (w *writer) nearest() (string, *shortfall) {
	i := w.index(w.near.Column, schema.Near)
	switch {
	case i == nil:
		return "", &shortfall{w.near.at, RuleNoMethod, fmt.Sprintf("%s has no index of the vectors in %s", w.table.Name, w.near.Name), "add index to " + w.near.Attribute.GoName()}
	case w.limit == nil:
		return "", &shortfall{w.near.at, RuleNoMethod, "the nearest rows need a number of rows", "add LIMIT"}
	case w.limit.Kind == syntax.Integer && exceeds(w.limit.Text, maxNearest):
		return "", &shortfall{w.limit.From, RuleNoMethod, fmt.Sprintf("the server returns at most %d of the nearest rows", maxNearest), fmt.Sprintf("write LIMIT %d or less", maxNearest)}
	case len(w.order) > 0:
		return "", &shortfall{w.order[0].at, RuleOrder, "the nearest rows have no other order", "sort the rows in Go"}
	}
	of, ok := w.partitionCall(nil)
	if !ok {
		return "", &shortfall{w.where[0].Relation.From, RuleNoMethod, "the nearest rows can only be restricted to one partition", "read more of the nearest rows, and leave out others in Go"}
	}
	by, n := w.indexCall(i, w.near.value), w.number(w.limit)
	if w.limit.Kind == syntax.Marker {
		w.note("%s is at most %d", n, maxNearest)
	}
	return of + by + n + ").All(ctx)", nil
}

// maxNearest is the largest LIMIT with ANN OF that the server accepts.
const maxNearest = 1000

// exceeds reports whether the digits of a number are above a limit.
func exceeds(digits string, limit int) bool {
	n, err := strconv.Atoi(digits)
	return err != nil || n > limit
}

// indexCall begins the call of a method that reads with an index.
func (w *writer) indexCall(i *schema.Index, v *syntax.Value) string {
	text := "By" + i.Column.Attribute.GoName() + "(" + w.value(i.Column, "", *v)
	if i.Read == schema.Near {
		text += ", "
	}
	return text
}

// index returns the index of a column that finds rows in a way; nil for none.
func (w *writer) index(c *schema.Column, read schema.Lookup) *schema.Index {
	i := slices.IndexFunc(w.table.Indexes, func(i *schema.Index) bool { return i.Column == c && i.Read == read })
	if i < 0 {
		return nil
	}
	return w.table.Indexes[i]
}

// partitionCall returns the call that restricts a read by an index to one partition, or "" for all partitions; ok is false if there are other
// restrictions than the given one and restrictions of the partition key.
func (w *writer) partitionCall(but *restriction) (of string, ok bool) {
	rest := slices.DeleteFunc(slices.Clone(w.where), func(r restriction) bool { return but != nil && r.Relation == but.Relation })
	if len(rest) == 0 {
		return "", true
	}
	if len(rest) != len(w.table.PartitionKey) || !w.complete(w.table.PartitionKey) || len(w.table.Discriminators()) == 0 {
		return "", false
	}
	return "Of(" + w.arguments(w.table.PartitionKey) + ").", true
}

// indexed reads with an index.
func (w *writer) indexed() (string, bool) {
	reads := map[syntax.Operator]schema.Lookup{syntax.Equal: schema.Equals, syntax.Contains: schema.Contains}
	for _, r := range w.where {
		read, readable := reads[r.Operator]
		if i := w.index(r.Column, read); readable && i != nil && len(w.sorting()) == 0 && (len(w.where) == 1 || r.Kind != schema.PartitionKey) {
			if of, ok := w.partitionCall(&r); ok {
				w.nodes = of == ""
				return of + w.indexCall(i, &r.Values[0]) + ")" + w.end(), true
			}
		}
	}
	return "", false
}

// statics reads the static columns of a partition.
func (w *writer) statics() (string, *shortfall) {
	own := slices.ContainsFunc(w.columns, func(c *schema.Column) bool { return c.Kind == schema.Static })
	other := slices.ContainsFunc(w.columns, func(c *schema.Column) bool { return c.Kind != schema.Static && c.Kind != schema.PartitionKey })
	if !own || other || len(w.where) != len(w.table.PartitionKey) || !w.complete(w.table.PartitionKey) {
		return "", &shortfall{w.distinct.From, RuleNoMethod, "DISTINCT reads static columns of one partition", "delete DISTINCT, or restrict the partition key alone and name static columns"}
	}
	return "Statics(ctx, " + w.arguments(w.table.PartitionKey) + ")", nil
}

// many reads several rows by their keys.
func (w *writer) many(in *restriction) (string, *shortfall) {
	if len(w.order) > 0 {
		return "", &shortfall{w.order[0].at, RuleOrder, "rows of several keys are returned in the order of the keys", "sort the keys or the rows in Go, and delete ORDER BY"}
	}
	if w.limit != nil {
		return "", &shortfall{w.limit.From, RuleNoMethod, "rows of several keys have no limit", "pass fewer keys, and delete LIMIT"}
	}
	key := w.table.Key()
	return "GetMany(ctx, " + w.list(key, in, "Key") + ")", nil
}

// partitions returns the argument of OfEach.
func (w *writer) partitions(in *restriction) string {
	return w.list(w.table.PartitionKey, in, "PartitionKey")
}

// list returns keys that differ in their last column: a slice of its values or, if there are several columns, of a generated struct.
func (w *writer) list(key []*schema.Column, in *restriction, suffix string) string {
	c := in.Column
	if len(key) == 1 && !in.List {
		return w.variable(in.Values[0].Text, plural(model.LowerFirst(c.Attribute.GoName())), "[]"+w.goType(c.Attribute.Type.Go))
	}
	if len(key) == 1 {
		return "[]" + w.goType(c.Attribute.Type.Go) + "{" + strings.Join(w.each(in), ", ") + "}"
	}
	name := cmp.Or(w.Package, w.Model.Package.Name) + "." + w.Prefix + storeField(w.table) + suffix
	first := w.fields(key[:len(key)-1])
	if !in.List {
		w.variables.values = append(w.variables.values, Variable{"keys", "[]" + name})
		w.note("keys is a []%s with {%s, %s: …} for each of the values", name, first, c.Attribute.GoName())
		return "keys"
	}
	var out []string
	for _, v := range w.each(in) {
		out = append(out, fmt.Sprintf("{%s, %s: %s}", first, c.Attribute.GoName(), v))
	}
	return "[]" + name + "{" + strings.Join(out, ", ") + "}"
}

// each returns the values of IN.
func (w *writer) each(in *restriction) (out []string) {
	for _, v := range in.Values {
		out = append(out, w.value(in.Column, "", v))
	}
	return out
}

// fields returns the values of columns as fields of a struct.
func (w *writer) fields(key []*schema.Column) string {
	var out []string
	for _, c := range key {
		out = append(out, c.Attribute.GoName()+": "+w.value(c, "", w.restriction(c, syntax.Equal).Values[0]))
	}
	return strings.Join(out, ", ")
}

// plural returns a name for several values.
func plural(name string) string {
	if strings.HasSuffix(name, "s") {
		return name + "es"
	}
	return name + "s"
}

// goType returns a Go type as a program outside the package of the model writes it.
func (k *check) goType(g *model.GoType) string {
	n := g.Named
	switch {
	case n != nil && n.Path == k.Model.Package.Path && len(n.Args) == 0:
		return k.Model.Package.Name + "." + n.Name
	case n != nil:
		return g.Text
	}
	switch g.Kind {
	case model.Pointer:
		return "*" + k.goType(g.Elem)
	case model.Slice:
		return "[]" + k.goType(g.Elem)
	case model.Array:
		return fmt.Sprintf("[%d]%s", g.Len, k.goType(g.Elem))
	case model.Map:
		return "map[" + k.goType(g.Key) + "]" + k.goType(g.Elem)
	}
	return g.Text
}
