package store

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/integration/storetest"
)

// storedRow is a row of the server: the values of its columns, the write times of the columns beyond the key, and their
// remaining TTLs, in seconds.
type storedRow struct {
	Values, Written []string
	Left            [][]int
}

// storedTable has the rows of a table at one time, by key.
type storedTable struct {
	rows map[string]storedRow
	at   time.Time
}

// snapshot reads a table.
func snapshot(t *testing.T, session gocqlx.Session, table string) storedTable {
	t.Helper()
	keyspace := session.Session.Query("").Keyspace()
	columns := session.Session.Query("SELECT column_name, kind FROM system_schema.columns WHERE keyspace_name = ? AND table_name = ?", keyspace, table).Iter()
	var key, beyond []string
	for name, kind := "", ""; columns.Scan(&name, &kind); {
		if kind == "partition_key" || kind == "clustering" {
			key = append(key, model.Quote(name))
		} else {
			beyond = append(beyond, model.Quote(name))
		}
	}
	require.NoError(t, columns.Close())
	selected := append([]string(nil), key...)
	for _, c := range beyond {
		selected = append(selected, c, "WRITETIME("+c+")", "TTL("+c+")")
	}
	out := storedTable{map[string]storedRow{}, time.Now()}
	it := session.Session.Query("SELECT " + join(selected) + " FROM " + model.Quote(table)).Iter()
	row, into := make([]storetest.Raw, len(selected)), make([]any, len(selected))
	for i := range row {
		into[i] = &row[i]
	}
	for it.Scan(into...) {
		var r storedRow
		for i := len(key); i < len(row); i += 3 {
			r.Values, r.Written = append(r.Values, text(row[i])), append(r.Written, text(row[i+1]))
			r.Left = append(r.Left, seconds(row[i+2].Bytes))
		}
		var name string
		for i := range key {
			name += text(row[i]) + " "
		}
		out.rows[name] = r
	}
	require.NoError(t, it.Close())
	return out
}

func join(names []string) (out string) {
	for i, n := range names {
		if i > 0 {
			out += ", "
		}
		out += n
	}
	return out
}

func text(r storetest.Raw) string {
	if r.Bytes == nil {
		return "null"
	}
	return fmt.Sprintf("%x", r.Bytes)
}

// seconds decodes an int, or the ints of a list.
func seconds(b []byte) (out []int) {
	if len(b) == 4 {
		return []int{int(binary.BigEndian.Uint32(b))}
	}
	for rest := b[min(4, len(b)):]; len(rest) > 0; {
		n := int(int32(binary.BigEndian.Uint32(rest)))
		rest = rest[4:]
		if out = append(out, 0); n == 4 {
			out[len(out)-1] = int(binary.BigEndian.Uint32(rest))
			rest = rest[4:]
		}
	}
	return out
}

// requireRows requires that a table has the rows of a snapshot, with the same values and write times. Remaining TTLs may be
// slightly shorter, because time passes and a backfill rounds down.
func requireRows(t *testing.T, want, got storedTable, table string) {
	t.Helper()
	passed := int(got.at.Sub(want.at)/time.Second) + 8
	for key, w := range want.rows {
		g, there := got.rows[key]
		require.True(t, there, "%s: row %s is missing", table, key)
		require.Equal(t, w.Values, g.Values, "%s: row %s", table, key)
		require.Equal(t, w.Written, g.Written, "%s: write times of row %s", table, key)
		for i := range w.Left {
			require.Len(t, g.Left[i], len(w.Left[i]), "%s: TTLs of row %s", table, key)
			for k, left := range w.Left[i] {
				require.LessOrEqual(t, g.Left[i][k], left, "%s: row %s", table, key)
				require.True(t, left == 0 || g.Left[i][k] >= left-passed, "%s: the remaining TTL of row %s is %d, want about %d", table, key, g.Left[i][k], left)
			}
		}
	}
	require.Len(t, got.rows, len(want.rows), table)
}
