package call

import (
	"context"

	"github.com/cassaml/cassaml/mapper/internal/store"
)

// First returns the first row of the query, whatever its limit, or mapper.ErrNotFound. op is the name of the method in traces and
// errors.
func (q Query) First(ctx context.Context, op string) (any, error) {
	q.limit = 1
	if err := q.cannot(op); err != nil {
		return nil, err
	}
	ctx, end, err := q.r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if q.partitions != nil {
		return q.eachFirst(ctx, op)
	}
	if q.counted() {
		return q.r.Existing(op, q.key)(q.firstLive(ctx, op))
	}
	l := &lookup{}
	l.Read = q.read()
	return q.r.Existing(op, q.key)(q.r.first(ctx, op, l))
}

// mostFirst is the maximum number of rows of a page in which First looks for a row.
const mostFirst = 100

// firstLive returns the first row that readers see, or nil. It reads pages of one row, two, four and so on, because rows before it may
// be left out.
func (q Query) firstLive(ctx context.Context, op string) (any, error) {
	read := q.read()
	read.Limit = 0
	var state []byte
	for size := 1; ; size = min(2*size, mostFirst) {
		read.PageSize = size
		page, err := q.readFirst(ctx, op, read, state)
		switch {
		case err != nil:
			return nil, q.r.WrapError(op, q.key, err)
		case page.row != nil || len(page.next) == 0:
			return page.row, nil
		}
		state = page.next
	}
}

// livePage is the first row of a page that readers see.
type livePage struct {
	row  any // nil: none
	next []byte
}

// readFirst reads one page.
func (q Query) readFirst(ctx context.Context, op string, read store.Read, state []byte) (livePage, error) {
	send := func(ctx context.Context, read store.Read) (p livePage, n int, err error) {
		page, err := q.r.DB.Store.Page(ctx, read, state)
		if err != nil {
			return p, 0, err
		}
		p.next = page.State
		n, err = q.r.rows(q.rows(ctx, op, page.All()), func(v any, _ error) bool { p.row = v; return false })
		return p, n, err
	}
	if q.r.speculates(&read) {
		return speculate(ctx, q.r, op, read, send)
	}
	ctx, end := q.r.DB.TraceRead(ctx, op, &read)
	p, n, err := send(ctx, read)
	end(err, n)
	return p, err
}

// Count returns the number of rows that All would return. It reads only their keys, page by page, unless the rows must be verified.
func (q Query) Count(ctx context.Context, op string) (n int, err error) {
	if err := q.cannot(op); err != nil {
		return 0, err
	}
	if q.partitions != nil {
		return q.eachCount(ctx, op)
	}
	read, most := q.read(), 0
	if q.counted() {
		most, read.PageSize, read.Limit = read.Limit, q.nextPageSize(read.Limit), 0
	}
	if t := read.Table; !q.r.DB.verify && !t.Statics {
		read.Only, read.Lasting = store.KeyColumns, nil
	}
	ctx, end := q.r.DB.TraceRead(ctx, op, &read)
	for row, failed := range q.rows(ctx, op, q.r.DB.Store.Rows(ctx, read)) {
		if err = failed; err != nil {
			break
		}
		if read.Only == store.KeyColumns && !read.IsLive(row) || read.Only != store.KeyColumns && q.r.Omits(row) {
			continue
		}
		if n++; n == most {
			break
		}
	}
	end(err, n)
	if err != nil {
		return 0, q.r.WrapError(op, q.key, err)
	}
	return n, nil
}

// mixed reports whether the server returns rows by an index that readers leave out: partitions that have only static values, and
// partitions of a shared table without the root.
func (q Query) mixed() bool {
	if q.find.Index == nil || len(q.key) > 0 {
		return false
	}
	return q.r.Codec.Table.HasStatics()
}
