//go:build unix

package cassandra

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// attempts to come by a server: the one that was joined may end, or a port be taken, before it answers.
	attempts     = 3
	graceSeconds = 10
)

// local runs the server as a process.
type local struct {
	cfg     Config
	java    java
	jars    jarStore
	commons commons
}

// findLocal returns an error if something is missing to run the server here.
func findLocal(ctx context.Context, cfg Config) (local, error) {
	found, err := findJava(ctx)
	if err != nil {
		return local{}, err
	}
	jars, err := userJars()
	if err != nil {
		return local{}, err
	}
	if err := jars.available(); err != nil {
		return local{}, err
	}
	dir, err := commonsDir(cfg)
	if err != nil {
		return local{}, err
	}
	return local{cfg: cfg, java: found, jars: jars, commons: commons{dir, graceSeconds}}, nil
}

// commonsDir is where servers of this release and configuration are found.
func commonsDir(cfg Config) (string, error) {
	parent := cfg.StateDir
	if parent == "" {
		parent = filepath.Join(os.TempDir(), fmt.Sprintf("cassaml-%d", os.Getuid()))
		if err := ownDir(parent); err != nil {
			return "", err
		}
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", err
	}
	hash, err := confHash()
	return filepath.Join(parent, "cassandra-"+release+"-"+hash), err
}

// ownDir makes a folder in a place where everybody may write, and refuses one that somebody else put there.
func ownDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Lstat(dir, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR || int(stat.Uid) != os.Getuid() || stat.Mode&0o022 != 0 {
		return fmt.Errorf("%s is not a folder that only this user writes to", dir)
	}
	return nil
}

// start joins or launches a server and waits for its answer.
func (l local) start(ctx context.Context) (*Server, error) {
	jars, err := l.jars.ensure(ctx, l.cfg)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		s, err := l.commons.join(ctx, func(dir string) (plan, error) { return l.prepare(dir, jars) })
		if err != nil {
			return nil, err
		}
		l.cfg.logf("%s Cassandra %s at %v, logs in %s", verb(s), release, s.hosts, s.logDir())
		err = awaitAnswer(ctx, l.cfg, s.hosts, s.alive)
		if err == nil {
			s.keepLogs(false)
			return &Server{hosts: s.hosts, origin: s}, nil
		}
		failure := &StartError{Err: err, LogDir: s.logDir(), Tail: s.logTail(tailLines)}
		if !worthAnother(s, failure) || attempt == attempts {
			return nil, errors.Join(failure, s.release())
		}
		s.keepLogs(false)
		if err := s.release(); err != nil {
			return nil, err
		}
	}
}

func verb(s *share) string {
	if s.launched {
		return "launched"
	}
	return "joined"
}

// worthAnother reports that the fault need not meet a fresh server.
func worthAnother(s *share, failure *StartError) bool {
	return errors.Is(failure, errEnded) && (!s.launched || strings.Contains(failure.Tail, "Address already in use"))
}

// prepare configures the only node of a new server.
func (l local) prepare(dir, jars string) (plan, error) {
	n, err := newNode(dir)
	if err != nil {
		return plan{}, err
	}
	command, err := n.configure(jars, l.java)
	if err != nil {
		return plan{}, err
	}
	return plan{command: command, hosts: []string{n.host()}}, nil
}
