package migrate

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/migrate/folder"
)

var errNotConnected = &driver.Error{Class: driver.NotConnected, Err: errors.New("no connection")}

var errUnavailable = &serverError{code: driver.CodeUnavailable, text: "not enough replicas"}

// If a server answers Unavailable, a statement is certainly not executed only if the server checks the replicas before it sends anything.
func TestUnavailableIsCertain(t *testing.T) {
	for statement, certain := range map[string]bool{
		"INSERT INTO t (a) VALUES (1)":             true,
		"update t set a = 1 where b = 'IF x IN y'": true,
		"DELETE FROM t WHERE a = 1":                true,
		"TRUNCATE t":                               true,
		"BEGIN BATCH INSERT INTO t (a) VALUES (1); DELETE FROM t WHERE a IN (1, 2); APPLY BATCH": true,
		"BEGIN UNLOGGED BATCH INSERT INTO t (a) VALUES (1); APPLY BATCH":                         false,
		"BEGIN COUNTER BATCH UPDATE t SET n = n + 1 WHERE a = 1; APPLY BATCH":                    false,
		"BEGIN BATCH UPDATE t SET a = 1 WHERE b = 1 IF a = 2; APPLY BATCH":                       false,
		"UPDATE t SET a = 1 WHERE b IN (1, 2)":                                                   false,
		"INSERT INTO t (a) VALUES (1) IF NOT EXISTS":                                             false,
		"CREATE ROLE ana": false,
	} {
		assert.Equal(t, certain, notRun(errUnavailable, statement), statement)
		assert.True(t, notRun(errNotConnected, statement))
		assert.True(t, notRun(errRefused, statement))
		assert.False(t, notRun(errLost, statement))
	}
}

// If a statement was certainly not executed, the error says so, and the lock is released, so that no other run has to wait.
func TestUpReleasesTheLockOfWhatDidNotRun(t *testing.T) {
	for _, cause := range []error{errUnavailable, errNotConnected, &notAppliedError{}} {
		synctest.Test(t, func(t *testing.T) {
			db := newFake()
			db.fault, db.refusal = on("exec INSERT b", refuse), cause
			for range 2 {
				err := db.up(t, t.Context(), shop(), Config{})
				failure, ok := errors.AsType[*StatementError](err)
				require.True(t, ok)
				assert.False(t, failure.Unknown)
				assert.ErrorIs(t, err, cause)
				assert.ErrorContains(t, err, "statement 1 is recorded as applied; statement 2 was not applied: ")
				assert.Empty(t, db.owner())
				assert.Empty(t, db.state.records[1].sending)
			}
			db.fault = nil
			began := time.Now()
			require.NoError(t, db.up(t, t.Context(), shop(), Config{}))
			assert.Zero(t, time.Since(began))
			assert.Equal(t, []string{"CREATE a", "INSERT b", "ALTER c", "CREATE d"}, db.sent)
		})
	}
}

// A run that died may have applied a statement that is refused now.
func TestUpDoesNotKnowWhatADeadRunApplied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := newFake()
		db.fault, db.refusal = on("exec INSERT b IF c", refuse), &notAppliedError{Rows: []string{"{c: 1}"}}
		db.state.epoch = 1
		_, err := db.begin(t.Context(), lock{epoch: 1, folder: partition}, record{number: 1, name: "0001_a.cql"}, folder.Hash("INSERT b IF c"))
		require.NoError(t, err)
		err = db.up(t, t.Context(), cqlFiles("0001_a.cql", "INSERT b IF c"), Config{})
		assert.ErrorContains(t, err, "the row is {c: 1}; if this is intended, write -- aml:optional before the statement; "+
			"no statement of the file is recorded as applied; statement 1 may have been applied, and the next run may repeat it")
		assert.Empty(t, db.owner())
		require.NoError(t, db.up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:optional\nINSERT b IF c"), Config{}))
		assert.True(t, db.state.records[1].whole())
	})
}

// The driver prepares statements that begin with these words.
func TestStatementsAreSentUnprepared(t *testing.T) {
	for statement, want := range map[string]string{
		"INSERT INTO t (a) VALUES (1)": "/**/INSERT INTO t (a) VALUES (1)", "update t": "/**/update t", "Delete t": "/**/Delete t",
		"BEGIN BATCH a; APPLY BATCH": "/**/BEGIN BATCH a; APPLY BATCH", "CREATE TABLE t": "CREATE TABLE t", "TRUNCATE t": "TRUNCATE t",
	} {
		assert.Equal(t, want, unprepared(statement))
	}
}
