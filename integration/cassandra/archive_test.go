//go:build unix

package cassandra

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// archiving returns a local with jars, and a java that runs a script, counts its calls and can archive classes.
func archiving(t *testing.T, script string) (l local, jars, calls string) {
	t.Helper()
	fakeMaven(t)
	fakeJava(t, "")
	l, err := findLocal(t.Context(), Config{StateDir: t.TempDir()})
	require.NoError(t, err)
	jars, err = l.jars.ensure(t.Context(), l.cfg)
	require.NoError(t, err)
	calls = filepath.Join(t.TempDir(), "calls")
	l.java = java{filepath.Join(t.TempDir(), "java"), 17, "fake"}
	writeCommand(t, l.java.path, "echo call >>'"+calls+"'\n"+script)
	return l, jars, calls
}

// A server starts without archived classes if they cannot be made. They are not tried again after some failures.
func TestServersStartWithoutAnArchive(t *testing.T) {
	l, jars, calls := archiving(t, "exit 1")
	for range archiveAttempts + 2 {
		options, err := l.archived(t.Context(), jars)
		require.NoError(t, err)
		require.Empty(t, options)
	}
	require.Equal(t, archiveAttempts, lineCount(t, calls))
	left, err := filepath.Glob(filepath.Join(l.jars.dir, archivePattern))
	require.NoError(t, err)
	require.Empty(t, left)
}

// A folder in which nothing can be written, such as one of an image, is not an error if it has the jars.
func TestServersStartWithJarsThatAreReadOnly(t *testing.T) {
	l, jars, calls := archiving(t, "exit 1")
	require.NoError(t, os.RemoveAll(jars+".lock"))
	require.NoError(t, os.Mkdir(jars+".lock", 0o700)) // not even root can open it for writing
	options, err := l.archived(t.Context(), jars)
	require.NoError(t, err)
	require.Empty(t, options)
	require.NoFileExists(t, calls)
}

// An archive is used only with its checksum, because Java crashes with a damaged one.
func TestDamagedArchivesAreNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "classes.jsa")
	require.Error(t, verifyArchive(path))
	require.NoError(t, os.WriteFile(path, []byte("classes"), 0o600))
	require.Error(t, verifyArchive(path), "without its checksum")
	sum, err := hashFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(checksumPath(path), []byte(sum), 0o600))
	require.NoError(t, verifyArchive(path))
	require.NoError(t, headed(path))
	for _, damaged := range []string{"", "class", "classes!", "\x00\x00\x00\x00ses"} {
		require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
		require.Error(t, verifyArchive(path), "%q", damaged)
	}
	require.Error(t, headed(path))
}
