package call

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// mergedPage is the largest number of rows of a page of one of several partitions, in a query without a page size.
const mergedPage = 100

// merge reads several partitions page by page, and yields their rows in clustering order. Rows with equal clustering keys are in the
// order of the partitions. The first pages are read before the first row is yielded. A later page is read when half of the rows of
// the page before it are yielded, while other rows are.
type merge struct {
	q    Query
	op   string
	ctx  context.Context //nolint:containedctx // of the call, of which merge is the state
	stop context.CancelFunc

	left  int        // how many rows can still be needed
	heads []*source  // those that have a row, in the order of these rows
	at    mergePlace // the place of the last row
	err   error      // the error of a request; it has the key of its partition

	requests chan struct{} // has an element for each page that is read ahead
	ahead    sync.WaitGroup
}

// source is one of the partitions.
type source struct {
	place int
	reads []store.Read // whose rows are not all read, in their order
	page  store.Page   // the last one that was read
	taken int          // the number of its rows that were taken
	row   cell.Row     // the next one
	next  chan answer  // receives the page that is read ahead; nil: no page is
}

// answer is the answer to the request of a page.
type answer struct {
	store.Page
	err error
}

// merge returns the merged rows of a query of several partitions, of which a caller takes at most limit; 0 means all.
func (q Query) merge(ctx context.Context, op string, limit int) *merge {
	m := &merge{q: q, op: op, left: limit, requests: make(chan struct{}, manyReads-1)}
	if limit == 0 {
		m.left = math.MaxInt
	}
	m.at.clustering = make(cell.Row, q.r.Codec.Table.Key-q.r.Codec.Table.Partition)
	m.ctx, m.stop = context.WithCancel(ctx)
	return m
}

// end ends the requests that have not been answered.
func (m *merge) end() {
	m.stop()
	m.ahead.Wait()
}

// begin reads the first page of each partition, after a position if it is not nil.
func (m *merge) begin(after *mergePlace) {
	sources := make([]*source, len(m.q.partitions))
	for i := range sources {
		sources[i] = &source{place: i, reads: m.q.readsAfter(after, i, m.firstPage())}
	}
	if after == nil && len(sources) > 0 { // the reads differ only in their keys
		text := sources[0].reads[0].Statement()
		for _, s := range sources {
			s.reads[0].Text = text
		}
	}
	if m.err = m.firstPages(sources); m.err != nil {
		return
	}
	for _, s := range sources {
		if s.row != nil {
			m.heads = append(m.heads, s)
		}
	}
	slices.SortFunc(m.heads, m.compare)
}

// firstPages reads the first page of each source. If all requests can be sent at once, they have one time limit.
func (m *merge) firstPages(sources []*source) error {
	ctx := m.ctx
	if 0 < len(sources) && len(sources) <= manyReads {
		limited, stop, err := m.q.r.Begin(ctx)
		if err != nil {
			return err
		}
		defer stop()
		ctx = limited
	}
	err := ForEach(ctx, m.q.r.DB.Env.Parallel(min(manyReads, len(sources))), sources, m.advance)
	if err != nil && err == ctx.Err() { // not of a request
		return m.q.r.WrapError(m.op, nil, err)
	}
	return m.ended(err)
}

// firstPage returns the number of rows of the first page of each partition: twice its share of the rows that can be needed, and one,
// so that a few rows of many partitions cost few rows more than are returned, and rarely a second page.
func (m *merge) firstPage() int {
	size := m.pageSize()
	share := min(size, 1+(m.left-1)/len(m.q.partitions))
	return min(size, 1+2*share)
}

// pageSize returns the number of rows of a later page of a partition. If as many rows as can be needed were read, and some of them were left
// out, it is unknown how many more are: a small page size would be a request for each few of them.
func (m *merge) pageSize() int {
	size := mergedPage
	if m.q.pageSize > 0 {
		size = int(m.q.pageSize)
	}
	if m.left < 1 {
		return max(size, mergedPage)
	}
	return min(m.left, size)
}

// all yields the rows. An error is yielded once, without a row, as the last element.
func (m *merge) all(yield func(cell.Row, error) bool) {
	for m.err == nil && len(m.heads) > 0 {
		s := m.heads[0]
		m.at.set(s.place, s.row[m.q.r.Codec.Table.Partition:])
		m.left--
		if !yield(s.row, nil) {
			return
		}
		m.readAhead(s)
		if m.err = m.advance(m.ctx, s); m.err == nil {
			m.sort(s)
		}
	}
	if m.err != nil {
		yield(nil, m.err)
	}
}

// sort moves the first source, whose row has changed, to its position. A source without a row is removed.
func (m *merge) sort(s *source) {
	rest := m.heads[1:]
	if s.row == nil {
		m.heads = rest
		return
	}
	i, _ := slices.BinarySearchFunc(rest, s, m.compare)
	copy(m.heads, rest[:i])
	m.heads[i] = s
}

// compare compares the rows of two sources in the order of the query, then their places.
func (m *merge) compare(a, b *source) int {
	t := m.q.r.Codec.Table
	for i := len(m.q.key); i < t.Key; i++ {
		if c := t.Columns[i].Form.Compare(a.row[i], b.row[i]); c != 0 {
			if m.q.descends(i) {
				return -c
			}
			return c
		}
	}
	return cmp.Compare(a.place, b.place)
}

// more reports whether there may be rows after the one that was yielded last.
func (m *merge) more() bool {
	return len(m.heads) > 1 || len(m.heads) == 1 && (m.heads[0].taken < m.heads[0].page.Rows || len(m.heads[0].reads) > 0)
}

// advance sets the next row of a source; nil at its end.
func (m *merge) advance(ctx context.Context, s *source) error {
	last := m.q.r.Codec.Table.Key - 1
	for {
		row, err := s.page.Next()
		switch {
		case err != nil:
			return m.q.r.WrapError(m.op, m.q.partitions[s.place], err)
		case row != nil:
			s.taken++
			if row[last] == nil { // the partition has only static values
				continue
			}
			s.row = row
			return nil
		case len(s.reads) == 0:
			s.row = nil
			return nil
		}
		if err := m.turn(ctx, s); err != nil {
			return err
		}
	}
}

// turn sets the next page of a source.
func (m *merge) turn(ctx context.Context, s *source) error {
	var a answer
	if s.next != nil {
		a, s.next = <-s.next, nil
	} else {
		a = m.read(ctx, s)
	}
	if a.err != nil {
		return a.err
	}
	if s.page, s.taken = a.Page, 0; len(a.State) == 0 {
		s.reads = s.reads[1:]
	}
	if len(s.reads) > 0 {
		s.reads[0].PageSize = m.pageSize()
	}
	return nil
}

// read reads the next page of a source. The time limit of a call applies to it.
func (m *merge) read(ctx context.Context, s *source) answer {
	r := m.q.r
	read := s.reads[0]
	ctx, stop, err := r.Begin(ctx)
	if err != nil {
		return answer{err: err}
	}
	defer stop()
	ctx, end := r.DB.TraceRead(ctx, m.op, &read)
	page, err := r.DB.Store.Page(ctx, read, s.page.State)
	if end(err, page.Rows); err != nil {
		err = r.WrapError(m.op, m.q.partitions[s.place], err)
	}
	return answer{page, err}
}

// readAhead begins to read the next page of a source if half of the rows of its page are taken and the others may not be enough.
func (m *merge) readAhead(s *source) {
	rest := s.page.Rows - s.taken
	if s.next != nil || len(s.reads) == 0 || rest > s.taken || m.left <= rest || m.q.r.DB.oneAtATime() {
		return
	}
	next := make(chan answer, 1)
	s.next = next
	state := source{place: s.place, reads: s.reads, page: store.Page{State: s.page.State}}
	m.ahead.Go(func() {
		a := answer{err: ErrExited} // a tracer can end the goroutine
		defer func() { next <- a }()
		select {
		case m.requests <- struct{}{}:
			defer func() { <-m.requests }()
			a = m.read(m.ctx, &state)
		case <-m.ctx.Done():
			a = answer{err: m.ended(m.ctx.Err())}
		}
	})
}

// ended adds the operation to the error of a context that has ended. It returns other errors unchanged.
func (m *merge) ended(err error) error {
	if err != nil && errors.Is(err, m.ctx.Err()) {
		return m.q.r.WrapError(m.op, nil, m.ctx.Err())
	}
	return err
}

// wrap adds the operation and the row to an error that is not of a request.
func (m *merge) wrap(err error) error {
	if m.err != nil {
		return m.err
	}
	key := m.q.partitions[m.at.partition]
	return m.q.r.WrapError(m.op, append(key[:len(key):len(key)], m.at.clustering...), err)
}
