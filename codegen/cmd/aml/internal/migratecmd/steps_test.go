package migratecmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/commandline"
	"github.com/cassaml/cassaml/migrate"
)

// On a terminal the bar shows the statement that runs, and is removed before the line of a completed one.
func TestStepsDrawABar(t *testing.T) {
	var out, bar bytes.Buffer
	s := &steps{out: &out, bar: commandline.DrawBar(&bar, 0)}
	e := migrate.Event{Kind: migrate.EventApplying, File: "0002_index.cql", Number: 1, Total: 2, Statement: "CREATE INDEX a\n\tON t (b)"}
	s.print(e)
	require.Contains(t, bar.String(), "0002_index.cql: 1 of 2: CREATE INDEX a ON t (b), applied")
	require.Empty(t, out.String())
	e.Kind = migrate.EventApplied
	s.print(e)
	require.Equal(t, "0002_index.cql: 1 of 2: CREATE INDEX a ON t (b)\n", out.String())
	require.True(t, strings.HasSuffix(bar.String(), "\r"), "%q", bar.String())
	require.Equal(t, int64(1), s.applied)
}

// Without a terminal there is no bar.
func TestStepsWithoutATerminal(t *testing.T) {
	var out bytes.Buffer
	s := &steps{out: &out, bar: commandline.NewBar(&out)}
	s.print(migrate.Event{Kind: migrate.EventApplying, File: "0001_init.cql", Number: 1, Total: 1})
	require.Empty(t, out.String())
}
