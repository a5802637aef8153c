package memory_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

func openJobs(t *testing.T, b *memory.Backend, config ...mapper.Config) *workshop.Store {
	t.Helper()
	s, err := workshop.OpenBackend(t.Context(), b, config...)
	require.NoError(t, err)
	return s
}

func sample(id int32) *workshop.Sample { return &workshop.Sample{ID: id, Text: "a"} }

func TestStoreOnABackend(t *testing.T) {
	at := time.UnixMicro(7_000_000)
	b := memory.New(memory.Config{Now: func() time.Time { return at }})
	s := openJobs(t, b)
	require.True(t, s.Session().Closed())
	require.NoError(t, s.Samples.Insert(t.Context(), sample(1)))
	cells, err := b.Cells("samples")
	require.NoError(t, err)
	require.Equal(t, memory.Cell{Key: "id=1", Timestamp: 7_000_000}, cells[0], "the timestamp is that of the backend's clock")
	got, err := openJobs(t, b).Samples.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, "a", got.Text, "another store on the same backend reads it")
	_, err = openJobs(t, memory.New(memory.Config{})).Samples.Get(t.Context(), 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)

	ahead := openJobs(t, b, mapper.Config{Now: func() time.Time { return at.Add(time.Second) }})
	require.NoError(t, ahead.Samples.Insert(t.Context(), sample(2)))
	cells, err = b.Cells("samples")
	require.NoError(t, err)
	require.Equal(t, int64(8_000_000), cells[len(cells)-1].Timestamp, "a store's own clock has precedence")
	_, err = workshop.OpenBackend(t.Context(), b, mapper.Config{}, mapper.Config{})
	require.EqualError(t, err, "mapper: 2 configs, at most one is allowed")
	_, err = b.Cells("nothing")
	require.EqualError(t, err, "memory: table nothing does not exist")
}

// A later version of a model adds to the tables of an earlier one, and the earlier version continues to work.
func TestOpenExtends(t *testing.T) {
	b := memory.New(memory.Config{})
	older, err := b.Open(t.Context(), schema)
	require.NoError(t, err)
	wider := *films
	wider.Columns = append(append([]descriptor.Column{}, films.Columns...), descriptor.Column{Name: "later", Type: "text", Kind: projection.Regular})
	newer, err := b.Open(t.Context(), &descriptor.Schema{Types: schema.Types, Tables: []*descriptor.Table{&wider}})
	require.NoError(t, err)
	m := put(1, map[int]cell.Cell{title: text("a")})
	m.Table, m.Row = (*plan.Table)(&wider), append(m.Row, text("new"))
	m.Write.Add(len(films.Columns))
	require.NoError(t, newer.Apply(t.Context(), []plan.Mutation{m}, store.Write{Timestamp: 1}))
	for row, err := range older.Rows(t.Context(), store.Read{Table: (*plan.Table)(films)}) {
		require.NoError(t, err)
		require.Len(t, row, len(films.Columns))
		require.Equal(t, text("a"), row[title])
	}

	other := *films
	other.Columns = append([]descriptor.Column{}, films.Columns...)
	other.Columns[title].Type = "blob"
	var conflict *mapper.SchemaError
	_, err = b.Open(t.Context(), &descriptor.Schema{Types: schema.Types, Tables: []*descriptor.Table{&other}})
	require.ErrorAs(t, err, &conflict)
	require.EqualError(t, err, "mapper: keyspace memory: table films.title is text, not blob")
	longer := descriptor.Table{Name: "films", Partition: 1, Key: 3, Columns: append(append([]descriptor.Column{}, films.Columns[:2]...), descriptor.Column{Name: "month", Type: "int", Kind: projection.ClusteringKey})}
	_, err = b.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{&longer}})
	require.ErrorAs(t, err, &conflict, "a key cannot grow")
}

func TestRefusals(t *testing.T) {
	d := newDatabase(t)
	null := put(1, nil)
	null.Row[1] = nil
	stranger := plan.Mutation{Table: &plan.Table{Name: "strangers"}}
	for want, m := range map[string]plan.Mutation{
		"memory: year of table films is null, but is in the key": null,
		"memory: no store with table strangers is open":          stranger,
		"memory: title of table films has no parts to update":    alter(1, title, nil),
	} {
		err := d.Store.Apply(t.Context(), []plan.Mutation{put(9, nil), m}, store.Write{Timestamp: 1})
		require.EqualError(t, err, want)
		var failure *store.Error
		require.ErrorAs(t, err, &failure)
		require.Equal(t, store.Refused, failure.Outcome)
		require.Empty(t, d.rows(), "a batch is written completely or not at all")
	}
	_, err := d.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{{Name: "vectors", Partition: 1, Key: 1,
		Columns: []descriptor.Column{{Name: "id", Type: "int"}, {Name: "v", Type: "set<frozen<vector<text, 2>>>", Kind: projection.Regular, Cells: projection.Set}}}}})
	require.EqualError(t, err, "form: unknown order of type vector<text, 2>, of column v (table vectors)")
}

// A service gets the same errors as from a server for each outcome that a test chooses.
func TestIntercept(t *testing.T) {
	ctx := t.Context()
	b := memory.New(memory.Config{})
	s := openJobs(t, b)
	var requests []memory.Request
	end := memory.Done
	b.Intercept(func(r memory.Request) memory.Outcome {
		requests = append(requests, r)
		return end
	})
	there := func(id int32) bool {
		b.Intercept(nil)
		_, err := s.Samples.Get(ctx, id)
		return !errors.Is(err, mapper.ErrNotFound)
	}

	end = memory.Refused
	code, _ := driver.Code(s.Samples.Insert(ctx, sample(1)))
	require.Equal(t, driver.CodeUnavailable, code)
	require.Len(t, requests, 1)
	require.True(t, requests[0].Write)
	require.Equal(t, []string{"samples"}, requests[0].Tables)
	_, err := s.Samples.Get(ctx, 1)
	code, _ = driver.Code(err)
	require.Equal(t, driver.CodeUnavailable, code)
	require.False(t, there(1))

	for id, c := range map[int32]struct {
		outcome memory.Outcome
		applied bool
	}{2: {memory.LostAnswer, true}, 3: {memory.LostRequest, false}} {
		b.Intercept(func(memory.Request) memory.Outcome { return c.outcome })
		err := s.Samples.Insert(ctx, sample(id))
		var unknown *mapper.UnknownOutcomeError
		require.ErrorAs(t, err, &unknown)
		require.True(t, unknown.Repeatable)
		code, _ := driver.Code(err)
		require.Equal(t, driver.CodeWriteTimeout, code)
		require.Equal(t, c.applied, there(id), c.outcome)
	}

	b.Intercept(func(memory.Request) memory.Outcome { return memory.NotSent })
	require.True(t, driver.NotSent(s.Samples.Insert(ctx, sample(4))))
	require.False(t, there(4))
}

// A write whose answer is lost is repeated at the same timestamp, so it takes effect once.
func TestLostAnswerIsRepeated(t *testing.T) {
	b := memory.New(memory.Config{})
	s := openJobs(t, b)
	var stamps []int64
	b.Intercept(func(r memory.Request) memory.Outcome {
		if stamps = append(stamps, r.Timestamp); len(stamps) == 1 {
			return memory.LostAnswer
		}
		return memory.Done
	})
	require.NoError(t, s.Samples.Insert(t.Context(), sample(1)))
	require.Len(t, stamps, 2)
	require.Equal(t, stamps[0], stamps[1])
}

// An interceptor can simulate another client that writes between a read and a write.
func TestInterceptorWrites(t *testing.T) {
	ctx := t.Context()
	b := memory.New(memory.Config{})
	s, other := openJobs(t, b), openJobs(t, b)
	require.NoError(t, s.Samples.Insert(ctx, sample(1)))
	busy := false
	b.Intercept(func(r memory.Request) memory.Outcome {
		if r.Write && !busy {
			busy = true
			_, err := other.Samples.Update(ctx, 1, func(v *workshop.Sample) error { v.Text, v.Int = "other", 5; return nil })
			require.NoError(t, err)
		}
		return memory.Done
	})
	_, err := s.Samples.Update(ctx, 1, func(v *workshop.Sample) error { v.Text = "mine"; return nil })
	require.NoError(t, err)
	got, err := s.Samples.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, int32(5), got.Int, "a cell that only one of them changed")
}

func TestConcurrentUse(t *testing.T) {
	b := memory.New(memory.Config{})
	s := openJobs(t, b)
	var work sync.WaitGroup
	for range 4 { // as the instances of a service do in one test
		work.Go(func() {
			if _, err := workshop.OpenBackend(context.Background(), b); err != nil {
				t.Error(err)
			}
		})
	}
	for id := range int32(8) {
		work.Go(func() {
			for range 20 {
				if err := s.Samples.Insert(context.Background(), sample(id%4)); err != nil {
					t.Error(err)
				}
				if _, err := s.Samples.Get(context.Background(), id%4); err != nil {
					t.Error(err)
				}
				if _, err := b.Cells("samples"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
}

func TestCells(t *testing.T) {
	d := newDatabase(t)
	d.Apply(1, put(1, map[int]cell.Cell{language: text("pt"), title: text("gone")}))
	d.Apply(2, expiring(put(1, map[int]cell.Cell{title: nil, tags: collection(1, number(2))}), 10))
	d.now = d.now.Add(4 * time.Second)
	cells, err := d.Cells("films")
	require.NoError(t, err)
	require.Equal(t, []memory.Cell{
		{Key: "country='BR'", Column: "language", Value: text("pt"), Timestamp: 1},
		{Key: "country='BR', year=1", Timestamp: 2, TTL: 6},
		{Key: "country='BR', year=1", Column: "tags", Path: number(2), Value: []byte{}, Timestamp: 2, TTL: 6},
	}, cells)
}

// Two stores on one backend whose clock is fixed write one after the other, as they do on a clock that runs.
func TestStoresShareAFixedClock(t *testing.T) {
	ctx, at := t.Context(), time.UnixMicro(7_000_000)
	b := memory.New(memory.Config{Now: func() time.Time { return at }})
	one, two := openJobs(t, b), openJobs(t, b)
	old, next := sample(1), sample(1)
	for range 3 {
		require.NoError(t, one.Samples.Insert(ctx, old))
	}
	next.Text = "b"
	require.NoError(t, two.Samples.Change(ctx, old, next))
	got, err := one.Samples.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "b", got.Text)
	require.NoError(t, two.Samples.Delete(ctx, 1))
	_, err = one.Samples.Get(ctx, 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}
