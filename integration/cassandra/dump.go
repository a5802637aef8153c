package cassandra

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
)

// flushEvery is the interval of the search for the files of a table.
const flushEvery = 5 * time.Millisecond

// Dump lets the server write a table of the session's keyspace to disk, and returns the output of Cassandra's sstabledump
// for it: JSON, with the deletions that no query returns. It is for a table that is not written any more, and once for each.
// The files of the server must be on this machine, and the tool needs the Java and the jars of the third way: without them
// the test is skipped, which never happens with the third way.
func Dump(t testing.TB, session gocqlx.Session, table string) []byte {
	t.Helper()
	dirs, err := tableDirs(t.Context(), session.Session, table)
	if err != nil {
		t.Fatalf("cassandra: dump %s: %v", table, err)
	}
	dir := onDisk(dirs)
	if dir == "" {
		t.Skipf("cassandra: the server's files are not on this machine: none of %s exists", strings.Join(dirs, ", "))
	}
	local, err := findLocal(t.Context(), Config{Log: t.Output()})
	if err != nil {
		t.Skipf("cassandra: no sstabledump: install Java 17 or 11 and Maven (%v)", err)
	}
	files, err := flush(t.Context(), session.Session, table, dir, func(files []string) bool { return len(files) > 0 })
	if err != nil {
		t.Fatalf("cassandra: flush %s: %v", table, err)
	}
	out, err := local.dump(t.Context(), t.TempDir(), files[0])
	if err != nil {
		t.Fatalf("cassandra: dump %s: %v", files[0], err)
	}
	return out
}

// tableDirs returns the folders that can have the files of a table.
func tableDirs(ctx context.Context, session *gocql.Session, table string) ([]string, error) {
	keyspace := session.Query("").Keyspace()
	var id gocql.UUID
	err := session.Query("SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?", keyspace, table).WithContext(ctx).Scan(&id)
	if err != nil {
		return nil, fmt.Errorf("find its id: %w", err)
	}
	var list string
	if err := session.Query("SELECT value FROM system_views.settings WHERE name = 'data_file_directories'").WithContext(ctx).Scan(&list); err != nil {
		return nil, fmt.Errorf("find the server's folders: %w", err)
	}
	var dirs []string
	for _, data := range strings.Split(strings.Trim(list, "[]"), ", ") {
		dirs = append(dirs, filepath.Join(data, keyspace, table+"-"+strings.ReplaceAll(id.String(), "-", "")))
	}
	return dirs, nil
}

// onDisk returns the first folder that is on this machine, or "".
func onDisk(dirs []string) string {
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// Flush lets the server write a table of the session's keyspace to disk, and returns when its files are complete. Nothing may write to the
// table meanwhile, and something must have been written to it since the last call. The files of the server must be on this machine.
func Flush(ctx context.Context, session *gocql.Session, table string) error {
	if err := flushAfter(ctx, session, table, func() error { return nil }); err != nil {
		return fmt.Errorf("cassandra: flush %s: %w", table, err)
	}
	return nil
}

// Compact is Flush, and lets the server compact the files to one. It changes the compaction of the table.
func Compact(ctx context.Context, session *gocql.Session, table string) error {
	err := flushAfter(ctx, session, table, func() error {
		// All files count as small, and two small ones are compacted at once.
		return session.Query(fmt.Sprintf(`ALTER TABLE %q WITH compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 2, 'min_sstable_size': %d}`,
			table, int64(1)<<40)).WithContext(ctx).Exec()
	})
	var dir string
	if err == nil {
		dir, err = localDir(ctx, session, table)
	}
	if err == nil {
		_, err = await(ctx, dir, func(files []string) bool { return len(files) == 1 })
	}
	if err != nil {
		return fmt.Errorf("cassandra: compact %s: %w", table, err)
	}
	return nil
}

// flushAfter makes a change of the table, which can also write it to disk, and waits for a file that did not exist before.
func flushAfter(ctx context.Context, session *gocql.Session, table string, change func() error) error {
	dir, err := localDir(ctx, session, table)
	if err != nil {
		return err
	}
	before, err := await(ctx, dir, func([]string) bool { return true })
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	_, err = flush(ctx, session, table, dir, func(files []string) bool {
		return slices.ContainsFunc(files, func(f string) bool { return !slices.Contains(before, f) })
	})
	return err
}

// localDir returns the folder with the files of a table.
func localDir(ctx context.Context, session *gocql.Session, table string) (string, error) {
	dirs, err := tableDirs(ctx, session, table)
	if err != nil {
		return "", err
	}
	dir := onDisk(dirs)
	if dir == "" {
		return "", fmt.Errorf("the server's files are not on this machine: none of %s exists", strings.Join(dirs, ", "))
	}
	return dir, nil
}

// flush lets the server write the table to disk at once, by the only way that does not need JMX, and returns the files when
// they are complete. Afterwards it ends the periodic flush, which runs a thousand times a second until the table is dropped.
func flush(ctx context.Context, session *gocql.Session, table, dir string, written func(files []string) bool) ([]string, error) {
	every := func(milliseconds int) error {
		return session.Query(fmt.Sprintf(`ALTER TABLE %q WITH memtable_flush_period_in_ms = %d`, table, milliseconds)).WithContext(ctx).Exec()
	}
	if err := every(1); err != nil {
		return nil, err
	}
	files, err := await(ctx, dir, written)
	if err != nil {
		return nil, err
	}
	return files, every(0)
}

// await returns the data files of a folder when they are complete and accepted.
func await(ctx context.Context, dir string, accepted func(files []string) bool) ([]string, error) {
	for {
		files, done, err := complete(dir)
		if err != nil || done && accepted(files) {
			return files, err
		}
		if !pause(ctx, flushEvery) {
			return nil, fmt.Errorf("nothing was written to %s: %w", dir, ctx.Err())
		}
	}
}

// complete returns the data files of a folder, and whether all files of the folder exist: the table of contents of each is written last, and
// the log of a flush or a compaction is removed at its end.
func complete(dir string) (files []string, done bool, err error) {
	entries, err := fs.ReadDir(os.DirFS(dir), ".")
	contents := 0
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.Contains(name, "_txn_"):
			return nil, false, err
		case strings.HasSuffix(name, "-Data.db"):
			files = append(files, filepath.Join(dir, name))
		case strings.HasSuffix(name, "-TOC.txt"):
			contents++
		}
	}
	return files, contents == len(files), err
}
