package cassandra

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
)

// tested returns the version of Cassandra that the tests of this process use.
var tested = sync.OnceValues(func() (string, error) {
	list := os.Getenv(hostsVariable)
	if list == "" {
		return release()
	}
	hosts, err := parseHosts(list)
	if err != nil {
		return "", err
	}
	return serverVersion(context.Background(), hosts, false)
})

// IsBefore reports whether the tests use a Cassandra that is older than a version, which is a major and a minor number.
func IsBefore(t testing.TB, version string) bool {
	t.Helper()
	have, err := tested()
	if err != nil {
		refuse(t, err)
	}
	return isBefore(have, version)
}

// Requires skips a test, with its reason, if the tests use a Cassandra that is older than a version. docs/internals/cassandra.md lists all
// calls, and a test compares the two: the version and the reason are constants in each call.
func Requires(t testing.TB, version, reason string) {
	t.Helper()
	if IsBefore(t, version) {
		t.Skipf("needs Cassandra %s: %s", version, strings.TrimSpace(reason))
	}
}
