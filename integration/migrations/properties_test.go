package migrations

import (
	"fmt"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/catalog"
)

// properties returns the properties that the server has for the tables of a keyspace, by table and property.
func properties(t *testing.T, session gocqlx.Session) map[string]map[string]any {
	iter := session.Session.Query(`SELECT table_name, additional_write_policy, bloom_filter_fp_chance, caching, comment, compaction,
		compression, crc_check_chance, default_time_to_live, gc_grace_seconds, max_index_interval, memtable_flush_period_in_ms,
		min_index_interval, read_repair, speculative_retry FROM system_schema.tables WHERE keyspace_name = ?`,
		session.Query("", nil).Keyspace()).Iter()
	out := map[string]map[string]any{}
	for {
		row := map[string]any{}
		if !iter.MapScan(row) {
			break
		}
		name := row["table_name"].(string)
		delete(row, "table_name")
		out[name] = row
	}
	require.NoError(t, iter.Close())
	return out
}

// requireProperties compares them with those of a replayed keyspace.
func requireProperties(t *testing.T, k *catalog.Keyspace, shown map[string]map[string]any, after string) {
	require.Len(t, shown, len(k.Tables), "after %s", after)
	for _, table := range k.Tables {
		for name, value := range shown[table.Name] {
			var want string
			switch v := value.(type) {
			case string:
				want = catalog.Text(name, v)
			case map[string]string:
				want = catalog.Map(name, v)
			default:
				var err error
				want, err = catalog.Value(name, fmt.Sprint(v))
				require.NoError(t, err)
			}
			require.Equal(t, want, catalog.Option(table, name), "%s of %s after %s", name, table.Name, after)
		}
	}
}
