package catalog

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/internal/lex"
)

// Option gives the value of a property of a table, that of the server where the table does not say, in the canonical form;
// "" for a property that is not known and not given.
func Option(t *schema.Table, name string) string {
	given := optionsOf(t)
	if v, ok := given[name]; ok {
		return v
	}
	return defaultOf(name, given["compaction"])
}

// optionsOf gives the properties of a table of a [Keyspace] by name.
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
		if given[name] != defaultOf(name, given["compaction"]) {
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
	if p.Peek().Text != "" || v.text == "" && v.entries == nil && !v.quoted {
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

// value is what stands behind the = of a property.
type value struct {
	text    string            // of a string without its quotes
	quoted  bool              // it is a string
	entries map[string]string // of a map; nil for what is none
}

func (v value) canonical(name string) string {
	if v.entries != nil {
		return canonicalMap(name, v.entries)
	}
	if _, textual := strings.CutPrefix(defaults[name], "'"); textual || defaults[name] == "" && v.quoted {
		return model.QuoteText(canonicalText(name, v.text))
	}
	return number(strings.ToLower(v.text))
}

// number writes a number one way; what is none stays, and so does a whole number of any size.
func number(s string) string {
	fraction := regexp.MustCompile(`^-?[0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?$`)
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !fraction.MatchString(s) || !strings.ContainsAny(s, ".e") {
		return s
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// packages are those of the classes that the server knows by their last names.
var packages = []string{"org.apache.cassandra.db.compaction.", "org.apache.cassandra.io.compress."}

func canonicalMap(name string, entries map[string]string) string {
	for k, v := range entries {
		for _, p := range packages {
			v = strings.TrimPrefix(v, p)
		}
		entries[k] = number(v)
		if l := strings.ToLower(v); l == "true" || l == "false" {
			entries[k] = l
		}
		if subDefaults[name][k] == entries[k] {
			delete(entries, k)
		}
	}
	switch {
	case name == "caching":
		entries = caching(entries)
	case name == "compression" && entries["class"] == "":
		entries = map[string]string{"enabled": "false"} // what {} means, too
	}
	return mapText(entries)
}

// caching caches nothing of what it does not name.
func caching(given map[string]string) map[string]string {
	out := map[string]string{"keys": "NONE", "rows_per_partition": "NONE"}
	for k, v := range given {
		out[k] = strings.ToUpper(v)
	}
	return out
}

// class gives the class of a compaction in the canonical form.
func class(compaction string) string {
	_, rest, _ := strings.Cut(compaction, "'class': '")
	name, _, _ := strings.Cut(rest, "'")
	return name
}

func canonicalText(name, s string) string {
	switch name {
	case "speculative_retry", "additional_write_policy":
		return retry(s)
	case "read_repair":
		return strings.ToUpper(s)
	}
	return s
}

// retry writes when another replica is asked as the server shows it: 99percentile => 99p, 10.5MS => 10ms,
// max(10ms, 99p) => MAX(99p,10ms), none => NEVER.
func retry(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), " ", "")
	pair := regexp.MustCompile(`^(min|max)\(([^,]*),([^,]*)\)$`).FindStringSubmatch(s)
	switch {
	case s == "none" || s == "never":
		return "NEVER"
	case s == "always":
		return "ALWAYS"
	case pair == nil:
		return bound(s)
	case strings.HasSuffix(pair[2], "ms"):
		pair[2], pair[3] = pair[3], pair[2]
	}
	return strings.ToUpper(pair[1]) + "(" + bound(pair[2]) + "," + bound(pair[3]) + ")"
}

func bound(s string) string {
	if ms, ok := strings.CutSuffix(s, "ms"); ok {
		whole, _, _ := strings.Cut(number(ms), ".")
		return whole + "ms"
	}
	if p, ok := strings.CutSuffix(strings.TrimSuffix(s, "ercentile"), "p"); ok {
		return number(p) + "p"
	}
	return s
}
