package cassandra

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
)

// Cluster returns a new driver configuration for the server, without a keyspace: LOCAL_QUORUM, time-outs for a loaded
// machine, and no pause to collect writes ([gocql.ClusterConfig.WriteCoalesceWaitTime] is 0).
func (s *Server) Cluster() *gocql.ClusterConfig { return newCluster(s.hosts) }

func newCluster(hosts []string) *gocql.ClusterConfig {
	cluster := gocql.NewCluster(hosts...)
	cluster.ProtoVersion = 4
	cluster.Consistency = gocql.LocalQuorum
	cluster.Timeout = 30 * time.Second
	cluster.ConnectTimeout = 10 * time.Second
	cluster.WriteCoalesceWaitTime = 0
	return cluster
}

// Keyspace returns a session in the keyspace, which it creates with one replica if it is not there. The name has at
// most 48 letters, digits and underscores, and keeps its case. The caller closes the session.
func (s *Server) Keyspace(ctx context.Context, name string) (gocqlx.Session, error) {
	if err := s.createKeyspace(ctx, name); err != nil {
		return gocqlx.Session{}, fmt.Errorf("cassandra: create keyspace %s: %w", name, err)
	}
	cluster := s.Cluster()
	cluster.Keyspace = name
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	if err != nil {
		return gocqlx.Session{}, fmt.Errorf("cassandra: open keyspace %s: %w", name, err)
	}
	return session, nil
}

func (s *Server) createKeyspace(ctx context.Context, name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9_]{1,48}$`).MatchString(name) {
		return fmt.Errorf("%q is not 1 to 48 letters, digits and underscores", name)
	}
	session, err := s.Cluster().CreateSession()
	if err != nil {
		return err
	}
	defer session.Close()
	return session.Query(fmt.Sprintf(
		`CREATE KEYSPACE IF NOT EXISTS "%s" WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': 1}`,
		name)).WithContext(ctx).Exec()
}
