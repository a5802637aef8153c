package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A program reads a value of an enumeration that it does not know, and updates other fields of its row.
func TestEnumerationsOfANewerProgram(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, storetest.SchemaFile(t, "../projection/computed"))
	store, err := computed.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, store.Pledges.Insert(t.Context(), &computed.Pledge{ID: 1, Email: "a", Status: computed.Done}))
	require.NoError(t, store.Oaths.Insert(t.Context(), &computed.Oath{ID: 1, Email: "a", Status: computed.Done}))
	require.NoError(t, session.ExecStmt("UPDATE pledges SET status = 'later' WHERE id = 1"))
	require.NoError(t, session.ExecStmt("UPDATE oaths SET status = 'later' WHERE id = 1 IF EXISTS"))
	p, err := store.Pledges.Update(t.Context(), 1, func(p *computed.Pledge) error { p.Note = "x"; return nil })
	require.NoError(t, err)
	require.Equal(t, computed.Status("later"), p.Status)
	report, err := store.Pledges.Reconcile(t.Context(), 1, mapper.ReconcileConfig{})
	require.NoError(t, err, "%+v", report)
	_, err = store.Pledges.Update(t.Context(), 1, func(p *computed.Pledge) error { p.Status = "latest"; return nil })
	require.ErrorContains(t, err, "Status is 'latest', which is not one of Waiting, Running, Done")
	o, err := store.Oaths.Update(t.Context(), 1, func(o *computed.Oath) error { return nil })
	require.NoError(t, err)
	require.Equal(t, computed.Status("later"), o.Status)
}
