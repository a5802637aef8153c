package gen_test

import (
	"context"
	"errors"
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

// serverError returns an error that a server sends.
func serverError(code int) error {
	return &driver.Error{Class: driver.Answered, Code: code, Err: errors.New("from a server")}
}

// busy is a database whose first reads of a row fail.
type busy struct {
	double
	failure error
	failing int // negative: all
}

func (b *busy) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	if b.failing != 0 {
		b.failing--
		return nil, b.failure
	}
	return b.double.Row(ctx, l)
}

// A read of one row that times out is repeated until the time of the call ends, and no longer.
func TestReadsThatTimeOutAreRepeated(t *testing.T) {
	film := film()
	const limit = 10 * time.Minute
	open := func(t *testing.T, b *busy) *Store {
		t.Helper()
		db, err := gen.OpenStore(b, mapper.Config{Timeout: limit}, schema)
		require.NoError(t, err)
		return newStore(db)
	}
	get := func(s *Store) error { _, err := s.Films.Get(ctx, film.Country, film.Year, film.Title); return err }
	for _, failure := range []error{serverError(driver.CodeReadTimeout), serverError(driver.CodeCASWriteUnknown), &driver.Error{Class: driver.NoAnswer, Err: errors.New("no answer")}} {
		synctest.Test(t, func(t *testing.T) {
			b := &busy{failure: failure, failing: 6}
			b.rows = []cell.Row{rowOf(t, &filmCodec, film)}
			require.NoError(t, get(open(t, b)))
		})
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		b := &busy{failure: serverError(driver.CodeReadTimeout), failing: -1}
		require.ErrorIs(t, get(open(t, b)), b.failure)
		require.Equal(t, limit, time.Since(began))
		require.Less(t, b.failing, -100, "the pauses do not double without a limit")
	})
	for _, failure := range []error{serverError(driver.CodeInvalid), serverError(driver.CodeUnavailable), errors.New("other")} {
		b := &busy{failure: failure, failing: 1}
		require.ErrorIs(t, get(open(t, b)), failure, "an error that is no time-out is returned at once")
	}
}
