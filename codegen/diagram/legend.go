package diagram

// sign is a mark of a notation with its meaning.
type sign struct {
	key   string // under which a drawing notes that it has the sign
	sign  string
	about string
}

// legendOf returns the signs that a drawing has.
func legendOf(signs []sign, used map[string]bool) (out []sign) {
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
	signs := amlSigns
	if n == Chebotko || n == ChebotkoLogical {
		signs = chebotkoSigns
	}
	for _, s := range signs {
		out = append(out, Sign{s.sign, s.about})
	}
	return out
}

// chebotkoSigns are the marks of tables. Those from "line" on are not in the publication.
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
	{"line", "line", "tables of one source"},
	{"dashed", "dashed border", "its rows follow from those of the source"},
	{"view", "view", "some of the columns, in a struct of their own"},
	{"ttl", "ttl", "rows expire"},
}

// amlSigns are the signs of AML. Those from "→" on are not in the publications.
var amlSigns = []sign{
	{"#", "#", "identifier"},
	{"~", "~", "discriminator"},
	{"{asc}", "{asc}", "ascending"},
	{"{desc}", "{desc}", "descending"},
	{"-", "-", "unique"},
	{"+", "+", "regular"},
	{"/", "/", "static"},
	{"mandatory", "underlined", "mandatory"},
	{"«final»", "«final»", "written as a whole; a single value never changes"},
	{"entity", "thick border", "entity"},
	{"value", "thin border", "value object"},
	{"composition", "filled diamond", "composition"},
	{"qualifier", "box at a line", "qualifier, the key of a map"},
	{"association", "open arrow", "association"},
	{"xor", "XOR, {xor}", "at most one has a value, with [1] exactly one"},
	{"redundant", "dashed frame and arrow", "redundant aggregate, with its source"},
	{"from", "dashed diamond", "copied from the source"},
	{"→", "→", "association with a root that is not drawn"},
	{"or", "{or}", "at least one has a value"},
	{"unique", "{unique Group}", "the values together are unique"},
	{"{unique}", "{unique}", "the value is unique, too"},
	{"«part»", "«part»", "rows that are read and written separately"},
	{"←", "←", "the value of the source that it is"},
	{"=", "=", "computed by a method of the source"},
	{"method", "name()", "method that computes values of redundant aggregates"},
	{"«view»", "«view»", "a struct with some of the attributes"},
	{"«enum»", "«enum»", "only declared constants"},
	{"«counter»", "«counter»", "is only added to"},
	{"«version»", "«version»", "optimistic lock"},
	{"«index»", "«index»", "rows are found by it"},
	{"«secret»", "«secret»", "not in messages"},
	{"«checked»", "«checked»", "the target must exist"},
	{"«copy»", "«copy»", "follows a field of another root"},
	{"of", "of", "one row for each element"},
	{"when", "when", "the rows exist while the condition is true"},
	{"distinct", "distinct", "the keys are declared to differ"},
	{"shared", "shared", "a row belongs to all sources that write it"},
	{"unlogged", "unlogged", "outside of the logged batch"},
	{"cache", "cache", "not written again within this time"},
	{"large", "large", "a write can be several batches"},
	{"ttl", "ttl", "rows expire"},
}
