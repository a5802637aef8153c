package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithAccepted accepts properties that Cassandra 5.0.8 accepts, one per line.
func TestWithAccepted(t *testing.T) {
	for with := range strings.Lines(`compaction = {'class': 'SizeTieredCompactionStrategy', 'min_threshold': 5, 'max_threshold': '5', 'bucket_low': 1, 'bucket_high': 1.1, 'min_sstable_size': 0}
compaction = {'class': 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy', 'sstable_size_in_mb': '87960', 'log_all': TRUE}
compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '1', 'fanout_size': '41', 'single_sstable_uplevel': false}
compaction = {'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'DAYS', 'timestamp_resolution': 'SECONDS', 'unsafe_aggressive_sstable_expiration': false}
compaction = {'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4, N, L2, -3', 'sstable_growth': '33.3%', 'target_sstable_size': '100 MiB', 'min_sstable_size': '70MiB'}
compaction = {'class': 'UnifiedCompactionStrategy', 'overlap_inclusion_method': 'single', 'provide_overlapping_tombstones': 'row', 'base_shard_count': 1}
compaction = {'class': 'UnifiedCompactionStrategy', 'min_sstable_size': '724MiB'}
compression = {}
compression = {'enabled': 'false'}
compression = {'class': 'LZ4Compressor', 'enabled': true, 'chunk_length_in_kb': 1048576, 'lz4_compressor_type': 'high', 'lz4_high_compressor_level': 17}
compression = {'class': 'ZstdCompressor', 'compression_level': -131072, 'min_compress_ratio': 1.5}
caching = {'rows_per_partition': 10}
caching = {}
speculative_retry = '.5p' AND additional_write_policy = 'min(50ms, 99.9PERCENTILE)'
speculative_retry = 'never' AND memtable = 'default' AND read_repair = 'none' AND cdc = 'yes' AND crc_check_chance = '1'
bloom_filter_fp_chance = -1
min_index_interval = 3000 AND max_index_interval = 3000
max_index_interval = 128
`) {
		require.Empty(t, checkWith(strings.TrimSpace(with), false), with)
	}
}

// TestWithRefused refuses properties that Cassandra 5.0.8 refuses, with the reason.
func TestWithRefused(t *testing.T) {
	for with, want := range map[string]string{
		stcs("'min_threshold': 1.5"):                                             "invalid min_threshold \"1.5\" of SizeTieredCompactionStrategy: use a whole number from 2 to 2147483647",
		stcs("'min_threshold': 1"):                                               "use a whole number from 2",
		stcs("'min_threshold': '+4'"):                                            "use a whole number from 2",
		stcs("'min_threshold': 33"):                                              "min_threshold, 33, is above max_threshold, 32",
		stcs("'max_threshold': 3"):                                               "min_threshold, 4, is above max_threshold, 3",
		stcs("'bucket_low': 1.5"):                                                "bucket_low, 1.5, is not below bucket_high, 1.5",
		stcs("'log_all': 'no'"):                                                  "use true or false",
		stcs("'enabled': true, 'enabled': true"):                                 "enabled appears twice",
		stcs("'sstable_size_in_mb': 160"):                                        "SizeTieredCompactionStrategy has no sstable_size_in_mb, only bucket_high, bucket_low, enabled,",
		compaction("Leveled", "'sstable_size_in_mb': '-3'"):                      "use a whole number from 1",
		compaction("Leveled", "'sstable_size_in_mb': '87961'"):                   "make levels too large",
		compaction("Leveled", "'fanout_size': 42, 'sstable_size_in_mb': 1"):      "make levels too large",
		compaction("TimeWindow", "'compaction_window_unit': 'YEARS'"):            "use MINUTES or HOURS or DAYS",
		compaction("TimeWindow", "'compaction_window_unit': 'days'"):             "use MINUTES or HOURS or DAYS",
		compaction("TimeWindow", "'compaction_window_size': 0"):                  "use a whole number from 1",
		compaction("TimeWindow", "'unsafe_aggressive_sstable_expiration': true"): "use false",
		compaction("Unified", "'min_threshold': 4"):                              "UnifiedCompactionStrategy has no min_threshold",
		compaction("Unified", "'scaling_parameters': 'T1'"):                      "use a list of",
		compaction("Unified", "'scaling_parameters': 'T4;N'"):                    "use a list of",
		compaction("Unified", "'scaling_parameters': 'L2147483648'"):             "use a list of",
		compaction("Unified", "'sstable_growth': '101%'"):                        "use a number from 0 to 1 or a percentage",
		compaction("Unified", "'target_sstable_size': '1048575B'"):               "use a size like 100MiB of at least 1MiB",
		compaction("Unified", "'target_sstable_size': '8EiB'"):                   "use a size like",
		compaction("Unified", "'min_sstable_size': '1GiB'"):                      "min_sstable_size is above 70% of target_sstable_size",
		compaction("Unified", "'min_sstable_size': '1'"):                         "use a size like",
		compaction("Null", "'enabled': true"):                                    "use one of LeveledCompactionStrategy, SizeTieredCompactionStrategy, TimeWindowCompactionStrategy, UnifiedCompactionStrategy",
		"compaction = {'enabled': false}":                                        "use one of",
		"compaction = {class: 'x'}":                                              "invalid compaction: class is not a number, a boolean or a quoted text",
		"compaction = {'class' 'x'}":                                             "compaction = {'class' 'x'}: want : after class, found 'x'",
		"compaction = {'class': <}":                                              "want a value of class, found <",
		"compaction = 1":                                                         "compaction must be a map",
		lz4("'chunk_length_in_kb': 7"):                                           "use a power of two from 1 to 1048576",
		lz4("'chunk_length_in_kb': 2097152"):                                     "use a power of two",
		lz4("'enabled': 'no'"):                                                   "use true",
		lz4("'enabled': false"):                                                  "use true",
		lz4("'min_compress_ratio': 0.5"):                                         "use 0, or a number of 1 or more",
		lz4("'compression_level': 3"):                                            "LZ4Compressor has no compression_level, only chunk_length_in_kb, enabled, lz4_compressor_type, lz4_high_compressor_level, min_compress_ratio",
		lz4("'lz4_high_compressor_level': 18"):                                   "use a whole number from 1 to 17",
		"compression = {'class': 'ZstdCompressor', 'compression_level': 23}":     "use a whole number from -131072 to 22",
		"compression = {'enabled': true}":                                        "use one of",
		"caching = {'keys': 10}":                                                 "invalid keys \"10\" of caching: use ALL or NONE",
		"caching = {'rows_per_partition': '-1'}":                                 "use ALL, NONE or a whole number",
		"caching = {'nothing': 'ALL'}":                                           "caching has no nothing, only keys, rows_per_partition",
		"speculative_retry = '120p'":                                             "invalid speculative_retry \"120p\": use ALWAYS, NEVER, a percentile between 0 and 100 like 99p",
		"speculative_retry = '99.99999p'":                                        "invalid speculative_retry \"99.99999p\": a server stores it as 100p, and cannot start again with that value",
		"additional_write_policy = 'max(0.00001p, 5ms)'":                         "a server stores it as 0p",
		compaction("Unified", "'target_sstable_size': '1MB'"):                    "invalid target_sstable_size \"1MB\" of UnifiedCompactionStrategy: use a size like 100MiB of at least 1MiB",
		compaction("Unified", "'flush_size_override': '1MB'"):                    "invalid flush_size_override \"1MB\" of UnifiedCompactionStrategy",
		compaction("Unified", "'target_sstable_size': '2000000iB'"):              "invalid target_sstable_size \"2000000iB\"",
		compaction("Unified", "'min_sstable_size': '725MiB'"):                    "min_sstable_size is above 70%",
		"min_index_interval = 0":                                                 "invalid min_index_interval \"0\": use a whole number from 1 to 2147483647",
		"compaction = {'class': 'org.example.Mine'}":                             "invalid class \"org.example.Mine\" of compaction: use one of",
		"speculative_retry = '1.2.3ms'":                                          "invalid ",
		"speculative_retry = 'max(99p,98p)'":                                     "invalid ",
		"additional_write_policy = 'min(100p,5ms)'":                              "invalid ",
		"memtable = 'trie'":                                                      "invalid memtable \"trie\": use 'default', unless",
		"max_index_interval = 127":                                               "max_index_interval, 127, is below min_index_interval, the default 128",
		"min_index_interval = 2049":                                              "max_index_interval, the default 2048, is below min_index_interval, 2049",
		"min_index_interval = x":                                                 "invalid min_index_interval: x is not a number, a boolean or a quoted text",
		"cdc = true,":                                                            "cdc = true,: want AND, found ,",
		"cdc = true AND":                                                         "a property is missing: want name = value",
		"cdc = true; DROP TABLE t":                                               "; is not part of a property",
		"cdc = true -- later":                                                    "-- later is not part of a property",
		"comment = 'it''s":                                                       "string is not closed",
	} {
		got := checkWith(with, false)
		require.Len(t, got, 1, with)
		require.Contains(t, got[0], want, with)
	}
	require.Equal(t, []string{"comment appears twice"}, checkWith("comment = 'x'", true))
}

func compaction(class, rest string) string {
	return "compaction = {'class': '" + class + "CompactionStrategy', " + rest + "}"
}

func stcs(rest string) string { return compaction("SizeTiered", rest) }

func lz4(rest string) string { return "compression = {'class': 'LZ4Compressor', " + rest + "}" }
