package cassandra

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	file, err := flush(t.Context(), session.Session, table, dir)
	if err != nil {
		t.Fatalf("cassandra: flush %s: %v", table, err)
	}
	out, err := local.dump(t.Context(), t.TempDir(), file)
	if err != nil {
		t.Fatalf("cassandra: dump %s: %v", file, err)
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

// flush lets the server write the table to disk at once, by the only way that does not need JMX, and returns the file when
// it is complete. Afterwards it ends the periodic flush, which runs a thousand times a second until the table is dropped.
func flush(ctx context.Context, session *gocql.Session, table, dir string) (string, error) {
	every := func(milliseconds int) error {
		return session.Query(fmt.Sprintf(`ALTER TABLE %q WITH memtable_flush_period_in_ms = %d`, table, milliseconds)).WithContext(ctx).Exec()
	}
	if err := every(1); err != nil {
		return "", err
	}
	for {
		file, err := complete(dir)
		if err != nil {
			return "", err
		}
		if file != "" {
			return file, every(0)
		}
		if !pause(ctx, flushEvery) {
			return "", fmt.Errorf("nothing was written to %s: %w", dir, ctx.Err())
		}
	}
}

// complete returns the data file of a folder, when all of its files exist: the table of contents is written last, and the
// log of the flush is removed at its end.
func complete(dir string) (string, error) {
	entries, err := fs.ReadDir(os.DirFS(dir), ".")
	file, done := "", false
	for _, e := range entries {
		switch name := e.Name(); {
		case strings.Contains(name, "_txn_"):
			return "", err
		case strings.HasSuffix(name, "-Data.db"):
			file = filepath.Join(dir, name)
		case strings.HasSuffix(name, "-TOC.txt"):
			done = true
		}
	}
	if !done {
		return "", err
	}
	return file, err
}
