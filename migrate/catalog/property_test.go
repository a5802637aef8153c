package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

func TestOptionsAreCanonical(t *testing.T) {
	for _, c := range []struct{ name, cql, want string }{
		{"comment", "$$it's$$", "'it''s'"},
		{"comment", "'99P'", "'99P'"},
		{"gc_grace_seconds", "86400", "86400"},
		{"bloom_filter_fp_chance", "1e-1", "0.1"},
		{"crc_check_chance", "1.0", "1"},
		{"cdc", "TRUE", "true"},
		{"read_repair", "'none'", "'NONE'"},
		{"speculative_retry", "'99percentile'", "'99p'"},
		{"speculative_retry", "'10.5MS'", "'10ms'"},
		{"additional_write_policy", "'None'", "'NEVER'"},
		{"additional_write_policy", "'min(10ms , 50.0p)'", "'MIN(50p,10ms)'"},
		{"caching", "{'rows_per_partition': 10}", "{'keys': 'NONE', 'rows_per_partition': '10'}"},
		{"caching", "{'keys': 'all', 'rows_per_partition': 'none'}", "{'keys': 'ALL', 'rows_per_partition': 'NONE'}"},
		{"compression", "{}", "{'enabled': 'false'}"},
		{"compression", "{'class': 'org.apache.cassandra.io.compress.ZstdCompressor', 'chunk_length_in_kb': 16}", "{'class': 'ZstdCompressor'}"},
		{"compaction", "{'min_threshold': 4, 'class': 'SizeTieredCompactionStrategy', 'enabled': True}", "{'class': 'SizeTieredCompactionStrategy'}"},
		{"compaction", "{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'bucket_low': 0.50}",
			"{'bucket_low': '0.5', 'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS'}"},
		{"new_in_a_later_server", "'x'", "'x'"},
	} {
		got, err := catalog.Value(c.name, c.cql)
		require.NoError(t, err, c.cql)
		require.Equal(t, c.want, got, c.cql)
		again, err := catalog.Value(c.name, got)
		require.NoError(t, err)
		require.Equal(t, got, again, "a canonical value stays")
	}
	_, err := catalog.Value("caching", "{'keys' 'all'}")
	require.EqualError(t, err, "caching = {'keys' 'all'}: want : after keys, found 'all'")
	_, err = catalog.Value("comment", "")
	require.ErrorContains(t, err, "want a value, found the end")
}

func TestDefaultsAreOmitted(t *testing.T) {
	require.Empty(t, catalog.Options(map[string]string{"gc_grace_seconds": "864000", "comment": "''", "bloom_filter_fp_chance": "0.01"}))
	require.Empty(t, catalog.Options(map[string]string{"bloom_filter_fp_chance": "-1"}), "which stands for the server's own")

	leveled := map[string]string{"compaction": "{'class': 'LeveledCompactionStrategy'}", "bloom_filter_fp_chance": "0.1"}
	require.Equal(t, []schema.Property{{Name: "compaction", Value: leveled["compaction"]}}, catalog.Options(leveled))
	table := &schema.Table{Properties: catalog.Options(leveled)}
	require.Equal(t, "0.1", catalog.Option(table, "bloom_filter_fp_chance"))
	require.Equal(t, "864000", catalog.Option(table, "gc_grace_seconds"))
}
