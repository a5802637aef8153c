package store

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onPartStores runs a test on a store in memory and on one on a node.
func onPartStores(t *testing.T, test func(t *testing.T, s *part.Store, sent *storetest.Requests)) {
	onStores(t, generated[*part.Store]{part.Schema, part.Open, part.OpenBackend}, test)
}

// collected returns the rows of a sequence.
func collected[T any](t *testing.T, rows iter.Seq2[*T, error]) (out []*T) {
	t.Helper()
	for v, err := range rows {
		require.NoError(t, err)
		out = append(out, v)
	}
	return out
}

// statements returns the statements of the requests since the last call, and how many requests there were.
func statements(sent *storetest.Requests) (out []string, requests int) {
	for _, r := range sent.Drain() {
		requests++
		for _, s := range r.Statements {
			out = append(out, s.CQL)
		}
	}
	return out, requests
}

// A part in a separate table is read and written like a root, and deleted with its root.
func TestPartsInSeparateTables(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		ctx, id := t.Context(), gocql.TimeUUID()
		round := func(n, try int32) *part.Round {
			return &part.Round{Region: "north", GameID: id, Number: n, Try: try, Winner: fmt.Sprint(n, ".", try)}
		}
		require.NoError(t, s.Games.Insert(ctx, &part.Game{Region: "north", ID: id, Name: "chess"}))
		for n := range int32(9) {
			require.NoError(t, s.Rounds.Put(ctx, round(n, 1)))
			require.NoError(t, s.Rounds.Put(ctx, round(n, 2)))
		}
		require.NoError(t, s.Results.Put(ctx, &part.Result{Region: "north", GameID: id, Points: 7}))
		require.NoError(t, s.Rounds.Put(ctx, &part.Round{Region: "south", GameID: id, Number: 1, Try: 1}))
		other := gocql.TimeUUID()
		require.NoError(t, s.Rounds.Put(ctx, &part.Round{Region: "north", GameID: other, Number: 1, Try: 1}))

		g, rounds, err := s.Games.GetWithRounds(ctx, "north", id)
		require.NoError(t, err)
		require.Equal(t, &part.Game{Region: "north", ID: id, Name: "chess"}, g)
		require.Len(t, rounds, 18)
		require.Equal(t, round(8, 1), rounds[0], "in the order of the table")
		_, _, err = s.Games.GetWithRounds(ctx, "north", gocql.TimeUUID())
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, results, err := s.Games.GetWithResults(ctx, "north", id)
		require.NoError(t, err)
		require.Equal(t, []*part.Result{{Region: "north", GameID: id, Points: 7}}, results)

		_, err = s.Rounds.Update(ctx, "north", id, 3, 1, func(r *part.Round) error { r.Winner = "Ana"; return nil })
		require.NoError(t, err)
		got, err := s.Rounds.Get(ctx, "north", id, 3, 1)
		require.NoError(t, err)
		require.Equal(t, "Ana", got.Winner)

		sent.Drain()
		require.NoError(t, s.Rounds.Of("north", id).Number(3).TryAfter(1).Delete(ctx))
		require.NoError(t, s.Rounds.Of("north", id).NumberFrom(6).NumberBefore(8).Delete(ctx))
		require.NoError(t, s.Rounds.Of("north", id).NumberTo(0).Delete(ctx))
		all, n := statements(sent)
		require.Equal(t, []string{
			"DELETE FROM rounds USING TIMESTAMP ? WHERE region = ? AND game_id = ? AND number = ? AND try > ?",
			"DELETE FROM rounds USING TIMESTAMP ? WHERE region = ? AND game_id = ? AND number >= ? AND number < ?",
			"DELETE FROM rounds USING TIMESTAMP ? WHERE region = ? AND game_id = ? AND number <= ?",
		}, all)
		require.Equal(t, 3, n)
		var left []string
		for _, r := range collected(t, s.Rounds.Of("north", id).Reverse().All(ctx)) {
			left = append(left, fmt.Sprint(r.Number, ".", r.Try))
		}
		require.Equal(t, []string{"1.2", "1.1", "2.2", "2.1", "3.1", "4.2", "4.1", "5.2", "5.1", "8.2", "8.1"}, left)

		require.NoError(t, s.Games.Delete(ctx, "north", id))
		require.Empty(t, collected(t, s.Rounds.Of("north", id).All(ctx)))
		_, err = s.Results.Get(ctx, "north", id)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.Len(t, collected(t, s.Rounds.Of("south", id).All(ctx)), 1, "another partition key")
		require.Len(t, collected(t, s.Rounds.Of("north", other).All(ctx)), 1, "another game")

		require.NoError(t, s.Rounds.Put(ctx, round(1, 1)))
		require.Len(t, collected(t, s.Rounds.Of("north", id).All(ctx)), 1, "a part does not look for its root")
		require.NoError(t, s.Games.Delete(ctx, "north", id))
		require.Empty(t, collected(t, s.Rounds.Of("north", id).All(ctx)), "of a root that does not exist")
	})
}

// The copies of parts follow them, and are deleted with the root, page by page.
func TestPartsWithCopies(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		ctx, id := t.Context(), gocql.TimeUUID()
		require.NoError(t, s.Games.Insert(ctx, &part.Game{Region: "north", ID: id, Name: "chess"}))
		const guests = 230
		name := func(seat int) string { return fmt.Sprint(id, "-", seat%7) }
		for seat := range guests {
			require.NoError(t, s.Guests.Insert(ctx, &part.Guest{Region: "north", GameID: id, Seat: int32(seat), Name: name(seat), Tags: []string{"a", "b"}}))
		}
		require.Len(t, collected(t, s.GuestsByName.Of(name(0)).All(ctx)), 33)
		_, err := s.Guests.Update(ctx, "north", id, 0, func(g *part.Guest) error { g.Name = name(1); g.Tags = []string{"c"}; return nil })
		require.NoError(t, err)
		require.Len(t, collected(t, s.GuestsByName.Of(name(0)).All(ctx)), 32)
		moved, err := s.GuestsByName.Get(ctx, name(1), "north", id, 0)
		require.NoError(t, err)
		require.Equal(t, []string{"c"}, moved.Tags)

		require.NoError(t, s.Guests.Of("north", id).SeatFrom(10).SeatTo(12).Delete(ctx))
		require.Len(t, collected(t, s.Guests.Of("north", id).All(ctx)), guests-3)
		for seat := 10; seat <= 12; seat++ {
			_, err := s.GuestsByName.Get(ctx, name(seat), "north", id, int32(seat))
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
		sent.Drain()
		require.NoError(t, s.Games.Delete(ctx, "north", id))
		all, n := statements(sent)
		require.Equal(t, 3+3+2, n, "a read and a batch for each page, then the read and the batch of the root: %s", all)
		require.Empty(t, collected(t, s.Guests.Of("north", id).All(ctx)))
		for seat := range 7 {
			require.Empty(t, collected(t, s.GuestsByName.Of(name(seat)).All(ctx)))
		}
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{DryRun: true, Slices: 4})
		require.NoError(t, err)
		require.True(t, report.Clean(), "%+v", report)
	})
}

// A root and the part in its table are two tables of the store: neither sees the rows of the other.
func TestPartsInTheTableOfTheRoot(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		ctx, id := t.Context(), gocql.TimeUUID()
		segment := func(n int32) *part.Segment {
			return &part.Segment{RunID: id, Number: n, Word: fmt.Sprint(id, n%2), Tokens: []string{"x"}}
		}
		require.NoError(t, s.Segment.Insert(ctx, segment(1)))
		_, err := s.Runs.Get(ctx, id)
		require.ErrorIs(t, err, mapper.ErrNotFound, "a partition that has only parts has no root")
		_, err = s.Runs.Update(ctx, id, func(*part.Run) error { return nil })
		require.ErrorIs(t, err, mapper.ErrNotFound)

		run := &part.Run{ID: id, State: "new", Owner: "Ana " + id.String(), Notes: map[string]string{"a": "1", "b": "2"}}
		require.NoError(t, s.Runs.Insert(ctx, run))
		got, err := s.Runs.Get(ctx, id)
		require.NoError(t, err)
		require.Equal(t, run, got)
		require.NoError(t, s.Runs.Insert(ctx, &part.Run{ID: gocql.TimeUUID(), State: "empty", Owner: "Eva"}))
		for n := range int32(5) {
			require.NoError(t, s.Segment.Put(ctx, segment(n)))
		}
		got, segments, err := s.Runs.GetWithSegment(ctx, id)
		require.NoError(t, err)
		require.Equal(t, run, got)
		require.Len(t, segments, 5)
		require.Equal(t, segment(0), segments[0])

		_, err = s.Runs.Update(ctx, id, func(r *part.Run) error {
			r.State, r.Owner = "done", "Rui "+id.String()
			delete(r.Notes, "a")
			r.Notes["c"] = "3"
			return nil
		})
		require.NoError(t, err)
		require.NoError(t, s.Runs.SetNotes(ctx, id, map[string]string{"z": "9"}))
		got, err = s.Runs.Get(ctx, id)
		require.NoError(t, err)
		require.Equal(t, &part.Run{ID: id, State: "done", Owner: "Rui " + id.String(), Notes: map[string]string{"z": "9"}}, got)
		require.Empty(t, collected(t, s.RunsByOwner.Of("Ana "+id.String()).All(ctx)))
		require.Len(t, collected(t, s.RunsByOwner.Of("Rui "+id.String()).All(ctx)), 1)

		require.NoError(t, s.Segment.Delete(ctx, id, 2))
		require.Len(t, collected(t, s.Segment.Of(id).All(ctx)), 4)
		require.NoError(t, s.Segment.Of(id).NumberFrom(3).Delete(ctx))
		require.Len(t, collected(t, s.Segment.Of(id).All(ctx)), 2)
		require.Len(t, collected(t, s.SegmentsByWord.Of(fmt.Sprint(id, 1)).All(ctx)), 1)

		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{DryRun: true, Slices: 4})
		require.NoError(t, err)
		require.True(t, report.Clean(), "%+v", report)

		require.NoError(t, s.Runs.Delete(ctx, id))
		_, err = s.Runs.Get(ctx, id)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.Empty(t, collected(t, s.Segment.Of(id).All(ctx)))
		for n := range 2 {
			require.Empty(t, collected(t, s.SegmentsByWord.Of(fmt.Sprint(id, n)).All(ctx)))
		}
		require.Empty(t, collected(t, s.RunsByOwner.Of("Rui "+id.String()).All(ctx)))
		sent.Drain()
	})
}

// Reads of static columns are of partitions, not of the rows of the part.
func TestScanOfRootsWithPartsInTheirTable(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, _ *storetest.Requests) {
		ctx := t.Context()
		config := mapper.ReconcileConfig{Slices: 4}
		old := s.With(mapper.Options{Timestamp: 1_600_000_000_000_000})
		var ids []gocql.UUID
		for range 9 {
			ids = append(ids, gocql.TimeUUID())
			id := ids[len(ids)-1]
			_, err := old.Runs.Import(ctx, &part.Run{ID: id, State: "new", Owner: id.String()})
			require.NoError(t, err)
			for n := range int32(5) {
				_, err := old.Segment.Import(ctx, &part.Segment{RunID: id, Number: n, Word: id.String()})
				require.NoError(t, err)
			}
		}
		before, err := s.Reconcile(ctx, config)
		require.NoError(t, err)
		require.True(t, before.Clean(), "%+v", before)
		for _, id := range ids {
			require.Len(t, collected(t, s.RunsByOwner.Of(id.String()).All(ctx)), 1)
			require.NoError(t, s.Runs.Delete(ctx, id))
		}
	})
}

// A deletion of a range refuses what CQL cannot express, and values that no row has.
func TestDeleteOfRangeRefuses(t *testing.T) {
	s, err := part.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	ctx := t.Context()
	require.ErrorContains(t, s.With(mapper.Options{Serial: true}).Rounds.Of("x", gocql.TimeUUID()).Delete(ctx), "Serial is for reads")
	var none part.Store
	require.ErrorContains(t, none.Rounds.Of("x", gocql.TimeUUID()).Delete(ctx), "not open")
	require.ErrorContains(t, none.Games.Delete(ctx, "x", gocql.TimeUUID()), "not open")
}

// A deletion of a root that ends between any two of its requests is finished by a repeated call.
func TestDeletionOfPartsIsFinishedByARepeatedCall(t *testing.T) {
	for crash := 1; ; crash++ {
		b := memory.New(memory.Config{})
		s, err := part.OpenBackend(t.Context(), b)
		require.NoError(t, err)
		ctx, id := t.Context(), gocql.TimeUUID()
		require.NoError(t, s.Games.Insert(ctx, &part.Game{Region: "north", ID: id, Name: "chess"}))
		require.NoError(t, s.Rounds.Put(ctx, &part.Round{Region: "north", GameID: id, Number: 1, Try: 1}))
		for seat := range int32(230) {
			require.NoError(t, s.Guests.Insert(ctx, &part.Guest{Region: "north", GameID: id, Seat: seat, Name: "Ana"}))
		}
		dead, stop := context.WithCancel(ctx)
		sent := 0
		b.Intercept(func(memory.Request) memory.Outcome {
			if sent++; sent == crash {
				stop()
				return memory.LostRequest
			}
			return memory.Done
		})
		err = s.Games.Delete(dead, "north", id)
		b.Intercept(nil)
		stop()
		if sent < crash {
			require.NoError(t, err)
			require.Equal(t, 3+3+2+1, crash, "every request was the last one once")
			return
		}
		require.Error(t, err)
		_, err = s.Games.Get(ctx, "north", id)
		require.NoError(t, err, "the root is deleted last")
		require.NoError(t, s.Games.Delete(ctx, "north", id))
		require.Empty(t, collected(t, s.Rounds.Of("north", id).All(ctx)))
		require.Empty(t, collected(t, s.Guests.Of("north", id).All(ctx)))
		require.Empty(t, collected(t, s.GuestsByName.Of("Ana").All(ctx)))
		require.Empty(t, collected(t, s.GamesByName.Of("chess").All(ctx)))
	}
}

// The copies of a root and of a part in one table are filled and repaired from their own rows, and a verified read finds its source.
func TestCopiesOfPartsAreFilledAndRepaired(t *testing.T) {
	session := storetest.SharedTables(t, storetest.SchemaFile(t, "../models/part"))
	ctx := t.Context()
	s, err := part.Open(ctx, session, hoursAgo(2))
	require.NoError(t, err)
	var ids []gocql.UUID
	for i := range 30 {
		id := gocql.TimeUUID()
		ids = append(ids, id)
		require.NoError(t, s.Runs.Insert(ctx, &part.Run{ID: id, State: "new", Owner: "Ana", Notes: map[string]string{"a": "1"}}))
		for n := range int32(i % 4) {
			require.NoError(t, s.Segment.Insert(ctx, &part.Segment{RunID: id, Number: n, Word: "to"}))
		}
	}
	require.NoError(t, s.Segment.Insert(ctx, &part.Segment{RunID: gocql.TimeUUID(), Number: 1, Word: "to"}), "without a root")
	fills := part.Backfills()
	check := func() {
		t.Helper()
		require.Len(t, collected(t, s.RunsByOwner.Of("Ana").All(ctx)), 30)
		require.Len(t, collected(t, s.SegmentsByWord.Of("to").All(ctx)), 7*6+2*0+1+1+0)
	}
	check()
	for _, table := range []string{"runs_by_owner", "segments_by_word"} {
		require.NoError(t, session.ExecStmt("TRUNCATE "+table))
		require.NoError(t, fills[table](ctx, gocqldriver.New(session), "", storetest.NoSave))
	}
	check()
	require.NoError(t, session.ExecStmt("TRUNCATE runs_by_owner"))
	require.NoError(t, session.ExecStmt("TRUNCATE segments_by_word"))
	now, err := part.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	config := mapper.ReconcileConfig{Job: "run of parts", Slices: 4, Tables: []string{"runs"}}
	report, err := now.Reconcile(ctx, config)
	require.NoError(t, err)
	require.EqualValues(t, 30+44+1, report.Total(), "one segment has no root")
	require.EqualValues(t, 1, report.Found["runs"][mapper.DriftMissingRoot])
	check()
	again, err := now.Reconcile(ctx, config)
	require.NoError(t, err)
	require.Equal(t, report.Total(), again.Total(), "the report of the finished run")
	_, found := reconcile(t, now, true)
	require.Equal(t, []string{"missing root runs left"}, found)

	verified := now.With(mapper.Options{Verified: true})
	row, err := verified.RunsByOwner.Get(ctx, "Ana", ids[3])
	require.NoError(t, err)
	require.Equal(t, "new", row.State)
	_, err = verified.SegmentsByWord.Get(ctx, "to", ids[3], 2)
	require.NoError(t, err)
	require.NoError(t, session.ExecStmt("DELETE FROM runs WHERE id = "+ids[3].String()))
	_, err = verified.RunsByOwner.Get(ctx, "Ana", ids[3])
	require.ErrorIs(t, err, mapper.ErrNotFound)
	_, err = verified.SegmentsByWord.Get(ctx, "to", ids[3], 2)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// Rows of parts whose root does not exist are reported, once for each root, and not changed. Rows that were written recently are
// left for a later run, because their root can follow.
func TestReconcileReportsPartsWithoutRoot(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, _ *storetest.Requests) {
		ctx := t.Context()
		old := s.With(mapper.Options{Timestamp: 1_600_000_000_000_000})
		written := func(_ bool, err error) {
			t.Helper()
			require.NoError(t, err)
		}
		parts := func(s *part.Store, id gocql.UUID) {
			t.Helper()
			for n := range int32(3) {
				written(s.Rounds.Import(ctx, &part.Round{Region: "north", GameID: id, Number: n, Winner: "Ana"}))
				written(s.Guests.Import(ctx, &part.Guest{Region: "north", GameID: id, Seat: n, Name: "Bia"}))
				written(s.Segment.Import(ctx, &part.Segment{RunID: id, Number: n, Word: "to"}))
			}
			written(s.Results.Import(ctx, &part.Result{Region: "north", GameID: id, Points: 7}))
		}
		whole, none, incomplete, recent := gocql.TimeUUID(), gocql.TimeUUID(), gocql.TimeUUID(), gocql.TimeUUID()
		written(old.Games.Import(ctx, &part.Game{Region: "north", ID: whole, Name: "chess"}))
		written(old.Runs.Import(ctx, &part.Run{ID: whole, State: "new", Owner: "Eva"}))
		written(old.Runs.Import(ctx, &part.Run{ID: gocql.TimeUUID(), State: "without segments", Owner: "Eva"}))
		parts(old, whole)
		parts(old, none)
		written(old.Segment.Import(ctx, &part.Segment{RunID: incomplete, Number: 1, Word: "to"}))
		require.NoError(t, s.Runs.SetNotes(ctx, incomplete, map[string]string{"a": "1"}))

		key := "region='north', game_id=" + none.String()
		want := []string{
			"guests " + key + " (Guest): missing root", "results " + key + " (Result): missing root",
			"rounds " + key + " (Round): missing root", "runs id=" + none.String() + " (Segment): missing root", "runs id=" + incomplete.String() + " (Run): unprojectable",
		}
		for _, c := range []mapper.ReconcileConfig{{DryRun: true, Slices: 3}, {Slices: 1, Tables: []string{"runs", "games"}}} {
			report, found := reconcileText(t, s, c)
			require.ElementsMatch(t, want, found)
			require.EqualValues(t, 1, report.Found["rounds"][mapper.DriftMissingRoot])
			require.Zero(t, report.Repaired)
			require.Zero(t, report.TooRecent)
		}
		require.Len(t, collected(t, s.Rounds.Of("north", none).All(ctx)), 3)
		require.Len(t, collected(t, s.GuestsByName.Of("Bia").All(ctx)), 6)
		require.Len(t, collected(t, s.Segment.Of(none).All(ctx)), 3)
		f := findings{}
		_, err := s.Games.Reconcile(ctx, "north", none, f.config(false))
		require.NoError(t, err)
		require.Equal(t, []string{"missing root guests left", "missing root results left", "missing root rounds left"}, f.text())

		require.NoError(t, s.Games.Delete(ctx, "north", none))
		require.NoError(t, s.Runs.Delete(ctx, none))
		require.NoError(t, s.Runs.Delete(ctx, incomplete))
		require.NoError(t, s.Rounds.Put(ctx, &part.Round{Region: "north", GameID: recent, Number: 1, Winner: "Ana"}))
		report, found := reconcileText(t, s, mapper.ReconcileConfig{Slices: 2})
		require.Empty(t, found)
		require.EqualValues(t, 1, report.TooRecent)
		written(old.Rounds.Import(ctx, &part.Round{Region: "north", GameID: recent, Number: 0, Winner: "Ana"}))
		_, found = reconcileText(t, s, mapper.ReconcileConfig{Slices: 2})
		require.Len(t, found, 1, "an older row of the same root")
	})
}

// reconcileText runs Reconcile, and returns the findings as text: "rounds id=1 (Round): missing root".
func reconcileText(t *testing.T, s reconciler, c mapper.ReconcileConfig) (*mapper.ReconcileReport, []string) {
	t.Helper()
	var found []string
	c.Found = func(d mapper.Drift) {
		found = append(found, fmt.Sprintf("%s %s (%s): %s", d.Table, d.Key, d.Aggregate, d.Kind))
	}
	report, err := s.Reconcile(t.Context(), c)
	require.NoError(t, err)
	return report, found
}
