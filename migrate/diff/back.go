package diff

import (
	"fmt"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// The new name and the one that was= gives may both be there. Where the new one came to its values later, was= is done.
// Where it came to them earlier, a rename is taken back: what was written since is under the name that was= gives, and comes
// back, too. Only a folder knows which of the two it is.

// takeBack plans the return of rows to a table that is there already.
func (p *planner) takeBack(t *schema.Table) {
	old := p.replaced(t)
	if old == nil || old.Name == t.Name || !p.earlierTable(t, old) {
		return
	}
	stays := fmt.Sprintf("What was deleted in %s since stays in %s.", old.Name, t.Name)
	if !t.Aggregate.IsSource() {
		p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("%s takes its place back from %s.\n%s", t.Name, old.Name, stays)})
		return
	}
	p.fills = append(p.fills, fill{
		p.copyRows(old, t),
		fmt.Sprintf("%s takes its place back from %s, whose rows are copied.\n%s", t.Name, old.Name, stays),
	})
}

// takeBackColumn plans the return of values to a column that is there already.
func (p *planner) takeBackColumn(old, t *schema.Table, c *schema.Column) {
	from := p.source(old, t, c)
	if from == "" || from == c.Name || !p.earlierColumn(t, c.Name, from) {
		return
	}
	stays := fmt.Sprintf("What was deleted in %s since stays in %s.", from, c.Name)
	if t.Aggregate != nil && !t.Aggregate.IsSource() {
		p.refills = append(p.refills, refill{t.Name, fmt.Sprintf("%s of %s takes its place back from %s.\n%s", c.Name, t.Name, from, stays)})
		return
	}
	p.fills = append(p.fills, fill{
		p.copyColumn(t, catalog.Column(old, from), c),
		fmt.Sprintf("%s takes its place back from %s, whose values are copied.\n%s", c.Name, from, stays),
	})
}

// earlierTable reports whether a table came to its rows no later than the one that was= names.
func (p *planner) earlierTable(t, old *schema.Table) bool {
	o := p.from.Order
	switch {
	case o == nil:
		return false
	case t.Aggregate.IsSource():
		return max(o.Made(t.Name, ""), p.called("copy", old.Name, "to", t.Name)) <= max(o.Made(old.Name, ""), p.called("copy", t.Name, "to", old.Name))
	}
	return max(o.Made(t.Name, ""), o.Filled(t.Name)) <= max(o.Made(old.Name, ""), o.Filled(old.Name))
}

// earlierColumn reports whether a column of a table that is there came to its values no later than the one that was= names. A
// backfill fills all columns that its model has, and so it counts for neither of two that one file makes.
func (p *planner) earlierColumn(t *schema.Table, name, was string) bool {
	o := p.from.Order
	switch {
	case o == nil:
		return false
	case t.Aggregate != nil && !t.Aggregate.IsSource():
		made := o.Made(t.Name, was)
		return o.Made(t.Name, name) <= made && !o.FilledBehind(t.Name, made)
	}
	return max(o.Made(t.Name, name), p.called("copy", t.Name, was, "to", name)) <= max(o.Made(t.Name, was), p.called("copy", t.Name, name, "to", was))
}

// called returns when the folder last called a function that funcName names so.
func (p *planner) called(words ...string) int {
	if p.from.Order == nil {
		return 0
	}
	base := joined(words)
	return p.from.Order.Called(func(name string) bool {
		return name == base || name == base+again || strings.HasPrefix(name, base+again+"_")
	})
}

// again is behind the name of a function that the folder calls already: what is copied then may be another.
const again = "_again"
