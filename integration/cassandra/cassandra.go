package cassandra

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

// release returns the version of Cassandra for the second and third way.
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

// isBefore reports whether a version of Cassandra is older than the version first, which is a major and a minor number: 4.1.10 is before
// 5.0, and 5.0-rc1 is not.
func isBefore(version, first string) bool {
	a, b := majorMinor(version), majorMinor(first)
	return slices.Compare(a[:], b[:]) < 0
}

// majorMinor returns the first two numbers of a version: 5.0-rc1 => 5, 0.
func majorMinor(version string) (out [2]int) {
	version, _, _ = strings.Cut(version, "-")
	for i, n := range strings.SplitN(version, ".", 3)[:2] {
		out[i], _ = strconv.Atoi(n) // releasePattern has only digits here
	}
	return out
}

// Config is the configuration of a server. The zero value works.
type Config struct {
	// Log receives a line for each step of the start; nil for no output.
	Log io.Writer
	// Timeout limits the start: the download, the launch and the wait for an answer. Zero means three minutes.
	Timeout time.Duration
	// StateDir is the folder of a server that runs as a process; only processes with the same folder share it. Empty means
	// the common folder of all processes of the user.
	StateDir string
	// Keep keeps the data for the next server that is started with Keep. A server that runs as a process has it in
	// [os.UserCacheDir]/cassaml, or in StateDir; a container has it in a volume. It has no effect on CASSANDRA_HOSTS.
	Keep bool
	// Optimize lets the server that runs as a process compile its code as a server in production does. It starts more
	// slowly. Use it for measurements.
	Optimize bool
	// Roles lets the server check passwords and permissions, with PasswordAuthenticator and CassandraAuthorizer. It runs as a process even
	// if CASSANDRA_HOSTS is set, because a test must not change the roles of others. Sessions of [Server] have the role [Superuser].
	Roles bool
	// Clocks is how far the clocks of the nodes of a cluster are ahead of the clock of the machine; nil: they are right. The nodes run as
	// processes, and the JDK must have javac and jar.
	Clocks []time.Duration
}

// Superuser is the role that a new server with [Config].Roles has, and its password.
const Superuser = "cassandra"

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

// Server is a running Cassandra, or this process's share of one. Its methods can be called from several goroutines.
type Server struct {
	hosts   []string
	durable bool // the data of its keyspaces is kept after the process ends
	roles   bool // it checks passwords
	origin  origin
	close   sync.Once
	closed  error
}

// origin is the way in which a server was started.
type origin interface {
	// logDir is the folder of the server's logs, or empty if they are not on this machine's disk.
	logDir() string
	// logTail returns the end of the server's output and log.
	logTail(lines int) string
	// keepLogs sets whether the logs are kept after the end of the server. If the process is killed, the last value is used.
	keepLogs(keep bool)
	// release stops the server or releases the share.
	release() error
}

// Start returns a server that has answered a CQL read. It uses the first way that works, see the documentation of the
// package. [*NoServerError] means that no way is available, [*StartError] that a server was started and did not answer. The
// context limits the start only, not the time that the server runs.
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
	if cfg.Roles {
		local, err := findLocal(ctx, cfg)
		if err != nil {
			return nil, &NoClusterError{Local: err}
		}
		return local.start(ctx)
	}
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

// LogDir returns the folder of the server's logs, or "" if they are not on this machine's disk.
func (s *Server) LogDir() string { return s.origin.logDir() }

// LogTail returns up to the given number of last lines of the server's output and of its log, or "" if the server was not
// started here.
func (s *Server) LogTail(lines int) string { return s.origin.logTail(lines) }

// Close stops a server that only this process uses, and releases the share of a shared one, which stops when its last user
// has released it. Further calls do nothing and return the result of the first.
func (s *Server) Close() error {
	s.close.Do(func() {
		if err := s.origin.release(); err != nil {
			s.closed = fmt.Errorf("cassandra: close: %w", err)
		}
	})
	return s.closed
}
