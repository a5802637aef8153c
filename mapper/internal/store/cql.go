package store

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// CQL is a Cassandra cluster.
type CQL struct{ Session *gocql.Session }

var _ Store = CQL{}

// value lets gocql carry a cell as it is. A pointer to one in an interface does not allocate.
type value cell.Cell

// MarshalCQL gives gocql the bytes; nil is null.
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
	entries := bind(mutations, w)
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
		it := s.query(ctx, &r).Iter()
		row, columns := destinations(r.Columns)
		for it.Scan(columns...) {
			if !yield(row, nil) {
				_ = it.Close() // the caller wants no more: neither rows nor what a page ahead failed with
				return
			}
		}
		if err := it.Close(); err != nil {
			yield(nil, err)
		}
	}
}

func (s CQL) query(ctx context.Context, r *Read) *gocql.Query {
	args := make([]any, len(r.Args))
	for i := range r.Args {
		args[i] = (*value)(&r.Args[i])
	}
	q := s.Session.Query(r.Statement, args...).WithContext(ctx).Consistency(r.Consistency)
	if r.PageSize > 0 {
		q.PageSize(r.PageSize)
	}
	return q
}

// destinations gives a row and pointers to its cells, for Scan.
func destinations(n int) (cell.Row, []any) {
	row, columns := make(cell.Row, n), make([]any, n)
	for i := range row {
		columns[i] = (*value)(&row[i])
	}
	return row, columns
}

// binder turns mutations into statements with arguments: pointers to the mutations' cells.
type binder struct {
	args []any
	at   [2]value // the timestamp, and the one before
	raw  [16]byte
}

func bind(mutations []plan.Mutation, w Write) []gocql.BatchEntry {
	b := &binder{}
	for back := range b.at {
		binary.BigEndian.PutUint64(b.raw[8*back:], uint64(w.Timestamp-int64(back)))
		b.at[back] = b.raw[8*back : 8*back+8]
	}
	n := 0
	for i := range mutations {
		n += arguments(&mutations[i])
	}
	b.args = make([]any, 0, n)
	entries := make([]gocql.BatchEntry, len(mutations))
	for i := range mutations {
		from := len(b.args)
		b.bind(&mutations[i])
		entries[i] = gocql.BatchEntry{Stmt: mutations[i].Statement(), Args: b.args[from:len(b.args):len(b.args)]}
	}
	return entries
}

// arguments counts the arguments of a mutation.
func arguments(m *plan.Mutation) int {
	if m.Action == plan.Put {
		return len(m.Table.Columns) + 2
	}
	return len(m.Values) + 1 + m.KeyColumns()
}

func (b *binder) bind(m *plan.Mutation) {
	if m.Action == plan.Put {
		b.put(m)
		return
	}
	b.add(&b.at[m.Back])
	for i := range m.Values {
		b.addIf(m.Write.Has(i), (*value)(&m.Values[i]))
	}
	for i := range m.KeyColumns() {
		b.add((*value)(m.Cell(i)))
	}
}

func (b *binder) put(m *plan.Mutation) {
	for i := range m.Table.Columns {
		b.addIf(i < m.Table.Key || m.Write.Has(i), (*value)(m.Cell(i)))
	}
	b.add(&b.at[m.Back])
	b.args = append(b.args, gocql.UnsetValue) // no TTL of its own
}

func (b *binder) add(v *value) { b.args = append(b.args, v) }

func (b *binder) addIf(set bool, v *value) {
	if set {
		b.add(v)
	} else {
		b.args = append(b.args, gocql.UnsetValue)
	}
}
