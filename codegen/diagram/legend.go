package diagram

import "slices"

// sign is a mark of a notation with its meaning.
type sign struct {
	key   string // name under which a drawing records that it has the sign
	sign  string
	about string
}

// newLegend returns the signs that a drawing has.
func newLegend(signs []sign, used map[string]bool) (out []sign) {
	for _, s := range signs {
		if used[s.key] {
			out = append(out, s)
		}
	}
	return out
}

// Sign is a sign of a notation with its meaning.
type Sign struct{ Mark, About string }

// Signs returns the signs of a notation, in the order of the legend.
func Signs(n Notation) (out []Sign) {
	signs := selectSigns(n == AMLMembers)
	if n == Chebotko || n == ChebotkoLogical {
		signs = chebotkoSigns
	}
	for _, s := range signs {
		out = append(out, Sign{s.sign, s.about})
	}
	return out
}

// selectSigns returns the signs of AML. With members, aggregates have no frames.
func selectSigns(members bool) []sign {
	if !members {
		return amlSigns
	}
	out := slices.Clone(amlSigns)
	i := slices.IndexFunc(out, func(s sign) bool { return s.key == "redundant" })
	out[i].sign = "dashed arrow"
	return out
}

// chebotkoSigns are the signs of Chebotko diagrams. Those from "red" on are not in the publication.
var chebotkoSigns = []sign{
	{"K", "K", "partition key"},
	{"C↑", "C↑", "clustering key, ascending"},
	{"C↓", "C↓", "clustering key, descending"},
	{"S", "S", "static"},
	{"IDX", "IDX", "indexed"},
	{"++", "++", "counter"},
	{"[", "[name]", "list"},
	{"{", "{name}", "set"},
	{"<", "<name>", "map"},
	{"*", "*name*", "user-defined type"},
	{"Q", "Q1", "a query of the application, numbered in the order of its file"},
	{"then", "arrow, Q1 → Q2", "the application sends the second query after the first"},
	{"red", "red", "a query that no table answers"},
	{"line", "line", "tables of one root"},
	{"dashed", "dashed border", "rows derived from those of another table"},
	{"view", "view", "a struct with some of the columns"},
	{"ttl", "ttl", "rows expire"},
}

// amlSigns are the signs of AML. Those from "«tuple»" on are not in the publications.
var amlSigns = []sign{
	{"#", "#", "identifier"},
	{"~", "~", "discriminator"},
	{"{asc}", "{asc}", "ascending"},
	{"{desc}", "{desc}", "descending"},
	{"-", "-", "unique"},
	{"+", "+", "regular"},
	{"/", "/", "static"},
	{"mandatory", "underlined", "mandatory"},
	{"«final»", "«final»", "written as a whole; a single value of a root never changes"},
	{"entity", "thick border", "entity"},
	{"value", "thin border", "value object"},
	{"composition", "filled diamond and arrow", "composition"},
	{"qualifier", "box on a line", "qualifier, the key of a map"},
	{"association", "open arrow", "association"},
	{"xor", "XOR, {xor}", "at most one has a value; with [1], exactly one"},
	{"redundant", "dashed frame and arrow", "redundant aggregate; the arrow ends at its source"},
	{"from", "dashed diamond", "composition whose value is a copy"},
	{"«tuple»", "«tuple»", "stored as a tuple"},
	{"→", "→", "association with a root that is not drawn"},
	{"or", "{or}", "at least one has a value"},
	{"unique", "{unique Group}", "the values together are unique"},
	{"{unique}", "{unique}", "also unique"},
	{"«part»", "«part»", "rows that are read and written separately"},
	{"←", "←", "the value of the source that it copies"},
	{"=", "=", "computed by a method of the source"},
	{"method", "name()", "method that computes values of redundant aggregates"},
	{"«view»", "«view»", "a struct with some of the attributes"},
	{"«enum»", "«enum»", "only the declared constants"},
	{"«counter»", "«counter»", "programs add to it and never set it"},
	{"«version»", "«version»", "optimistic lock"},
	{"«index»", "«index»", "indexed"},
	{"«secret»", "«secret»", "never in an error, a log or a trace"},
	{"«checked»", "«checked»", "the target must exist"},
	{"«copy»", "«copy»", "copy of a field of another root"},
	{"of", "of", "one row for each element"},
	{"when", "when", "the rows exist while the condition is true"},
	{"distinct", "distinct", "declared: no two elements have the same row"},
	{"shared", "shared", "a row belongs to all sources that write it"},
	{"unlogged", "unlogged", "written outside the logged batch"},
	{"cache", "cache", "not written again within this time"},
	{"table", "table", "a part that is in a separate table"},
	{"headrow", "headrow", "each partition begins with a row that is always there"},
	{"remaining", "remaining ttl", "the time until the row expires"},
	{"large", "large", "a write can take several batches"},
	{"ttl", "ttl", "rows expire"},
}
