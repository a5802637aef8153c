package model

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxTTL is the longest time to live that Cassandra takes, 20 years in seconds.
const maxTTL = 630720000

// properties reads the table properties of a marker.
func (b *builder) properties(a *Aggregate) {
	t := a.Tag
	p := &a.Properties
	p.TTL, p.Comment, p.GCGrace, p.With = t.number("ttl", 0), t.value("comment"), t.number("gc_grace", -1), t.value("with")
	if o, ok := t.Option("ttl"); ok && (p.TTL < 1 || p.TTL > maxTTL) {
		b.add(o.Pos, RuleProperty, fmt.Sprintf("give it 1 to %d seconds", maxTTL), "ttl=%s is no time to live", o.Value)
	}
	o, ok := t.Option("with")
	if !ok {
		return
	}
	given := map[string]bool{"comment": t.Has("comment")}
	for _, x := range splitWith(p.With) {
		if why := checkProperty(x, given); why != "" {
			b.add(o.Pos, RuleProperty, "write it like with='compaction = {''class'': ''LeveledCompactionStrategy''}'", "with: %s", why)
		}
	}
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
func checkProperty(s string, given map[string]bool) string {
	name, value, ok := strings.Cut(s, "=")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	kind, known := tableProperties[name]
	switch {
	case !ok || value == "" || name == "":
		return fmt.Sprintf("%q is not name = value", s)
	case ownOption[name] != "":
		return name + " is written with the option " + ownOption[name]
	case !known:
		return fmt.Sprintf("%s is no property that a table can have here", name)
	case given[name]:
		return name + " is given twice"
	}
	given[name] = true
	return checkValue(name, value, kind)
}

func checkValue(name, value string, kind valueKind) string {
	valid := false
	switch kind {
	case mapping:
		valid = isMapLiteral(value) && classes[name].MatchString(value)
	case integer:
		n, err := strconv.ParseUint(value, 10, 31)
		valid = err == nil && n <= math.MaxInt32 && (n > 0 || !strings.HasSuffix(name, "_index_interval"))
	case fraction:
		f, err := strconv.ParseFloat(value, 64)
		valid = err == nil && isNumeral.MatchString(value) && f >= 0 && f <= 1 && (f > minFalsePositives || name != "bloom_filter_fp_chance")
	case text:
		valid = isString(value) && (texts[name] == nil || texts[name].MatchString(value[1:len(value)-1]))
	case boolean:
		valid = strings.EqualFold(value, "true") || strings.EqualFold(value, "false")
	}
	if !valid {
		return fmt.Sprintf("%s cannot be %s", name, value)
	}
	return ""
}

// minFalsePositives is what the chance of a Bloom filter must exceed.
const minFalsePositives = 6.71e-5

// isNumeral matches a number as CQL writes it.
var isNumeral = regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?$`)

// retry matches when another replica is asked, or told.
var retry = regexp.MustCompile(`(?i)^(none|always|[0-9.]+(p|percentile|ms)|(min|max)\([0-9.]+(p|percentile|ms) *, *[0-9.]+(p|percentile|ms)\))$`)

// texts match what some properties of a text can be.
var texts = map[string]*regexp.Regexp{"read_repair": regexp.MustCompile(`(?i)^(blocking|none)$`), "speculative_retry": retry, "additional_write_policy": retry}

// classes match what the entry class can be of those without a package; caching has no class.
var classes = map[string]*regexp.Regexp{
	"compaction":  regexp.MustCompile(`'class' *: *'([A-Za-z0-9_]+\..*|(SizeTiered|Leveled|TimeWindow|Unified)CompactionStrategy)'`),
	"compression": regexp.MustCompile(`'class' *: *'([A-Za-z0-9_]+\..*|(LZ4|Snappy|Deflate|Zstd|Noop)Compressor)'|^{( *'enabled' *: *'?false'?)? *}$`),
	"caching":     regexp.MustCompile(`(?i)^{ *}$|^{ *('keys' *: *'(all|none)'|'rows_per_partition' *: *'(all|none|[0-9]+)')( *, *'[a-z_]+' *: *'(all|none|[0-9]+)')? *}$`),
}

// isString says whether s is one CQL string.
func isString(s string) bool {
	if len(s) < 2 || s[0] != '\'' || s[len(s)-1] != '\'' {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(s[1:len(s)-1], "''", ""), "'")
}

// isMapLiteral says whether s is a CQL map of strings to strings, numbers or booleans.
func isMapLiteral(s string) bool {
	if len(s) < 2 || s[0] != '{' || s[len(s)-1] != '}' {
		return false
	}
	inner := strings.TrimSpace(s[1 : len(s)-1])
	if inner == "" {
		return true
	}
	parts, _, err := splitTag(inner)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(parts, func(p piece) bool { return !isEntry(p.text) })
}

// isEntry says whether s is 'key': value.
func isEntry(s string) bool {
	s = strings.TrimSpace(s)
	end := strings.Index(s, "':")
	if end < 1 || !isString(s[:end+1]) {
		return false
	}
	v := strings.TrimSpace(s[end+2:])
	return isString(v) || isNumeral.MatchString(v) || v == "true" || v == "false"
}

// indexable are the native types that a storage-attached index takes.
var indexable = set(`ascii bigint boolean date decimal double float inet int smallint text time timestamp timeuuid tinyint uuid varint`)

// index gives an attribute a secondary index.
func (b *builder) index(at *Attribute, o Option, a *Aggregate) {
	t := at.Type
	if t.collection() && t.Kind != MapType && !at.Final {
		t = t.Elem
	}
	vector := t.Kind == Vector
	switch {
	case at.Type.Kind == List && a.Tag.Has("redundant"):
		b.add(o.Pos, RuleIndex, "index the list of the source", "a list of a redundant table is frozen and cannot have an index")
		return
	case at.Counter, !vector && (t.Kind != Scalar || !indexable[t.CQL]):
		b.add(o.Pos, RuleIndex, "index a single value, a set or a list of them, or a vector", "%s cannot have an index", at.Type)
		return
	case o.Value != "" && !isOptions(o.Value):
		b.add(o.Pos, RuleIndex, "write it like index='similarity_function=COSINE'", "index=%s: these are no options of an index", o.Value)
		return
	}
	if why := checkIndexOptions(options(o.Value), at.Key, t); why != "" {
		b.add(o.Pos, RuleIndex, "write it like index='similarity_function=COSINE'", "%s: %s", o, why)
		return
	}
	at.Index = &Index{Options: optionsCQL(o.Value)}
	at.Index.Name = a.Table + "__" + at.Name + "_index"
	b.derived(at, at.Index.Name)
}

func isOptions(s string) bool { return len(options(s)) > 0 }

// options reads name=value, name=value.
func options(s string) [][2]string {
	var out [][2]string
	for _, p := range strings.Split(s, ",") {
		name, value, ok := strings.Cut(p, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" || strings.ContainsAny(value, "'{}") {
			return nil
		}
		out = append(out, [2]string{name, value})
	}
	return out
}

// checkIndexOptions says what is wrong with the options of a storage-attached index on a value; "" is nothing.
func checkIndexOptions(given [][2]string, key bool, t *Type) string {
	seen := map[string]bool{"similarity_function": false}
	for _, p := range given {
		if seen[p[0]] {
			return p[0] + " is given twice"
		}
		seen[p[0]] = true
		if why := checkIndexOption(p[0], p[1], t); why != "" {
			return why
		}
		if key {
			return "an index of a key column has no options"
		}
	}
	if t.Kind == Vector && t.Size == 1 && !seen["similarity_function"] {
		return "a vector of one element has no angle: add similarity_function=EUCLIDEAN"
	}
	return ""
}

// checkIndexOption says what is wrong with an option of a storage-attached index; "" is nothing.
func checkIndexOption(name, value string, t *Type) string {
	switch name {
	case "similarity_function":
		if t.Kind != Vector {
			return "similarity_function is for vectors"
		}
		if !slices.Contains([]string{"COSINE", "DOT_PRODUCT", "EUCLIDEAN"}, strings.ToUpper(value)) {
			return "similarity_function is COSINE, DOT_PRODUCT or EUCLIDEAN"
		}
		if strings.EqualFold(value, "COSINE") && t.Size == 1 {
			return "vectors of one element have no angle"
		}
	case "case_sensitive", "normalize", "ascii":
		if t.Kind != Scalar || t.CQL != "text" && t.CQL != "ascii" {
			return name + " is for text"
		}
		if value != "true" && value != "false" {
			return name + " is true or false"
		}
	default:
		return name + " is no option of an index"
	}
	return ""
}

// optionsCQL writes options as the entries of a CQL map.
func optionsCQL(s string) string {
	var out []string
	for _, p := range options(s) {
		out = append(out, fmt.Sprintf("'%s': '%s'", p[0], p[1]))
	}
	return strings.Join(out, ", ")
}
