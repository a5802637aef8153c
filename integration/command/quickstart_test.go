package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

func quickstart(t *testing.T, hosts []string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), program(t, "examples/quickstart"))
	c.Env = append(os.Environ(), "CASSANDRA_HOSTS="+strings.Join(hosts, ","))
	return c
}

func TestQuickstart(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	server := cassandra.Test(t)
	c := quickstart(t, server.Hosts())
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	require.NoError(t, c.Run(), "%s%s", &out, &errs)
	require.Contains(t, out.String(), "After every one of the 10 steps the redundant table equalled")
	require.Contains(t, out.String(), "found 0 differences")
	require.Equal(t, 10, strings.Count(out.String(), "\n  asked "))
	require.False(t, hasKeyspace(t, server, out.String()), "the quickstart does not drop its keyspace")
}

// After an interrupt, the program reports it, fails and drops its keyspace.
func TestQuickstartInterrupted(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	server := cassandra.Test(t)
	c := quickstart(t, server.Hosts())
	first := &firstStep{program: c}
	var errs bytes.Buffer
	c.Stdout, c.Stderr = first, &errs
	err := c.Run()
	require.True(t, first.interrupted, "%s%s", &first.out, &errs)
	require.Error(t, err)
	require.Equal(t, 1, c.ProcessState.ExitCode(), "%s%s", &first.out, &errs)
	require.NotContains(t, first.out.String(), "After every one")
	require.Contains(t, errs.String(), "quickstart: ended by a signal: ")
	require.False(t, hasKeyspace(t, server, first.out.String()), "the interrupted quickstart does not drop its keyspace")
}

// firstStep interrupts a program when it prints its first step.
type firstStep struct {
	program     *exec.Cmd
	out         bytes.Buffer
	interrupted bool
}

func (f *firstStep) Write(b []byte) (int, error) {
	f.out.Write(b)
	if !f.interrupted && strings.Contains(f.out.String(), "== 1.") {
		f.interrupted = true
		if err := f.program.Process.Signal(os.Interrupt); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// hasKeyspace reports whether the keyspace that a quickstart printed exists.
func hasKeyspace(t *testing.T, server *cassandra.Server, out string) bool {
	t.Helper()
	name := regexp.MustCompile(`the keyspace is (\S+)`).FindStringSubmatch(out)
	require.NotNil(t, name, out)
	session, err := server.Cluster().CreateSession()
	require.NoError(t, err)
	defer session.Close()
	var found string
	err = session.Query("SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?", name[1]).Scan(&found)
	if !errors.Is(err, gocql.ErrNotFound) {
		require.NoError(t, err)
	}
	return found != ""
}
