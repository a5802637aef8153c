package explain

// newRequest returns a request for several writes: a single statement, or a logged batch, which goes through the batchlog if it
// touches other partitions than the root's. The root's write is always the first.
func newRequest(writes []*Write) *Request {
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
	r := newRequest(writes)
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
