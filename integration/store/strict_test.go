package store

import (
	"context"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/strict"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// calledAtInit reports whether a method was called before the first test: package strict is initialized before this one.
var calledAtInit = strict.Called()

var strictStores = generated[*strict.Store]{strict.Schema, strict.Open, strict.OpenBackend}

// strictWrite is a write of a film by one of the methods of the store.
type strictWrite struct {
	name string
	do   func(context.Context, *strict.Store, *strict.Film) error
}

// strictWrites has every method that writes a value. The film 1 exists.
var strictWrites = []strictWrite{
	{"Insert", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		return s.Films.Insert(ctx, f)
	}},
	{"Put", func(ctx context.Context, s *strict.Store, f *strict.Film) error { return s.Films.Put(ctx, f) }},
	{"Change", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		return s.Films.Change(ctx, &strict.Film{ID: f.ID, Name: "old"}, f)
	}},
	{"Update", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		_, err := s.Films.Update(ctx, f.ID, func(now *strict.Film) error { *now = *f; return nil })
		return err
	}},
	{"Import", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		_, err := s.With(mapper.Options{Timestamp: time.Now().UnixMicro()}).Films.Import(ctx, f)
		return err
	}},
	{"InsertAll", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		_, err := s.Films.InsertAll(ctx, one(f), mapper.BulkConfig{})
		return err
	}},
	{"Batch.Insert", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		b := s.Batch()
		b.Films.Insert(f)
		return b.Run(ctx)
	}},
	{"Batch.Change", func(ctx context.Context, s *strict.Store, f *strict.Film) error {
		b := s.Batch()
		b.Films.Change(&strict.Film{ID: f.ID, Name: "old"}, f)
		return b.Run(ctx)
	}},
}

func one[T any](v T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { yield(v, nil) }
}

// strictStore opens a store in memory that has the film 1.
func strictStore(t *testing.T) (*strict.Store, *memory.Backend) {
	t.Helper()
	backend := memory.New(memory.Config{})
	s, err := strict.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	require.NoError(t, s.Films.Insert(t.Context(), &strict.Film{ID: 1, Name: "old"}))
	return s, backend
}

// strictLine returns the place of a line of the model, which contains a text.
func strictLine(t *testing.T, text string) string {
	t.Helper()
	model, err := os.ReadFile("../models/strict/model.go")
	require.NoError(t, err)
	before, _, found := strings.Cut(string(model), text)
	require.True(t, found, text)
	return "model.go:" + strconv.Itoa(1+strings.Count(before, "\n"))
}

// requireFaults checks that a call was refused with a constraint error of a row that has exactly the given faults.
func requireFaults(t *testing.T, err error, row string, want ...mapper.Violation) {
	t.Helper()
	var refused *mapper.ConstraintError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, want, refused.Violations)
	require.Equal(t, row, refused.Key)
}

// The rules are checked before methods are called: a method never sees a value to be written that violates one.
func TestRulesAreCheckedBeforeMethods(t *testing.T) {
	t.Parallel()
	for _, w := range strictWrites {
		s, backend := strictStore(t)
		before, err := backend.Cells("films")
		require.NoError(t, err)
		requireFaults(t, w.do(t.Context(), s, &strict.Film{ID: 1}), "id=1", mapper.Violation{Path: "Name", Problem: "is required"})
		err = w.do(t.Context(), s, &strict.Film{ID: 1, Name: "a", Kind: 7})
		var refused *mapper.ConstraintError
		require.ErrorAs(t, err, &refused, w.name)
		require.Len(t, refused.Violations, 1, w.name)
		require.Equal(t, "Kind", refused.Violations[0].Path, w.name)
		after, err := backend.Cells("films")
		require.NoError(t, err)
		require.Equal(t, before, after, w.name)
	}
	for _, w := range accountWrites {
		s, _ := strictStore(t)
		requireFaults(t, w.do(t.Context(), s, insertedAccount(t, s, "old"), ""), "id=1", mapper.Violation{Path: "Name", Problem: "is required"})
	}
}

// A method that panics is an error with the name of the method, the place of the panic and the key of the row.
func TestMethodsThatPanic(t *testing.T) {
	t.Parallel()
	defer strict.Refuse("no words")()
	for _, w := range strictWrites {
		s, backend := strictStore(t)
		before, err := backend.Cells("films")
		require.NoError(t, err)
		err = w.do(t.Context(), s, &strict.Film{ID: 1, Name: "no words"})
		requireFaults(t, err, "id=1", mapper.Violation{Path: "Letter()", Problem: "panics at " + strictLine(t, "Film) Letter") + ": the name is no words"})
		require.ErrorContains(t, err, "Film (films id=1): Letter() panics at model.go:", w.name)
		after, err := backend.Cells("films")
		require.NoError(t, err)
		require.Equal(t, before, after, w.name)
	}
	for _, w := range accountWrites {
		s, _ := strictStore(t)
		requireFaults(t, w.do(t.Context(), s, insertedAccount(t, s, "old"), "no words"), "id=1", mapper.Violation{Path: "Letter()", Problem: "panics at " + strictLine(t, "Account) Letter") + ": the name is no words"})
	}
	s, _ := strictStore(t)
	err := s.Rooms.Insert(t.Context(), &strict.Room{House: "h", Number: 1, Owner: strict.NewCode("o"), Name: "no words"})
	requireFaults(t, err, "house='h', number=1", mapper.Violation{Path: "Letter()", Problem: "panics at " + strictLine(t, `panic("the name is " + r.Name)`)})
}

// accountWrite is a write of a versioned root, which has the row.
type accountWrite struct {
	name string
	do   func(ctx context.Context, s *strict.Store, a *strict.Account, name string) error
}

var accountWrites = []accountWrite{
	{"Put", func(ctx context.Context, s *strict.Store, a *strict.Account, name string) error {
		return s.Accounts.Put(ctx, &strict.Account{ID: a.ID, Name: name})
	}},
	{"Update", func(ctx context.Context, s *strict.Store, a *strict.Account, name string) error {
		_, err := s.Accounts.Update(ctx, a.ID, func(now *strict.Account) error { now.Name = name; return nil })
		return err
	}},
	{"Change", func(ctx context.Context, s *strict.Store, a *strict.Account, name string) error {
		now := *a
		now.Name = name
		return s.Accounts.Change(ctx, a, &now)
	}},
}

func insertedAccount(t *testing.T, s *strict.Store, name string) *strict.Account {
	t.Helper()
	a := &strict.Account{ID: 1, Email: "e", Name: name, City: "c"}
	require.NoError(t, s.Accounts.Insert(t.Context(), a))
	return a
}

// A row that a Set method or a method for elements has created has no name. It can be completed, replaced and deleted, elements can be
// added, and Reconcile reports it.
func TestRowsWithoutRequiredFieldsAreWritable(t *testing.T) {
	t.Parallel()
	onStores(t, strictStores, func(t *testing.T, s *strict.Store, _ *storetest.Requests) {
		require.NoError(t, s.Songs.AddTags(t.Context(), 2, "a"))
		var found findings
		_, err := s.Reconcile(t.Context(), found.run(false))
		require.NoError(t, err)
		require.Equal(t, []string{"unprojectable songs left"}, found.text())
		_, err = s.Songs.Reconcile(t.Context(), 2, found.config(false))
		require.NoError(t, err)
		require.Equal(t, "mapper: Song (songs id=2): Name is required", found.all[0].Reason, "no method is called")
		require.Equal(t, []string{"unprojectable songs left"}, found.text())
		require.NoError(t, s.Songs.AddTags(t.Context(), 2, "b"))
		require.NoError(t, s.Songs.SetNote(t.Context(), 2, "n"))
		require.NoError(t, s.Songs.RemoveTags(t.Context(), 2, "a"))
		_, err = s.Songs.Update(t.Context(), 2, func(v *strict.Song) error { v.Note = "o"; return nil })
		requireFaults(t, err, "id=2", mapper.Violation{Path: "Name", Problem: "is required"})
		_, err = s.Songs.Update(t.Context(), 2, func(v *strict.Song) error { v.Name = "Wings"; return nil })
		require.NoError(t, err)
		byLetter, err := s.SongsByLetter.Get(t.Context(), "W", 2)
		require.NoError(t, err)
		require.Equal(t, "Wings", byLetter.Name)
		byTag, err := s.SongsByTag.Get(t.Context(), "b", 2)
		require.NoError(t, err)
		require.Equal(t, strict.SongByTag{Tag: "b", ID: 2, Letter: "W", Name: "Wings"}, *byTag)

		require.NoError(t, s.Songs.SetNote(t.Context(), 3, "n"))
		require.NoError(t, s.Songs.Put(t.Context(), &strict.Song{ID: 3, Name: "Sunrise"}))
		require.NoError(t, s.Songs.SetNote(t.Context(), 4, "n"))
		require.NoError(t, s.Songs.Delete(t.Context(), 4))
		_, err = s.Songs.Get(t.Context(), 4)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.Reconcile(t.Context(), found.run(true))
		require.NoError(t, err)
		require.Empty(t, found.text())
	})
}

// strictChange makes the row of a film and of an account valid, or deletes both.
type strictChange struct {
	name string
	do   func(*testing.T, *strict.Store)
}

var strictChanges = []strictChange{
	{"Put", func(t *testing.T, s *strict.Store) {
		require.NoError(t, s.Films.Put(t.Context(), &strict.Film{ID: 1, Name: "Wings"}))
		require.NoError(t, s.Accounts.Put(t.Context(), &strict.Account{ID: 1, Name: "Wings"}))
	}},
	{"Update", func(t *testing.T, s *strict.Store) {
		_, err := s.Films.Update(t.Context(), 1, func(f *strict.Film) error { f.Name = "Wings"; return nil })
		require.NoError(t, err)
		_, err = s.Accounts.Update(t.Context(), 1, func(a *strict.Account) error { a.Name = "Wings"; return nil })
		require.NoError(t, err)
	}},
	{"Change", func(t *testing.T, s *strict.Store) {
		f, err := s.Films.Get(t.Context(), 1)
		require.NoError(t, err)
		next := *f
		next.Name = "Wings"
		require.NoError(t, s.Films.Change(t.Context(), f, &next))
		a, err := s.Accounts.Get(t.Context(), 1)
		require.NoError(t, err)
		now := *a
		now.Name = "Wings"
		require.NoError(t, s.Accounts.Change(t.Context(), a, &now))
	}},
	{"Import", func(t *testing.T, s *strict.Store) {
		written, err := s.With(mapper.Options{Timestamp: time.Unix(1_800_000_000, 500_000_000).UnixMicro()}).Films.Import(t.Context(), &strict.Film{ID: 1, Name: "Wings"})
		require.NoError(t, err)
		require.True(t, written)
		require.NoError(t, s.Accounts.Delete(t.Context(), 1))
	}},
	{"Delete", func(t *testing.T, s *strict.Store) {
		require.NoError(t, s.Films.Delete(t.Context(), 1))
		require.NoError(t, s.Accounts.Delete(t.Context(), 1))
		require.NoError(t, s.Accounts.Insert(t.Context(), &strict.Account{ID: 2, Email: "e", Name: "Wings"}), "the unique value is free")
	}},
}

// A row whose methods fail, as those of a later release can, can be replaced and deleted. What stays in the copies that derive from
// the methods is removed by Reconcile, which reports the row until then and does not change its copies.
func TestRowsWhoseMethodsFail(t *testing.T) {
	t.Parallel()
	for _, change := range strictChanges {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			name := "by " + change.name
			now := time.Unix(1_800_000_000, 0)
			backend := memory.New(memory.Config{Now: func() time.Time { return now }})
			s, err := strict.OpenBackend(t.Context(), backend)
			require.NoError(t, err)
			insertStrict(t, s, name)
			accept := strict.Refuse(name)
			before := strictCells(t, backend)

			var found findings
			_, err = s.Reconcile(t.Context(), found.run(false))
			require.NoError(t, err)
			require.Equal(t, []string{"unprojectable accounts left", "unprojectable films left", "unprojectable scenes left"}, found.text())
			for _, one := range []func(context.Context, int32, mapper.ReconcileConfig) error{reconcileFilm(s), reconcileAccount(s)} {
				require.NoError(t, one(t.Context(), 1, found.config(false)))
				require.Contains(t, found.text()[0], "unprojectable")
			}
			require.Equal(t, before, strictCells(t, backend))
			require.NoError(t, s.Films.AddTags(t.Context(), 1, "a"), "no method accepts the row, before and after the change")
			change.do(t, s)

			_, err = s.Reconcile(t.Context(), found.run(false))
			require.NoError(t, err)
			_ = found.text()
			accept()
			now = now.Add(time.Hour)
			_, err = s.Reconcile(t.Context(), found.run(false))
			require.NoError(t, err)
			_ = found.text()
			report, err := s.Reconcile(t.Context(), found.run(false))
			require.NoError(t, err)
			require.Empty(t, found.text())
			require.Zero(t, report.TooRecent)
			for _, table := range []string{"films_by_letter", "accounts_by_letter"} {
				cells, err := backend.Cells(table)
				require.NoError(t, err)
				for _, c := range cells {
					require.NotContains(t, c.Key, "letter='b'", table)
				}
			}
		})
	}
}

func reconcileFilm(s *strict.Store) func(context.Context, int32, mapper.ReconcileConfig) error {
	return func(ctx context.Context, id int32, c mapper.ReconcileConfig) error {
		_, err := s.Films.Reconcile(ctx, id, c)
		return err
	}
}

func reconcileAccount(s *strict.Store) func(context.Context, int32, mapper.ReconcileConfig) error {
	return func(ctx context.Context, id int32, c mapper.ReconcileConfig) error {
		_, err := s.Accounts.Reconcile(ctx, id, c)
		return err
	}
}

// insertStrict inserts a film with a scene and an account, all with the same name.
func insertStrict(t *testing.T, s *strict.Store, name string) {
	t.Helper()
	require.NoError(t, s.Films.Insert(t.Context(), &strict.Film{ID: 1, Name: name, Year: 1927}))
	require.NoError(t, s.Scenes.Insert(t.Context(), &strict.Scene{FilmID: 1, Number: 1, Name: name}))
	require.NoError(t, s.Accounts.Insert(t.Context(), &strict.Account{ID: 1, Email: "e", Name: name, City: "c"}))
}

// strictCells returns the cells of all copies.
func strictCells(t *testing.T, b *memory.Backend) (out []memory.Cell) {
	t.Helper()
	for _, table := range []string{"films_by_letter", "films_by_word", "films_by_year", "scenes_by_letter", "accounts_by_letter", "accounts_by_id"} {
		cells, err := b.Cells(table)
		require.NoError(t, err)
		require.NotEmpty(t, cells, table)
		out = append(out, cells...)
	}
	return out
}

// Backfills, AssignVersions, known values and reads with Verified return an error about the row. A copy that derives from no method
// can be read.
func TestReadsOfRowsWhoseMethodsFail(t *testing.T) {
	t.Parallel()
	onStores(t, strictStores, func(t *testing.T, s *strict.Store, _ *storetest.Requests) {
		name := "read in " + t.Name()
		insertStrict(t, s, name)
		defer strict.Refuse(name)()
		film := mapper.Violation{Path: "Letter()", Problem: "panics at " + strictLine(t, "Film) Letter") + ": the name is " + name}
		account := mapper.Violation{Path: "Letter()", Problem: "panics at " + strictLine(t, "Account) Letter") + ": the name is " + name}
		save := func(string) error { return nil }
		requireFaults(t, gen.Fill(t.Context(), s.Films.Root, "films_by_letter", gen.FillConfig{}, "", save), "id=1", film)
		requireFaults(t, gen.FillVersioned(t.Context(), s.Accounts.Versioned, "accounts_by_letter", gen.FillConfig{}, "", save), "id=1", account)
		_, err := s.Films.Reconcile(t.Context(), 1, mapper.ReconcileConfig{}, &strict.Film{ID: 1, Name: name})
		requireFaults(t, err, "id=1", film)

		verified := s.With(mapper.Options{Verified: true})
		_, err = verified.FilmsByLetter.Get(t.Context(), "r", 1)
		requireFaults(t, err, "id=1", film)
		_, err = verified.AccountsByLetter.Get(t.Context(), "r", 1)
		requireFaults(t, err, "id=1", account)
		byYear, err := verified.FilmsByYear.Get(t.Context(), 1927, 1)
		require.NoError(t, err)
		require.Equal(t, name, byYear.Name)
		byID, err := verified.AccountsByID.Get(t.Context(), 1)
		require.NoError(t, err)
		require.Equal(t, "c", byID.City)
		require.NoError(t, gen.AssignVersions(t.Context(), s.Accounts.Versioned, gen.FillConfig{}, "", save), "the copies are written")
		require.NoError(t, s.Films.Delete(t.Context(), 1), "with a part whose methods fail")
	})
}

// No code of the model runs while the package is initialized, and a type that does not encode its zero value can be a static column.
func TestTypesThatPanic(t *testing.T) {
	t.Parallel()
	require.False(t, calledAtInit)
	s, _ := strictStore(t)
	room := &strict.Room{House: "h", Number: 1, Owner: strict.NewCode("o"), Name: "n"}
	require.NoError(t, s.Rooms.Insert(t.Context(), room))
	got, err := s.Rooms.Get(t.Context(), "h", 1)
	require.NoError(t, err)
	require.Equal(t, "o", got.Owner.String())
	err = s.Rooms.Insert(t.Context(), &strict.Room{House: "h", Number: 1, Name: "n"})
	problem := "cannot be encoded: panics at " + strictLine(t, "return []byte(*c.text)") + ": runtime error: invalid memory address or nil pointer dereference"
	requireFaults(t, err, "house='h', number=1", mapper.Violation{Path: "Owner", Problem: problem})
	require.NoError(t, s.Rooms.Put(t.Context(), &strict.Room{House: "h", Number: 2, Owner: strict.NewCode("panic"), Name: "n"}))
	_, err = s.Rooms.Get(t.Context(), "h", 2)
	var decoding *mapper.DecodeError
	require.ErrorAs(t, err, &decoding)
	require.Equal(t, "Owner", decoding.Path)
	require.Equal(t, "cannot be decoded: panics at "+strictLine(t, "it is panic")+": it is panic", decoding.Problem)
}
