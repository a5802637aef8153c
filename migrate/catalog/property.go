package catalog

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/ddl"
)

// Option returns the value of a property of a table, that of the server where the table does not say, in the canonical form;
// "" for a property that is not known and not given.
func Option(t *schema.Table, name string) string {
	given := optionsOf(t)
	if v, ok := given[name]; ok {
		return v
	}
	return defaultOf(name, given["compaction"])
}

// optionsOf returns the properties of a table of a [Keyspace] by name.
func optionsOf(t *schema.Table) map[string]string {
	out := map[string]string{}
	for _, p := range t.Properties {
		out[p.Name] = p.Value
	}
	return out
}

// Options lists properties by name, without those that are the server's own: the form that [schema.Table.Properties] have in
// a [Keyspace]. The values are in the canonical form, as [Value] gives it.
func Options(given map[string]string) []schema.Property {
	var out []schema.Property
	for _, name := range slices.Sorted(maps.Keys(given)) {
		byDefault := name == property.FalsePositives && given[name] == property.ByDefault
		if !byDefault && given[name] != defaultOf(name, given["compaction"]) {
			out = append(out, schema.Property{Name: name, Value: given[name]})
		}
	}
	return out
}

// Value brings the value of a property, written in CQL, into the one form in which values are compared: 'text', 1.5, true,
// {'key': 'value', …} with its keys sorted, names without the server's own packages, and without what the server would add.
func Value(name, cql string) (string, error) {
	v, err := ddl.ParseValue(name, cql)
	if err != nil {
		return "", err
	}
	return canonical(name, v), nil
}

// Map brings the entries of a property that is a map into the same form.
func Map(name string, entries map[string]string) string {
	return canonical(name, ddl.Value{Entries: maps.Clone(entries)})
}

// Text brings a property that is a text into the same form.
func Text(name, text string) string { return canonical(name, ddl.Value{Text: text, Quoted: true}) }

func canonical(name string, v ddl.Value) string {
	switch {
	case v.Entries != nil:
		return canonicalMap(name, maps.Clone(v.Entries))
	case property.KindOf(name) == property.Text || defaults[name] == "" && v.Quoted:
		return model.QuoteText(canonicalText(name, v.Text))
	case property.KindOf(name) == property.Boolean:
		if truth, ok := property.ReadBoolean(v.Text); ok {
			return strconv.FormatBool(truth)
		}
	}
	if n, ok := property.ReadWhole(v.Text, 32); ok {
		return strconv.FormatInt(n, 10)
	}
	if f, ok := property.ReadFraction(v.Text); ok && isNumber(property.KindOf(name)) {
		return property.FormatFraction(f)
	}
	return strings.ToLower(v.Text)
}

func isNumber(k property.Kind) bool { return k == property.Whole || k == property.Fraction }

// exact matches a number with a fraction or an exponent.
var exact = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?$`)

// number writes a number one way; what is none stays, and so does a whole number of any size.
func number(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !exact.MatchString(s) || !strings.ContainsAny(s, ".e") {
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func canonicalMap(name string, entries map[string]string) string {
	for k, v := range entries {
		v = property.ShortClass(v)
		entries[k] = number(v)
		if property.IsBoolean(v) {
			entries[k] = strings.ToLower(v)
		}
	}
	switch {
	case name == "caching":
		entries = caching(entries)
	case name == "compression" && entries["class"] == "":
		return "{'enabled': 'false'}" // what {} means, too
	case name == "compression":
		compression(entries)
	}
	for k, v := range subDefaults[name] {
		if entries[k] == v {
			delete(entries, k)
		}
	}
	return mapText(entries)
}

// compression writes its numbers as the server does.
func compression(entries map[string]string) {
	if n, ok := property.ReadWhole(entries["chunk_length_in_kb"], 32); ok {
		entries["chunk_length_in_kb"] = strconv.FormatInt(n, 10)
	}
	if f, ok := property.ReadFraction(entries["min_compress_ratio"]); ok {
		entries["min_compress_ratio"] = property.FormatFraction(f)
	}
}

// caching caches nothing of what it does not name.
func caching(given map[string]string) map[string]string {
	out := map[string]string{"keys": "NONE", "rows_per_partition": "NONE"}
	for k, v := range given {
		out[k] = strings.ToUpper(v)
		switch n, whole := property.ReadWhole(v, 32); {
		case whole && n == 0:
			out[k] = "NONE"
		case whole && n == math.MaxInt32:
			out[k] = "ALL"
		case whole:
			out[k] = strconv.FormatInt(n, 10)
		}
	}
	return out
}

// class returns the class of a compaction in the canonical form.
func class(compaction string) string {
	_, rest, _ := strings.Cut(compaction, "'class': '")
	name, _, _ := strings.Cut(rest, "'")
	return name
}

func canonicalText(name, s string) string {
	switch name {
	case "speculative_retry", "additional_write_policy":
		return property.Retry(s)
	case "read_repair":
		return strings.ToUpper(s)
	}
	return s
}

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
