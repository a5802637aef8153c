package migrate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a function fails with may be any bytes, and as many; what is recorded of it can be.
func TestFailuresAreRecordedAsText(t *testing.T) {
	long := strings.Repeat("é", maxFailure)
	for given, want := range map[string]string{
		"no such thing":      "no such thing",
		"key \xff\xfe\x00 x": "key \uFFFD\uFFFD x",
		"a\x00b":             "a\uFFFDb",
		long:                 long[:maxFailure-4] + "…",
		"x" + long:           "x" + long[:maxFailure-4] + "…",
	} {
		db := newFake()
		broken := func(context.Context, gocqlx.Session) error { return errors.New(given) }
		err := db.up(t, t.Context(), cqlFiles("0001_a.cql", "-- aml:func x"), Config{Funcs: map[string]Func{"x": broken}})
		require.ErrorContains(t, err, given, "the caller gets all of it")
		got := db.state.records[1].failure
		assert.Equal(t, want, got)
		assert.True(t, utf8.ValidString(got))
		assert.LessOrEqual(t, len(got), maxFailure)
	}
}
