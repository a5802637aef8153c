package gen_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// A store that was not opened returns an error from every method.
func TestZeroStore(t *testing.T) {
	const want = "mapper: the store is not open: use the store that Open returned"
	s := &Store{}
	require.EqualError(t, s.Films.Insert(ctx, film()), want)
	require.EqualError(t, s.Films.Put(ctx, film()), want)
	require.EqualError(t, s.Films.Change(ctx, film(), film()), want)
	_, err := s.Films.Update(ctx, "BR", 1, "x", nil)
	require.EqualError(t, err, want)
	_, err = s.Films.Import(ctx, film())
	require.EqualError(t, err, want)
	require.EqualError(t, s.Clientes.Delete(ctx, 1), want)
	_, err = s.Clientes.Get(ctx, 1)
	require.EqualError(t, err, want)
	require.EqualError(t, gen.SetColumn(ctx, s.Films.Root, given(filmKey("BR", 1, "x"), start, (*gen.Encoder).Timestamp), "released", nil), want)
	of := s.Films.Of("").Year(1).TitleAfter("x").Reverse().Limit(-1).PageSize(-1)
	_, err = of.Page(ctx, "")
	require.EqualError(t, err, want)
	for _, err := range of.All(ctx) {
		require.EqualError(t, err, want)
	}
	_, err = of.First(ctx)
	require.EqualError(t, err, want)
	_, err = of.Count(ctx)
	require.EqualError(t, err, want)
	_, err = gen.GetMany(ctx, s.Clientes.Reader, []int32{}, nil)
	require.EqualError(t, err, want)
	_, err = gen.Statics[struct{}](ctx, s.Films.Reader, nil, nil)
	require.EqualError(t, err, want)
	found := gen.Find(gen.Every(s.Films.Reader), "title", gen.Key("x", (*gen.Encoder).Text))
	_, err = found.Page(ctx, "")
	require.EqualError(t, err, want)
	for _, err := range gen.FindNear(gen.Every(s.Films.Reader), "title", gen.Key("x", (*gen.Encoder).Text), 0).All(ctx) {
		require.EqualError(t, err, want)
	}

	var db *gen.DB
	require.ErrorIs(t, gocqldriver.Session(db.Session()).Query("SELECT key FROM system.local", nil).Exec(), gocql.ErrSessionClosed)
	_, err = newStore(db.With(mapper.Options{})).Clientes.Get(ctx, 1)
	require.EqualError(t, err, want)
	_, err = gen.OpenBackend(ctx, nil, schema)
	require.EqualError(t, err, "mapper: the backend is nil: create one, for example with memory.New")
}

// hung is a database that never answers. Apply returns after the driver's time-out.
type hung struct{ double }

const driverTimeout = 11 * time.Second

func (h *hung) Apply(ctx context.Context, m []plan.Mutation, w store.Write) error {
	_ = h.double.Apply(ctx, m, w)
	select {
	case <-ctx.Done():
		return &store.Error{Outcome: store.Unknown, Err: ctx.Err()}
	case <-time.After(driverTimeout):
		return unknown()
	}
}

func (h *hung) Row(ctx context.Context, _ *store.Lookup) (cell.Row, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (h *hung) CAS(ctx context.Context, _ *plan.Conditional, _ store.CAS) (store.Answer, error) {
	<-ctx.Done()
	return store.Answer{}, ctx.Err()
}

func (h *hung) Page(ctx context.Context, _ store.Read, _ []byte) (store.Page, error) {
	<-ctx.Done()
	return store.Page{}, ctx.Err()
}

// The time limit covers a call with all its repeats.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &hung{}
		db, err := gen.OpenStore(h, mapper.Config{}, schema)
		require.NoError(t, err)
		s := newStore(db)
		in := func(want time.Duration, call func() error) {
			began := time.Now()
			require.ErrorIs(t, call(), context.DeadlineExceeded)
			require.Equal(t, want, time.Since(began))
		}
		in(10*time.Second, func() error { return s.Films.Insert(ctx, film()) })
		long := newStore(db.With(mapper.Options{Timeout: 30 * time.Second}))
		writes := len(h.writes)
		began := time.Now()
		err = long.Films.Insert(ctx, film())
		require.True(t, mapper.OutcomeUnknown(err), err)
		require.Equal(t, 30*time.Second, time.Since(began))
		require.Len(t, h.writes, writes+3, "repeats share the time of the call")
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		in(time.Second, func() error { return s.Films.Insert(short, film()) })
		in(10*time.Second, func() error { _, err := s.Films.Get(ctx, "BR", 1, "x"); return err })
		in(10*time.Second, func() error { return s.Clientes.Delete(ctx, 1) })
		in(10*time.Second, func() error { _, err := s.Films.Of("BR").First(ctx); return err })
		in(10*time.Second, func() error {
			_, err := gen.GetMany(ctx, s.Clientes.Reader, []int32{1, 2}, func(id int32) *gen.Encoder { return gen.Key(id, (*gen.Encoder).Int) })
			return err
		})
		in(10*time.Second, func() error {
			_, err := gen.Statics(ctx, s.Films.Reader, gen.Key("BR", (*gen.Encoder).Text), func(*gen.Decoder, *struct{}) {})
			return err
		})
		stamped := newStore(db.With(mapper.Options{Timestamp: start.UnixMicro()}))
		in(10*time.Second, func() error { _, err := stamped.Films.Import(ctx, film()); return err })
		in(10*time.Second, func() error { _, err := s.Films.Of("BR").Page(ctx, ""); return err })
	})
	_, err := gen.OpenStore(&double{}, mapper.Config{Timeout: -1}, schema)
	require.EqualError(t, err, "mapper: Config.Timeout is -1ns: use more than 0, or 0 for 10s")
	db, err := gen.OpenStore(&double{}, mapper.Config{}, schema)
	require.NoError(t, err)
	_, err = newStore(db.With(mapper.Options{Timeout: -1})).Clientes.Get(ctx, 1)
	require.EqualError(t, err, "mapper: Get Cliente (clientes id=1): the timeout -1ns is below 0")
}
