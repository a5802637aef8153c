package migrate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

var errKilled = errors.New("killed")

// mortal is a disk whose process is killed after some steps, or in the middle of one. Nothing is done from then on.
type mortal struct {
	osDisk
	left int  // steps to be taken
	half bool // of the step behind them
}

func (d *mortal) step(text string, do func(text string) error) error {
	d.left--
	switch {
	case d.left >= 0:
		return do(text)
	case d.left == -1 && d.half && text != "":
		return errors.Join(do(text[:len(text)/2]), errKilled)
	}
	return errKilled
}

func (d *mortal) write(name, text string) error {
	return d.step(text, func(text string) error { return d.osDisk.write(name, text) })
}

func (d *mortal) fill(f *os.File, text string) error {
	return d.step(text, func(text string) error { return d.osDisk.fill(f, text) })
}

func (d *mortal) link(name, other string) error {
	return d.step("", func(string) error { return d.osDisk.link(name, other) })
}

func (d *mortal) rename(name, other string) error {
	return d.step("", func(string) error { return d.osDisk.rename(name, other) })
}

func (d *mortal) remove(name string) error {
	return d.step("", func(string) error { return d.osDisk.remove(name) })
}

// A command that is killed at whatever step leaves all of its files or what the next takes back by itself, also when that
// writes something else.
func TestWriterThatIsKilledAtAnyStep(t *testing.T) {
	const whole = 9
	for left := range whole + 2 {
		for _, half := range []bool{false, true} {
			module := t.TempDir()
			t.Chdir(module)
			require.NoError(t, WriteFile("migrations", "0001_a.cql", []string{"a"}))
			before := contents(t, "migrations")

			added, err := newFile("0002_b.cql", []string{"-- aml:func f"})
			require.NoError(t, err)
			stub := Companion{"migration_0002.go", "package shop"}
			d := &mortal{left: left, half: half}
			err = inFolder(d, "migrations", func(l *folderLock) error { return l.add(added, []Companion{stub}) })
			if left >= whole {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, errKilled)
			}

			require.NoError(t, TakeBack("migrations"), "%d steps", left)
			now := contents(t, "migrations")
			if now["0002_b.cql"] == "" {
				require.Equal(t, before, now, "%d steps", left)
				require.Equal(t, []string{"migrations"}, inside(t, module))
				require.NoError(t, WriteFile("migrations", "0002_other.cql", []string{"c", "d"}, Companion{"migration_0002.go", "package other"}))
				continue
			}
			require.Equal(t, []string{"0001_a.cql", "0002_b.cql", "aml.sum"}, inside(t, "migrations"))
			require.Equal(t, []string{"migration_0002.go", "migrations"}, inside(t, module))
			require.Equal(t, "-- aml:func f\n", now["0002_b.cql"])
			_, err = ReadFolder(os.DirFS("migrations"))
			require.NoError(t, err)
		}
	}
}

// What was edited since is somebody's work: it stays, and is named.
func TestTakeBackLeavesWhatWasEdited(t *testing.T) {
	for edited, want := range map[string][]string{
		"migrations/0001_a.cql": {"migrations/0001_a.cql"},
		"migration_0001.go":     {"migration_0001.go"},
	} {
		t.Chdir(t.TempDir())
		require.NoError(t, os.Mkdir("migrations", 0o755))
		added, err := newFile("0001_a.cql", []string{"a"})
		require.NoError(t, err)
		d := &mortal{left: 6} // all but aml.sum
		require.ErrorIs(t, inFolder(d, "migrations", func(l *folderLock) error {
			return l.add(added, []Companion{{"migration_0001.go", "package shop"}})
		}), errKilled)
		require.FileExists(t, "migrations/0001_a.cql")
		require.FileExists(t, "migration_0001.go")
		require.NoError(t, os.WriteFile(edited, []byte("mine"), 0o644))
		require.NoError(t, TakeBack("migrations"))
		left, err := filepath.Glob("migration*/*.cql")
		require.NoError(t, err)
		stubs, err := filepath.Glob("*.go")
		require.NoError(t, err)
		require.Equal(t, want, append(left, stubs...))
	}
}

// Whoever vouches for what is there keeps it.
func TestWriteSumKeepsWhatAKilledWriterLeft(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("migrations", 0o755))
	added, err := newFile("0001_a.cql", []string{"a"})
	require.NoError(t, err)
	require.ErrorIs(t, inFolder(&mortal{left: 3}, "migrations", func(l *folderLock) error { return l.add(added, nil) }), errKilled)
	require.NoError(t, WriteSum("migrations"))
	require.NoError(t, TakeBack("migrations"))
	require.Equal(t, "a;\n", contents(t, "migrations")["0001_a.cql"])
}

// inside lists a folder.
func inside(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
