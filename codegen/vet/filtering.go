package vet

import (
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/codegen/query/syntax"
)

// filtered returns why the server would refuse a query without ALLOW FILTERING, and the offset of the restriction that causes it; ""
// if it would not. Each restriction must be answered by the partition key, by a prefix of the clustering key, or by an index.
func filtered(t *Table, s *syntax.Select) (offset int, why string) {
	whole := wholePartition(t, s)
	rest := t.Clustering // the columns that can still be restricted
	if !whole {
		rest = nil
	}
	ranged := "" // the clustering column with a range
	for _, r := range inOrder(t, s.Where) {
		c := r.Columns[0].Text
		at := slices.Index(rest, c)
		switch {
		case r.Token, indexed(t, r), whole && slices.Contains(t.Partition, c):
		case at == 0 && (r.Operator == syntax.Equal || r.Operator == syntax.In):
			rest = rest[min(len(r.Columns), len(rest)):]
		case (at == 0 || c == ranged) && isRange(r.Operator):
			rest, ranged = nil, c
		case whole && slices.Contains(t.Clustering, c):
			return r.From, fmt.Sprintf("the columns before %s in the key have no value", c)
		case slices.Contains(t.Partition, c):
			return r.From, fmt.Sprintf("%s is in the partition key, but not each of its columns has a value", c)
		case slices.Contains(t.Clustering, c):
			return r.From, fmt.Sprintf("%s is in the key, but the partition key has no value", c)
		default:
			return r.From, fmt.Sprintf("%s is not in the key", c)
		}
	}
	return 0, ""
}

// wholePartition reports whether a query has a value for each column of the partition key.
func wholePartition(t *Table, s *syntax.Select) bool {
	return !slices.ContainsFunc(t.Partition, func(c string) bool {
		return !slices.ContainsFunc(s.Where, func(r syntax.Relation) bool {
			return !r.Token && r.Columns[0].Text == c && (r.Operator == syntax.Equal || r.Operator == syntax.In)
		})
	})
}

// inOrder returns the restrictions in the order of the columns of the key, then the others.
func inOrder(t *Table, in []syntax.Relation) []syntax.Relation {
	key := slices.Concat(t.Partition, t.Clustering)
	place := func(r syntax.Relation) int {
		if i := slices.Index(key, r.Columns[0].Text); i >= 0 {
			return i
		}
		return len(key)
	}
	out := slices.Clone(in)
	slices.SortStableFunc(out, func(a, b syntax.Relation) int { return place(a) - place(b) })
	return out
}

func isRange(o syntax.Operator) bool {
	switch o {
	case syntax.Less, syntax.AtMost, syntax.More, syntax.AtLeast:
		return true
	}
	return false
}

// indexed reports whether an index answers a restriction.
func indexed(t *Table, r syntax.Relation) bool {
	return slices.ContainsFunc(t.Indexes, func(i Index) bool {
		if i.Column != r.Columns[0].Text || r.Element != nil {
			return false
		}
		if i.Contains {
			return r.Operator == syntax.Contains
		}
		return r.Operator == syntax.Equal || isRange(r.Operator)
	})
}
