//go:build unix

package cassandra

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseHosts(t *testing.T) {
	for list, want := range map[string][]string{
		"db":                   {"db:9042"},
		"a, b:9043 ,":          {"a:9042", "b:9043"},
		"127.0.0.1:1,10.0.0.2": {"127.0.0.1:1", "10.0.0.2:9042"},
		"::1":                  {"[::1]:9042"},
		"[::1]:9043,[fe80::1]": {"[::1]:9043", "[fe80::1]:9042"},
	} {
		hosts, err := parseHosts(list)
		require.NoError(t, err)
		require.Equal(t, want, hosts, list)
	}
	_, err := parseHosts(" , ")
	require.EqualError(t, err, "the list has no host")
	for _, list := range []string{"a:abc", "a:99999999", "a:0", "a b c", "http://127.0.0.1:9042", ":9042", "h:1:1", "b,[::1"} {
		_, err := parseHosts(list)
		require.ErrorContains(t, err, "is not host or host:port", list)
	}
}

func TestStartUsesGivenHosts(t *testing.T) {
	running := Test(t)
	t.Setenv(hostsVariable, " "+running.Hosts()[0]+" ,")
	var log bytes.Buffer
	server, err := Start(t.Context(), Config{Log: &log})
	require.NoError(t, err)
	require.Equal(t, running.Hosts(), server.Hosts())
	require.Contains(t, log.String(), "cassandra: using CASSANDRA_HOSTS=")
	require.Empty(t, server.LogDir())
	require.NoError(t, server.Close())
	_, err = serverVersion(t.Context(), running.Hosts(), false)
	require.NoError(t, err, "Close does not stop a given server")
}

func TestStartReportsHostsThatDoNotAnswer(t *testing.T) {
	ports, err := freePorts("127.0.0.1", 1)
	require.NoError(t, err)
	t.Setenv(hostsVariable, node{address: "127.0.0.1", native: ports[0]}.host())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Start(ctx, Config{})
	require.ErrorContains(t, err, "cassandra: CASSANDRA_HOSTS=127.0.0.1:")
	require.ErrorContains(t, err, "no answer at")
}
