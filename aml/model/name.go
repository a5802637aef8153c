package model

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cassaml/cassaml/aml/cqltype"
)

// initialisms are written as one word, also in the plural: UserID is user_id, not user_i_d. The longest match counts.
var initialisms = []string{"HTTPS", "UUID", "HTTP", "JSON", "HTML", "GUID", "ISBN", "IPv4", "IPv6", "URL", "URI", "API", "SQL", "CQL", "XML", "CPU",
	"DOI", "TTL", "UDT", "UTC", "SKU", "VAT", "TCP", "UDP", "DNS", "ID", "IP", "OS", "UI"}

// SnakeCase returns the default CQL name of a Go name: UserID => user_id, HTTPServer => http_server, Address2 => address2.
func SnakeCase(name string) string {
	var words []string
	for name != "" {
		n := wordLength(name)
		if w := strings.Trim(name[:n], "_"); w != "" {
			words = append(words, strings.ToLower(w))
		}
		name = name[n:]
	}
	return strings.Join(words, "_")
}

// wordLength returns how many bytes the first word of a Go name has.
func wordLength(name string) int {
	for _, w := range initialisms {
		if n := initialismLength(name, w); n > 0 {
			return n
		}
	}
	runes := []rune(name)
	i := 1
	for i < len(runes) && !startsWord(runes, i) {
		i++
	}
	return len(string(runes[:i]))
}

// initialismLength returns the length in bytes of an initialism at the start of a Go name, with a plural's s and the
// digits after it; 0 if the name does not begin with it.
func initialismLength(name, initialism string) int {
	rest, ok := strings.CutPrefix(name, initialism)
	if plural, isPlural := strings.CutPrefix(rest, "s"); isPlural {
		rest = plural
	}
	if !ok || !endsWord(rest) {
		return 0
	}
	if numbered := strings.TrimLeft(rest, "0123456789"); endsWord(numbered) {
		rest = numbered
	}
	return len(name) - len(rest)
}

// startsWord reports whether a word starts at i: a capital after a small letter, or the last capital of a run.
func startsWord(r []rune, i int) bool {
	if r[i] == '_' {
		return true
	}
	if !unicode.IsUpper(r[i]) {
		return false
	}
	return !unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])
}

// endsWord reports whether the text after an initialism begins another word.
func endsWord(rest string) bool {
	for _, r := range rest {
		return !unicode.IsLower(r)
	}
	return true
}

// CamelCase returns the Go name of a table: artifacts_by_venue => ArtifactsByVenue, user_ids => UserIDs.
func CamelCase(name string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		b.WriteString(camelWord(w))
	}
	return b.String()
}

func camelWord(w string) string {
	for _, i := range initialisms {
		switch w {
		case strings.ToLower(i):
			return i
		case strings.ToLower(i) + "s":
			return i + "s"
		}
	}
	r := []rune(w)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// maxName leaves room for derived names: Cassandra uses a table's name in file names.
const maxName = 200

// LowerFirst returns a Go name with its first word in lower case: UserID => userID, ID => id, IDs => ids, URLPath => urlPath.
func LowerFirst(s string) string {
	r := []rune(s)
	for i := range r {
		if i > 0 && (!unicode.IsUpper(r[i]) || i+1 < len(r) && unicode.IsLower(r[i+1]) && !pluralEnd(r[i+1:])) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// pluralEnd reports whether the text after a word begins with an s that belongs to the word.
func pluralEnd(r []rune) bool { return r[0] == 's' && (len(r) == 1 || unicode.IsUpper(r[1])) }

// checkTable returns the reason why a table's name is invalid; "" if it is valid.
func checkTable(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxName:
		return "it is longer than 200 bytes"
	case strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) }):
		return "Cassandra allows only letters, digits and _ in the name of a table or an index"
	}
	return ""
}

// checkColumn returns the reason why the name of a column or of a field of a type is invalid.
func checkColumn(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxName:
		return "it is longer than 200 bytes"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "it contains a control character"
	}
	return ""
}

// checkType returns the reason why the name of a user-defined type is invalid.
func checkType(name string) string {
	if cqltype.IsReserved(strings.ToLower(name)) {
		return "it is the name of a CQL type, and a node with such a type cannot start again"
	}
	if typeWords[name] {
		return "it is a CQL keyword that a node stores without quotes and cannot read again, so the node cannot start again"
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "drivers cannot read the name of a type that is not ASCII"
	}
	return checkColumn(name)
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// typeWords are CQL keywords that can be the name of a type only in quotes, and that Cassandra's own tables show without.
var typeWords = set("cast count distinct json maxwritetime ttl writetime")

// reserved are the CQL keywords that cannot be names without quotes: the reserved words, true and false.
var reserved = set(`add allow alter and apply asc authorize batch begin by columnfamily create delete desc describe drop
	entries execute false from full grant if in index infinity insert into is keyspace limit materialized modify nan norecursive
	not null of on or order primary rename revoke schema select set table to token true truncate unlogged update use using view where with`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// QuoteText returns a text as a CQL literal, with single quotes doubled.
func QuoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Quote returns a name in CQL: with quotes if it is not a plain identifier or if it is a reserved word.
func Quote(name string) string {
	if isPlain(name) && !reserved[name] {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// isPlain reports whether a name is an identifier that CQL accepts without quotes and does not change.
func isPlain(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !isWord(r) || r >= 'A' && r <= 'Z' })
}

// checkDerived checks the name of a derived table.
func checkDerived(f *faults, at *Attribute, table string) {
	if why := checkTable(table); why != "" {
		f.add(at.Pos, RuleName, "give the attribute or its table another name", "derived name %q: %s", table, why)
	}
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
