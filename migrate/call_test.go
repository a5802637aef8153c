package migrate

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a function returns is what Up says, also when it looks like what ends a run.
func TestUpReportsTheErrorOfAFunction(t *testing.T) {
	for _, cause := range []error{
		context.Canceled, context.DeadlineExceeded,
		&AgreementError{Err: errors.New("of another cluster")},
		&StatementError{File: "0009_other.cql", Err: &AgreementError{Err: errors.New("of another keyspace")}},
		&unagreedError{errors.New("of another keyspace")},
	} {
		db := newFake()
		calls := 0
		fsys := cqlFiles("0001_call.cql", "-- aml:func f")
		err := db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"f": func(ctx context.Context, _ gocqlx.Session) error {
			own, cancel := context.WithCancel(ctx)
			cancel()
			if calls++; calls == 1 {
				return errors.Join(cause, own.Err())
			}
			return nil
		}}})
		failure, ok := errors.AsType[*StatementError](err)
		require.True(t, ok)
		assert.Equal(t, "0001_call.cql", failure.File)
		assert.EqualError(t, failure.Err, cause.Error()+"\ncontext canceled")
		assert.Zero(t, db.state.records[1].count(), "it has not done its work")
		require.NoError(t, db.up(t, t.Context(), fsys, Config{Funcs: map[string]Func{"f": nothing}}))
	}
}

// A context that ends while a run waits for the nodes says nothing of them.
func TestUpNamesTheEndOfItsContext(t *testing.T) {
	why := errors.New("the pod is moved")
	ctx, cancel := context.WithCancelCause(t.Context())
	db := newFake()
	db.agreed = func(ctx context.Context) error {
		if ctx.Err() != nil {
			return &AgreementError{Err: errors.New("no node answered")}
		}
		return nil
	}
	fsys := cqlFiles("0001_call.cql", "-- aml:func f")
	err := db.up(t, ctx, fsys, Config{Funcs: map[string]Func{"f": func(context.Context, gocqlx.Session) error {
		cancel(why)
		return nil
	}}})
	assert.EqualError(t, err, "0001_call.cql:1: statement 1 of 1: -- aml:func f: applied, but the run was ended before the nodes were seen to agree: "+
		"the pod is moved; statement 1 is recorded as applied; the next run waits until they agree and goes on behind it")
	assert.ErrorIs(t, err, why)
	assert.Equal(t, 1, db.state.records[1].count())
}

// Of a statement without an answer the nodes can say nothing as long as they do not agree: it is not recorded.
func TestUpDoesNotRecordAStatementOfUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.fault = once("exec CREATE TYPE a (n int)", before)
		db.agreed = func(context.Context) error {
			if len(db.requests) > 10 {
				return &AgreementError{Err: errors.New("two versions")}
			}
			return nil
		}
		fsys := cqlFiles("0001_a.cql", "CREATE TYPE a (n int)")
		err := db.up(t, t.Context(), fsys, Config{})
		failure, ok := errors.AsType[*StatementError](err)
		require.True(t, ok)
		assert.True(t, failure.Unknown)
		assert.ErrorContains(t, err, "two versions")
		assert.Zero(t, db.state.records[1].count())
		db.agreed = nil
		require.NoError(t, db.up(t, t.Context(), fsys, Config{}))
		assert.Equal(t, []string{"CREATE TYPE a (n int)"}, db.sent)
	})
}

// A function that calls Up in its own keyspace waits for the run that waits for it.
func TestUpRefusesToWaitForItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		fsys := cqlFiles("0001_call.cql", "-- aml:func f")
		var config Config
		config.Funcs = map[string]Func{"f": func(ctx context.Context, _ gocqlx.Session) error {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			return db.up(t, ctx, fsys, config)
		}}
		assert.ErrorIs(t, db.up(t, t.Context(), fsys, config), ErrNested)
		config.Funcs["f"] = nothing
		require.NoError(t, db.up(t, t.Context(), fsys, config))
	})
}
