package migrations

import (
	"regexp"
	"slices"
	"strings"
)

// propertyValues has valid and invalid values of table properties.
var propertyValues = map[string][]string{
	"additional_write_policy":     {"'99p'", "'ALWAYS'", "'10ms'", "99"},
	"allow_auto_snapshot":         {"true", "'no'", "1", "maybe", "'x'", "TRUE"},
	"bloom_filter_fp_chance":      {"0.01", "1", "'1e-3'", "0", "1.1", "-1", "6.71e-05", "6.72E-5", "' .5 '", "'0.5f'", "NaN", "'x'", "{'a': 1}"},
	"caching":                     {"{'keys': 'all'}", "{'keys': 'NONE', 'rows_per_partition': 10}", "{'rows_per_partition': '0'}", "{'rows_per_partition': 2147483647}", "{}", "{'keys': 1}", "{'rows': 1}", "{'rows_per_partition': -1}", "'ALL'", "all"},
	"cdc":                         {"false", "'yes'", "0", "null"},
	"comment":                     {"'x'", "'it''s'", "$$a 'b'$$", "5", "list", "word", "{'a': 'b'}", "''", "int", "true", "0xAB"},
	"crc_check_chance":            {"0.5", "1", "0", "-0.1", "1.5", "5e-1", "'1d'", "infinity"},
	"default_time_to_live":        {"0", "100", "630720000", "630720001", "-1", "1e4", "'86400'", "'+5'", "10.0", "1d"},
	"extensions":                  {"{'a': 'b'}", "5"},
	"gc_grace_seconds":            {"864000", "0", "-1", "1e4", "'007'", "2147483648", "'x'", "10000", "- 5"},
	"id":                          {"'x'", "5"},
	"incremental_backups":         {"true", "false", "'0'"},
	"max_index_interval":          {"2048", "4096", "64", "-1"},
	"memtable":                    {"'default'"},
	"memtable_flush_period_in_ms": {"0", "1000", "-1"},
	"min_index_interval":          {"128", "64", "4096", "0"},
	"no_such_property":            {"5"},
	"read_repair":                 {"'NONE'", "'blocking'", "none", "'x'"},
	"speculative_retry":           {"'99p'", "'99.5PERCENTILE'", "'.5p'", "'10.7ms'", "'min(10ms, 99p)'", "'MAX(99p,1ms)'", "'MIN(1p,2p)'", "'never'", "'None'", "'99 p'", "'100p'", "'1.2.3ms'", "'x'", "''"},
	"compression": {"{}", "{'class': 'LZ4Compressor'}", "{'class': 'org.apache.cassandra.io.compress.ZstdCompressor', 'compression_level': '5'}", "{'enabled': false}",
		"{'class': 'LZ4Compressor', 'chunk_length_in_kb': 64, 'min_compress_ratio': 2}", "{'class': 'DeflateCompressor', 'chunk_length_in_kb': 3}",
		"{'class': 'ZstdCompressor', 'compression_level': 23}", "{'class': 'LZ4Compressor', 'lz4_compressor_type': 'high', 'lz4_high_compressor_level': 17}",
		"{'class': 'LZ4Compressor', 'lz4_compressor_type': 'x'}", "{'class': 'SnappyCompressor', 'min_compress_ratio': 0.5}", "{'enabled': false, 'class': 'LZ4Compressor'}",
		"{'chunk_length_in_kb': 16}", "{'sstable_compression': 'LZ4Compressor'}", "{'class': 'NoopCompressor'}", "{'class': 'None'}", "{'class': ''}", "{'class': 'LZ4Compressor',}"},
	"compaction": {"{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 2}", "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 80}",
		"{'class': 'LeveledCompactionStrategy', 'fanout_size': 1000}", "{'class': 'LeveledCompactionStrategy', 'compaction_window_size': 1}",
		"{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': '1'}",
		"{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'WEEKS'}", "{'class': 'TimeWindowCompactionStrategy', 'unsafe_aggressive_sstable_expiration': true}",
		"{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T4, N, L10'}", "{'class': 'UnifiedCompactionStrategy', 'scaling_parameters': 'T1'}",
		"{'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '100MiB', 'min_sstable_size': '50MiB'}",
		"{'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '100MiB', 'min_sstable_size': '80MiB'}",
		"{'class': 'UnifiedCompactionStrategy', 'target_sstable_size': '5B'}", "{'class': 'UnifiedCompactionStrategy', 'min_threshold': 4}",
		"{'class': 'UnifiedCompactionStrategy', 'sstable_growth': '30%', 'base_shard_count': 2}", "{'class': 'UnifiedCompactionStrategy', 'sstable_growth': 3}",
		"{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 1}", "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 40}", "{'class': 'SizeTieredCompactionStrategy', 'bucket_low': 2}",
		"{'class': 'SizeTieredCompactionStrategy', 'tombstone_threshold': '-1'}", "{'class': 'SizeTieredCompactionStrategy', 'enabled': false, 'log_all': 'TRUE'}",
		"{'class': 'SizeTieredCompactionStrategy', 'enabled': 'x'}", "{'class': 'SizeTieredCompactionStrategy', 'provide_overlapping_tombstones': 'row'}",
		"{'class': 'SizeTieredCompactionStrategy', 'provide_overlapping_tombstones': 'x'}", "{'class': 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy'}",
		"{'class': 'DateTieredCompactionStrategy'}", "{'min_threshold': 4}", "{'class': 'LeveledCompactionStrategy', 'class': 'x'}", "'LeveledCompactionStrategy'"},
}

func (g statements) properties() string {
	names := make([]string, 0, len(propertyValues))
	for name := range propertyValues {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []string
	for range 1 + g.IntN(2) {
		name := choose(g.Rand, names...)
		out = append(out, choose(g.Rand, name, name, name, strings.ToUpper(name), `"`+name+`"`)+" = "+choose(g.Rand, propertyValues[name]...))
	}
	return strings.Join(out, " AND ")
}

// tokens splits a statement at the positions of possible changes.
var tokens = regexp.MustCompile(`'(?:[^']|'')*'|"[^"]*"|\$\$.*?\$\$|[A-Za-z_]\w*|-?[0-9][\w.-]*|\S`)

// others can replace another token.
var others = []string{"int", "text", "counter", "duration", "frozen", "list", "set", "map", "'x'", "''", "5", "-1", "1.5", "true", "null", "(", ")", "<", ">", ",", "=",
	"{", "}", "key", "select", "full", "keys", "static", "STATIC", "PRIMARY", "a", "id", "u0", "nowhere", `"A"`, `"a"`, `""`, "IF", "EXISTS", "NOT", "AND", "WITH", "TO", "ASC", "ttl", "json", "table", "count"}

// mutated changes a statement in one or two places: a token is removed, duplicated, exchanged with the next, replaced, or
// written differently.
func (g statements) mutated(s string) string {
	in := tokens.FindAllString(s, -1)
	for range 1 + g.IntN(2) {
		i := g.IntN(len(in))
		switch g.IntN(7) {
		case 0:
			in = slices.Delete(in, i, i+1)
		case 1:
			in = slices.Insert(in, i, in[i])
		case 2:
			if i+1 < len(in) {
				in[i], in[i+1] = in[i+1], in[i]
			}
		case 3, 4:
			in[i] = choose(g.Rand, others...)
		case 5:
			in[i] = choose(g.Rand, in...)
		case 6:
			in[i] = g.otherwise(in[i])
		}
		if len(in) == 0 {
			return "DROP"
		}
	}
	return strings.Join(in, " ")
}

// otherwise returns another spelling of a token, which for some of them is equivalent.
func (g statements) otherwise(token string) string {
	switch {
	case strings.HasPrefix(token, "'"):
		return choose(g.Rand, strings.Trim(token, "'"), strings.ToUpper(token), "/* c */ "+token)
	case strings.HasPrefix(token, `"`):
		return strings.Trim(token, `"`)
	}
	return choose(g.Rand, strings.ToUpper(token), `"`+token+`"`, "'"+token+"'", token+" -- c\n")
}
