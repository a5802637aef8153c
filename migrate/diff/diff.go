package diff

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Diff returns the steps that change a keyspace to the schema of a model, which [schema.New] returns. Programs of the earlier
// model can continue to run while the steps are applied: additions come before drops, and backfills come last. A plan without
// steps means that there is no difference. Diff does not modify from.
//
// If from has the earlier name of was=, a key column or a field of a type is renamed. For a table or any other column, a new one
// is created and filled, and the earlier one is kept as long as was= names it.
//
// Diff does not compare objects that a model does not declare: manual tables, types and indexes of from, further fields at the end of a
// type, and the ID of a table.
//
// The changes that the server would refuse are returned together, in a *[RefusedError].
func Diff(from *catalog.Keyspace, to *schema.Schema) (*Plan, error) {
	want, err := catalog.New(to)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	p := &planner{from: from, now: from.Clone(), to: want, model: to, kept: map[string]bool{}}
	p.owners()
	p.earlier()
	p.replaceIndexes()
	p.types()
	p.tables()
	p.refillReturnedFields()
	p.calls()
	p.versions()
	p.references()
	p.dropIndexes()
	p.dropColumns()
	p.dropTables()
	p.dropTypes()
	p.backfills()
	p.hints()
	if len(p.refusals) > 0 {
		return nil, &RefusedError{Refusals: model.Sorted(p.refusals)}
	}
	if p.err != nil {
		return nil, p.err
	}
	p.plan.After = p.now
	return &p.plan, nil
}

// planner plans the steps. It executes each step on a copy of the keyspace, so that it detects a plan that the server would
// refuse.
type planner struct {
	from  *catalog.Keyspace
	now   *catalog.Keyspace // the keyspace after the planned steps
	to    *catalog.Keyspace
	model *schema.Schema // the source of to, as the model declares it
	owner map[*schema.Table]*model.Aggregate
	kept  map[string]bool // tables that was= names, and the tables derived for them

	fills      []fill             // columns and tables that functions fill
	refills    []refill           // redundant tables that backfills fill
	unrecorded []*schema.Table    // reverse tables of roots with data
	uncopied   []*model.Aggregate // roots with data that have new copies of fields of other roots
	plan       Plan
	refusals   []model.Diagnostic
	err        error // the error of the first step that the server would refuse, although no refusal is known
}

// fill is a function that moves data, and the comment of its step.
type fill struct {
	Func
	why string
}

// refill is a redundant table that is filled from its source, and the comment of the step.
type refill struct{ table, why string }

// refuse adds a change that the server would refuse.
func (p *planner) refuse(pos model.Pos, rule model.Rule, fix, what string, args ...any) {
	p.refusals = append(p.refusals, model.Diagnostic{Pos: pos, Rule: rule, What: fmt.Sprintf(what, args...), Fix: fix})
}

// emit plans a change.
func (p *planner) emit(comment string, c Change) {
	p.plan.Steps = append(p.plan.Steps, Step{comment, c})
	if err := c.apply(p.now); err != nil && p.err == nil {
		p.err = fmt.Errorf("diff: %s: %w; write this migration by hand", c, err)
	}
}

// owners finds the aggregate of each table. A derived table follows the table that it is derived for.
func (p *planner) owners() {
	p.owner = map[*schema.Table]*model.Aggregate{}
	var last *model.Aggregate
	for _, t := range p.to.Tables {
		if t.Aggregate != nil {
			last = t.Aggregate
		}
		p.owner[t] = last
	}
}

// calls plans the calls of functions that fill roots and columns of roots.
func (p *planner) calls() {
	for _, f := range p.fills {
		p.emit(f.why+copiedOnce(f.Move), CallFunc{f.Name})
		p.plan.Funcs = append(p.plan.Funcs, f.Func)
	}
}

// backfills plans one backfill for each redundant table that needs one.
func (p *planner) backfills() {
	why := map[string]string{}
	for _, t := range p.to.Tables {
		p.recordFields(t)
		for _, r := range p.refills {
			if r.table == t.Name && why[t.Name] == "" {
				why[t.Name] = r.why
				p.emit(r.why, Backfill{t.Name})
			}
		}
	}
}

// dropColumns drops the columns that neither the model nor a was= of it has.
func (p *planner) dropColumns() {
	for _, t := range p.to.Tables {
		old := p.now.Table(t.Name)
		if old == nil {
			continue
		}
		for _, c := range slices.Clone(old.Columns) {
			gone := catalog.Column(t, c.Name) == nil && !c.InKey()
			if gone && !earlierColumn(t, c.Name) && p.droppable(t, c) {
				p.emit(fmt.Sprintf("%s no longer has %s: its values are lost.", p.owner[t].Struct.Name, c.Name), DropColumn{t.Name, c.Name})
			}
		}
	}
}

// earlierColumn reports whether was= names a column.
func earlierColumn(t *schema.Table, name string) bool {
	return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool {
		return c.Attribute != nil && c.Attribute.Was == name && !c.InKey()
	})
}

// droppable refuses a column that the server does not drop.
func (p *planner) droppable(t *schema.Table, c *schema.Column) bool {
	if why := catalog.Undroppable(c.Type); why != "" {
		p.refuse(markerPos(p.owner[t]), RefusedDrop, fmt.Sprintf("restore the field of %s, or %s", c.Name, p.newTable(t)),
			"column %s of %s is %s, %s", c.Name, t.Name, c.Type, why)
		return false
	}
	if c.Name == schema.Live {
		p.refuse(markerPos(p.owner[t]), RefusedDrop, fmt.Sprintf("restore ttl=, or %s, and leave out the rows without %s when you copy", p.newTable(t), c.Name),
			"column %s of %s shows which rows have expired: without it they would be read again", c.Name, t.Name)
		return false
	}
	for _, i := range p.now.Table(t.Name).Indexes {
		if catalog.IndexedColumn(i) == c.Name {
			p.refuse(markerPos(p.owner[t]), RefusedDrop, "first drop the index by hand, in an earlier migration",
				"column %s of %s cannot be dropped: -- aml:manual keeps its index %s", c.Name, t.Name, i.Name)
			return false
		}
	}
	return true
}

// dropTables drops the tables that the model no longer has.
func (p *planner) dropTables() {
	for _, t := range p.from.Tables {
		if p.to.Table(t.Name) == nil && !p.kept[t.Name] && !p.from.Manual[t.Name] && t.Name != descriptor.Outboxes { // of other packages, too
			why := fmt.Sprintf("No struct is stored in %s any longer: its rows are lost.", t.Name)
			if buckets(t) > 0 {
				why = fmt.Sprintf("The references of %s are not checked any longer.", t.Name)
			}
			p.emit(why, DropTable{t.Name})
		}
	}
}

// dropTypes drops the types that the model no longer has and nothing uses, each before the types that it uses.
func (p *planner) dropTypes() {
	for _, u := range slices.Backward(slices.Clone(p.now.Types)) {
		if shared, ok := p.now.Shared[u.Name]; ok {
			if p.to.Type(u.Name) == nil && !shared.Ended && p.now.TypeUser(u.Name) == "" {
				p.emit("", UnshareType{u.Name})
			}
			continue
		}
		if p.to.Type(u.Name) == nil && !p.from.Manual[u.Name] && p.now.TypeUser(u.Name) == "" {
			p.emit("", DropType{u.Name})
		}
	}
}

// funcName returns a name of a function, in CQL and in Go, that neither another step nor the folder uses: the given one, if necessary with
// a number.
func (p *planner) funcName(base string) string {
	name := base
	for n := 2; p.named(name); n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	return name
}

// named reports whether a function of this plan, or one that the folder calls, has a name.
func (p *planner) named(name string) bool {
	same := func(other string) bool { return Func{Name: other}.GoName() == Func{Name: name}.GoName() }
	return p.from.Order != nil && slices.ContainsFunc(p.from.Order.Calls(), same) || slices.ContainsFunc(p.fills, func(f fill) bool { return same(f.Name) })
}
