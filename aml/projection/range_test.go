package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/projection"
)

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		columns         []uint16
		partition, key  int
		given, compared int
		ranges          bool
		why             string
	}{
		{[]uint16{0, 1, 2, 9}, 1, 3, 1, 0, true, "a partition"},
		{[]uint16{0, 1, 2, 9}, 1, 3, 1, 1, true, "a bound"},
		{[]uint16{0, 1, 2, 9}, 1, 3, 1, 2, true, "a keyset bound"},
		{[]uint16{0, 2, 1, 9}, 1, 3, 1, 0, true, "the next columns do not matter"},
		{[]uint16{0, 2, 1, 9}, 1, 3, 1, 1, false, "the copy has another next column"},
		{[]uint16{0, 2, 1, 9}, 1, 3, 2, 0, false, "a column is not given"},
		{[]uint16{0, 2, 1, 9}, 1, 3, 3, 0, true, "a row"},
		{[]uint16{1, 0, 2, 9}, 2, 3, 1, 0, false, "the partition of the copy has another column"},
		{[]uint16{1, 0, 2, 9}, 1, 3, 2, 1, true, "another order of the given columns"},
		{[]uint16{1, 0, 2, 9}, 1, 3, 1, 0, false, "another first column"},
		{[]uint16{0, 9, 1, 2}, 1, 4, 1, 0, true, "columns that are no key of the source follow"},
		{[]uint16{0, 9, 1, 2}, 1, 4, 1, 1, false, "a column that is no key of the source is next"},
		{[]uint16{0, 9}, 1, 1, 1, 1, false, "the copy has no next key column"},
		{[]uint16{0, 9}, 1, 1, 1, 0, true, "the copy has one row for the partition"},
	} {
		require.Equal(t, c.ranges, projection.Ranges(c.columns, c.partition, c.key, c.given, c.compared), c.why)
	}
}
