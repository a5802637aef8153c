package catalog

// defaults are the properties of a table that is created without any, as Cassandra 5.0.8 shows them in
// system_schema.tables, in the canonical form. A node can be configured to other defaults of compaction and compression; a
// model for such nodes says what it wants.
var defaults = map[string]string{
	"additional_write_policy":     "'99p'",
	"allow_auto_snapshot":         "true",
	"bloom_filter_fp_chance":      "0.01", // see defaultOf
	"caching":                     "{'keys': 'ALL', 'rows_per_partition': 'NONE'}",
	"cdc":                         "false",
	"comment":                     "''",
	"compaction":                  "{'class': 'SizeTieredCompactionStrategy'}",
	"compression":                 "{'class': 'LZ4Compressor'}",
	"crc_check_chance":            "1",
	"default_time_to_live":        "0",
	"gc_grace_seconds":            "864000",
	"incremental_backups":         "true",
	"max_index_interval":          "2048",
	"memtable":                    "'default'",
	"memtable_flush_period_in_ms": "0",
	"min_index_interval":          "128",
	"read_repair":                 "'BLOCKING'",
	"speculative_retry":           "'99p'",
}

// subDefaults are the entries of properties that mean nothing because the server adds them itself, or behaves as if it did.
var subDefaults = map[string]map[string]string{
	"compaction":  {"enabled": "true", "max_threshold": "32", "min_threshold": "4"},
	"compression": {"chunk_length_in_kb": "16", "enabled": "true", "min_compress_ratio": "0"},
}

// leveled is the only compaction with another chance of false positives in its Bloom filters.
const leveled = "LeveledCompactionStrategy"

// defaultOf returns the value that a property has where none is given, beside a compaction in the canonical form; "" for a
// property that is not known.
func defaultOf(name, compaction string) string {
	if name == "bloom_filter_fp_chance" && class(compaction) == leveled {
		return "0.1"
	}
	return defaults[name]
}
