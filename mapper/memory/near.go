package memory

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// The similarity functions of vectors.
const (
	cosine     = "COSINE"
	dotProduct = "DOT_PRODUCT"
	euclidean  = "EUCLIDEAN"
)

// nearest sorts rows by the similarity of their vectors to the given one, and returns as many as the limit.
func (q *query) nearest(rows []cell.Row) ([]cell.Row, error) {
	column, to := q.Find.Index.Column, q.Find.Value
	if problem := plan.Refuses(q.Find.Index, to); problem != "" {
		return nil, errors.New("memory: the vector to find " + problem)
	}
	similarity := similarities[q.Find.Index.Similarity]
	slices.SortStableFunc(rows, func(a, b cell.Row) int {
		return cmp.Compare(similarity(to, b[column]), similarity(to, a[column]))
	})
	return rows[:min(q.Limit, len(rows))], nil
}

// similarities are the similarity functions by name. A result is greater for nearer vectors.
var similarities = map[string]func(a, b cell.Cell) float64{
	cosine:     func(a, b cell.Cell) float64 { return dot(a, b) / math.Sqrt(dot(a, a)*dot(b, b)) },
	dotProduct: dot,
	euclidean:  func(a, b cell.Cell) float64 { return -(dot(a, a) - 2*dot(a, b) + dot(b, b)) },
}

func dot(a, b cell.Cell) (sum float64) {
	for i := range min(len(a), len(b)) / 4 {
		sum += element(a, i) * element(b, i)
	}
	return sum
}

// element returns an element of a vector of floats.
func element(c cell.Cell, i int) float64 {
	return float64(math.Float32frombits(binary.BigEndian.Uint32(c[4*i:])))
}
