package diff

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Diff returns the steps that lead from a keyspace to the schema of a model, as [schema.Of] gives it, in an order in which they
// can run while programs of the earlier model are at work: what is new comes before what goes, and what fills redundant
// tables comes last. A plan without steps says that there is no difference. from is left as it is.
//
// An earlier name, was=, is looked for in from: keys and fields of types are renamed; a table or another column is made
// anew and filled, and the earlier one stays as long as was= names it.
//
// What a model does not say is not compared: tables, types and indexes that from marks as manual, fields of a type behind
// those of the model, the id of a table.
//
// All changes that the server would refuse are in one *[RefusedError].
func Diff(from *catalog.Keyspace, to *schema.Schema) (*Plan, error) {
	want, err := catalog.Of(to)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	p := &planner{from: from, now: from.Clone(), to: want, model: to, kept: map[string]bool{}}
	p.owners()
	p.earlier()
	p.replaceIndexes()
	p.types()
	p.tables()
	p.calls()
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

// planner executes each step on a copy of the keyspace as soon as it is planned, so that a plan which the server would
// refuse is found here.
type planner struct {
	from  *catalog.Keyspace
	now   *catalog.Keyspace // what the steps so far lead to
	to    *catalog.Keyspace
	model *schema.Schema // to, as the model writes it
	owner map[*schema.Table]*model.Aggregate
	kept  map[string]bool // tables that was= names, and those derived for them

	fills    []fill   // columns and tables to be filled by hand
	refills  []refill // redundant tables to be filled
	plan     Plan
	refusals []model.Diagnostic
	err      error // the first step that the server would refuse unexpectedly
}

// fill is data that a function moves.
type fill struct {
	Func
	why string
}

// refill is a redundant table that is to be filled from its source.
type refill struct{ table, why string }

// refuse notes a change that the server would refuse.
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

// owners finds the aggregate of each table; one that is derived stands behind that which it is derived for.
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

// calls plans the functions that fill roots and columns of roots.
func (p *planner) calls() {
	for _, f := range p.fills {
		p.emit(f.why, CallFunc{f.Name})
		p.plan.Funcs = append(p.plan.Funcs, f.Func)
	}
}

// backfills plans the filling of redundant tables, each once.
func (p *planner) backfills() {
	why := map[string]string{}
	for _, t := range p.to.Tables {
		for _, r := range p.refills {
			if r.table == t.Name && why[t.Name] == "" {
				why[t.Name] = r.why
				p.emit(r.why, Backfill{t.Name})
			}
		}
	}
}

// dropColumns drops those that the model has no more, and that no was= names.
func (p *planner) dropColumns() {
	for _, t := range p.to.Tables {
		old := p.now.Table(t.Name)
		if old == nil {
			continue
		}
		for _, c := range slices.Clone(old.Columns) {
			gone := catalog.Column(t, c.Name) == nil && !c.InKey()
			if gone && !earlierColumn(t, c.Name) && p.droppable(t, c) {
				p.emit(fmt.Sprintf("%s has no %s any more: what is stored in it is lost.", p.owner[t].Struct.Name, c.Name), DropColumn{t.Name, c.Name})
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

// droppable refuses what the server does not drop.
func (p *planner) droppable(t *schema.Table, c *schema.Column) bool {
	if why := catalog.Stays(c.Type); why != "" {
		p.refuse(markerOf(p.owner[t]), RefusedDrop, fmt.Sprintf("put the field of %s back; or %s", c.Name, p.another(t)),
			"column %s of %s is %s, %s", c.Name, t.Name, c.Type, why)
		return false
	}
	for _, i := range p.now.Table(t.Name).Indexes {
		if catalog.IndexedColumn(i) == c.Name {
			p.refuse(markerOf(p.owner[t]), RefusedDrop, "drop the index by hand first, in a migration before this one",
				"column %s of %s cannot be dropped: -- aml:manual keeps its index %s", c.Name, t.Name, i.Name)
			return false
		}
	}
	return true
}

// dropTables drops those that the model has no more.
func (p *planner) dropTables() {
	for _, t := range p.from.Tables {
		if p.to.Table(t.Name) == nil && !p.kept[t.Name] && !p.from.Manual[t.Name] {
			p.emit(fmt.Sprintf("No struct is stored in %s any more: its rows are lost.", t.Name), DropTable{t.Name})
		}
	}
}

// dropTypes drops what the model has no more and nothing holds, each before those that it needs.
func (p *planner) dropTypes() {
	for _, u := range slices.Backward(slices.Clone(p.now.Types)) {
		if shared, ok := p.now.Shared[u.Name]; ok {
			if p.to.Type(u.Name) == nil && !shared.Ended && p.now.UserOf(u.Name) == "" {
				p.emit("", UnshareType{u.Name})
			}
			continue
		}
		if p.to.Type(u.Name) == nil && !p.from.Manual[u.Name] && p.now.UserOf(u.Name) == "" {
			p.emit("", DropType{u.Name})
		}
	}
}
