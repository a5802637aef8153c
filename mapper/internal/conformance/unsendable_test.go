package conformance

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// A request that the driver cannot bind is unsendable, and a statement that the server cannot prepare is refused: in both cases nothing is
// written.
func TestRequestsThatAreNotSent(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	storetest.Execute(t, session, savedSchema)
	s := store.CQL{Session: gocqldriver.New(session)}
	row := cell.Row{integer(1), cell.Cell("w"), nil, plan.Bigint(1), nil, nil}
	put := func(change func(string) string) plan.Mutation {
		broken := *savedTable
		broken.Insert = change(broken.Insert)
		return plan.Mutation{Table: &broken, Action: plan.Put, Row: row, Write: broken.BeyondKey()}
	}
	literal := put(func(cql string) string { return strings.Replace(cql, "?, ?", "?, 'x'", 1) })
	unknown := put(func(cql string) string { return strings.Replace(cql, "conform_saved", "conform_missing", 1) })
	for name, c := range map[string]struct {
		mutations []plan.Mutation
		want      store.Outcome
	}{
		"statement":     {[]plan.Mutation{literal}, store.Unsendable},
		"batch":         {[]plan.Mutation{put(strings.Clone), literal}, store.Unsendable},
		"missing table": {[]plan.Mutation{unknown}, store.Refused},
	} {
		err := s.Apply(t.Context(), c.mutations, store.Write{Timestamp: 1, Consistency: driver.LocalQuorum})
		var failure *store.Error
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, c.want, failure.Outcome, "%s: %v", name, err)
	}
	_, err := s.CAS(t.Context(), &plan.Conditional{Table: savedTable, Row: row, Insert: true, CQL: strings.Replace(savedTable.Insert, " USING TIMESTAMP ? AND TTL ?", " IF NOT EXISTS USING TTL ?", 1)},
		store.CAS{Serial: driver.Serial, Consistency: driver.LocalQuorum})
	var failure *store.Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, store.Unsendable, failure.Outcome, "%v", err)
	var rows int
	require.NoError(t, session.Session.Query("SELECT count(*) FROM conform_saved").Scan(&rows))
	require.Zero(t, rows)
}
