//go:build unix

package cassandra

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStartReportsAServerThatDies(t *testing.T) {
	fakeMaven(t)
	bin := t.TempDir()
	writeCommand(t, filepath.Join(bin, "java"), `
case $1 in -version) echo 'openjdk version "17.0.1"'; exit ;; esac
echo 'INFO starting' >logs/system.log
echo 'no memory left'
exit 1`)
	t.Setenv("JAVA_HOME", "")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // where the cache is on a Mac

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
	dir, err := commonsDir(Config{StateDir: parent})
	require.NoError(t, err)
	require.Regexp(t, "^"+parent+"/cassandra-"+release+"-[0-9a-f]{8}$", dir)
}
