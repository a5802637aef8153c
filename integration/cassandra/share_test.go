//go:build unix

package cassandra

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const patience = time.Minute // only limits a test that hangs

// stub returns a plan whose server is a shell script. It runs in the folder's node1.
func stub(script string) func(string) (plan, error) {
	return func(dir string) (plan, error) {
		err := os.MkdirAll(filepath.Join(dir, "node1", "state"), 0o700)
		return plan{command: []string{"/bin/sh", "-c", script}, hosts: []string{"127.0.0.1:1"}}, err
	}
}

// Scripts of stubs. A stub that received SIGTERM waits for the file "go" before it ends.
const (
	sleeps   = "echo up; exec sleep 3600"
	stubborn = "trap '' TERM; " + sleeps
	lingers  = "trap 'until [ -e go ]; do sleep 0.01; done; exit' TERM; echo up; while :; do sleep 0.01; done"
)

// mustJoin returns a share whose server has started.
func (c commons) mustJoin(t *testing.T, script string) *share {
	t.Helper()
	s, err := c.join(t.Context(), stub(script))
	require.NoError(t, err)
	ended := ending(t, s.dir)
	t.Cleanup(func() {
		s.release()
		ended()
	})
	require.Eventually(t, func() bool { return strings.Contains(s.logTail(9), "up") }, patience, time.Millisecond)
	return s
}

// ending waits until no process or folder of a server remains. Call it before the server can end.
func ending(t *testing.T, dir string) (wait func()) {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "lock"))
	require.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	return func() {
		t.Helper()
		defer file.Close()
		require.Eventually(t, func() bool {
			return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
		}, patience, time.Millisecond, "a process of %s still runs", dir)
	}
}

func serverPid(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "node1", "pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	return pid
}

func TestServerEndsWithItsLastUser(t *testing.T) {
	place := commons{t.TempDir(), 60}
	first := place.mustJoin(t, sleeps)
	second := place.mustJoin(t, sleeps)
	require.True(t, first.launched)
	require.False(t, second.launched)
	require.Equal(t, first.dir, second.dir)
	ended, pid := ending(t, first.dir), serverPid(t, first.dir)

	first.keepLogs(false)
	require.NoError(t, first.release())
	require.NoError(t, first.release(), "again")
	require.ErrorIs(t, first.alive(), errEnded)
	require.NoError(t, second.alive())
	require.NoError(t, unix.Kill(pid, 0))

	second.keepLogs(false)
	require.NoError(t, second.release())
	ended()
	require.ErrorIs(t, unix.Kill(pid, 0), unix.ESRCH)
	require.NoDirExists(t, first.dir)
}

// Nobody joins a full server, and its users stay.
func TestFullServerIsNotJoined(t *testing.T) {
	place := commons{t.TempDir(), 60}
	first := place.mustJoin(t, sleeps)
	require.NoError(t, first.fill())
	second, third := place.mustJoin(t, sleeps), place.mustJoin(t, sleeps)
	require.NotEqual(t, first.dir, second.dir)
	require.Equal(t, second.dir, third.dir)
	require.NoError(t, first.alive())
	require.NoError(t, second.release())
}

func TestServerThatIgnoresTermIsKilled(t *testing.T) {
	s := commons{t.TempDir(), 0}.mustJoin(t, stubborn)
	ended := ending(t, s.dir)
	require.NoError(t, s.release())
	ended()
}

func TestLogsOfAFailureAreKept(t *testing.T) {
	s := commons{t.TempDir(), 60}.mustJoin(t, sleeps)
	ended := ending(t, s.dir)
	s.keepLogs(false)
	s.keepLogs(true)
	require.NoError(t, s.release())
	ended()
	require.FileExists(t, filepath.Join(s.logDir(), "output.log"))
	require.NoDirExists(t, filepath.Join(s.dir, "node1", "state"))
}

func TestServerThatEndsByItself(t *testing.T) {
	place := commons{t.TempDir(), 60}
	s := place.mustJoin(t, "echo up; until [ -e go ]; do sleep 0.01; done; echo out of memory; exit 3")
	s.keepLogs(false)
	ended := ending(t, s.dir)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "node1", "go"), nil, 0o600))
	ended()
	require.ErrorIs(t, s.alive(), errEnded)
	require.Equal(t, "output.log:\nup\nout of memory\n", s.logTail(9))
	require.NotEqual(t, s.dir, place.mustJoin(t, sleeps).dir)
}

func TestNewUserDoesNotWaitForAServerThatEnds(t *testing.T) {
	place := commons{t.TempDir(), 60}
	old := place.mustJoin(t, lingers)
	ended, pid := ending(t, old.dir), serverPid(t, old.dir)
	old.keepLogs(false)
	require.NoError(t, old.release())
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(old.dir, "ending"))
		return err == nil
	}, patience, time.Millisecond)

	fresh := place.mustJoin(t, sleeps)
	require.True(t, fresh.launched)
	require.NoError(t, unix.Kill(pid, 0), "the old server still runs")
	require.NoError(t, os.WriteFile(filepath.Join(old.dir, "node1", "go"), nil, 0o600))
	ended()
	require.NoError(t, fresh.alive())
}

func TestServerEndsWithItsUsersWithoutTheSupervisor(t *testing.T) {
	s := commons{t.TempDir(), 60}.mustJoin(t, sleeps)
	ended := ending(t, s.dir)
	supervisor, err := os.ReadFile(filepath.Join(s.dir, "supervisor"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(supervisor)))
	require.NoError(t, err)
	require.NoError(t, unix.Kill(pid, unix.SIGKILL))
	require.NoError(t, s.alive(), "the server still runs")
	require.NoError(t, s.release())
	ended()
}

func TestCommandThatCannotRunIsReported(t *testing.T) {
	place := commons{t.TempDir(), 60}
	s, err := place.join(t.Context(), func(string) (plan, error) {
		return plan{command: []string{"/no/such/java"}}, nil
	})
	if err == nil { // admitted before the shell failed
		require.Eventually(t, func() bool { return s.alive() != nil }, patience, time.Millisecond)
		require.Contains(t, s.logTail(9), "/no/such/java")
		return
	}
	failure := new(StartError)
	require.ErrorAs(t, err, &failure)
	require.Contains(t, failure.Tail, "/no/such/java")
	require.FileExists(t, filepath.Join(failure.LogDir, "output.log"))
}

func TestOldLogsArePruned(t *testing.T) {
	place := commons{t.TempDir(), 60}
	for range keptFolders + 2 {
		s := place.mustJoin(t, sleeps)
		ended := ending(t, s.dir)
		require.NoError(t, s.release())
		ended()
	}
	last := place.mustJoin(t, sleeps)
	dirs, err := place.servers()
	require.NoError(t, err)
	require.Len(t, dirs, keptFolders+1)
	require.Contains(t, dirs, last.dir)
}

func TestWaitForALockEndsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := lockFile(t.Context(), path)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = lockFile(ctx, path)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, held.Close())
	again, err := lockFile(ctx, path)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

func TestOwnDirErrors(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	require.NoError(t, os.Mkdir(open, 0o700))
	require.NoError(t, ownDir(open))
	require.NoError(t, os.Chmod(open, 0o777))
	require.ErrorContains(t, ownDir(open), "only this user writes to")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(t.TempDir(), link))
	require.ErrorContains(t, ownDir(link), "only this user writes to")
}
