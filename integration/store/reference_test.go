package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/library"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

func onLibrary(t *testing.T, test func(t *testing.T, s *library.Store, sent *storetest.Requests)) {
	t.Parallel()
	onStores(t, generated[*library.Store]{library.Schema, library.Open, library.OpenBackend}, test)
}

func insertAuthors(t *testing.T, s *library.Store, ids ...int32) {
	t.Helper()
	for _, id := range ids {
		require.NoError(t, s.Authors.Insert(t.Context(), &library.Author{ID: id, Name: "a"}))
	}
}

// A root is saved only if the targets of all references that the save adds exist. Each has one row in its reverse table.
func TestCheckedReferences(t *testing.T) {
	onLibrary(t, func(t *testing.T, s *library.Store, sent *storetest.Requests) {
		ctx := t.Context()
		p := &library.Paper{ID: 1, Name: "p", Author: new(int32(1)), Editor: new(int32(2)), Readers: []int32{2, 3}}
		var missing *mapper.ConstraintError
		require.ErrorAs(t, s.Papers.Insert(ctx, p), &missing)
		require.Equal(t, []mapper.Violation{
			{Path: "Author", Problem: "is a reference, and there is no Author (authors id=1)"},
			{Path: "Editor", Problem: "is a reference, and there is no Author (authors id=2)"},
			{Path: "Readers", Problem: "is a reference, and there is no Author (authors id=2)"},
			{Path: "Readers", Problem: "is a reference, and there is no Author (authors id=3)"},
		}, missing.Violations)
		_, err := s.Papers.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)

		insertAuthors(t, s, 1, 2, 3)
		sent.Drain()
		require.NoError(t, s.Papers.Insert(ctx, p))
		requests := sent.Drain()
		require.Len(t, requests, 6, "the rows of the references, three targets, the save, the copies")
		for _, q := range requests {
			if strings.Contains(q.Statements[0].CQL, "FROM authors ") {
				require.NotZero(t, q.SerialConsistency, "a plain read does not see a deletion that has begun")
			}
		}
		_, err = s.Papers.Update(ctx, 1, func(v *library.Paper) error { v.Name = "q"; return nil })
		require.NoError(t, err)
		require.Len(t, sent.Drain(), 3, "a save that adds no reference reads no target")
		_, err = s.Papers.Update(ctx, 1, func(v *library.Paper) error { v.Author = new(int32(9)); return nil })
		require.ErrorContains(t, err, "there is no Author (authors id=9)")
		v, err := s.Papers.Update(ctx, 1, func(v *library.Paper) error { v.Author, v.Editor = new(int32(3)), nil; return nil })
		require.NoError(t, err)
		require.NoError(t, s.Authors.Delete(ctx, 1), "nothing refers to it any more")

		other := *v
		other.Author = nil
		changed := other
		changed.Name = "r"
		require.ErrorIs(t, s.Papers.Change(ctx, &other, &changed), mapper.ErrConflict, "the old value has another reference than the row")
		changed = *v
		changed.Readers = []int32{2}
		require.NoError(t, s.Papers.Change(ctx, v, &changed))
	})
}

// clean checks that Reconcile finds nothing.
func clean(t *testing.T, s *library.Store) {
	t.Helper()
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) { t.Errorf("%+v", d) }})
	require.NoError(t, err)
	require.True(t, report.Clean())
}

// A deletion of a target is refused, or changes or deletes what refers to it first.
func TestDeleteTarget(t *testing.T) {
	onLibrary(t, func(t *testing.T, s *library.Store, _ *storetest.Requests) {
		ctx := t.Context()
		insertAuthors(t, s, 1, 2)
		for _, x := range []*library.Series{{ID: 1}, {ID: 2, Parent: new(int32(1))}, {ID: 3, Parent: new(int32(2))}, {ID: 4, Parent: new(int32(4))}} {
			require.NoError(t, s.Series.Insert(ctx, x))
		}
		for _, x := range []*library.Paper{
			{ID: 1, Name: "p", Author: new(int32(1)), Series: new(int32(3))},
			{ID: 2, Name: "q", Author: new(int32(1)), Editor: new(int32(2)), Readers: []int32{1, 2}},
		} {
			require.NoError(t, s.Papers.Insert(ctx, x))
		}
		var held *mapper.HeldError
		require.ErrorAs(t, s.Authors.Delete(ctx, 1), &held)
		require.Contains(t, []string{"id=1", "id=2"}, held.HolderKey)
		held.HolderKey = ""
		require.Equal(t, &mapper.HeldError{Aggregate: "Author", Table: "authors", Key: "id=1", Field: "Author", Holder: "Paper", HolderTable: "papers"}, held)
		_, err := s.Authors.Update(ctx, 1, func(v *library.Author) error { v.Name = "still there"; return nil })
		require.NoError(t, err)

		require.NoError(t, s.Authors.Delete(ctx, 2))
		q, err := s.Papers.Get(ctx, 2)
		require.NoError(t, err)
		require.Nil(t, q.Editor)
		require.Equal(t, []int32{1}, q.Readers)

		require.NoError(t, s.Series.Delete(ctx, 1), "with the series below it, and the paper of the last")
		for id := range int32(3) {
			_, err = s.Series.Get(ctx, id+1)
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
		_, err = s.Papers.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.PapersOfSeries.Get(ctx, 3, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)

		require.NoError(t, s.Series.Delete(ctx, 4), "it refers to itself")
		require.NoError(t, s.Series.Insert(ctx, &library.Series{ID: 5}))
		require.NoError(t, s.Series.Insert(ctx, &library.Series{ID: 6, Parent: new(int32(5))}))
		_, err = s.Series.Update(ctx, 5, func(v *library.Series) error { v.Parent = new(int32(6)); return nil })
		require.NoError(t, err)
		require.NoError(t, s.Series.Delete(ctx, 5), "a cycle")
		_, err = s.Series.Get(ctx, 6)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.NoError(t, s.Papers.Delete(ctx, 2))
		require.NoError(t, s.Series.Insert(ctx, &library.Series{ID: 7, Owner: new(int32(1))}))
		a, err := s.Authors.Update(ctx, 1, func(v *library.Author) error { v.Favorite = new(int32(7)); return nil })
		require.NoError(t, err)
		require.NoError(t, s.Authors.DeleteAt(ctx, 1, a.Version), "the deletion of the series clears a reference of the author, which is being deleted")
		_, err = s.Series.Get(ctx, 7)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		clean(t, s)
	})
}

// While a target is being deleted by a call that has not ended, reads return it, and what is saved in it, or refers to it anew, waits. After
// Config.Lease the waiting call ends the deletion.
func TestUnfinishedDeletion(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, library.Schema)
	s, err := library.Open(t.Context(), session, mapper.Config{Lease: 50 * time.Millisecond})
	require.NoError(t, err)
	ctx := t.Context()
	insertAuthors(t, s, 1, 2)
	require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 1, Author: new(int32(1))}))
	mark(t, session, 1)
	mark(t, session, 2)
	v, err := s.Authors.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "a", v.Name)
	require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 2, Author: new(int32(1))}), "paper 1 holds the author: the deletion is reverted")
	require.ErrorContains(t, s.Papers.Insert(ctx, &library.Paper{ID: 3, Author: new(int32(2))}), "there is no Author (authors id=2)", "nothing held the author: it is deleted")

	mark(t, session, 1)
	_, err = s.Authors.Update(ctx, 1, func(v *library.Author) error { v.Name = "b"; return nil })
	require.NoError(t, err)

	mark(t, session, 1)
	ends := &endingTracer{}
	patient, err := library.Open(t.Context(), session, mapper.Config{Lease: 20 * time.Minute, Timeout: 30 * time.Minute, Tracer: ends})
	require.NoError(t, err)
	_, err = patient.Authors.Update(ends.context(ctx), 1, func(*library.Author) error { return nil })
	require.ErrorIs(t, err, mapper.ErrBusy)
	require.ErrorIs(t, patient.Papers.Insert(ends.context(ctx), &library.Paper{ID: 4, Editor: new(int32(1))}), mapper.ErrBusy)

	var found []mapper.DriftKind
	ended, err := library.Open(ctx, session, mapper.Config{Lease: time.Nanosecond}) // a mark of the last Lease is left for a later run
	require.NoError(t, err)
	report, err := ended.Authors.Reconcile(ctx, 1, mapper.ReconcileConfig{Found: func(d mapper.Drift) { found = append(found, d.Kind) }})
	require.NoError(t, err)
	require.True(t, report.Clean())
	require.Equal(t, []mapper.DriftKind{mapper.DriftDeleting}, found)
	_, err = patient.Authors.Update(ctx, 1, func(*library.Author) error { return nil })
	require.NoError(t, err)
}

// A Delete that ends after it has marked its target can still be carried out, by any call that meets the mark: its outcome is unknown. A deletion
// that a root restricts is not carried out.
func TestOutcomeOfADeletionThatEnds(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*library.Store]{library.Schema, library.Open, library.OpenBackend}, func(t *testing.T, s *library.Store, sent *interrupted) {
		ctx := t.Context()
		insertAuthors(t, s, 1, 2, 3)
		require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 1, Author: new(int32(1))}))
		for id, call := range map[int32]func(ctx context.Context) error{
			2: func(ctx context.Context) error { return s.Authors.Delete(ctx, 2) },
			3: func(ctx context.Context) error {
				v, err := s.Authors.Get(t.Context(), 3)
				require.NoError(t, err)
				return s.Authors.DeleteAt(ctx, 3, v.Version)
			},
		} {
			marked := false
			sent.kill(t, func(q mapper.Request) bool {
				was := marked
				marked = marked || q.Conditional
				return was
			}, func(ctx context.Context) {
				err := call(ctx)
				require.True(t, mapper.OutcomeUnknown(err), "%v", err)
				require.Equal(t, id == 2, mapper.SafeToRepeat(err), "a repeated DeleteAt finds another version")
				require.ErrorIs(t, err, context.Canceled)
			})
			_, err := s.Authors.Get(ctx, id)
			require.NoError(t, err)
			require.NoError(t, s.Authors.Delete(ctx, id))
			_, err = s.Authors.Get(ctx, id)
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
		err := s.Authors.Delete(ctx, 1)
		require.Error(t, err)
		require.False(t, mapper.OutcomeUnknown(err))
		v, err := s.Authors.Get(ctx, 1)
		require.NoError(t, err)
		require.ErrorIs(t, s.Authors.DeleteAt(ctx, 1, v.Version-1), mapper.ErrConflict)
	})
}

// endingTracer ends the context of a call after four requests: the call has begun to wait by then.
type endingTracer struct {
	requests int
	cancel   context.CancelFunc
}

func (e *endingTracer) context(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	e.requests, e.cancel = 0, cancel
	return ctx
}

func (e *endingTracer) Start(ctx context.Context, _ mapper.Request) context.Context { return ctx }

func (e *endingTracer) End(context.Context, mapper.RequestResult) {
	if e.requests++; e.requests == 4 {
		e.cancel()
	}
}

// mark marks an author as being deleted, as a call does that then ends without doing more.
func mark(t *testing.T, session gocqlx.Session, id int) {
	t.Helper()
	var version int64
	require.NoError(t, session.Session.Query("SELECT version FROM authors WHERE id = ?", id).Scan(&version))
	require.NoError(t, session.Session.Query("UPDATE authors SET aml_deleted = false, version = ? WHERE id = ? IF version = ?", version+1, id, version).Exec())
}

// A row of a reverse table that a save has left whose clock was ahead does not hide the row of a later save of the same root: the version of the
// root is raised above it before it is deleted.
func TestRowOfASaveAhead(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, library.Schema)
	s, err := library.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	ctx := t.Context()
	insertAuthors(t, s, 1)
	ahead := time.Now().Add(time.Minute).UnixMicro()
	require.NoError(t, session.ExecStmt(fmt.Sprintf("INSERT INTO papers__editor_refs (parent_id, aml_bucket, child_id, aml_ver) VALUES (1, 0, 1, %d) USING TIMESTAMP %[1]d", ahead)))
	require.NoError(t, s.Authors.Delete(ctx, 1))
	insertAuthors(t, s, 1)
	p := &library.Paper{ID: 1, Editor: new(int32(1))}
	require.NoError(t, s.Papers.Insert(ctx, p))
	require.Greater(t, p.Version, ahead)
	require.NoError(t, s.Authors.Delete(ctx, 1))
	p, err = s.Papers.Get(ctx, 1)
	require.NoError(t, err)
	require.Nil(t, p.Editor)
}

// A store reads the buckets of a later release, which are in the comment of the reverse table, before it deletes a target. It is not opened on
// tables with fewer buckets than it writes.
func TestBucketsOfOtherReleases(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, library.Schema)
	ctx := t.Context()
	storetest.Execute(t, session, "ALTER TABLE papers__author_refs WITH comment = 'buckets: 9';")
	s, err := library.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	insertAuthors(t, s, 1)
	require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 1, Author: new(int32(1))}))
	storetest.Execute(t, session, `DELETE FROM papers__author_refs WHERE parent_id = 1 AND aml_bucket IN (0, 1);
		INSERT INTO papers__author_refs (parent_id, aml_bucket, child_id, aml_ver) VALUES (1, 8, 1, 1);`)
	var held *mapper.HeldError
	require.ErrorAs(t, s.Authors.Delete(ctx, 1), &held)

	storetest.Execute(t, session, "ALTER TABLE papers__author_refs WITH comment = 'buckets: 1';")
	_, err = library.Open(ctx, session, mapper.Config{})
	require.ErrorContains(t, err, "comment of table papers__author_refs is buckets: 1, not buckets: 2")
}

// A target is not deleted while a reverse table does not have all its rows that a deletion of a root reads which is deleted with it. A store that was
// opened before reads when it has.
func TestUnfilledReverseTables(t *testing.T) {
	t.Parallel()
	session := storetest.OwnTables(t, library.Schema)
	ctx := t.Context()
	storetest.Execute(t, session, "ALTER TABLE papers__series_refs WITH comment = 'buckets: 1, unfilled';")
	s, err := library.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	insertAuthors(t, s, 1, 2)
	require.NoError(t, s.Series.Insert(ctx, &library.Series{ID: 1, Owner: new(int32(1))}))
	before, err := s.Authors.Get(ctx, 1)
	require.NoError(t, err)
	require.ErrorIs(t, s.Authors.Delete(ctx, 1), mapper.ErrUnfilled, "series 1 is deleted with it")
	after, err := s.Authors.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, before.Version, after.Version, "the deletion has not begun")
	require.ErrorIs(t, s.Series.Delete(ctx, 1), mapper.ErrUnfilled)
	require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 1, Series: new(int32(1))}))
	require.NoError(t, s.Papers.Delete(ctx, 1), "nothing refers to papers")
	storetest.Execute(t, session, "ALTER TABLE papers__series_refs WITH comment = 'buckets: 1';")
	require.NoError(t, s.Authors.Delete(ctx, 1))
	_, err = s.Series.Get(ctx, 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// Reconcile writes rows of reverse tables that are missing, deletes those that no root holds, and reports references to nothing.
func TestReconcileReferences(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, library.Schema)
	s, err := library.Open(t.Context(), session, mapper.Config{Lease: time.Nanosecond})
	require.NoError(t, err)
	ctx := t.Context()
	insertAuthors(t, s, 1, 2)
	require.NoError(t, s.Papers.Insert(ctx, &library.Paper{ID: 1, Author: new(int32(1)), Editor: new(int32(2))}))
	found := func(s *library.Store, dry bool) map[mapper.Drift]bool {
		out := map[mapper.Drift]bool{}
		_, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, DryRun: dry, Found: func(d mapper.Drift) { out[d] = true }})
		require.NoError(t, err)
		return out
	}
	for _, readers := range [][]int32{{1, 2}, nil} {
		_, err := s.Papers.Update(ctx, 1, func(v *library.Paper) error { v.Readers = readers; return nil })
		require.NoError(t, err)
	}
	require.Empty(t, found(s, true), "the rows of the dropped references are deleted")
	for _, cql := range []string{
		"DELETE FROM papers__author_refs WHERE parent_id = 1 AND aml_bucket IN (0, 1)",
		"INSERT INTO papers__editor_refs (parent_id, aml_bucket, child_id, aml_ver) VALUES (1, 0, 1, 77) USING TIMESTAMP 77",
		"INSERT INTO papers__series_refs (parent_id, aml_bucket, child_id, aml_ver) VALUES (1, 0, 5, 1000) USING TIMESTAMP 1000",
		"DELETE FROM authors WHERE id = 2 IF EXISTS",
	} {
		require.NoError(t, session.ExecStmt(cql), cql)
	}
	dangling := mapper.Drift{Kind: mapper.DriftDangling, Aggregate: "Paper", Table: "papers__editor_refs", Key: "parent_id=2, aml_bucket=0, child_id=1",
		Reason: "Editor refers to Author (authors id=2), which does not exist: insert it, or let the field refer to another"}
	want := func(repaired bool) map[mapper.Drift]bool {
		return map[mapper.Drift]bool{
			{Kind: mapper.DriftMissing, Aggregate: "Paper", Table: "papers__author_refs", Key: "parent_id=1, aml_bucket=0, child_id=1", Repaired: repaired}: true,
			{Kind: mapper.DriftOrphan, Aggregate: "Paper", Table: "papers__editor_refs", Key: "parent_id=1, aml_bucket=0, child_id=1", Repaired: repaired}:  true,
			{Kind: mapper.DriftOrphan, Aggregate: "Paper", Table: "papers__series_refs", Key: "parent_id=1, aml_bucket=0, child_id=5", Repaired: repaired}:  true,
			dangling: true,
		}
	}
	require.Equal(t, want(false), found(s, true))
	require.Equal(t, want(true), found(s, false))
	require.Equal(t, map[mapper.Drift]bool{dangling: true}, found(s, false))
	require.Error(t, s.Authors.Delete(ctx, 1))
}

// Two authors that refer to each other, and are both being deleted, do not wait for each other: a reference is cleared in a row that is being
// deleted, too.
func TestDeletionsInACycle(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, library.Schema)
	s, err := library.Open(t.Context(), session, mapper.Config{Lease: 50 * time.Millisecond, Timeout: 5 * time.Second})
	require.NoError(t, err)
	ctx := t.Context()
	insertAuthors(t, s, 1)
	require.NoError(t, s.Authors.Insert(ctx, &library.Author{ID: 2, Mentor: new(int32(1))}))
	_, err = s.Authors.Update(ctx, 1, func(v *library.Author) error { v.Mentor = new(int32(2)); return nil })
	require.NoError(t, err)
	mark(t, session, 1)
	mark(t, session, 2)
	require.NoError(t, s.Authors.Delete(ctx, 1))
	require.NoError(t, s.Authors.Delete(ctx, 2))
	clean(t, s)
}
