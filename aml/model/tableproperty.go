package model

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// checkWith says what is wrong with the properties of with=, each in a message.
func checkWith(with string, commented bool) []string {
	given := map[string]string{}
	if commented {
		given["comment"] = ""
	}
	var out []string
	for _, x := range splitWith(with) {
		if why := checkProperty(x, given); why != "" {
			out = append(out, why)
		}
	}
	if why := checkIntervals(given); why != "" {
		out = append(out, why)
	}
	return out
}

// splitWith cuts properties at AND outside quotes and braces.
func splitWith(s string) []string {
	var out []string
	depth, quoted, from := 0, false, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth == 0 && i > 0 && s[i-1] == ' ' && len(s) > i+3 && strings.EqualFold(s[i:i+4], "and "):
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 4
		}
	}
	return append(out, strings.TrimSpace(s[from:]))
}

// valueKind says what a table property takes.
type valueKind int

const (
	mapping valueKind = iota
	integer
	fraction
	text
	boolean
)

// tableProperties are the properties of a table that a model may pass through.
var tableProperties = map[string]valueKind{
	"additional_write_policy": text, "allow_auto_snapshot": boolean, "bloom_filter_fp_chance": fraction, "caching": mapping,
	"cdc": boolean, "comment": text, "compaction": mapping, "compression": mapping, "crc_check_chance": fraction,
	"incremental_backups": boolean, "max_index_interval": integer,
	"memtable": text, "memtable_flush_period_in_ms": integer, "min_index_interval": integer, "read_repair": text, "speculative_retry": text,
}

// ownOption names the option for properties that the language judges.
var ownOption = map[string]string{"default_time_to_live": "ttl=", "gc_grace_seconds": "gc_grace="}

// checkProperty says what is wrong with one property; "" is nothing.
func checkProperty(s string, given map[string]string) string {
	name, value, ok := strings.Cut(s, "=")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	kind, known := tableProperties[name]
	_, twice := given[name]
	switch {
	case !ok || value == "" || name == "":
		return fmt.Sprintf("%q is not name = value", s)
	case ownOption[name] != "":
		return name + " is written with the option " + ownOption[name]
	case !known:
		return fmt.Sprintf("%s is no property that a table can have here", name)
	case twice:
		return name + " is given twice"
	}
	given[name] = value
	return checkValue(name, value, kind)
}

func checkValue(name, value string, kind valueKind) string {
	valid := false
	switch kind {
	case mapping:
		return checkMap(name, value)
	case integer:
		n, err := strconv.ParseUint(value, 10, 31)
		valid = err == nil && (n > 0 || !strings.HasSuffix(name, "_index_interval"))
	case fraction:
		f, err := strconv.ParseFloat(value, 64)
		valid = err == nil && isNumeral.MatchString(value) && f >= 0 && f <= 1 && (f > minFalsePositives || name != "bloom_filter_fp_chance")
	case text:
		valid = isString(value) && (texts[name] == nil || texts[name](value[1:len(value)-1]))
	case boolean:
		valid = isBoolean(value)
	}
	if !valid {
		return fmt.Sprintf("%s cannot be %s", name, value)
	}
	return ""
}

// The intervals of an index summary where none is given.
const (
	minInterval = 128
	maxInterval = 2048
)

// checkIntervals says whether the longest interval of an index summary is below the shortest.
func checkIntervals(given map[string]string) string {
	least, most := numberOr(given, "min_index_interval", minInterval), numberOr(given, "max_index_interval", maxInterval)
	if least < 1 || most < 1 || least <= most {
		return ""
	}
	return fmt.Sprintf("max_index_interval, %.0f, is below min_index_interval, %.0f", most, least)
}

// numberOr reads a number, or gives what stands where there is none; 0 is for what is no number.
func numberOr(given map[string]string, name string, otherwise float64) float64 {
	s, ok := given[name]
	if !ok {
		return otherwise
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return f
}

// minFalsePositives is what the chance of a Bloom filter must exceed.
const minFalsePositives = 6.71e-5

// isNumeral matches a number as CQL writes it.
var isNumeral = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// retryBound is a percentile or a time, after which another replica is asked.
const retryBound = `([0-9]+\.?[0-9]*|\.[0-9]+)(p|percentile|ms)`

// retrySingle and retryPair match when another replica is asked, or told.
var (
	retrySingle = regexp.MustCompile(`(?i)^` + retryBound + `$`)
	retryPair   = regexp.MustCompile(`(?i)^(?:min|max)\(` + retryBound + ` *, *` + retryBound + `\)$`)
)

// isRetry says whether s says when another replica is asked, or told.
func isRetry(s string) bool {
	switch strings.ToLower(s) {
	case "none", "never", "always":
		return true
	}
	if m := retrySingle.FindStringSubmatch(s); m != nil {
		return inRetry(m[1], m[2])
	}
	m := retryPair.FindStringSubmatch(s)
	return m != nil && inRetry(m[1], m[2]) && inRetry(m[3], m[4]) && strings.EqualFold(m[2], "ms") != strings.EqualFold(m[4], "ms")
}

// inRetry says whether a bound is in its range: a percentile lies between 0 and 100.
func inRetry(number, unit string) bool {
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && (strings.EqualFold(unit, "ms") || f > 0 && f < 100)
}

// texts say what some properties of a text can be; other configurations of a memtable are up to each node.
var texts = map[string]func(string) bool{
	"additional_write_policy": isRetry, "speculative_retry": isRetry,
	"memtable":    func(s string) bool { return s == "default" },
	"read_repair": func(s string) bool { return strings.EqualFold(s, "blocking") || strings.EqualFold(s, "none") },
}

// isString says whether s is one CQL string.
func isString(s string) bool {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(s[1:len(s)-1], "''", ""), "'")
}

// isBoolean says whether s is true or false.
func isBoolean(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

// mapLiteral reads a CQL map of strings to strings, numbers or booleans; problem says why it is none.
func mapLiteral(s string) (entries [][2]string, problem string) {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return nil, "it is no map"
	}
	inner := strings.TrimSpace(s[1 : len(s)-1])
	if inner == "" {
		return nil, ""
	}
	parts, _, err := splitTag(inner)
	if err != nil {
		return nil, err.Error()
	}
	seen := map[string]bool{}
	for _, p := range parts {
		key, value, ok := mapEntry(p.text)
		if !ok {
			return nil, fmt.Sprintf("%s is not 'name': 'value'", strings.TrimSpace(p.text))
		}
		if seen[key] {
			return nil, key + " is given twice"
		}
		seen[key], entries = true, append(entries, [2]string{key, value})
	}
	return entries, ""
}

// mapEntry reads 'key': value.
func mapEntry(s string) (key, value string, ok bool) {
	s = strings.TrimSpace(s)
	end := strings.IndexByte(strings.TrimPrefix(s, "'"), '\'') + 1
	if end < 2 || !isString(s[:end+1]) {
		return "", "", false
	}
	value, ok = strings.CutPrefix(strings.TrimSpace(s[end+1:]), ":")
	value = strings.TrimSpace(value)
	switch {
	case !ok:
	case isString(value):
		value = value[1 : len(value)-1]
	default:
		ok = isNumeral.MatchString(value) || isBoolean(value)
	}
	return s[1:end], value, ok
}

// subOption is what a sub-option of a table property can be.
type subOption struct {
	say   string
	valid func(string) bool
}

// subOptions are those of a table property, or of a class in it.
type subOptions map[string]subOption

// whole gives the whole numbers from one to another.
func whole(from, to int64) subOption {
	return subOption{fmt.Sprintf("a whole number from %d to %d", from, to), func(s string) bool {
		n, err := strconv.ParseInt(s, 10, 64)
		return err == nil && s[0] != '+' && n >= from && n <= to
	}}
}

// oneOf gives words, where cased in that case alone.
func oneOf(cased bool, words ...string) subOption {
	return subOption{strings.Join(words, " or "), func(s string) bool {
		for _, w := range words {
			if s == w || !cased && strings.EqualFold(s, w) {
				return true
			}
		}
		return false
	}}
}

// amount gives the numbers of which a condition holds.
func amount(say string, in func(float64) bool) subOption {
	return subOption{say, func(s string) bool {
		f, err := strconv.ParseFloat(s, 64)
		return err == nil && isNumeral.MatchString(s) && in(f)
	}}
}

// size gives sizes in bytes, of some bytes or more.
func size(least float64, say string) subOption {
	return subOption{"a size like 100MiB" + say, func(s string) bool {
		n, ok := bytesOf(s)
		return ok && n >= least && n < math.MaxInt64
	}}
}

var (
	yes         = oneOf(false, "true")
	trueOrFalse = oneOf(false, "true", "false")
	positive    = amount("a number of 0 or more", func(f float64) bool { return f >= 0 })
	aggressive  = oneOf(false, "false")
	chunk       = subOption{"a power of two from 1 to 1048576", isChunk}
	ratio       = amount("0, or a number of 1 or more", func(f float64) bool { return f == 0 || f >= 1 })
	rows        = subOption{"ALL, NONE or a whole number from 0 to 2147483647", func(s string) bool {
		return strings.EqualFold(s, "all") || strings.EqualFold(s, "none") || whole(0, math.MaxInt32).valid(s)
	}}
)

// compacting are the sub-options that each class of compaction has.
var compacting = subOptions{
	"enabled": trueOrFalse, "log_all": trueOrFalse, "only_purge_repaired_tombstones": trueOrFalse,
	"provide_overlapping_tombstones": oneOf(false, "NONE", "ROW", "CELL"),
	"tombstone_compaction_interval":  whole(0, math.MaxInt64), "tombstone_threshold": positive,
	"unchecked_tombstone_compaction": trueOrFalse,
}

// tiered are the sub-options of the classes that gather tables of like size.
var tiered = compacting.and(subOptions{
	"bucket_high": positive, "bucket_low": positive, "max_threshold": whole(2, math.MaxInt32),
	"min_sstable_size": whole(0, math.MaxInt64), "min_threshold": whole(2, math.MaxInt32),
})

// compressing are the sub-options that each class of compression has.
var compressing = subOptions{"chunk_length_in_kb": chunk, "enabled": yes, "min_compress_ratio": ratio}

// classes are the classes of a table property and their sub-options.
var classes = map[string]map[string]subOptions{
	"compaction": {
		"SizeTieredCompactionStrategy": tiered,
		"LeveledCompactionStrategy": tiered.and(subOptions{
			"fanout_size": whole(1, math.MaxInt32), "single_sstable_uplevel": trueOrFalse, "sstable_size_in_mb": whole(1, math.MaxInt32),
		}),
		"TimeWindowCompactionStrategy": tiered.and(subOptions{
			"compaction_window_size": whole(1, math.MaxInt32), "compaction_window_unit": oneOf(true, "MINUTES", "HOURS", "DAYS"),
			"expired_sstable_check_frequency_seconds": whole(0, math.MaxInt64),
			"timestamp_resolution":                    oneOf(true, "NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS"),
			"unsafe_aggressive_sstable_expiration":    aggressive,
		}),
		"UnifiedCompactionStrategy": compacting.and(subOptions{
			"base_shard_count": whole(1, math.MaxInt32), "expired_sstable_check_frequency_seconds": whole(1, math.MaxInt64),
			"flush_size_override": size(1<<20, " of at least 1MiB"), "max_sstables_to_compact": whole(0, math.MaxInt32), "min_sstable_size": size(0, ""),
			"overlap_inclusion_method":             oneOf(false, "NONE", "SINGLE", "TRANSITIVE"),
			"scaling_parameters":                   {"a list of N, of L and T with a number of 2 or more, and of whole numbers", isScaling},
			"sstable_growth":                       {"a number from 0 to 1 or a percentage", isGrowth},
			"target_sstable_size":                  size(1<<20, " of at least 1MiB"),
			"unsafe_aggressive_sstable_expiration": trueOrFalse,
		}),
	},
	"compression": {
		"LZ4Compressor":     compressing.and(subOptions{"lz4_compressor_type": oneOf(true, "fast", "high"), "lz4_high_compressor_level": whole(1, 17)}),
		"ZstdCompressor":    compressing.and(subOptions{"compression_level": whole(-131072, 22)}),
		"DeflateCompressor": compressing, "NoopCompressor": compressing, "SnappyCompressor": compressing,
	},
}

// packages are those of the classes, which may be named with them.
var packages = map[string]string{"compaction": "org.apache.cassandra.db.compaction.", "compression": "org.apache.cassandra.io.compress."}

// cached are the sub-options of caching, which has no classes.
var cached = subOptions{"keys": oneOf(false, "ALL", "NONE"), "rows_per_partition": rows}

// and adds sub-options.
func (o subOptions) and(more subOptions) subOptions {
	out := maps.Clone(o)
	maps.Copy(out, more)
	return out
}

// checkMap says what is wrong with a property of sub-options; "" is nothing.
func checkMap(name, value string) string {
	entries, problem := mapLiteral(value)
	if problem != "" {
		return fmt.Sprintf("%s cannot be %s: %s", name, value, problem)
	}
	if name == "caching" {
		return cached.check(name, entries)
	}
	if name == "compression" && uncompressed(entries) {
		return ""
	}
	class, rest := cutClass(name, entries)
	known, ok := classes[name][class]
	if !ok {
		return fmt.Sprintf("%s cannot be %s: its class is one of %s", name, value, names(classes[name]))
	}
	if why := known.check(class, rest); why != "" {
		return why
	}
	return checkTogether(class, rest)
}

// uncompressed says whether nothing is compressed.
func uncompressed(entries [][2]string) bool {
	return len(entries) == 0 || len(entries) == 1 && entries[0][0] == "enabled" && strings.EqualFold(entries[0][1], "false")
}

// cutClass takes the class out of sub-options, without its package.
func cutClass(name string, entries [][2]string) (class string, rest [][2]string) {
	for _, e := range entries {
		if e[0] == "class" {
			class = strings.TrimPrefix(e[1], packages[name])
		} else {
			rest = append(rest, e)
		}
	}
	return class, rest
}

// check says what is wrong with sub-options, each by itself; "" is nothing.
func (o subOptions) check(owner string, entries [][2]string) string {
	for _, e := range entries {
		known, ok := o[e[0]]
		if !ok {
			return fmt.Sprintf("%s has no %s, only %s", owner, e[0], names(o))
		}
		if !known.valid(e[1]) {
			return fmt.Sprintf("%s of %s cannot be %q: it is %s", e[0], owner, e[1], known.say)
		}
	}
	return ""
}

// names lists the keys of a map.
func names[V any](m map[string]V) string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }

// checkTogether says which sub-options of a class exclude each other; "" is none.
func checkTogether(class string, entries [][2]string) string {
	given := map[string]string{}
	for _, e := range entries {
		given[e[0]] = e[1]
	}
	switch class {
	case "UnifiedCompactionStrategy":
		return checkUnified(given)
	case "LeveledCompactionStrategy":
		if why := checkLeveled(given); why != "" {
			return why
		}
	}
	return checkTiered(given)
}

// checkTiered compares the sub-options of like size, with what stands for those that are not given.
func checkTiered(given map[string]string) string {
	if least, most := numberOr(given, "min_threshold", 4), numberOr(given, "max_threshold", 32); least > most {
		return fmt.Sprintf("min_threshold, %g, is above max_threshold, %g", least, most)
	}
	if low, high := numberOr(given, "bucket_low", 0.5), numberOr(given, "bucket_high", 1.5); low >= high {
		return fmt.Sprintf("bucket_low, %g, is not below bucket_high, %g", low, high)
	}
	return ""
}

// checkLeveled says whether the last of the nine levels is too large to count its bytes.
func checkLeveled(given map[string]string) string {
	each, fanout := numberOr(given, "sstable_size_in_mb", 160), numberOr(given, "fanout_size", 10)
	if each*(1<<20)*math.Pow(fanout, 8) > math.MaxInt64 {
		return fmt.Sprintf("sstable_size_in_mb, %.0f, and fanout_size, %.0f, make levels too large to count their bytes", each, fanout)
	}
	return ""
}

// checkUnified says whether the smallest table is too close to what tables aim at.
func checkUnified(given map[string]string) string {
	least, ok := bytesOf(given["min_sstable_size"])
	target, aimed := bytesOf(given["target_sstable_size"])
	if !aimed {
		target = 1 << 30
	}
	if ok && least > target*0.7 {
		return "min_sstable_size is above 70% of target_sstable_size, which is 1GiB where it is not given"
	}
	return ""
}

// byteSize matches a number of bytes.
var byteSize = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?([KMGTPE]?)i?B$`)

// bytesOf reads a number of bytes.
func bytesOf(s string) (n float64, ok bool) {
	m := byteSize.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	return n * math.Pow(1024, float64(len(m[2])*(1+strings.Index("KMGTPE", m[2])))), err == nil
}

// isChunk says whether s is a power of two up to a gibibyte in kibibytes.
func isChunk(s string) bool {
	n, err := strconv.ParseUint(s, 10, 32)
	return err == nil && n <= 1<<20 && bits.OnesCount64(n) == 1
}

// scaling matches a step of unified compaction.
var scaling = regexp.MustCompile(`^(?:N|([LT])([0-9]+)|[+-]?[0-9]+)$`)

// isScaling says whether s lists steps of unified compaction.
func isScaling(s string) bool {
	for _, x := range strings.Split(s, ",") {
		x = strings.TrimSpace(x)
		m := scaling.FindStringSubmatch(x)
		if m == nil {
			return false
		}
		n, err := strconv.ParseInt(strings.TrimLeft(x, "LT"), 10, 32)
		if x != "N" && (err != nil || m[1] != "" && n < 2) {
			return false
		}
	}
	return true
}

// isGrowth says whether s is a part of one, or of a hundred with %.
func isGrowth(s string) bool {
	digits, percent := strings.CutSuffix(s, "%")
	f, err := strconv.ParseFloat(digits, 64)
	if percent {
		f /= 100
	}
	return err == nil && isNumeral.MatchString(digits) && f >= 0 && f <= 1
}
