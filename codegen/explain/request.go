package explain

import "slices"

// newRequest returns a request for several writes. The request for the writes of unlogged copies follows it.
func newRequest(writes []*Write) *Request {
	logged, unlogged := splitUnlogged(writes)
	r := atomic(logged)
	r.Then = unloggedRequest(unlogged)
	return r
}

// splitUnlogged separates the writes of unlogged copies from the others.
func splitUnlogged(writes []*Write) (logged, unlogged []*Write) {
	for _, w := range writes {
		if a := w.Table.Aggregate; a != nil && a.Redundancy != nil && a.Redundancy.Unlogged {
			unlogged = append(unlogged, w)
		} else {
			logged = append(logged, w)
		}
	}
	return logged, unlogged
}

// unloggedRequest returns the request for the writes of unlogged copies, or nil if there are none.
func unloggedRequest(writes []*Write) *Request {
	if writes == nil {
		return nil
	}
	r := atomic(writes)
	r.Unlogged, r.Batchlog = true, Never
	if !slices.ContainsFunc(writes, func(w *Write) bool { return w.sure }) {
		r.Cause, r.If = WrittenRows, "if there are rows"
	}
	return r
}

// atomic returns a request for several writes: a single statement, or a logged batch, which goes through the batchlog if it
// touches other partitions than the root's. The root's write is always the first.
func atomic(writes []*Write) *Request {
	r := &Request{Writes: writes}
	sure := 0
	for i, w := range writes {
		if w.sure {
			sure++
		}
		if i > 0 || w.many {
			r.Batch = Sometimes
		}
		if !w.Elsewhere {
			continue
		}
		r.Batchlog = max(r.Batchlog, Sometimes)
		if w.sure {
			r.Batchlog = Always
		}
	}
	if sure > 1 {
		r.Batch = Always
	}
	return r
}

// newBatch returns a request for several writes of which none is the root's: it goes through the batchlog if two of them are in
// different partitions.
func newBatch(writes []*Write) *Request {
	logged, unlogged := splitUnlogged(writes)
	if logged == nil {
		return unloggedRequest(unlogged)
	}
	r := newLoggedBatch(logged)
	r.Then = unloggedRequest(unlogged)
	return r
}

// newLoggedBatch returns a request for several writes of logged copies.
func newLoggedBatch(writes []*Write) *Request {
	r := atomic(writes)
	sure, possible := map[string]bool{}, map[string]bool{}
	several := false
	for _, w := range writes {
		if possible[w.partition] = true; w.sure {
			sure[w.partition] = true
		}
		several = several || w.Each || w.Spreads
	}
	switch {
	case len(sure) > 1:
		r.Batchlog = Always
	case len(possible) > 1 || several:
		r.Batchlog = Sometimes
	default:
		r.Batchlog = Never
	}
	return r
}
