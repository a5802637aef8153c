package model

import (
	"slices"
	"strings"
	"unicode"

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

// endsWord reports whether what follows an initialism begins another word.
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

// checkTable returns what is wrong with a table's name; "" if it is valid.
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

// checkColumn returns what is wrong with the name of a column or of a field of a type.
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

// checkType returns what is wrong with the name of a user-defined type.
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

// Derived returns the tables that an aggregate needs in addition to its own.
func (a *Aggregate) Derived() []string {
	var out []string
	for _, u := range a.Uniques {
		out = append(out, u.Table)
	}
	if a.Pending() {
		out = append(out, a.Table+"__sync")
	}
	for _, c := range a.Copies {
		out = append(out, c.Table)
	}
	for _, x := range a.Associations {
		if x.Table != "" && !slices.Contains(out, x.Table) {
			out = append(out, x.Table)
		}
	}
	return out
}

// Pending reports whether a save of the aggregate writes rows of other tables, so that unfinished work of an earlier save is
// stored with it.
func (a *Aggregate) Pending() bool {
	return a.Version != nil && (len(a.Projections) > 0 || len(a.Copies) > 0 ||
		slices.ContainsFunc(a.Associations, func(x *Association) bool { return x.Checked }))
}

// names refuses duplicate names: columns of a table, fields of a type, tables, types.
func (b *builder) names() {
	tables := map[string]*Aggregate{"aml_migrations": nil}
	for _, a := range b.model.Aggregates {
		own := append([]string{a.Table}, a.Derived()...)
		if a.InRootTable {
			own = nil
		}
		for _, t := range own {
			b.table(a, t, tables)
		}
		if sync := a.Table + "__sync"; slices.Contains(own, sync) && checkTable(a.Table) == "" && checkTable(sync) != "" {
			b.add(a.Tag.placeOr(a.Struct.Pos), RuleName, "use another name for the table", "derived name %q: %s", sync, checkTable(sync))
		}
		if !a.InRootTable {
			b.columns(a.columns(), "column", a.Table)
		}
	}
	b.indexNames()
	types := map[string]*Object{}
	for _, a := range b.model.Aggregates {
		b.shadowed(a.Attributes)
	}
	for _, o := range b.model.Objects {
		b.visits = o.way
		b.shadowed(o.Attributes)
		b.columns(o.Attributes, "field", o.UDT)
		b.visits = nil
		if first, taken := types[o.UDT]; taken {
			b.sameType(first, o)
		} else {
			types[o.UDT] = o
		}
	}
}

// sameType refuses two types with the same name, at the one that the user can rename.
func (b *builder) sameType(first, second *Object) {
	at := second
	if !b.written(second.Struct) && b.written(first.Struct) {
		at = first
	}
	pos, fix := b.rename(at)
	if b.written(at.Struct) {
		pos = at.Struct.Pos
	}
	describe := func(o *Object) string {
		if of := b.ofOther(o); of != "" {
			return strings.TrimPrefix(of, " of ")
		}
		return o.Struct.Pkg + "." + o.Struct.Name
	}
	b.put(pos, RuleTypeTwice, fix, "%s and %s are both stored as type %s", describe(first), describe(second), second.UDT)
}

func (b *builder) table(a *Aggregate, name string, taken map[string]*Aggregate) {
	first, known := taken[name]
	switch {
	case !known && strings.HasPrefix(name, "aml_"):
		b.add(a.Struct.Pos, RuleName, "use another name for the table", "name %q: tables that begin with aml_ are reserved for the tool, and migrations must not contain them", name)
	case !known:
		taken[name] = a
	case first == nil:
		b.add(a.Struct.Pos, RuleTableTwice, "use another name for the table", "table %s is the table that records migrations", name)
	default:
		b.add(a.Struct.Pos, RuleTableTwice, "rename one of them", "%s and %s are both stored in table %s", first.Struct.Name, a.Struct.Name, name)
	}
}

// columns returns the columns of the table of an aggregate; a table shared with a part has the columns of both.
func (a *Aggregate) columns() []*Attribute {
	out := a.Attributes
	for _, p := range a.Parts {
		if !p.InRootTable {
			continue
		}
		for _, at := range p.Attributes {
			if !slices.Contains(p.Identifier, at) {
				out = append(slices.Clip(out), at)
			}
		}
		return out // a second one is refused
	}
	return out
}

// indexNames refuses two indexes with the same name, which must be unique in the keyspace.
func (b *builder) indexNames() {
	seen := map[string]*Attribute{}
	for _, a := range b.model.Aggregates {
		for _, at := range a.Attributes {
			if at.Index == nil {
				continue
			}
			if first, taken := seen[at.Index.Name]; taken {
				o, _ := at.Tag.Option("index")
				b.add(o.Pos, RuleColumnTwice, "rename one of them", "the indexes of %s and %s are both named %s", first.GoName(), at.GoName(), at.Index.Name)
			}
			seen[at.Index.Name] = at
		}
	}
}

// shadowed refuses two attributes with the same Go name in one struct: Go, and every path, would refer to the outer one.
func (b *builder) shadowed(in []*Attribute) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if first, taken := seen[at.GoName()]; taken && at.Name != first.Name && !at.Hidden() && !first.Hidden() {
			b.add(at.Pos, RuleColumnTwice, "rename one of the fields", "%s and %s have the same Go name, so a path would be ambiguous",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."))
			continue
		}
		seen[at.GoName()] = at
	}
}

func (b *builder) columns(in []*Attribute, kind, of string) {
	seen := map[string]*Attribute{}
	for _, at := range in {
		if kind == "column" && strings.HasPrefix(at.Name, "aml_") {
			b.add(at.Pos, RuleName, "use another name", "name %q: columns that begin with aml_ are reserved for the tool", at.Name)
		}
		if first, taken := seen[at.Name]; taken {
			b.add(at.Pos, RuleColumnTwice, "rename one of them", "%s and %s are both stored in %s %s of %s",
				strings.Join(first.Path, "."), strings.Join(at.Path, "."), kind, at.Name, of)
			continue
		}
		seen[at.Name] = at
	}
}
