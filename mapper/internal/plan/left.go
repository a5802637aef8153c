package plan

import "github.com/cassaml/cassaml/mapper/internal/cell"

// PlanLeft returns the mutations that delete the rows of copies that follow from one row of a root and not from another: what is left of a
// write that another write, with a later timestamp, has replaced. Without a row now, the root is deleted. A [Release] among them is to be decided first.
func PlanLeft(a *Aggregate, wrote, now cell.Row) ([]Mutation, error) {
	p := planner{a: a, old: wrote}
	for i := range a.Copies {
		c := &a.Copies[i]
		switch {
		case c.Shared:
			continue
		case c.Range && now == nil:
			p.removeRange(c)
			continue
		}
		was, err := c.project(wrote)
		if err != nil {
			return nil, err
		}
		is, err := c.project(now)
		if err != nil {
			return nil, err
		}
		there := newFinder(&is, c.Table.Key)
		for j := range was.n {
			if row := was.at(j); hasKey(view{row: row}, c.Table) && there.find(row) < 0 {
				p.leave(c, view{row: row})
			}
		}
	}
	return p.out, nil
}
