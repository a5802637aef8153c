package server

import (
	"os"
	"path/filepath"
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
	for _, password := range []string{"a#b", "a;b", "a ;b # c", "%(user)s", `"quoted"`, "'quoted'", "a=b", "a:b", `back\slash`, `ends with\`, "a`tick`", `""a`, "ü", "${HOME}"} {
		f, err := readCqlshrc(write(t, "[authentication]\nUserName: ana\npassword =  "+password+"  \n\n[ui]\ncolor = on\n"))
		require.NoError(t, err, password)
		require.Equal(t, cqlshrc{user: "ana", password: password}, *f)
	}
}

func TestCqlshrc(t *testing.T) {
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	f, err := readCqlshrc(write(t, "[connection]\nhostname = db1\nport = 9142\nssl = yes\ntimeout = 1.5\nrequest_timeout = 60\n[ssl]\ncertfile = ~/ca.pem\nvalidate = off\n"+
		"[certfiles]\ndb2 = /b.pem\nDB1 = /a.pem\n[authentication]\nkeyspace = Shop\n[copy-from]\nchunksize = 5\n[tracing]\nmax_trace_wait = 10\n"))
	require.NoError(t, err)
	require.Equal(t, cqlshrc{hosts: "db1:9142", keyspace: "shop", timeout: 1500 * time.Millisecond, request: time.Minute, tls: true, ca: "/a.pem", insecure: true}, *f)
	f, err = readCqlshrc(write(t, "[ssl]\ncertfile = ~/ca.pem\n[authentication]\nkeyspace = \"Shop\"\n[connection]\nhostname = ::1\nport = 9042\n"))
	require.NoError(t, err)
	require.Equal(t, cqlshrc{hosts: "[::1]:9042", keyspace: "Shop", ca: filepath.Join(home, "ca.pem")}, *f)
}

// Each fault is reported, and no error has a value of a key that can be secret.
func TestFaultsOfCqlshrc(t *testing.T) {
	path := write(t, "[connection]\nport = 0\ntimeout = soon\nfactory = x\nclient_timeout = 3\nuse_tls = true\n[protocol]\nversion = 3\n[authentication]\npasswort = secret\n")
	_, err := readCqlshrc(path)
	require.EqualError(t, err, "cqlshrc "+path+": [connection] port: \"0\" is not a port: use a number between 1 and 65535\n"+
		"cqlshrc "+path+": [connection] timeout: \"soon\" is not a number of seconds above 0\n"+
		"cqlshrc "+path+": [connection] factory: is not supported: use [connection] ssl = true\n"+
		"cqlshrc "+path+": [connection] client_timeout: is not supported: use timeout and request_timeout\n"+
		"cqlshrc "+path+": [connection] use_tls: is not supported: remove it, or use a file of its own for aml\n"+
		"cqlshrc "+path+": [protocol] version: is not supported: leave it out: version 4 is used\n"+
		"cqlshrc "+path+": [authentication] passwort: is not supported: remove it, or use a file of its own for aml")
	for _, text := range []string{"password = secret\n", "[authentication\npassword = secret\n", "[authentication]\nsecret\n", "[authentication]\npassword = `secret`\n", "[authentication]\npassword = \"\"\"secret\n"} {
		_, err := readCqlshrc(write(t, text))
		require.Error(t, err, text)
		require.NotContains(t, err.Error(), "secret")
	}
}
