package change

import "strings"

// signs are the signs and marks of a picture, with their meaning.
var signs = []struct{ sign, about string }{
	{"+", "added"},
	{"~", "changed"},
	{"−", "removed"},
	{"K", "partition key"},
	{"C↑", "clustering key, ascending"},
	{"C↓", "clustering key, descending"},
	{"S", "static"},
}

// legend returns the signs and marks that occur in the picture, with their meaning.
func (c *Change) legend() string {
	used := map[string]bool{}
	for _, o := range c.Objects {
		if o.Sign != Changed { // a changed object has signs only at its rows
			used[o.Sign.String()] = true
		}
		for _, r := range o.Rows {
			used[r.Sign.String()] = true
			for _, cell := range []*Cell{r.Before, r.After} {
				if cell != nil {
					used[cell.Mark] = true
				}
			}
		}
	}
	var out []string
	for _, s := range signs {
		if used[s.sign] {
			out = append(out, s.sign+" "+s.about)
		}
	}
	return strings.Join(out, "    ")
}
