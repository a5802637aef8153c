package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/integration/models/staff"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onStaff calls test with stores of roots that follow others in every form.
func onStaff(t *testing.T, test func(t *testing.T, s *staff.Store, sent *storetest.Requests)) {
	t.Parallel()
	config := func(sent *storetest.Requests) mapper.Config {
		return mapper.Config{Tracer: sent, Lease: 10 * time.Millisecond}
	}
	t.Run("memory", func(t *testing.T) {
		sent := new(storetest.Requests)
		s, err := staff.OpenBackend(t.Context(), memory.New(memory.Config{}), config(sent))
		require.NoError(t, err)
		test(t, s, sent)
	})
	t.Run("node", func(t *testing.T) {
		sent := new(storetest.Requests)
		s, err := staff.Open(t.Context(), storetest.SharedTables(t, staff.Schema), config(sent))
		require.NoError(t, err)
		test(t, s, sent)
	})
}

// insertStaff inserts a team, two desks, and two employees, of whom the first is the boss of both.
func insertStaff(t *testing.T, s *staff.Store) {
	t.Helper()
	ctx := t.Context()
	require.NoError(t, s.Teams.InsertWith(ctx, &staff.Team{Site: "x", Number: 1, Name: "core", Tags: []string{"b", "a"}, Place: &staff.Place{City: "y"}},
		&staff.Meeting{Site: "x", Number: 1, Day: 1, Topic: "plan"}))
	for id := range int32(2) {
		require.NoError(t, s.Desks.Insert(ctx, &staff.Desk{ID: string('0' + id), Label: string('p' + id)}))
	}
	for id := range int32(2) {
		require.NoError(t, s.Employees.InsertWith(ctx, &staff.Employee{ID: id, Name: string('a' + id), Boss: new(int32(0)), TeamSite: new("x"), Team: new(int32(1)),
			Desk: &staff.Seat{ID: string('0' + id), Label: "by hand"}, Second: &staff.Seat{ID: string('1' - id)}}, &staff.Absence{ID: id, Day: 1}))
	}
}

func employee(t *testing.T, s *staff.Store, id int32) *staff.Employee {
	t.Helper()
	v, err := s.Employees.Get(t.Context(), id)
	require.NoError(t, err)
	return v
}

// A save sets the fields that follow other roots in every form: by a checked reference, by one to the root itself, of several cells, and in
// compositions. Parts stay.
func TestCopiesInEveryForm(t *testing.T) {
	onStaff(t, func(t *testing.T, s *staff.Store, sent *storetest.Requests) {
		ctx := t.Context()
		var missing *mapper.ConstraintError
		none := &staff.Employee{ID: 9, Boss: new(int32(8)), TeamSite: new(""), Team: new(int32(1)), Desk: &staff.Seat{ID: "7"}}
		require.ErrorAs(t, s.Employees.Insert(ctx, none), &missing)
		require.Equal(t, []mapper.Violation{
			{Path: "Desk.ID", Problem: "is a reference, and there is no Desk (desks id='7')"},
			{Path: "Boss", Problem: "is a reference, and there is no Employee (employees id=8)"},
			{Path: "TeamSite, Team", Problem: "is a reference, and there is no Team (teams site='', number=1)"},
		}, missing.Violations)
		none.Desk.ID = ""
		require.ErrorAs(t, s.Employees.Insert(ctx, none), &missing)
		require.Equal(t, mapper.Violation{Path: "Desk.ID", Problem: "is a reference, and there is no Desk (desks id='')"}, missing.Violations[0])
		require.Len(t, reconcileStaff(t, s), 3, "the rows of the references of a refused save stay")
		insertStaff(t, s)
		require.Equal(t, &staff.Employee{ID: 1, Name: "b", Boss: new(int32(0)), BossName: new("a"), TeamSite: new("x"), Team: new(int32(1)), TeamName: new("core"),
			TeamTags: []string{"b", "a"}, TeamPlace: &staff.Place{City: "y"}, Desk: &staff.Seat{ID: "1", Label: "q"}, Second: &staff.Seat{ID: "0", Label: "p"},
			Version: employee(t, s, 1).Version}, employee(t, s, 1))
		require.Equal(t, new("a"), employee(t, s, 0).BossName, "it is its own boss")

		before := employee(t, s, 0)
		boss, err := s.Employees.Update(ctx, 0, func(v *staff.Employee, _ *staff.EmployeeParts) error { v.Name = "c"; return nil })
		require.NoError(t, err)
		require.Equal(t, new("c"), boss.BossName)
		require.Equal(t, boss, employee(t, s, 0), "the save has set its own copy, so it is not saved again")
		require.Equal(t, new("c"), employee(t, s, 1).BossName)
		require.ErrorIs(t, s.Employees.Change(ctx, before, boss), mapper.ErrConflict)

		_, err = s.Teams.Update(ctx, "x", 1, func(v *staff.Team, p *staff.TeamParts) error {
			v.Tags, v.Place = []string{"d"}, nil
			p.Meeting.Insert(&staff.Meeting{Site: "x", Number: 1, Day: 2})
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []string{"d"}, employee(t, s, 1).TeamTags)
		require.Nil(t, employee(t, s, 1).TeamPlace)
		sent.Drain()
		_, err = s.Teams.Update(ctx, "x", 1, func(_ *staff.Team, p *staff.TeamParts) error {
			p.Meeting.Insert(&staff.Meeting{Site: "x", Number: 1, Day: 3})
			return nil
		})
		require.NoError(t, err)
		require.Len(t, sent.Drain(), 2, "no followed field has changed")

		_, err = s.Desks.Update(ctx, "1", func(v *staff.Desk) error { v.Label, v.Floor = "r", new(int32(4)); return nil })
		require.NoError(t, err)
		require.Equal(t, &staff.Seat{ID: "1", Label: "r", Floor: new(int32(4))}, employee(t, s, 1).Desk)
		require.Equal(t, &staff.Seat{ID: "1", Label: "r", Floor: new(int32(4))}, employee(t, s, 0).Second)
		moved, err := s.EmployeesByDesk.Get(ctx, "r", 1)
		require.NoError(t, err)
		require.Equal(t, new("c"), moved.BossName)
		_, err = s.EmployeesByDesk.Get(ctx, "q", 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		for _, desk := range []*string{new("1"), nil} {
			saved, err := s.Employees.Update(ctx, 1, func(v *staff.Employee, _ *staff.EmployeeParts) error {
				v.Spare = &staff.Spare{ID: desk, Label: new("by hand")}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, employee(t, s, 1).Spare, saved.Spare)
			require.Equal(t, desk != nil, saved.Spare != nil, "a composition that is not frozen is nil if its fields are")
		}
		for id := range int32(2) {
			_, parts, err := s.Employees.GetWithAbsence(ctx, id)
			require.NoError(t, err)
			require.Len(t, parts, 1)
		}
		require.Empty(t, reconcileStaff(t, s))
	})
}

// The ondelete= of a checked reference decides about a root whose fields follow the target, too: it is deleted, or its reference and its copies
// are cleared, or it restricts the deletion. A reference that is only copied restricts it.
func TestDeletionsOfFollowedRoots(t *testing.T) {
	onStaff(t, func(t *testing.T, s *staff.Store, sent *storetest.Requests) {
		ctx := t.Context()
		insertStaff(t, s)
		require.NoError(t, s.Badges.Insert(ctx, &staff.Badge{ID: 1, Owner: 0}))
		badge, err := s.Badges.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, "a", badge.OwnerName)
		var held *mapper.HeldError
		require.ErrorAs(t, s.Teams.Delete(ctx, "x", 1), &held)
		require.Equal(t, "TeamSite, Team", held.Field)
		require.ErrorAs(t, s.Desks.Delete(ctx, "0"), &held)
		require.Equal(t, "Desk.ID", held.Field)

		_, err = s.Employees.Update(ctx, 1, func(v *staff.Employee, _ *staff.EmployeeParts) error { v.Mentor = new(int32(0)); return nil })
		require.NoError(t, err)
		require.ErrorAs(t, s.Employees.Delete(ctx, 0), &held)
		require.Equal(t, "Mentor", held.Field)
		_, err = s.Employees.Update(ctx, 1, func(v *staff.Employee, _ *staff.EmployeeParts) error { v.Mentor = nil; return nil })
		require.NoError(t, err)
		require.NoError(t, s.Employees.Delete(ctx, 0), "it is its own boss, which does not restrict its deletion")
		left := employee(t, s, 1)
		require.Nil(t, left.Boss)
		require.Nil(t, left.BossName)
		require.Nil(t, left.MentorName)
		_, err = s.Badges.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)

		_, err = s.Employees.Update(ctx, 1, func(v *staff.Employee, _ *staff.EmployeeParts) error {
			v.Desk, v.TeamSite, v.Team, v.Second.ID = nil, nil, nil, "0"
			return nil
		})
		require.NoError(t, err)
		left = employee(t, s, 1)
		require.Equal(t, &staff.Seat{ID: "0", Label: "p"}, left.Second)
		require.Nil(t, left.TeamTags)
		require.NoError(t, s.Desks.Delete(ctx, "1"))
		require.NoError(t, s.Teams.Delete(ctx, "x", 1))
		require.Empty(t, reconcileStaff(t, s))
	})
}

// reconcileStaff runs Reconcile, and returns what it finds.
func reconcileStaff(t *testing.T, s *staff.Store) (found []mapper.Drift) {
	t.Helper()
	time.Sleep(20 * time.Millisecond) // longer than Config.Lease
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) { found = append(found, d) }})
	require.NoError(t, err)
	require.True(t, report.Clean())
	return found
}

// Two packages in one keyspace share the table of outboxes: the store of each serves its own roots, ends although the outboxes of the other are
// listed, and leaves them.
func TestTwoPackagesShareTheOutboxes(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, employees *staff.Store, invoices *invoice.Store) {
		ctx := t.Context()
		insertStaff(t, employees)
		insertCustomers(t, invoices, "a")
		require.NoError(t, invoices.Invoices.Insert(ctx, &invoice.Invoice{ID: 1, Payer: 1}))
		_, err := employees.Employees.Update(ctx, 0, func(v *staff.Employee, _ *staff.EmployeeParts) error { v.Name = "c"; return nil })
		require.NoError(t, err)
		rename(t, invoices, 1, "b")

		var served []mapper.FanOutProgress
		progress := mapper.FanOutConfig{Progress: func(p mapper.FanOutProgress) { served = append(served, p) }}
		require.NoError(t, invoices.FanOut(ctx, progress))
		got, err := invoices.Invoices.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, "b", got.PayerName)
		require.Equal(t, new("a"), employee(t, employees, 1).BossName, "the store of invoices leaves it")
		report, err := invoices.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4})
		require.NoError(t, err)
		require.True(t, report.Clean())
		require.NoError(t, employees.FanOut(ctx, progress))
		require.Equal(t, new("c"), employee(t, employees, 1).BossName)
		require.Equal(t, []mapper.FanOutProgress{{Served: 1}, {Served: 1}}, served, "one outbox each")
	}
	config := mapper.Config{FanOutInline: -1, Lease: 10 * time.Millisecond}
	t.Run("memory", func(t *testing.T) {
		backend := memory.New(memory.Config{})
		employees, err := staff.OpenBackend(t.Context(), backend, config)
		require.NoError(t, err)
		invoices, err := invoice.OpenBackend(t.Context(), backend, config)
		require.NoError(t, err)
		test(t, employees, invoices)
	})
	t.Run("node", func(t *testing.T) {
		session := storetest.SharedTables(t, invoice.Schema+"\n"+staff.Schema)
		employees, err := staff.Open(t.Context(), session, config)
		require.NoError(t, err)
		invoices, err := invoice.Open(t.Context(), session, config)
		require.NoError(t, err)
		test(t, employees, invoices)
	})
}
