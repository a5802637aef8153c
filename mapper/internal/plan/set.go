package plan

import (
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// PlanSet returns the mutations that set one column, in the root and in every copy, without the rest of the row: row has the
// key and that column, all other cells are null. It is used if the model ensures that the rows of the copies follow from the
// key, and the copied values of the column from its value alone. PlanSet does not detect a program for which this is not true.
func PlanSet(a *Aggregate, row cell.Row, column int) ([]Mutation, error) {
	p := planner{a: a, new: row}
	static := a.Root.Columns[column].Kind == projection.Static
	p.checkGiven(column)
	for u := a.units[column]; u < a.units[column+1]; u++ {
		p.changed.Add(u)
	}
	var write projection.Bits
	write.Add(column)
	p.out = append(make([]Mutation, 0, p.size()), p.newPut(a.Root, view{row: row}, write))
	p.out[0].set(a.ones, static)
	return p.setCopies(static)
}

// PlanSetMember returns the mutations that set one field of a UDT, in the root and in every copy, as [PlanSet] does: the UDT in
// row has only that field.
func PlanSetMember(a *Aggregate, row cell.Row, column, field int) ([]Mutation, error) {
	p := planner{a: a, new: row}
	p.checkGiven(column)
	p.changed.Add(a.units[column] + field)
	var write projection.Bits
	write.Add(field)
	p.out = make([]Mutation, 0, p.size())
	p.updateFields(a.Root, view{row: row}, column, write)
	return p.setCopies(a.Root.Columns[column].Kind == projection.Static)
}

// setCopies writes the copied values of the changed units.
func (p *planner) setCopies(static bool) ([]Mutation, error) {
	for i := range p.a.Copies {
		if c := &p.a.Copies[i]; c.Any.Units.Intersects(&p.changed) {
			if err := p.setCopy(c, static); err != nil {
				return nil, err
			}
		}
	}
	return p.out, p.faulty()
}

// setCopy writes the copied values of the column. A static column is static in the copy, too: it has the same partition.
func (p *planner) setCopy(c *Projection, static bool) error {
	now, err := c.project(p.new)
	if err != nil {
		return err
	}
	for i := range now.n {
		v := view{row: now.row(i)}
		p.checkIndexes(v, c.Table, now.element(i), c)
		write := c.rewritten(&p.changed, false)
		for k := range c.Targets {
			t := &c.Targets[k]
			if write.Has(k) && t.Form == projection.ByField && !t.When.Units.Intersects(&p.changed) {
				write.Drop(k)
				p.rewriteFields(c, t, v, k, false)
			}
		}
		if !write.Empty() {
			p.out = append(p.out, p.newPut(c.Table, v, write))
			p.out[len(p.out)-1].set(c.ones, static)
		}
	}
	return nil
}

// set changes a Put to the Put of a column that is set.
func (m *Mutation) set(ones []string, static bool) {
	if static {
		m.Action = PutStatic
		return
	}
	m.one(ones)
}
