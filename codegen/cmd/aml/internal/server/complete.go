package server

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
)

// complete sets what the command line does not have, from the environment and from the file of cqlsh, and checks the files for TLS.
func (n *Connection) complete(c *cobra.Command) error {
	file := new(cqlshrc)
	if path := cmp.Or(n.cqlshrc, os.Getenv("CASSANDRA_CQLSHRC")); path != "" {
		var err error
		if file, err = readCqlshrc(path); err != nil {
			return err
		}
	}
	d := &n.described
	n.Hosts = cmp.Or(n.Hosts, os.Getenv("CASSANDRA_HOSTS"), file.hosts)
	n.Keyspace = cmp.Or(n.Keyspace, n.keyspaceOf(c, file))
	if file.timeout > 0 && !c.Flags().Changed("timeout") {
		n.Timeout = file.timeout
	}
	d.RequestTimeout = file.request
	d.DataCentre = cmp.Or(d.DataCentre, os.Getenv("CASSANDRA_DC"))
	d.User = cmp.Or(d.User, os.Getenv("CASSANDRA_USER"), file.user)
	if d.Password = os.Getenv("CASSANDRA_PASSWORD"); d.Password == "" && d.User == file.user {
		d.Password = file.password
	}
	d.CA = cmp.Or(d.CA, os.Getenv("CASSANDRA_TLS_CA"), file.ca)
	own := cmp.Or(d.Cert, d.Key, os.Getenv("CASSANDRA_TLS_CERT"), os.Getenv("CASSANDRA_TLS_KEY"))
	d.Cert = cmp.Or(d.Cert, os.Getenv("CASSANDRA_TLS_CERT"))
	d.Key = cmp.Or(d.Key, os.Getenv("CASSANDRA_TLS_KEY"))
	if own == "" { // a certificate and its key are from the same place
		d.Cert, d.Key = file.cert, file.key
	}
	d.ServerName = cmp.Or(d.ServerName, os.Getenv("CASSANDRA_TLS_SERVER_NAME"))
	d.TLS = file.tls || cmp.Or(d.CA, d.Cert, d.Key, d.ServerName) != ""
	if d.Insecure = d.TLS && file.insecure; d.Insecure {
		fmt.Fprintln(c.ErrOrStderr(), "warning: [ssl] validate = false: the certificates of the nodes are not checked")
	}
	return errors.Join(absolute(&d.CA, &d.Cert, &d.Key), d.CheckTLS())
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

// tlsRemedy returns what to do about an error of TLS; "" for any other error.
func tlsRemedy(d *program.Connection, err error) string {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	var network *net.OpError
	switch {
	case errors.As(err, &authority):
		return ": give the certificate of the authority that has signed the certificates of the nodes (-tls-ca)"
	case errors.As(err, &name):
		return ": give a name that is in the certificate (-tls-server-name)"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return ": renew the certificate of the node"
	case errors.As(err, &record):
		return ": the port has no TLS"
	case errors.As(err, &alert), errors.As(err, &network) && network.Op == "remote error":
		return ": the server refuses the client certificate: give one that its truststore accepts, and that has not expired (-tls-cert, -tls-key)"
	}
	if !d.TLS {
		return ""
	}
	return ""
}
