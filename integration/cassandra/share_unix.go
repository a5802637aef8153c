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
	keptFolders   = 3
	admitTimeout  = 20 * time.Second // after it a server is left to itself, and another one launched
	admitEvery    = 5 * time.Millisecond
)

// errEnded is returned where no process supervises the server any more.
var errEnded = errors.New("the server has ended")

// commons is the folder in which processes find the server that they share. In it every server has a folder:
//
//	lock               of the commons: one process at a time joins or launches
//	server-1234/
//		lock       held by the supervisor and all its children, so free when nothing of the server is left; where
//		           data is kept, a link to the lock of that data
//		alive      the FIFO whose writers are the users
//		users/     a file for each user that has not left in peace
//		hosts      the contact points, a line each
//		again      a FIFO, only where the server can be restarted: "start" does so after it has ended
//		node1/     see node
type commons struct {
	dir   string
	grace int // seconds from SIGTERM to SIGKILL
}

// plan is a server about to be launched: its command, to be run in its folder's node1, and its contact points.
type plan struct {
	command     []string
	hosts       []string
	restartable bool   // it outlives the end of its process
	lock        string // the file that no two servers may lock at a time; empty: each has its own
}

// join returns a share of the server that runs here, or else of one that it launches as prepare says. The share's
// server may not answer yet.
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

// prune removes the logs of old servers, but not of the last few, and what a crash of the machine left.
func (c commons) prune(dirs []string) error {
	for _, dir := range dirs[min(keptFolders, len(dirs)):] {
		lock, err := tryLockFile(filepath.Join(dir, "lock"))
		if err != nil {
			continue // it is ending, or has gone in the meantime
		}
		lock.Close()
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// launch starts a supervisor in a folder of its own and enters it.
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

// runIn prepares the folder of a server and starts its supervisor. It returns the first user's end of the pipe, which
// is open before the supervisor looks for users.
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

// newPipe makes a FIFO and opens both ends.
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

// supervise runs the command under a supervisor, in a session of its own, which no signal of the terminal reaches.
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

// openReader opens the end that a shell can read: it waits for input, although opening does not wait for a writer.
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

// openWriter opens the user's end. It fails with ENXIO when no process reads.
func openWriter(fifo string) (int, error) {
	return unix.Open(fifo, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
}

// share is a user's part in a server: the server runs as long as the pipe is open. The pipe is a bare descriptor because
// an os.File closes itself when nothing refers to it.
type share struct {
	dir      string
	name     string
	hosts    []string
	launched bool

	mu   sync.Mutex
	pipe int // -1 once released
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

// admit waits until the supervisor has read the user's name. A supervisor that has seen the end of its users reads no
// more, although the pipe may still have opened.
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
		if err := s.tell(text); err != nil {
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

// file is there while the user wants the logs kept.
func (s *share) file() string { return filepath.Join(s.dir, "users", s.name) }

// tell writes to the supervisor. A full pipe is no fault: the supervisor is there, only busy.
func (s *share) tell(text string) error {
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

// alive returns nil as long as a process supervises the server.
func (s *share) alive() error { return s.tell("\n") }

func (s *share) node() node { return nodeIn(s.dir) }

func (s *share) logDir() string { return s.node().logDir() }

func (s *share) logTail(lines int) string { return s.node().tail(lines) }

// keepLogs makes or removes the user's file. Neither matters once the server has ended.
func (s *share) keepLogs(keep bool) {
	if !keep {
		os.Remove(s.file())
		return
	}
	if file, err := os.OpenFile(s.file(), os.O_CREATE, 0o600); err == nil {
		file.Close()
	}
}

// release leaves the server. The logs it wanted kept stay.
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
