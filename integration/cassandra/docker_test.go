package cassandra

import (
	"bytes"
	"testing"
	"time"

	dockerapi "github.com/moby/moby/api/types/container"
	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

func TestContainerOptions(t *testing.T) {
	var progress bytes.Buffer
	cfg := Config{Log: &progress, Timeout: 7 * time.Minute}
	log := &containerLog{cfg: cfg}
	request := testcontainers.GenericContainerRequest{
		ContainerRequest: testcontainers.ContainerRequest{Env: map[string]string{"CASSANDRA_DC": "datacenter1"}},
	}
	for _, option := range containerOptions(cfg, "5.0.9", log) {
		require.NoError(t, option.Customize(&request))
	}

	require.Equal(t, "datacenter1", request.Env["CASSANDRA_DC"], "the environment of the module is kept")
	require.Equal(t, "1G", request.Env["MAX_HEAP_SIZE"])
	require.Contains(t, request.Env["JVM_OPTS"], "-Dcassandra.settings.materialized_views_enabled=true")
	require.NotContains(t, request.Env["JVM_OPTS"], "batch_size", "the limits are the default ones")

	all, ok := request.WaitingFor.(*wait.MultiStrategy)
	require.True(t, ok)
	require.Len(t, all.Strategies, 1, "replaces the module's slow read through cqlsh")
	port, ok := all.Strategies[0].(*wait.HostPortStrategy)
	require.True(t, ok)
	require.Equal(t, "9042/tcp", port.Port)
	require.Equal(t, cfg.Timeout, *port.Timeout())

	require.Nil(t, request.HostConfigModifier, "no data is kept")

	request.Logger.Printf("pulling %s", dockerImage("5.0.9"))
	log.silenced.Store(true)
	request.Logger.Printf("terminating")
	require.Equal(t, "cassandra: pulling cassandra:5.0.9\n", progress.String())
}

func TestContainerKeepsItsData(t *testing.T) {
	request := testcontainers.GenericContainerRequest{}
	for _, option := range containerOptions(Config{Keep: true}, "5.0.9", &containerLog{}) {
		require.NoError(t, option.Customize(&request))
	}
	var host dockerapi.HostConfig
	request.HostConfigModifier(&host)
	require.Equal(t, []string{"cassaml-data-5.0.9:/var/lib/cassandra"}, host.Binds)
}
