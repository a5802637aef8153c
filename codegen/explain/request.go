package explain

// newRequest returns how writes travel together: one statement by itself, more as one logged batch, and that through the
// batchlog where it touches more than the root's partition. The root's write is the first and is always there.
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
