package gen_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// A number of rows that CQL does not allow is refused before anything is sent: a server ignores a negative page size and returns
// all rows at once.
func TestNumbersOfRows(t *testing.T) {
	d := &double{}
	s, _ := open(t, d)
	of := s.Films.Of("BR")
	for want, q := range map[string]gen.Query[Film]{
		"mapper: Film (films country='BR'): the limit is -1: use 1 to 2147483647, or 0 for all rows":                               of.Limit(-1),
		"mapper: Film (films country='BR'): the page size is -5: use 1 to 2147483647, or 0 for the default of the session":         of.PageSize(-5),
		"mapper: Film (films country='BR'): the page size is 2147483648: use 1 to 2147483647, or 0 for the default of the session": of.PageSize(math.MaxInt32 + 1),
		"mapper: Film (films country='BR'): the limit is -2: use 1 to 2147483647, or 0 for all rows":                               of.Limit(-2).PageSize(-1).Limit(3),
	} {
		_, err := q.Page(ctx, "")
		require.EqualError(t, err, want)
		for _, err := range q.All(ctx) {
			require.EqualError(t, err, want)
		}
	}
	require.Empty(t, d.reads)
	for range of.Limit(math.MaxInt32).PageSize(0).All(ctx) {
		t.Fatal("no rows")
	}
	require.Len(t, d.reads, 1)
}

// A store does not open with negative sizes, and a backfill does not begin with a negative page size.
func TestSizes(t *testing.T) {
	_, err := gen.OpenStore(&double{}, mapper.Config{BatchLimit: -1}, schema)
	require.EqualError(t, err, "mapper: Config.BatchLimit is -1 bytes: use 1 or more, or 0 for 51200")
	_, err = gen.OpenStore(&double{}, mapper.Config{BatchWarning: -1}, schema)
	require.EqualError(t, err, "mapper: Config.BatchWarning is -1 bytes: use 1 or more, or 0 for 5120")

	d := &double{}
	s, _ := open(t, d)
	for _, c := range []gen.FillConfig{{PageSize: -1}, {Parallel: -1}} {
		err := gen.Fill(ctx, s.Films.Root, "films_by_language", c, "", nil)
		require.ErrorContains(t, err, "use 1 or more, or 0")
	}
	require.Empty(t, d.reads)
}
