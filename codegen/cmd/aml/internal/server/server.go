package server

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

// Connection is the server that a command connects to, and its keyspace.
type Connection struct {
	Hosts    string // "" for CASSANDRA_HOSTS
	Keyspace string
	Timeout  time.Duration

	user string
}

// AddOptions adds the flags of a connection to a command.
func (n *Connection) AddOptions(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&n.Hosts, "hosts", "", "contact points, host[:port],…; by default CASSANDRA_HOSTS")
	f.StringVar(&n.user, "user", "", "the role to log in with; its password is in CASSANDRA_PASSWORD")
	f.DurationVar(&n.Timeout, "timeout", 10*time.Second, "the time limit for a connection")
}

// AddKeyspaceOption adds the flag for the keyspace.
func (n *Connection) AddKeyspaceOption(c *cobra.Command) {
	c.Flags().StringVar(&n.Keyspace, "keyspace", "", "the keyspace, with its case as it is stored")
}

// Contacts returns the contact points. Without any it returns an error.
func (n *Connection) Contacts() ([]string, error) {
	list := n.Hosts
	if list == "" {
		list = os.Getenv("CASSANDRA_HOSTS")
	}
	hosts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	if len(hosts) == 0 {
		return nil, errors.New("no contact points: add -hosts host[:port],… or set CASSANDRA_HOSTS")
	}
	return hosts, nil
}

// CheckKeyspace returns an error for a command line without a keyspace.
func (n *Connection) CheckKeyspace() error {
	if n.Keyspace == "" {
		return errors.New("no keyspace: add -keyspace NAME")
	}
	return nil
}

// CheckTimeout returns an error for a timeout that is not positive.
func (n *Connection) CheckTimeout() error {
	if n.Timeout <= 0 {
		return fmt.Errorf("-timeout %v: the time limit must be positive, such as 10s", n.Timeout)
	}
	return nil
}

// Open connects to a keyspace, or for "" to none.
func (n *Connection) Open(ctx context.Context, keyspace string) (gocqlx.Session, error) {
	if err := n.CheckTimeout(); err != nil {
		return gocqlx.Session{}, err
	}
	hosts, err := n.Contacts()
	if err != nil {
		return gocqlx.Session{}, err
	}
	cluster := n.Describe(hosts, keyspace).Cluster()
	session, err := cassandra.CreateSession(ctx, cluster)
	if err != nil {
		return gocqlx.Session{}, ConnectError(ctx, cluster, err)
	}
	return gocqlx.WrapSession(session, nil)
}

// Describe returns the connection in the form that the program of aml reconcile reads.
func (n *Connection) Describe(hosts []string, keyspace string) *program.Connection {
	return &program.Connection{Hosts: hosts, Keyspace: keyspace, User: n.user, Timeout: n.Timeout}
}

// ConnectError returns an error with the reason why there is no session. For a missing keyspace, the driver only reports that it could not
// connect.
func ConnectError(ctx context.Context, cluster *gocql.ClusterConfig, err error) error {
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
