package descriptor

import (
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/projection"
)

// Join describes reads of the rows of a part of a versioned root that also return the root: the columns of the part are followed by the columns
// of the root, which are static.
func Join(root, part *Table) *Table {
	out := &Table{Name: part.Name, Aggregate: part.Aggregate, Partition: part.Partition, Key: part.Key, Hidden: 1, Head: part.Head, Reversed: part.Reversed}
	out.Columns = slices.Concat(part.Columns[:len(part.Columns)-part.Hidden], root.Columns[root.Key:len(root.Columns)-root.Hidden], root.Columns[root.Deleted:root.Deleted+1])
	out.Deleted = len(out.Columns) - 1
	var names []string
	for i := range out.Columns {
		if names = append(names, out.Columns[i].CQL); i >= len(part.Columns)-part.Hidden {
			out.Columns[i].Kind = projection.Static
		}
	}
	_, from, _ := strings.Cut(part.Select, " FROM ")
	out.Select = "SELECT " + strings.Join(names, ", ") + " FROM " + from
	out.Get = out.Select + strings.TrimPrefix(part.Get, part.Select)
	return out
}
