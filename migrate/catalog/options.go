package catalog

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/model/property"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/lex"
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
	p := &parser{Reader: lex.Reader{Words: lex.Words(cql)}}
	v := p.value()
	if p.Peek().Text != "" || v.none() {
		p.fail("is no value of " + name)
	}
	if p.err != nil {
		return "", fmt.Errorf("%s = %s: %s", name, cql, p.err.Reason)
	}
	return v.canonical(name), nil
}

// Map brings the entries of a property that is a map into the same form.
func Map(name string, entries map[string]string) string {
	return value{entries: maps.Clone(entries)}.canonical(name)
}

// Text brings a property that is a text into the same form.
func Text(name, text string) string { return value{text: text, quoted: true}.canonical(name) }

func (v value) canonical(name string) string {
	switch {
	case v.entries != nil:
		return canonicalMap(name, maps.Clone(v.entries))
	case property.KindOf(name) == property.Text || defaults[name] == "" && v.quoted:
		return model.QuoteText(canonicalText(name, v.text))
	case property.KindOf(name) == property.Boolean:
		if truth, ok := property.ReadBoolean(v.text); ok {
			return strconv.FormatBool(truth)
		}
	}
	if n, ok := property.ReadWhole(v.text, 32); ok {
		return strconv.FormatInt(n, 10)
	}
	if f, ok := property.ReadFraction(v.text); ok && isNumber(property.KindOf(name)) {
		return property.FormatFraction(f)
	}
	return strings.ToLower(v.text)
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
