package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/systemschema"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// Connection is the server that a command connects to, and its keyspace. An option of the command line overrides an
// environment variable, and this overrides the file of -cqlshrc.
type Connection struct {
	Hosts    string // host[:port],…
	Keyspace string
	Timeout  time.Duration

	cqlshrc   string
	described program.Connection // has no hosts, keyspace and time limit
}

// AddOptions adds the flags of a connection to a command. They are complete when the command runs.
func (n *Connection) AddOptions(c *cobra.Command) {
	f, d := c.Flags(), &n.described
	f.StringVar(&n.Hosts, "hosts", "", "contact points, host[:port],…; by default CASSANDRA_HOSTS")
	f.StringVar(&d.User, "user", "", "the role to log in with, by default CASSANDRA_USER; its password is in CASSANDRA_PASSWORD")
	f.DurationVar(&n.Timeout, "timeout", defaultTimeout, "the time limit for a connection")
	f.StringVar(&n.cqlshrc, "cqlshrc", "", "the file of cqlsh, for values that neither an option nor a variable sets, by default CASSANDRA_CQLSHRC")
	f.StringVar(&d.DataCentre, "dc", "", "send requests only to nodes of this data centre, by default CASSANDRA_DC")
	f.StringVar(&d.CA, "tls-ca", "", "connect with TLS, and trust the certificates in this PEM file, by default CASSANDRA_TLS_CA; without a file, those of the system")
	f.StringVar(&d.Cert, "tls-cert", "", "connect with TLS, and this client certificate (PEM), by default CASSANDRA_TLS_CERT")
	f.StringVar(&d.Key, "tls-key", "", "the private key of -tls-cert (PEM), by default CASSANDRA_TLS_KEY")
	f.StringVar(&d.ServerName, "tls-server-name", "", "connect with TLS, and expect this name in the certificates of the nodes instead of their addresses, by default CASSANDRA_TLS_SERVER_NAME")
	c.PreRunE = func(c *cobra.Command, _ []string) error { return n.complete(c) }
}

const defaultTimeout = 10 * time.Second

// AddKeyspaceOption adds the flag for the keyspace.
func (n *Connection) AddKeyspaceOption(c *cobra.Command) {
	c.Flags().StringVar(&n.Keyspace, "keyspace", "", "the keyspace, with its case as it is stored")
}

// Contacts returns the contact points. Without any it returns an error.
func (n *Connection) Contacts() ([]string, error) {
	hosts := splitHosts(n.Hosts)
	if len(hosts) == 0 {
		return nil, errNoContacts
	}
	return hosts, nil
}

var errNoContacts = errors.New("no contact points: add -hosts host[:port],… or set CASSANDRA_HOSTS")

// splitHosts returns the elements of a list of contact points.
func splitHosts(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// optionNames are the names of the flags of a connection.
var optionNames = []string{"hosts", "user", "timeout", "cqlshrc", "dc", "tls-ca", "tls-cert", "tls-key", "tls-server-name"}

// Given returns the names of the flags of a connection that the command line has.
func Given(c *cobra.Command) []string {
	var names []string
	for _, name := range optionNames {
		if c.Flags().Changed(name) {
			names = append(names, name)
		}
	}
	return names
}

// NeedsServer returns an error if the command line describes a connection, but there are no contact points. Without a description, a command can
// start a server.
func (n *Connection) NeedsServer(c *cobra.Command) error {
	for _, name := range Given(c) {
		if name != "timeout" && n.Hosts == "" {
			return fmt.Errorf("-%s: %w", name, errNoContacts)
		}
	}
	return nil
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
	session, err := Connect(ctx, n.Describe(hosts, keyspace), nil)
	return gocqlx.WrapSession(session, err)
}

// Describe returns the connection in the form that the program of aml reconcile reads.
func (n *Connection) Describe(hosts []string, keyspace string) *program.Connection {
	d := n.described
	d.Hosts, d.Keyspace, d.Timeout = hosts, keyspace, n.Timeout
	return &d
}

// Connect returns a session, or an error with the reason why there is none. configure changes the configuration of the driver; nil: not at
// all.
func Connect(ctx context.Context, d *program.Connection, configure func(*gocql.ClusterConfig)) (*gocql.Session, error) {
	cluster, err := d.Cluster()
	if err != nil {
		return nil, err
	}
	if configure != nil {
		configure(cluster)
	}
	session, err := cassandra.CreateSession(ctx, cluster)
	if err != nil {
		return nil, connectError(ctx, d, err)
	}
	return session, nil
}

// connectError returns an error with the reason why there is no session. For a missing keyspace, and for a data centre without nodes, the
// driver only reports that it could not connect.
func connectError(ctx context.Context, d *program.Connection, err error) error {
	if reason := checkNames(ctx, d, err); reason != nil {
		return reason
	}
	if reason := refusal(ctx, d, err); reason != nil {
		err = reason
	}
	return fmt.Errorf("cannot connect to %s: %w%s", strings.Join(d.Hosts, ","), err, remedy(d, err))
}

// checkNames returns an error if the servers do not have the data centre or the keyspace of a connection, or if the connection has failed
// because no contact point is in the data centre. It returns nil if no server answers.
func checkNames(ctx context.Context, d *program.Connection, failed error) error {
	if d.Keyspace == "" && d.DataCentre == "" {
		return nil
	}
	open := *d
	open.Keyspace, open.DataCentre = "", ""
	session, err := Connect(ctx, &open, nil)
	if err != nil {
		return nil // the caller has the error of the first attempt
	}
	defer session.Close()
	if d.DataCentre != "" {
		nodes, _, err := systemschema.Nodes(ctx, gocqldriver.New(gocqlx.NewSession(session)), driver.Reread)
		if err == nil {
			err = checkDataCentre(nodes, d, failed)
		}
		if err != nil {
			return err
		}
	}
	if _, err := session.KeyspaceMetadata(d.Keyspace); d.Keyspace != "" && errors.Is(err, gocql.ErrKeyspaceDoesNotExist) {
		return fmt.Errorf("%s has no keyspace %s: create it first with the replication that it needs (names are case-sensitive)", strings.Join(d.Hosts, ","), d.Keyspace)
	}
	return nil
}

// checkDataCentre returns an error if no node is in the data centre of a connection, or if the connection has failed because no contact point
// is: the driver refuses a contact point of another data centre.
func checkDataCentre(nodes []systemschema.Node, d *program.Connection, failed error) error {
	var names []string
	for _, n := range nodes {
		switch {
		case n.DataCentre != d.DataCentre:
			names = append(names, n.DataCentre)
		case strings.Contains(failed.Error(), "host was filtered"):
			return fmt.Errorf("no contact point of %s is in data centre %s: add one of its nodes to -hosts or CASSANDRA_HOSTS, such as %s", strings.Join(d.Hosts, ","), d.DataCentre, n.Client)
		default:
			return nil
		}
	}
	slices.Sort(names)
	return fmt.Errorf("data centre %s has no node: set -dc or CASSANDRA_DC to one of %s (names are case-sensitive)", d.DataCentre, strings.Join(slices.Compact(names), ", "))
}
