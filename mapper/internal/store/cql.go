package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CQL is a Cassandra cluster.
type CQL struct{ Session *gocql.Session }

var _ Store = CQL{}

// value lets gocql carry a cell as it is. A pointer to one in an interface does not allocate.
type value cell.Cell

// MarshalCQL returns gocql the bytes; nil is null.
func (v *value) MarshalCQL(gocql.TypeInfo) ([]byte, error) { return *v, nil }

// UnmarshalCQL takes the bytes of a column. They are a slice of the driver's frame, whose capacity runs into
// the next column.
func (v *value) UnmarshalCQL(_ gocql.TypeInfo, b []byte) error {
	*v = b[:len(b):len(b)]
	return nil
}

// Apply sends one statement as a query, several as a logged batch. The driver repeats neither: it would do so
// whatever a list makes of that, and whoever repeats has to know.
func (s CQL) Apply(ctx context.Context, mutations []plan.Mutation, w Write) error {
	entries := Bind(mutations, w)
	if len(entries) == 1 {
		q := s.Session.Query(entries[0].Stmt, entries[0].Args...).WithContext(ctx)
		q.DefaultTimestamp(false).RetryPolicy(nil).Idempotent(false).Consistency(w.Consistency)
		return classify(q.Exec())
	}
	b := s.Session.NewBatch(gocql.LoggedBatch).WithContext(ctx)
	b.DefaultTimestamp(false).RetryPolicy(nil).SetConsistency(w.Consistency)
	b.Entries = entries
	return classify(s.Session.ExecuteBatch(b))
}

// Rows reads one page ahead of what has been consumed, as the driver is configured to.
func (s CQL) Rows(ctx context.Context, r Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		w := newWait(ctx, r.Timeout)
		defer w.end()
		it := s.query(w.ctx, &r, nil).Iter()
		w.pause()
		scan(it, w, r.Columns(), yield)
	}
}

// wait bounds the waiting for a page. The time between two pages, which the caller takes, does not count.
type wait struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // nil: no bound
	limit  time.Duration
}

func newWait(ctx context.Context, limit time.Duration) *wait {
	w := &wait{ctx: ctx, limit: limit}
	if limit > 0 {
		w.ctx, w.cancel = context.WithCancelCause(ctx)
		w.timer = time.AfterFunc(limit, func() { w.cancel(context.DeadlineExceeded) })
	}
	return w
}

func (w *wait) resume() {
	if w.timer != nil {
		w.timer.Reset(w.limit)
	}
}

func (w *wait) pause() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *wait) end() {
	w.pause()
	if w.cancel != nil {
		w.cancel(nil)
	}
}

// fault returns the error of a query: the driver reports a context that ended as canceled, whatever the cause.
func (w *wait) fault(err error) error {
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(w.ctx), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

// Scan returns the rows that the driver has, as [CQL.Rows] does.
func Scan(it *gocql.Iter, columns int) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) { scan(it, newWait(context.Background(), 0), columns, yield) }
}

// Row does not look whether there are more rows.
func (s CQL) Row(ctx context.Context, l *Lookup) (cell.Row, error) {
	return l.Scan(s.query(ctx, &l.Read, l.args[:0]).Iter())
}

// Scan returns the row that the driver has, as [CQL.Row] does.
func (l *Lookup) Scan(it *gocql.Iter) (cell.Row, error) {
	row, columns := l.row()
	found := it.Scan(columns...)
	if err := it.Close(); err != nil || !found {
		return nil, err
	}
	return row, nil
}

func scan(it *gocql.Iter, w *wait, n int, yield func(cell.Row, error) bool) {
	row, columns := destinations(n)
	for next(it, w, columns) {
		if !yield(row, nil) {
			_ = it.Close() // the caller wants no more: neither rows nor what a page ahead failed with
			return
		}
	}
	if err := it.Close(); err != nil {
		yield(nil, w.fault(err))
	}
}

// next scans the next row, which may be in a page that has to be waited for.
func next(it *gocql.Iter, w *wait, columns []any) bool {
	if !it.WillSwitchPage() {
		return it.Scan(columns...)
	}
	w.resume()
	defer w.pause()
	return it.Scan(columns...)
}

// query takes room for its arguments.
func (s CQL) query(ctx context.Context, r *Read, args []any) *gocql.Query {
	q := s.read(ctx, r.Statement(), r.Consistency, values(args, r.Args())...)
	if r.PageSize != 0 {
		q.PageSize(max(0, r.PageSize))
	}
	if r.Stamped {
		q.Prefetch(0) // so that a row was not read long before it is given
	}
	return q
}

// Page reads one page.
func (s CQL) Page(ctx context.Context, r Read, state []byte) (rows []cell.Row, next []byte, err error) {
	it := s.query(ctx, &r, nil).PageState(state).Iter()
	row, columns := destinations(r.Columns())
	for it.Scan(columns...) {
		rows = append(rows, slices.Clone(row))
	}
	next = slices.Clone(it.PageState())
	if err = it.Close(); state != nil && isProtocolFault(err) {
		err = fmt.Errorf("%w: %w", mapper.ErrPageToken, err)
	}
	return rows, next, err
}

// isProtocolFault reports whether the server could not read a request, in which the state alone is not the mapper's own.
func isProtocolFault(err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return ok && e.Code() == gocql.ErrCodeProtocol
}

// values adds a row to the arguments of a statement: pointers to its cells.
func values(args []any, row cell.Row) []any {
	args = slices.Grow(args, len(row))
	for i := range row {
		args = append(args, (*value)(&row[i]))
	}
	return args
}

// destinations returns a row and pointers to its cells, for Scan.
func destinations(n int) (cell.Row, []any) {
	row := make(cell.Row, n)
	return row, values(nil, row)
}

// binder turns mutations into statements with arguments: pointers to the mutations' cells.
type binder struct {
	args []any
	at   [2]value // the timestamp, and the one before
	raw  [16]byte
	none value // the TTL of what does not expire: zero
	zero [4]byte
	age  int64
}

const fewArguments = 24

// small is the storage of a write that is one statement of few arguments, so that it is one allocation.
type small struct {
	binder
	entry [1]gocql.BatchEntry
	few   [fewArguments]any
}

// Bind returns the mutations as statements with their arguments, which gocql takes as they are.
func Bind(mutations []plan.Mutation, w Write) []gocql.BatchEntry {
	n := 0
	for i := range mutations {
		n += arguments(&mutations[i])
	}
	b, entries := newBinder(len(mutations), n)
	b.age = w.Age
	for back := range b.at {
		binary.BigEndian.PutUint64(b.raw[8*back:], uint64(w.Timestamp-int64(back)))
		b.at[back] = b.raw[8*back : 8*back+8]
	}
	for i := range mutations {
		from := len(b.args)
		b.bind(&mutations[i])
		entries[i] = gocql.BatchEntry{Stmt: mutations[i].Statement(), Args: b.args[from:len(b.args):len(b.args)]}
	}
	return entries
}

func newBinder(statements, arguments int) (*binder, []gocql.BatchEntry) {
	if statements == 1 && arguments <= fewArguments {
		s := &small{}
		s.args = s.few[:0]
		return &s.binder, s.entry[:]
	}
	return &binder{args: make([]any, 0, arguments)}, make([]gocql.BatchEntry, statements)
}

// arguments counts the arguments of a mutation.
func arguments(m *plan.Mutation) int {
	switch m.Action {
	case plan.Put:
		if m.One != nil {
			return m.Table.Key + 3
		}
		return len(m.Table.Columns) + 2
	case plan.PutStatic:
		n := 2
		for i := range m.Table.Columns {
			if inStatic(m.Table, i) {
				n++
			}
		}
		return n
	case plan.Delete:
		return 1 + m.KeyColumns()
	}
	return 2 + len(m.Values) + m.KeyColumns()
}

func (b *binder) bind(m *plan.Mutation) {
	switch m.Action {
	case plan.Put, plan.PutStatic:
		b.put(m)
		return
	case plan.Fill, plan.FillStatic:
		b.fill(m)
		return
	}
	b.add(&b.at[m.Back])
	if m.Action == plan.Update {
		b.ttl(m)
	}
	for i := range m.Values {
		b.addIf(m.Write.Has(i), (*value)(&m.Values[i]))
	}
	for i := range m.KeyColumns() {
		b.add((*value)(m.Cell(i)))
	}
}

func (b *binder) put(m *plan.Mutation) {
	for i := range m.Table.Columns {
		switch {
		case m.Action == plan.PutStatic && !inStatic(m.Table, i):
		case m.Action == plan.Put && m.One != nil && i >= m.Table.Key && i != int(m.Column):
		default:
			b.addIf(i < m.Table.Key || m.Write.Has(i), (*value)(m.Cell(i)))
		}
	}
	b.add(&b.at[m.Back])
	b.ttl(m)
}

func (b *binder) fill(m *plan.Mutation) {
	b.add(&b.at[m.Back])
	b.ttl(m)
	for i := range m.Values {
		b.addIf(m.Values[i] != nil, (*value)(&m.Values[i]))
	}
	for i := range m.KeyColumns() {
		b.add((*value)(m.Cell(i)))
	}
}

// ttl binds the TTL, also where there is none: without one the table's default_time_to_live would count.
func (b *binder) ttl(m *plan.Mutation) {
	if m.TTL == 0 {
		b.none = b.zero[:]
		b.add(&b.none)
		return
	}
	ttl := value(binary.BigEndian.AppendUint32(nil, uint32(int64(m.TTL)-b.age)))
	b.add(&ttl)
}

// inStatic reports whether a column is one of a table's InsertStatic.
func inStatic(t *plan.Table, i int) bool { return i < t.Partition || t.Columns[i].Kind == plan.Static }

func (b *binder) add(v *value) { b.args = append(b.args, v) }

func (b *binder) addIf(set bool, v *value) {
	if set {
		b.add(v)
	} else {
		b.args = append(b.args, gocql.UnsetValue)
	}
}
