package site

import (
	"fmt"
	"time"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
)

// facts are sentences that describe an aggregate.
type facts []string

func (f *facts) add(is bool, text string) {
	if is {
		*f = append(*f, text)
	}
}

// newFacts returns the properties of an aggregate without the properties of its fields.
func newFacts(a *model.Aggregate, t *schema.Table) (f facts) {
	f.add(t.Expires(), "Its rows expire: "+text(t.TTLText())+".")
	f.add(a.Large, "Large: a write above Config.BatchLimit is sent as several batches.")
	f.add(a.InRootTable, "Its rows are in the table of its root.")
	if a.Redundancy != nil {
		f.redundancy(a)
	}
	f.add(a.Was != "", "Earlier name of its table: "+name(a.Was)+".")
	return f
}

// redundancy adds how the rows of a redundant aggregate are derived from its source.
func (f *facts) redundancy(a *model.Aggregate) {
	r := a.Redundancy
	each := name(r.Source.Struct.Name)
	if r.Path != nil {
		each = "element of " + text(r.Path.String())
	}
	f.add(true, "One row for each "+each+".")
	when, ok := a.Tag.Option("when")
	f.add(ok, "A row exists only while "+text(when.Value)+" holds.")
	f.add(r.Distinct, "Distinct: the model declares that no two elements have the same row at the same time.")
	f.add(r.Shared, "Shared: a row belongs to all sources that write it, and is never deleted.")
	f.add(r.Unlogged, "Unlogged: its rows are written after those of the root, and can be missing until Reconcile writes them.")
	f.add(r.Cache > 0, fmt.Sprintf("Cached: a process does not write the same row again for %v.", time.Duration(r.Cache)*time.Second))
}
