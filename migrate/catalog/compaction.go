package catalog

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
)

// A compaction is checked option by option, each by whether its value is taken.
type compactionOptions map[string]func(string) bool

// everyCompaction are the options that each of the server's compactions has.
var everyCompaction = compactionOptions{
	"enabled":                        isTruth,
	"log_all":                        isTruth,
	"only_purge_repaired_tombstones": anything,
	"provide_overlapping_tombstones": func(s string) bool {
		return slices.Contains([]string{"NONE", "ROW", "CELL"}, strings.ToUpper(s))
	},
	"tombstone_compaction_interval":  atLeast(0),
	"tombstone_threshold":            notNegative,
	"unchecked_tombstone_compaction": isTruth,
}

// sized are those of the compactions that put tables of like sizes together, alone or among other things.
var sized = compactionOptions{
	"bucket_high":      isFraction,
	"bucket_low":       isFraction,
	"max_threshold":    threshold,
	"min_sstable_size": atLeast(0),
	"min_threshold":    threshold,
}

// strategies are the server's compactions.
var strategies = map[string]compactionOptions{
	"LeveledCompactionStrategy": with_(sized, compactionOptions{
		"fanout_size": positive, "single_sstable_uplevel": anything, "sstable_size_in_mb": positive,
	}),
	"SizeTieredCompactionStrategy": with_(sized),
	"TimeWindowCompactionStrategy": with_(sized, compactionOptions{
		"compaction_window_size":                  positive,
		"compaction_window_unit":                  oneOf("MINUTES", "HOURS", "DAYS"),
		"expired_sstable_check_frequency_seconds": atLeast(0),
		"timestamp_resolution":                    oneOf("SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS"),
		"unsafe_aggressive_sstable_expiration":    func(s string) bool { return strings.EqualFold(s, "false") },
	}),
	"UnifiedCompactionStrategy": with_(unified),
}

func with_(more ...compactionOptions) compactionOptions {
	out := maps.Clone(everyCompaction)
	for _, m := range more {
		maps.Copy(out, m)
	}
	return out
}

func anything(string) bool { return true }

func isFraction(s string) bool {
	_, ok := fractionOf(s)
	return ok
}

func notNegative(s string) bool {
	f, ok := fractionOf(s)
	return ok && !(f < 0)
}

func positive(s string) bool { return between(1, math.MaxInt32)(s) }

func atLeast(least int64) func(string) bool {
	return func(s string) bool {
		n, ok := wholeOf(s, 64)
		return ok && n >= least
	}
}

func threshold(s string) bool { return digitsOnly(s) && between(2, math.MaxInt32)(s) }

func oneOf(words ...string) func(string) bool {
	return func(s string) bool { return slices.Contains(words, s) }
}

// compactionForm says why the server refuses a compaction, whatever a statement finds.
func compactionForm(entries map[string]string) error {
	class, named := entries["class"]
	_, known := strategies[strings.TrimPrefix(class, compactions)]
	switch {
	case !named:
		return fmt.Errorf("compaction has no class")
	case !known && !foreign(class):
		return fmt.Errorf("there is no compaction %s", class)
	}
	if v, given := entries["provide_overlapping_tombstones"]; given && !everyCompaction["provide_overlapping_tombstones"](v) {
		return fmt.Errorf("provide_overlapping_tombstones of compaction is NONE, ROW or CELL, not %q", v)
	}
	return nil
}

// compactionRange says why the server refuses a compaction of a table. One that is not the server's own it does not judge.
func compactionRange(entries map[string]string) error {
	name := strings.TrimPrefix(entries["class"], compactions)
	options, known := strategies[name]
	if !known {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		v := entries[key]
		if of, ok := options[key]; !ok && key != "class" {
			return fmt.Errorf("%s has no option %s", name, key)
		} else if ok && !of(v) {
			return fmt.Errorf("%s of %s cannot be %q", key, name, v)
		}
	}
	if name == "UnifiedCompactionStrategy" {
		return unifiedSizes(entries)
	}
	return sizes(entries)
}

// sizes judges options that depend on one another.
func sizes(entries map[string]string) error {
	low, high := numberOr(entries, "bucket_low", 0.5), numberOr(entries, "bucket_high", 1.5)
	least, most := numberOr(entries, "min_threshold", 4), numberOr(entries, "max_threshold", 32)
	switch {
	case high <= low:
		return fmt.Errorf("bucket_high of compaction is %g, and bucket_low %g: it must be above", high, low)
	case least > most:
		return fmt.Errorf("min_threshold of compaction is %g, and max_threshold %g", least, most)
	}
	level := new(big.Int).Exp(big.NewInt(int64(numberOr(entries, "fanout_size", 10))), big.NewInt(levels-1), nil)
	level.Mul(level, big.NewInt(int64(numberOr(entries, "sstable_size_in_mb", 1))<<20))
	if !level.IsInt64() {
		return fmt.Errorf("the last level of the compaction would have %s bytes", level)
	}
	return nil
}

// levels is how many a leveled compaction has at most.
const levels = 9

func numberOr(entries map[string]string, name string, byDefault float64) float64 {
	if v, given := entries[name]; given {
		byDefault, _ = fractionOf(v)
	}
	return byDefault
}
