//go:build unix

package cassandra

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeJava puts a java at the start of PATH that runs a script instead of a server, and uses a separate folder as the user's
// cache.
func fakeJava(t *testing.T, script string) {
	t.Helper()
	bin := t.TempDir()
	writeCommand(t, filepath.Join(bin, "java"), `
case $1 in -version) echo 'openjdk version "11.0.2"'; exit ;; esac
`+script)
	t.Setenv("JAVA_HOME", "")
	t.Setenv(versionVariable, defaultRelease) // the version of fakeMaven
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // the parent of the cache on a Mac
}

func TestStartReportsAServerThatDies(t *testing.T) {
	fakeMaven(t)
	fakeJava(t, `
echo 'INFO starting' >logs/system.log
echo 'java.lang.NullPointerException: Cannot read field "assumeGCIsPartiallyConcurrent" because "gcState" is null
	at org.apache.cassandra.service.GCInspector.handleNotification(GCInspector.java:248)
	at jdk.management/com.sun.management.internal.GarbageCollectorExtImpl.createGCNotification(GarbageCollectorExtImpl.java:115)'
echo 'no memory left'
exit 1`)

	found, err := findLocal(t.Context(), Config{StateDir: t.TempDir()})
	require.NoError(t, err)
	_, err = found.start(t.Context())
	failure := new(StartError)
	require.ErrorAs(t, err, &failure)
	require.ErrorIs(t, err, errEnded)
	require.Equal(t, "output.log:\nno memory left\nsystem.log:\nINFO starting\n", failure.Tail)
	require.ErrorContains(t, err, "logs are in "+failure.LogDir)
	require.FileExists(t, filepath.Join(failure.LogDir, "system.log"))
}

func TestLastLines(t *testing.T) {
	require.Equal(t, "b\nc", lastLines("a\nb\nc\n", 2))
	require.Equal(t, "a", lastLines("a", 5))
	require.Len(t, lastLines(strings.Repeat("x", 1000), 1), 303)
}

func TestCommonsDirFollowsTheConfiguration(t *testing.T) {
	parent := t.TempDir()
	dir, err := commonsDir(Config{StateDir: parent}, "5.0.9")
	require.NoError(t, err)
	require.Regexp(t, "^"+parent+"/cassandra-5.0.9-[0-9a-f]{8}$", dir)
	kept, err := commonsDir(Config{StateDir: parent, Keep: true, Optimize: true}, "5.0.9")
	require.NoError(t, err)
	require.Equal(t, dir+"-keep-optimize", kept, "a server with another configuration is not shared")
}

func TestReleaseFollowsTheEnvironment(t *testing.T) {
	for value, want := range map[string]string{"": defaultRelease, "5.0.9": "5.0.9", "5.0": "5.0", "6.0-alpha2": "6.0-alpha2"} {
		t.Setenv(versionVariable, value)
		version, err := release()
		require.NoError(t, err)
		require.Equal(t, want, version)
	}
	t.Setenv("PATH", "")
	for _, bad := range []string{"latest", "5", "../5.0.9", "5.0.9 "} {
		t.Setenv(versionVariable, bad)
		_, err := findLocal(t.Context(), Config{})
		require.ErrorContains(t, err, "CASSANDRA_VERSION=")
		require.ErrorContains(t, err, "is not a version such as 5.0.8")
	}
}
