//go:build unix

package cassandra

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeMaven puts a command at the start of PATH that fills the folder in its arguments, and counts its calls in a file.
func fakeMaven(t *testing.T) (calls string) {
	t.Helper()
	bin := t.TempDir()
	calls = filepath.Join(bin, "calls")
	writeCommand(t, filepath.Join(bin, "mvn"), `
echo "$*" >>'`+calls+`'
for arg; do case $arg in -DoutputDirectory=*) out=${arg#*=} ;; esac; done
echo server >"$out/cassandra-all-`+defaultRelease+`.jar"
echo agent >"$out/jamm-0.4.0.jar"`)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return calls
}

func lineCount(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.Count(string(text), "\n")
}

func TestJarsAreFetchedOnceByMany(t *testing.T) {
	calls := fakeMaven(t)
	store := jarStore{filepath.Join(t.TempDir(), "a cache"), defaultRelease}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			dir, err := store.ensure(t.Context(), Config{})
			if err != nil || dir != store.folder() {
				t.Errorf("%s, %v", dir, err)
			}
		})
	}
	group.Wait()
	require.Equal(t, 1, lineCount(t, calls))
	require.NoError(t, verifyJars(store.folder()))
}

func TestDamagedJarsAreFetchedAgain(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"missing":    func(dir string) error { return os.Remove(filepath.Join(dir, "jamm-0.4.0.jar")) },
		"cut":        func(dir string) error { return os.Truncate(filepath.Join(dir, "jamm-0.4.0.jar"), 2) },
		"added":      func(dir string) error { return os.WriteFile(filepath.Join(dir, "x.jar"), nil, 0o600) },
		"no list":    func(dir string) error { return os.Remove(filepath.Join(dir, manifestName)) },
		"no jars":    os.RemoveAll,
		"incomplete": func(dir string) error { return os.MkdirAll(filepath.Join(filepath.Dir(dir), "fetch-1", "jars"), 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			calls := fakeMaven(t)
			store := jarStore{t.TempDir(), defaultRelease}
			_, err := store.ensure(t.Context(), Config{})
			require.NoError(t, err)
			require.NoError(t, damage(store.folder()))
			if name == "incomplete" {
				require.NoError(t, os.RemoveAll(store.folder()))
			}
			var log bytes.Buffer
			_, err = store.ensure(t.Context(), Config{Log: &log})
			require.NoError(t, err)
			require.Equal(t, 2, lineCount(t, calls))
			require.NoError(t, verifyJars(store.folder()))
			require.Contains(t, log.String(), "fetching Cassandra "+defaultRelease)
			left, err := filepath.Glob(filepath.Join(store.dir, fetchPattern))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestMavenFailureIsShown(t *testing.T) {
	for script, want := range map[string]string{
		"echo '[ERROR] could not resolve org.apache.cassandra' >&2; exit 3": "mvn: exit status 3\n[ERROR] could not resolve org.apache.cassandra",
		"echo 'nothing to do'": "mvn: no cassandra-all-" + defaultRelease + ".jar in its result\nnothing to do",
	} {
		bin := t.TempDir()
		writeCommand(t, filepath.Join(bin, "mvn"), script)
		t.Setenv("PATH", bin)
		store := jarStore{t.TempDir(), defaultRelease}
		_, err := store.ensure(t.Context(), Config{})
		require.EqualError(t, err, "fetch Cassandra "+defaultRelease+": "+want)
		require.NoDirExists(t, store.folder())
	}
}
