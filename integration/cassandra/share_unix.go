//go:build unix

package cassandra

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"
)

const (
	serverPattern = "server-*"
	againName     = "again"
	fullName      = "full"
	keptFolders   = 3
	admitTimeout  = 20 * time.Second // afterwards this server is ignored, and another one launched
	admitEvery    = 5 * time.Millisecond
)

// errEnded reports that no process supervises the server any more.
var errEnded = errors.New("the server has ended")

// commons is the folder in which processes find the server that they share. Every server has a folder in it:
//
//	lock               of the commons: one process at a time joins or launches
//	server-1234/
//		lock       held by the supervisor and all its children, so free when all of them have ended; if data is
//		           kept, a link to the lock of that data
//		alive      the FIFO whose writers are the users
//		users/     a file for each user that has not released the server
//		hosts      the contact points, a line each
//		again      a FIFO, only if the server can be restarted: "start" restarts it after its end
//		full       if no process is to join it any more
//		node1/     see node
type commons struct {
	dir   string
	grace int // seconds from SIGTERM to SIGKILL
}

// plan is a server to launch: its command, which runs in the folder node1 of its folder, and its contact points.
type plan struct {
	command     []string
	hosts       []string
	restartable bool   // it can be restarted after the end of its process
	lock        string // a file that only one running server can lock; empty: each server has a separate one
}

// join returns a share of the server that runs here, or of one that it launches with prepare. The server may not answer yet.
func (c commons) join(ctx context.Context, prepare func(dir string) (plan, error)) (*share, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFile(ctx, filepath.Join(c.dir, "lock"))
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	dirs, err := c.servers()
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, fullName)); err == nil {
			continue
		}
		if s, err := enter(ctx, dir); err == nil {
			return s, nil
		}
	}
	if err := c.prune(dirs); err != nil {
		return nil, err
	}
	return c.launch(ctx, prepare)
}

// servers lists the folders of servers, the newest first.
func (c commons) servers() ([]string, error) {
	dirs, err := filepath.Glob(filepath.Join(c.dir, serverPattern))
	slices.SortFunc(dirs, func(a, b string) int { return modified(b).Compare(modified(a)) })
	return dirs, err
}

func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// prune removes the logs of old servers, except for the last few, and the remains of a crash of the machine.
func (c commons) prune(dirs []string) error {
	for _, dir := range dirs[min(keptFolders, len(dirs)):] {
		lock, err := tryLockFile(filepath.Join(dir, "lock"))
		if err != nil {
			continue // it is ending, or has ended since
		}
		lock.Close()
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// launch starts a supervisor in a separate folder and enters it.
func (c commons) launch(ctx context.Context, prepare func(dir string) (plan, error)) (*share, error) {
	dir, err := os.MkdirTemp(c.dir, serverPattern)
	if err != nil {
		return nil, err
	}
	pipe, err := c.runIn(ctx, dir, prepare)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s, err := admit(ctx, dir, pipe)
	if err != nil {
		n := nodeIn(dir)
		return nil, &StartError{Err: err, LogDir: n.logDir(), Tail: n.tail(tailLines)}
	}
	s.launched = true
	return s, nil
}

// runIn prepares the folder of a server and starts its supervisor. It returns the first user's end of the pipe, which is
// open before the supervisor looks for users.
func (c commons) runIn(ctx context.Context, dir string, prepare func(dir string) (plan, error)) (pipe int, err error) {
	for _, sub := range []string{"users", "node1/logs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return -1, err
		}
	}
	p, err := prepare(dir)
	if err != nil {
		return -1, err
	}
	if err := os.WriteFile(filepath.Join(dir, "hosts"), []byte(strings.Join(p.hosts, "\n")), 0o600); err != nil {
		return -1, err
	}
	if p.restartable {
		if err := unix.Mkfifo(filepath.Join(dir, againName), 0o600); err != nil {
			return -1, err
		}
	}
	if p.lock != "" {
		if err := os.Symlink(p.lock, filepath.Join(dir, "lock")); err != nil {
			return -1, err
		}
	}
	lock, err := lockFile(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return -1, err
	}
	defer lock.Close()
	users, pipe, err := newPipe(filepath.Join(dir, "alive"))
	if err != nil {
		return -1, err
	}
	defer users.Close()
	if err := c.supervise(dir, lock, users, p.command); err != nil {
		return -1, errors.Join(err, unix.Close(pipe))
	}
	return pipe, nil
}

// newPipe creates a FIFO and opens both ends.
func newPipe(fifo string) (reader *os.File, writer int, err error) {
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		return nil, -1, err
	}
	reader, err = openReader(fifo)
	if err != nil {
		return nil, -1, err
	}
	writer, err = openWriter(fifo)
	if err != nil {
		reader.Close()
		return nil, -1, err
	}
	return reader, writer, nil
}

// supervise runs the command under a supervisor, in a separate session, which receives no signal of the terminal.
func (c commons) supervise(dir string, lock, users *os.File, command []string) error {
	script := filepath.Join(dir, "supervise.sh")
	text, err := conf.ReadFile("conf/supervise.sh")
	if err != nil {
		return err
	}
	if err := os.WriteFile(script, text, 0o600); err != nil {
		return err
	}
	output, err := os.Create(filepath.Join(dir, "node1", "logs", "output.log"))
	if err != nil {
		return err
	}
	defer output.Close()
	cmd := exec.Command("/bin/sh", append([]string{script, strconv.Itoa(c.grace), dir}, command...)...)
	cmd.Dir = filepath.Join(dir, "node1")
	cmd.Env = append(os.Environ(), "MALLOC_ARENA_MAX=4")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = users, output, output
	cmd.ExtraFiles = []*os.File{lock}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // leaves no zombie
	return nil
}

// openReader opens the end that a shell reads. Opening it does not wait for a writer, but reads wait for input.
func openReader(fifo string) (*os.File, error) {
	fd, err := unix.Open(fifo, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), fifo), nil
}

// openWriter opens the end of a user. It fails with ENXIO if no process reads.
func openWriter(fifo string) (int, error) {
	return unix.Open(fifo, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// share is a user's part of a server: the server runs while the pipe is open. The pipe is a bare descriptor because an
// unreferenced os.File closes itself.
type share struct {
	dir      string
	name     string
	hosts    []string
	launched bool

	mu   sync.Mutex
	pipe int // -1 after the release
}

// enter becomes a user of a server. It fails unless the server's supervisor has counted the user.
func enter(ctx context.Context, dir string) (*share, error) {
	pipe, err := openWriter(filepath.Join(dir, "alive"))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, admitTimeout)
	defer cancel()
	return admit(ctx, dir, pipe)
}

// admit waits until the supervisor has read the user's name. A supervisor that has seen the end of its users does not read
// any more, even if the pipe could be opened.
func admit(ctx context.Context, dir string, pipe int) (*share, error) {
	s := &share{dir: dir, pipe: pipe, name: fmt.Sprintf("%d-%s", os.Getpid(), uuid.NewString()[:8])}
	if err := s.awaitAdmission(ctx); err != nil {
		return nil, errors.Join(err, unix.Close(pipe))
	}
	hosts, err := os.ReadFile(filepath.Join(dir, "hosts"))
	if err != nil {
		return nil, errors.Join(err, unix.Close(pipe))
	}
	s.hosts = strings.Fields(string(hosts))
	return s, nil
}

func (s *share) awaitAdmission(ctx context.Context) error {
	for text := s.name + "\n"; ; text = "\n" {
		if err := s.notify(text); err != nil {
			return err
		}
		if _, err := os.Stat(s.file()); err == nil {
			return nil
		}
		if !pause(ctx, admitEvery) {
			return fmt.Errorf("not admitted to %s: %w", s.dir, ctx.Err())
		}
	}
}

// file is the file that exists while the user wants to keep the logs.
func (s *share) file() string { return filepath.Join(s.dir, "users", s.name) }

// notify writes to the supervisor. A full pipe is not an error: the supervisor runs, but is busy.
func (s *share) notify(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pipe < 0 {
		return errEnded
	}
	for {
		_, err := unix.Write(s.pipe, []byte(text))
		switch {
		case err == nil, errors.Is(err, unix.EAGAIN):
			return nil
		case errors.Is(err, unix.EPIPE):
			return errEnded
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

// alive returns nil while a process supervises the server.
func (s *share) alive() error { return s.notify("\n") }

func (s *share) node() node { return nodeIn(s.dir) }

func (s *share) logDir() string { return s.node().logDir() }

func (s *share) logTail(lines int) string { return s.node().tail(lines) }

// keepLogs creates or removes the user's file. It has no effect after the server has ended.
func (s *share) keepLogs(keep bool) {
	if !keep {
		os.Remove(s.file())
		return
	}
	if file, err := os.OpenFile(s.file(), os.O_CREATE, 0o600); err == nil {
		file.Close()
	}
}

// fill lets later processes start another server.
func (s *share) fill() error { return os.WriteFile(filepath.Join(s.dir, fullName), nil, 0o600) }

// release leaves the server. Logs that are to be kept are not removed.
func (s *share) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pipe < 0 {
		return nil
	}
	fd := s.pipe
	s.pipe = -1
	return unix.Close(fd)
}
