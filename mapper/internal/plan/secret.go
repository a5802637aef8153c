package plan

import "strings"

// Masked returns what is wrong with a value of the table, and the path to it, without the elements and keys that either names,
// where the column holds something secret: Tokens["s3cret"].Hash => Tokens[…].Hash.
func (t *Table) Masked(path, problem string) (string, string) {
	for i := range t.Columns {
		if t.Columns[i].Secret && strings.HasPrefix(path, t.Columns[i].Field) {
			return masked(path), masked(problem)
		}
	}
	return path, problem
}

// masked leaves out all between the outermost brackets: a key can hold brackets itself.
func masked(text string) string {
	first, last := strings.Index(text, "["), strings.LastIndex(text, "]")
	if first < 0 || last < first {
		return text
	}
	return text[:first] + "[…]" + text[last+1:]
}
