package store

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/ticket"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// onTickets runs a test on a store in memory and on one on a node.
func onTickets(t *testing.T, test func(t *testing.T, s *ticket.Store, sent *storetest.Requests)) {
	t.Parallel()
	onStores(t, generated[*ticket.Store]{ticket.Schema, ticket.Open, ticket.OpenBackend}, test)
}

func newTicket(event, number int32, barcode, holder string) *ticket.Ticket {
	v := &ticket.Ticket{EventID: event, Number: number, Barcode: barcode, Cents: int64(100 * number)}
	if holder != "" {
		v.Holder, v.Seat = &holder, &ticket.Seat{Row: holder, Seat: number}
	}
	return v
}

// byBarcode returns the numbers of the tickets with a barcode, with their holders.
func byBarcode(t *testing.T, s *ticket.Store, barcode string) (out []string) {
	for v, err := range s.TicketsByBarcode.Of(barcode).All(t.Context()) {
		require.NoError(t, err)
		text := fmt.Sprint(v.EventID, ".", v.Number)
		if v.Holder != nil {
			text += " " + *v.Holder
			require.Equal(t, &ticket.Seat{Row: *v.Holder, Seat: v.Number}, v.Seat)
		}
		out = append(out, text)
	}
	return out
}

func updateTickets(t *testing.T, s *ticket.Store, id int32, f func(p ticket.TicketParts) error) error {
	t.Helper()
	_, err := s.Events.Update(t.Context(), id, func(e *ticket.Event, p *ticket.EventParts) error { e.Sold++; return f(p.Ticket) })
	return err
}

// The redundant tables of parts of a versioned root follow each write of the parts: Insert, Put, Change and Delete of rows that the function has
// read or not, the deletion of ranges, and the deletion of the root. Each operation sends what aml explain prints, and Reconcile finds nothing.
func TestCopiesOfVersionedParts(t *testing.T) {
	onTickets(t, func(t *testing.T, s *ticket.Store, sent *storetest.Requests) {
		ctx, root := t.Context(), explained(t, "../models/ticket", "events")
		match := func(name string, call func() error) {
			t.Helper()
			sent.Drain()
			require.NoError(t, call())
			for _, q := range sent.Drain() {
				require.True(t, explainedIn(operation(t, root, name).Requests, q), "%s sends what is not explained: %+v", name, q)
			}
			report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}, Found: func(d mapper.Drift) { t.Errorf("%s: %+v", name, d) }})
			require.NoError(t, err)
			require.True(t, report.Clean())
			sent.Drain()
		}
		update := func(f func(p ticket.TicketParts) error) {
			t.Helper()
			match("Update", func() error { return updateTickets(t, s, 1, f) })
		}
		match("InsertWith", func() error {
			return s.Events.InsertWith(ctx, &ticket.Event{ID: 1, Name: "n"}, newTicket(1, 1, "a", "Ana"), newTicket(1, 2, "b", ""), newTicket(1, 3, "a", "Bia"))
		})
		require.Equal(t, []string{"1.1 Ana", "1.3 Bia"}, byBarcode(t, s, "a"))
		require.Equal(t, []string{"1.2"}, byBarcode(t, s, "b"))
		initial, err := s.TicketsByInitial.Get(ctx, "a", 1, 1)
		require.NoError(t, err)
		require.Equal(t, &ticket.TicketByInitial{Initial: "a", Number: 1, EventID: 1, Cents: 100}, initial)
		verified, err := s.With(mapper.Options{Verified: true}).TicketsByBarcode.Get(ctx, "a", 1, 3)
		require.NoError(t, err)
		require.Equal(t, int32(3), verified.Number)

		update(func(p ticket.TicketParts) error { // rows that the function has not read
			p.Put(newTicket(1, 1, "c", "Ana"))
			p.Insert(newTicket(1, 4, "c", "Eva"))
			p.Delete(2)
			p.Change(newTicket(1, 3, "x", "y"), &ticket.Ticket{EventID: 1, Number: 3, Barcode: "d", Holder: new("y"), Cents: 300, Seat: &ticket.Seat{Row: "y", Seat: 3}})
			return nil
		})
		require.Equal(t, []string{"1.1 Ana", "1.4 Eva"}, byBarcode(t, s, "c"))
		require.Equal(t, []string{"1.3 Bia"}, byBarcode(t, s, "d"), "a Change writes the differences")
		require.Empty(t, byBarcode(t, s, "a"))
		require.Empty(t, byBarcode(t, s, "b"))
		update(func(p ticket.TicketParts) error { // rows that it has read
			old, err := p.Get(4)
			require.NoError(t, err)
			changed := *old
			changed.Barcode, changed.Holder, changed.Seat = "e", nil, nil
			p.Change(old, &changed)
			_, err = p.Get(1)
			p.Delete(1)
			return err
		})
		require.Equal(t, []string{"1.4"}, byBarcode(t, s, "e"))
		require.Empty(t, byBarcode(t, s, "c"))
		_, err = s.TicketsByInitial.Get(ctx, "e", 4, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		update(func(p ticket.TicketParts) error {
			p.Put(newTicket(1, 9, "d", "Zoe"))
			p.Of().NumberTo(4).Delete()
			return nil
		})
		require.Equal(t, []string{"1.9 Zoe"}, byBarcode(t, s, "d"))
		require.Empty(t, byBarcode(t, s, "e"))
		match("Upsert", func() error {
			_, err := s.Events.Upsert(ctx, 1, func(_ *ticket.Event, p *ticket.EventParts, _ bool) error {
				p.Ticket.Put(newTicket(1, 9, "f", "Zoe"))
				return nil
			})
			return err
		})
		match("Put", func() error { return s.Events.Put(ctx, &ticket.Event{ID: 1, Name: "other"}) })
		require.Equal(t, []string{"1.9 Zoe"}, byBarcode(t, s, "f"))
		match("Delete", func() error { return s.Events.Delete(ctx, 1) })
		require.Empty(t, byBarcode(t, s, "f"))
		match("Insert", func() error { return s.Events.Insert(ctx, &ticket.Event{ID: 1, Name: "n"}) })
		require.Empty(t, collected(t, s.Ticket.Of(1).All(ctx)))
	})
}

// More rows than the row of the root can remember are refused before anything is sent, in a function that names what to do.
func TestLargestSaveOfCopiedParts(t *testing.T) {
	onTickets(t, func(t *testing.T, s *ticket.Store, _ *storetest.Requests) {
		ctx := t.Context()
		put := func(from, n int32) error {
			return updateTickets(t, s, 1, func(p ticket.TicketParts) error {
				for i := range n {
					p.Insert(newTicket(1, from+i, "a", ""))
				}
				return nil
			})
		}
		require.NoError(t, s.Events.Insert(ctx, &ticket.Event{ID: 1, Name: "n"}))
		require.ErrorContains(t, put(0, 1001), "use several Updates")
		require.NoError(t, put(0, 1000))
		require.NoError(t, put(1000, 1))
		err := updateTickets(t, s, 1, func(p ticket.TicketParts) error { p.Of().NumberTo(2000).Delete(); return nil })
		require.ErrorContains(t, err, "smaller ranges")
		require.NoError(t, updateTickets(t, s, 1, func(p ticket.TicketParts) error { p.Of().NumberTo(999).Delete(); return nil }))
		require.Equal(t, []string{"1.1000"}, byBarcode(t, s, "a"))
		require.NoError(t, put(0, 300))
		require.NoError(t, s.Events.Delete(ctx, 1))
		require.Empty(t, byBarcode(t, s, "a"), "several pages")
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}})
		require.NoError(t, err)
		require.True(t, report.Clean())
	})
}

// Copies of the elements of a part, of a root without a copy of its own.
func TestCopiesOfElementsOfVersionedParts(t *testing.T) {
	onTickets(t, func(t *testing.T, s *ticket.Store, _ *storetest.Requests) {
		ctx := t.Context()
		shift := func(day int32, crew map[string]bool) *ticket.Shift {
			return &ticket.Shift{City: "c", Number: 1, Day: day, Kind: "k", Crew: crew}
		}
		days := func(person string) (out []int32) {
			for v, err := range s.ShiftsByPerson.Of(person).All(ctx) {
				require.NoError(t, err)
				out = append(out, v.Day)
			}
			return out
		}
		require.NoError(t, s.Halls.InsertWith(ctx, &ticket.Hall{City: "c", Number: 1}, shift(1, map[string]bool{"Ana": true, "Bia": false}), shift(2, map[string]bool{"Ana": false})))
		require.Equal(t, []int32{1, 2}, days("Ana"))
		h, err := s.Halls.Update(ctx, "c", 1, func(_ *ticket.Hall, p *ticket.HallParts) error {
			p.Shift.Put(shift(1, map[string]bool{"Bia": true, "Eva": true}))
			p.Shift.Of().DayFrom(2).Delete()
			return nil
		})
		require.NoError(t, err)
		require.Empty(t, days("Ana"))
		require.Equal(t, []int32{1}, days("Bia"))
		changed := *h
		changed.Shifts = 7
		require.NoError(t, s.Halls.Change(ctx, h, &changed))
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"halls"}})
		require.NoError(t, err)
		require.True(t, report.Clean())
		require.NoError(t, s.Halls.Delete(ctx, "c", 1))
		require.Empty(t, days("Eva"))
	})
}

// Reconcile finds copies of parts that are missing, stale or of no part, and repairs them. A dry run changes nothing.
func TestReconcileCopiesOfVersionedParts(t *testing.T) {
	t.Parallel()
	ctx, session := t.Context(), storetest.SharedTables(t, ticket.Schema)
	s, err := ticket.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	require.NoError(t, s.Events.InsertWith(ctx, &ticket.Event{ID: 1, Name: "n"}, newTicket(1, 1, "a", "Ana"), newTicket(1, 2, "b", ""), newTicket(1, 3, "c", "Eva")))
	require.NoError(t, s.Events.Insert(ctx, &ticket.Event{ID: 2, Name: "n"}))
	require.NoError(t, s.Events.Delete(ctx, 2))
	storetest.Execute(t, session, `DELETE FROM tickets_by_barcode WHERE barcode = 'a';
		UPDATE tickets_by_barcode SET holder = 'x' WHERE barcode = 'b' AND event_id = 1 AND number = 2;
		INSERT INTO tickets_by_barcode (barcode, event_id, number) VALUES ('z', 1, 2);
		INSERT INTO tickets_by_barcode (barcode, event_id, number, holder) VALUES ('z', 1, 9, 'h');
		INSERT INTO tickets_by_initial (initial, event_id, number) VALUES ('z', 2, 2);`)
	run := func(dry bool) *mapper.ReconcileReport {
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}, DryRun: dry})
		require.NoError(t, err)
		return report
	}
	want := map[string]map[mapper.DriftKind]int64{
		"tickets_by_barcode": {mapper.DriftMissing: 1, mapper.DriftStale: 1, mapper.DriftOrphan: 2},
		"tickets_by_initial": {mapper.DriftOrphan: 1},
	}
	require.Equal(t, want, run(true).Found)
	report := run(false)
	require.Equal(t, want, report.Found)
	require.Equal(t, int64(5), report.Repaired)
	require.Equal(t, []string{"1.1 Ana"}, byBarcode(t, s, "a"))
	require.Equal(t, []string{"1.2"}, byBarcode(t, s, "b"))
	require.Empty(t, byBarcode(t, s, "z"))
	require.True(t, run(false).Clean())
}

// A Delete that ends after it has deleted the root leaves its parts, which no read returns. A repeated Delete, an Insert or a Put over it, and
// Reconcile delete them and their redundant rows first.
func TestUnfinishedDeletionOfCopiedParts(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*ticket.Store]{ticket.Schema, ticket.Open, ticket.OpenBackend}, func(t *testing.T, s *ticket.Store, sent *interrupted) {
		ctx := t.Context()
		repaired := func(report *mapper.ReconcileReport, err error) error {
			require.Equal(t, int64(1), report.Repaired)
			return err
		}
		for i, finish := range []func(id int32) error{
			func(id int32) error { return s.Events.Delete(ctx, id) },
			func(id int32) error { return s.Events.Insert(ctx, &ticket.Event{ID: id, Name: "n"}) },
			func(id int32) error { return s.Events.Put(ctx, &ticket.Event{ID: id, Name: "n"}) },
			func(int32) error {
				return repaired(s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}}))
			},
			func(id int32) error { return repaired(s.Events.Reconcile(ctx, id, mapper.ReconcileConfig{})) },
		} {
			id := int32(i)
			require.NoError(t, s.Events.InsertWith(ctx, &ticket.Event{ID: id, Name: "n"}, newTicket(id, 1, "a", "Ana"), newTicket(id, 2, "a", "")))
			deleted := false
			after := func(q mapper.Request) bool { // the first request after the root is deleted
				was := deleted
				deleted = deleted || q.Conditional
				return was
			}
			sent.kill(t, after, func(ctx context.Context) { require.Error(t, s.Events.Delete(ctx, id)) })
			_, err := s.Events.Get(ctx, id)
			require.ErrorIs(t, err, mapper.ErrNotFound)
			require.Empty(t, collected(t, s.Ticket.Of(id).All(ctx)))
			require.Len(t, byBarcode(t, s, "a"), 2, "the redundant rows are there")
			require.NoError(t, finish(id))
			require.Empty(t, byBarcode(t, s, "a"))
			require.NoError(t, s.Events.Put(ctx, &ticket.Event{ID: id, Name: "again"}))
			require.Empty(t, collected(t, s.Ticket.Of(id).All(ctx)))
		}
	})
}

// The next save of a root writes the redundant rows of the parts that a save has left, before it saves, also if it changes no part; so does
// Reconcile.
func TestUnfinishedSaveOfCopiedParts(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*ticket.Store]{ticket.Schema, ticket.Open, ticket.OpenBackend}, func(t *testing.T, s *ticket.Store, sent *interrupted) {
		ctx := t.Context()
		for i, finish := range []func(id int32) error{
			func(id int32) error { return updateTickets(t, s, id, func(ticket.TicketParts) error { return nil }) },
			func(id int32) error { return s.Events.Put(ctx, &ticket.Event{ID: id, Name: "n"}) },
			func(int32) error {
				_, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}})
				return err
			},
			func(id int32) error { _, err := s.Events.Reconcile(ctx, id, mapper.ReconcileConfig{}); return err },
		} {
			id := int32(i)
			barcode := func(prefix string) string { return fmt.Sprint(prefix, id) }
			require.NoError(t, s.Events.InsertWith(ctx, &ticket.Event{ID: id, Name: "n"}, newTicket(id, 1, barcode("a"), "Ana"), newTicket(id, 2, barcode("b"), "Bia")))
			saved := false
			after := func(q mapper.Request) bool {
				was := saved
				saved = saved || q.Conditional
				return was
			}
			sent.kill(t, after, func(ctx context.Context) {
				_, _ = s.Events.Update(ctx, id, func(_ *ticket.Event, p *ticket.EventParts) error {
					p.Ticket.Put(newTicket(id, 1, barcode("c"), "Ana"))
					p.Ticket.Of().NumberFrom(2).Delete()
					return nil
				})
			})
			require.Equal(t, []string{fmt.Sprint(id, ".1 Ana")}, byBarcode(t, s, barcode("a")), "the save has left it")
			require.NoError(t, finish(id))
			require.Equal(t, []string{fmt.Sprint(id, ".1 Ana")}, byBarcode(t, s, barcode("c")))
			require.Empty(t, byBarcode(t, s, barcode("a")))
			require.Empty(t, byBarcode(t, s, barcode("b")))
		}
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}})
		require.NoError(t, err)
		require.True(t, report.Clean())
	})
}

// A backfill writes the redundant rows of parts at the version of their root, and none for deleted roots and head rows.
func TestBackfillOfCopiesOfVersionedParts(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, ticket.Schema)
	s, err := ticket.Open(t.Context(), session, mapper.Config{})
	require.NoError(t, err)
	ctx := t.Context()
	require.NoError(t, s.Events.InsertWith(ctx, &ticket.Event{ID: 1, Name: "n"}, newTicket(1, 1, "a", "Ana"), newTicket(1, 2, "b", "")))
	require.NoError(t, s.Events.InsertWith(ctx, &ticket.Event{ID: 2, Name: "n"}, newTicket(2, 1, "a", "Ana")))
	require.NoError(t, s.Events.Delete(ctx, 2))
	storetest.Execute(t, session, "TRUNCATE tickets_by_barcode; TRUNCATE tickets_by_initial;")
	for _, table := range []string{"tickets_by_barcode", "tickets_by_initial"} {
		require.NoError(t, ticket.Backfills()[table](ctx, gocqldriver.New(session), "", func(string) error { return nil }))
	}
	require.Equal(t, []string{"1.1 Ana"}, byBarcode(t, s, "a"))
	report, err := s.Reconcile(ctx, mapper.ReconcileConfig{Slices: 4, Tables: []string{"events"}})
	require.NoError(t, err)
	require.True(t, report.Clean())
	require.NoError(t, updateTickets(t, s, 1, func(p ticket.TicketParts) error { p.Put(newTicket(1, 1, "c", "")); return nil }))
	require.Empty(t, byBarcode(t, s, "a"), "the backfill has not written later than the save")
}
