package cassandra

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"
)

const (
	defaultTimeout  = 3 * time.Minute
	hostsVariable   = "CASSANDRA_HOSTS"
	versionVariable = "CASSANDRA_VERSION"
	defaultRelease  = "5.0.8"
)

var releasePattern = regexp.MustCompile(`^\d+\.\d+(\.\d+)?(-[0-9A-Za-z]+)?$`)

// release returns the version of Cassandra that the second and third way start.
func release() (string, error) {
	version := os.Getenv(versionVariable)
	if version == "" {
		return defaultRelease, nil
	}
	if !releasePattern.MatchString(version) {
		return "", fmt.Errorf("%s=%q is not a version such as %s", versionVariable, version, defaultRelease)
	}
	return version, nil
}

// Config is how a server is started. The zero value works.
type Config struct {
	// Log receives a line whenever the start has got further; nil for silence.
	Log io.Writer
	// Timeout limits the whole start: fetching, launching and waiting for an answer. Zero means three minutes.
	Timeout time.Duration
	// StateDir is where a server that runs as a process is and is looked for, so only those who name the same
	// folder share one. Empty means the folder common to all processes of the user.
	StateDir string
	// Keep keeps the data: the next server that is started with Keep has it. A server that runs as a process has it in
	// [os.UserCacheDir]/cassaml, or in StateDir; a container has it in a volume. It has no effect on CASSANDRA_HOSTS.
	Keep bool
	// Optimize has the server that runs as a process compile its code as a server in production does. It then starts
	// slower, and is the server to measure.
	Optimize bool
}

func (c Config) timeout() time.Duration {
	if c.Timeout == 0 {
		return defaultTimeout
	}
	return c.Timeout
}

func (c Config) logf(format string, args ...any) {
	if c.Log != nil {
		fmt.Fprintf(c.Log, "cassandra: "+format+"\n", args...)
	}
}

// Server is a running Cassandra, or this process's share of one. Its methods may be called from many goroutines.
type Server struct {
	hosts   []string
	durable bool // the data of its keyspaces outlives the process
	origin  origin
	close   sync.Once
	closed  error
}

// origin is where a server came from.
type origin interface {
	// logDir is the folder of the server's logs, empty when they are not on this machine's disk.
	logDir() string
	// logTail is the end of the server's output and log.
	logTail(lines int) string
	// keepLogs reports whether the logs must survive the server; a process that is killed keeps what it said last.
	keepLogs(keep bool)
	// release stops the server or gives up the share.
	release() error
}

// Start returns a server that has answered a CQL read. It takes the first way that works, see the package's
// documentation; [*NoServerError] means that none did, [*StartError] that a server was started and did not answer.
// The context bounds the start alone, not the time that the server runs.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, cfg.timeout())
	defer cancel()
	server, err := start(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("cassandra: %w", err)
	}
	return server, nil
}

func start(ctx context.Context, cfg Config) (*Server, error) {
	if list := os.Getenv(hostsVariable); list != "" {
		return useHosts(ctx, cfg, list)
	}
	version, err := release()
	if err != nil {
		return nil, err
	}
	noEngine := probeEngine(ctx)
	if noEngine == nil {
		return startContainer(ctx, cfg, version)
	}
	local, noRuntime := findLocal(ctx, cfg)
	if noRuntime == nil {
		return local.start(ctx)
	}
	return nil, &NoServerError{Docker: noEngine, Local: noRuntime}
}

// Hosts returns the contact points, each as host:port.
func (s *Server) Hosts() []string { return slices.Clone(s.hosts) }

// LogDir returns the folder of the server's logs, or "" when they are not on this machine's disk.
func (s *Server) LogDir() string { return s.origin.logDir() }

// LogTail returns up to the given number of last lines of the server's output and of its log, or "" when the server
// was not started here.
func (s *Server) LogTail(lines int) string { return s.origin.logTail(lines) }

// Close stops a server that this process alone uses, and gives up the share of one that it does not: the last to give
// up ends it. Further calls do nothing and return the first one's result.
func (s *Server) Close() error {
	s.close.Do(func() {
		if err := s.origin.release(); err != nil {
			s.closed = fmt.Errorf("cassandra: close: %w", err)
		}
	})
	return s.closed
}
