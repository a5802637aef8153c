//go:build unix

package cassandra

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	oldestArchiver = 13 // the first Java that has -XX:ArchiveClassesAtExit
	archiveSeconds = 60 // from SIGTERM until Java has written the file
	archivePattern = "archive-*"
)

// archived returns the options with which Java maps the classes of the server into memory from a file that contains them parsed and
// verified. This saves about 40 % of the processor time of a start. The file is next to the jars. It is written once for each
// configuration and build of Java, by a server that is started for this purpose and then stopped. Without the file, servers start in the
// usual way. Java ignores a file that does not match its jars or its options. See "Class Data Sharing" in the guide of the Java virtual
// machine.
func (l local) archived(ctx context.Context, jars string) ([]string, error) {
	if l.cfg.Optimize || l.java.major < oldestArchiver {
		return nil, nil
	}
	hash, err := confHash()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(jars, fmt.Sprintf("classes-%s-%s.jsa", hash, l.java.id))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := l.archive(ctx, jars, path); err != nil {
			return nil, err
		}
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return nil, err
	}
	return []string{"-XX:SharedArchiveFile=" + path}, nil
}

// archive writes the file. It is empty if this Java cannot write one. Only one of several processes writes it.
func (l local) archive(ctx context.Context, jars, path string) error {
	lock, err := lockFile(ctx, jars+".lock")
	if err != nil {
		return err
	}
	defer lock.Close()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.cfg.logf("starting Cassandra %s once to archive its classes: later starts are faster", l.release)
	err = l.writeArchive(ctx, jars, path)
	if err == nil || ctx.Err() != nil {
		return err
	}
	l.cfg.logf("servers start without archived classes: %v", err)
	return os.WriteFile(path, nil, 0o600)
}

// writeArchive starts a server in a folder in which no process looks for one, stops it when it has answered, and waits until Java has
// written the file. The caller has the lock of the jars.
func (l local) writeArchive(ctx context.Context, jars, path string) error {
	if err := removeMatching(filepath.Join(l.jars.dir, archivePattern)); err != nil {
		return err
	}
	work, err := os.MkdirTemp(l.jars.dir, archivePattern)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	written := filepath.Join(work, filepath.Base(path))
	own := commons{filepath.Join(l.commons.dir, "archive"), archiveSeconds}
	if err := own.prepare(ctx); err != nil {
		return err
	}
	l.data = "" // no kept data
	s, err := own.launch(ctx, func(dir string) (plan, error) {
		return l.prepare(dir, jars, "-XX:ArchiveClassesAtExit="+written, "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
	})
	if err != nil {
		return err
	}
	if err := awaitAnswer(ctx, Config{}, s.hosts, s.alive); err != nil {
		return errors.Join(err, s.release())
	}
	s.keepLogs(false)
	if err := s.release(); err != nil {
		return err
	}
	switch lock, err := lockFile(ctx, filepath.Join(s.dir, "lock")); {
	case err == nil:
		lock.Close()
	case !errors.Is(err, fs.ErrNotExist): // its folder has been removed
		return err
	}
	return os.Rename(written, path)
}
