package cassandra

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/gocql/gocql"
)

// unchangedFor is how often the files of a table are listed without a new one, until all of its rows are regarded as written.
const unchangedFor = 20

// Usage lets the server write a table to disk, and returns the bytes of its data files, without their indexes. Nothing may write to the table meanwhile; the
// server may have written it before. The files of the server must be on this machine.
func Usage(ctx context.Context, session *gocql.Session, table string) (bytes int64, err error) {
	rows := session.Query(fmt.Sprintf(`SELECT * FROM %q LIMIT 1`, table)).WithContext(ctx).Iter()
	number := rows.NumRows()
	if err := rows.Close(); err != nil || number == 0 {
		return 0, err
	}
	dir, err := localDir(ctx, session, table)
	if err != nil {
		return 0, err
	}
	var last []string
	unchanged := 0
	files, err := flush(ctx, session, table, dir, func(files []string) bool {
		unchanged++
		if !slices.Equal(files, last) {
			last, unchanged = files, 0
		}
		return len(files) > 0 && unchanged >= unchangedFor
	})
	if err != nil {
		return 0, fmt.Errorf("cassandra: flush %s: %w", table, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return 0, fmt.Errorf("cassandra: %w", err)
		}
		bytes += info.Size()
	}
	return bytes, nil
}
