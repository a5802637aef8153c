package projection

import (
	"math/rand/v2"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Earlier is the previous release of a model: its copies lack columns that the model has added.
type Earlier struct {
	Descriptors *gen.Schema
	added       map[*Table]string // one column for each copy that has one beyond its key
	aggregate   *gen.Linked
}

// Earlier draws the previous release: the model has added one column beyond the key to each copy, except for the key of the
// root that owns a row. It returns nil if no copy has such a column.
func (c *Compiled) Earlier(r *rand.Rand) *Earlier {
	e := &Earlier{Descriptors: &gen.Schema{Types: c.descriptors.Types, Tables: []*gen.Table{c.Root.Descriptor}}, added: map[*Table]string{}}
	a := gen.Aggregate{Root: c.Root.Descriptor}
	for k, p := range c.Root.Projections {
		copied := c.Copies[slices.IndexFunc(c.Copies, func(t *Table) bool { return t.Table == p.Table })]
		table, registers := *p.Table, slices.Clone(p.Columns)
		d := *copied.Descriptor
		if may := addable(p, copied); len(may) > 0 {
			i := may[r.IntN(len(may))]
			e.added[copied] = copied.Columns[i].Name
			table.Columns = slices.DeleteFunc(slices.Clone(table.Columns), func(x *schema.Column) bool { return x == copied.Columns[i] })
			registers = slices.Delete(registers, i, i+1)
			d.Columns = slices.Delete(slices.Clone(d.Columns), i, i+1)
			d.Insert, d.InsertStatic, d.Select, d.Get = table.Insert(), table.InsertStatic(), table.Select(), table.Get()
			if d.Load != "" {
				d.Load = table.Load()
			}
		}
		of := *p
		of.Table, of.Columns = &table, registers
		e.Descriptors.Tables = append(e.Descriptors.Tables, &d)
		x := c.aggregate.Aggregate.Copies[k]
		x.Table, x.Columns, x.SourceKey = &d, registers, of.SourceKey()
		a.Copies = append(a.Copies, x)
	}
	if len(e.added) == 0 {
		return nil
	}
	e.aggregate = gen.Link(a)
	return e
}

// addable returns the indexes of the columns of a copy that the model can have added.
func addable(p *schema.Projection, copied *Table) (out []int) {
	for i := len(copied.Key()); i < len(copied.Columns); i++ {
		if !slices.ContainsFunc(p.Owner(), func(k schema.KeyPlace) bool { return k.Column == i }) {
			out = append(out, i)
		}
	}
	return out
}
