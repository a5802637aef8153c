package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "cqlshrc")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// A value is read as cqlsh reads it: signs have no meaning, and only the spaces around it are removed.
func TestValuesOfCqlshrc(t *testing.T) {
	for _, password := range []string{"a#b", "a;b", "a ;b # c", "%(user)s", `"quoted"`, "'quoted'", "a=b", "a:b", `back\slash`, `ends with\`, "a`tick`", "`tick`", `"""a`, `""a`, "ü", "${HOME}"} {
		f, err := readCqlshrc(write(t, "[authentication]\nUserName: ana\npassword =  "+password+"  \n\n[ui]\ncolor = on\n"))
		require.NoError(t, err, password)
		require.Equal(t, []string{"ana", password}, []string{f.user, f.password})
	}
}

func TestCqlshrc(t *testing.T) {
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	path := write(t, "[connection]\nhostname = db1\nport = 9142\nssl = yes\ntimeout = 1.5\nrequest_timeout = 60\n[ssl]\ncertfile = ~/ca.pem\nvalidate = False\n"+
		"[certfiles]\ndb2 = /b.pem\nDB1 = /a.pem\n[authentication]\nkeyspace = Shop\n[copy-from]\nchunksize = 5\n[tracing]\nmax_trace_wait = 10\n")
	f, err := readCqlshrc(path)
	require.NoError(t, err)
	require.Equal(t, cqlshrc{path: path, host: "db1", port: "9142", keyspace: "shop", timeout: 1500 * time.Millisecond, request: time.Minute, tls: true, decided: true, passwordFile: path,
		ca: filepath.Join(home, "ca.pem"), certfiles: map[string]string{"db1": "/a.pem", "db2": "/b.pem"}, insecure: true}, *f)
	f, err = readCqlshrc(write(t, "[authentication]\nkeyspace = \"Shop\"\n"))
	require.NoError(t, err)
	require.Equal(t, "Shop", f.keyspace)
}

// The file is read as cqlsh reads it: with the line ends of each system, and without the lines that another reader would take for keys.
func TestLinesOfCqlshrc(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		f, err := readCqlshrc(write(t, strings.Join([]string{"\ufeff[connection]", "SSL : true", "  # ssl = false", " ; ssl = false", "[ssl] # comment", "certfile = /ca.pem", ""}, end)))
		require.NoError(t, err)
		require.Equal(t, []any{true, "/ca.pem"}, []any{f.tls, f.ca})
	}
	f, err := readCqlshrc(write(t, "  [connection]\n\tssl = true\n\n\t# port = 1\n\tport = 2\nhostname = db\n[ssl]\n  certfile = /ca.pem\n  usercert = /cert.pem\n"))
	require.NoError(t, err)
	require.Equal(t, []any{true, "2", "db", "/ca.pem", "/cert.pem"}, []any{f.tls, f.port, f.host, f.ca, f.cert}, "keys with the same space before them")
	for text, want := range map[string]string{
		"[ssl]\nvalidate = true\n  validate = false\n":                 ":3: a line that is indented more than the line before it continues the value in cqlsh, which is not supported: remove the indentation",
		"[ssl]\nvalidate = true\nValidate = false\n":                   ":3: [ssl] validate is in the file twice: remove one",
		"[ssl]\nvalidate = true\n[connection]\n[ssl]\nvalidate: false": ":5: [ssl] validate is in the file twice: remove one",
		"[SSL]\nvalidate = false\n":                                    ": [SSL] validate: is not supported: remove it, or use a separate file for aml",
		"[]\n":                                                         ":1: a line has neither a key with = nor a section: write key = value, or [section]",
		"validate = false\n":                                           ":1: a key is before the first section: write it below a line with [section]",
	} {
		path := write(t, text)
		_, err := readCqlshrc(path)
		require.EqualError(t, err, "cqlshrc "+path+want)
	}
}

// The port of the file is for all contact points without one, and a host in [certfiles] has its own file, as in cqlsh.
func TestContactsOfCqlshrc(t *testing.T) {
	f := &cqlshrc{path: "rc", port: "9142", ca: "/ca.pem", certfiles: map[string]string{"db2": "/b.pem", "::1": "/six.pem"}}
	for list, want := range map[string]string{"db1, db2:1 ::1,[::1] [::1]:7": "db1:9142,db2:1,[::1]:9142,[::1]:9142,[::1]:7", "db1\n\tfe80::1%eth0\r\n": "db1:9142,[fe80::1%eth0]:9142"} {
		hosts, err := f.contacts(list)
		require.NoError(t, err)
		require.Equal(t, want, hosts)
	}
	hosts, err := new(cqlshrc).contacts("db1,::1,[::1]")
	require.NoError(t, err)
	require.Equal(t, "db1,::1,::1", hosts)
	for _, contact := range []string{"db1:", "db1:0", "db1:70000", "db1:a", ":9042", "http://db1", "db1/", "::1:9042:x", "[::1", "[::1]x", "db1;db2", "cassandra://ana:secret@db1", "ana:secret@db1:9042", "ana:secret@db1"} {
		_, err := f.contacts("db2," + contact)
		require.ErrorContains(t, err, "contact point ", contact)
		require.NotContains(t, err.Error(), "secret")
	}
	for list, want := range map[string]string{"db1": "/ca.pem", "db1:9142,db3:1": "/ca.pem", "DB2:9142": "/b.pem", "db2": "/b.pem", "[::1]:9142": "/six.pem"} {
		ca, err := f.authority(list)
		require.NoError(t, err)
		require.Equal(t, want, ca, list)
	}
	_, err = f.authority("db1:9142,db2:9142")
	require.EqualError(t, err, "cqlshrc rc: [certfiles] has different files for the contact points db1:9142,db2:9142: give one file with the certificates for all of them (-tls-ca)")
}

// The user and the password are in one of four places. The order is that of cqlsh, and not the order of the lines.
func TestLoginsOfCqlshrc(t *testing.T) {
	legacy, own := "[plain_text_auth]\nusername = a\npassword = 1\n", "[PlainTextAuthProvider]\nusername = c\npassword = %(3)s\n"
	authentication, provider := "[authentication]\nusername = b\npassword = 2\n", "[auth_provider]\nmodule = cassandra.auth\nclassname = PlainTextAuthProvider\nusername = d\npassword = 4\n"
	for _, test := range []struct{ credentials, cqlshrc, user, password string }{
		{own + legacy, provider + authentication, "a", "1"},
		{own, authentication + provider, "b", "2"},
		{own, provider, "c", "%(3)s"},
		{"[plain_text_auth]\npassword = 1\n", authentication, "b", "1"},
	} {
		text := test.cqlshrc + "[authentication]\ncredentials = " + write(t, test.credentials) + "\n"
		f, err := readCqlshrc(write(t, text))
		require.NoError(t, err)
		require.Equal(t, []string{test.user, test.password}, []string{f.user, f.password}, text)
	}
	f, err := readCqlshrc(write(t, "[auth_provider]\nusername = d\npassword = 4\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"d", "4"}, []string{f.user, f.password})
}

// Each fault is reported, and no error has a value of a key that can be secret.
func TestFaultsOfCqlshrc(t *testing.T) {
	path := write(t, "[connection]\nport = 0\ntimeout = soon\nfactory = x\nclient_timeout = 3\nuse_tls = true\n[protocol]\nversion = 3\n[authentication]\npasswort = secret\ncredentials = /none\n[ssl]\nvalidate = off\n")
	_, err := readCqlshrc(path)
	require.EqualError(t, err, "cqlshrc "+path+": [connection] port: \"0\" is not a port: use a number between 1 and 65535\n"+
		"cqlshrc "+path+": [connection] timeout: \"soon\" is not a number of seconds above 0\n"+
		"cqlshrc "+path+": [connection] factory: is not supported: use [connection] ssl = true\n"+
		"cqlshrc "+path+": [connection] client_timeout: is not supported: use timeout and request_timeout\n"+
		"cqlshrc "+path+": [connection] use_tls: is not supported: remove it, or use a separate file for aml\n"+
		"cqlshrc "+path+": [protocol] version: is not supported: leave it out: version 4 is used\n"+
		"cqlshrc "+path+": [authentication] passwort: is not supported: remove it, or use a separate file for aml\n"+
		"cqlshrc "+path+": [ssl] validate: \"off\" is neither true nor false\n"+
		"cqlshrc "+path+": [authentication] credentials: credentials: open /none: no such file or directory")
	empty := write(t, "[other]\nusername = a\npassword = secret\n")
	for text, want := range map[string]string{
		"[connection]\ntimeout = 0":                `[connection] timeout: "0" is not a number of seconds above 0`,
		"[connection]\nconnect_timeout = -1":       `[connection] connect_timeout: "-1" is not a number of seconds above 0`,
		"[connection]\nrequest_timeout = NaN":      `[connection] request_timeout: "NaN" is not a number of seconds above 0`,
		"[connection]\ntimeout = 1e300":            `[connection] timeout: "1e300" is not a number of seconds above 0`,
		"[auth_provider]\nmodule = ldap":           "[auth_provider] module: only cassandra.auth with PlainTextAuthProvider is supported: log in with a user and a password",
		"[auth_provider]\nclassname = Ldap":        "[auth_provider] classname: only PlainTextAuthProvider is supported: log in with a user and a password",
		"[authentication]\ncredentials = " + empty: "[authentication] credentials: " + empty + " has no user and no password: write username and password into its section [PlainTextAuthProvider]",
	} {
		path := write(t, text)
		_, err := readCqlshrc(path)
		require.EqualError(t, err, "cqlshrc "+path+": "+want)
	}
	for _, text := range []string{"password = secret\n", "[authentication\npassword = secret\n", "[authentication]\nsecret\n", "[authentication]\npassword = a\n secret\n", "[authentication]\npassword = a\n secret = b\n",
		"[authentication]\npassword = secret\npassword = other\n", "[authentication]\n= secret\n", "[authentication]\npassword = secret\xff\n"} {
		for _, text := range []string{text, "[authentication]\ncredentials = " + write(t, text)} {
			_, err := readCqlshrc(write(t, text))
			require.Error(t, err, text)
			require.NotContains(t, err.Error(), "secret")
		}
	}
}
