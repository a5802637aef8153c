//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A signal immediately ends every command that waits for another program: the exit code is 128 plus the number of the signal,
// the other program ends as well, and no file is changed.
func TestSignalWhileAnotherProgramRuns(t *testing.T) {
	for _, command := range []struct{ program, args string }{
		{"go", "check"},
		{"go", "check -json ./..."},
		{"go", "generate"},
		{"go", "generate -check"},
		{"go", "diff more"},
		{"go", "diff -check"},
		{"go", "explain"},
		{"go", "estimate"},
		{"go", "alternatives Customer.Vehicles"},
		{"go", "advise -workload workload.cql"},
		{"go", "reconcile -keyspace shop -hosts 127.0.0.1"},
		{"go", "migrate verify"},
		{"mvn", "migrate verify"},
		{"mvn", "dev"},
		{"mvn", "dev -keep"},
	} {
		t.Run(command.program+" "+command.args, func(t *testing.T) {
			ending(t, func(t *testing.T, s syscall.Signal) {
				dir := signalModule(t)
				bin, reached := t.TempDir(), filepath.Join(t.TempDir(), "reached")
				fakes(t, bin, command.program, reached)
				c := interruptible(t, dir, strings.Fields(command.args)...)
				c.Env = append(c.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
					"CASSANDRA_HOSTS=", "DOCKER_HOST=unix:///nonexistent/docker.sock", "JAVA_HOME=")
				var held *os.File
				c.end(t, s, func() error {
					f, err := os.Open(reached) // until the program opens it for writing
					if err != nil {
						return err
					}
					held = f
					_, err = bufio.NewReaderSize(f, 1).ReadString('\n')
					return err
				})
				_, err := io.Copy(io.Discard, held) // until no process has it open for writing
				require.NoError(t, err)
				require.NoError(t, held.Close())
			})
		})
	}
}

// A signal also ends a command that waits for a server.
func TestSignalWhileServerIsSilent(t *testing.T) {
	for _, command := range []string{
		"migrate up -keyspace shop -timeout 1h",
		"migrate status -keyspace shop -timeout 1h",
		"migrate verify -timeout 1h",
		"diff -from live -keyspace shop -timeout 1h",
		"inspect -keyspace shop -timeout 1h",
		"import -keyspace shop -timeout 1h -o imported.go",
		"dev -keyspace shop",
	} {
		t.Run(command, func(t *testing.T) {
			ending(t, func(t *testing.T, s syscall.Signal) {
				server, err := net.Listen("tcp", "127.0.0.1:0")
				require.NoError(t, err)
				defer server.Close()
				c := interruptible(t, signalModule(t), strings.Fields(command)...)
				c.Env = append(c.Env, "CASSANDRA_HOSTS="+server.Addr().String())
				c.end(t, s, func() error { return firstRequest(t, server) })
			})
		})
	}
}

// A signal also ends aml reconcile while it waits for a server. A test of package reconcilecmd ends the program that it builds.
func TestSignalWhileReconcileConnects(t *testing.T) {
	ending(t, func(t *testing.T, s syscall.Signal) {
		server, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer server.Close()
		dir := signalModule(t)
		model := filepath.Join(dir, "model.go")
		text, err := os.ReadFile(model)
		require.NoError(t, err)
		field := "\tName string `aml:\"name\"`\n"
		require.NoError(t, os.WriteFile(model, bytes.Replace(text, []byte(field), []byte(field+"\tV int64 `aml:\"v,version\"`\n"), 1), 0o644))
		require.NoError(t, interruptible(t, dir, "generate").Run())
		c := interruptible(t, dir, "reconcile", "-keyspace", "shop", "-hosts", server.Addr().String(), "-timeout", "1h")
		c.end(t, s, func() error { return firstRequest(t, server) })
	})
}

// firstRequest waits for a request, which is not answered. A connection can end without one: a driver gives a connection up whose time limit has
// passed before it could send anything, on a busy machine, and connects again; and other programs try ports.
func firstRequest(t *testing.T, server net.Listener) error {
	for {
		conn, err := server.Accept()
		if err != nil {
			return err
		}
		t.Cleanup(func() { _ = conn.Close() })
		if _, err = conn.Read(make([]byte, 1)); err == nil {
			return nil
		}
	}
}

// ending runs a test for each signal that ends a command.
func ending(t *testing.T, test func(*testing.T, syscall.Signal)) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(unix.SignalName(s), func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

// interruptibleCommand is the command aml in a folder that it must not change.
type interruptibleCommand struct {
	*exec.Cmd
	output bytes.Buffer
}

func interruptible(t *testing.T, dir string, args ...string) *interruptibleCommand {
	t.Helper()
	c := &interruptibleCommand{Cmd: exec.Command("aml", args...)}
	modules, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	require.NoError(t, err)
	caches := strings.Fields(string(modules))
	home := t.TempDir()
	telemetry := filepath.Join(home, "go", "telemetry") // a child of the go command writes to it after the command has ended
	require.NoError(t, os.MkdirAll(telemetry, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o644))
	c.Dir, c.Stdout, c.Stderr = dir, &c.output, &c.output
	c.Env = append(os.Environ(), "GOMODCACHE="+caches[0], "GOCACHE="+caches[1], "GOPROXY=off", "GOFLAGS=-mod=mod", "PWD="+dir,
		"HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "TMPDIR="+home)
	return c
}

// end starts the command, sends a signal when reach returns, and waits until the command and all processes with its output
// have ended.
func (c *interruptibleCommand) end(t *testing.T, s syscall.Signal, reach func() error) {
	t.Helper()
	before := tree(t, c.Dir)
	require.NoError(t, c.Start())
	reached, ended := make(chan error, 1), make(chan error, 1)
	go func() { ended <- c.Wait() }()
	go func() { reached <- reach() }()
	select {
	case err := <-reached:
		require.NoError(t, err)
	case err := <-ended:
		require.FailNow(t, "the command ended by itself", "%v\n%s", err, &c.output)
	}
	require.NoError(t, c.Process.Signal(s))
	<-ended
	require.Equal(t, 128+int(s), c.ProcessState.ExitCode(), "%v\n%s", c.ProcessState, &c.output)
	require.Contains(t, c.output.String(), s.String()+" signal received")
	require.Equal(t, before, tree(t, c.Dir))
}

// fakes writes programs to a folder. One of them opens a pipe for writing and then waits until it is killed.
func fakes(t *testing.T, dir, blocked, reached string) {
	t.Helper()
	never := filepath.Join(t.TempDir(), "never")
	require.NoError(t, unix.Mkfifo(reached, 0o600))
	require.NoError(t, unix.Mkfifo(never, 0o600)) // nothing opens it for writing
	for name, text := range map[string]string{
		"java":  "echo 'openjdk version \"17.0.1\"' >&2\n",
		blocked: "exec 3>'" + reached + "'\necho >&3\nread line <'" + never + "'\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755))
	}
}

// signalModule writes a module with a model, its store, a workload, and a migration of an earlier model.
func signalModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, module(dir, root))
	for name, text := range map[string]string{
		"model.go": "package shop\n\nimport \"github.com/cassaml/cassaml/aml\"\n\ntype Customer struct {\n\taml.Aggregate `aml:\"customers\"`\n\n" +
			"\tID   int32  `aml:\"id,identifier\"`\n\tName string `aml:\"name\"`\n}\n",
		"aml_gen.go":               "// Code generated by aml; DO NOT EDIT.\n\npackage shop\n",
		"workload.cql":             "SELECT * FROM customers WHERE id = ?;\n",
		"schema.cql":               "-- Code generated by aml; DO NOT EDIT.\n-- of an earlier model\n",
		"migrations/0001_init.cql": "CREATE TABLE customers (id int PRIMARY KEY);\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	c := interruptible(t, dir, "migrate", "sum")
	require.NoError(t, c.Run(), "%s", &c.output)
	return dir
}

// file is the content and the state of a file.
type file struct {
	mode    fs.FileMode
	changed time.Time
	text    string
}

// tree reads all files of a folder.
func tree(t *testing.T, dir string) map[string]file {
	t.Helper()
	out := map[string]file{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := e.Info()
		if err != nil {
			return err
		}
		f := file{mode: i.Mode(), changed: i.ModTime()}
		if i.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f.text = string(text)
		}
		out[path] = f
		return nil
	}))
	return out
}
