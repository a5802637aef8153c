package call

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Query reads rows of one partition. Its methods return a changed copy. It is small, because the types of generated code have its
// methods, too, and each method copies it. It has a method for each restriction and each way to read, and one for each of these over
// several partitions: therefore it has more than 25.
type Query struct {
	_ [0]func() // two queries cannot be compared
	*selection
	portion
}

// portion describes how many of the rows are read, and in which order.
type portion struct {
	limit, pageSize int32
	reverse         bool
	together        bool // of several partitions: with one request for all of them
}

// selection describes which rows a query reads. It does not change after a query refers to it.
type selection struct {
	r       Reader
	key     cell.Row    // the values of the table's first columns
	low, up store.Bound // bounds of the next columns
	find    store.Find  // set for a query by an index
	root    *Root       // set if the rows can be deleted
	err     error       // set if a value is invalid

	partitions []cell.Row // set for a query of several partitions; nil: the partition of key. The key begins with the first one
}

// Where returns a query of the rows whose first columns, at least the partition key, equal key.
func (r Reader) Where(key *cell.Encoder) Query {
	s := &struct {
		selection
		room [2]cell.Cell
	}{selection: selection{r: r, err: ErrNotOpen}}
	if r.DB != nil {
		s.key, s.err = r.DB.cutKey(r.Codec.Table, key, s.room[:0])
	}
	return Query{selection: &s.selection}
}

// Partition returns a query of the rows of one partition, whose key is checked.
func (r Reader) Partition(partition cell.Row) Query {
	return Query{selection: &selection{r: r, key: r.Codec.Table.Prefix(partition)}}
}

// Range returns which rows the query reads: the values of the first columns, and the bounds of the next one.
func (q Query) Range() (key cell.Row, low, up store.Bound, err error) {
	return q.key, q.low, q.up, q.err
}

// On returns the query with another reader of its table.
func (q Query) On(r Reader) Query {
	q, s := q.changed()
	s.r = r
	return q
}

// Equal restricts the next clustering column to the value in k.
func (q Query) Equal(k *cell.Encoder) Query {
	q, s := q.changed()
	s.key = append(s.key[:len(s.key):len(s.key)], s.values(k)...)
	return q
}

// Bound restricts the next clustering columns to the values on one side of the values in k, which are compared from the first to the
// last. A value with a higher precision than its column is above the value that it is truncated to, and decides regardless of the next ones.
func (q Query) Bound(by store.Comparison, k *cell.Encoder) Query {
	q, s := q.changed()
	values := s.values(k)
	if cut := k.Cut(); cut > 0 {
		values = values[:cut]
		if by == store.AtLeast || by == store.MoreThan {
			by = store.MoreThan
		} else {
			by = store.AtMost
		}
	}
	if end := (store.Bound{Comparison: by, Values: values}); by == store.AtLeast || by == store.MoreThan {
		s.low = end
	} else {
		s.up = end
	}
	return q
}

// changed returns q with a copy of its selection, and the copy, which the caller can change.
func (q Query) changed() (Query, *selection) {
	s := *q.selection
	q.selection = &s
	return q, &s
}

// values returns the cells of the next clustering columns. A query returns its first fault.
func (s *selection) values(k *cell.Encoder) cell.Row {
	n := k.Count()
	row, err := k.Cells(make(cell.Row, 0, n))
	if s.err != nil { // the store may not be open; nothing is sent
		return make(cell.Row, n)
	}
	if null := slices.IndexFunc(row, func(c cell.Cell) bool { return c == nil }); err != nil || null >= 0 {
		s.err = s.r.DB.nullOr(s.r.Codec.Table, s.named(), len(s.key)+max(null, 0), behindKey(err, 0, len(s.key)))
		return make(cell.Row, n)
	}
	for i, c := range row {
		row[i] = s.r.Codec.Table.Columns[len(s.key)+i].Form.Canonical(c)
	}
	return row
}

// Reversed returns q in the reverse of the table's order.
func (q Query) Reversed() Query { q.reverse = true; return q }

// Limited returns q with a limit of n rows; 0 means all rows. If n is negative, or greater than CQL allows, the query returns
// an error.
func (q Query) Limited(n int) Query {
	q.limit = int32(n)
	return q.count("limit", n, "all rows")
}

// Paged returns q with pages of n rows; 0 means the default of the session. If n is negative, or greater than CQL allows, the
// query returns an error: a server would ignore such a page size and return all rows at once.
func (q Query) Paged(n int) Query {
	q.pageSize = int32(n)
	return q.count("page size", n, "the default of the session")
}

// count refuses a number of rows that CQL cannot express.
func (q Query) count(what string, n int, none string) Query {
	if (n < 0 || n > math.MaxInt32) && q.err == nil {
		t := q.r.Codec.Table
		err := fmt.Errorf("mapper: %s: the %s is %d: use 1 to %d, or 0 for %s", rowname.Format(t.Aggregate, t.Name, t.KeyText(q.named())), what, n, math.MaxInt32, none)
		q, s := q.changed()
		s.err = err
		return q
	}
	return q
}

// All yields the rows, page by page. An error is yielded once, with a nil item, as the last element. op is the name of the method
// in traces and errors.
func (q Query) All(ctx context.Context, op string, yield func(any, error) bool) {
	if err := q.cannot(op); err != nil {
		yield(nil, err)
		return
	}
	if q.partitions != nil {
		q.eachAll(ctx, op, yield)
		return
	}
	read := q.read()
	if q.counted() {
		yield = atMost(read.Limit, yield)
		read.PageSize, read.Limit = q.nextPageSize(read.Limit), 0
	}
	ctx, end := q.r.DB.TraceRead(ctx, op, &read)
	n, err := q.r.rows(q.rows(ctx, op, q.r.DB.Store.Rows(ctx, read)), yield)
	end(err, n)
	if err != nil {
		yield(nil, q.r.WrapError(op, q.key, err))
	}
}

// Page reads the page that begins at token, calls add with each row, and returns the token of the next page.
func (q Query) Page(ctx context.Context, op, token string, add func(any)) (string, error) {
	if err := q.cannot(op); err != nil {
		return "", err
	}
	ctx, stop, err := q.r.Begin(ctx)
	if err != nil {
		return "", err
	}
	defer stop()
	if q.partitions != nil {
		return q.eachPage(ctx, op, token, add)
	}
	asked := asked{Read: q.read()} // the token is bound to it
	state, err := q.r.DB.tokens.read(&asked, token)
	if err != nil {
		return "", q.r.WrapError(op, q.key, err)
	}
	read, left := asked.Read, asked.Limit
	if q.counted() {
		if left, state, err = cutLeft(left, state); err != nil {
			return "", q.r.WrapError(op, q.key, err)
		}
		read.PageSize, read.Limit = q.nextPageSize(left), 0
	}
	ctx, end := q.r.DB.TraceRead(ctx, op, &read)
	page, err := q.r.DB.Store.Page(ctx, read, state)
	n := 0
	if err == nil {
		n, err = q.r.rows(q.rows(ctx, op, page.All()), func(v any, _ error) bool { add(v); return true })
	}
	end(err, n)
	if err != nil {
		return "", q.r.WrapError(op, q.key, err)
	}
	next := page.State
	if q.counted() {
		next = appendLeft(left-n, next)
	}
	return q.r.DB.tokens.write(&asked, next), nil
}

// rows returns the rows that were read or, with Options.Verified, the rows that follow from their roots.
func (q Query) rows(ctx context.Context, op string, rows iter.Seq2[cell.Row, error]) iter.Seq2[cell.Row, error] {
	if q.r.DB.verify {
		return q.r.verified(ctx, op, rows)
	}
	return rows
}

// counted reports whether the client applies the limit instead of the server, because some rows that the server returns may be left
// out: deleted roots, rows that no longer follow from their roots, and partitions without a row that an index finds.
func (q Query) counted() bool {
	return q.limit > 0 && !q.nearest() && (q.r.Codec.Table.Deleted > 0 || q.r.DB.verify || q.mixed())
}

// nextPageSize returns the page size of a query that has left rows to return: it reads no more than that unless rows are left out.
func (q Query) nextPageSize(left int) int {
	if q.pageSize > 0 {
		return min(int(q.pageSize), left)
	}
	return min(left, defaultPage)
}

const defaultPage = 5000 // rows, as in the driver

// atMost returns a function that stops after n rows.
func atMost(n int, yield func(any, error) bool) func(any, error) bool {
	return func(v any, err error) bool {
		n--
		return yield(v, err) && n > 0
	}
}

// appendLeft adds the number of rows that a query has left to a paging state. It returns nil if the query has ended.
func appendLeft(left int, state []byte) []byte {
	if left <= 0 || len(state) == 0 {
		return nil
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(left)), state...)
}

// cutLeft splits the result of appendLeft. At the beginning of a query, when state is nil, it returns the limit.
func cutLeft(limit int, state []byte) (int, []byte, error) {
	if state == nil {
		return limit, nil, nil
	}
	if len(state) <= 4 {
		return 0, nil, mapper.ErrPageToken
	}
	left := int(binary.BigEndian.Uint32(state))
	if left < 1 || left > limit {
		return 0, nil, mapper.ErrPageToken
	}
	return left, state[4:], nil
}

// cannot returns the error that prevents the request, or nil.
func (q Query) cannot(op string) error {
	if q.err != nil {
		return q.err
	}
	err := q.r.checkRead()
	if err == nil && q.r.DB.serial && (len(q.key) < q.r.Codec.Table.Partition || q.find.Index != nil) {
		err = errors.New("mapper.Options.Serial is for a query of one partition, without an index")
	}
	if err == nil && q.partitions != nil && q.find.Index != nil {
		err = errIndexOfEach
	}
	if err == nil {
		err = q.checkTogether()
	}
	if err != nil {
		return q.r.WrapError(op, q.named(), err)
	}
	return nil
}

func (q Query) read() store.Read {
	read := store.Read{Table: q.r.Codec.Table, Key: q.key, Low: q.low, Up: q.up, Find: q.find, Reverse: q.reverse, Limit: int(q.limit), Lasting: q.r.Lasting(),
		PageSize: int(q.pageSize), Consistency: q.r.Consistency(), Timeout: q.r.DB.Config.Timeout}
	if q.nearest() {
		read.PageSize, read.Consistency = -1, driver.LocalOne // the server accepts no others
	}
	return read
}

// errIndexOfEach is returned for a query of several partitions by an index, which has no order by which they could be merged.
var errIndexOfEach = errors.New("an index does not find the rows of several partitions: use Of for each of them, or the method of the table")
