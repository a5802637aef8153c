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
