package cassandra

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func TestContainerOptions(t *testing.T) {
	require.Equal(t, "cassandra:5.0", dockerImage)
	require.True(t, strings.HasPrefix(release, "5.0."), "both ways run the same line of releases")

	var progress bytes.Buffer
	cfg := Config{Log: &progress, Timeout: 7 * time.Minute}
	log := &containerLog{cfg: cfg}
	request := testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{Env: map[string]string{"CASSANDRA_DC": "datacenter1"}},
	}
	for _, option := range containerOptions(cfg, log) {
		require.NoError(t, option.Customize(&request))
	}

	require.Equal(t, "datacenter1", request.Env["CASSANDRA_DC"], "the module's own environment stays")
	require.Equal(t, "1G", request.Env["MAX_HEAP_SIZE"])
	require.Contains(t, request.Env["JVM_OPTS"], "-Dcassandra.settings.materialized_views_enabled=true")
	require.NotContains(t, request.Env["JVM_OPTS"], "batch_size", "limits are a stock server's")

	all, ok := request.WaitingFor.(*wait.MultiStrategy)
	require.True(t, ok)
	require.Len(t, all.Strategies, 1, "replaces the module's slow read through cqlsh")
	port, ok := all.Strategies[0].(*wait.HostPortStrategy)
	require.True(t, ok)
	require.Equal(t, "9042/tcp", port.Port)
	require.Equal(t, cfg.Timeout, *port.Timeout())

	request.Logger.Printf("pulling %s", dockerImage)
	log.silenced.Store(true)
	request.Logger.Printf("terminating")
	require.Equal(t, "cassandra: pulling cassandra:5.0\n", progress.String())
}
