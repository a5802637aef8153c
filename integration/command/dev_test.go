package command

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
)

// aml dev says where the server is, makes the keyspaces that it is asked for, and ends on Ctrl-C.
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
