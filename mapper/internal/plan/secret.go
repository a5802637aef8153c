package plan

import "strings"

// Masked gives a path in a value of the table without the elements and keys that it names, where the column holds
// something secret: Tokens["s3cret"].Hash => Tokens[…].Hash.
func (t *Table) Masked(path string) string {
	for i := range t.Columns {
		rest, found := strings.CutPrefix(path, t.Columns[i].Field)
		if !t.Columns[i].Secret || !found || rest == "" {
			continue
		}
		first, last := strings.Index(rest, "["), strings.LastIndex(rest, "]")
		if first >= 0 && last > first { // a key can hold brackets itself, so all between the outermost goes
			return t.Columns[i].Field + rest[:first] + "[…]" + rest[last+1:]
		}
	}
	return path
}
