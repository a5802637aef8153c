package server

import (
	"bytes"
	"crypto/tls"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/cmd/aml/internal/program"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/internal/systemschema"
)

// options are the flags of a connection, their variables, and lines of a file of cqlsh, in which X is the value.
var options = []struct{ flag, variable, file string }{
	{"hosts", "CASSANDRA_HOSTS", "[connection]\nhostname = X"},
	{"user", "CASSANDRA_USER", "[authentication]\nusername = X\npassword = p"},
	{"dc", "CASSANDRA_DC", ""},
	{"tls-ca", "CASSANDRA_TLS_CA", "[ssl]\ncertfile = X"},
	{"tls-cert", "CASSANDRA_TLS_CERT", "[ssl]\nusercert = X"},
	{"tls-key", "CASSANDRA_TLS_KEY", "[ssl]\nuserkey = X"},
	{"tls-server-name", "CASSANDRA_TLS_SERVER_NAME", ""},
}

// values returns the values of the options of a connection.
func values(n *Connection) map[string]string {
	d := n.Describe(nil, "")
	return map[string]string{"hosts": n.Hosts, "user": d.User, "dc": d.DataCentre, "tls-ca": d.CA, "tls-cert": d.Cert, "tls-key": d.Key, "tls-server-name": d.ServerName}
}

// completed returns the connection of a command line, and what the command has written to its standard error.
func completed(t *testing.T, env map[string]string, args ...string) (n *Connection, stderr string, err error) {
	t.Helper()
	for _, o := range options {
		t.Setenv(o.variable, env[o.variable])
	}
	t.Setenv("CASSANDRA_PASSWORD", env["CASSANDRA_PASSWORD"])
	t.Setenv("CASSANDRA_CQLSHRC", env["CASSANDRA_CQLSHRC"])
	n = &Connection{}
	c := &cobra.Command{Use: "command", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return nil }}
	n.AddOptions(c)
	n.AddKeyspaceOption(c)
	var out bytes.Buffer
	c.SetErr(&out)
	c.SetArgs(args)
	err = c.Execute()
	return n, out.String(), err
}

// places returns the values of each option by place: a flag, a variable and a file. The values are files with certificates, so that TLS accepts them.
func places(t *testing.T) (flags, env, file map[string]string) {
	t.Helper()
	out := make([]map[string]string, 3)
	for i, name := range []string{"flag", "variable", "file"} {
		dir := filepath.Join(t.TempDir(), name)
		authority, err := cassandra.NewAuthority(dir)
		require.NoError(t, err)
		require.NoError(t, authority.Issue(dir, "client", time.Now().AddDate(1, 0, 0)))
		out[i] = map[string]string{"hosts": "127.0.0.1", "user": name, "dc": name, "tls-server-name": name,
			"tls-ca": authority.CA(), "tls-cert": filepath.Join(dir, "client.pem"), "tls-key": filepath.Join(dir, "client.key")}
	}
	out[1]["hosts"], out[2]["hosts"] = "127.0.0.2", "127.0.0.3"
	return out[0], out[1], out[2]
}

// Each option has the value of its flag, otherwise of its variable, otherwise of the file.
func TestOptionsBeforeVariablesBeforeTheFile(t *testing.T) {
	flags, variables, file := places(t)
	env := map[string]string{"CASSANDRA_PASSWORD": "p"}
	text := "[connection]\nssl = true\n"
	var all []string
	for _, o := range options {
		env[o.variable] = variables[o.flag]
		text += strings.ReplaceAll(o.file, "X", file[o.flag]) + "\n"
		all = append(all, "--"+o.flag, flags[o.flag])
	}
	rc := []string{"--cqlshrc", write(t, text)}

	n, _, err := completed(t, env, append(all, rc...)...)
	require.NoError(t, err)
	require.Equal(t, flags, values(n))
	n, _, err = completed(t, env, rc...)
	require.NoError(t, err)
	require.Equal(t, variables, values(n))
	n, _, err = completed(t, nil, rc...)
	require.NoError(t, err)
	file["dc"], file["tls-server-name"] = "", "" // have no key in the file
	require.Equal(t, file, values(n))
	n, _, err = completed(t, map[string]string{"CASSANDRA_CQLSHRC": rc[1]})
	require.NoError(t, err)
	require.Equal(t, file, values(n))
}

// The password of the file is not sent for another user.
func TestPasswordOfCqlshrc(t *testing.T) {
	rc := write(t, "[connection]\nhostname = db\n[authentication]\nusername = ana\npassword = secret\n")
	n, _, err := completed(t, nil, "--cqlshrc", rc)
	require.NoError(t, err)
	require.Equal(t, "secret", n.described.Password)
	n, _, err = completed(t, map[string]string{"CASSANDRA_PASSWORD": "other"}, "--cqlshrc", rc)
	require.NoError(t, err)
	require.Equal(t, "other", n.described.Password)
	n, _, err = completed(t, nil, "--cqlshrc", rc, "--user", "rui")
	require.EqualError(t, err, "no password for the role rui: set CASSANDRA_PASSWORD")
	require.Empty(t, n.described.Password)
}

// A warning names the file whose password other users can read, and is printed only if the password is used.
func TestReadablePasswords(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no permissions for other users")
	}
	open := func(text string) string {
		path := write(t, text)
		require.NoError(t, os.Chmod(path, 0o640))
		return path
	}
	const own, legacy, authentication = "[PlainTextAuthProvider]\nusername = a\npassword = p\n", "[plain_text_auth]\nusername = a\npassword = p\n", "[authentication]\nusername = a\n"
	credentials := open(own)
	for _, test := range []struct{ rc, warned string }{
		{open(authentication + "password = p\n"), "rc"},
		{write(t, authentication+"password = p\n"), ""},
		{open(authentication), ""},
		{write(t, authentication+"credentials = "+credentials), credentials},
		{open(authentication + "password = p\ncredentials = " + credentials), "rc"},
		{open(authentication + "password = p\ncredentials = " + write(t, own)), "rc"},
		{open(authentication + "password = p\ncredentials = " + write(t, legacy)), ""},
		{open(authentication + "credentials = " + write(t, own)), ""},
		{open("[auth_provider]\nusername = a\npassword = p\n"), "rc"},
	} {
		if test.warned == "rc" {
			test.warned = test.rc
		}
		want := "warning: " + test.warned + " has a password, and other users can read it: chmod 600 " + test.warned + "\n"
		if test.warned == "" {
			want = ""
		}
		_, stderr, _ := completed(t, nil, "--hosts", "db", "--cqlshrc", test.rc)
		require.Equal(t, want, stderr)
		_, stderr, err := completed(t, map[string]string{"CASSANDRA_PASSWORD": "p"}, "--hosts", "db", "--cqlshrc", test.rc)
		require.NoError(t, err)
		require.Empty(t, stderr)
	}
}

// The files for TLS are read before a connection is made, and a client certificate is used with its key only.
func TestFilesOfTLS(t *testing.T) {
	flags, _, _ := places(t)
	for want, args := range map[string][]string{
		"TLS: the certificates of the authority (-tls-ca): open /none: no such file or directory":                   {"--tls-ca", "/none"},
		"TLS: " + flags["tls-key"] + " has no certificate: give a PEM file with -----BEGIN CERTIFICATE-----":        {"--tls-ca", flags["tls-key"]},
		"TLS: the client certificate " + flags["tls-cert"] + " has no key: add -tls-key, or set CASSANDRA_TLS_KEY":  {"--tls-cert", flags["tls-cert"]},
		"TLS: the key " + flags["tls-key"] + " has no client certificate: add -tls-cert, or set CASSANDRA_TLS_CERT": {"--tls-key", flags["tls-key"]},
		"TLS: the key of the client certificate (-tls-key): open /none: no such file or directory":                  {"--tls-cert", flags["tls-cert"], "--tls-key", "/none"},
	} {
		_, _, err := completed(t, nil, append(args, "--hosts", "db")...)
		require.EqualError(t, err, want)
	}
	encrypted := write(t, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n")
	_, _, err := completed(t, nil, "--hosts", "db", "--tls-cert", flags["tls-cert"], "--tls-key", encrypted)
	require.ErrorContains(t, err, "TLS: the key "+encrypted+" is encrypted: write it without a passphrase")
	n, _, err := completed(t, map[string]string{"CASSANDRA_PASSWORD": "p"}, "--hosts", "db", "--user", "ana", "--tls-ca", flags["tls-ca"], "--tls-cert", flags["tls-cert"], "--tls-key", flags["tls-key"], "--tls-server-name", "name")
	require.NoError(t, err)
	cluster, err := n.Describe([]string{"127.0.0.1"}, "").Cluster()
	require.NoError(t, err)
	require.Len(t, cluster.SslOpts.Certificates, 1)
	require.NotNil(t, cluster.SslOpts.RootCAs)
	require.Equal(t, "name", cluster.SslOpts.ServerName)
	require.True(t, cluster.SslOpts.EnableHostVerification)
	require.Equal(t, gocql.PasswordAuthenticator{Username: "ana", Password: "p"}, cluster.Authenticator)
}

// The reason why a server ends a connection is asked only of a server with TLS.
func TestRefusalWithoutTLS(t *testing.T) {
	d := &program.Connection{Hosts: []string{"127.0.0.1:1"}, Timeout: time.Minute}
	require.NoError(t, refusal(t.Context(), d, errors.New("EOF")))
	d.TLS = true
	require.NoError(t, refusal(t.Context(), d, errors.New("another")))
	require.ErrorContains(t, refusal(t.Context(), d, errors.New("EOF")), "127.0.0.1:1: connect: connection refused")
}

// If the file describes TLS, but does not decide whether a connection has it, a warning is printed: cqlsh has an option for it.
func TestConnectionsThatAreNotEncrypted(t *testing.T) {
	for text, warned := range map[string]bool{
		"[ssl]\ncertfile = none": true, "[ssl]\nusercert = none": true, "[ssl]\nuserkey = none": true, "[ssl]\nvalidate = false": true, "[certfiles]\ndb = none": true,
		"[ssl]\nvalidate = true": false, "[connection]\nport = 1": false, "[connection]\nssl = false\n[ssl]\ncertfile = none": false,
	} {
		rc := write(t, text)
		n, stderr, err := completed(t, nil, "--hosts", "db", "--cqlshrc", rc)
		require.NoError(t, err)
		require.False(t, n.described.TLS)
		want := ""
		if warned {
			want = "warning: cqlshrc " + rc + ": [ssl] and [certfiles] have no effect, and the connection is not encrypted: add ssl = true to [connection], or ssl = false if this is intended\n"
		}
		require.Equal(t, want, stderr, text)
	}
}

// The driver refuses a contact point of another data centre. The error has a node of the right one.
func TestContactsOfAnotherDataCentre(t *testing.T) {
	nodes := []systemschema.Node{{Client: "10.0.0.1", DataCentre: "dc1"}, {Client: "10.0.0.2", DataCentre: "dc1"}, {Client: "10.1.0.1", DataCentre: "dc2"}}
	filtered := errors.New("unable to create session: host was filtered: 10.0.0.1")
	d := &program.Connection{Hosts: []string{"10.0.0.1", "10.0.0.2"}, DataCentre: "dc2"}
	require.EqualError(t, checkDataCentre(nodes, d, filtered), "no contact point of 10.0.0.1,10.0.0.2 is in data centre dc2: add one of its nodes to -hosts or CASSANDRA_HOSTS, such as 10.1.0.1")
	require.NoError(t, checkDataCentre(nodes, d, errors.New("another")))
	d.DataCentre = "DC2"
	require.EqualError(t, checkDataCentre(nodes, d, filtered), "data centre DC2 has no node: set -dc or CASSANDRA_DC to one of dc1, dc2 (names are case-sensitive)")
}

// The certificates of nodes are not checked only if the file says so, and no option or variable names a certificate or a name to expect.
func TestChecksOfCertificates(t *testing.T) {
	_, _, file := places(t)
	const warning = "warning: [ssl] validate = false: the certificates of the nodes are not checked\n"
	for _, test := range []struct {
		text     string
		env      map[string]string
		args     []string
		tls      bool
		insecure bool
	}{
		{text: "[ssl]\nvalidate = false\ncertfile = none"},
		{text: "[connection]\nssl = false\n[ssl]\nvalidate = false\nusercert = none"},
		{text: "[connection]\nssl = true", tls: true},
		{text: "[connection]\nssl = true\n[ssl]\nvalidate = true", tls: true},
		{text: "[connection]\nssl = true\n[ssl]\nvalidate = false\ncertfile = none", tls: true, insecure: true},
		{text: "[connection]\nssl = true\n[ssl]\nvalidate = false", args: []string{"--tls-ca", file["tls-ca"]}, tls: true},
		{text: "[connection]\nssl = true\n[ssl]\nvalidate = false", env: map[string]string{"CASSANDRA_TLS_CA": file["tls-ca"]}, tls: true},
		{text: "[connection]\nssl = true\n[ssl]\nvalidate = false", args: []string{"--tls-server-name", "db"}, tls: true},
		{text: "[ssl]\nvalidate = false", args: []string{"--tls-cert", file["tls-cert"], "--tls-key", file["tls-key"]}, tls: true, insecure: true},
	} {
		args := append(test.args, "--hosts", "db", "--cqlshrc", write(t, test.text))
		n, stderr, err := completed(t, test.env, args...)
		require.NoError(t, err, test.text)
		require.Equal(t, []bool{test.tls, test.insecure}, []bool{n.described.TLS, n.described.Insecure}, "%s %s", test.text, test.args)
		require.Equal(t, test.insecure, stderr == warning, stderr)
		cluster, err := n.Describe([]string{"127.0.0.1"}, "").Cluster()
		require.NoError(t, err)
		require.Equal(t, test.tls, cluster.SslOpts != nil)
		if test.tls {
			require.Equal(t, test.insecure, cluster.SslOpts.InsecureSkipVerify)
			require.NotEqual(t, test.insecure, cluster.SslOpts.EnableHostVerification)
			require.Equal(t, uint16(tls.VersionTLS12), cluster.SslOpts.MinVersion)
		}
	}
}

// With a data centre, no other one receives requests, and each session has a policy of its own, because the driver panics if two share one.
func TestClusterOfADataCentre(t *testing.T) {
	d := &program.Connection{Hosts: []string{"127.0.0.1"}, DataCentre: "dc1"}
	first, err := d.Cluster()
	require.NoError(t, err)
	second, err := d.Cluster()
	require.NoError(t, err)
	require.NotSame(t, first.PoolConfig.HostSelectionPolicy, second.PoolConfig.HostSelectionPolicy)
	require.NotNil(t, first.HostFilter)
	require.False(t, first.HostFilter.Accept(&gocql.HostInfo{}), "a node of another data centre")
}

// Without contact points, the description of a connection has no effect: a command starts a server, or ends with an error.
func TestNoContactPoints(t *testing.T) {
	n, _, err := completed(t, map[string]string{"CASSANDRA_TLS_CA": "none", "CASSANDRA_USER": "ana", "CASSANDRA_DC": "dc1"})
	require.NoError(t, err)
	require.Equal(t, program.Connection{}, n.described)
	_, err = n.Contacts()
	require.ErrorIs(t, err, errNoContacts)
	n, _, err = completed(t, nil, "--user", "ana", "--tls-ca", "none")
	require.NoError(t, err)
	require.Equal(t, program.Connection{}, n.described)
}

// The time limits of the file are for a command without -timeout, and for requests.
func TestTimeLimitsOfCqlshrc(t *testing.T) {
	rc := write(t, "[connection]\nhostname = db\ntimeout = 3\nrequest_timeout = 60\n")
	for _, test := range []struct {
		args    []string
		connect time.Duration
	}{{nil, 3 * time.Second}, {[]string{"--timeout", "10s"}, 10 * time.Second}, {[]string{"--timeout", "2m"}, 2 * time.Minute}} {
		n, _, err := completed(t, nil, append(test.args, "--cqlshrc", rc)...)
		require.NoError(t, err)
		cluster, err := n.Describe([]string{"127.0.0.1"}, "").Cluster()
		require.NoError(t, err)
		require.Equal(t, []time.Duration{test.connect, max(test.connect, time.Minute)}, []time.Duration{cluster.ConnectTimeout, cluster.Timeout})
	}
	n, _, err := completed(t, nil, "--hosts", "db")
	require.NoError(t, err)
	require.Equal(t, defaultTimeout, n.Timeout)
}

// A path relative to the working directory is made absolute, because the program of aml reconcile can run in another one.
func TestPathsAreAbsolute(t *testing.T) {
	_, _, file := places(t)
	t.Chdir(filepath.Dir(file["tls-ca"]))
	dir, err := os.Getwd()
	require.NoError(t, err)
	n, _, err := completed(t, nil, "--hosts", "db", "--tls-ca", "ca.pem")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "ca.pem"), n.described.CA)
}
