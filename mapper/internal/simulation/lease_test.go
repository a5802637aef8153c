package simulation

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// slow is a client that receives the answers to conditional statements late.
type slow struct {
	*client
	lag time.Duration
}

func (s *slow) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	_, err := s.client.Open(ctx, schema)
	return s, err
}

func (s *slow) CAS(ctx context.Context, x *plan.Conditional, o store.CAS) (store.Answer, error) {
	answer, err := s.client.CAS(ctx, x, o)
	s.w.now += s.lag.Microseconds()
	return answer, err
}

// slowReads is a client that also receives rows late.
type slowReads struct {
	slow

	rest time.Duration // for a row, beyond a millisecond
}

func (s *slowReads) Open(ctx context.Context, schema *descriptor.Schema) (store.Store, error) {
	_, err := s.client.Open(ctx, schema)
	return s, err
}

func (s *slowReads) Row(ctx context.Context, l *store.Lookup) (cell.Row, error) {
	row, err := s.client.Row(ctx, l)
	s.w.now += 1000 + s.rest.Microseconds()
	return row, err
}

// ttls returns the remaining TTLs of the cells of a column; 0: a cell does not expire.
func (w *world) ttls(table, column string) (out []int32) {
	cells, err := w.backend.Cells(table)
	require.NoError(w.t, err)
	for _, c := range cells {
		if c.Column == column {
			out = append(out, c.TTL)
		}
	}
	return out
}

// The copies of a row that expires have what is left of its TTL when they are sent, in whole seconds, rounded down: no copy outlives the row
// by the clock of one server. If less than a second is left, nothing is sent, because a TTL of 0 means that a row never expires.
func TestCopiesOfSessions(t *testing.T) {
	for lag, want := range map[time.Duration][]int32{
		0:                       {600},
		time.Millisecond:        {599},
		time.Second:             {599},
		1500 * time.Millisecond: {598},
		599 * time.Second:       {1},
		599*time.Second + 1000:  nil,
		time.Hour:               nil,
	} {
		t.Run(lag.String(), func(t *testing.T) {
			w := newWorld(t, 1)
			w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
			c := &slow{w.observer(), lag}
			config := c.config(0)
			if lag == time.Hour { // the rows and the done-marker are in batches of their own
				config.BatchLimit = 150
			}
			s, err := lease.OpenBackend(t.Context(), c, config)
			require.NoError(t, err)
			require.NoError(t, s.Sessions.Insert(t.Context(), &lease.Session{ID: 1, Worker: new("w"), Notes: map[string]string{"k": "t"}}))
			require.Equal(t, want, w.ttls("sessions_of_worker", "name"))
			markers := 0 // without all rows there is no done-marker, by which Reconcile would take them for written
			if lag < 300*time.Second {
				markers = 1
			}
			require.Len(t, w.ttls("sessions__sync", "aml_ver"), markers)
			for _, left := range w.ttls("session_notes", "text") {
				require.LessOrEqual(t, left, int32(300))
			}
			for _, left := range w.ttls("sessions", "version") {
				require.InDelta(t, 600+864000, left+int32(lag/time.Second), 1)
			}
		})
	}
}

// A save whose answer is lost, and whose repetition is refused because the row has expired, is of unknown outcome: a server whose clock is
// behind can still carry out the first statement.
func TestSaveThatIsRefusedBecauseTheRowHasExpired(t *testing.T) {
	w := newWorld(t, 1)
	w.applied, w.others = func(*plan.Aggregate, *plan.State, *plan.State) {}, []*descriptor.Aggregate{lease.Locks.Aggregate}
	c := w.observer()
	s, err := lease.OpenBackend(t.Context(), c, c.config(0))
	require.NoError(t, err)
	update := func() error {
		_, err := s.Locks.Update(t.Context(), 1, func(v *lease.Lock) error { v.Name += "+"; return nil })
		return err
	}
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprint(lost), func(t *testing.T) {
			require.NoError(t, s.Locks.Put(t.Context(), &lease.Lock{ID: 1}))
			sent := 0
			c.fate = func(*plan.Table) fate {
				if sent++; sent > 1 {
					return carriedOut
				}
				w.now += lockTTL
				if lost {
					return lostRequest
				}
				return carriedOut
			}
			err := update()
			c.fate = nil
			if lost {
				require.True(t, mapper.OutcomeUnknown(err), "%v", err)
			} else {
				require.ErrorIs(t, err, mapper.ErrNotFound)
			}
		})
	}
}

// A raised version, and the copies that are written with it, keep the end of a row that expires.
func TestRaisesOfSessions(t *testing.T) {
	w := newWorld(t, 1)
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	c := w.observer()
	s, err := lease.OpenBackend(t.Context(), c, c.config(0))
	require.NoError(t, err)
	v := &lease.Session{ID: 1, Name: "a", Worker: new("w")}
	require.NoError(t, s.Sessions.Insert(t.Context(), v))
	w.now += 100 * aSecond
	of := w.table("sessions_of_worker")
	other := plan.Mutation{Table: of, Row: cell.Row{cell.Cell("w"), cell.Cell{0, 0, 0, 1}, cell.Cell("z")}, Action: plan.Put, At: v.Version, TTL: 1000}
	other.Write.Add(2)
	w.apply([]plan.Mutation{other}, store.Write{Timestamp: v.Version}) // the same version with another value
	found := 0
	_, err = s.Reconcile(t.Context(), w.reconcileConfig("sessions", func(mapper.Drift) { found++ }))
	require.NoError(t, err)
	require.Equal(t, 1, found)
	got, err := s.Sessions.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Greater(t, got.Version, v.Version)
	require.Equal(t, []int32{600 + 864000 - 100}, w.ttls("sessions", "version"))
	require.Equal(t, []int32{500}, w.ttls("sessions", "aml_live"))
	require.Equal(t, []int32{500}, w.ttls("sessions_of_worker", "name"))
	require.Equal(t, []int32{600 + 864000 - 100}, w.ttls("sessions__sync", "aml_ver"))
	w.now += 500 * aSecond
	_, err = s.Sessions.Get(t.Context(), 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// Reconcile leaves a row alone that expires soon and whose copies and done-marker are not written, because they cannot be any more: it neither
// reports it nor raises its version, which the holder of a lease has.
func TestReconcileOfRowsThatExpireSoon(t *testing.T) {
	for _, left := range []time.Duration{900 * time.Millisecond, 1500 * time.Millisecond, 59 * time.Second} {
		t.Run(left.String(), func(t *testing.T) {
			w := newWorld(t, 1)
			w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
			c := &slowReads{slow: slow{w.observer(), 599*time.Second + 1000}} // nothing is left for the copies
			s, err := lease.OpenBackend(t.Context(), c, c.config(0))
			require.NoError(t, err)
			v := &lease.Session{ID: 1, Name: "a", Worker: new("w")}
			require.NoError(t, s.Sessions.Insert(t.Context(), v))
			require.Empty(t, w.ttls("sessions__sync", "aml_ver"))
			w.now -= (left - time.Second).Microseconds()
			for _, dry := range []bool{true, false} {
				config := w.reconcileConfig("sessions", func(d mapper.Drift) { t.Errorf("%+v", d) })
				config.DryRun = dry
				report, err := s.Reconcile(t.Context(), config)
				require.NoError(t, err)
				require.True(t, report.Clean())
			}
			got, err := s.Sessions.Get(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, v.Version, got.Version)
			w.now += 100 * aSecond
			report, err := s.Reconcile(t.Context(), w.reconcileConfig("sessions", func(d mapper.Drift) { t.Errorf("%+v", d) }))
			require.NoError(t, err, "it has expired")
			require.True(t, report.Clean())
		})
	}
}

// A row of a copy whose own TTL is shorter than that of its root is not written after it, counted from the save: by Reconcile neither.
func TestNotesOfSessionsThatHaveExpired(t *testing.T) {
	for _, lag := range []time.Duration{299*time.Second + 500*time.Millisecond, 300*time.Second + 500*time.Millisecond, 400 * time.Second} {
		t.Run(lag.String(), func(t *testing.T) {
			w := newWorld(t, 1)
			w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
			c := &slow{w.observer(), lag}
			s, err := lease.OpenBackend(t.Context(), c, c.config(0))
			require.NoError(t, err)
			require.NoError(t, s.Sessions.Insert(t.Context(), &lease.Session{ID: 1, Worker: new("w"), Notes: map[string]string{"k": "t"}}))
			report, err := s.Reconcile(t.Context(), w.reconcileConfig("sessions", func(d mapper.Drift) { t.Errorf("%+v", d) }))
			require.NoError(t, err)
			require.True(t, report.Clean())
			require.Empty(t, w.ttls("session_notes", "text"))
			require.Len(t, w.ttls("sessions_of_worker", "name"), 1)
			require.Len(t, w.ttls("sessions__sync", "aml_ver"), 1)
		})
	}
}

// A Change of a row that has expired is refused, although the row still has the version of the old value.
func TestChangeOfASessionThatHasExpired(t *testing.T) {
	w := newWorld(t, 1)
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	c := w.observer()
	s, err := lease.OpenBackend(t.Context(), c, c.config(0))
	require.NoError(t, err)
	v := &lease.Session{ID: 1, Name: "a", Worker: new("w")}
	require.NoError(t, s.Sessions.Insert(t.Context(), v))
	w.now += 601 * aSecond
	changed := *v
	changed.Name = "b"
	require.ErrorIs(t, s.Sessions.Change(t.Context(), v, &changed), mapper.ErrConflict)
	require.ErrorIs(t, s.Sessions.Put(t.Context(), v), mapper.ErrConflict)
	_, err = s.Sessions.Get(t.Context(), 1)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// A raise does not prolong the values of a row, however late it is sent.
func TestLateRaisesOfSessions(t *testing.T) {
	w := newWorld(t, 1)
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	c := &slowReads{slow: slow{client: w.observer()}}
	s, err := lease.OpenBackend(t.Context(), c, c.config(0))
	require.NoError(t, err)
	v := &lease.Session{ID: 1, Name: "a", Worker: new("w")}
	require.NoError(t, s.Sessions.Insert(t.Context(), v))
	began := w.now
	c.rest = 2 * time.Second
	of := w.table("sessions_of_worker")
	other := plan.Mutation{Table: of, Row: cell.Row{cell.Cell("w"), cell.Cell{0, 0, 0, 1}, cell.Cell("z")}, Action: plan.Put, At: v.Version, TTL: 1000}
	other.Write.Add(2)
	w.apply([]plan.Mutation{other}, store.Write{Timestamp: v.Version}) // the same version with another value
	_, err = s.Reconcile(t.Context(), w.reconcileConfig("sessions", func(mapper.Drift) {}))
	require.NoError(t, err)
	got, err := s.Sessions.Get(t.Context(), 1)
	require.NoError(t, err)
	require.Greater(t, got.Version, v.Version)
	for _, column := range []string{"aml_live", "name"} {
		require.Equal(t, []int32{600 - int32((w.now-began)/aSecond)}, w.ttls("sessions", column), column)
	}
}
