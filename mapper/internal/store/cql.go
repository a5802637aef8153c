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

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CQL is a Cassandra cluster.
type CQL struct{ Session *gocql.Session }

var _ Store = CQL{}

// Apply sends one statement as a query, and several as a batch. The driver does not repeat them: a repeat would duplicate
// the elements of a list, and the caller must know of every attempt.
func (s CQL) Apply(ctx context.Context, mutations []plan.Mutation, w Write) error {
	entries := Bind(mutations, w)
	if len(entries) == 1 {
		q := within(ctx, s.Session.Query(entries[0].Stmt, entries[0].Args...))
		q.DefaultTimestamp(false).RetryPolicy(nil).Idempotent(false).Consistency(w.Consistency)
		return classify(q.Exec())
	}
	kind := gocql.LoggedBatch
	if w.Unlogged {
		kind = gocql.UnloggedBatch
	}
	b := s.Session.NewBatch(kind).WithContext(ctx)
	b.DefaultTimestamp(false).RetryPolicy(nil).SetConsistency(w.Consistency)
	b.Entries = entries
	return classify(s.Session.ExecuteBatch(b))
}

// Rows prefetches the next page, as configured in the driver.
func (s CQL) Rows(ctx context.Context, r Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		w := newWait(ctx, r.Timeout)
		defer w.end()
		it := s.query(w.ctx, &r, nil).Iter()
		w.pause()
		scan(it, w, r.Columns(), r.Table.IsAbsent, yield)
	}
}

// wait limits the time to wait for a page. The time that the caller spends between two pages does not count.
type wait struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // nil: no limit
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

// fault returns the error of a query. The driver reports every ended context as canceled, so fault returns the cause if it is
// the time limit.
func (w *wait) fault(err error) error {
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(w.ctx), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

// Scan returns the rows of a result of the driver, like [CQL.Rows].
func Scan(it *gocql.Iter, columns int) iter.Seq2[cell.Row, error] {
	all := func(cell.Row) bool { return false }
	return func(yield func(cell.Row, error) bool) {
		scan(it, newWait(context.Background(), 0), columns, all, yield)
	}
}

// Row does not check for further rows.
func (s CQL) Row(ctx context.Context, l *Lookup) (cell.Row, error) {
	return l.Scan(s.query(ctx, &l.Read, l.args[:0]).Iter())
}

// Scan returns the row of a result of the driver, like [CQL.Row].
func (l *Lookup) Scan(it *gocql.Iter) (cell.Row, error) {
	row, columns := l.row()
	found := it.Scan(columns...)
	if err := it.Close(); err != nil || !found || l.Table.IsAbsent(row) {
		return nil, err
	}
	return row, nil
}

func scan(it *gocql.Iter, w *wait, n int, absent func(cell.Row) bool, yield func(cell.Row, error) bool) {
	row, columns := destinations(n)
	for next(it, w, columns) {
		if absent(row) {
			continue
		}
		if !yield(row, nil) {
			_ = it.Close() // the caller has stopped: it needs neither rows nor the error of a prefetched page
			return
		}
	}
	if err := it.Close(); err != nil {
		yield(nil, w.fault(err))
	}
}

// next scans the next row, and waits for its page if necessary.
func next(it *gocql.Iter, w *wait, columns []any) bool {
	if !it.WillSwitchPage() {
		return it.Scan(columns...)
	}
	w.resume()
	defer w.pause()
	return it.Scan(columns...)
}

// query returns the driver's query of a read. It appends the arguments to args.
func (s CQL) query(ctx context.Context, r *Read, args []any) *gocql.Query {
	q := s.read(ctx, r.Statement(), r.Consistency, values(args, r.Args())...)
	if r.Second {
		q = s.unrouted(ctx, r.Statement(), r.Consistency, values(args, r.Args()))
	}
	if r.PageSize != 0 {
		q.PageSize(max(0, r.PageSize))
	}
	if r.ByPosition() {
		q.Prefetch(0) // so that a row is not read long before it is yielded
	}
	return q
}

// Page reads one page.
func (s CQL) Page(ctx context.Context, r Read, state []byte) (Page, error) {
	it := s.query(ctx, &r, nil).PageState(state).Iter()
	p := Page{Rows: it.NumRows(), State: slices.Clone(it.PageState())}
	if p.Rows == 0 {
		err := it.Close()
		if state != nil && isProtocolFault(err) {
			err = fmt.Errorf("%w: %w", mapper.ErrPageToken, err)
		}
		return p, err
	}
	row, columns := destinations(r.Columns())
	p.next = func() (cell.Row, error) {
		for it.Scan(columns...) {
			if !r.Table.IsAbsent(row) {
				return row, nil
			}
		}
		return nil, it.Close()
	}
	return p, nil
}

// isProtocolFault reports whether the server could not parse a request. The paging state is the only part of a request that
// comes from outside.
func isProtocolFault(err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return ok && e.Code() == gocql.ErrCodeProtocol
}

// binder converts mutations to statements with arguments: pointers to the mutations' cells.
type binder struct {
	args []any
	at   [2]value // the timestamp, and the timestamp minus one
	raw  [16]byte
	main int64 // the timestamp
	none value // the TTL of cells that do not expire: zero
	zero [4]byte
	age  int64
}

const fewArguments = 24

// small is the storage of a write that is one statement with few arguments, in one allocation.
type small struct {
	binder
	entry [1]gocql.BatchEntry
	few   [fewArguments]any
}

// Bind returns the mutations as statements with their arguments, which gocql sends unchanged.
func Bind(mutations []plan.Mutation, w Write) []gocql.BatchEntry {
	n := 0
	for i := range mutations {
		n += arguments(&mutations[i])
	}
	b, entries := newBinder(len(mutations), n)
	b.main, b.age = w.Timestamp, w.Age
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
		return 1 + m.KeyColumns() + len(m.Values)
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
	b.stamp(m)
	if m.Action == plan.Update {
		b.ttl(m)
	}
	if m.Action == plan.Delete {
		b.key(m)
		for i := range m.Values {
			b.add((*value)(&m.Values[i]))
		}
		return
	}
	if !b.expanded(m) {
		for i := range m.Values {
			b.addIf(m.Write.Has(i), (*value)(&m.Values[i]))
		}
	}
	b.key(m)
}

// expanded binds the values of a mutation whose statement has tuples, and reports whether it has.
func (b *binder) expanded(m *plan.Mutation) bool {
	if !m.Table.Tuples() {
		return false
	}
	args, ok := m.Expanded()
	for i := range args {
		if ok {
			b.addIf(args[i].Set, (*value)(&args[i].Value))
		}
	}
	return ok
}

// key binds the columns of the key.
func (b *binder) key(m *plan.Mutation) {
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
	b.stamp(m)
	b.ttl(m)
}

// stamp binds the timestamp. The server chooses that of counters.
func (b *binder) stamp(m *plan.Mutation) {
	switch {
	case m.Table.Counts():
		return
	case m.At == 0:
		b.add(&b.at[m.Back])
		return
	case m.At == b.main:
		b.add(&b.at[0])
		return
	}
	at := value(plan.Bigint(m.At))
	b.add(&at)
}

func (b *binder) fill(m *plan.Mutation) {
	b.add(&b.at[m.Back])
	b.ttl(m)
	if !b.expanded(m) {
		for i := range m.Values {
			b.addIf(m.Values[i] != nil, (*value)(&m.Values[i]))
		}
	}
	b.key(m)
}

// ttl binds the TTL, and binds zero if there is none: otherwise the table's default_time_to_live would apply.
func (b *binder) ttl(m *plan.Mutation) {
	if m.TTL == 0 {
		b.none = b.zero[:]
		b.add(&b.none)
		return
	}
	ttl := value(binary.BigEndian.AppendUint32(nil, uint32(int64(m.TTL)-b.age)))
	b.add(&ttl)
}

// inStatic reports whether the InsertStatic of a table has a column.
func inStatic(t *plan.Table, i int) bool {
	return i < t.Partition || t.Columns[i].Kind == projection.Static
}

func (b *binder) add(v *value) { b.args = append(b.args, v) }

func (b *binder) addIf(set bool, v *value) {
	if set {
		b.add(v)
	} else {
		b.args = append(b.args, gocql.UnsetValue)
	}
}
