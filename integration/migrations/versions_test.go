package migrations

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/load"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/testdata/golden/hotel"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/copydata"
	"github.com/cassaml/cassaml/migrate/diff"
	"github.com/cassaml/cassaml/migrate/folder"
)

const hotelFolder = "../../codegen/testdata/golden/hotel"

// plainHotel returns the structs of the hotel as they were before they had versions and unique values.
func plainHotel(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(hotelFolder + "/model.go")
	require.NoError(t, err)
	_, structs, found := strings.Cut(string(text), `import "github.com/cassaml/cassaml/aml"`)
	require.True(t, found)
	var out []string
	for line := range strings.Lines(structs) {
		if !strings.Contains(line, "version\"`") {
			out = append(out, strings.NewReplacer("unique=passport,", "", "unique=passport", "", "unique", "", "redundant=Guest\"", "redundant=Guest,distinct\"", "Guest.Cards\"", "Guest.Cards,distinct\"").Replace(line))
		}
	}
	return strings.ReplaceAll(strings.Join(out, ""), "`aml:\",\"`", "")
}

// hotelPlan returns the plan from the folder to the versioned hotel.
func (r *releases) hotelPlan() *diff.Plan { return r.planFor(hotelFolder) }

// planFor returns the plan from the folder to the model of a package.
func (r *releases) planFor(dir string) *diff.Plan {
	r.t.Helper()
	source, err := load.Load(r.t.Context(), dir)
	require.NoError(r.t, err)
	m, faults := model.Build(source)
	require.False(r.t, model.Refused(faults), "%v", faults)
	plan, err := diff.Diff(folderState(r.t, r.dir), schema.New(m))
	require.NoError(r.t, err)
	return plan
}

func (r *releases) up() error {
	return migrate.Up(r.t.Context(), gocqldriver.New(r.session), os.DirFS(r.dir), migrate.Config{Backfills: hotel.Backfills()})
}

// The rows of a plain release become rows of versioned roots by the planned migration: two owners of one value are reported, and after
// one of them has changed, the store of the new release works.
func TestFromPlainToVersioned(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	ctx := t.Context()
	r := newReleases(t)
	r.deploy(plainHotel(t))
	for id, email := range []string{"ana@x", "bia@x", "ana@x", "flo@x"} {
		at := time.Now().UnixMicro()
		execute(t, r.session, fmt.Sprintf("INSERT INTO guests (id, name, email, cards, passport) VALUES (%[1]d, 'G%[1]d', '%[2]s', [{number: 'C%[1]d', points: 5}], {country: '', number: ''}) USING TIMESTAMP %[3]d; "+
			"INSERT INTO guests_by_email (email, id, name) VALUES ('%[2]s', %[1]d, 'G%[1]d') USING TIMESTAMP %[3]d; "+
			"INSERT INTO guests_by_card (number, id, points) VALUES ('C%[1]d', %[1]d, 5) USING TIMESTAMP %[3]d", id, email, at))
	}
	execute(t, r.session, "INSERT INTO bookings (room, night, guest, state) VALUES ('1', '2026-01-01', 0, 'pending')")

	plan := r.hotelPlan()
	require.Equal(t, []string{"guests__version", "bookings__version"}, plan.Generated)
	require.Empty(t, plan.Funcs)
	file, err := folder.FileName(2, "versions")
	require.NoError(t, err)
	require.NoError(t, folder.Write(r.dir, file, plan.Text()))
	require.Empty(t, r.hotelPlan().Steps)
	for range 2 {
		require.ErrorContains(t, r.up(), "refused rows: 1; fix them and run the function again\nmapper: Guest (guests id=")
		require.Equal(t, []string{`0`}, selectAll(t, r.session, "SELECT COUNT(*) FROM guests__sync"))
	}
	execute(t, r.session, "UPDATE guests SET email = 'eva@x' WHERE id = 2 IF EXISTS")
	require.NoError(t, r.up())
	require.Equal(t, []string{`4`}, selectAll(t, r.session, "SELECT COUNT(*) FROM guests__sync"))

	s, err := hotel.Open(ctx, r.session, mapper.Config{})
	require.NoError(t, err)
	for email, id := range map[string]int32{"ana@x": 0, "bia@x": 1, "eva@x": 2} {
		found, err := s.GuestsByEmail.Get(ctx, email)
		require.NoError(t, err)
		require.Equal(t, id, found.ID)
		var duplicate *mapper.DuplicateError
		require.ErrorAs(t, s.Guests.Insert(ctx, &hotel.Guest{ID: 9, Name: "X", Email: email}), &duplicate)
	}
	ana, err := s.Guests.Get(ctx, 0)
	require.NoError(t, err)
	changed := *ana
	changed.Cards = nil
	require.NoError(t, s.Guests.Change(ctx, ana, &changed))
	require.ElementsMatch(t, []string{`"C1"`, `"C2"`, `"C3"`}, selectAll(t, r.session, "SELECT number FROM guests_by_card"))
	_, err = s.Bookings.Update(ctx, "1", "2026-01-01", func(b *hotel.Booking) error { b.State = "confirmed"; return nil })
	require.NoError(t, err)

	// repeated, and a copy that is filled again
	tables := func() (out []string) {
		for _, q := range []string{"SELECT id, email, version, WRITETIME(version) FROM guests", "SELECT email, aml_owner_id, aml_at, WRITETIME(aml_at) FROM guests__email_unique",
			"SELECT id, aml_ver, WRITETIME(aml_ver) FROM guests__sync", "SELECT number, id, WRITETIME(points) FROM guests_by_card", "SELECT email, id, name, WRITETIME(id), WRITETIME(name) FROM guests_by_email"} {
			out = append(out, selectAll(t, r.session, q)...)
		}
		return out
	}
	before := tables()
	none := func(string) error { return nil }
	require.NoError(t, hotel.Backfills()["guests__version"](ctx, gocqldriver.New(r.session), "", none))
	execute(t, r.session, "TRUNCATE guests_by_email")
	require.NoError(t, s.Guests.Delete(ctx, 3))
	require.NoError(t, hotel.Backfills()["guests_by_email"](ctx, gocqldriver.New(r.session), "", none))
	require.NoError(t, hotel.Backfills()["guests_by_card"](ctx, gocqldriver.New(r.session), "", none))
	require.Subset(t, before, selectAll(t, r.session, "SELECT email, id, name, WRITETIME(id), WRITETIME(name) FROM guests_by_email"))
	require.Len(t, selectAll(t, r.session, "SELECT email FROM guests_by_email"), 3)
	require.Subset(t, before, selectAll(t, r.session, "SELECT number, id, WRITETIME(points) FROM guests_by_card"))

	// a row without a version is saved on the condition that it still has none
	execute(t, r.session, "INSERT INTO guests (id, name, email, passport) VALUES (10, 'P', 'p@x', {number: 'P'}); "+
		"INSERT INTO guests (id, name, email, passport) VALUES (11, 'Q', 'q@x', {number: 'Q'}); INSERT INTO guests (id, name, email) VALUES (12, 'R', 'r@x')")
	late, err := s.Guests.Get(ctx, 10)
	require.NoError(t, err)
	require.Zero(t, late.Version)
	renamed := *late
	renamed.Name = "PP"
	require.NoError(t, s.Guests.Change(ctx, late, &renamed))
	require.ErrorIs(t, s.Guests.Change(ctx, late, &renamed), mapper.ErrConflict)
	saved, err := s.Guests.Update(ctx, 11, func(g *hotel.Guest) error { g.Name = "QQ"; return nil })
	require.NoError(t, err)
	require.NotZero(t, saved.Version)
	require.NoError(t, s.Guests.DeleteAt(ctx, 12, 0))
	require.Equal(t, []string{`"p@x" 10`}, selectAll(t, r.session, "SELECT email, aml_owner_id FROM guests__email_unique WHERE email = 'p@x'"))
}

// The function that diff writes for a renamed column of a versioned root fills the column where it is null.
func TestColumnOfAVersionedRootIsFilled(t *testing.T) {
	t.Parallel()
	cassandra.Requires(t, "5.0", "write times of a map that is not frozen")
	r := newReleases(t)
	require.NoError(t, folder.Write(r.dir, "0001_init.cql", r.hotelPlan().Text()))
	require.NoError(t, r.up())
	session, ctx := r.session, t.Context()
	store, err := hotel.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	for id, notes := range []map[string]string{nil, {"floor": "2"}, nil} {
		require.NoError(t, store.Guests.Insert(ctx, &hotel.Guest{ID: int32(id), Name: "Ana", Email: fmt.Sprint(id, "@example.com"), Notes: notes}))
	}
	before, err := store.Guests.Get(ctx, 0)
	require.NoError(t, err)
	require.NoError(t, store.Guests.Delete(ctx, 2))
	require.NoError(t, session.ExecStmt("ALTER TABLE guests ADD remarks map<text, text>"))
	for id := range 3 {
		require.NoError(t, session.ExecStmt(fmt.Sprintf("UPDATE guests SET remarks = {'floor': '1'} WHERE id = %d", id)))
	}
	fill := copydata.Nulls{Table: "guests", From: "remarks", To: "notes", Save: gen.FillNull(store.Guests.Versioned, "notes")}
	for range 2 {
		require.NoError(t, fill.Run(ctx, gocqldriver.New(session)))
	}
	for id, floor := range []string{"1", "2"} {
		guest, err := store.Guests.Get(ctx, int32(id))
		require.NoError(t, err)
		require.Equal(t, map[string]string{"floor": floor}, guest.Notes)
		if id == 0 {
			require.Greater(t, guest.Version, before.Version)
		}
	}
	_, err = store.Guests.Get(ctx, 2)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	fill.To, fill.Convert = "name", copydata.Convert(func(v map[string]string) (string, error) { return v["floor"], nil })
	require.NoError(t, fill.Run(ctx, gocqldriver.New(session)), "each row has a name")
	fill.Save = nil
	require.ErrorContains(t, fill.Run(ctx, gocqldriver.New(session)), "no Save")
}
