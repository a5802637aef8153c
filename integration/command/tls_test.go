package command

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	shop "github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/migrate/folder"
)

// secured is a server with TLS and passwords, with a keyspace and a role.
type secured struct {
	server    *cassandra.Server
	authority *cassandra.Authority
	dir       string // has the certificates of the tests
	hosts     string
	keyspace  string
}

// newSecured creates the tables of the model garage.
func newSecured(t *testing.T) *secured {
	t.Helper()
	s := &secured{server: cassandra.StartRoles(t), dir: t.TempDir(), keyspace: "tls_" + uuid.NewString()[:8]}
	s.hosts = strings.Join(s.server.Hosts(), ",")
	var err error
	s.authority, err = cassandra.OpenAuthority(s.server.Certificates())
	require.NoError(t, err)
	session, err := s.server.Keyspace(t.Context(), s.keyspace)
	require.NoError(t, err)
	t.Cleanup(func() {
		for _, statement := range []string{"DROP KEYSPACE " + s.keyspace, "DROP ROLE " + s.keyspace} {
			if err := session.ExecStmt(statement); err != nil {
				t.Error(err)
			}
		}
		session.Close()
	})
	statements, err := folder.Split(shop.Schema)
	require.NoError(t, err)
	for _, statement := range statements {
		require.NoError(t, session.ExecStmt(statement.Text))
	}
	require.NoError(t, session.ExecStmt("CREATE ROLE "+s.keyspace+" WITH LOGIN = true AND SUPERUSER = true AND PASSWORD = '"+rolePassword+"'"))

	require.NoError(t, s.authority.Issue(s.dir, "expired", time.Now().AddDate(0, 0, -1)))
	other, err := cassandra.NewAuthority(filepath.Join(s.dir, "other"))
	require.NoError(t, err)
	require.NoError(t, other.Issue(s.dir, "stranger", time.Now().AddDate(1, 0, 0)))
	s.write(t, "garbage.pem", "no certificate")
	s.write(t, "encrypted.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n")
	return s
}

func (s *secured) write(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = s.path(name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (s *secured) path(name string) string { return filepath.Join(s.dir, name) }

// own returns a file of the certificates of the server.
func (s *secured) own(name string) string { return filepath.Join(s.server.Certificates(), name) }

// aml runs the command with variables of the environment, and no others of the connection. It returns the output, which has no secret.
func (s *secured) aml(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), program(t, "codegen/cmd/aml"), args...)
	c.Dir = "../models/garage"
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CASSANDRA_") }), env...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	require.NotContains(t, out.String(), rolePassword)
	for _, line := range strings.Split(s.read(t, s.own("client.key")), "\n")[1:3] {
		require.NotContains(t, out.String(), line, "the key")
	}
	return out.String(), err
}

func (*secured) read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// cqlshrc writes a file of cqlsh for the server, in which some lines are replaced.
func (s *secured) cqlshrc(t *testing.T, name string, replace ...string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(s.server.Hosts()[0])
	require.NoError(t, err)
	text := `; comment
[authentication]
username = ` + s.keyspace + `
password = ` + rolePassword + `
keyspace = ` + s.keyspace + `

[auth_provider]
module = cassandra.auth
classname = PlainTextAuthProvider

[ui]
color = on

[connection]
hostname = ` + host + `
port = ` + port + `
ssl = true
timeout = 20

[ssl]
certfile = ` + s.own("ca.pem") + `
validate = true
usercert = ` + s.own("client.pem") + `
userkey = ` + s.own("client.key") + `
`
	return s.write(t, name, strings.NewReplacer(replace...).Replace(text))
}

// credentials writes a file of cqlsh whose user and password are in another file.
func (s *secured) credentials(t *testing.T) string {
	t.Helper()
	file := s.write(t, "credentials", "[PlainTextAuthProvider]\nusername = "+s.keyspace+"\npassword = "+rolePassword+"\n")
	return s.cqlshrc(t, "with credentials", "username = "+s.keyspace+"\npassword = "+rolePassword, "credentials = "+file)
}

// The commands connect with TLS, a client certificate and a password, which they get from options, from variables of the environment, or from
// the file of cqlsh, in this order.
func TestConnectionsWithTLS(t *testing.T) {
	needsRoles(t)
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	s := newSecured(t)
	flags := []string{"-hosts", s.hosts, "-keyspace", s.keyspace, "-user", s.keyspace, "-dc", "datacenter1",
		"-tls-ca", s.own("ca.pem"), "-tls-cert", s.own("client.pem"), "-tls-key", s.own("client.key")}
	password := "CASSANDRA_PASSWORD=" + rolePassword
	env := []string{password, "CASSANDRA_HOSTS=" + s.hosts, "CASSANDRA_USER=" + s.keyspace, "CASSANDRA_DC=datacenter1",
		"CASSANDRA_TLS_CA=" + s.own("ca.pem"), "CASSANDRA_TLS_CERT=" + s.own("client.pem"), "CASSANDRA_TLS_KEY=" + s.own("client.key"),
		"CASSANDRA_TLS_SERVER_NAME=localhost"}
	host, port, err := net.SplitHostPort(s.server.Hosts()[0])
	require.NoError(t, err)
	file := s.cqlshrc(t, "cqlshrc")
	wrong := s.cqlshrc(t, "wrong", s.keyspace, "nobody", s.own("ca.pem"), s.path("other/ca.pem"), "port = "+port, "port = 1")
	worse := []string{"CASSANDRA_HOSTS=127.0.0.1:1", "CASSANDRA_USER=nobody", "CASSANDRA_DC=nowhere", "CASSANDRA_TLS_CA=" + s.path("none"), "CASSANDRA_TLS_CERT=" + s.path("none"),
		"CASSANDRA_TLS_KEY=" + s.path("none"), "CASSANDRA_CQLSHRC=" + wrong}
	for name, test := range map[string]struct{ env, args []string }{
		"options":                         {[]string{password}, flags},
		"variables":                       {env, []string{"-keyspace", s.keyspace}},
		"file":                            {nil, []string{"-cqlshrc", file}},
		"file of a variable":              {[]string{"CASSANDRA_CQLSHRC=" + file}, nil},
		"options before variables":        {append(worse, password), flags},
		"variables before the file":       {env, []string{"-cqlshrc", wrong, "-keyspace", s.keyspace}},
		"the file has the rest":           {[]string{"CASSANDRA_TLS_CA=" + s.own("ca.pem")}, []string{"-cqlshrc", s.cqlshrc(t, "rest", s.own("ca.pem"), s.path("none"))}},
		"certificates are not checked":    {nil, []string{"-cqlshrc", s.cqlshrc(t, "unchecked", "validate = true", "validate = false", s.own("ca.pem"), s.path("other/ca.pem"))}},
		"no TLS":                          {[]string{password}, []string{"-hosts", s.hosts, "-keyspace", s.keyspace, "-user", s.keyspace}},
		"credentials":                     {nil, []string{"-cqlshrc", s.credentials(t)}},
		"-tls-ca instead of validate":     {nil, []string{"-cqlshrc", s.cqlshrc(t, "instead", "validate = true", "validate = false"), "-tls-ca", s.own("ca.pem")}},
		"ssl = false":                     {nil, []string{"-cqlshrc", s.cqlshrc(t, "plain", "ssl = true", "ssl = false", s.own("ca.pem"), s.path("none"))}},
		"port of the file":                {nil, []string{"-cqlshrc", s.cqlshrc(t, "port", "hostname = ", "hostname = none."), "-hosts", host}},
		"authority of the host":           {nil, []string{"-cqlshrc", s.cqlshrc(t, "certfiles", s.own("ca.pem"), s.path("none"), "[ui]", "[certfiles]\n"+host+" = "+s.own("ca.pem")+"\n[ui]"), "-hosts", s.hosts}},
		"a keyspace of the command first": {nil, []string{"-cqlshrc", s.cqlshrc(t, "elsewhere", "keyspace = ", "keyspace = no"), "-keyspace", s.keyspace}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := s.aml(t, test.env, append([]string{"inspect"}, test.args...)...)
			require.NoError(t, err, out)
			require.Contains(t, out, "CREATE TABLE IF NOT EXISTS mechanics_by_city (")
			require.Equal(t, name == "certificates are not checked", strings.Contains(out, "warning: [ssl] validate = false: the certificates of the nodes are not checked\n"))
		})
	}
	migrations := filepath.Dir(s.write(t, "migrations/0001_init.cql", shop.Schema))
	for _, args := range [][]string{{"import", "-output", "-"}, {"diff", "-from", "live"}, {"migrate", "status", "-dir", t.TempDir()},
		{"migrate", "up", "-dir", migrations}, {"migrate", "verify", "-dir", migrations}, {"reconcile", "-refill", "vehicles", "-yes", "-dc", "datacenter1"}} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			out, err := s.aml(t, nil, append(args, "-cqlshrc", file)...)
			require.NoError(t, err, out)
		})
	}
	t.Run("faults", s.testFaults)
}

// testFaults shows that each fault of a connection is an error that says where it is and how to fix it.
func (s *secured) testFaults(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"wrong CA":                {[]string{"-tls-ca", s.path("other/ca.pem")}, "give the certificate of the authority that has signed the certificates of the nodes (-tls-ca)"},
		"no CA file":              {[]string{"-tls-ca", s.path("none.pem")}, "TLS: the certificates of the authority (-tls-ca): open " + s.path("none.pem") + ": no such file or directory"},
		"no certificate in it":    {[]string{"-tls-ca", s.path("garbage.pem")}, "TLS: " + s.path("garbage.pem") + " has no certificate: give a PEM file with -----BEGIN CERTIFICATE-----"},
		"no client certificate":   {[]string{"-tls-cert", s.path("none.pem")}, "TLS: the client certificate (-tls-cert): open " + s.path("none.pem")},
		"no key":                  {[]string{"-tls-key", s.path("none.key")}, "TLS: the key of the client certificate (-tls-key): open " + s.path("none.key")},
		"another key":             {[]string{"-tls-key", s.path("expired.key")}, "TLS: the client certificate " + s.own("client.pem") + " and the key " + s.path("expired.key") + ": tls: private key does not match public key: give two PEM files that belong together"},
		"garbage for a client":    {[]string{"-tls-cert", s.path("garbage.pem")}, "TLS: the client certificate " + s.path("garbage.pem") + " and the key " + s.own("client.key") + ": tls: failed to find any PEM data in certificate input: give two PEM files"},
		"garbage for a key":       {[]string{"-tls-key", s.path("garbage.pem")}, "TLS: the client certificate " + s.own("client.pem") + " and the key " + s.path("garbage.pem") + ": tls: failed to find any PEM data in key input: give two PEM files"},
		"a folder for a CA":       {[]string{"-tls-ca", s.dir}, "TLS: the certificates of the authority (-tls-ca): read " + s.dir + ": is a directory"},
		"checks are on":           {[]string{"-cqlshrc", s.cqlshrc(t, "j", "validate = true", "validate = false"), "-tls-ca", s.path("other/ca.pem")}, "give the certificate of the authority that has signed the certificates of the nodes (-tls-ca)"},
		"old TLS":                 {[]string{"-hosts", tlsServer(t, s, time.Now().AddDate(1, 0, 0), tls.VersionTLS11)}, "the server needs TLS 1.2 or later"},
		"no TLS to a TLS port":    {[]string{"-cqlshrc", s.cqlshrc(t, "k", "ssl = true", "ssl = false"), "-hosts", resettingServer(t)}, "connection reset by peer: if the port needs TLS, add -tls-ca, or set CASSANDRA_TLS_CA"},
		"encrypted key":           {[]string{"-tls-key", s.path("encrypted.key")}, "TLS: the key " + s.path("encrypted.key") + " is encrypted: write it without a passphrase"},
		"expired client":          {[]string{"-tls-cert", s.path("expired.pem"), "-tls-key", s.path("expired.key")}, "the server refuses the client certificate, or the lack of one: give one that its truststore accepts, and that has not expired (-tls-cert, -tls-key)"},
		"client of another CA":    {[]string{"-tls-cert", s.path("stranger.pem"), "-tls-key", s.path("stranger.key")}, "the server refuses the client certificate, or the lack of one"},
		"no client":               {[]string{"-cqlshrc", s.cqlshrc(t, "h", "usercert = "+s.own("client.pem"), "", "userkey = "+s.own("client.key"), "")}, "the server refuses the client certificate, or the lack of one"},
		"another name":            {[]string{"-tls-server-name", "db.example.com"}, "give a name that is in the certificate (-tls-server-name)"},
		"expired server":          {[]string{"-hosts", tlsServer(t, s, time.Now().AddDate(0, 0, -1), 0)}, "certificate has expired or is not yet valid"},
		"port without TLS":        {[]string{"-hosts", plainServer(t)}, "first record does not look like a TLS handshake"},
		"unknown data centre":     {[]string{"-dc", "nowhere"}, "data centre nowhere has no node: set -dc or CASSANDRA_DC to one of datacenter1 (names are case-sensitive)"},
		"unknown keyspace":        {[]string{"-keyspace", "none"}, "keyspace none: the keyspace does not exist"},
		"no password":             {[]string{"-user", "nobody"}, "no password for the role nobody: set CASSANDRA_PASSWORD"},
		"no role":                 {[]string{"-cqlshrc", s.cqlshrc(t, "l", "username = "+s.keyspace+"\npassword = "+rolePassword, "")}, "give a role (-user, CASSANDRA_USER) and its password (CASSANDRA_PASSWORD)"},
		"unknown role":            {[]string{"-cqlshrc", s.cqlshrc(t, "g", "username = "+s.keyspace, "username = nobody")}, "Provided username nobody and/or password are incorrect"},
		"wrong password":          {[]string{"-cqlshrc", s.cqlshrc(t, "i", rolePassword, "another")}, "Provided username " + s.keyspace + " and/or password are incorrect"},
		"no cqlshrc":              {[]string{"-cqlshrc", s.path("none")}, "cqlshrc: open " + s.path("none") + ": no such file or directory"},
		"a key of another driver": {[]string{"-cqlshrc", s.cqlshrc(t, "a", "validate = true", "version = TLSv1")}, "cqlshrc " + s.path("a") + ": [ssl] version: is not supported: leave it out: TLS 1.2 or later is used"},
		"credentials":             {[]string{"-cqlshrc", s.cqlshrc(t, "b", "keyspace =", "credentials = "+s.path("garbage.pem")+"\nkeyspace =")}, "[authentication] credentials: credentials " + s.path("garbage.pem") + ":1: a line has neither a key with = nor a section"},
		"a word for a boolean":    {[]string{"-cqlshrc", s.cqlshrc(t, "c", "ssl = true", "ssl = maybe")}, `[connection] ssl: "maybe" is neither true nor false`},
		"a word for a port":       {[]string{"-cqlshrc", s.cqlshrc(t, "d", "port = ", "port = x")}, "is not a port: use a number between 1 and 65535"},
		"another provider":        {[]string{"-cqlshrc", s.cqlshrc(t, "e", "PlainTextAuthProvider", "SaslAuthProvider")}, "[auth_provider] classname: only PlainTextAuthProvider is supported"},
		"a line without a key":    {[]string{"-cqlshrc", s.write(t, "f", "[authentication]\npassword "+rolePassword+"\n")}, "cqlshrc " + s.path("f") + ":2: a line has neither a key with = nor a section"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"inspect", "-cqlshrc", s.cqlshrc(t, "right "+name), "-timeout", "5s"}
			out, err := s.aml(t, nil, append(args, test.args...)...)
			require.Error(t, err, out)
			require.Contains(t, out, test.want)
		})
	}
	out, err := s.aml(t, nil, "inspect", "-hosts", s.hosts, "-keyspace", s.keyspace, "-user", s.keyspace, "-tls-ca", s.own("ca.pem"), "-tls-cert", s.own("client.pem"))
	require.Error(t, err)
	require.Contains(t, out, "TLS: the client certificate "+s.own("client.pem")+" has no key: add -tls-key, or set CASSANDRA_TLS_KEY")
}

// tlsServer accepts connections with TLS up to a version, 0 for any, with a certificate that is valid until a time. It answers nothing.
func tlsServer(t *testing.T, s *secured, until time.Time, newest uint16) (address string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, s.authority.Issue(dir, "server", until, "127.0.0.1"))
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "server.pem"), filepath.Join(dir, "server.key"))
	require.NoError(t, err)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS10, MaxVersion: newest})
	require.NoError(t, err)
	return accept(t, l, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
}

// plainServer answers with bytes that are no TLS.
func plainServer(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return accept(t, l, func(c net.Conn) { _, _ = io.WriteString(c, "220 this is another protocol\r\n") })
}

// resettingServer resets each connection after the first byte, as a node does that expects TLS.
func resettingServer(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return accept(t, l, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 1))
		_ = c.(*net.TCPConn).SetLinger(0)
	})
}

func accept(t *testing.T, l net.Listener, serve func(net.Conn)) (address string) {
	t.Helper()
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				serve(c)
				_ = c.Close()
			}()
		}
	}()
	return l.Addr().String()
}
