package property

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// compacting are the options of all compaction strategies of the server.
var compacting = rules{
	"enabled":                        trueOrFalse,
	"log_all":                        trueOrFalse,
	"only_purge_repaired_tombstones": anything,
	overlapping:                      choice(false, "NONE", "ROW", "CELL"),
	"tombstone_compaction_interval":  whole(0, math.MaxInt64),
	"tombstone_threshold":            positive,
	"unchecked_tombstone_compaction": trueOrFalse,
}

// overlapping is the option that is also checked for a class that does not belong to the server.
const overlapping = "provide_overlapping_tombstones"

// tiered are the options of the strategies that compact tables of similar sizes.
var tiered = compacting.and(rules{
	"bucket_high":      number,
	"bucket_low":       number,
	"max_threshold":    threshold,
	"min_sstable_size": whole(0, math.MaxInt64),
	"min_threshold":    threshold,
})

// strategies are the server's compactions.
var strategies = map[string]rules{
	"LeveledCompactionStrategy": tiered.and(rules{
		"fanout_size": atLeastOne, "single_sstable_uplevel": anything, "sstable_size_in_mb": atLeastOne,
	}),
	"SizeTieredCompactionStrategy": tiered,
	"TimeWindowCompactionStrategy": tiered.and(rules{
		"compaction_window_size":                  atLeastOne,
		"compaction_window_unit":                  choice(true, "MINUTES", "HOURS", "DAYS"),
		"expired_sstable_check_frequency_seconds": whole(0, math.MaxInt64),
		"timestamp_resolution":                    choice(true, "NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS"),
		"unsafe_aggressive_sstable_expiration":    choice(false, "false"), // true requires a server that is started with a system property
	}),
	"UnifiedCompactionStrategy": compacting.and(unified),
}

// checkCompaction checks the entries of compaction.
func checkCompaction(entries map[string]string) []Fault {
	class := strings.TrimPrefix(entries["class"], packages["compaction"])
	options, known := strategies[class]
	rest := withoutClass(entries)
	if !known {
		out := []Fault{noClass("compaction", entries, strategies)}
		if v, given := rest[overlapping]; given && !compacting[overlapping].holds(v) {
			out = append(out, compacting[overlapping].refused("compaction", overlapping, v))
		}
		return out
	}
	if out := options.check(class, rest); out != nil {
		return out
	}
	if class == "UnifiedCompactionStrategy" {
		return unifiedSizes(rest)
	}
	return sizes(rest)
}

// sizes checks options that depend on each other.
func sizes(entries map[string]string) []Fault {
	low, high := numberOr(entries, "bucket_low", 0.5), numberOr(entries, "bucket_high", 1.5)
	least, most := numberOr(entries, "min_threshold", 4), numberOr(entries, "max_threshold", 32)
	switch {
	case high <= low:
		return []Fault{{Entry: "bucket_low", What: fmt.Sprintf("bucket_low, %g, is not below bucket_high, %g", low, high)}}
	case least > most:
		return []Fault{{Entry: "min_threshold", What: fmt.Sprintf("min_threshold, %.0f, is above max_threshold, %.0f", least, most)}}
	}
	fanout, each := numberOr(entries, "fanout_size", 10), numberOr(entries, "sstable_size_in_mb", 1)
	level := new(big.Int).Exp(big.NewInt(int64(fanout)), big.NewInt(levels-1), nil)
	if !level.Mul(level, big.NewInt(int64(each)<<20)).IsInt64() {
		return []Fault{{Entry: "fanout_size", What: fmt.Sprintf("sstable_size_in_mb, %.0f, and fanout_size, %.0f, make levels too large to count their bytes", each, fanout)}}
	}
	return nil
}

// levels is the maximum number of levels of a leveled compaction.
const levels = 9
