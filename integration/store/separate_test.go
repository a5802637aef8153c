package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/clinic"
	clinicstore "github.com/cassaml/cassaml/integration/models/clinic/store"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// A store in a package of its own writes and reads the structs of the model's package, whose methods keep its rules: a state that only they
// can set, a value in a key, unique values, references, copies and redundant rows.
func TestStoreInItsOwnPackage(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "visits have a list that is not frozen, whose write times Reconcile reads")
	of := generated[*clinicstore.Store]{clinic.Schema, clinicstore.Open, clinicstore.OpenBackend}
	onStores(t, of, func(t *testing.T, s *clinicstore.Store, _ *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Doctors.Insert(ctx, &clinic.Doctor{ID: 7, Name: "Ana", Email: "ana@clinic.example"}))
		var taken *mapper.DuplicateError
		require.ErrorAs(t, s.Doctors.Insert(ctx, &clinic.Doctor{ID: 8, Name: "Rui", Email: "ana@clinic.example"}), &taken)
		require.NoError(t, s.Visits.Insert(ctx, &clinic.Visit{ID: 1, Patient: "maria", Doctor: 7, State: clinic.Planned}))
		var missing *mapper.ConstraintError
		require.ErrorAs(t, s.Visits.Insert(ctx, &clinic.Visit{ID: 2, Patient: "rita", Doctor: 9, State: clinic.Planned}), &missing)

		finish := func(v *clinic.Visit) error { return v.Finish("Ana", clinic.Finding{Code: "J06", Text: "a cold"}) }
		_, err := s.Visits.Update(ctx, 1, finish)
		require.NoError(t, err)
		_, err = s.Visits.Update(ctx, 1, finish)
		require.ErrorContains(t, err, "the visit is done")
		_, err = s.Doctors.Update(ctx, 7, func(d *clinic.Doctor) error { d.Name = "Ana Lima"; return nil })
		require.NoError(t, err)
		require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))

		v, err := s.Visits.Get(ctx, 1)
		require.NoError(t, err)
		require.True(t, v.Done())
		require.Equal(t, clinic.Findings{{Code: "J06", Text: "a cold"}}, v.Findings)
		require.Equal(t, "Ana", v.By)
		var rows []clinic.VisitByInitial
		for row, err := range s.VisitsByInitial.Of("M").All(ctx) {
			require.NoError(t, err)
			rows = append(rows, *row)
		}
		require.Equal(t, []clinic.VisitByInitial{{Initial: "M", ID: 1, Patient: "maria", DoctorName: "Ana Lima"}}, rows)
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 2})
		require.NoError(t, err)
		require.Zero(t, report.Total())

		var held *mapper.HeldError
		require.ErrorAs(t, s.Doctors.Delete(ctx, 7), &held)
		require.NoError(t, s.Visits.Delete(ctx, 1))
		require.NoError(t, s.Doctors.Delete(ctx, 7))
	})
}
