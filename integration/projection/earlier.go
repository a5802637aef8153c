package projection

import (
	"math/rand/v2"
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Earlier is the release before a model: its copies lack columns that were added since.
type Earlier struct {
	Descriptors *gen.Schema
	added       map[*Table]string // one column of each copy that has any beyond its key
	aggregate   *gen.Aggregate
}

// Earlier draws the release before: one column beyond the key of each copy was added since. It is nil where no copy has one.
func (c *Compiled) Earlier(r *rand.Rand) *Earlier {
	e := &Earlier{Descriptors: &gen.Schema{Types: c.descriptors.Types, Tables: []*gen.Table{c.Root.Descriptor}}, added: map[*Table]string{}}
	a := gen.Aggregate{Root: c.Root.Descriptor}
	for _, p := range c.Root.Projections {
		copied := c.Copies[slices.IndexFunc(c.Copies, func(t *Table) bool { return t.Table == p.Table })]
		table, registers := *p.Table, slices.Clone(p.Columns)
		if key := len(table.Key()); key < len(copied.Columns) {
			i := key + r.IntN(len(copied.Columns)-key)
			e.added[copied] = copied.Columns[i].Name
			table.Columns = slices.DeleteFunc(slices.Clone(table.Columns), func(x *schema.Column) bool { return x == copied.Columns[i] })
			registers = slices.Delete(registers, i, i+1)
		}
		of := *p
		of.Columns = registers
		descriptor := tableDescriptor(&table, c.Schema)
		e.Descriptors.Tables = append(e.Descriptors.Tables, descriptor)
		a.Copies = append(a.Copies, projectionDescriptor(&of, descriptor))
	}
	if len(e.added) == 0 {
		return nil
	}
	e.aggregate = gen.Link(a)
	return e
}
