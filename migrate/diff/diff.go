package diff

import (
	"fmt"

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
