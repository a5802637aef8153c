package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// compressors are those of the server, with the options that each has.
var compressors = map[string]map[string]func(string) bool{
	"DeflateCompressor": {},
	"LZ4Compressor": {
		"lz4_compressor_type":       func(s string) bool { return s == "fast" || s == "high" },
		"lz4_high_compressor_level": between(1, 17),
	},
	"NoopCompressor":   {},
	"SnappyCompressor": {},
	"ZstdCompressor":   {"compression_level": between(-131072, 22)},
}

// between says whether a text is a whole number in a range.
func between(least, most int64) func(string) bool {
	return func(s string) bool {
		n, ok := wholeOf(s, 32)
		return ok && n >= least && n <= most
	}
}

// The packages of the classes that the server knows by their last names.
const (
	compactions  = "org.apache.cassandra.db.compaction."
	compressions = "org.apache.cassandra.io.compress."
	own          = "org.apache.cassandra."
)

// foreign says whether a class comes from elsewhere than the server. What it takes is for it alone to say.
func foreign(class string) bool {
	return strings.Contains(class, ".") && !strings.HasPrefix(class, own)
}

// compressionForm says why the server refuses a compression.
func compressionForm(given map[string]string) error {
	entries := maps.Clone(given)
	class, named := entries["class"]
	enabled, said := entries["enabled"]
	on := !said || strings.EqualFold(enabled, "true")
	delete(entries, "class")
	delete(entries, "enabled")
	switch {
	case len(given) > 0 && on && !named:
		return fmt.Errorf("compression has no class")
	case !on && len(given) > 1:
		return fmt.Errorf("compression is not enabled: nothing else can be said of it")
	case named && class == "":
		return fmt.Errorf("the class of compression is empty: {'enabled': false} switches it off")
	case foreign(class) || !named:
		return nil
	}
	if err := chunks(entries); err != nil {
		return err
	}
	options, known := compressors[strings.TrimPrefix(class, compressions)]
	if !known {
		return fmt.Errorf("there is no compressor %s", class)
	}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		v := entries[key]
		if of, ok := options[key]; !ok {
			return fmt.Errorf("compression by %s has no %s", class, key)
		} else if !of(v) {
			return fmt.Errorf("%s of compression cannot be %q", key, v)
		}
	}
	return nil
}

// chunks judges how long chunks are, and from which ratio on they are compressed, and takes both off.
func chunks(entries map[string]string) error {
	length := int64(16)
	if v, given := entries["chunk_length_in_kb"]; given {
		n, ok := wholeOf(v, 32)
		if !ok || n < 1 || n > math.MaxInt32/1024 || n&(n-1) != 0 {
			return fmt.Errorf("chunk_length_in_kb is a power of two, not %q", v)
		}
		length = n
	}
	if v, given := entries["min_compress_ratio"]; given {
		f, ok := fractionOf(v)
		most := math.Ceil(math.Min(float64(length*1024)/f, math.MaxInt32))
		if !ok || most < 0 || most > float64(length*1024) && most < math.MaxInt32 {
			return fmt.Errorf("min_compress_ratio is 0, or 1 or more, not %q", v)
		}
	}
	delete(entries, "chunk_length_in_kb")
	delete(entries, "min_compress_ratio")
	return nil
}
