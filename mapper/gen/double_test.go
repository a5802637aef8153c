package gen_test

import (
	"context"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// double is a test double of a database. It returns the configured results, and records the requests. A call can make
// several requests at once.
type double struct {
	mu      sync.Mutex
	rows    []cell.Row // the result of every read, except the reads of rows to release from veiculos
	readErr error
	answers []error // the results of the writes, in order; then nil
	writes  []write
	reads   []store.Read
}

type write struct {
	mutations []plan.Mutation
	store.Write
}

func (d *double) Apply(_ context.Context, m []plan.Mutation, w store.Write) (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.writes); n < len(d.answers) {
		err = d.answers[n]
	}
	d.writes = append(d.writes, write{m, w})
	return err
}

func (d *double) CAS(context.Context, *plan.Conditional, store.CAS) (store.Answer, error) {
	return store.Answer{Applied: true}, nil
}

func (d *double) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	return store.First(d.Rows(ctx, l.Read))
}

func (d *double) Rows(_ context.Context, r store.Read) iter.Seq2[cell.Row, error] {
	d.read(r)
	rows := d.rows
	if r.Written && r.Table == (*plan.Table)(&veiculosTable) {
		rows = nil
	}
	return func(yield func(cell.Row, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
		if d.readErr != nil {
			yield(nil, d.readErr)
		}
	}
}

func (d *double) read(r store.Read) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.reads = append(d.reads, r)
}

// Page returns two rows at a time; the state is the number of rows returned so far.
func (d *double) Page(_ context.Context, r store.Read, state []byte) (store.Page, error) {
	d.read(r)
	at := 0
	if len(state) > 0 {
		at = int(state[0])
	}
	end := min(at+2, len(d.rows))
	if end < len(d.rows) {
		return store.NewPage(d.rows[at:end], []byte{byte(end)}), d.readErr
	}
	return store.NewPage(d.rows[at:end], nil), d.readErr
}

// start is the constant time of the test's clock.
var start = time.UnixMicro(1_000_000)

// open opens a store on the double, with a tracer.
func open(t *testing.T, d *double) (*Store, *log) {
	l := &log{}
	db, err := gen.OpenStore(d, mapper.Config{Tracer: l, Now: func() time.Time { return start }}, schema)
	require.NoError(t, err)
	return newStore(db), l
}

// rowOf returns a row as the database would return it.
func rowOf[T any](t *testing.T, c *gen.Codec[T], v *T) cell.Row {
	var e gen.Encoder
	c.Encode(&e, v)
	row, err := (*plan.Table)(c.Table).Row(&e, nil)
	require.NoError(t, err)
	return row
}

// loaded adds the timestamps that a Load selects.
func loaded(row cell.Row, key int, at int64) cell.Row {
	var e gen.Encoder
	for range len(row) - key {
		e.Bigint(at)
	}
	row, err := e.Cells(row)
	if err != nil {
		panic(err)
	}
	return row
}
