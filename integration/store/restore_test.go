package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// Tables that are restored to an earlier time than others leave drift, which Reconcile repairs: the copies and the reservations then follow
// from the roots, whose values can be saved.
func TestRestoredTables(t *testing.T) {
	t.Parallel()
	r := newRestored(t)
	roots := []string{"customers", "mechanics"}
	copies := slices.DeleteFunc(slices.Collect(maps.Keys(r.later)), func(name string) bool { return slices.Contains(roots, name) })
	subsets := map[string][]string{"nothing": nil, "everything": slices.Concat(roots, copies), "the roots": roots, "all but the roots": copies}
	for name := range r.later {
		if *allTables || name == "customers__email_unique" {
			subsets[name] = []string{name}
		}
	}
	for name, tables := range subsets {
		t.Run(name, func(t *testing.T) {
			r.restore(t, r.later, slices.Collect(maps.Keys(r.later))...)
			r.restore(t, r.earlier, tables...)
			right := name == "nothing" || name == "everything" || name == "customers__sync" // done-markers are written again without a finding
			report := r.reconcile(t)
			require.Equal(t, right, report.Total() == 0, "%+v", report)
			require.Equal(t, report.Total(), report.Repaired, "%+v", report)
			r.requireProjections(t)
			r.requireSaves(t)
			require.Zero(t, r.reconcile(t).Total())
		})
	}
}

// Before Reconcile has run, a value whose reservation was not restored can be taken. A version that was read before the restore is refused.
func TestValueWithoutAReservation(t *testing.T) {
	t.Parallel()
	r := newRestored(t)
	read, err := r.store.Customers.Get(t.Context(), 1)
	require.NoError(t, err)
	changed := *read
	r.restore(t, r.earlier, slices.Collect(maps.Keys(r.earlier))...)
	require.ErrorIs(t, r.store.Customers.Change(t.Context(), read, &changed), mapper.ErrConflict, "the version is later than the restored one")

	r.restore(t, r.later, slices.Collect(maps.Keys(r.later))...)
	r.restore(t, r.earlier, "customers__email_unique")
	require.NoError(t, r.store.Customers.Insert(t.Context(), &garage.Customer{ID: 9, Email: new("ana2")}))
	report := r.reconcile(t)
	require.Positive(t, report.Found["customers__email_unique"][mapper.DriftTwoOwners], "%+v", report)
	require.NoError(t, r.store.Customers.Delete(t.Context(), 9))
	require.True(t, r.reconcile(t).Clean())
	r.requireProjections(t)
}

// restored is a keyspace with two backups.
type restored struct {
	session        gocqlx.Session
	store          *garage.Store
	right          *garage.Store // with a clock that is right
	earlier, later map[string][]savedRow
}

// savedRow is a row of a backup.
type savedRow struct {
	key   map[string][]byte
	cells map[string]savedCell
}

type savedCell struct {
	value []byte
	at    int64
}

// newRestored makes backups of two states. The clock of the store is an hour behind, so that Reconcile compares what it writes.
func newRestored(t *testing.T) *restored {
	t.Helper()
	ctx := t.Context()
	r := &restored{session: storetest.SharedTables(t, garage.Schema)}
	var err error
	r.store, err = garage.Open(ctx, r.session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	require.NoError(t, err)
	r.right, err = garage.Open(ctx, r.session, mapper.Config{})
	require.NoError(t, err)
	for i, name := range []string{"ana", "bia", "caio"} {
		id := int32(i + 1)
		require.NoError(t, r.store.Customers.Insert(ctx, &garage.Customer{ID: id, Name: name, City: new("Recife"), Email: &name, Vehicles: []string{name}}))
		require.NoError(t, r.store.Mechanics.Insert(ctx, &garage.Mechanic{ID: id, Name: name, City: "Recife", OnDuty: true, Skills: []string{"all"}, Tools: []string{name}}))
	}
	r.earlier = r.backup(t)

	_, err = r.store.Customers.Update(ctx, 1, func(c *garage.Customer) error {
		c.City, c.Email, c.Vehicles, c.Country, c.Licence = new("Olinda"), new("ana2"), []string{"ana2"}, new("BR"), new("7")
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, r.store.Customers.Delete(ctx, 3))
	require.NoError(t, r.store.Customers.Insert(ctx, &garage.Customer{ID: 4, Name: "davi", City: new("Recife"), Email: new("ana")}))
	_, err = r.store.Mechanics.Update(ctx, 1, func(m *garage.Mechanic) error {
		m.City, m.OnDuty, m.Skills, m.Tools = "Olinda", false, []string{"brakes"}, []string{"ana2"}
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, r.store.Mechanics.Delete(ctx, 3))
	require.NoError(t, r.store.Mechanics.Insert(ctx, &garage.Mechanic{ID: 4, Name: "davi", City: "Recife", OnDuty: true, Tools: []string{"ana"}}))
	r.later = r.backup(t)
	return r
}

// reconcile repeats Reconcile until the leases of reservations have passed, and returns the sum of the reports.
func (r *restored) reconcile(t *testing.T) *mapper.ReconcileReport {
	t.Helper()
	sum := &mapper.ReconcileReport{}
	for {
		report, err := r.right.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 2})
		require.NoError(t, err)
		sum.Add(report)
		if sum.TooRecent = report.TooRecent; sum.TooRecent == 0 {
			return sum
		}
	}
}

// backup reads all tables with their write times.
func (r *restored) backup(t *testing.T) map[string][]savedRow {
	t.Helper()
	keyspace, err := r.session.Session.KeyspaceMetadata(r.session.Session.Query("").Keyspace())
	require.NoError(t, err)
	all := map[string][]savedRow{}
	for name, table := range keyspace.Tables {
		if strings.HasPrefix(name, "aml_") {
			continue
		}
		var keys, cells, selected []string
		for _, c := range table.Columns {
			if c.Kind == gocql.ColumnRegular {
				cells = append(cells, c.Name)
				selected = append(selected, c.Name, "MAXWRITETIME("+c.Name+")")
			} else {
				keys = append(keys, c.Name)
			}
		}
		all[name] = r.read(t, "SELECT "+strings.Join(slices.Concat(keys, selected), ", ")+" FROM "+name, keys, cells)
	}
	return all
}

// read returns the rows of a statement that selects the keys, and each cell with its write time.
func (r *restored) read(t *testing.T, statement string, keys, cells []string) (rows []savedRow) {
	t.Helper()
	values, times := make([][]byte, len(keys)+len(cells)), make([]int64, len(cells))
	var into []any
	for i := range keys {
		into = append(into, gocqldriver.Values.Value(&values[i]))
	}
	for i := range cells {
		into = append(into, gocqldriver.Values.Value(&values[len(keys)+i]), &times[i])
	}
	it := r.session.Session.Query(statement).Iter()
	for it.Scan(into...) {
		row := savedRow{map[string][]byte{}, map[string]savedCell{}}
		for i, name := range keys {
			row.key[name] = slices.Clone(values[i])
		}
		for i, name := range cells {
			if v := values[len(keys)+i]; v != nil {
				row.cells[name] = savedCell{slices.Clone(v), times[i]}
			}
		}
		rows = append(rows, row)
	}
	require.NoError(t, it.Close())
	return rows
}

// restore empties tables and writes the rows of a backup with their write times.
func (r *restored) restore(t *testing.T, from map[string][]savedRow, tables ...string) {
	t.Helper()
	for _, table := range tables {
		require.NoError(t, r.session.ExecStmt("TRUNCATE "+table))
		for _, row := range from[table] {
			for column, c := range row.cells {
				names, marks, args := []string{column}, "?", []any{gocqldriver.Values.Value(&c.value)}
				for name, k := range row.key {
					names, marks, args = append(names, name), marks+", ?", append(args, gocqldriver.Values.Value(&k))
				}
				statement := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s) USING TIMESTAMP ?", table, strings.Join(names, ", "), marks)
				require.NoError(t, r.session.Session.Query(statement, append(args, c.at)...).Exec(), statement)
			}
		}
	}
}

// requireProjections requires that copies and reservations follow from the roots.
func (r *restored) requireProjections(t *testing.T) {
	t.Helper()
	want := map[string][]string{}
	add := func(table string, values ...any) { want[table] = append(want[table], fmt.Sprint(values...)) }
	ctx := t.Context()
	for c, err := range r.store.Customers.All(ctx, mapper.ScanConfig{}) {
		require.NoError(t, err)
		add("customers_by_city", orEmpty(c.City), c.ID, c.Name)
		add("customers_by_email", orEmpty(c.Email), c.ID, c.Name)
		add("customers__email_unique", orEmpty(c.Email), c.ID)
		if c.Licence != nil {
			add("customers__licence_unique", orEmpty(c.Licence), c.ID)
		}
		add("customer_cards", c.ID, c.Name)
		for _, plate := range c.Vehicles {
			add("vehicles", plate, c.ID, orEmpty(c.City))
		}
	}
	for m, err := range r.store.Mechanics.All(ctx, mapper.ScanConfig{}) {
		require.NoError(t, err)
		add("mechanics_by_city", m.City, m.ID, m.Name)
		for _, skill := range m.Skills {
			add("mechanics_by_skill", skill, m.ID, m.City)
		}
		for _, tool := range m.Tools {
			add("tools", tool, m.ID, m.Name)
		}
		if m.OnDuty {
			add("mechanics_on_duty", m.ID, m.City)
		}
	}
	for table, columns := range map[string]string{
		"customers_by_city": "city id name", "customers_by_email": "email id name", "customers__email_unique": "email aml_owner_id",
		"customers__licence_unique": "licence aml_owner_id", "customer_cards": "id name", "vehicles": "plate owner city",
		"mechanics_by_city": "city id name", "mechanics_by_skill": "skill id city", "tools": "tool owner name", "mechanics_on_duty": "id city",
	} {
		require.ElementsMatch(t, want[table], r.rows(t, table, strings.Fields(columns)), table)
	}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// rows returns the rows of a table as texts, without reservations that have no owner.
func (r *restored) rows(t *testing.T, table string, columns []string) (rows []string) {
	t.Helper()
	for _, row := range storetest.ReadTable(t, r.session, table) {
		if owner, ok := row["aml_owner_id"]; ok && owner == nil {
			continue
		}
		var values []any
		for _, c := range columns {
			values = append(values, row[c])
		}
		rows = append(rows, fmt.Sprint(values...))
	}
	return rows
}

// requireSaves requires that each customer can be saved, that a value that no customer has can be claimed, and that others cannot.
func (r *restored) requireSaves(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	taken := map[string]int32{}
	for c, err := range r.store.Customers.All(ctx, mapper.ScanConfig{}) {
		require.NoError(t, err)
		taken[*c.Email] = c.ID
		_, err = r.store.Customers.Update(ctx, c.ID, func(c *garage.Customer) error { c.Name += "!"; return nil })
		require.NoError(t, err)
	}
	for _, email := range []string{"ana", "ana2", "bia", "caio"} {
		limited, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := r.store.Customers.Insert(limited, &garage.Customer{ID: 10, City: new("x"), Email: &email})
		cancel()
		if owner, ok := taken[email]; ok {
			duplicate := &mapper.DuplicateError{}
			require.ErrorAs(t, err, &duplicate, email)
			require.Equal(t, fmt.Sprint("id=", owner), duplicate.Owner)
			continue
		}
		require.NoError(t, err, email)
		require.NoError(t, r.store.Customers.Delete(ctx, 10))
	}
	r.requireProjections(t)
}
