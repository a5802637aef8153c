package property

import (
	"math"
	"regexp"
	"strings"
)

// unified are the options of the unified compaction strategy.
var unified = rules{
	"base_shard_count":                        atLeastOne,
	"expired_sstable_check_frequency_seconds": whole(1, math.MaxInt64),
	"flush_size_override":                     {"a size like 100MiB of at least 1MiB", func(s string) bool { return parseBytes(s) >= 1<<20 }},
	"max_sstables_to_compact":                 whole(math.MinInt32, math.MaxInt32),
	"min_sstable_size":                        {"a size like 100MiB", func(s string) bool { return parseBytes(s) >= 0 }},
	"overlap_inclusion_method":                choice(false, "NONE", "SINGLE", "TRANSITIVE"),
	"scaling_parameters":                      {"a list of N, L or T with a number of 2 or more, or whole numbers", isScaling},
	"sstable_growth":                          {"a number from 0 to 1 or a percentage", isGrowth},
	"target_sstable_size": {"a size like 100MiB of at least 1MiB", func(s string) bool {
		n := parseBytes(s)
		return n >= 1<<20 && n < math.MaxInt64
	}},
	"unsafe_aggressive_sstable_expiration": trueOrFalse,
}

// unifiedSizes returns a fault if min_sstable_size is too close to target_sstable_size.
func unifiedSizes(entries map[string]string) []Fault {
	target := float64(1 << 30)
	if v, given := entries["target_sstable_size"]; given {
		target = math.Ceil(parseBytes(v))
	}
	least, given := entries["min_sstable_size"]
	if given && math.Trunc(parseBytes(least)) >= math.Ceil(target*math.Sqrt(0.5)) {
		return []Fault{{Entry: "min_sstable_size", What: "min_sstable_size is above 70% of target_sstable_size, whose default is 1GiB"}}
	}
	return nil
}

var scaling = regexp.MustCompile(`^(?:N|[LT]([0-9]+)|([+-]?[0-9]+))$`)

// isScaling reports whether a text is a list such as T4, N, L10, -2. Commas at the end are ignored.
func isScaling(s string) bool {
	given := strings.TrimRight(s, ",")
	if given == "" {
		return s != ""
	}
	for _, one := range strings.Split(given, ",") {
		m := scaling.FindStringSubmatch(trimmed(one))
		switch {
		case m == nil:
			return false
		case m[1] != "" && !whole(2, math.MaxInt32).holds(m[1]), m[2] != "" && !whole(math.MinInt32, math.MaxInt32).holds(m[2]):
			return false
		}
	}
	return true
}

// isGrowth reports whether a text is a fraction of 1, or a percentage.
func isGrowth(s string) bool {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	f, ok := ReadFraction(number)
	if percent {
		f /= 100
	}
	return ok && !(f < 0) && !(f > 1)
}

var byteSize = regexp.MustCompile(`^(NaN|[+-]?Infinity|[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?:\*2\^([+-]?[0-9]+))?[ \t\r\n]*(?:([qryzafpnum KMGTPEZYRQ])(i?))?B$`)

// parseBytes reads a size such as 100MiB or 1.5GB; -1 if the text is not a size.
func parseBytes(s string) float64 {
	m := byteSize.FindStringSubmatch(s)
	if m == nil {
		return -1
	}
	f, _ := ReadFraction(m[1])
	if m[2] != "" {
		power, ok := ReadWhole(m[2], 32)
		if !ok {
			return -1
		}
		f = math.Ldexp(f, int(power))
	}
	if m[3] != "" {
		thousands := strings.Index("qryzafpnum KMGTPEZYRQ", m[3]) - strings.Index("qryzafpnum ", " ")
		if m[4] != "" {
			return math.Ldexp(f, 10*thousands)
		}
		return f * math.Pow(1000, float64(thousands))
	}
	return f
}
