//go:build unix

package cassandra

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const holderVariable = "CASSAML_TEST_HOLDER"

func TestMain(m *testing.M) { Main(m) }

// TestHolder runs in a child process of the tests below: it holds a server that keeps its data in the folder of the
// environment, prints its address, and then executes the commands that it reads, line by line.
func TestHolder(t *testing.T) {
	dir := os.Getenv(holderVariable)
	if dir == "" {
		t.Skip("runs only as a child process of other tests")
	}
	found, err := findLocal(t.Context(), Config{StateDir: dir, Keep: true, Log: os.Stderr})
	require.NoError(t, err)
	server, err := found.start(t.Context())
	require.NoError(t, err)
	session, err := server.Keyspace(t.Context(), "held")
	require.NoError(t, err)
	defer session.Close()
	fmt.Println("holds", server.Hosts()[0], server.LogDir())
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch lines.Text() {
		case "read":
			version, err := serverVersion(t.Context(), server.Hosts(), false)
			fmt.Println("read", version, err)
		case "create":
			fmt.Println("created", session.ExecStmt("CREATE TABLE notes (id int PRIMARY KEY, text text)"))
		case "write":
			fmt.Println("written", session.ExecStmt("INSERT INTO notes (id, text) VALUES (1, 'kept')"))
		case "look":
			var text string
			err := session.Session.Query("SELECT text FROM notes WHERE id = 1").Scan(&text)
			fmt.Println("found", text, err)
		case "panic":
			panic("panic requested")
		}
	}
	require.NoError(t, server.Close())
}

// holder is a child process that runs a test, in a separate process group.
type holder struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Scanner
	err   bytes.Buffer
	host  string
	inDir string
}

func startHolder(t *testing.T, stateDir string) *holder {
	t.Helper()
	return startChild(t, "TestHolder", holderVariable+"="+stateDir)
}

// startChild runs a test in a child process.
func startChild(t *testing.T, test, environment string) *holder {
	t.Helper()
	h := &holder{cmd: exec.Command(os.Args[0], "-test.run=^"+test+"$")}
	h.cmd.Env = append(os.Environ(), environment)
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	h.cmd.Stderr = &h.err
	in, err := h.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := h.cmd.StdoutPipe()
	require.NoError(t, err)
	h.in, h.out = in, bufio.NewScanner(out)
	require.NoError(t, h.cmd.Start())
	t.Cleanup(func() {
		h.cmd.Process.Kill()
		h.cmd.Wait()
	})
	return h
}

// await reads the child's lines until one begins with the word, and returns its fields.
func (h *holder) await(t *testing.T, word string) []string {
	t.Helper()
	for h.out.Scan() {
		if fields := strings.Fields(h.out.Text()); len(fields) > 0 && fields[0] == word {
			return fields
		}
	}
	h.cmd.Wait()
	t.Fatalf("the child ended without %q: %s", word, h.err.String())
	return nil
}

func (h *holder) awaitServer(t *testing.T) {
	t.Helper()
	fields := h.await(t, "holds")
	h.host = fields[1]
	h.inDir = filepath.Dir(filepath.Dir(fields[2]))
}

func (h *holder) requireRead(t *testing.T) {
	t.Helper()
	version, err := release()
	require.NoError(t, err)
	h.requireAnswer(t, "read", "read", version, "<nil>")
}

// requireAnswer sends the child a command, and compares its output.
func (h *holder) requireAnswer(t *testing.T, order string, want ...string) {
	t.Helper()
	h.notify(t, order)
	require.Equal(t, want, h.await(t, want[0]))
}

func (h *holder) notify(t *testing.T, line string) {
	t.Helper()
	_, err := fmt.Fprintln(h.in, line)
	require.NoError(t, err)
}

// signal sends a signal to the child's process group, as a terminal does.
func (h *holder) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	require.NoError(t, unix.Kill(-h.cmd.Process.Pid, signal))
	require.Error(t, h.cmd.Wait())
}

// requireLocal skips the test if no server can run as a process of this machine.
func requireLocal(t *testing.T) {
	t.Helper()
	if _, err := findLocal(t.Context(), Config{StateDir: t.TempDir()}); err != nil {
		refuse(t, &NoClusterError{Local: err})
	}
}

// Users share a server until the last has ended, however each of them ends. A server that is started again has the kept
// data.
func TestProcessesShareAServerUntilTheLastHasEnded(t *testing.T) {
	requireLocal(t)
	dir := t.TempDir()
	holders := []*holder{startHolder(t, dir), startHolder(t, dir), startHolder(t, dir), startHolder(t, dir)}
	for _, h := range holders {
		h.awaitServer(t)
		require.Equal(t, holders[0].host, h.host)
		require.Equal(t, holders[0].inDir, h.inDir)
	}
	host, folder := holders[0].host, holders[0].inDir
	ended, pid := ending(t, folder), serverPid(t, folder)
	requireArchivedClasses(t, pid)

	holders[0].signal(t, unix.SIGINT)
	holders[1].requireRead(t)
	require.NoError(t, holders[1].in.Close())
	require.NoError(t, holders[1].cmd.Wait())
	holders[2].notify(t, "panic")
	require.Error(t, holders[2].cmd.Wait())
	require.Contains(t, holders[2].err.String(), "panic requested")
	last := holders[3]
	last.requireRead(t)
	last.requireAnswer(t, "create", "created", "<nil>")
	last.requireAnswer(t, "write", "written", "<nil>")
	last.signal(t, unix.SIGKILL)
	ended()
	requireGone(t, pid, host)
	require.NoDirExists(t, folder)

	again := startHolder(t, dir)
	again.awaitServer(t)
	require.NotEqual(t, folder, again.inDir)
	ended = ending(t, again.inDir)
	again.requireAnswer(t, "look", "found", "kept", "<nil>")
	require.NoError(t, again.in.Close())
	require.NoError(t, again.cmd.Wait())
	ended()
}

// requireArchivedClasses requires that Java has mapped the file with the classes of the server. It checks nothing if this Java cannot
// write the file, or the operating system does not list the mapped files.
func requireArchivedClasses(t *testing.T, pid int) {
	t.Helper()
	version, err := release()
	require.NoError(t, err)
	found, err := findJava(t.Context(), version)
	require.NoError(t, err)
	if runtime.GOOS != "linux" || found.major < oldestArchiver || found.unsupported(version) {
		return
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	require.NoError(t, err)
	require.Contains(t, string(maps), "/classes-")
}

func requireGone(t *testing.T, pid int, host string) {
	t.Helper()
	require.ErrorIs(t, unix.Kill(pid, 0), unix.ESRCH)
	_, err := net.Dial("tcp", host)
	require.ErrorIs(t, err, unix.ECONNREFUSED)
}

// bare returns a child process without any way to a server.
func bare(test string, more ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append([]string{
		"PATH=", "HOME=/nonexistent", "XDG_CACHE_HOME=/nonexistent", "DOCKER_HOST=unix:///nonexistent/docker.sock",
	}, more...)
	return cmd
}

func TestWithoutAServer(t *testing.T) {
	cmd := bare("TestServerKeyspaceKeepsCaseAndChecksNames", requireVariable+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.Error(t, cmd.Run())
	require.Contains(t, out.String(), "cassandra: no server: set CASSANDRA_HOSTS=host[:port],... or start a Docker engine (")
	require.Contains(t, out.String(), ") or install Java 17 or 11 and Maven (no java in PATH)\n")
	require.Empty(t, errs.String(), "the search for an engine prints nothing")
}

func TestTestsWithoutAServerAreSkippedOrFail(t *testing.T) {
	out, err := bare("TestKeyspaceIsFreshAndDropped").CombinedOutput()
	require.NoError(t, err)
	require.Contains(t, string(out), "--- SKIP: TestKeyspaceIsFreshAndDropped")
	require.Contains(t, string(out), "cassandra: no server: set CASSANDRA_HOSTS=")

	out, err = bare("TestKeyspaceIsFreshAndDropped", requireVariable+"=1").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "--- FAIL: TestKeyspaceIsFreshAndDropped")
}
