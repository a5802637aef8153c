package catalog

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// unified are the options of the unified compaction.
var unified = compactionOptions{
	"base_shard_count":                        positive,
	"expired_sstable_check_frequency_seconds": atLeast(1),
	"flush_size_override":                     mebibyteOrMore,
	"max_sstables_to_compact":                 between(math.MinInt32, math.MaxInt32),
	"min_sstable_size":                        func(s string) bool { return bytesOf(s) >= 0 },
	"overlap_inclusion_method": func(s string) bool {
		return slices.Contains([]string{"NONE", "SINGLE", "TRANSITIVE"}, strings.ToUpper(s))
	},
	"scaling_parameters":                   scalingParameters,
	"sstable_growth":                       growth,
	"target_sstable_size":                  func(s string) bool { return mebibyteOrMore(s) && bytesOf(s) < math.MaxInt64 },
	"unsafe_aggressive_sstable_expiration": isTruth,
}

// unifiedSizes judges the options of the unified compaction that depend on one another.
func unifiedSizes(entries map[string]string) error {
	target := float64(1 << 30)
	if v, given := entries["target_sstable_size"]; given {
		target = math.Ceil(bytesOf(v))
	}
	least, given := entries["min_sstable_size"]
	if given && math.Trunc(bytesOf(least)) >= math.Ceil(target*math.Sqrt(0.5)) {
		return fmt.Errorf("min_sstable_size of compaction is %s, more than 70%% of target_sstable_size", least)
	}
	return nil
}

var scaling = regexp.MustCompile(`^(?:N|[LT]([0-9]+)|([+-]?[0-9]+))$`)

// scalingParameters judges a list such as T4, N, L10, -2, of which commas at the end are passed over.
func scalingParameters(s string) bool {
	given := strings.TrimRight(s, ",")
	if given == "" {
		return s != ""
	}
	for _, one := range strings.Split(given, ",") {
		m := scaling.FindStringSubmatch(strings.TrimFunc(one, func(r rune) bool { return r <= ' ' }))
		switch {
		case m == nil:
			return false
		case m[1] != "" && !between(2, math.MaxInt32)(m[1]), m[2] != "" && !between(math.MinInt32, math.MaxInt32)(m[2]):
			return false
		}
	}
	return true
}

func growth(s string) bool {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	f, ok := fractionOf(number)
	if percent {
		f /= 100
	}
	return ok && !(f < 0) && !(f > 1)
}

var byteSize = regexp.MustCompile(`^(NaN|[+-]?Infinity|[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?:\*2\^([+-]?[0-9]+))?[ \t\r\n]*(?:([qryzafpnum KMGTPEZYRQ])(i?))?B$`)

// bytesOf reads a size such as 100MiB or 1.5GB; -1 is for what is none.
func bytesOf(s string) float64 {
	m := byteSize.FindStringSubmatch(s)
	if m == nil {
		return -1
	}
	f, _ := fractionOf(m[1])
	if m[2] != "" {
		power, ok := wholeOf(m[2], 32)
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

func mebibyteOrMore(s string) bool { return bytesOf(s) >= 1<<20 }
