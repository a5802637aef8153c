package call

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// cells returns a row of texts.
func cells(values ...string) (out cell.Row) {
	for _, v := range values {
		out = append(out, cell.Cell(v))
	}
	return out
}

// placedQuery returns a query of two partitions with restrictions.
func placedQuery() Query {
	column := func(kind projection.Kind) descriptor.Column { return descriptor.Column{Kind: kind, Type: "text"} }
	table := &descriptor.Table{Partition: 1, Key: 4, Columns: []descriptor.Column{
		column(projection.PartitionKey), column(projection.ClusteringKey), column(projection.ClusteringKey), column(projection.ClusteringKey),
	}}
	return Query{selection: &selection{r: Reader{Codec: &Codec{Table: (*plan.Table)(table)}}, key: cells("p", "a"), partitions: []cell.Row{cells("p"), cells("q")},
		low: store.Bound{Comparison: store.MoreThan, Values: cell.Row{cell.Cell("b")}}, up: store.Bound{Comparison: store.AtMost, Values: cell.Row{cell.Cell("d")}}}}
}

// A token that is not sealed can be forged. A place that the query does not have is refused, so that a token cannot widen a query.
func TestForgedPlaces(t *testing.T) {
	q := placedQuery()
	state := func(partition int, clustering ...string) []byte {
		p := mergePlace{partition: partition, clustering: cells(clustering...)}
		return p.state()
	}
	p, err := q.placeIn(state(1, "a", "c", "z"))
	require.NoError(t, err)
	require.Equal(t, &mergePlace{1, cells("a", "c", "z")}, p)
	for what, forged := range map[string][]byte{
		"a partition that is not in the query": state(2, "a", "c", "z"),
		"another value of a column":            state(1, "b", "c", "z"),
		"a value below the bound":              state(1, "a", "b", "z"),
		"a value above the bound":              state(1, "a", "e", "z"),
		"a short key":                          state(1, "a", "c"),
		"a long key":                           state(1, "a", "c", "z", "z"),
		"a null":                               append(state(1, "a", "c"), 0xff, 0xff, 0xff, 0xff),
		"a cut value":                          state(1, "a", "c", "z")[:17],
		"a cut partition":                      {0, 0},
	} {
		_, err := q.placeIn(forged)
		require.ErrorIs(t, err, mapper.ErrPageToken, what)
	}
}
