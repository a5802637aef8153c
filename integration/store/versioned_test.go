package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/hotel"
	"github.com/cassaml/cassaml/integration/network"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// inHotel runs a test in memory and on a node.
func inHotel(t *testing.T, test func(*testing.T, *hotel.Store)) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		s, err := hotel.OpenBackend(t.Context(), memory.New(memory.Config{}))
		require.NoError(t, err)
		test(t, s)
	})
	t.Run("node", func(t *testing.T) { test(t, openHotel(t, storetest.IndexedTables(t, hotel.Schema))) })
}

func openHotel(t *testing.T, session gocqlx.Session) *hotel.Store {
	t.Helper()
	s, err := hotel.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	return s
}

func guest(id int32, name string) *hotel.Guest { return &hotel.Guest{ID: id, Name: name} }

// requireGuests requires that the tables have the rows of some guests and no others. initials, cards and tags are the
// partitions to read.
func requireGuests(t *testing.T, s *hotel.Store, initials, cards, tags []string, guests ...*hotel.Guest) {
	t.Helper()
	ctx := t.Context()
	want := map[string]bool{}
	for _, g := range guests {
		read, err := s.Guests.Get(ctx, g.ID)
		require.NoError(t, err)
		require.Equal(t, g, read)
		if g.Email != nil {
			row, err := s.GuestsByEmail.Get(ctx, *g.Email)
			require.NoError(t, err)
			require.Equal(t, &hotel.GuestByEmail{Email: *g.Email, Name: g.Name, Notes: g.Notes, Home: g.Home}, row)
		}
		want[fmt.Sprint("initial ", *g.Initial(), g.ID, g.Name)] = true
		for _, c := range g.Cards {
			want[fmt.Sprint("card ", c.Number, c.Points, g.ID, g.Name)] = true
		}
		for _, tag := range g.Tags {
			want[fmt.Sprint("tag ", tag, g.ID)] = true
		}
	}
	got := map[string]bool{}
	for _, i := range initials {
		for row, err := range s.GuestsByInitial.Of(i).All(ctx) {
			require.NoError(t, err)
			got[fmt.Sprint("initial ", row.Initial, row.ID, row.Name)] = true
		}
	}
	for _, c := range cards {
		row, err := s.GuestsByCard.Get(ctx, c)
		if errors.Is(err, mapper.ErrNotFound) {
			continue
		}
		require.NoError(t, err)
		got[fmt.Sprint("card ", row.Number, row.Points, row.Guest, row.Name)] = true
	}
	for _, tag := range tags {
		for row, err := range s.GuestsByTag.Of(tag).All(ctx) {
			require.NoError(t, err)
			got[fmt.Sprint("tag ", row.Tag, row.ID)] = true
		}
	}
	require.Equal(t, want, got)
}

// Each write of a versioned root increases its version and brings all copies to that version, including those whose key a method returns.
func TestVersionedWrites(t *testing.T) {
	inHotel(t, func(t *testing.T, s *hotel.Store) {
		ctx := t.Context()
		initials, cards, tags := []string{"A", "B", "M"}, []string{"c1", "c2"}, []string{"x", "y"}
		ana := guest(1, "Ana")
		ana.Version = 7
		ana.Email, ana.Home = new("ana@example.com"), &hotel.Address{City: "Recife"}
		ana.Cards, ana.Tags, ana.Notes = []hotel.Card{{Number: "c1", Points: 3}}, []string{"x"}, []string{"n", "m"}
		before := time.Now()
		require.NoError(t, s.Guests.Insert(ctx, ana))
		require.WithinRange(t, time.UnixMicro(ana.Version), before.Add(-time.Second), time.Now().Add(time.Second), "a version set by hand is replaced")
		requireGuests(t, s, initials, cards, tags, ana)
		require.ErrorIs(t, s.Guests.Insert(ctx, guest(1, "Bia")), mapper.ErrExists)

		calls := 0
		maria, err := s.Guests.Update(ctx, 1, func(g *hotel.Guest) error {
			calls++
			g.Name, g.Tags, g.Cards = "Maria", []string{"y"}, []hotel.Card{{Number: "c2"}}
			g.Notes = g.Notes[:1]
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, 1, calls)
		require.Greater(t, maria.Version, ana.Version)
		requireGuests(t, s, initials, cards, tags, maria)

		changed := *maria
		changed.Email, changed.Home, changed.Tags = nil, nil, nil
		require.NoError(t, s.Guests.Change(ctx, maria, &changed))
		requireGuests(t, s, initials, cards, tags, &changed)
		_, err = s.GuestsByEmail.Get(ctx, "ana@example.com")
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.ErrorIs(t, s.Guests.Change(ctx, maria, &changed), mapper.ErrConflict)
		moved := changed
		moved.ID = 2
		require.ErrorIs(t, s.Guests.Change(ctx, &changed, &moved), mapper.ErrKeyChanged)

		bia := guest(1, "Bia")
		require.NoError(t, s.Guests.Put(ctx, bia), "Put replaces any version")
		requireGuests(t, s, initials, cards, tags, bia)
		require.ErrorIs(t, s.Guests.DeleteAt(ctx, 1, changed.Version), mapper.ErrConflict)
		require.NoError(t, s.Guests.DeleteAt(ctx, 1, bia.Version))
		requireGuests(t, s, initials, cards, tags)
		_, err = s.Guests.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		_, err = s.Guests.Update(ctx, 1, func(*hotel.Guest) error { return nil })
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.NoError(t, s.Guests.Delete(ctx, 1), "a deleted row can be deleted again")
		require.ErrorIs(t, s.Guests.DeleteAt(ctx, 1, bia.Version), mapper.ErrConflict)
		again := guest(1, "Ada")
		require.NoError(t, s.Guests.Insert(ctx, again))
		require.Greater(t, again.Version, bia.Version, "the version also increases after a deletion")
		requireGuests(t, s, initials, cards, tags, again)
	})
}

// A unique value has one owner, whether it is a single value, a group or a value of each element.
func TestUniqueValues(t *testing.T) {
	inHotel(t, func(t *testing.T, s *hotel.Store) {
		ctx := t.Context()
		owner := guest(1, "Ana")
		owner.Email, owner.Phone, owner.Country, owner.Passport = new("a"), "555", new("BR"), new("7")
		owner.Cards = []hotel.Card{{Number: "c1"}, {Number: "c2"}}
		require.NoError(t, s.Guests.Insert(ctx, owner))
		taken := func(id int32, set func(*hotel.Guest)) string {
			g := guest(id, "Bia")
			set(g)
			var duplicate *mapper.DuplicateError
			require.ErrorAs(t, s.Guests.Insert(ctx, g), &duplicate)
			require.Equal(t, "id=1", duplicate.Owner)
			_, err := s.Guests.Get(ctx, id)
			require.ErrorIs(t, err, mapper.ErrNotFound, "nothing is written")
			return duplicate.Error()
		}
		require.Equal(t, "mapper: Insert Guest (guests id=2): Email email='a' is taken by Guest (guests id=1)", taken(2, func(g *hotel.Guest) { g.Email = new("a") }))
		require.NotContains(t, taken(2, func(g *hotel.Guest) { g.Phone = "555" }), "555", "no message contains a secret value")
		require.Contains(t, taken(2, func(g *hotel.Guest) { g.Country, g.Passport = new("BR"), new("7") }), "Country, Passport country='BR', passport='7'")
		require.Contains(t, taken(2, func(g *hotel.Guest) { g.Cards = []hotel.Card{{Number: "c9"}, {Number: "c2"}} }), "Cards.Number number='c2'")

		for id := range int32(3) {
			free := guest(10+id, "Bia")
			free.Country = new("BR")
			require.NoError(t, s.Guests.Insert(ctx, free), "absent and empty values are not claimed, and neither is a group with an absent value")
			free.Passport = new("")
			require.NoError(t, s.Guests.Put(ctx, free), "a group with an empty value is not claimed")
		}
		long := guest(20, "Bia")
		long.Email = new(strings.Repeat("x", 65_536))
		var refused *mapper.ConstraintError
		require.ErrorAs(t, s.Guests.Insert(ctx, long), &refused)
		require.Contains(t, refused.Error(), "Email")
		long.Email, long.Passport = nil, new(strings.Repeat("x", 65_536))
		long.Country = new("BR")
		require.ErrorAs(t, s.Guests.Insert(ctx, long), &refused)
		require.Contains(t, refused.Error(), "Passport")
		long.Passport, long.Tags = nil, []string{strings.Repeat("x", 65_536)}
		require.ErrorAs(t, s.Guests.Insert(ctx, long), &refused, "a copy that could never be written")
		require.Contains(t, refused.Error(), "makes the partition key of guests_by_tag 65536 bytes long, the limit is 65535")
		_, err := s.Guests.Get(ctx, 20)
		require.ErrorIs(t, err, mapper.ErrNotFound)

		_, err = s.Guests.Update(ctx, 1, func(g *hotel.Guest) error {
			g.Email, g.Cards = new("b"), g.Cards[:1]
			return nil
		})
		require.NoError(t, err)
		next := guest(2, "Bia")
		next.Email, next.Cards = new("a"), []hotel.Card{{Number: "c2"}}
		require.NoError(t, s.Guests.Insert(ctx, next), "values that their owner has given up")
		require.NoError(t, s.Guests.Delete(ctx, 1))
		third := guest(3, "Ciro")
		third.Email, third.Phone, third.Cards = new("b"), "555", []hotel.Card{{Number: "c1"}}
		require.NoError(t, s.Guests.Insert(ctx, third), "values of a deleted owner")
		row, err := s.GuestsByCard.Get(ctx, "c1")
		require.NoError(t, err)
		require.Equal(t, int32(3), row.Guest, "the copies follow the owner")
	})
}

// Reads do not return deleted rows, whatever their positions are, and a Limit does not count them.
func TestDeletedRowsAreNotRead(t *testing.T) {
	inHotel(t, func(t *testing.T, s *hotel.Store) {
		for deleted := range 1 << 4 {
			room := fmt.Sprint("without ", deleted)
			requireNights(t, s, room, int32(deleted), bookExcept(t, s, room, deleted))
		}
	})
}

// bookExcept books four nights of a room, deletes some of them, and returns the others, the latest first. The guest of all has the
// number of the deleted nights.
func bookExcept(t *testing.T, s *hotel.Store, room string, deleted int) (nights []int32) {
	t.Helper()
	for night := int32(3); night >= 0; night-- {
		require.NoError(t, s.Bookings.Insert(t.Context(), &hotel.Booking{Room: room, Night: night, Guest: int32(deleted)}))
		if deleted&(1<<night) != 0 {
			require.NoError(t, s.Bookings.Delete(t.Context(), room, night))
		} else {
			nights = append(nights, night)
		}
	}
	return nights
}

// requireFirst requires that First and Count of a query agree with its rows.
func requireFirst(t *testing.T, q gen.Query[hotel.Booking], want []int32) {
	t.Helper()
	n, err := q.Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(want), n)
	n, err = q.Limit(2).Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, min(2, len(want)), n)
	first, err := q.First(t.Context())
	if len(want) == 0 {
		require.ErrorIs(t, err, mapper.ErrNotFound)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want[0], first.Night)
}

// requireNights requires that every kind of read returns the booked nights of a room.
func requireNights(t *testing.T, s *hotel.Store, room string, guest int32, want []int32) {
	t.Helper()
	ctx, of := t.Context(), s.Bookings.Of(room)
	require.Equal(t, want, nights(t, of.All(ctx)))
	require.Equal(t, want, nights(t, s.With(mapper.Options{Serial: true}).Bookings.Of(room).All(ctx)))
	require.ElementsMatch(t, want, nights(t, s.Bookings.ByGuest(guest).All(ctx)))
	require.Len(t, collect(t, s.BookingState.Of(room).All(ctx)), len(want))
	backwards := nights(t, of.Reverse().All(ctx))
	requireFirst(t, of.Query, want)
	requireFirst(t, of.Reverse(), backwards)
	slices.Reverse(backwards)
	require.Equal(t, want, backwards)
	for limit := 1; limit <= 5; limit++ {
		first := want[:min(limit, len(want))]
		require.Equal(t, first, nights(t, of.Limit(limit).All(ctx)), "%s, limit %d", room, limit)
		require.Len(t, collect(t, s.Bookings.ByGuest(guest).Limit(limit).All(ctx)), len(first))
		for size := 1; size <= 3; size++ {
			var got []int32
			for _, p := range storetest.Pages(t, func(token string) (mapper.Page[hotel.Booking], error) {
				return of.Limit(limit).PageSize(size).Page(ctx, token)
			}) {
				require.LessOrEqual(t, len(p), size)
				got = append(got, nights(t, each(p))...)
			}
			require.Equal(t, first, got, "%s, limit %d, pages of %d", room, limit, size)
		}
	}
}

func each[T any](in []*T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, v := range in {
			if !yield(v, nil) {
				return
			}
		}
	}
}

func nights(t *testing.T, rows iter.Seq2[*hotel.Booking, error]) (out []int32) {
	t.Helper()
	for _, b := range collect(t, rows) {
		out = append(out, b.Night)
	}
	return out
}

func collect[T any](t *testing.T, rows iter.Seq2[*T, error]) (out []*T) {
	t.Helper()
	for v, err := range rows {
		require.NoError(t, err)
		out = append(out, v)
	}
	return out
}

// Concurrent Updates of one row lose no change. Of several concurrent Inserts of one row, or of one unique value, exactly one succeeds.
func TestConcurrentWrites(t *testing.T) {
	inHotel(t, func(t *testing.T, s *hotel.Store) {
		ctx := t.Context()
		const writers = 12
		require.NoError(t, s.Bookings.Insert(ctx, &hotel.Booking{Room: "counter"}))
		var wg sync.WaitGroup
		inserted, claimed := make([]error, writers), make([]error, writers)
		for i := range int32(writers) {
			wg.Go(func() {
				_, err := s.Bookings.Update(ctx, "counter", 0, func(b *hotel.Booking) error { b.Guest++; return nil })
				require.NoError(t, err)
				inserted[i] = s.Bookings.Insert(ctx, &hotel.Booking{Room: "101", Night: 1, Guest: i})
				g := guest(i, "Guest")
				g.Email = new("same")
				claimed[i] = s.Guests.Insert(ctx, g)
			})
		}
		wg.Wait()
		b, err := s.Bookings.Get(ctx, "counter", 0)
		require.NoError(t, err)
		require.Equal(t, int32(writers), b.Guest)
		one := func(errs []error, other func(error)) (won int32) {
			won = -1
			for i, err := range errs {
				if err == nil {
					require.Equal(t, int32(-1), won)
					won = int32(i)
				} else {
					other(err)
				}
			}
			return won
		}
		b, err = s.Bookings.Get(ctx, "101", 1)
		require.NoError(t, err)
		require.Equal(t, one(inserted, func(err error) { require.ErrorIs(t, err, mapper.ErrExists) }), b.Guest)
		owner := one(claimed, func(err error) {
			var duplicate *mapper.DuplicateError
			require.ErrorAs(t, err, &duplicate)
		})
		require.Len(t, collect(t, s.GuestsByInitial.Of("G").All(ctx)), 1)
		_, err = s.Guests.Get(ctx, owner)
		require.NoError(t, err)
	})
}

// With Options.Verified, a row of a copy that differs from its root is returned as it follows from the root, and a row that does not
// follow from a root is left out.
func TestVerifiedReads(t *testing.T) {
	t.Parallel()
	session := storetest.IndexedTables(t, hotel.Schema)
	s := openHotel(t, session)
	ctx := t.Context()
	ana := guest(1, "Ana")
	ana.Email, ana.Cards = new("ana"), []hotel.Card{{Number: "c1", Points: 3}}
	require.NoError(t, s.Guests.Insert(ctx, ana))
	for _, statement := range []string{
		`INSERT INTO guests_by_email (email, name) VALUES ('ana', 'old')`,
		`INSERT INTO guests_by_email (email, name) VALUES ('orphan', 'x')`,
		`INSERT INTO guests_by_card (number, points, guest, name) VALUES ('c1', 1, 1, 'old')`,
		`INSERT INTO guests_by_card (number, guest) VALUES ('c2', 1)`,
		`INSERT INTO guests_by_card (number, guest) VALUES ('c3', 9)`,
		`INSERT INTO guests_by_card (number) VALUES ('c4')`,
		`INSERT INTO guests_by_initial (initial, id, name) VALUES ('A', 1, 'old')`,
		`INSERT INTO guests_by_initial (initial, id, name) VALUES ('A', 2, 'gone')`,
		`INSERT INTO guests_by_initial (initial, id, name) VALUES ('B', 1, 'old')`,
	} {
		require.NoError(t, session.Session.Query(statement).Exec())
	}
	v := s.With(mapper.Options{Verified: true})
	byEmail, err := v.GuestsByEmail.Get(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, "Ana", byEmail.Name)
	_, err = v.GuestsByEmail.Get(ctx, "orphan")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	byCard, err := v.GuestsByCard.Get(ctx, "c1")
	require.NoError(t, err)
	require.Equal(t, &hotel.GuestByCard{Number: "c1", Points: 3, Guest: 1, Name: "Ana"}, byCard)
	for _, c := range []string{"c2", "c3", "c4"} {
		_, err = v.GuestsByCard.Get(ctx, c)
		require.ErrorIs(t, err, mapper.ErrNotFound, c)
	}
	require.Equal(t, []*hotel.GuestByInitial{{Initial: "A", ID: 1, Name: "Ana"}}, collect(t, v.GuestsByInitial.Of("A").Limit(5).All(ctx)))
	require.Empty(t, collect(t, v.GuestsByInitial.Of("B").All(ctx)))
	cards, err := v.GuestsByCard.GetMany(ctx, []string{"c2", "c1", "c3"})
	require.NoError(t, err)
	require.Equal(t, []*hotel.GuestByCard{nil, byCard, nil}, cards)
	initial, err := v.GuestsByInitial.Of("A").First(ctx)
	require.NoError(t, err)
	require.Equal(t, "Ana", initial.Name)
	_, err = v.GuestsByInitial.Of("B").First(ctx)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	n, err := v.GuestsByInitial.Of("A").Count(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	page, err := v.GuestsByInitial.Of("A").Page(ctx, "")
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.NoError(t, s.Guests.Delete(ctx, 1))
	require.NoError(t, session.Session.Query(`INSERT INTO guests_by_email (email, name) VALUES ('ana', 'old')`).Exec())
	_, err = v.GuestsByEmail.Get(ctx, "ana")
	require.ErrorIs(t, err, mapper.ErrNotFound, "the root is deleted")

	_, err = v.Guests.Get(ctx, 1)
	require.ErrorContains(t, err, "Options.Verified is for redundant tables")
	require.ErrorContains(t, v.Guests.Put(ctx, guest(3, "x")), "Options.Verified is for reads")
	serial := s.With(mapper.Options{Serial: true, SpeculativeDelay: 1})
	require.ErrorContains(t, serial.Guests.Put(ctx, guest(3, "x")), "Options.Serial is for reads")
	_, err = serial.GuestsByEmail.Get(ctx, "ana")
	require.ErrorContains(t, err, "Options.Serial is for the tables of versioned roots")
	for _, err := range serial.Bookings.ByGuest(1).All(ctx) {
		require.ErrorContains(t, err, "Options.Serial is for a query of one partition")
	}
	for refusal, o := range map[string]mapper.Options{
		"mapper.Options.TTL is supported for a versioned aggregate only if its model has ttl=": {TTL: time.Hour},
		"mapper.Options.Timestamp is not supported for versioned aggregates":                   {Timestamp: 1},
	} {
		require.ErrorContains(t, s.With(o).Guests.Insert(ctx, guest(3, "x")), refusal)
		require.ErrorContains(t, s.With(o).Guests.Delete(ctx, 3), refusal)
	}
	_, err = s.Guests.Get(ctx, 3)
	require.ErrorIs(t, err, mapper.ErrNotFound, "nothing was sent")
}

// A plain root has verified reads, too.
func TestVerifiedReadsOfPlainRoots(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	s := storetest.OpenJobs(t, session, mapper.Config{})
	ctx := t.Context()
	job := lent(1, jack)
	require.NoError(t, s.Jobs.Insert(ctx, job))
	row, err := s.ToolsBySerial.Get(ctx, jack.Serial, jack.Bought)
	require.NoError(t, err)
	v := s.With(mapper.Options{Verified: true})
	verified, err := v.ToolsBySerial.Get(ctx, jack.Serial, jack.Bought)
	require.NoError(t, err)
	require.Equal(t, row, verified)
	require.NoError(t, session.Session.Query("DELETE FROM jobs WHERE site = ? AND year = ?", job.Site, job.Year).Exec())
	_, err = s.ToolsBySerial.Get(ctx, jack.Serial, jack.Bought)
	require.NoError(t, err)
	_, err = v.ToolsBySerial.Get(ctx, jack.Serial, jack.Bought)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// repeats is a retry policy that repeats every request.
type repeats struct{ gocql.SimpleRetryPolicy }

func (repeats) GetRetryType(error) gocql.RetryType { return gocql.Retry }

// The retry policy of a session does not repeat conditional statements. The store itself repeats a statement of unknown outcome, and
// determines whether it was applied: an Insert that was applied does not fail because its own row exists.
func TestConditionalStatementsWithARetryPolicy(t *testing.T) {
	t.Parallel()
	session := storetest.IndexedTables(t, hotel.Schema)
	var lossy network.Dialer
	s := openHotel(t, network.Session(t, session, &lossy, 0, func(c *gocql.ClusterConfig) {
		c.RetryPolicy = &repeats{gocql.SimpleRetryPolicy{NumRetries: 3}}
	}))
	ctx := t.Context()
	room := func(n int32) *hotel.Booking { return &hotel.Booking{Room: "1", Night: n} }
	require.NoError(t, s.Bookings.Insert(ctx, room(1)), "its statements are prepared")
	lossy.Next(network.Rows, network.WriteTimeout("CAS"))
	require.NoError(t, s.Bookings.Insert(ctx, room(2)))
	count := lossy.Count(network.Rows)
	lossy.Next(network.Rows, network.WriteTimeout("CAS"))
	require.NoError(t, s.Bookings.Insert(ctx, room(3)))
	require.Equal(t, 3, lossy.Count(network.Rows)-count, "the statement, its repetition by the store, and a read of the row")
	lossy.Next(network.Rows, nil, network.WriteTimeout("CAS"))
	calls := 0
	b, err := s.Bookings.Update(ctx, "1", 3, func(b *hotel.Booking) error { calls++; b.State = "confirmed"; return nil })
	require.NoError(t, err)
	require.Equal(t, 1, calls)
	read, err := s.Bookings.Get(ctx, "1", 3)
	require.NoError(t, err)
	require.Equal(t, b, read)
}
