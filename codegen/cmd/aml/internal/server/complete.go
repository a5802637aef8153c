package server

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// complete sets the options that the command line does not have, from the environment and from the file of cqlsh, and checks the files
// for TLS. Without contact points there is no connection to describe: the command returns an error, or starts a server.
func (n *Connection) complete(c *cobra.Command) error {
	file := new(cqlshrc)
	if path := cmp.Or(n.cqlshrc, os.Getenv("CASSANDRA_CQLSHRC")); path != "" {
		var err error
		if file, err = readCqlshrc(path); err != nil {
			return err
		}
	}
	n.Keyspace = cmp.Or(n.Keyspace, n.keyspaceOf(c, file))
	hosts, err := file.contacts(cmp.Or(n.Hosts, os.Getenv("CASSANDRA_HOSTS"), file.host))
	if err != nil {
		return err
	}
	if n.Hosts = hosts; n.Hosts == "" {
		n.described = program.Connection{}
		return nil
	}
	if file.timeout > 0 && !c.Flags().Changed("timeout") {
		n.Timeout = file.timeout
	}
	d := &n.described
	d.RequestTimeout = file.request
	d.DataCentre = cmp.Or(d.DataCentre, os.Getenv("CASSANDRA_DC"))
	d.User = cmp.Or(d.User, os.Getenv("CASSANDRA_USER"), file.user)
	if d.Password = os.Getenv("CASSANDRA_PASSWORD"); d.Password == "" && d.User == file.user {
		d.Password = file.password
		warnReadable(c, file)
	}
	bad := []error{n.completeTLS(c, file)}
	if d.User != "" && d.Password == "" {
		bad = append(bad, fmt.Errorf("no password for the role %s: set CASSANDRA_PASSWORD", d.User))
	}
	return errors.Join(bad...)
}

// completeTLS sets the options for TLS, and checks their files. Without TLS, the files of [ssl] are not used, as in cqlsh.
func (n *Connection) completeTLS(c *cobra.Command, file *cqlshrc) error {
	d := &n.described
	d.CA = cmp.Or(d.CA, os.Getenv("CASSANDRA_TLS_CA"))
	d.Cert = cmp.Or(d.Cert, os.Getenv("CASSANDRA_TLS_CERT"))
	d.Key = cmp.Or(d.Key, os.Getenv("CASSANDRA_TLS_KEY"))
	d.ServerName = cmp.Or(d.ServerName, os.Getenv("CASSANDRA_TLS_SERVER_NAME"))
	if d.TLS = file.tls || cmp.Or(d.CA, d.Cert, d.Key, d.ServerName) != ""; !d.TLS {
		if file.describesTLS() && !file.decided {
			fmt.Fprintf(c.ErrOrStderr(), "warning: cqlshrc %s: [ssl] and [certfiles] have no effect, and the connection is not encrypted: add ssl = true to [connection], or ssl = false if this is intended\n", file.path)
		}
		return nil
	}
	if d.Insecure = file.insecure && cmp.Or(d.CA, d.ServerName) == ""; d.Insecure {
		fmt.Fprintln(c.ErrOrStderr(), "warning: [ssl] validate = false: the certificates of the nodes are not checked")
	}
	if d.CA == "" && !d.Insecure {
		ca, err := file.authority(n.Hosts)
		if err != nil {
			return err
		}
		d.CA = ca
	}
	d.Cert, d.Key = cmp.Or(d.Cert, file.cert), cmp.Or(d.Key, file.key)
	return errors.Join(absolute(&d.CA, &d.Cert, &d.Key), d.CheckTLS())
}

// warnReadable prints a warning if other users can read the password of the file.
func warnReadable(c *cobra.Command, file *cqlshrc) {
	if file.password == "" || runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(file.passwordFile); err == nil && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %s has a password, and other users can read it: chmod 600 %[1]s\n", file.passwordFile)
	}
}

// keyspaceOf returns the keyspace of the file for a command with -keyspace.
func (n *Connection) keyspaceOf(c *cobra.Command, file *cqlshrc) string {
	if c.Flags().Lookup("keyspace") == nil {
		return ""
	}
	return file.keyspace
}

// absolute makes paths absolute, because the program of aml reconcile can run in another folder.
func absolute(paths ...*string) error {
	for _, p := range paths {
		if *p == "" {
			continue
		}
		full, err := filepath.Abs(*p)
		if err != nil {
			return err
		}
		*p = full
	}
	return nil
}

// remedies are the ends of messages about TLS and roles by a part of the error. The driver returns the errors of connections as text.
var remedies = []struct{ part, remedy string }{
	{"certificate signed by unknown authority", "give the certificate of the authority that has signed the certificates of the nodes (-tls-ca)"},
	{"x509: certificate is valid for", "give a name that is in the certificate (-tls-server-name)"},
	{"x509: cannot validate certificate for", "the certificate has no addresses: give a name that is in it (-tls-server-name)"},
	{"x509: certificate is not valid for any names", "the certificate has no name: issue one with the name or the address of the node"},
	{"x509: certificate has expired", "renew the certificate of the node, or correct the clock of this machine"},
	{"first record does not look like a TLS handshake", "the port has no TLS"},
	{"protocol version", "the server needs TLS 1.2 or later"},
	{"authentication required", "give a role (-user, CASSANDRA_USER) and its password (CASSANDRA_PASSWORD)"},
	{"remote error: tls:", "the server refuses the client certificate, or the lack of one: give one that its truststore accepts, and that has not expired (-tls-cert, -tls-key)"},
}

// remedy returns the end of a message about a connection that failed; "" if there is nothing to add.
func remedy(d *program.Connection, err error) string {
	for _, r := range remedies {
		if strings.Contains(err.Error(), r.part) {
			return ": " + r.remedy
		}
	}
	ended := strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), "connection reset by peer")
	if !d.TLS && ended { // a node that expects TLS resets the connection
		return ": if the port needs TLS, add -tls-ca, or set CASSANDRA_TLS_CA"
	}
	return ""
}
