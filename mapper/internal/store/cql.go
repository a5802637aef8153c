package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CQL is a Cassandra cluster.
type CQL struct{ Session driver.Session }

var _ Store = CQL{}

// Apply sends one statement as a query, and several as a batch. The driver does not repeat them: a repeat would duplicate
// the elements of a list, and the caller must know of every attempt.
func (s CQL) Apply(ctx context.Context, mutations []plan.Mutation, w Write) error {
	if err := Ended(ctx); err != nil {
		return err
	}
	if len(mutations) == 1 {
		one := bindOne(s.Session, &mutations[0], w)[0]
		return classify(s.Session.Query(ctx, driver.Query{CQL: one.CQL, Args: one.Args, Consistency: w.Consistency, NoTimestamp: true}).Close())
	}
	b := s.Session.Batch(ctx, driver.BatchConfig{Unlogged: w.Unlogged, Consistency: w.Consistency, NoTimestamp: true}, len(mutations))
	bindAll(s.Session, mutations, w, b.Add)
	return classify(b.Exec())
}

// Rows prefetches the next page, as configured in the driver.
func (s CQL) Rows(ctx context.Context, r Read) iter.Seq2[cell.Row, error] {
	return func(yield func(cell.Row, error) bool) {
		w := newWait(ctx, r.Timeout)
		defer w.end()
		it := s.query(w.ctx, &r, nil)
		w.pause()
		scan(s.Session, it, w, r.Columns(), r.Table.IsAbsent, yield)
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
func Scan(values driver.Values, it driver.Rows, columns int) iter.Seq2[cell.Row, error] {
	all := func(cell.Row) bool { return false }
	return func(yield func(cell.Row, error) bool) {
		scan(values, it, newWait(context.Background(), 0), columns, all, yield)
	}
}

// Row does not check for further rows.
func (s CQL) Row(ctx context.Context, l *Lookup) (cell.Row, error) {
	return l.Scan(s.Session, s.query(ctx, &l.Read, l.args[:0]))
}

// Scan returns the row of a result of the driver, like [CQL.Row].
func (l *Lookup) Scan(values driver.Values, it driver.Rows) (cell.Row, error) {
	row, columns := l.row(values)
	found := it.Scan(columns...)
	if err := it.Close(); err != nil || !found || l.Table.IsAbsent(row) {
		return nil, err
	}
	return row, nil
}

func scan(values driver.Values, it driver.Rows, w *wait, n int, absent func(cell.Row) bool, yield func(cell.Row, error) bool) {
	row, columns := destinations(values, n)
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
func next(it driver.Rows, w *wait, columns []any) bool {
	if !it.SwitchesPage() {
		return it.Scan(columns...)
	}
	w.resume()
	defer w.pause()
	return it.Scan(columns...)
}

// query sends a read. It appends the arguments to args.
func (s CQL) query(ctx context.Context, r *Read, args []any) driver.Rows {
	q := s.newQuery(r, args)
	if r.ByPosition() {
		q.Pages = driver.Needed // so that a row is not read long before it is yielded
	}
	return s.Session.Query(ctx, q)
}

// newQuery returns the query of a read.
func (s CQL) newQuery(r *Read, args []any) driver.Query {
	return driver.Query{
		CQL: r.Statement(), Args: values(s.Session, args, r.Args()), Consistency: r.Consistency, Attempts: driver.Reread,
		Unrouted: r.Second, PageSize: r.PageSize,
	}
}

// Page reads one page.
func (s CQL) Page(ctx context.Context, r Read, state []byte) (Page, error) {
	q := s.newQuery(&r, nil)
	q.Pages, q.PageState = driver.Single, state
	it := s.Session.Query(ctx, q)
	p := Page{Rows: it.Count(), State: slices.Clone(it.PageState())}
	if p.Rows == 0 {
		err := it.Close()
		if state != nil && isProtocolFault(err) {
			err = fmt.Errorf("%w: %w", mapper.ErrPageToken, err)
		}
		return p, err
	}
	row, columns := destinations(s.Session, r.Columns())
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
	code, answered := driver.Code(err)
	return answered && code == driver.CodeProtocol
}

// binder converts mutations to statements with arguments: pointers to the mutations' cells.
type binder struct {
	values driver.Values
	args   []any
	at     [2][]byte // the timestamp, and the timestamp minus one
	raw    [16]byte
	main   int64  // the timestamp
	none   []byte // the TTL of cells that do not expire: zero
	zero   [4]byte
	age    int64
}

// fewArguments is enough for most writes of one column, element or part.
const fewArguments = 8

// small is the storage of a write that is one statement, in one allocation if it has few arguments.
type small struct {
	binder
	out [1]Statement
	few [fewArguments]any
}

// Statement is a statement with its arguments.
type Statement struct {
	CQL  string
	Args []any
}

// Bind returns the mutations as statements with their arguments, which a driver sends unchanged.
func Bind(values driver.Values, mutations []plan.Mutation, w Write) []Statement {
	if len(mutations) == 1 {
		return bindOne(values, &mutations[0], w)
	}
	out := make([]Statement, 0, len(mutations))
	bindAll(values, mutations, w, func(cql string, args []any) { out = append(out, Statement{cql, args}) })
	return out
}

// bindOne returns the only statement of a write.
func bindOne(values driver.Values, m *plan.Mutation, w Write) []Statement {
	s := &small{}
	if s.args = s.few[:0]; arguments(m) > fewArguments {
		s.args = make([]any, 0, arguments(m))
	}
	s.start(values, w)
	s.bind(m)
	s.out[0] = Statement{m.Statement(), s.args}
	return s.out[:]
}

// bindAll calls add with each statement.
func bindAll(values driver.Values, mutations []plan.Mutation, w Write, add func(cql string, args []any)) {
	n := 0
	for i := range mutations {
		n += arguments(&mutations[i])
	}
	b := newBinder(n)
	b.start(values, w)
	for i := range mutations {
		from := len(b.args)
		b.bind(&mutations[i])
		add(mutations[i].Statement(), b.args[from:len(b.args):len(b.args)])
	}
}

// fewBatched is enough for a batch of a few short rows.
const fewBatched = 16

// newBinder returns a binder for n arguments, in one allocation for few.
func newBinder(n int) *binder {
	if n > fewBatched {
		return &binder{args: make([]any, 0, n)}
	}
	b := &struct {
		binder
		few [fewBatched]any
	}{}
	b.args = b.few[:0]
	return &b.binder
}

func (b *binder) start(values driver.Values, w Write) {
	b.values, b.main, b.age = values, w.Timestamp, w.Age
	for back := range b.at {
		binary.BigEndian.PutUint64(b.raw[8*back:], uint64(w.Timestamp-int64(back)))
		b.at[back] = b.raw[8*back : 8*back+8]
	}
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
			b.add((*[]byte)(&m.Values[i]))
		}
		return
	}
	if !b.expanded(m) {
		for i := range m.Values {
			b.addIf(m.Write.Has(i), (*[]byte)(&m.Values[i]))
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
			b.addIf(args[i].Set, (*[]byte)(&args[i].Value))
		}
	}
	return ok
}

// key binds the columns of the key.
func (b *binder) key(m *plan.Mutation) {
	for i := range m.KeyColumns() {
		b.add((*[]byte)(m.Cell(i)))
	}
}

func (b *binder) put(m *plan.Mutation) {
	for i := range m.Table.Columns {
		switch {
		case m.Action == plan.PutStatic && !inStatic(m.Table, i):
		case m.Action == plan.Put && m.One != nil && i >= m.Table.Key && i != int(m.Column):
		default:
			b.addIf(i < m.Table.Key || m.Write.Has(i), (*[]byte)(m.Cell(i)))
		}
	}
	b.stamp(m)
	b.ttl(m)
}

// stamp binds the timestamp. The server chooses the timestamp of counters.
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
	at := []byte(plan.Bigint(m.At))
	b.add(&at)
}

func (b *binder) fill(m *plan.Mutation) {
	b.add(&b.at[m.Back])
	b.ttl(m)
	if !b.expanded(m) {
		for i := range m.Values {
			b.addIf(m.Values[i] != nil, (*[]byte)(&m.Values[i]))
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
	ttl := (binary.BigEndian.AppendUint32(nil, uint32(int64(m.TTL)-b.age)))
	b.add(&ttl)
}

// inStatic reports whether the InsertStatic of a table has a column.
func inStatic(t *plan.Table, i int) bool {
	return i < t.Partition || t.Columns[i].Kind == projection.Static
}

func (b *binder) add(v *[]byte) { b.args = append(b.args, b.values.Value(v)) }

func (b *binder) addIf(set bool, v *[]byte) {
	if set {
		b.add(v)
	} else {
		b.args = append(b.args, b.values.Unset())
	}
}
