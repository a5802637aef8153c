package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// versions plans the calls of the generated functions of versioned roots, after the functions that move data.
func (p *planner) versions() {
	for _, t := range p.model.Tables {
		if why := p.withoutVersions(t); why != "" {
			p.emit(why, CallFunc{schema.VersionFunc(t.Name)})
			p.plan.Generated = append(p.plan.Generated, schema.VersionFunc(t.Name))
		}
	}
}

// withoutVersions returns why a table has rows that the generated function has to change; "" if it has none.
func (p *planner) withoutVersions(t *schema.Table) string {
	a := t.Aggregate
	if t.Versioning == nil || !p.stored(a) || !executed(a) {
		return ""
	}
	old := p.from.Table(t.Name)
	var values []string
	for _, u := range t.Versioning.Uniques {
		if p.from.Table(u.Table.Name) == nil {
			values = append(values, u.Model.Name)
		}
	}
	if was := p.replaced(t); old == nil && was != nil && catalog.Column(was, schema.Deleted) != nil {
		return fmt.Sprintf("Each row of %s keeps its version, claims its unique values and writes its copies. Stop all programs of the earlier\n"+
			"release before this file is applied: what they write to %s is lost. A rolling deploy is not possible.", t.Name, was.Name)
	}
	switch {
	case old == nil || catalog.Column(old, schema.Deleted) == nil:
		return fmt.Sprintf("Each row of %s gets a version, claims its unique values and writes its copies. Stop all programs of the earlier\n"+
			"release before this file is applied: they write the table without its version. A rolling deploy is not possible.", t.Name)
	case t.IsLease() && catalog.Column(old, schema.Live) == nil:
		return fmt.Sprintf("Each row of %s gets the column that shows that it has not expired. A row without a TTL expires after its next save. Stop all\n"+
			"programs of the earlier release before this file is applied: they do not write this column, so that their rows would count as expired.\n"+
			"A rolling deploy is not possible.", t.Name)
	case len(values) > 0:
		return fmt.Sprintf("Each row of %s claims its values of %s. Stop all programs of the earlier release before this file is\n"+
			"applied: they write such values without a claim. A rolling deploy is not possible.", t.Name, strings.Join(values, " and "))
	}
	return ""
}

// versioned reports whether a derived table is filled by the generated function of a versioned root.
func (p *planner) versioned(derived *schema.Table) bool {
	return slices.ContainsFunc(p.model.Tables, func(t *schema.Table) bool {
		v := t.Versioning
		return v != nil && executed(t.Aggregate) && (v.Done != nil && v.Done.Name == derived.Name ||
			slices.ContainsFunc(v.Uniques, func(u *schema.Unique) bool { return u.Table.Name == derived.Name }))
	})
}

// executed reports whether a store is generated for a root and its parts.
func executed(a *model.Aggregate) bool {
	return len(model.NotExecuted(&model.Model{Aggregates: append([]*model.Aggregate{a}, a.Parts...)})) == 0
}
