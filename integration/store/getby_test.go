package store

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// inTracedHotel runs a test in memory and on a node, with a tracer that can interrupt calls.
func inTracedHotel(t *testing.T, test func(*testing.T, *hotel.Store, *interrupted)) {
	t.Parallel()
	run := func(name string, open func(*testing.T, mapper.Config) (*hotel.Store, error)) {
		t.Run(name, func(t *testing.T) {
			sent := &interrupted{}
			s, err := open(t, mapper.Config{Tracer: sent})
			require.NoError(t, err)
			test(t, s, sent)
		})
	}
	run("memory", func(t *testing.T, c mapper.Config) (*hotel.Store, error) {
		return hotel.OpenBackend(t.Context(), memory.New(memory.Config{}), c)
	})
	run("node", func(t *testing.T, c mapper.Config) (*hotel.Store, error) {
		return hotel.Open(t.Context(), storetest.IndexedTables(t, hotel.Schema), c)
	})
}

// reads are the methods that read a guest by each of the unique values of traveller.
var reads = map[string]func(context.Context, hotel.GuestsTable) (*hotel.Guest, error){
	"GetByEmail": func(ctx context.Context, g hotel.GuestsTable) (*hotel.Guest, error) {
		return g.GetByEmail(ctx, "ana@example.com")
	},
	"GetByPhone": func(ctx context.Context, g hotel.GuestsTable) (*hotel.Guest, error) {
		return g.GetByPhone(ctx, "5551234")
	},
	"GetByPassport": func(ctx context.Context, g hotel.GuestsTable) (*hotel.Guest, error) {
		return g.GetByPassport(ctx, "BR", "AB1")
	},
	"GetByCardsNumber": func(ctx context.Context, g hotel.GuestsTable) (*hotel.Guest, error) {
		return g.GetByCardsNumber(ctx, "c2")
	},
}

// traveller returns a guest with a value of each unique field and group.
func traveller(id int32) *hotel.Guest {
	g := guest(id, "Ana")
	g.Email, g.Phone, g.Country, g.Passport = new("ana@example.com"), "5551234", new("BR"), new("AB1")
	g.Cards = []hotel.Card{{Number: "c1", Points: 1}, {Number: "c2", Points: 2}}
	return g
}

// Each unique field and group finds the guest that has the value, from the save that sets it until the save that drops it.
func TestGetByUniqueValues(t *testing.T) {
	inTracedHotel(t, func(t *testing.T, s *hotel.Store, _ *interrupted) {
		ctx, serial := t.Context(), s.With(mapper.Options{Serial: true}).Guests
		found := func(want *hotel.Guest) {
			t.Helper()
			for name, read := range reads {
				for _, guests := range []hotel.GuestsTable{s.Guests, serial} {
					got, err := read(ctx, guests)
					if want == nil {
						require.ErrorIs(t, err, mapper.ErrNotFound, name)
						continue
					}
					require.NoError(t, err, name)
					require.Equal(t, want, got, name)
				}
			}
		}
		found(nil)
		ana := traveller(1)
		require.NoError(t, s.Guests.Insert(ctx, ana))
		found(ana)
		renamed, err := s.Guests.Update(ctx, 1, func(g *hotel.Guest) error { g.Name = "Ana Maria"; return nil })
		require.NoError(t, err)
		found(renamed)
		for _, email := range []string{"ANA@example.com", "ana@example.com ", "c2"} {
			_, err := s.Guests.GetByEmail(ctx, email)
			require.ErrorIs(t, err, mapper.ErrNotFound, "texts are compared by their bytes")
		}
		_, err = s.Guests.GetByPassport(ctx, "PT", "AB1")
		require.ErrorIs(t, err, mapper.ErrNotFound, "all values of the group are compared")

		_, err = s.Guests.Update(ctx, 1, func(g *hotel.Guest) error {
			g.Email, g.Phone, g.Passport, g.Cards = new("eva@example.com"), "", new("AB2"), g.Cards[:1]
			return nil
		})
		require.NoError(t, err)
		found(nil)
		moved, err := s.Guests.GetByEmail(ctx, "eva@example.com")
		require.NoError(t, err)
		require.Equal(t, int32(1), moved.ID)

		bia := traveller(2)
		require.ErrorAs(t, s.Guests.Insert(ctx, bia), new(*mapper.DuplicateError), "the first guest has kept a card")
		bia.Cards = bia.Cards[1:]
		require.NoError(t, s.Guests.Insert(ctx, bia))
		found(bia)
		require.NoError(t, s.Guests.Delete(ctx, 2))
		found(nil)
	})
}

// A value that a save has claimed, but not saved, is not found. The client of this save has ended.
func TestGetByOfAClaimWithoutASave(t *testing.T) {
	inTracedHotel(t, func(t *testing.T, s *hotel.Store, sent *interrupted) {
		saves := func(q mapper.Request) bool { return q.Conditional && q.Statements[0].Table == "guests" }
		sent.kill(t, saves, func(ctx context.Context) { require.Error(t, s.Guests.Insert(ctx, traveller(1))) })
		for name, read := range reads {
			_, err := read(t.Context(), s.With(mapper.Options{Serial: true}).Guests)
			require.ErrorIs(t, err, mapper.ErrNotFound, name)
			q := sent.Drain()
			require.Len(t, q, 2, "the reservation has an owner, whose row is read")
			for _, q := range q {
				require.Equal(t, name, q.Op)
				require.NotZero(t, q.SerialConsistency)
			}
		}
	})
}

// A value that is null, empty or too long, which no save claims, is a *mapper.ConstraintError. Nothing is sent. No error contains a secret value.
func TestGetByOfValuesThatNobodyHas(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	s, err := hotel.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
	require.NoError(t, err)
	ctx, guests := t.Context(), s.Guests
	for want, read := range map[string]func() (*hotel.Guest, error){
		"mapper: GetByEmail Guest (guests): Email is empty, and no row has a unique value that is empty": func() (*hotel.Guest, error) {
			return guests.GetByEmail(ctx, "")
		},
		"mapper: GetByPassport Guest (guests): Passport is empty, and no row has a unique value that is empty": func() (*hotel.Guest, error) {
			return guests.GetByPassport(ctx, "BR", "")
		},
		"mapper: GetByCardsNumber Guest (guests): Cards.Number is empty, and no row has a unique value that is empty": func() (*hotel.Guest, error) {
			return guests.GetByCardsNumber(ctx, "")
		},
		"mapper: GetByPhone Guest (guests): Phone makes the partition key of guests__phone_unique 65536 bytes long, the limit is 65535": func() (*hotel.Guest, error) {
			return guests.GetByPhone(ctx, strings.Repeat("5", 65536))
		},
		"mapper: GetByPassport Guest (guests): Country, Passport makes the partition key of guests__passport_unique 65538 bytes long, the limit is 65535": func() (*hotel.Guest, error) {
			return guests.GetByPassport(ctx, "BR", strings.Repeat("P", 65530))
		},
	} {
		_, err := read()
		require.ErrorAs(t, err, new(*mapper.ConstraintError))
		require.EqualError(t, err, want)
	}
	_, err = guests.GetByPhone(ctx, "555\xff")
	require.ErrorAs(t, err, new(*mapper.ConstraintError))
	require.NotContains(t, err.Error(), "555")
	require.Contains(t, err.Error(), "Phone")
	require.Empty(t, sent.Drain())

	_, err = guests.GetByPhone(ctx, "5551234")
	require.EqualError(t, err, "mapper: GetByPhone Guest (guests phone=…): "+mapper.ErrNotFound.Error())
	require.Len(t, sent.Drain(), 1, "without a reservation there is no second read")
	_, err = guests.GetByPassport(ctx, "BR", "AB1")
	require.EqualError(t, err, "mapper: GetByPassport Guest (guests country='BR', passport='AB1'): "+mapper.ErrNotFound.Error())
	_, err = s.With(mapper.Options{Verified: true}).Guests.GetByEmail(ctx, "x")
	require.ErrorContains(t, err, "Options.Verified is for redundant tables")
}

// A root whose table has the rows of a part is found, with rows of the part, without them, and not after it was deleted.
func TestGetByOfARootWithParts(t *testing.T) {
	onAuctions(t, func(t *testing.T, s *auction.Store, _ *storetest.Requests) {
		ctx := t.Context()
		one, two := newAuction(1), newAuction(2)
		require.NoError(t, s.Auctions.InsertWith(ctx, one, bid(1, 5, "Ana"), bid(1, 7, "Eva")))
		require.NoError(t, s.Auctions.Insert(ctx, two))
		for _, o := range []mapper.Options{{}, {Serial: true}} {
			for _, want := range []*auction.Auction{one, two} {
				got, err := s.With(o).Auctions.GetByLot(ctx, want.Lot)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		}
		require.NoError(t, s.Auctions.Delete(ctx, 1))
		_, err := s.Auctions.GetByLot(ctx, one.Lot)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}
