package cassandra

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocql/gocql"
)

const (
	askEvery    = 100 * time.Millisecond
	reportEvery = 10 * time.Second
)

// awaitAnswer returns when a server has answered a read. It returns an error when the context ends, or when alive, unless it
// is nil, reports that the server has ended.
func awaitAnswer(ctx context.Context, cfg Config, hosts []string, alive func() error) error {
	began := time.Now()
	reported := began
	for {
		version, err := serverVersion(ctx, hosts, cfg.Roles)
		if err == nil {
			cfg.logf("Cassandra %s answers at %v after %.1f s", version, hosts, time.Since(began).Seconds())
			return nil
		}
		if alive != nil {
			if ended := alive(); ended != nil {
				return ended
			}
		}
		if time.Since(reported) >= reportEvery {
			reported = time.Now()
			cfg.logf("no answer yet at %v after %.0f s", hosts, time.Since(began).Seconds())
		}
		if !pause(ctx, askEvery) {
			if errors.Is(ctx.Err(), context.Canceled) {
				return fmt.Errorf("no answer at %v before the wait was interrupted: %w", hosts, context.Cause(ctx))
			}
			return fmt.Errorf("no answer at %v within %.0f s: %w", hosts, time.Since(began).Seconds(), err)
		}
	}
}

// awaitWhole returns when a node of a cluster has answered a read of all nodes, so that it sees them up: the table has a
// replica on each of three.
func awaitWhole(ctx context.Context, host string, alive func() error) error {
	for {
		var name string
		err := queryValue(ctx, newCluster([]string{host}, false), gocql.All, "SELECT view_name FROM system_distributed.view_build_status LIMIT 1", &name)
		if err == nil {
			return nil
		}
		if ended := alive(); ended != nil {
			return ended
		}
		if !pause(ctx, askEvery) {
			return fmt.Errorf("%s does not see all nodes: %w", host, err)
		}
	}
}

// serverVersion reads the version of the server, which may check passwords.
func serverVersion(ctx context.Context, hosts []string, roles bool) (version string, err error) {
	err = queryValue(ctx, newCluster(hosts, roles), gocql.One, "SELECT release_version FROM system.local", &version)
	return version, err
}

// queryValue reads a value through a separate session that does not log to standard error. A missing row is not an error.
func queryValue(ctx context.Context, cluster *gocql.ClusterConfig, consistency gocql.Consistency, statement string, value any) error {
	cluster.Logger = quiet{}
	cluster.NumConns = 1
	cluster.Timeout = 5 * time.Second
	cluster.ConnectTimeout = 5 * time.Second
	cluster.DisableInitialHostLookup = true
	cluster.Consistency = consistency
	session, err := createSession(ctx, cluster)
	if err != nil {
		return err
	}
	defer session.Close()
	rows := session.Query(statement).WithContext(ctx).Iter()
	rows.Scan(value)
	return rows.Close()
}

// pause waits, and reports false if the context ended before.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// quiet is a logger of the driver that discards everything.
type quiet struct{}

func (quiet) Print(...any)          {}
func (quiet) Printf(string, ...any) {}
func (quiet) Println(...any)        {}
