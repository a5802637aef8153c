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
// machine, no delay to collect writes ([gocql.ClusterConfig.WriteCoalesceWaitTime] is 0), and at most three seconds for
// schema agreement with a node that is down.
func (s *Server) Cluster() *gocql.ClusterConfig { return newCluster(s.hosts, s.roles) }

// newCluster returns a configuration for hosts. If they check passwords, it logs in as [Superuser].
func newCluster(hosts []string, roles bool) *gocql.ClusterConfig {
	cluster := gocql.NewCluster(hosts...)
	cluster.ProtoVersion = 4
	cluster.Consistency = gocql.LocalQuorum
	cluster.Timeout = 30 * time.Second
	cluster.ConnectTimeout = 10 * time.Second
	cluster.WriteCoalesceWaitTime = 0
	cluster.MaxWaitSchemaAgreement = 3 * time.Second
	if roles {
		cluster.Authenticator = gocql.PasswordAuthenticator{Username: Superuser, Password: Superuser}
	}
	return cluster
}

// sessionMade is called with each session of CreateSession, if it is not nil.
var sessionMade func(gocql.ClusterConfig, *gocql.Session) error

// OnSession calls a function with each session that this package creates from now on. Its error is the error of CreateSession. It must be
// called before the first test.
func OnSession(f func(gocql.ClusterConfig, *gocql.Session) error) { sessionMade = f }

// CreateSession returns a session, unless the context ends before. The function of the driver has no context.
func CreateSession(ctx context.Context, cluster *gocql.ClusterConfig) (*gocql.Session, error) {
	session, err := createSession(ctx, cluster)
	if err != nil || sessionMade == nil {
		return session, err
	}
	if err := sessionMade(*cluster, session); err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

func createSession(ctx context.Context, cluster *gocql.ClusterConfig) (*gocql.Session, error) {
	type made struct {
		session *gocql.Session
		err     error
	}
	done := make(chan made)
	go func() {
		session, err := cluster.CreateSession()
		select {
		case done <- made{session, err}:
		case <-ctx.Done():
			if err == nil {
				session.Close()
			}
		}
	}()
	select {
	case m := <-done:
		return m.session, m.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Keyspace returns a session in the keyspace, which it creates with one replica if it does not exist. The name has at most
// 48 letters, digits and underscores, and keeps its case. If the server does not keep its data, the keyspace has
// durable_writes = false: to drop a table, a server flushes all tables in its commit log. The caller closes the session.
func (s *Server) Keyspace(ctx context.Context, name string) (gocqlx.Session, error) {
	return openKeyspace(ctx, s.Cluster(), name, 1, s.durable)
}

// openKeyspace returns a session in a keyspace with the given number of replicas, which it creates if it does not exist.
func openKeyspace(ctx context.Context, cluster *gocql.ClusterConfig, name string, replicas int, durable bool) (gocqlx.Session, error) {
	if err := createKeyspace(ctx, cluster, name, replicas, durable); err != nil {
		return gocqlx.Session{}, fmt.Errorf("cassandra: create keyspace %s: %w", name, err)
	}
	cluster.Keyspace = name
	session, err := gocqlx.WrapSession(CreateSession(ctx, cluster))
	if err != nil {
		return gocqlx.Session{}, fmt.Errorf("cassandra: open keyspace %s: %w", name, err)
	}
	return session, nil
}

var keyspacePattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,48}$`)

// CheckKeyspace returns an error for an invalid name of a keyspace. It sends no request.
func CheckKeyspace(name string) error {
	if !keyspacePattern.MatchString(name) {
		return fmt.Errorf("%q is not 1 to 48 letters, digits and underscores", name)
	}
	return nil
}

func createKeyspace(ctx context.Context, cluster *gocql.ClusterConfig, name string, replicas int, durable bool) error {
	if err := CheckKeyspace(name); err != nil {
		return err
	}
	session, err := createSession(ctx, cluster)
	if err != nil {
		return err
	}
	defer session.Close()
	return session.Query(fmt.Sprintf(
		`CREATE KEYSPACE IF NOT EXISTS "%s" WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': %d} AND durable_writes = %t`,
		name, replicas, durable)).WithContext(ctx).Exec()
}
