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
	// attempts to get a server: the one that was joined may end, or a port may be taken, before it answers.
	attempts    = 3
	keepSeconds = 60 // grace of a server whose data is kept; the others need not write their tables to disk when they end
)

// local runs the server as a process.
type local struct {
	cfg     Config
	release string
	java    java
	jars    jarStore
	commons commons
	data    string // the folder of the kept data; empty: no data is kept
}

// findLocal returns an error if a requirement to run the server here is missing.
func findLocal(ctx context.Context, cfg Config) (local, error) {
	version, err := release()
	if err != nil {
		return local{}, err
	}
	found, err := findJava(ctx, version)
	if err != nil {
		return local{}, err
	}
	jars, err := userJars(version)
	if err != nil {
		return local{}, err
	}
	if err := jars.available(); err != nil {
		return local{}, err
	}
	dir, err := commonsDir(cfg, version)
	if err != nil {
		return local{}, err
	}
	if note := found.note(version); note != "" {
		cfg.logf("%s", note)
	}
	l := local{cfg: cfg, release: version, java: found, jars: jars, commons: commons{dir: dir}}
	if cfg.Keep {
		l.data, err = dataDir(cfg, jars)
		l.commons.grace = keepSeconds
	}
	return l, err
}

// dataDir returns the folder with the kept data of servers of a release. It is next to the jars, or in StateDir.
func dataDir(cfg Config, jars jarStore) (string, error) {
	parent := cfg.StateDir
	if parent == "" {
		parent = jars.dir
	}
	parent, err := filepath.Abs(parent)
	return filepath.Join(parent, "data-"+jars.release), err
}

// commonsDir returns the folder of servers with this release and configuration.
func commonsDir(cfg Config, release string) (string, error) {
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
	name := "cassandra-" + release + "-" + hash
	if cfg.Keep {
		name += "-keep"
	}
	if cfg.Optimize {
		name += "-optimize"
	}
	if cfg.Roles {
		name += "-roles"
	}
	return filepath.Join(parent, name), err
}

// ownDir creates a folder in a place where other users can write, and returns an error if another user owns it.
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
	archived, err := l.archived(ctx, jars)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		s, err := l.commons.join(ctx, func(dir string) (plan, error) { return l.prepare(dir, jars, archived...) })
		if err != nil {
			return nil, err
		}
		l.cfg.logf("%s Cassandra %s at %v, logs in %s", verb(s), l.release, s.hosts, s.logDir())
		err = awaitAnswer(ctx, l.cfg, s.hosts, s.alive)
		if err == nil {
			s.keepLogs(false)
			return &Server{hosts: s.hosts, durable: l.cfg.Keep, roles: l.cfg.Roles, origin: s}, nil
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

// worthAnother reports whether a new server may start without this fault.
func worthAnother(s *share, failure *StartError) bool {
	return errors.Is(failure, errEnded) && (!s.launched || strings.Contains(failure.Tail, "Address already in use"))
}

// prepare configures the only node of a new server, with additional options of Java.
func (l local) prepare(dir, jars string, options ...string) (plan, error) {
	n, err := newNode(dir)
	if err != nil {
		return plan{}, err
	}
	n.release, n.optimize, n.roles = l.release, l.cfg.Optimize, l.cfg.Roles
	lock := ""
	if l.data != "" {
		if err := os.MkdirAll(l.data, 0o700); err != nil {
			return plan{}, err
		}
		n.durable, n.state, lock = true, filepath.Join(l.data, "state"), filepath.Join(l.data, "lock")
	}
	command, err := n.configure(jars, l.java, options...)
	if err != nil {
		return plan{}, err
	}
	return plan{command: command, hosts: []string{n.host()}, lock: lock}, nil
}
