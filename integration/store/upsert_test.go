package store

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// Upsert inserts a row that does not exist with its parts, and changes one that exists.
func TestUpsert(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, sent *storetest.Requests) {
		ctx := t.Context()
		var seen []bool
		next := func(a *anAuction, p *itsParts, exists bool) error {
			if seen = append(seen, exists); !exists {
				require.Equal(t, &auction.Auction{ID: 1}, a, "the value has only its key")
				a.Title, a.Seller, a.Lot = "Vase", "Rui", "l1"
			}
			a.Count++
			_, err := p.Bid.Get(int64(a.Count), "Ana")
			require.ErrorIs(t, err, mapper.ErrNotFound)
			p.Bid.Insert(bid(1, int64(a.Count), "Ana"))
			p.Bid.Put(bid(1, int64(a.Count), "Bia"))
			return nil
		}
		for n := range int32(2) {
			a, err := s.Auctions.Upsert(ctx, 1, next)
			require.NoError(t, err)
			require.Equal(t, n+1, a.Count)
			got, bids, err := s.Auctions.GetWithBid(ctx, 1)
			require.NoError(t, err)
			require.Equal(t, a, got)
			require.Len(t, bids, 2*int(n+1))
		}
		require.NoError(t, s.Auctions.Delete(ctx, 1))
		_, err := s.Auctions.Upsert(ctx, 1, next)
		require.NoError(t, err)
		require.Equal(t, []bool{false, true, false}, seen)
		_, bids, err := s.Auctions.GetWithBid(ctx, 1)
		require.NoError(t, err)
		require.Len(t, bids, 2, "the bids of the deleted auction are gone")

		sent.Drain()
		failed := errors.New("no")
		for want, f := range map[error]func(*anAuction, *itsParts, bool) error{
			failed:               func(*anAuction, *itsParts, bool) error { return failed },
			mapper.ErrKeyChanged: func(a *anAuction, _ *itsParts, _ bool) error { a.ID, a.Title, a.Seller = 8, "Vase", "Rui"; return nil },
			mapper.ErrNotFound: func(a *anAuction, p *itsParts, exists bool) error {
				a.Title, a.Seller = "Vase", "Rui"
				p.Bid.Delete(99, "Ana")
				return nil
			},
		} {
			_, err = s.Auctions.Upsert(ctx, 2, f)
			require.ErrorIs(t, err, want)
		}
		_, err = s.Auctions.Upsert(ctx, 2, func(*anAuction, *itsParts, bool) error { return nil })
		_, constraint := errors.AsType[*mapper.ConstraintError](err)
		require.True(t, constraint, "a title is required: %v", err)
		_, err = s.Auctions.Upsert(ctx, 2, func(a *anAuction, _ *itsParts, _ bool) error {
			a.Title, a.Seller, a.Lot = "Vase", "Rui", "l1"
			return nil
		})
		_, duplicate := errors.AsType[*mapper.DuplicateError](err)
		require.True(t, duplicate, "%v", err)
		_, err = s.Auctions.Upsert(ctx, 2, nil)
		require.ErrorContains(t, err, "mapper: Upsert Auction (auctions): the function is nil")
		_, err = s.Auctions.Get(ctx, 2)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.Auctions.Get(ctx, 1)
		require.NoError(t, err)
	})
}

// A client that inserts the row while the function runs makes Upsert call the function again, with the row.
func TestUpsertBesideAnInsert(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, _ *storetest.Requests) {
		ctx := t.Context()
		var seen []bool
		a, err := s.Auctions.Upsert(ctx, 1, func(a *anAuction, p *itsParts, exists bool) error {
			if seen = append(seen, exists); len(seen) == 1 {
				require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(1), bid(1, 1, "Ana")))
			}
			a.Title, a.Seller = a.Title+"+", "Rui"
			if _, err := p.Bid.Get(1, "Ana"); err != nil && exists {
				return err
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, []bool{false, true}, seen)
		require.Equal(t, "Vase+", a.Title)

		// An error that the function returns because it has not found a bid is returned only if there is no auction.
		seen = nil
		_, err = s.Auctions.Upsert(ctx, 2, func(a *anAuction, p *itsParts, exists bool) error {
			if seen = append(seen, exists); len(seen) == 1 {
				require.NoError(t, s.Auctions.InsertWith(ctx, newAuction(2), bid(2, 1, "Ana")))
			}
			_, err := p.Bid.Get(1, "Ana")
			return err
		})
		require.NoError(t, err)
		require.Equal(t, []bool{false, true}, seen)
	})
}

// Rows of a part that have no root, because a program without this store wrote them, do not keep Upsert from inserting their root.
func TestUpsertOverRowsWithoutARoot(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, auction.Schema)
	s, err := auction.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, session.ExecStmt("INSERT INTO auctions (id, cents, bidder, state) VALUES (31, 1, 'Ana', 'closed') USING TIMESTAMP 1000"))
	_, err = s.Auctions.Upsert(t.Context(), 31, func(a *anAuction, p *itsParts, _ bool) error {
		a.Title, a.Seller = "Vase", "Rui"
		p.Bid.Insert(bid(31, 1, "Ana"))
		return nil
	})
	require.NoError(t, err)
	_, bids, err := s.Auctions.GetWithBid(t.Context(), 31)
	require.NoError(t, err)
	require.Equal(t, []*auction.Bid{bid(31, 1, "Ana")}, bids)
}

// A final field can be set while the row is inserted, and not afterwards.
func TestUpsertOfAFinalField(t *testing.T) {
	ctx := t.Context()
	s, err := computed.OpenBackend(ctx, memory.New(memory.Config{}))
	require.NoError(t, err)
	var seen []bool
	set := func(email string) func(*computed.Oath, bool) error {
		return func(o *computed.Oath, exists bool) error {
			seen = append(seen, exists)
			o.Email, o.Status = email, computed.Waiting
			return nil
		}
	}
	o, err := s.Oaths.Upsert(ctx, 1, set("a"))
	require.NoError(t, err)
	require.Positive(t, o.Version)
	again, err := s.Oaths.Upsert(ctx, 1, set("a"))
	require.NoError(t, err)
	require.Greater(t, again.Version, o.Version)
	require.Equal(t, []bool{false, true}, seen)
	_, err = s.Oaths.Upsert(ctx, 1, set("b"))
	_, constraint := errors.AsType[*mapper.ConstraintError](err)
	require.True(t, constraint, "%v", err)
}

// Upsert returns mapper.ErrConflict if its time ends while other clients save the row, and an unknown outcome is not repeatable: the function
// can have been applied.
func TestUpsertThatEnds(t *testing.T) {
	backend := memory.New(memory.Config{})
	s, err := auction.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	require.NoError(t, s.Auctions.InsertWith(t.Context(), newAuction(1), bid(1, 1, "Ana")))
	ctx, cancel := context.WithCancel(t.Context())
	_, err = s.Auctions.Upsert(ctx, 1, func(_ *anAuction, p *itsParts, _ bool) error {
		_, err := s.Auctions.Update(t.Context(), 1, func(a *anAuction, _ *itsParts) error { a.Count++; return nil })
		require.NoError(t, err)
		_, err = p.Bid.Get(1, "Ana")
		require.ErrorContains(t, err, "another client has saved the row")
		cancel()
		return err
	})
	require.ErrorIs(t, err, mapper.ErrConflict)
	require.ErrorContains(t, err, "mapper: Upsert Auction (auctions id=1)")

	ctx, cancel = context.WithCancel(t.Context())
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if !r.Conditional || r.Tables[0] != "auctions" {
			return memory.Done
		}
		cancel()
		return memory.LostAnswer
	})
	_, err = s.Auctions.Upsert(ctx, 2, func(a *anAuction, _ *itsParts, _ bool) error {
		*a = *newAuction(2)
		return nil
	})
	require.True(t, mapper.OutcomeUnknown(err), "%v", err)
	require.False(t, mapper.SafeToRepeat(err))
	backend.Intercept(nil)
	_, err = s.Auctions.Get(t.Context(), 2)
	require.NoError(t, err)
}
