package explain

import (
	"slices"

	"github.com/cassaml/cassaml/aml/model"
)

// targets returns the reads of the roots of which a write copies fields, in parallel.
func (x *explainer) targets() (out []*Request) {
	var seen []*model.Aggregate
	for _, c := range x.table.Aggregate.FinalCopies {
		if slices.Contains(seen, c.Target) {
			continue
		}
		seen = append(seen, c.Target)
		t := x.schema.Table(c.Target)
		r := newRead(t, t.Get())
		r.Cause, r.If = CopiedTarget, "for each "+c.Target.Struct.Name+" of a reference that is new or changed, or whose copied fields have no value yet"
		out = append(out, r)
	}
	return out
}

// reading adds the reads of targets to an operation after some of its requests.
func (x *explainer) reading(after int, o *Operation) *Operation {
	o.Requests = slices.Insert(o.Requests, after, x.targets()...)
	return o
}

// withTargets adds the reads of targets to the requests of a save, after the reads of the row and of the rows that the function of the call reads.
func (x *explainer) withTargets(requests []*Request) []*Request {
	i := slices.IndexFunc(requests, func(r *Request) bool {
		return r != nil && (r.Conditional || r.Writes[0].Table == x.table.Versioning.Done)
	})
	return slices.Insert(requests, i, x.targets()...)
}
