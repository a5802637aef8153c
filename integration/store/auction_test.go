package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onAuctions runs a test on a store in memory and on one on a node.
func onAuctions(t *testing.T, test func(t *testing.T, s *auction.Store, sent *storetest.Requests)) {
	t.Parallel()
	onStores(t, generated[*auction.Store]{auction.Schema, auction.Open, auction.OpenBackend}, test)
}

func newAuction(id int32) *auction.Auction {
	return &auction.Auction{ID: id, Title: "Vase", Lot: string('a' + id), Seller: "Rui"}
}

func bid(id int32, cents int64, bidder string) *auction.Bid {
	return &auction.Bid{AuctionID: id, Cents: cents, Bidder: bidder, State: auction.Active, Placed: "today"}
}

type (
	anAuction = auction.Auction
	itsParts  = auction.AuctionParts
)

// If a save with many new parts is refused because one of them exists, this one is found within the time of the call.
func TestRefusedRowOfMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s, err := auction.OpenBackend(ctx, backend)
		require.NoError(t, err)
		require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(1), bid(1, 299, "Ana")))
		backend.Intercept(func(memory.Request) memory.Outcome {
			time.Sleep(mapper.DefaultTimeout / 200)
			return memory.Done
		})
		_, err = s.Auctions.Update(ctx, 1, func(_ *anAuction, p *itsParts) error {
			for cents := range int64(300) {
				p.Bid.Insert(bid(1, cents, "Ana"))
			}
			return nil
		})
		require.ErrorIs(t, err, mapper.ErrExists)
		require.ErrorContains(t, err, "cents=299")
	})
}

// The parts of a versioned root are written with it or not at all, and read separately.
func TestVersionedParts(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, _ *storetest.Requests) {
		ctx := t.Context()
		a := newAuction(1)
		full := bid(1, 5, "Ana")
		full.Note, full.Tags, full.Marks, full.Address = new("first"), []string{"x", "y"}, map[string]int32{"m": 1}, &auction.Address{City: "Recife"}
		require.NoError(t, s.Auctions.InsertWith(ctx, a, full, bid(1, 7, "Bia")))
		require.ErrorIs(t, s.Auctions.InsertWith(ctx, newAuction(1), bid(1, 9, "Eva")), mapper.ErrExists)
		require.Equal(t, []*auction.Bid{bid(1, 7, "Bia"), full}, collected(t, s.Bid.Of(1).All(ctx)))
		got, err := s.Auctions.Get(ctx, 1)
		require.NoError(t, err)
		require.Equal(t, a, got)
		one, err := s.Bid.Get(ctx, 1, 5, "Ana")
		require.NoError(t, err)
		require.Equal(t, full, one)
		note, err := s.BidNote.Get(ctx, 1, 5, "Ana")
		require.NoError(t, err)
		require.Equal(t, &auction.BidNote{Cents: 5, Note: new("first")}, note)

		updated, err := s.Auctions.Update(ctx, 1, func(a *anAuction, p *itsParts) error {
			before, err := p.Bid.Get(5, "Ana")
			if err != nil {
				return err
			}
			require.Equal(t, full, before)
			after := *before
			after.Note, after.State, after.Tags, after.Marks = nil, auction.Closed, []string{"z"}, nil
			p.Bid.Change(before, &after)
			p.Bid.Insert(bid(1, 11, "Eva"))
			p.Bid.Put(bid(1, 3, "Rui"))
			p.Bid.Delete(7, "Bia")
			_, err = p.Bid.Get(7, "Bia")
			require.ErrorIs(t, err, mapper.ErrNotFound, "the function sees its own writes")
			written, err := p.Bid.Get(11, "Eva")
			require.NoError(t, err)
			require.Equal(t, bid(1, 11, "Eva"), written)
			a.Highest, a.Count = 11, 3
			return nil
		})
		require.NoError(t, err)
		require.Greater(t, updated.Version, a.Version)
		changed := bid(1, 5, "Ana")
		changed.State, changed.Tags, changed.Address = auction.Closed, []string{"z"}, full.Address
		require.Equal(t, []*auction.Bid{bid(1, 11, "Eva"), changed, bid(1, 3, "Rui")}, collected(t, s.Bid.Of(1).All(ctx)))
		require.Equal(t, []*auction.Bid{changed}, collected(t, s.Bid.Of(1).CentsFrom(4).CentsBefore(11).All(ctx)))
		require.Equal(t, []*auction.Bid{bid(1, 3, "Rui")}, collected(t, s.Bid.Of(1).Reverse().Limit(1).All(ctx)))
		require.Equal(t, []*auction.Bid{changed}, collected(t, s.With(mapper.Options{Serial: true}).Bid.Of(1).Cents(5).All(ctx)))
		row, err := s.AuctionsBySeller.Get(ctx, "Rui", 1)
		require.NoError(t, err)
		require.Equal(t, int64(11), row.Highest)

		require.NoError(t, s.Auctions.Delete(ctx, 1))
		require.Empty(t, collected(t, s.Bid.Of(1).All(ctx)))
		_, err = s.Bid.Get(ctx, 1, 5, "Ana")
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.Auctions.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.Auctions.Update(ctx, 1, func(*anAuction, *itsParts) error { return nil })
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.NoError(t, s.Auctions.Delete(ctx, 1))
		again := newAuction(1)
		require.NoError(t, s.Auctions.InsertWith(ctx, again, bid(1, 8, "Bia")))
		require.Greater(t, again.Version, updated.Version)
		require.Equal(t, []*auction.Bid{bid(1, 8, "Bia")}, collected(t, s.Bid.Of(1).All(ctx)))
		require.NoError(t, s.Auctions.DeleteAt(ctx, 1, again.Version))
		require.NoError(t, s.Auctions.Put(ctx, newAuction(1)))
		require.Empty(t, collected(t, s.Bid.Of(1).All(ctx)))
	})
}

// A save fails as a whole if a part does not have the state that its write requires, or if its value is invalid.
func TestVersionedPartsAreRefused(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(2), bid(2, 5, "Ana")))
		before := collected(t, s.Bid.Of(2).All(ctx))
		refused := func(change func(p auction.BidParts)) error {
			_, err := s.Auctions.Update(ctx, 2, func(a *anAuction, p *itsParts) error {
				a.Count++
				p.Bid.Put(bid(2, 1, "Rui"))
				change(p.Bid)
				return nil
			})
			require.Equal(t, before, collected(t, s.Bid.Of(2).All(ctx)))
			return err
		}
		conditional := func() (n int) {
			for _, r := range sent.Drain() {
				if r.Conditional {
					n++
				}
			}
			return n
		}
		sent.Drain()
		err := refused(func(p auction.BidParts) { p.Insert(bid(2, 5, "Ana")) })
		require.ErrorIs(t, err, mapper.ErrExists)
		require.ErrorContains(t, err, "Bid (auctions id=2, cents=5, bidder='Ana')")
		require.Equal(t, 1, conditional())
		require.ErrorIs(t, refused(func(p auction.BidParts) {
			other := bid(2, 6, "Ana")
			other.Note = new("other")
			p.Change(bid(2, 6, "Ana"), other)
		}), mapper.ErrNotFound)
		require.ErrorIs(t, refused(func(p auction.BidParts) { p.Delete(6, "Ana") }), mapper.ErrNotFound)
		require.Equal(t, 2, conditional())

		var constraint *mapper.ConstraintError
		require.ErrorIs(t, refused(func(p auction.BidParts) {
			_, err := p.Get(5, "Ana")
			require.NoError(t, err)
			p.Insert(bid(2, 5, "Ana"))
		}), mapper.ErrExists)
		require.ErrorIs(t, refused(func(p auction.BidParts) {
			_, err := p.Get(6, "Ana")
			require.ErrorIs(t, err, mapper.ErrNotFound)
			p.Delete(6, "Ana")
		}), mapper.ErrNotFound)
		require.ErrorContains(t, refused(func(p auction.BidParts) { p.Put(bid(2, 1, "Rui")) }), "write each row of a part once")
		require.ErrorAs(t, refused(func(p auction.BidParts) { p.Put(bid(3, 2, "Rui")) }), &constraint)
		require.ErrorContains(t, constraint, "AuctionID is not the identifier of the Auction")
		require.ErrorAs(t, refused(func(p auction.BidParts) { p.Put(&auction.Bid{AuctionID: 2, State: "odd"}) }), &constraint)
		require.ErrorAs(t, refused(func(p auction.BidParts) {
			b := bid(2, 2, "Rui")
			b.Tags = []string{"a", "b", "c", "d"}
			p.Insert(b)
		}), &constraint)
		require.ErrorAs(t, refused(func(p auction.BidParts) {
			other := bid(2, 5, "Ana")
			other.Placed = "tomorrow"
			p.Change(bid(2, 5, "Ana"), other)
		}), &constraint, "final")
		require.ErrorIs(t, refused(func(p auction.BidParts) { p.Change(bid(2, 5, "Ana"), bid(2, 6, "Ana")) }), mapper.ErrKeyChanged)
		require.ErrorContains(t, refused(func(p auction.BidParts) { p.Insert(nil) }), "nil pointer")
		own := errors.New("own")
		_, err = s.Auctions.Update(ctx, 2, func(_ *anAuction, p *itsParts) error { p.Bid.Delete(5, "Ana"); return own })
		require.Equal(t, own, err)
		_, err = s.Auctions.Update(ctx, 2, nil)
		require.ErrorContains(t, err, "the function is nil")
		require.ErrorContains(t, s.Auctions.InsertWith(ctx, newAuction(4), bid(4, 1, "Ana"), bid(4, 1, "Ana")), "write each row of a part once")
		require.ErrorAs(t, s.Auctions.InsertWith(ctx, newAuction(4), bid(2, 9, "Ana")), &constraint)
		require.Zero(t, conditional(), "nothing is sent")
		require.Equal(t, before, collected(t, s.Bid.Of(2).All(ctx)))
	})
}

// A function that reads a part after another save of the root is called again, and a row that another client has written in
// between is an ErrExists only for the state that the function is called with.
func TestVersionedPartsStartOver(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, _ *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(5), bid(5, 5, "Ana")))
		other := func(change func(*itsParts)) {
			_, err := s.Auctions.Update(ctx, 5, func(a *anAuction, p *itsParts) error { a.Count++; change(p); return nil })
			require.NoError(t, err)
		}
		calls := 0
		saved, err := s.Auctions.Update(ctx, 5, func(a *anAuction, p *itsParts) error {
			if calls++; calls == 1 {
				other(func(p *itsParts) { p.Bid.Put(bid(5, 6, "Bia")) })
			}
			_, err := p.Bid.Get(5, "Ana")
			a.Count += 10
			return err
		})
		require.NoError(t, err)
		require.Equal(t, 2, calls)
		require.Equal(t, int32(11), saved.Count)

		calls = 0
		_, err = s.Auctions.Update(ctx, 5, func(a *anAuction, p *itsParts) error {
			count := a.Count
			if calls++; calls == 1 {
				other(func(p *itsParts) { b := bid(5, 5, "Ana"); b.Note = new("later"); p.Bid.Put(b) })
			}
			if b, err := p.Bid.Get(5, "Ana"); err == nil && b.Note != nil && count == saved.Count {
				return errors.New("the bid is newer than the auction")
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, 2, calls)

		calls = 0
		_, err = s.Auctions.Update(ctx, 5, func(_ *anAuction, p *itsParts) error {
			if calls++; calls == 1 {
				other(func(p *itsParts) { p.Bid.Insert(bid(5, 8, "Eva")) })
				p.Bid.Insert(bid(5, 8, "Eva"))
				return nil
			}
			_, err := p.Bid.Get(8, "Eva")
			return err
		})
		require.NoError(t, err, "the version is judged before the part")
		require.Equal(t, 2, calls)

		calls = 0
		_, err = s.Auctions.Update(ctx, 5, func(_ *anAuction, p *itsParts) error {
			calls++
			_, err := p.Bid.Get(9, "Eva")
			if calls == 1 {
				other(func(p *itsParts) { p.Bid.Insert(bid(5, 9, "Eva")) })
			}
			return err
		})
		require.NoError(t, err, "a row that was not found does not show the version, so an error is confirmed")
		require.Equal(t, 2, calls)
		require.Len(t, collected(t, s.Bid.Of(5).All(ctx)), 4)
	})
}

// An Update with parts sends one read, one more for each part that it reads, and one conditional batch.
func TestRequestsOfVersionedParts(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Shelves.InsertWith(ctx, &auction.Shelf{Hall: "n", Number: 1}, &auction.Box{Hall: "n", Number: 1, Code: "a"}))
		all, n := statements(sent)
		require.Equal(t, []string{
			"INSERT INTO shelves (hall, number, boxes, version, aml_attempts, aml_deleted) VALUES (?, ?, ?, ?, ?, ?) IF NOT EXISTS",
			"INSERT INTO shelves (hall, number, aml_part, code) VALUES (?, ?, ?, ?)",
			"INSERT INTO shelves (hall, number, aml_part, code) VALUES (?, ?, ?, ?)", // the head row
		}, all)
		require.Equal(t, 1, n)
		_, err := s.Shelves.Update(ctx, "n", 1, func(v *auction.Shelf, p *auction.ShelfParts) error {
			box, err := p.Box.Get("a")
			require.NoError(t, err)
			_, err = p.Box.Get("b")
			require.ErrorIs(t, err, mapper.ErrNotFound)
			_, err = p.Box.Get("a")
			require.NoError(t, err)
			p.Box.Insert(&auction.Box{Hall: "n", Number: 1, Code: "b"})
			p.Box.Put(&auction.Box{Hall: "n", Number: 1, Code: "c"})
			p.Box.Delete("d")
			same := *box
			p.Box.Change(box, &same)
			v.Boxes++
			return nil
		})
		require.ErrorIs(t, err, mapper.ErrNotFound)
		sent.Drain()
		_, err = s.Shelves.Update(ctx, "n", 1, func(v *auction.Shelf, p *auction.ShelfParts) error {
			_, err := p.Box.Get("a")
			p.Box.Insert(&auction.Box{Hall: "n", Number: 1, Code: "b"})
			p.Box.Delete("a")
			v.Boxes++
			return err
		})
		require.NoError(t, err)
		all, n = statements(sent)
		require.Equal(t, []string{
			"SELECT hall, number, boxes, version, aml_attempts, aml_deleted FROM shelves WHERE hall = ? AND number = ? PER PARTITION LIMIT 1",
			"SELECT hall, number, aml_part, code, version, aml_deleted FROM shelves WHERE hall = ? AND number = ? AND aml_part = ? AND code = ?",
			"UPDATE shelves SET boxes = ?, version = ?, aml_attempts = ?, aml_deleted = ? WHERE hall = ? AND number = ? IF version = ?",
			"INSERT INTO shelves (hall, number, aml_part, code) VALUES (?, ?, ?, ?) IF NOT EXISTS",
			"DELETE FROM shelves WHERE hall = ? AND number = ? AND aml_part = ? AND code = ? IF EXISTS",
		}, all)
		require.Equal(t, 3, n)
		require.NoError(t, s.Shelves.Delete(ctx, "n", 1))
		all, n = statements(sent)
		require.Equal(t, []string{
			"SELECT hall, number, boxes, version, aml_attempts, aml_deleted FROM shelves WHERE hall = ? AND number = ? PER PARTITION LIMIT 1",
			"UPDATE shelves SET boxes = ?, version = ?, aml_attempts = ?, aml_deleted = ? WHERE hall = ? AND number = ? IF version = ?",
			"DELETE FROM shelves WHERE hall = ? AND number = ?",
			"INSERT INTO shelves (hall, number, aml_part, code) VALUES (?, ?, ?, ?)",
		}, all)
		require.Equal(t, 2, n)
	})
}

// Reconcile repairs the copies of a root with parts, and removes what is left of a deleted one, not the parts of others. What the server has
// written lately stays, although the clock of the client was days behind.
func TestReconcileOfVersionedParts(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, auction.Schema)
	backends := map[string]func(mapper.Config) (*auction.Store, error){
		"node": func(c mapper.Config) (*auction.Store, error) { return auction.Open(t.Context(), session, c) },
	}
	now := time.Now()
	local := memory.New(memory.Config{Now: func() time.Time { return now }})
	age := map[string]func(*testing.T){ // lets gc_grace_seconds pass since a deletion
		"node": func(t *testing.T) {
			at := time.Now().Add(-11 * 24 * time.Hour).UnixMicro()
			for _, s := range []string{
				"INSERT INTO auctions (id, version, aml_attempts, aml_deleted) VALUES (8, %[1]d, [], true) USING TIMESTAMP %[1]d",
				"INSERT INTO auctions__sync (id, aml_ver) VALUES (8, %[1]d) USING TIMESTAMP %[1]d",
				"INSERT INTO auctions__lot_unique (lot, aml_at, aml_floor) VALUES ('z', %[1]d, %[1]d) USING TIMESTAMP %[1]d",
			} {
				require.NoError(t, session.ExecStmt(fmt.Sprintf(s, at)))
			}
		},
		"memory": func(*testing.T) { now = now.Add(11 * 24 * time.Hour) },
	}
	backends["memory"] = func(c mapper.Config) (*auction.Store, error) { return auction.OpenBackend(t.Context(), local, c) }
	for name, open := range backends {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			old, err := open(hoursAgo(11 * 24))
			require.NoError(t, err)
			for id := range int32(3) {
				require.NoError(t, old.Auctions.InsertWith(ctx, newAuction(id), bid(id, 5, "Ana"), bid(id, 6, "Bia")))
			}
			require.NoError(t, old.Auctions.Delete(ctx, 1))
			sent := &storetest.Requests{}
			s, err := open(mapper.Config{Tracer: sent})
			require.NoError(t, err)
			report, found := reconcile(t, s, false)
			require.Empty(t, found)
			require.Zero(t, report.Purged)
			require.NoError(t, old.Auctions.Insert(ctx, newAuction(1)))
			require.NoError(t, old.Auctions.Delete(ctx, 1))
			age[name](t)
			report, found = reconcile(t, s, false)
			require.Empty(t, found)
			require.Equal(t, int64(2), report.Purged, "the auction and the reservation of its lot")
			requireReconciled(t, s, sent)
			for id, bids := range []int{2, 0, 2} {
				require.Len(t, collected(t, s.Bid.Of(int32(id)).All(ctx)), bids)
			}
			require.NoError(t, s.Auctions.Insert(ctx, newAuction(1)))
		})
	}
	var rows int
	require.NoError(t, session.Query("SELECT COUNT(*) FROM auctions WHERE id = 1 AND cents > 0", nil).Scan(&rows))
	require.Zero(t, rows)
	plant(t, session, "DELETE FROM auctions_by_seller $T WHERE seller = 'Rui' AND id = 0", "UPDATE auctions_by_seller $T SET highest = 9 WHERE seller = 'Rui' AND id = 2")
	sent := &storetest.Requests{}
	s, err := auction.Open(t.Context(), session, mapper.Config{Tracer: sent})
	require.NoError(t, err)
	_, found := reconcile(t, s, false)
	require.Equal(t, []string{"missing auctions_by_seller", "stale auctions_by_seller highest"}, found)
	requireReconciled(t, s, sent)
}

// The store of a root with parts sends what aml explain prints, and each statement that it prints for the batches is sent.
func TestExplainVersionedParts(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx, root, seen := t.Context(), explained(t, "../models/auction", "auctions"), map[string]bool{}
		match := func(name string, call func() error) {
			sent.Drain()
			require.NoError(t, call())
			all := slices.Clone(operation(t, root, name).Requests)
			for _, u := range root.Uniques {
				all = slices.Concat(all, u.Claim, u.Release)
			}
			for _, q := range sent.Drain() {
				i := slices.IndexFunc(all, func(r *explain.Request) bool { return is(q, r) })
				require.GreaterOrEqual(t, i, 0, "%s sends what is not explained: %+v", name, q)
				require.Equal(t, len(q.Statements) > 1, q.Batch == mapper.LoggedBatch)
				for _, x := range q.Statements {
					seen[name+": "+x.CQL] = true
				}
			}
		}
		insert := func() error {
			return s.Auctions.InsertWith(ctx, newAuction(7), bid(7, 5, "Ana"), bid(7, 6, "Ana"), bid(7, 7, "Ana"))
		}
		match("InsertWith", insert)
		match("Update", func() error {
			_, err := s.Auctions.Update(ctx, 7, func(_ *anAuction, p *itsParts) error {
				old, err := p.Bid.Get(5, "Ana")
				if err != nil {
					return err
				}
				changed := *old
				changed.Note = new("changed")
				p.Bid.Change(old, &changed)
				other := bid(7, 6, "Ana")
				other.Note = new("changed")
				p.Bid.Change(bid(7, 6, "Ana"), other)
				p.Bid.Delete(7, "Ana")
				p.Bid.Insert(bid(7, 8, "Ana"))
				p.Bid.Put(bid(7, 9, "Ana"))
				p.Bid.Of().CentsTo(4).Delete()
				return nil
			})
			return err
		})
		match("Delete", func() error { return s.Auctions.Delete(ctx, 7) })
		match("InsertWith", insert)
		a, err := s.Auctions.Get(ctx, 7)
		require.NoError(t, err)
		match("DeleteAt", func() error { return s.Auctions.DeleteAt(ctx, 7, a.Version) })
		for _, name := range []string{"InsertWith", "Update", "Delete", "DeleteAt"} {
			for _, r := range operation(t, root, name).Requests {
				for text := range texts(r) {
					require.True(t, seen[name+": "+text] || !r.Conditional && !r.Serial, "%s: %s", name, text)
				}
			}
		}
	})
}

// A batch that is lost, or whose answer is lost, is repeated until its outcome is known. The rows that it has written itself
// cause no ErrExists.
func TestLostAnswersOfVersionedParts(t *testing.T) {
	t.Parallel()
	for _, outcome := range []memory.Outcome{memory.LostAnswer, memory.LostRequest} {
		backend, lost := memory.New(memory.Config{}), 0
		s, err := auction.OpenBackend(t.Context(), backend)
		require.NoError(t, err)
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Conditional && r.Tables[0] == "auctions" {
				if lost++; lost%2 == 1 {
					return outcome
				}
			}
			return memory.Done
		})
		require.NoError(t, s.Auctions.InsertWith(t.Context(), newAuction(1), bid(1, 5, "Ana"), bid(1, 2, "Ana")))
		calls := 0
		_, err = s.Auctions.Update(t.Context(), 1, func(_ *anAuction, p *itsParts) error {
			calls++
			p.Bid.Insert(bid(1, 6, "Ana"))
			p.Bid.Delete(5, "Ana")
			p.Bid.Of().CentsBefore(3).Delete()
			return nil
		})
		require.NoError(t, err, outcome)
		require.Equal(t, 1, calls)
		require.Equal(t, []*auction.Bid{bid(1, 6, "Ana")}, collected(t, s.Bid.Of(1).All(t.Context())))
		require.NoError(t, s.Auctions.Delete(t.Context(), 1))
		require.Equal(t, 6, lost)
	}
}

// The function that assigns versions gives a version to roots with parts that programs without versions have written. It keeps
// rows without a root.
func TestVersionsOfRootsWithParts(t *testing.T) {
	t.Parallel()
	ctx, session := t.Context(), storetest.SharedTables(t, auction.Schema)
	for _, cql := range []string{
		"INSERT INTO shelves (hall, number, boxes, aml_part, code) VALUES ('n', 1, 2, true, 'a')", "INSERT INTO shelves (hall, number, aml_part, code) VALUES ('n', 1, true, 'b')",
		"INSERT INTO shelves (hall, number, aml_part, code) VALUES ('n', 2, true, 'c')",
	} {
		require.NoError(t, session.ExecStmt(cql))
	}
	require.NoError(t, auction.Backfills()["shelves__version"](ctx, gocqldriver.New(session), "", storetest.NoSave))
	for number, want := range map[int]int{1: 1, 2: 0} {
		var heads int
		require.NoError(t, session.Query("SELECT COUNT(*) FROM shelves WHERE hall = 'n' AND number = ? AND aml_part = false", nil).Bind(number).Scan(&heads))
		require.Equal(t, want, heads, "the function also writes the head row of a root, number %d", number)
	}
	s, err := auction.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	v, err := s.Shelves.Update(ctx, "n", 1, func(v *auction.Shelf, p *auction.ShelfParts) error {
		require.Positive(t, v.Version)
		_, err := p.Box.Get("a")
		p.Box.Delete("b")
		v.Boxes--
		return err
	})
	require.NoError(t, err)
	require.Equal(t, int32(1), v.Boxes)
	require.Equal(t, []*auction.Box{{Hall: "n", Number: 1, Code: "a"}}, collected(t, s.Box.Of("n", 1).All(ctx)))
	_, err = s.Shelves.Get(ctx, "n", 2)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.NoError(t, s.Shelves.Delete(ctx, "n", 1))
	require.Empty(t, collected(t, s.Box.Of("n", 1).All(ctx)))
}

// A save with more parts than one request can carry is refused before anything is sent.
func TestSaveWithPartsIsTooLarge(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	s, err := auction.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	note := strings.Repeat("x", 1<<20)
	var bids []*auction.Bid
	for i := range int64(16) {
		b := bid(1, i, "Ana")
		b.Note = &note
		bids = append(bids, b)
	}
	var large *mapper.BatchTooLargeError
	require.ErrorAs(t, s.Auctions.InsertWith(t.Context(), newAuction(1), bids...), &large)
	require.Equal(t, 16<<20, large.Limit)
	require.Greater(t, large.Bytes, large.Limit)
	require.Equal(t, "auctions id=1", large.Table+" "+large.Key)
	require.NoError(t, s.Auctions.InsertWith(t.Context(), newAuction(1), bids[:15]...))
	sent.Drain()
	_, err = s.Auctions.Update(t.Context(), 1, func(_ *anAuction, p *itsParts) error {
		for _, b := range bids {
			p.Bid.Put(b)
		}
		return nil
	})
	require.ErrorAs(t, err, &large)
	for _, r := range sent.Drain() {
		require.False(t, r.Conditional)
	}
}
