package command

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// After an interrupt during aml verify, the command fails and drops its keyspace.
func TestVerifyInterrupted(t *testing.T) {
	t.Parallel()
	server := cassandra.Test(t)
	scratch := "verify_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	c := exec.CommandContext(t.Context(), program(t, "codegen/cmd/aml"), "migrate", "verify", "-scratch", scratch, "-dir", endlessMigrations(t))
	c.Dir = "../../examples/quickstart/shop"
	c.Env = append(os.Environ(), "CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ","))
	stderr, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	line, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "0001_endless.cql: 1 of 2000: CREATE TABLE t0")
	require.NoError(t, c.Process.Signal(os.Interrupt))
	_, err = io.Copy(io.Discard, stderr)
	require.NoError(t, err)
	require.Error(t, c.Wait())

	session, err := server.Cluster().CreateSession()
	require.NoError(t, err)
	defer session.Close()
	_, err = catalog.Inspect(t.Context(), gocqldriver.New(gocqlx.NewSession(session)), scratch)
	require.ErrorIs(t, err, catalog.ErrNoKeyspace)
}

// endlessMigrations returns a folder that takes longer to apply than the test takes to interrupt.
func endlessMigrations(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "CREATE TABLE t%d (id int PRIMARY KEY);\n", i)
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "0001_endless.cql"), []byte(text.String()), 0o644))
	return dir
}

// aml dev prints the address of the server, creates the keyspaces of its arguments, and ends on an interrupt.
func TestDev(t *testing.T) {
	t.Parallel()
	server := cassandra.Test(t)
	keyspace := "dev_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	c := exec.CommandContext(t.Context(), program(t, "codegen/cmd/aml"), "dev", "-keyspace", keyspace)
	c.Env = append(os.Environ(), "CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ","))
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "export CASSANDRA_HOSTS="+strings.Join(server.Hosts(), ",")+"\n", line)

	require.True(t, hasKeyspace(t, server, "the keyspace is "+keyspace))
	session, err := server.Keyspace(t.Context(), keyspace)
	require.NoError(t, err)
	defer session.Close()
	require.NoError(t, session.ExecStmt("DROP KEYSPACE "+keyspace))
	require.NoError(t, c.Process.Signal(os.Interrupt))
	require.NoError(t, c.Wait())
}
