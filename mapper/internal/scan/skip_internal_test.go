package scan

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// A row that is read again, because the page after its partition could not be read, is counted once.
func TestRowsOfPagesThatAreReadAgainCountOnce(t *testing.T) {
	p := &Skipping{Name: "customers", save: func(string) error { return nil }}
	row := func(token int64) refusedRow { return refusedRow{errors.New("is damaged"), plan.Bigint(token)} }
	p.skip(row(1))
	p.skip(row(2))
	require.NoError(t, p.saveScan(newCheckpointText("customers", plan.Bigint(1))))
	p.begin()
	p.skip(row(2))
	require.NoError(t, p.saveScan(newCheckpointText("customers", plan.Bigint(2))))
	require.Equal(t, 2, p.rows)
	require.Len(t, p.first, 2)
	require.Equal(t, "customers 0000000000000002 refused 0000000000000001,0000000000000002 0", p.checkpoint())
}
