package command

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/clinic"
	"github.com/cassaml/cassaml/integration/models/clinic/store"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// The commands that compile the store of a model find it in a package of its own.
func TestCommandsWithAStoreInItsOwnPackage(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const dir = "../models/clinic"
	session := storetest.SharedTables(t, clinic.Schema)
	s, err := store.Open(ctx, session, mapper.Config{FanOutInline: -1})
	require.NoError(t, err)
	require.NoError(t, s.Doctors.Insert(ctx, &clinic.Doctor{ID: 7, Name: "Ana", Email: "ana@clinic.example"}))
	require.NoError(t, s.Visits.Insert(ctx, &clinic.Visit{ID: 1, Patient: "maria", Doctor: 7, State: clinic.Planned}))
	_, err = s.Doctors.Update(ctx, 7, func(d *clinic.Doctor) error { d.Name = "Ana Lima"; return nil })
	require.NoError(t, err)

	out, errs, code := amlOnServer(t, session, dir, "fanout")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "roots served 1, attempts that failed 0\n", out)
	require.NoError(t, session.ExecStmt("TRUNCATE visits_by_initial"))
	out, errs, code = amlReconcile(t, session, dir, "-refill", "visits_by_initial", "-yes")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "visits_by_initial is filled: rows of visits that were read 1\n", out)
	for row, err := range s.VisitsByInitial.Of("M").All(ctx) {
		require.NoError(t, err)
		require.Equal(t, "Ana Lima", row.DoctorName)
	}
}
