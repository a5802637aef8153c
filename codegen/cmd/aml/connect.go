package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/integration/cassandra"
)

// connection is the server that a command connects to, and its keyspace.
type connection struct {
	hosts    string
	keyspace string
	user     string
	timeout  time.Duration
}

// options adds the flags of a connection to a command.
func (n *connection) options(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&n.hosts, "hosts", "", "contact points, host[:port],…; by default CASSANDRA_HOSTS")
	f.StringVar(&n.user, "user", "", "the role to log in with; its password is in CASSANDRA_PASSWORD")
	f.DurationVar(&n.timeout, "timeout", 10*time.Second, "the time limit for a connection")
}

// keyspaceOption adds the flag for the keyspace.
func (n *connection) keyspaceOption(c *cobra.Command) {
	c.Flags().StringVar(&n.keyspace, "keyspace", "", "the keyspace, with its case as it is stored")
}

// contacts returns the contact points. Without any it returns an error.
func (n *connection) contacts() ([]string, error) {
	list := n.hosts
	if list == "" {
		list = os.Getenv("CASSANDRA_HOSTS")
	}
	hosts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	if len(hosts) == 0 {
		return nil, errors.New("no contact points: add -hosts host[:port],… or set CASSANDRA_HOSTS")
	}
	return hosts, nil
}

// needKeyspace returns an error for a command line without a keyspace.
func (n *connection) needKeyspace() error {
	if n.keyspace == "" {
		return errors.New("no keyspace: add -keyspace NAME")
	}
	return nil
}

// needTimeout returns an error for a timeout that is not positive.
func (n *connection) needTimeout() error {
	if n.timeout <= 0 {
		return fmt.Errorf("-timeout %v: the time limit must be positive, such as 10s", n.timeout)
	}
	return nil
}

// open connects to a keyspace, or for "" to none.
func (n *connection) open(ctx context.Context, keyspace string) (gocqlx.Session, error) {
	if err := n.needTimeout(); err != nil {
		return gocqlx.Session{}, err
	}
	hosts, err := n.contacts()
	if err != nil {
		return gocqlx.Session{}, err
	}
	cluster := n.described(hosts, keyspace).Cluster()
	session, err := cassandra.CreateSession(ctx, cluster)
	if err != nil {
		return gocqlx.Session{}, refusal(ctx, cluster, err)
	}
	return gocqlx.WrapSession(session, nil)
}

// described returns the connection in the form that the program of aml reconcile reads.
func (n *connection) described(hosts []string, keyspace string) *program.Connection {
	return &program.Connection{Hosts: hosts, Keyspace: keyspace, User: n.user, Timeout: n.timeout}
}

// refusal returns the reason why there is no session. For a missing keyspace, the driver only reports that it could not
// connect.
func refusal(ctx context.Context, cluster *gocql.ClusterConfig, err error) error {
	hosts, keyspace := strings.Join(cluster.Hosts, ","), cluster.Keyspace
	if keyspace != "" && errors.Is(err, gocql.ErrNoConnectionsStarted) {
		cluster.Keyspace = ""
		if session, err := cassandra.CreateSession(ctx, cluster); err == nil {
			defer session.Close()
			if _, err := session.KeyspaceMetadata(keyspace); errors.Is(err, gocql.ErrKeyspaceDoesNotExist) {
				return fmt.Errorf("%s has no keyspace %s: create it first with the replication that it needs (names are case-sensitive)", hosts, keyspace)
			}
		}
	}
	return fmt.Errorf("cannot connect to %s: %w", hosts, err)
}
