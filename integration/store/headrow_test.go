package store

import (
	"fmt"
	"math/big"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/head"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

func box(number int32, code string) *auction.Box {
	return &auction.Box{Hall: "n", Number: number, Code: code}
}

// The head row of a partition is written with a new root, stays when the root is deleted, and is no row of the part for any read.
func TestHeadRowsAreNotRead(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		root := explained(t, "../models/auction", "shelves")
		match := func(name string, call func() error) {
			sent.Drain()
			require.NoError(t, call())
			for _, q := range sent.Drain() {
				require.True(t, explainedIn(operation(t, root, name).Requests, q), "%s sends what is not explained: %+v", name, q)
			}
		}
		match("Insert", func() error { return s.Shelves.Insert(ctx, &auction.Shelf{Hall: "n", Number: 1}) })
		match("InsertWith", func() error {
			return s.Shelves.InsertWith(ctx, &auction.Shelf{Hall: "n", Number: 2}, box(2, "a"), box(2, "b"), box(2, ""))
		})
		match("Put", func() error { return s.Shelves.Put(ctx, &auction.Shelf{Hall: "n", Number: 3}) })
		match("Upsert", func() error {
			_, err := s.Shelves.Upsert(ctx, "n", 4, func(_ *auction.Shelf, p *auction.ShelfParts, _ bool) error { p.Box.Insert(box(4, "c")); return nil })
			return err
		})
		match("Update", func() error {
			_, err := s.Shelves.Update(ctx, "n", 2, func(_ *auction.Shelf, p *auction.ShelfParts) error { p.Box.Of().CodeTo("a").Delete(); return nil })
			return err
		})
		match("Delete", func() error { return s.Shelves.Delete(ctx, "n", 4) })
		match("Insert", func() error { return s.Shelves.Insert(ctx, &auction.Shelf{Hall: "n", Number: 4}) })

		var all []*auction.Box
		for b, err := range s.Box.All(ctx, mapper.ScanConfig{}) {
			require.NoError(t, err)
			all = append(all, b)
		}
		require.Equal(t, []*auction.Box{box(2, "b")}, all)
		paged := storetest.Pages(t, func(token string) (mapper.Page[auction.Box], error) { return s.Box.AllPage(ctx, token) })
		require.Equal(t, all, slices.Concat(paged...))
		var keys []auction.BoxPartitionKey
		for number := range int32(5) {
			keys = append(keys, auction.BoxPartitionKey{Hall: "n", Number: number})
		}
		for _, each := range []auction.BoxQuery{s.Box.OfEach(keys), s.Box.OfEach(keys[2:3])} {
			for size := 1; size < 3; size++ {
				together := each.PageSize(size).Together()
				require.Equal(t, all, collected(t, together.All(ctx)))
				require.Equal(t, all, collected(t, each.CodeFrom("a").PageSize(size).Together().All(ctx)))
				n, err := together.Count(ctx)
				require.NoError(t, err)
				require.Equal(t, 1, n)
			}
		}
		for number, want := range map[int32][]*auction.Box{1: nil, 2: {box(2, "b")}, 3: nil, 4: nil} {
			require.Equal(t, want, collected(t, s.Box.Of("n", number).All(ctx)))
			require.Equal(t, want, collected(t, s.Box.Of("n", number).Reverse().Limit(1).All(ctx)))
			n, err := s.Box.Of("n", number).Count(ctx)
			require.NoError(t, err)
			require.Len(t, want, n)
			_, err = s.Box.Of("n", number).First(ctx)
			require.Equal(t, want == nil, err != nil)
			shelf, boxes, err := s.Shelves.GetWithBox(ctx, "n", number)
			require.NoError(t, err)
			require.Equal(t, number, shelf.Number)
			require.Len(t, boxes, len(want))
			_, page, err := s.Shelves.OfWithBox("n", number).CodeFrom("b").Page(ctx, "")
			require.NoError(t, err)
			require.Len(t, page.Items, len(want))
			_, err = s.Box.Get(ctx, "n", number, "")
			require.ErrorIs(t, err, mapper.ErrNotFound)
		}
		require.Equal(t, []*auction.Box{box(2, "b")}, collected(t, s.Box.OfEach([]auction.BoxPartitionKey{{Hall: "n", Number: 1}, {Hall: "n", Number: 2}, {Hall: "n", Number: 3}}).All(ctx)))
		many, err := s.Box.GetMany(ctx, []auction.BoxKey{{Hall: "n", Number: 2, Code: "b"}, {Hall: "n", Number: 2, Code: ""}})
		require.NoError(t, err)
		require.Equal(t, []*auction.Box{box(2, "b"), nil}, many)
		_, err = s.Shelves.Update(ctx, "n", 2, func(_ *auction.Shelf, p *auction.ShelfParts) error { p.Box.Insert(box(2, "b")); return nil })
		require.ErrorContains(t, err, "Box (shelves hall='n', number=2, code='b')")
	})
}

// An index of a discriminator finds the head rows whose value it is, which are no rows of the part for any read.
func TestHeadRowsThatAnIndexFinds(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*head.Store]{head.Schema, head.Open, head.OpenBackend}, func(t *testing.T, s *head.Store, _ *storetest.Requests) {
		ctx := t.Context()
		for id := range int32(4) {
			require.NoError(t, s.Walls.InsertWith(ctx, &head.Wall{ID: id}, &head.Brick{WallID: id, Row: 1, Place: 0}, &head.Brick{WallID: id, Place: 1}))
		}
		require.NoError(t, s.Walls.Delete(ctx, 3))
		for place, rows := range []int{3, 3, 0} {
			found := s.Brick.ByPlace(int32(place))
			n, err := found.Count(ctx)
			require.NoError(t, err)
			require.Equal(t, rows, n, "place %d", place)
			require.Len(t, collected(t, found.All(ctx)), rows)
			for limit := 1; limit < 5; limit++ {
				require.Len(t, collected(t, found.Limit(limit).All(ctx)), min(limit, rows))
				n, err := found.Limit(limit).Count(ctx)
				require.NoError(t, err)
				require.Equal(t, min(limit, rows), n)
				require.Len(t, slices.Concat(storetest.Pages(t, func(token string) (mapper.Page[head.Brick], error) {
					return found.PageSize(limit).Page(ctx, token)
				})...), rows)
			}
			first, err := found.First(ctx)
			if rows == 0 {
				require.ErrorIs(t, err, mapper.ErrNotFound)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, int32(place), first.Place)
		}
	})
}

// explainedIn reports whether a request is one of those that are explained.
func explainedIn(all []*explain.Request, q mapper.Request) bool {
	for _, r := range all {
		if is(q, r) {
			return true
		}
	}
	return false
}

// A node has a head row for each root, also for a deleted one until Reconcile removes it.
func TestHeadRowsOnANode(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, auction.Schema)
	s, err := auction.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	ctx := t.Context()
	rows := func() (n int) {
		require.NoError(t, session.Query("SELECT COUNT(*) FROM shelves WHERE hall = 'n' AND number = 1 AND aml_part = false", nil).Scan(&n))
		return n
	}
	require.NoError(t, s.Shelves.InsertWith(ctx, &auction.Shelf{Hall: "n", Number: 1}, box(1, "a")))
	require.Equal(t, 1, rows())
	_, err = s.Shelves.Update(ctx, "n", 1, func(_ *auction.Shelf, p *auction.ShelfParts) error { p.Box.Delete("a"); return nil })
	require.NoError(t, err)
	require.NoError(t, s.Shelves.Delete(ctx, "n", 1))
	require.Equal(t, 1, rows(), "an INSERT survives the deletion of the partition in its batch")
	require.Empty(t, collected(t, s.Box.Of("n", 1).All(ctx)))
	at := time.Now().Add(-11 * 24 * time.Hour).UnixMicro()
	require.NoError(t, session.ExecStmt("TRUNCATE shelves"))
	for _, text := range []string{
		"INSERT INTO shelves (hall, number, version, aml_attempts, aml_deleted) VALUES ('n', 1, %[1]d, [], true) USING TIMESTAMP %[1]d",
		"INSERT INTO shelves (hall, number, aml_part, code) VALUES ('n', 1, false, '') USING TIMESTAMP %[1]d",
	} {
		require.NoError(t, session.ExecStmt(fmt.Sprintf(text, at)))
	}
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4})
	require.NoError(t, err)
	require.Equal(t, int64(1), report.Purged)
	require.Equal(t, 0, rows())
}

// The head row has a value that a server accepts in a key column of every type.
func TestHeadRowsOfEveryType(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*head.Store]{head.Schema, head.Open, head.OpenBackend}, func(t *testing.T, s *head.Store, _ *storetest.Requests) {
		ctx := t.Context()
		slot := &head.Slot{
			BoardID: 1, Bool: true, Tiny: 1, Text: "a", Blob: []byte{1}, Timestamp: time.UnixMilli(5).UTC(), Date: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Clock: time.Hour,
			TimeUUID: gocql.UUIDFromTime(time.UnixMilli(5)), Addr: netip.MustParseAddr("10.0.0.1"), Varint: big.NewInt(7), Decimal: inf.NewDec(15, 1),
			List: []int32{1}, Set: []string{"a"}, Map: map[string]int32{"a": 1}, Point: head.Point{X: 1, Y: 2}, Note: "first",
		}
		other := *slot
		other.Bool, other.Note = false, "second"
		board := &head.Board{ID: 1, Name: "b"}
		require.NoError(t, s.Boards.InsertWith(ctx, board, slot, &other))
		require.Equal(t, []*head.Slot{slot, &other}, collected(t, s.Slot.Of(1).All(ctx)))
		got, page, err := s.Boards.OfWithSlot(1).Bool(false).Page(ctx, "")
		require.NoError(t, err)
		require.Equal(t, board, got)
		require.Equal(t, []*head.Slot{&other}, page.Items)
		require.NoError(t, s.Boards.Delete(ctx, 1))
		require.Empty(t, collected(t, s.Slot.Of(1).All(ctx)))
		require.NoError(t, s.Boards.InsertWith(ctx, board, slot))
		_, err = s.Boards.Update(ctx, 1, func(_ *head.Board, p *head.BoardParts) error { p.Slot.Of().BoolTo(true).Delete(); return nil })
		require.NoError(t, err)
		for range s.Slot.All(ctx, mapper.ScanConfig{}) {
			t.Error("a row was returned")
		}
		var broken *mapper.ConstraintError
		slot.ASCII = "é"
		require.ErrorAs(t, s.Boards.InsertWith(ctx, &head.Board{ID: 2}, slot), &broken)
		require.ErrorContains(t, broken, "ASCII")
	})
}
