package explain

import "github.com/cassaml/cassaml/aml/schema"

// follows explains the methods that follow the references in the rows of a table or a view, and lists those that do not exist.
func follows(references []*schema.Reference, s *schema.Schema) (out []*Operation, no []NoMethod) {
	for _, r := range references {
		if r.No != "" {
			no = append(no, NoMethod{r.FollowMethod(), r.No})
			continue
		}
		target := s.Table(r.Target)
		read := func(condition string) []*Request {
			q := newRead(target, target.Get())
			if q.If = condition; condition != "" {
				q.Cause = EachKey
			}
			return []*Request{q}
		}
		const each = "for each different key, 16 at a time"
		if r.Several() {
			out = append(out, &Operation{Name: r.FollowMethod(), RoundTrips: 1, Requests: read(each)})
			continue
		}
		out = append(out, &Operation{Name: r.FollowMethod(), RoundTrips: 1, Requests: read("")},
			&Operation{Name: r.FollowAllMethod(), RoundTrips: 1, Requests: read(each)})
	}
	return out, no
}

// referring explains the methods that read the rows that refer to a root, and lists those that do not exist.
func referring(t *schema.Table, s *schema.Schema) (out []*Operation, no []NoMethod) {
	for _, r := range s.Referring(t) {
		switch {
		case r.No != "":
			no = append(no, NoMethod{r.Method(), r.No})
		case r.Index != nil:
			out = append(out, &Operation{Name: r.Method(), RoundTrips: 1, Paged: true, AllNodes: true, Requests: []*Request{newRead(r.Table, r.Index.Find(r.Table))}})
		default:
			out = append(out, &Operation{Name: r.Method(), RoundTrips: 1, Paged: true, Requests: []*Request{newPartitionRead(r.Table)}})
		}
	}
	return out, no
}
