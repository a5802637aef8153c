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
)

// Option returns the value of a property of a table in the canonical form. A property that the table does not set has the server's
// default; "" for an unknown property.
func Option(t *schema.Table, name string) string {
	given := propertyMap(t)
	if v, ok := given[name]; ok {
		return v
	}
	return defaultProperty(name, given["compaction"])
}

// propertyMap returns the properties of a table of a [Keyspace], by name.
func propertyMap(t *schema.Table) map[string]string {
	out := map[string]string{}
	for _, p := range t.Properties {
		out[p.Name] = p.Value
	}
	return out
}

// Options sorts properties by name and omits the server's defaults. This is the form of [schema.Table.Properties] in a [Keyspace].
// The values must be in the canonical form of [Value].
func Options(given map[string]string) []schema.Property {
	var out []schema.Property
	for _, name := range slices.Sorted(maps.Keys(given)) {
		byDefault := name == property.FalsePositives && given[name] == property.ByDefault
		if !byDefault && given[name] != defaultProperty(name, given["compaction"]) {
			out = append(out, schema.Property{Name: name, Value: given[name]})
		}
	}
	return out
}

// Value returns the canonical form of the CQL value of a property, in which values are compared: 'text', 1.5, true,
// {'key': 'value', …} with sorted keys, class names without the server's packages, and without entries that the server adds.
func Value(name, cql string) (string, error) {
	v, err := property.Parse(name, cql)
	if err != nil {
		return "", err
	}
	return canonical(name, v), nil
}

// Map returns the canonical form of the entries of a property that is a map.
func Map(name string, entries map[string]string) string {
	return canonical(name, property.Value{Entries: maps.Clone(entries)})
}

// Text returns the canonical form of a property that is a text.
func Text(name, text string) string { return canonical(name, property.Value{Text: text, Quoted: true}) }

func canonical(name string, v property.Value) string {
	switch {
	case v.Entries != nil:
		return canonicalMap(name, maps.Clone(v.Entries))
	case property.LookupKind(name) == property.Text || defaults[name] == "" && v.Quoted:
		return model.QuoteText(canonicalText(name, v.Text))
	case property.LookupKind(name) == property.Boolean:
		if b, ok := property.ReadBoolean(v.Text); ok {
			return strconv.FormatBool(b)
		}
	}
	if n, ok := property.ReadWhole(v.Text, 32); ok {
		return strconv.FormatInt(n, 10)
	}
	if f, ok := property.ReadFraction(v.Text); ok && isNumber(property.LookupKind(name)) {
		return property.FormatFraction(f)
	}
	return strings.ToLower(v.Text)
}

func isNumber(k property.Kind) bool { return k == property.Whole || k == property.Fraction }

// exact matches a number with a fraction or an exponent.
var exact = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?$`)

// number returns the canonical form of a number with a fraction or an exponent; any other text is returned unchanged.
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
		return "{'enabled': 'false'}" // {} has the same meaning
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

// compression formats the numbers of a compression as the server does.
func compression(entries map[string]string) {
	if n, ok := property.ReadWhole(entries["chunk_length_in_kb"], 32); ok {
		entries["chunk_length_in_kb"] = strconv.FormatInt(n, 10)
	}
	if f, ok := property.ReadFraction(entries["min_compress_ratio"]); ok {
		entries["min_compress_ratio"] = property.FormatFraction(f)
	}
}

// caching returns the canonical form of caching. An entry that is missing means NONE.
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

// defaults are the properties of a table that is created without any, in the canonical form, as Cassandra 5.0.8 shows them in
// system_schema.tables. Nodes can be configured with other defaults of compaction and compression; a model for such nodes must set
// these properties.
var defaults = map[string]string{
	"additional_write_policy":     "'99p'",
	"allow_auto_snapshot":         "true",
	"bloom_filter_fp_chance":      "0.01", // see defaultProperty
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

// subDefaults are the entries of properties that have no effect, because the server adds them or behaves as if they were set.
var subDefaults = map[string]map[string]string{
	"compaction":  {"enabled": "true", "max_threshold": "32", "min_threshold": "4"},
	"compression": {"chunk_length_in_kb": "16", "enabled": "true", "min_compress_ratio": "0"},
}

// leveled is the only compaction with another default of bloom_filter_fp_chance.
const leveled = "LeveledCompactionStrategy"

// defaultProperty returns the default of a property in a table with a compaction in the canonical form; "" for an unknown property.
func defaultProperty(name, compaction string) string {
	if name == "bloom_filter_fp_chance" && class(compaction) == leveled {
		return "0.1"
	}
	return defaults[name]
}

// mapText returns a CQL map with sorted keys.
func mapText(m map[string]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, model.QuoteText(key)+": "+model.QuoteText(m[key]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}
