package diagram

import (
	"slices"

	"github.com/cassaml/cassaml/aml/schema"
)

// chebotkoLegend explains the marks that tables have.
func chebotkoLegend(tables []*schema.Table) (out []string) {
	used := map[string]bool{}
	for _, t := range tables {
		used["dashed"] = used["dashed"] || copied(t)
		for _, c := range t.Columns {
			for _, m := range chebotkoMarks(t, c) {
				used[m] = true
			}
			if name := chebotkoName(c); name != c.Name {
				used[name[:1]] = true
			}
		}
	}
	for _, mark := range chebotkoSigns {
		if used[mark.sign] {
			out = append(out, mark.about)
		}
	}
	return out
}

// chebotkoSigns are the marks in the order of the legend.
var chebotkoSigns = []struct{ sign, about string }{
	{"K", "K partition key"},
	{"C↑", "C↑ clustering key, ascending"},
	{"C↓", "C↓ clustering key, descending"},
	{"S", "S static"},
	{"IDX", "IDX indexed"},
	{"++", "++ counter"},
	{"[", "[list]"},
	{"{", "{set}"},
	{"<", "<map>"},
	{"*", "*user-defined type*"},
	{"dashed", "dashed border: its rows follow from other rows"},
}

// amlLegend explains the signs that a drawing has.
func amlLegend(used []string) (out []string) {
	for _, sign := range amlSigns {
		if slices.Contains(used, sign.sign) {
			out = append(out, sign.about)
		}
	}
	return out
}

// amlSigns are the signs of AML, and those of constructs that the publications do not have, in the order of the legend.
var amlSigns = []struct{ sign, about string }{
	{"#", "# identifier"},
	{"~", "~ discriminator"},
	{"-", "- unique"},
	{"+", "+ regular"},
	{"/", "/ static"},
	{"mandatory", "underlined: mandatory"},
	{"composition", "filled diamond: composition"},
	{"association", "open arrow: association"},
	{"xor", "×, {xor}: at most one has a value"},
	{"or", "{or}: at least one has a value"},
	{"«final»", "«final» is written as a whole"},
	{"redundant", "dashed frame: redundant aggregate"},
	{"from", "dashed composition: copied from the source"},
	{"part", "solid line between aggregates: part"},
	{"«fixed»", "«fixed» is set once"},
	{"«enum»", "«enum» has only declared constants"},
	{"«counter»", "«counter» is added to"},
	{"«version»", "«version» optimistic lock"},
	{"«index»", "«index» can be searched"},
	{"«secret»", "«secret» is not in messages"},
	{"when", "when: the rows exist while the condition is true"},
	{"shared", "shared: a row belongs to all sources that write it"},
	{"ttl", "ttl: rows expire"},
}
