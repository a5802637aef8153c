// Package program is the program that aml reconcile and aml fanout build around the package of a model: the methods that a model computes values with
// are Go code. The command embeds this file and compiles it as package main, in the module of the model, together with a file that
// opens its store. So this file imports only packages that a generated store imports, and packages of Go.
//
// The program reads a [Request] from its standard input and writes an [Event] for each step to its standard output, both as JSON. It
// ends when its standard input is closed.
package program

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Connection describes a session.
type Connection struct {
	Hosts      []string `json:"hosts"`
	Keyspace   string   `json:"keyspace"`    // "" for none
	User       string   `json:"user"`        // the role; "" for none
	Password   string   `json:"password"`    // the role's password
	DataCentre string   `json:"data_centre"` // the only one whose nodes receive requests; "" for all

	Timeout        time.Duration `json:"timeout"`         // limits a connection
	RequestTimeout time.Duration `json:"request_timeout"` // 0: the default

	TLS        bool   `json:"tls"`
	CA         string `json:"ca"`          // a PEM file; "" for the certificates of the system
	Cert       string `json:"cert"`        // a PEM file; "" for none
	Key        string `json:"key"`         // a PEM file with the private key of Cert
	ServerName string `json:"server_name"` // the name in the certificates of the nodes; "" for their addresses
	Insecure   bool   `json:"insecure"`    // the certificates of the nodes are not checked
}

// answerTimeout is the time limit for a request on a busy server, such as a schema change.
const answerTimeout = 30 * time.Second

// Cluster returns the configuration of the driver for one session: a policy that chooses nodes cannot be used by two.
func (n *Connection) Cluster() (*gocql.ClusterConfig, error) {
	cluster := gocql.NewCluster(n.Hosts...)
	cluster.Keyspace = n.Keyspace
	cluster.ProtoVersion = 4
	cluster.Consistency = gocql.LocalQuorum
	cluster.ConnectTimeout, cluster.Timeout = n.Timeout, max(n.Timeout, n.RequestTimeout, answerTimeout)
	cluster.WriteCoalesceWaitTime = 0
	cluster.Logger = silent{}
	if n.User != "" {
		cluster.Authenticator = gocql.PasswordAuthenticator{Username: n.User, Password: n.Password}
	}
	if n.DataCentre != "" {
		cluster.HostFilter = gocql.DataCentreHostFilter(n.DataCentre)
		cluster.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.DCAwareRoundRobinPolicy(n.DataCentre), gocql.ShuffleReplicas())
	}
	if !n.TLS {
		return cluster, nil
	}
	config, err := n.TLSConfig()
	if err != nil {
		return nil, err
	}
	cluster.SslOpts = &gocql.SslOptions{Config: config, EnableHostVerification: !n.Insecure}
	return cluster, nil
}

// CheckTLS returns an error if a file for TLS is missing or has no certificate or key.
func (n *Connection) CheckTLS() error {
	if !n.TLS {
		return nil
	}
	_, err := n.TLSConfig()
	return err
}

// TLSConfig reads the files for TLS. Errors do not contain their content.
func (n *Connection) TLSConfig() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: n.ServerName}
	c.InsecureSkipVerify = n.Insecure // [ssl] validate = false, of which the command warns
	if n.CA != "" {
		text, err := os.ReadFile(n.CA)
		if err != nil {
			return nil, fmt.Errorf("TLS: the certificates of the authority (-tls-ca): %w", err)
		}
		if c.RootCAs = x509.NewCertPool(); !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("TLS: %s has no certificate: give a PEM file with -----BEGIN CERTIFICATE-----", n.CA)
		}
	}
	switch {
	case n.Cert == "" && n.Key == "":
		return c, nil
	case n.Key == "":
		return nil, fmt.Errorf("TLS: the client certificate %s has no key: add -tls-key, or set CASSANDRA_TLS_KEY", n.Cert)
	case n.Cert == "":
		return nil, fmt.Errorf("TLS: the key %s has no client certificate: add -tls-cert, or set CASSANDRA_TLS_CERT", n.Key)
	}
	pair, err := n.keyPair()
	if err != nil {
		return nil, err
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}

// keyPair reads the client certificate and its key.
func (n *Connection) keyPair() (tls.Certificate, error) {
	cert, err := os.ReadFile(n.Cert)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("TLS: the client certificate (-tls-cert): %w", err)
	}
	key, err := os.ReadFile(n.Key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("TLS: the key of the client certificate (-tls-key): %w", err)
	}
	if strings.Contains(string(key), "ENCRYPTED") {
		return tls.Certificate{}, fmt.Errorf("TLS: the key %s is encrypted: write it without a passphrase, such as with openssl pkey, into a file that only this user can read", n.Key)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return pair, fmt.Errorf("TLS: the client certificate %s and the key %s: %w: give two PEM files that belong together", n.Cert, n.Key, err)
	}
	return pair, nil
}

// silent is a logger for the driver that drops everything: errors that matter are returned.
type silent struct{}

func (silent) Print(...any)          {}
func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// Request describes a run of the program. Without Refill, Restamp and FanOut it reconciles the store.
type Request struct {
	Connection  `json:"connection"`
	LocalSerial bool                     `json:"local_serial"` // mapper.Config.SerialConsistency is LOCAL_SERIAL
	TTL         map[string]time.Duration `json:"ttl"`          // mapper.Config.TTL

	DryRun   bool          `json:"dry_run"`
	Tables   []string      `json:"tables"`
	Grace    time.Duration `json:"grace"`
	Parallel int           `json:"parallel"`
	Rate     int           `json:"rate"`
	Job      string        `json:"job"`
	Slices   int           `json:"slices"`

	Refill  *Refill  `json:"refill"`
	Restamp *Restamp `json:"restamp"`

	FanOut bool `json:"fan_out"` // copies of fields follow them, by Parallel and Rate
	Follow bool `json:"follow"`  // FanOut goes on until the program is ended
}

// Refill empties a redundant table and writes it again.
type Refill struct {
	Table string `json:"table"`
	CQL   string `json:"cql"`  // the name of the table in a statement
	Root  string `json:"root"` // the table of its root, as in Roots
}

// Restamp writes a row of a root and its redundant rows again.
type Restamp struct {
	Table     string `json:"table"`
	Condition string `json:"condition"` // text after WHERE
	Above     int64  `json:"above"`     // microseconds since 1970; 0: none
}

// Event is one step of the program: one of the fields is set.
type Event struct {
	Found     *mapper.Drift           `json:"found,omitempty"`
	Progress  *Progress               `json:"progress,omitempty"`
	Rows      int64                   `json:"rows,omitempty"` // that a refill has read
	Report    *mapper.ReconcileReport `json:"report,omitempty"`
	FannedOut *FanOutProgress         `json:"fanned_out,omitempty"`
	Error     string                  `json:"error,omitempty"` // the program ends
}

// Progress is a mapper.ReconcileProgress.
type Progress struct {
	Table string `json:"table"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
	Rows  int64  `json:"rows"`
}

// FanOutProgress is a mapper.FanOutProgress.
type FanOutProgress struct {
	Served int64  `json:"served"`
	Failed int64  `json:"failed"`
	Err    string `json:"err"` // the error of the last attempt that has failed
}

// Store is the store of a model.
type Store struct {
	Reconcile func(context.Context, mapper.ReconcileConfig) (*mapper.ReconcileReport, error)
	FanOut    func(context.Context, mapper.FanOutConfig) error // nil: the model has no copies that follow other roots
	Roots     map[string]gen.Reconcilable                      // keys are names of tables; "Segment in runs" for a part in the table of its root
}

// Open opens the store of a model.
type Open func(context.Context, gocqlx.Session, mapper.Config) (*Store, error)

// Main runs the program and ends the process.
func Main(open Open) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, os.Stdin, os.Stdout, open)
	stop()
	os.Exit(code)
}

// Run reads a request from a stream, carries it out, and writes events to another stream. It returns the exit code.
func Run(ctx context.Context, in io.Reader, out io.Writer, open Open) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	j := &job{cancel: cancel, events: json.NewEncoder(out)}
	err := json.NewDecoder(in).Decode(&j.Request)
	if err == nil {
		go func() {
			_, _ = io.Copy(io.Discard, in) // returns when the command ends
			cancel()
		}()
		err = j.run(ctx, open)
	}
	if err != nil {
		j.emit(Event{Error: err.Error()})
		return 1
	}
	return 0
}

// job is a run of the program.
type job struct {
	Request

	cancel context.CancelFunc
	mu     sync.Mutex
	events *json.Encoder
}

func (j *job) emit(e Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.events.Encode(e); err != nil {
		j.cancel() // the command has ended
	}
}

func (j *job) run(ctx context.Context, open Open) error {
	session, err := j.session(ctx)
	if err != nil {
		return fmt.Errorf("cannot connect: %w", err)
	}
	defer session.Close()
	store, err := open(ctx, session, j.config())
	if err != nil {
		return err
	}
	switch {
	case j.Refill != nil:
		return j.refill(ctx, session, store)
	case j.FanOut:
		return store.FanOut(ctx, j.fanningOut())
	case j.Restamp != nil:
		return j.report(gen.Restamp(ctx, store.Roots[j.Restamp.Table], j.Restamp.Condition, j.Restamp.Above, j.found))
	}
	return j.report(store.Reconcile(ctx, j.reconciling()))
}

// session connects, unless the context ends first. The function of the driver takes no context.
func (j *job) session(ctx context.Context) (gocqlx.Session, error) {
	cluster, err := j.Cluster()
	if err != nil {
		return gocqlx.Session{}, err
	}
	if j.Refill != nil {
		cluster.Timeout = max(cluster.Timeout, truncateTimeout)
	}
	var session gocqlx.Session
	done := make(chan struct{})
	go func() {
		session, err = gocqlx.WrapSession(cluster.CreateSession())
		close(done)
	}()
	select {
	case <-done:
		return session, err
	case <-ctx.Done():
		return gocqlx.Session{}, ctx.Err()
	}
}

// truncateTimeout is longer than the time that a server waits for the other nodes before it refuses to empty a table.
const truncateTimeout = 2 * time.Minute

// config returns the configuration of the store, which logs warnings only.
func (j *job) config() mapper.Config {
	c := mapper.Config{TTL: j.TTL, Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	if j.LocalSerial {
		c.SerialConsistency = mapper.LocalSerial
	}
	return c
}

func (j *job) reconciling() mapper.ReconcileConfig {
	return mapper.ReconcileConfig{
		DryRun: j.DryRun, Tables: j.Tables, Grace: j.Grace, Parallel: j.Parallel, Rate: j.Rate, Job: j.Job, Slices: j.Slices,
		Found:    j.found,
		Progress: func(p mapper.ReconcileProgress) { j.emit(Event{Progress: (*Progress)(&p)}) },
	}
}

func (j *job) fanningOut() mapper.FanOutConfig {
	return mapper.FanOutConfig{Parallel: j.Parallel, Rate: j.Rate, Follow: j.Follow, Progress: func(p mapper.FanOutProgress) {
		now := FanOutProgress{Served: p.Served, Failed: p.Failed}
		if p.Err != nil {
			now.Err = p.Err.Error()
		}
		j.emit(Event{FannedOut: &now})
	}}
}

func (j *job) found(d mapper.Drift) { j.emit(Event{Found: &d}) }

func (j *job) report(r *mapper.ReconcileReport, err error) error {
	if err != nil {
		return err
	}
	j.emit(Event{Report: r})
	return nil
}

// refill empties the table and writes the rows that follow from the rows of its root.
func (j *job) refill(ctx context.Context, session gocqlx.Session, store *Store) error {
	if err := session.Session.Query("TRUNCATE " + j.Refill.CQL).WithContext(ctx).Exec(); err != nil {
		return fmt.Errorf("empty %s: %w", j.Refill.Table, err)
	}
	rows := int64(0)
	err := gen.Refill(ctx, store.Roots[j.Refill.Root], j.Refill.Table, func(n int) {
		rows += int64(n)
		j.emit(Event{Rows: rows})
	})
	if err != nil {
		return fmt.Errorf("%s is not complete: run the refill again: %w", j.Refill.Table, err)
	}
	return nil
}
