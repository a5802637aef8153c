package simulation

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

// byEmail returns the owner and the name in the row of the copy that has an e-mail as its key; "" if there is no such row.
func byEmail(t *testing.T, backend *memory.Backend, email string) string {
	t.Helper()
	s, err := backend.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{byEmailTable}})
	require.NoError(t, err)
	row, err := s.Row(t.Context(), &store.Lookup{Read: store.Read{Table: (*plan.Table)(byEmailTable), Key: cell.Row{cell.Cell(email)}}})
	require.NoError(t, err)
	if row == nil {
		return ""
	}
	return fmt.Sprint(row[1][3], " ", string(row[2]))
}

// Two rows of the release without versions have one e-mail, and AssignVersions reports it: customer 1 is the owner. Regardless of what a
// store of the new release then saves in the other row, the row of the copy that has the e-mail as its key belongs to the owner.
func TestAssignVersionsAfterASaveOfTheLoser(t *testing.T) {
	for name, save := range map[string]func(t *testing.T, table save.Versioned){
		"Update": func(t *testing.T, table save.Versioned) {
			_, err := table.Update(t.Context(), func(v any) error { v.(*customer).Name = "Rui"; return nil }, customerKey(2))
			require.NoError(t, err)
			_, err = table.Update(t.Context(), func(v any) error { v.(*customer).Name = "Ivo"; return nil }, customerKey(2))
			require.NoError(t, err)
			_, err = table.Update(t.Context(), func(v any) error { v.(*customer).Email = "f"; return nil }, customerKey(2))
			require.NoError(t, err)
		},
		"Change": func(t *testing.T, table save.Versioned) {
			old := get(t, table, 2)
			named := *old
			named.Name = "Ivo"
			require.NoError(t, table.Change(t.Context(), old, &named))
			moved := named
			moved.Email = "f"
			require.NoError(t, table.Change(t.Context(), &named, &moved))
		},
		"Put": func(t *testing.T, table save.Versioned) {
			require.NoError(t, table.Put(t.Context(), &customer{ID: 2, Name: "Ivo", Email: "e", Version: get(t, table, 2).Version}))
			require.NoError(t, table.Put(t.Context(), &customer{ID: 2, Name: "Ivo", Email: "f", Version: get(t, table, 2).Version}))
		},
		"Delete": func(t *testing.T, table save.Versioned) {
			require.NoError(t, table.Delete(t.Context(), customerKey(2)))
			require.NoError(t, table.Delete(t.Context(), customerKey(2)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := upgraded(t)
				u.insert(&customer{ID: 2, Name: "Eva", Email: "e"}, &customer{ID: 1, Name: "Ana", Email: "e"})
				require.ErrorContains(t, u.assign(scan.FillConfig{PageSize: 1, Parallel: 1}, ""), "is taken by Customer (customers id=1)")
				time.Sleep(time.Minute)
				table := u.versioned()
				save(t, table)
				require.Equal(t, "1 Ana", byEmail(t, u.backend, "e"))
				if name != "Delete" {
					require.Equal(t, "2 Ivo", byEmail(t, u.backend, "f"))
				}
				require.NoError(t, u.assign(scan.FillConfig{}, ""))
				require.Equal(t, "1 Ana", byEmail(t, u.backend, "e"))
				_, err := table.Update(t.Context(), func(v any) error { v.(*customer).Name = "Ana Maria"; return nil }, customerKey(1))
				require.NoError(t, err)
				require.Equal(t, "1 Ana Maria", byEmail(t, u.backend, "e"))
			})
		})
	}
}

// A row of a copy that has a unique value as its key, and that another program has written or deleted above the version of the owner, is
// written again by AssignVersions, at a higher version of the owner. A second run changes nothing.
func TestAssignVersionsRestoresTheCopiesOfOwners(t *testing.T) {
	for name, damage := range map[string]plan.Mutation{
		"written": {Action: plan.Put, Row: cell.Row{cell.Cell("e"), cell.Cell{0, 0, 0, 2}, cell.Cell("Eva")}, Write: (*plan.Table)(byEmailTable).BeyondKey()},
		"deleted": {Action: plan.Delete, Row: cell.Row{cell.Cell("e"), nil, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := upgraded(t)
				u.insert(&customer{ID: 1, Name: "Ana", Email: "e"})
				require.NoError(t, u.assign(scan.FillConfig{}, ""))
				before := get(t, u.versioned(), 1).Version
				s, err := u.backend.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{byEmailTable}})
				require.NoError(t, err)
				damage.Table = (*plan.Table)(byEmailTable)
				require.NoError(t, s.Apply(t.Context(), []plan.Mutation{damage}, store.Write{Timestamp: before + 5}))
				require.NoError(t, u.assign(scan.FillConfig{}, ""))
				require.Equal(t, "1 Ana", byEmail(t, u.backend, "e"))
				after := u.cells("customers", "customers__sync", "customers_by_email")
				require.Greater(t, get(t, u.versioned(), 1).Version, before)
				require.NoError(t, u.assign(scan.FillConfig{}, ""))
				require.Equal(t, after, u.cells("customers", "customers__sync", "customers_by_email"))
			})
		})
	}
}

// Reconcile, and a backfill of the copy, write the row of the owner, even if they read the other row last.
func TestReconcileKeepsTheCopyOfTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 2, Name: "Eva", Email: "e", City: "Recife"}, &customer{ID: 1, Name: "Ana", Email: "e"})
		require.Error(t, u.assign(scan.FillConfig{PageSize: 1, Parallel: 1}, ""))
		time.Sleep(time.Hour)
		db, err := call.OpenBackend(t.Context(), u.backend, customersSchema, mapper.Config{Logger: discardLogger})
		require.NoError(t, err)
		for range 3 {
			_, err = customers(db).Update(t.Context(), func(v any) error { v.(*customer).City += "a"; return nil }, customerKey(2))
			require.NoError(t, err)
			time.Sleep(time.Hour)
			var found []mapper.DriftKind
			_, err = reconcile.Run(t.Context(), db, mapper.ReconcileConfig{Slices: 1, Parallel: 1, Found: func(d mapper.Drift) { found = append(found, d.Kind) }}, customers(db).Root)
			require.NoError(t, err)
			require.Contains(t, found, mapper.DriftTwoOwners)
			require.Equal(t, "1 Ana", byEmail(t, u.backend, "e"))
		}
	})
}

// A backfill of a copy that has a unique value as its key leaves out the rows of roots that do not own the value.
func TestBackfillKeepsTheCopyOfTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 1, Name: "Ana", Email: "e"}, &customer{ID: 2, Name: "Eva", Email: "e"})
		require.Error(t, u.assign(scan.FillConfig{PageSize: 1, Parallel: 1}, ""))
		time.Sleep(time.Hour)
		table := u.versioned()
		_, err := table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(1))
		require.NoError(t, err)
		_, err = table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(2))
		require.NoError(t, err)
		require.NoError(t, save.Fill(t.Context(), table.Root, byEmailTable.Name, scan.FillConfig{}, "", func(string) error { return nil }))
		require.Equal(t, "1 Ana", byEmail(t, u.backend, "e"))
	})
}

// A deleted row, its done-marker and a free reservation stay as long as the server wrote them lately, although the clock of the client that
// deleted them was years behind: a request that its server carries out late would find nothing, and a value would have two owners.
func TestReconcileKeepsWhatAServerWroteLately(t *testing.T) {
	d := newDrifted(t)
	behind, err := call.OpenBackend(t.Context(), d.backend, customersSchema,
		mapper.Config{Logger: discardLogger, MaxClockSkew: -1, Now: func() time.Time { return d.now.Add(-365 * 24 * time.Hour) }})
	require.NoError(t, err)
	old := customers(behind)
	require.NoError(t, old.Insert(t.Context(), &customer{ID: 1, Email: "a", City: "Recife"}))
	require.NoError(t, old.Delete(t.Context(), customerKey(1)))
	for _, step := range []struct {
		passes time.Duration
		purged int64
	}{{0, 0}, {10*24*time.Hour - time.Minute, 0}, {time.Hour, 2}} {
		d.now = d.now.Add(step.passes)
		report, _ := d.reconcile(mapper.ReconcileConfig{})
		require.Equal(t, step.purged, report.Purged, step.passes)
		for _, table := range []*descriptor.Table{customersTable, doneTable, emailTable} {
			require.Equal(t, step.purged == 0, d.rows((*plan.Table)(table)) == 1, table.Name)
		}
	}
}

// A row of a copy that has a unique value as its key, and whose value has no owner, is changed by Reconcile only: the next owner of the value
// can have written it.
func TestTheCopyOfAValueWithoutAnOwnerStays(t *testing.T) {
	for name, release := range map[string]func(d *drifted){
		"no reservation": func(d *drifted) { d.write((*plan.Table)(emailTable), plan.Delete, d.now.Add(time.Hour), "e") },
		"no owner": func(d *drifted) {
			d.write((*plan.Table)(emailTable), plan.Put, d.now.Add(time.Hour), "e", "", string(plan.Bigint(1)), string(plan.Bigint(1)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrifted(t)
			require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana", Email: "e"}))
			release(d)
			for _, change := range []func(c *customer){func(c *customer) { c.Name = "Rui" }, func(c *customer) { c.Email = "" }} {
				_, err := d.table.Update(t.Context(), func(v any) error { change(v.(*customer)); return nil }, customerKey(1))
				require.NoError(t, err)
				require.Equal(t, "1 Ana", byEmail(t, d.backend, "e"))
			}
		})
	}
}

// Reconcile of one row that does not own its unique value does not write the row of the owner, whose version is lower.
func TestReconcileOfARowKeepsTheCopyOfTheOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 1, Name: "Ana", Email: "e"}, &customer{ID: 2, Name: "Eva", Email: "e"})
		require.ErrorContains(t, u.assign(scan.FillConfig{PageSize: 1, Parallel: 1}, ""), "is taken by Customer (customers id=1)")
		time.Sleep(time.Hour)
		table := u.versioned()
		_, err := table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(1))
		require.NoError(t, err)
		_, err = table.Update(t.Context(), func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(2))
		require.NoError(t, err)
		_, err = reconcile.Row(t.Context(), table.Root, customerKey(2), mapper.ReconcileConfig{}, nil)
		require.NoError(t, err)
		require.Equal(t, "1 Ana", byEmail(t, u.backend, "e"))
	})
}

// AssignVersions does not raise a version above the present time: a row of a copy that a program has written with a timestamp in the future is
// refused.
func TestAssignVersionsRefusesACopyOfTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 1, Name: "Ana", Email: "e"})
		require.NoError(t, u.assign(scan.FillConfig{}, ""))
		before := get(t, u.versioned(), 1).Version
		s, err := u.backend.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{byEmailTable}})
		require.NoError(t, err)
		damage := plan.Mutation{Table: (*plan.Table)(byEmailTable), Action: plan.Put, Row: cell.Row{cell.Cell("e"), cell.Cell{0, 0, 0, 2}, cell.Cell("Eva")}, Write: (*plan.Table)(byEmailTable).BeyondKey()}
		require.NoError(t, s.Apply(t.Context(), []plan.Mutation{damage}, store.Write{Timestamp: time.Now().Add(time.Hour).UnixMicro()}))
		require.ErrorContains(t, u.assign(scan.FillConfig{}, ""), "timestamp in the future")
		require.Equal(t, before, get(t, u.versioned(), 1).Version)
	})
}

// Reconcile removes an old reservation only as it was read: if the value was claimed and released in between, its floor must stay.
func TestReconcileKeepsAReservationThatWasUsedMeanwhile(t *testing.T) {
	d := newDrifted(t)
	old := d.now.UnixMicro()
	d.write((*plan.Table)(emailTable), plan.Put, d.now, "e", "", string(plan.Bigint(old)), string(plan.Bigint(old)))
	d.now = d.now.Add(30 * 24 * time.Hour)
	interceptOnce(d.backend, emailTable.Name, 1, func() memory.Outcome { // the removal
		require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Email: "e"}))
		require.NoError(t, d.table.Delete(t.Context(), customerKey(1)))
		return memory.Done
	})
	_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{Slices: 1, Parallel: 1}, d.table.Root)
	require.NoError(t, err)
	d.backend.Intercept(nil)
	owned, floor := readReservation(t, d.backend, "e")
	require.False(t, owned)
	require.Greater(t, floor, old)
}

// A row that an earlier value of a root had, and whose unique value another root has claimed, is left to that root: to delete it, Reconcile would
// have to take the claim away.
func TestReconcileOfARowKeepsTheClaimOfAnotherRoot(t *testing.T) {
	d := newDrifted(t)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana"}))
	d.write((*plan.Table)(byEmailTable), plan.Put, d.now.Add(time.Minute), "z", id1, "Ana")
	d.reserve("z", id2, 0)
	report, err := reconcile.Row(t.Context(), d.table.Root, customerKey(1), mapper.ReconcileConfig{}, []any{&customer{ID: 1, Email: "z"}})
	require.NoError(t, err)
	require.EqualValues(t, 1, report.TooRecent)
	owned, _ := readReservation(t, d.backend, "z")
	require.True(t, owned)
	require.Equal(t, 1, d.rows((*plan.Table)(byEmailTable)))
}
