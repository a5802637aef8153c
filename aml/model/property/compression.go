package property

import (
	"fmt"
	"math"
	"strings"
)

// compressing are the options of all compressors of the server.
var compressing = rules{
	"chunk_length_in_kb": {"a power of two from 1 to 1048576", func(s string) bool {
		n, ok := ReadWhole(s, 32)
		return ok && n >= 1 && n <= math.MaxInt32/1024 && n&(n-1) == 0
	}},
	"enabled":            {"true; only {'enabled': false} without other entries disables compression", func(s string) bool { return strings.EqualFold(s, "true") }},
	"min_compress_ratio": anything, // see ratio
}

// compressors are the compressors of the server.
var compressors = map[string]rules{
	"DeflateCompressor": compressing,
	"LZ4Compressor":     compressing.and(rules{"lz4_compressor_type": choice(true, "fast", "high"), "lz4_high_compressor_level": whole(1, 17)}),
	"NoopCompressor":    compressing,
	"SnappyCompressor":  compressing,
	"ZstdCompressor":    compressing.and(rules{"compression_level": whole(-131072, 22)}),
}

// checkCompression checks the entries of compression.
func checkCompression(entries map[string]string) []Fault {
	if _, named := entries["class"]; !named && uncompressed(entries) {
		return nil
	}
	enabled, said := entries["enabled"]
	off := said && !compressing["enabled"].holds(enabled)
	class := strings.TrimPrefix(entries["class"], packages["compression"])
	options, known := compressors[class]
	switch {
	case !known && off:
		return []Fault{compressing["enabled"].refused("compression", "enabled", enabled)}
	case !known:
		return []Fault{noClass("compression", entries, compressors)}
	}
	rest := withoutClass(entries)
	return append(options.check(class, rest), ratio(class, rest)...)
}

// uncompressed reports whether entries without a class disable compression.
func uncompressed(entries map[string]string) bool {
	enabled, said := entries["enabled"]
	return len(entries) == 0 || len(entries) == 1 && said && !compressing["enabled"].holds(enabled)
}

// ratio checks min_compress_ratio, which must not be above the limit for the chunk length.
func ratio(class string, entries map[string]string) []Fault {
	v, given := entries["min_compress_ratio"]
	length := numberOr(entries, "chunk_length_in_kb", 16) * 1024
	f, ok := ReadFraction(v)
	most := math.Ceil(math.Min(length/f, math.MaxInt32))
	if !given || ok && !(most < 0) && !(most > length && most < math.MaxInt32) {
		return nil
	}
	return []Fault{{Entry: "min_compress_ratio", What: fmt.Sprintf("invalid min_compress_ratio %[2]q of %[1]s: use 0, or a number of 1 or more", class, v)}}
}
