package migrations

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/folder"
)

const libraryFolder = "../models/library"

// checkedOptions are the options of a checked reference after the association.
var checkedOptions = regexp.MustCompile(`,checked(,ondelete=[a-z]+)?(,rows=[0-9]+)?`)

// uncheckedLibrary returns the structs of the library as they were before their references were checked.
func uncheckedLibrary(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(libraryFolder + "/model.go")
	require.NoError(t, err)
	_, structs, found := strings.Cut(string(text), "aml generate\n")
	require.True(t, found)
	return checkedOptions.ReplaceAllString(structs, "")
}

// uncheckedReleases returns a keyspace with rows of a release that did not check references. Paper 4 refers to an author that does not exist.
func uncheckedReleases(t *testing.T) *releases {
	t.Helper()
	r := newReleases(t)
	r.deploy(uncheckedLibrary(t))
	const columns = "name, version, aml_attempts) VALUES"
	for id := range 6 {
		execute(t, r.session, fmt.Sprintf("INSERT INTO authors (id, %s (%d, 'a', 5, []) IF NOT EXISTS", columns, id))
	}
	execute(t, r.session, "INSERT INTO authors (id, mentor, "+columns+" (7, 1, 'a', 5, []) IF NOT EXISTS; "+
		"INSERT INTO series (id, "+columns+" (1, 's', 5, []) IF NOT EXISTS; INSERT INTO series (id, parent, "+columns+" (2, 1, 's', 5, []) IF NOT EXISTS; "+
		"INSERT INTO papers (id, author, editor, readers, "+columns+" (1, 1, 2, {1, 2}, 'p', 5, []) IF NOT EXISTS; "+
		"INSERT INTO papers_of_series (series, id, name) VALUES (2, 2, 'p') USING TIMESTAMP 5; INSERT INTO papers (id, series, "+columns+" (2, 2, 'p', 5, []) IF NOT EXISTS; INSERT INTO papers (id, "+columns+" (3, 'p', 5, []) IF NOT EXISTS; "+
		"INSERT INTO papers (id, author, editor, "+columns+" (4, 9, 8, 'p', 5, []) IF NOT EXISTS; "+
		"INSERT INTO papers (id, author, version, aml_attempts, aml_deleted) VALUES (5, 9, 5, [], true) IF NOT EXISTS")
	return r
}

// planChecked writes the migration to the library with checked references.
func (r *releases) planChecked() {
	r.t.Helper()
	plan := r.planFor(libraryFolder)
	require.Equal(r.t, []string{"authors__references", "series__references", "papers__references"}, plan.Generated)
	require.Empty(r.t, plan.Funcs)
	file, err := folder.FileName(2, "checked")
	require.NoError(r.t, err)
	require.NoError(r.t, folder.Write(r.dir, file, plan.Text()))
	require.Empty(r.t, r.planFor(libraryFolder).Steps)
}

// The references of a release that did not check them are recorded by the planned migration. Until it has ended, no target is deleted. A
// reference to nothing ends it with an error that names the root.
func TestReferencesBecomeChecked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := uncheckedReleases(t)
	r.planChecked()
	up := func() error {
		return migrate.Up(ctx, gocqldriver.New(r.session), os.DirFS(r.dir), migrate.Config{Backfills: library.Backfills()})
	}
	for range 2 {
		require.ErrorContains(t, up(), "references of papers: refused rows: 1; fix them and run the function again\n"+
			"mapper: Paper (papers id=4): Author is a reference, and there is no Author (authors id=9); Editor is a reference, and there is no Author (authors id=8)")
	}

	s, err := library.Open(ctx, r.session, mapper.Config{})
	require.NoError(t, err)
	err = s.Authors.Delete(ctx, 5)
	require.ErrorIs(t, err, mapper.ErrUnfilled)
	require.False(t, mapper.OutcomeUnknown(err))
	require.ErrorContains(t, err, "Delete Author (authors id=5): the aggregates that refer to it are not all known: table papers__author_refs does not have the references of all rows of "+
		"papers yet: repeat the call when the migration with -- aml:func papers__references has ended")
	require.ErrorIs(t, s.Series.Delete(ctx, 1), mapper.ErrUnfilled, "papers are deleted with it")
	require.NoError(t, r.session.ExecStmt("UPDATE authors SET aml_deleted = false, version = 99 WHERE id = 5 IF version = 5"))
	require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 6, Editor: new(int32(5))}), "the mark of an earlier program is removed")
	require.Equal(t, []string{"null"}, selectAll(t, r.session, "SELECT aml_deleted FROM authors WHERE id = 5"))

	_, err = s.Papers.Update(ctx, 4, func(p *library.Paper) error { p.Author, p.Editor = nil, new(int32(3)); return nil })
	require.NoError(t, err)
	require.NoError(t, r.session.ExecStmt("UPDATE authors SET aml_deleted = false, version = 98 WHERE id = 1 IF version = 5"))
	require.NoError(t, up(), "a mark of an earlier program is removed, and its row is not deleted")
	require.Equal(t, []string{"null"}, selectAll(t, r.session, "SELECT aml_deleted FROM authors WHERE id = 1"))
	for _, table := range []string{"authors__mentor_refs", "papers__author_refs", "papers__readers_refs"} {
		require.NotContains(t, selectAll(t, r.session, "SELECT comment FROM system_schema.tables WHERE keyspace_name = '"+gocqldriver.New(r.session).Keyspace()+"' AND table_name = '"+table+"'")[0], "unfilled")
	}
	require.NotEqual(t, []string{"5"}, selectAll(t, r.session, "SELECT version FROM papers WHERE id = 2"), "no save of the earlier release can be applied later")
	require.Equal(t, []string{"5"}, selectAll(t, r.session, "SELECT version FROM papers WHERE id = 3"), "it refers to nothing")
	require.Equal(t, []string{"1 0 1"}, selectAll(t, r.session, "SELECT parent_id, aml_bucket, child_id FROM papers__author_refs"))

	found := []mapper.Drift{}
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) { found = append(found, d) }})
	require.NoError(t, err)
	require.True(t, report.Clean())
	require.Empty(t, found)
	var held *mapper.HeldError
	require.ErrorAs(t, s.Authors.Delete(ctx, 1), &held, "the store was opened before the migration has ended")
	require.NoError(t, s.Authors.Delete(ctx, 2))
	require.NoError(t, s.Authors.Delete(ctx, 0))
	require.NoError(t, s.Series.Delete(ctx, 1))
	_, err = s.Papers.Get(ctx, 2)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	p, err := s.Papers.Get(ctx, 1)
	require.NoError(t, err)
	require.Nil(t, p.Editor)
	require.Equal(t, []int32{1}, p.Readers)

	version := p.Version
	require.NoError(t, library.Backfills()["papers__references"](ctx, gocqldriver.New(r.session), "", func(string) error { return nil }))
	p, err = s.Papers.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, version, p.Version, "nothing is missing, so nothing is saved")
}

// Programs of the new release write while the references are recorded: afterwards the reverse tables have the rows that follow from
// the roots, and besides them at most rows of saves that were refused because of another save, which Reconcile deletes.
func TestReferencesAreRecordedWhileTheyChange(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := uncheckedReleases(t)
	execute(t, r.session, "DELETE FROM papers WHERE id = 4 IF EXISTS")
	for id := 10; id < 60; id++ {
		execute(t, r.session, fmt.Sprintf("INSERT INTO papers (id, author, readers, name, version, aml_attempts) VALUES (%d, %d, {1, %d}, 'p', 5, []) IF NOT EXISTS", id, id%5, 2+id%3))
	}
	r.planChecked()
	var s *library.Store
	fills := library.Backfills()
	record := fills["papers__references"]
	fills["papers__references"] = func(ctx context.Context, session driver.Session, from string, save func(string) error) (err error) {
		if s, err = library.Open(ctx, r.session, mapper.Config{}); err != nil {
			return err
		}
		var writers sync.WaitGroup
		for w := range int32(2) {
			writers.Go(func() {
				for id := 10 + w; id < 60; id += 2 {
					if _, err := s.Papers.Update(ctx, id, func(p *library.Paper) error { p.Author, p.Readers = new((id+1)%5), []int32{3, 4}; return nil }); err != nil {
						t.Errorf("update paper %d: %v", id, err)
					}
				}
			})
		}
		defer writers.Wait()
		return record(ctx, session, from, save)
	}
	require.NoError(t, migrate.Up(ctx, gocqldriver.New(r.session), os.DirFS(r.dir), migrate.Config{Backfills: fills}))
	ended, err := library.Open(ctx, r.session, mapper.Config{Lease: time.Nanosecond}) // rows of saves within the last Lease are left for a later run
	require.NoError(t, err)
	reconcile := func(found func(mapper.Drift)) {
		report, err := ended.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Found: found})
		require.NoError(t, err)
		require.True(t, report.Clean())
	}
	reconcile(func(d mapper.Drift) {
		if !strings.HasSuffix(d.Table, "_refs") || d.Kind != mapper.DriftOrphan || !d.Repaired {
			t.Errorf("a save that is refused leaves rows of references, and nothing else: %+v", d)
		}
	})
	reconcile(func(d mapper.Drift) { t.Errorf("after it was repaired: %+v", d) })
	require.NoError(t, s.Authors.Delete(ctx, 5))
}
