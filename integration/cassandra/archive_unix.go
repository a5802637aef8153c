//go:build unix

package cassandra

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	oldestArchiver  = 13 // the first Java that has -XX:ArchiveClassesAtExit
	archiveSeconds  = 60 // time that Java has to write the file after SIGTERM
	archivePattern  = "archive-*"
	archiveAttempts = 3 // a server that is killed meanwhile is no reason to start without the file forever
)

// archived returns the options with which Java maps the classes of the server into memory from a file that contains them parsed and
// verified. This saves about 40 % of the processor time of a start. The file is next to the jars. It is written once for each
// configuration and build of Java, by a server that is started for this purpose and then stopped. Without the file, servers start in the
// usual way. Java ignores a file that does not match its jars or its options, and writes none with an agent. See "Class Data Sharing" in the guide of the Java virtual
// machine.
func (l local) archived(ctx context.Context, jars string) ([]string, error) {
	if l.cfg.Optimize || l.java.major < oldestArchiver || l.java.unsupported(l.release) {
		return nil, nil
	}
	hash, err := confHash()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(jars, fmt.Sprintf("classes-%s-%s.jsa", hash, l.java.id))
	if err := l.archive(ctx, jars, path); err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		l.cfg.logf("servers start without archived classes: %v", err)
		return nil, nil
	}
	// The path is relative to the folder of the node, because Java splits it at colons.
	return []string{"-XX:SharedArchiveFile=" + filepath.Join("lib", filepath.Base(path))}, nil
}

// archive writes the file, unless it is complete. Only one of several processes writes it.
func (l local) archive(ctx context.Context, jars, path string) error {
	if verifyArchive(path) == nil {
		return nil
	}
	lock, err := lockFile(ctx, jars+".lock")
	if err != nil {
		return err
	}
	defer lock.Close()
	if verifyArchive(path) == nil {
		return nil
	}
	notes := path + ".failures"
	failed, err := os.ReadFile(notes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if bytes.Count(failed, []byte("\n")) >= archiveAttempts {
		return fmt.Errorf("%d attempts to archive them have failed; to try again, delete %s, which has the errors", archiveAttempts, notes)
	}
	l.cfg.logf("starting Cassandra %s once to archive its classes: later starts are faster", l.release)
	err = l.writeArchive(ctx, jars, path)
	switch {
	case err == nil:
		return os.RemoveAll(notes)
	case ctx.Err() != nil:
		return err
	}
	return errors.Join(err, os.WriteFile(notes, append(failed, oneLine(err.Error())+"\n"...), 0o600))
}

// headed returns an error if Java was killed while it wrote the file: it writes the header last.
func headed(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var magic [4]byte
	if _, err := io.ReadFull(file, magic[:]); err != nil || magic == [4]byte{} {
		return errors.Join(fmt.Errorf("%s has no header", path), err)
	}
	return nil
}

// verifyArchive returns nil if the file has the bytes of its checksum. Java crashes when it uses a damaged file.
func verifyArchive(path string) error {
	want, err := os.ReadFile(checksumPath(path))
	if err != nil {
		return err
	}
	got, err := hashFile(path)
	if err == nil && got != string(want) {
		err = fmt.Errorf("%s is damaged", path)
	}
	return err
}

func checksumPath(path string) string { return path + ".sha256" }

// writeArchive starts a server in a folder in which no process looks for one, ends it when it has answered, and waits until Java
// has written the file. The caller has the lock of the jars.
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
	l.data, l.cfg.Roles = "", false // no kept data, and an answer without a password
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
	if err := awaitLock(ctx, filepath.Join(s.dir, "lock")); err != nil {
		return err
	}
	if err := headed(written); err != nil {
		return err
	}
	sum, err := hashFile(written)
	if err != nil {
		return err
	}
	if err := os.Rename(written, path); err != nil {
		return err
	}
	return os.WriteFile(checksumPath(path), []byte(sum), 0o600)
}
