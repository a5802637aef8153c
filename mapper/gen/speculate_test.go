package gen_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// slow is a database whose requests for a row take some time. It is also the tracer of its store.
type slow struct {
	double
	times []time.Duration // of the requests in their order; then 0
	fails []error         // their errors; then nil

	mu       sync.Mutex
	sent     []store.Read
	requests []mapper.Request
	results  []mapper.RequestResult
}

func (s *slow) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	s.mu.Lock()
	n := len(s.sent)
	s.sent = append(s.sent, l.Read)
	s.mu.Unlock()
	if n < len(s.times) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(s.times[n]):
		}
	}
	if n < len(s.fails) && s.fails[n] != nil {
		return nil, s.fails[n]
	}
	return s.rows[0], nil
}

func (s *slow) Start(ctx context.Context, r mapper.Request) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	return ctx
}

func (s *slow) End(_ context.Context, r mapper.RequestResult) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results = append(s.results, r)
}

// open returns a store with a second request after 20 ms.
func (s *slow) open(t *testing.T) *Store {
	s.rows = []cell.Row{rowOf(t, &clienteCodec, &Cliente{ID: 1, Nome: "Ana"})}
	db, err := gen.OpenStore(s, mapper.Config{Tracer: s, Now: func() time.Time { return start }}, schema)
	require.NoError(t, err)
	return newStore(db.With(mapper.Options{SpeculativeDelay: 20 * time.Millisecond}))
}

const ms = time.Millisecond

// A read of one row that has no answer in time is sent a second time. The first answer is returned, and the tracer sees both requests.
func TestSpeculate(t *testing.T) {
	fault := errors.New("overloaded")
	for name, c := range map[string]struct {
		times []time.Duration
		fails []error
		want  error
		took  time.Duration
		sent  int
	}{
		"the second answers":          {[]time.Duration{time.Hour, 5 * ms}, nil, nil, 25 * ms, 2},
		"the first answers later":     {[]time.Duration{30 * ms, time.Hour}, nil, nil, 30 * ms, 2},
		"the first answers in time":   {[]time.Duration{10 * ms}, nil, nil, 10 * ms, 1},
		"the second fails":            {[]time.Duration{40 * ms, ms}, []error{nil, fault}, nil, 40 * ms, 2},
		"the first fails later":       {[]time.Duration{30 * ms, 50 * ms}, []error{fault}, nil, 70 * ms, 2},
		"the first fails in time":     {[]time.Duration{10 * ms}, []error{fault}, fault, 10 * ms, 1},
		"both fail":                   {[]time.Duration{30 * ms, 50 * ms}, []error{fault, fault}, fault, 70 * ms, 2},
		"there is no answer in time":  {[]time.Duration{time.Hour, time.Hour}, nil, context.DeadlineExceeded, mapper.DefaultTimeout, 2},
		"the first answers at once":   {nil, nil, nil, 0, 1},
		"the second answers at once ": {[]time.Duration{time.Hour}, nil, nil, 20 * ms, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := &slow{times: c.times, fails: c.fails}
			s, began := d.open(t), time.Now()
			v, err := s.Clientes.Get(ctx, 1)
			require.ErrorIs(t, err, c.want, name)
			require.Equal(t, c.want == nil, v != nil, name)
			require.Equal(t, c.took, time.Since(began), name)
			require.Len(t, d.requests, c.sent, name)
			require.Len(t, d.results, c.sent, "%s: both have ended", name)
			for i, r := range d.requests {
				require.Equal(t, []any{"Get", i + 1, i > 0}, []any{r.Op, r.Attempt, r.Speculative}, name)
				require.Equal(t, i > 0, d.sent[i].Second, name)
			}
		})
	}
}

// GetMany and First send second requests. What a write reads and the write itself are sent once.
func TestWhatSpeculates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &slow{times: []time.Duration{time.Hour, time.Hour}}
		s := d.open(t)
		many, err := gen.GetMany(ctx, s.Clientes.Reader, []int32{1, 2}, func(id int32) *gen.Encoder { return gen.Key(id, (*gen.Encoder).Int) })
		require.NoError(t, err)
		require.Len(t, many, 2)
		require.Len(t, d.sent, 4)
	})
	synctest.Test(t, func(t *testing.T) {
		d := &slow{times: []time.Duration{time.Hour}}
		s := d.open(t)
		d.rows = []cell.Row{rowOf(t, &filmCodec, &Film{Country: "BR", Year: 2002, Title: "x"})}
		film, err := s.Films.Of("BR").Year(2002).Reverse().First(ctx)
		require.NoError(t, err)
		require.Equal(t, "x", film.Title)
		require.Len(t, d.sent, 2)
		require.Equal(t, 1, d.sent[1].Limit)
	})
	synctest.Test(t, func(t *testing.T) {
		d := &slow{times: []time.Duration{time.Second}}
		s := d.open(t)
		d.rows = []cell.Row{loaded(d.rows[0], 1, 1)}
		_, err := s.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = "Eva"; return nil })
		require.NoError(t, err)
		for _, r := range d.sent {
			require.False(t, r.Second)
		}
		require.Len(t, d.writes, 1)
	})
}

// ReadConsistency applies to reads alone: what an Update reads has the consistency of the store.
func TestReadConsistency(t *testing.T) {
	d := &double{rows: []cell.Row{loaded(rowOf(t, &clienteCodec, &Cliente{ID: 1, Nome: "Ana"}), 1, 1)}}
	s, _ := open(t, d)
	weak := newStore(s.db.With(mapper.Options{ReadConsistency: driver.LocalOne}))
	_, err := weak.Clientes.Update(ctx, 1, func(c *Cliente) error { c.Nome = "Eva"; return nil })
	require.NoError(t, err)
	require.NoError(t, weak.Clientes.Put(ctx, &Cliente{ID: 1, Nome: "Ana"}))
	require.NoError(t, weak.Clientes.Delete(ctx, 1))
	for _, r := range d.reads {
		require.Equal(t, driver.LocalQuorum, r.Consistency)
	}
	for _, w := range d.writes {
		require.Equal(t, driver.LocalQuorum, w.Consistency)
	}
	d.reads = nil
	_, err = weak.Clientes.Get(ctx, 1)
	require.NoError(t, err)
	_, err = weak.Films.Of("BR").Count(ctx)
	require.NoError(t, err)
	require.Equal(t, []driver.Consistency{driver.LocalOne, driver.LocalOne}, []driver.Consistency{d.reads[0].Consistency, d.reads[1].Consistency})

	for problem, o := range map[string]mapper.Options{
		"Options.SpeculativeDelay is -1ns: use more than 0, or 0 for no second request": {SpeculativeDelay: -1},
		"Options.Serial and Options.ReadConsistency exclude each other":                 {ReadConsistency: driver.One, Serial: true},
		"Options.ReadConsistency is consistency 99":                                     {ReadConsistency: 99},
		"Options.ReadConsistency is SERIAL":                                             {ReadConsistency: driver.Serial},
	} {
		d.reads = nil
		_, err = newStore(s.db.With(o)).Clientes.Get(ctx, 1)
		require.ErrorContains(t, err, problem)
		require.Empty(t, d.reads, "nothing is sent")
	}
}
