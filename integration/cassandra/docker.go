package cassandra

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	dockerapi "github.com/moby/moby/api/types/container"
	"github.com/testcontainers/testcontainers-go"
	module "github.com/testcontainers/testcontainers-go/modules/cassandra"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	probeTimeout = 1500 * time.Millisecond
	stopTimeout  = 30 * time.Second
)

// probeEngine returns nil if a Docker engine answers where testcontainers looks for one.
func probeEngine(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	_, err := testcontainers.NewDockerClientWithOpts(ctx)
	return err
}

// dockerImage returns the official image of a version.
func dockerImage(version string) string { return "cassandra:" + version }

// container is a server in a container of this process. If the process does not end it, the reaper of testcontainers does.
type container struct {
	*module.CassandraContainer
	image string
	keep  bool
}

func startContainer(ctx context.Context, cfg Config, version string) (*Server, error) {
	image := dockerImage(version)
	cfg.logf("starting a container of %s", image)
	log := &containerLog{cfg: cfg}
	defer log.silenced.Store(true)
	inner, err := module.Run(ctx, image, containerOptions(cfg, version, log)...)
	c := container{inner, image, cfg.Keep}
	if err != nil {
		return nil, c.fail(err)
	}
	host, err := c.ConnectionHost(ctx)
	if err != nil {
		return nil, c.fail(err)
	}
	if err := awaitAnswer(ctx, cfg, []string{host}, nil); err != nil {
		return nil, c.fail(err)
	}
	return &Server{hosts: []string{host}, durable: cfg.Keep, origin: c}, nil
}

// containerOptions configures the container's server like the one that runs as a process. The container is waited for until
// its port listens; whether the server is ready is found by a read.
func containerOptions(cfg Config, version string, log *containerLog) []testcontainers.ContainerCustomizer {
	options := []testcontainers.ContainerCustomizer{
		testcontainers.WithEnv(containerEnv()),
		testcontainers.WithWaitStrategyAndDeadline(cfg.timeout(),
			wait.ForListeningPort(nativePort+"/tcp").WithStartupTimeout(cfg.timeout())),
		testcontainers.WithLogger(log),
	}
	if cfg.Keep {
		options = append(options, testcontainers.WithHostConfigModifier(func(host *dockerapi.HostConfig) {
			host.Binds = append(host.Binds, "cassaml-data-"+version+":/var/lib/cassandra")
		}))
	}
	return options
}

// containerEnv sets the heap, and the settings that differ from the default as system properties.
func containerEnv() map[string]string {
	return map[string]string{
		"MAX_HEAP_SIZE": "1G",
		"HEAP_NEWSIZE":  "256M",
		"JVM_OPTS": "-Dcassandra.initial_token=0" +
			" -Dcassandra.skip_wait_for_gossip_to_settle=0" +
			" -Dcassandra.ring_delay_ms=1000" +
			" -Dcassandra.superuser_setup_delay_ms=500" +
			" -Dcassandra.memtable.row_overhead_size=180" + // otherwise the server measures it for several seconds
			" -Dcassandra.config.allow_system_properties=true" +
			" -Dcassandra.settings.storage_compatibility_mode=NONE" +
			" -Dcassandra.settings.auto_snapshot=false" +
			" -Dcassandra.settings.materialized_views_enabled=true" +
			" -Dcassandra.settings.sasi_indexes_enabled=true" +
			" -Dcassandra.settings.user_defined_functions_enabled=true" +
			" -Dcassandra.settings.drop_compact_storage_enabled=true" +
			" -Dcassandra.settings.read_request_timeout=10s" +
			" -Dcassandra.settings.range_request_timeout=20s" +
			" -Dcassandra.settings.write_request_timeout=10s" +
			" -Dcassandra.settings.counter_write_request_timeout=10s" +
			" -Dcassandra.settings.cas_contention_timeout=5s" +
			" -Dcassandra.settings.request_timeout=20s",
	}
}

// fail ends a container that did not start, if there is one.
func (c container) fail(err error) error {
	failure := &StartError{Err: fmt.Errorf("container of %s: %w", c.image, err)}
	if c.CassandraContainer != nil {
		failure.Tail = c.logTail(tailLines)
		_ = c.release()
	}
	return failure
}

func (container) logDir() string { return "" }
func (container) keepLogs(bool)  {}

func (c container) logTail(lines int) string {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	reader, err := c.Logs(ctx)
	if err != nil {
		return ""
	}
	defer reader.Close()
	text, _ := io.ReadAll(reader)
	return lastLines(string(text), lines)
}

// release ends the container at once, except for a server that keeps its data, which has time to write it.
func (c container) release() error {
	patience := time.Duration(0)
	if c.keep {
		patience = stopTimeout
	}
	return testcontainers.TerminateContainer(c.CassandraContainer, testcontainers.StopTimeout(patience))
}

// containerLog turns the log of testcontainers into lines of progress. It writes nothing after the start, when the writer
// may have been closed.
type containerLog struct {
	cfg      Config
	silenced atomic.Bool
}

// Printf implements the logger of testcontainers.
func (l *containerLog) Printf(format string, args ...any) {
	if !l.silenced.Load() {
		l.cfg.logf(format, args...)
	}
}
