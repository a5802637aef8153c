package simulation

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/memory"
)

// assign runs the upgrade after a checkpoint.
func (u *upgrade) assign(c scan.FillConfig, from string) error {
	u.t.Helper()
	return u.versioned().AssignVersions(u.t.Context(), c, from, func(checkpoint string) error {
		u.saved = append(u.saved, checkpoint)
		return nil
	})
}

var customersTables = []string{"customers", "customers__sync", "customers__email_unique", "vehicles", "customers_by_city", "customers_by_email"}

func plates(all ...string) map[string]struct{} {
	out := map[string]struct{}{}
	for _, p := range all {
		out[p] = struct{}{}
	}
	return out
}

// Rows of the release before get versions above their write times, claims and copies at their versions. To do it again changes nothing, and
// a store of the new release saves the rows.
func TestAssignVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 1, Name: "Ana", City: "Recife", Email: "ana@example.com", Plates: plates("A", "B")}, &customer{ID: 2, Name: "Bia"})
		began := time.Now()
		require.NoError(t, u.assign(scan.FillConfig{}, ""))
		require.Equal(t, time.Second, time.Since(began), "it waits for MaxClockSkew")

		table := u.versioned()
		ana := get(t, table, 1)
		require.GreaterOrEqual(t, ana.Version, began.Add(time.Second).UnixMicro())
		for _, c := range u.cells("vehicles", "customers_by_city", "customers_by_email", "customers__sync") {
			require.GreaterOrEqual(t, c.Timestamp, get(t, table, 2).Version, c)
		}
		before := u.cells(customersTables...)
		require.NoError(t, u.assign(scan.FillConfig{}, ""))
		require.Equal(t, before, u.cells(customersTables...))

		var duplicate *mapper.DuplicateError
		require.ErrorAs(t, table.Insert(t.Context(), &customer{ID: 3, Email: "ana@example.com"}), &duplicate)
		changed := *ana
		changed.Email, changed.City, changed.Plates = "ana@example.org", "Olinda", plates("B")
		require.NoError(t, table.Change(t.Context(), ana, &changed))
		require.NoError(t, table.Insert(t.Context(), &customer{ID: 3, Email: "ana@example.com"}), "the value was given up")
		keys := map[string]bool{}
		for _, c := range u.cells("vehicles", "customers_by_city") {
			keys[c.Key] = true
		}
		require.Equal(t, map[string]bool{"plate='B', owner=1": true, "city='Olinda', id=1": true}, keys)
	})
}

// Rows with one unique value are all in the error, and no copy is written before they differ. The next run reads the whole table.
func TestAssignVersionsReportsDuplicates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 1, Email: "e"}, &customer{ID: 2, Email: "e"}, &customer{ID: 3, Email: "f"}, &customer{ID: 4, Email: "f"}, &customer{ID: 5, Email: "g"})
		for range 2 {
			err := u.assign(scan.FillConfig{PageSize: 1, Parallel: 1}, "")
			require.EqualError(t, err, "mapper: versions of customers: refused rows: 2; fix them and run the function again\n"+
				"mapper: Customer (customers id=2): Email email='e' is taken by Customer (customers id=1)\n"+
				"mapper: Customer (customers id=3): Email email='f' is taken by Customer (customers id=4)")
			require.Empty(t, u.saved[len(u.saved)-1])
			require.Empty(t, u.cells("customers__sync"))
		}
		time.Sleep(time.Second)
		fixed := time.Now()
		_, err := u.plain.Update(t.Context(), func(v any) error { v.(*customer).Email = "h"; return nil }, customerKey(1))
		require.NoError(t, err)
		_, err = u.plain.Update(t.Context(), func(v any) error { v.(*customer).Email = ""; return nil }, customerKey(4))
		require.NoError(t, err)
		_, err = u.plain.Update(t.Context(), func(v any) error { v.(*customer).Name = "Eva"; return nil }, customerKey(5))
		require.NoError(t, err)
		require.NoError(t, u.assign(scan.FillConfig{}, ""))
		table := u.versioned()
		require.GreaterOrEqual(t, get(t, table, 5).Version, fixed.UnixMicro(), "the version is above what the older program has written")
		for id, email := range map[int32]string{1: "h", 2: "e", 3: "f"} {
			var duplicate *mapper.DuplicateError
			require.ErrorAs(t, table.Insert(t.Context(), &customer{ID: 9, Email: email}), &duplicate)
			require.Equal(t, fmt.Sprint("id=", id), duplicate.Owner)
		}
	})
}

// The number of rows in an error has a limit.
func TestAssignVersionsEndsWithManyDuplicates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		for id := range int32(150) {
			u.insert(&customer{ID: id, Email: "e"})
		}
		err := u.assign(scan.FillConfig{PageSize: 10}, "")
		require.Len(t, strings.Split(err.Error(), "\n"), 102)
		require.ErrorContains(t, err, "\nthe rest of the table was not read")
	})
}

// Rows that a conditional statement cannot change, or that would lose their values, are refused.
func TestAssignVersionsRefusesRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		db, err := call.OpenBackend(t.Context(), u.backend, &descriptor.Schema{Tables: []*descriptor.Table{plainTable}}, mapper.Config{Now: func() time.Time { return time.Now().Add(time.Hour) }})
		require.NoError(t, err)
		alone := plan.Link(descriptor.Aggregate{Root: plainTable})
		codec := new(call.Codec).Start((*plan.Table)(plainTable), plainCodec{}, nil, true)
		later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
		require.NoError(t, call.NewRoot(call.NewReader(db, codec), alone).Insert(t.Context(), &customer{ID: 1, Name: "Ana"}))
		require.NoError(t, call.NewRoot(call.NewReader(db.With(mapper.Options{TTL: 2 * time.Hour}), codec), alone).Insert(t.Context(), &customer{ID: 2, Name: "Bia"}))
		err = u.assign(scan.FillConfig{Parallel: 1}, "")
		require.ErrorContains(t, err, "refused rows: 2;")
		require.ErrorContains(t, err, "Customer (customers id=1): was written at "+strings.TrimSuffix(later, "Z"))
		time.Sleep(time.Hour + time.Minute)
		err = u.assign(scan.FillConfig{}, "")
		require.ErrorContains(t, err, "refused rows: 1;")
		require.ErrorContains(t, err, "Customer (customers id=2): has a cell that expires in ")
		time.Sleep(time.Hour)
		require.NoError(t, u.assign(scan.FillConfig{}, ""), "the row has expired")
	})
}

// A run that was stopped continues from its checkpoint, in each of the steps; requests that are lost are repeated.
func TestAssignVersionsContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		for id := range int32(6) {
			u.insert(&customer{ID: id, Name: "Ana", Email: fmt.Sprint(id), City: "Recife"})
		}
		stop := errors.New("stop")
		checkpoint := ""
		requests := 0
		u.backend.Intercept(func(r memory.Request) memory.Outcome {
			requests++
			return map[int]memory.Outcome{3: memory.LostAnswer, 5: memory.LostRequest, 6: memory.NotSent}[requests%17]
		})
		names := map[string]bool{}
		for runs := 0; ; runs++ {
			require.Less(t, runs, 40)
			err := u.versioned().AssignVersions(t.Context(), scan.FillConfig{PageSize: 2, Parallel: 1}, checkpoint, func(at string) error {
				if at == checkpoint {
					return nil
				}
				name, _, _ := strings.Cut(at, " ")
				checkpoint, names[name] = at, true
				return stop
			})
			if err == nil {
				break
			}
			require.ErrorIs(t, err, stop)
		}
		u.backend.Intercept(nil)
		require.Equal(t, map[string]bool{"customers:versions": true, "customers:claims": true, "customers:copies": true}, names)
		table := u.versioned()
		for id := range int32(6) {
			require.NotZero(t, get(t, table, id).Version)
		}
		require.Len(t, u.cells("customers__sync"), 2*6, "a row and a cell for each root")
		require.ErrorContains(t, u.assign(scan.FillConfig{}, "vehicles 00"), `the checkpoint "vehicles 00" does not belong to table customers`)
		require.ErrorContains(t, u.assign(scan.FillConfig{Parallel: -1}, ""), "use 1 or more, or 0")
	})
}

// A copy of a versioned root is filled at the versions of its rows, with nulls; deleted rows are left out. To fill it beside its writers, or again,
// changes nothing.
func TestFillOfAVersionedRoot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insert(&customer{ID: 5, Name: "Ada", City: "Recife"}) // a row without a version
		ctx, table := t.Context(), u.versioned()
		time.Sleep(time.Minute)
		for id := range int32(4) {
			require.NoError(t, table.Insert(ctx, &customer{ID: id, Name: "Ana", Email: fmt.Sprint(id), City: "Recife"}))
		}
		_, err := table.Update(ctx, func(v any) error { v.(*customer).City = ""; return nil }, customerKey(1))
		require.NoError(t, err)
		_, err = table.Update(ctx, func(v any) error { v.(*customer).Name = ""; return nil }, customerKey(2))
		require.NoError(t, err)
		require.NoError(t, table.Delete(ctx, customerKey(3)))
		time.Sleep(time.Minute)
		before := u.cells(customersTables...)
		fill := func(name string) {
			require.NoError(t, save.Fill(ctx, table.Root, name, scan.FillConfig{PageSize: 2}, "", func(string) error { return nil }))
		}
		fill("customers_by_city")
		require.Equal(t, before, u.cells(customersTables...))

		// the same where the copy has what a program without versions wrote
		u = upgraded(t)
		u.insert(&customer{ID: 7, City: "Recife", Name: "Ana"})
		time.Sleep(time.Second)
		db, err := call.OpenBackend(ctx, u.backend, customersSchema)
		require.NoError(t, err)
		alone := *customersAggregate.Aggregate
		alone.Copies = nil
		other := save.NewVersioned(call.NewReader(db, new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)), plan.Link(alone))
		v := &customer{ID: 7, City: "Recife"}
		require.NoError(t, other.Put(ctx, v))
		table = customers(db)
		fill("customers_by_city")
		require.Equal(t, []memory.Cell{{Key: "city='Recife', id=7", Timestamp: v.Version}}, u.cells("customers_by_city"))
	})
}

// insertAlone writes rows without their copies, as a program that has no redundant tables.
func (u *upgrade) insertAlone(in ...*customer) {
	u.t.Helper()
	db, err := call.OpenBackend(u.t.Context(), u.backend, &descriptor.Schema{Tables: []*descriptor.Table{plainTable}})
	require.NoError(u.t, err)
	codec := new(call.Codec).Start((*plan.Table)(plainTable), plainCodec{}, nil, true)
	alone := call.NewRoot(call.NewReader(db, codec), plan.Link(descriptor.Aggregate{Root: plainTable}))
	for _, c := range in {
		require.NoError(u.t, alone.Insert(u.t.Context(), c))
	}
}

// Rows whose copies cannot be written get their version and claim their unique values. They are skipped in the last step, and later
// runs try them again. A duplicate is never skipped.
func TestAssignVersionsSkipsRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insertAlone(&customer{ID: 1, Email: "a", Plates: plates("", "A")}, &customer{ID: 2, Email: "b", Plates: plates("B")}, &customer{ID: 3, Email: "b", Plates: plates("")})
		time.Sleep(time.Minute)
		err := u.assign(scan.FillConfig{PageSize: 1}, "")
		var duplicate *mapper.DuplicateError
		require.ErrorAs(t, err, &duplicate)
		var over *mapper.RefusedRowsError
		require.NotErrorAs(t, err, &over)
		require.Empty(t, u.saved[len(u.saved)-1], "the next run reads all rows")
		require.Empty(t, u.cells("customers__sync", "vehicles"))

		_, err = u.plain.Update(t.Context(), func(v any) error { v.(*customer).Email, v.(*customer).Plates = "c", plates("C"); return nil }, customerKey(3))
		require.NoError(t, err)
		time.Sleep(time.Minute)
		for _, from := range []string{"", "last"} {
			if from != "" {
				from = u.saved[len(u.saved)-1]
			}
			err = u.assign(scan.FillConfig{PageSize: 1}, from)
			require.EqualError(t, err, "mapper: versions of customers: rows skipped: 1; give each a value that the model accepts (Put), or delete it, and run again\n"+
				"Customer (customers id=1): Plates[\"\"] implies a row of vehicles whose key plate is empty")
			keys := map[string]bool{}
			for _, c := range u.cells("vehicles") {
				keys[c.Key] = true
			}
			require.Equal(t, map[string]bool{"plate='B', owner=2": true, "plate='C', owner=3": true}, keys)
			require.ErrorAs(t, u.versioned().Insert(t.Context(), &customer{ID: 9, Email: "a"}), &duplicate, "the row has its claims")
		}
		require.NoError(t, u.versioned().Put(t.Context(), &customer{ID: 1, Email: "a", Plates: plates("A")}))
		require.NoError(t, u.assign(scan.FillConfig{}, u.saved[len(u.saved)-1]))
	})
}

// A row that a program without versions has written after its claim ends the run, also beside rows that are skipped.
func TestAssignVersionsReportsOtherRowsFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insertAlone(&customer{ID: 1, Plates: plates("")})
		time.Sleep(time.Minute)
		require.ErrorContains(t, u.assign(scan.FillConfig{}, ""), "rows skipped: 1")
		u.insertAlone(&customer{ID: 2, Plates: plates("B")})
		err := u.assign(scan.FillConfig{}, "customers:copies")
		require.ErrorContains(t, err, "refused rows: 1; fix them and run the function again\nmapper: AssignVersions Customer (customers id=2): has no version")
		_, over := err.(*mapper.RefusedRowsError)
		require.False(t, over)
	})
}

// A backfill of a versioned root skips rows, too.
func TestFillOfAVersionedRootSkipsRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		u.insertAlone(&customer{ID: 1, Plates: plates("")}, &customer{ID: 2, Plates: plates("B")}, &customer{ID: 3, Plates: plates("", "C")})
		time.Sleep(time.Minute)
		var over *mapper.RefusedRowsError
		require.ErrorAs(t, u.assign(scan.FillConfig{}, ""), &over)
		checkpoint := ""
		keep := func(c string) error { checkpoint = c; return nil }
		for _, want := range []int{2, 2, 1} {
			if want == 1 {
				require.NoError(t, u.versioned().Put(t.Context(), &customer{ID: 3, Plates: plates("C")}))
			}
			require.ErrorAs(t, save.Fill(t.Context(), u.versioned().Root, "vehicles", scan.FillConfig{PageSize: 1}, checkpoint, keep), &over)
			require.Equal(t, want, over.Rows)
			require.Equal(t, "backfill of vehicles", over.Job)
		}
	})
}

// A column is filled only where it is null, by a save that also writes the copies. A save that fills it in between wins, and a row that is
// deleted stays deleted.
func TestFillNull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := upgraded(t)
		ctx, table := t.Context(), u.versioned()
		for id, city := range []string{"", "Natal", "", ""} {
			require.NoError(t, table.Insert(ctx, &customer{ID: int32(id), Name: "Ana", City: city}))
		}
		require.NoError(t, table.Delete(ctx, customerKey(2)))
		fill := func(id byte) {
			require.NoError(t, table.FillNull(ctx, "city", cell.Row{{0, 0, 0, id}}, cell.Cell("Recife")))
		}
		before := get(t, table, 0).Version
		time.Sleep(time.Second)
		saved := false
		u.backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write && !saved {
				saved = true
				_, err := u.versioned().Update(ctx, func(v any) error { v.(*customer).City = "Olinda"; return nil }, customerKey(3))
				require.NoError(t, err)
			}
			return memory.Done
		})
		fill(3)
		u.backend.Intercept(nil)
		for id := range byte(3) {
			fill(id)
		}
		require.Greater(t, get(t, table, 0).Version, before)
		version := get(t, table, 0).Version
		fill(0)
		require.Equal(t, version, get(t, table, 0).Version, "a repeated call writes nothing")
		keys := map[string]bool{}
		for _, c := range u.cells("customers_by_city") {
			keys[c.Key] = true
		}
		require.Equal(t, map[string]bool{"city='Recife', id=0": true, "city='Natal', id=1": true, "city='Olinda', id=3": true}, keys)
		_, err := table.Get(ctx, customerKey(2))
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.ErrorContains(t, table.FillNull(ctx, "id", cell.Row{{0, 0, 0, 1}}, nil), "table customers has no column id outside its primary key")
	})
}
