package store

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/lease"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

func onLeases(t *testing.T, test func(t *testing.T, s *lease.Store, sent *storetest.Requests)) {
	t.Parallel()
	onStores(t, generated[*lease.Store]{lease.Schema, lease.Open, lease.OpenBackend}, test)
}

// gone waits until a lock has expired.
func gone(t *testing.T, s *lease.Store, id int32) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := s.Locks.Get(t.Context(), id)
		return err != nil
	}, time.Minute, 20*time.Millisecond)
	_, err := s.Locks.Get(t.Context(), id)
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// A versioned row that has expired is a deleted row: it is not read, and the next save of it continues its versions.
func TestLocks(t *testing.T) {
	onLeases(t, func(t *testing.T, s *lease.Store, sent *storetest.Requests) {
		ctx := t.Context()
		short := s.With(mapper.Options{TTL: time.Second})
		first := &lease.Lock{ID: 1, Name: "a"}
		found, err := short.Locks.InsertOrGet(ctx, first)
		require.NoError(t, err)
		require.Nil(t, found)
		gone(t, s, 1)
		_, err = s.LockHolder.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		for range s.Locks.All(ctx, mapper.ScanConfig{}) {
			t.Fatal("an expired row is read")
		}
		_, err = s.Locks.Update(ctx, 1, func(*lease.Lock) error { return nil })
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.ErrorIs(t, s.Locks.DeleteAt(ctx, 1, first.Version), mapper.ErrNotFound)

		second := &lease.Lock{ID: 1, Name: "b"}
		sent.Drain()
		found, err = s.Locks.InsertOrGet(ctx, second)
		require.NoError(t, err)
		require.Nil(t, found)
		require.Len(t, sent.Drain(), 2, "the expired row is in the answer")
		require.Greater(t, second.Version, first.Version)
		require.ErrorIs(t, s.Locks.DeleteAt(ctx, 1, first.Version), mapper.ErrConflict)
		sent.Drain()
		found, err = s.Locks.InsertOrGet(ctx, &lease.Lock{ID: 1, Name: "c"})
		require.NoError(t, err)
		require.Equal(t, second, found)
		require.Len(t, sent.Drain(), 1)

		renewed, err := s.Locks.Update(ctx, 1, func(*lease.Lock) error { return nil })
		require.NoError(t, err)
		require.Greater(t, renewed.Version, second.Version)
		require.NoError(t, s.Locks.DeleteAt(ctx, 1, renewed.Version))
		_, err = s.Locks.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		require.NoError(t, s.Locks.Insert(ctx, &lease.Lock{ID: 1}))

		for _, save := range []func(*lease.Lock) error{
			func(v *lease.Lock) error { return short.Locks.Put(ctx, v) },
			func(v *lease.Lock) error { return short.Locks.Change(ctx, v, &lease.Lock{ID: v.ID, Name: "changed"}) },
			func(v *lease.Lock) error {
				_, err := short.Locks.Upsert(ctx, v.ID, func(*lease.Lock, bool) error { return nil })
				return err
			},
		} {
			v := &lease.Lock{ID: 2}
			require.NoError(t, s.Locks.Put(ctx, v))
			require.NoError(t, save(v))
			gone(t, s, 2)
		}
	})
}

// The copies of a row that expires have what is left of its TTL.
func TestSessions(t *testing.T) {
	onLeases(t, func(t *testing.T, s *lease.Store, _ *storetest.Requests) {
		ctx := t.Context()
		v := &lease.Session{ID: 1, Name: "n", Worker: new("w"), Notes: map[string]string{"k": "t"}}
		require.NoError(t, s.Sessions.Insert(ctx, v))
		of, err := s.SessionsOfWorker.Get(ctx, "w", 1)
		require.NoError(t, err)
		require.Equal(t, "n", of.Name)
		v, err = s.Sessions.Update(ctx, 1, func(v *lease.Session) error { v.Worker, v.Notes = new("x"), nil; return nil })
		require.NoError(t, err)
		_, err = s.SessionsOfWorker.Get(ctx, "w", 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		changed := *v
		changed.Worker = new("y")
		require.NoError(t, s.Sessions.Change(ctx, v, &changed))
		_, err = s.SessionsOfWorker.Get(ctx, "y", 1)
		require.NoError(t, err)
		require.ErrorContains(t, s.With(mapper.Options{TTL: time.Second}).Sessions.Insert(ctx, &lease.Session{ID: 2}), "not supported for a versioned aggregate with redundant tables")
		require.NoError(t, s.Sessions.Delete(ctx, 1))
		_, err = s.SessionsOfWorker.Get(ctx, "y", 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
	})
}

// The function of a migration gives rows of earlier releases a version, and what is left of their TTL; a row without a TTL gets none. Rows that a
// store has saved before they had a TTL become readable, too.
func TestLeasesOfEarlierReleases(t *testing.T) {
	cassandra.Requires(t, "5.0", "a session has a map, whose write times a function of a migration reads")
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, lease.Schema)
	config := mapper.Config{TTL: map[string]time.Duration{"lock": time.Hour}}
	storetest.Execute(t, session, `
		INSERT INTO sessions (id, name, worker) VALUES (1, 'a', 'w') USING TTL 300;
		INSERT INTO sessions (id, name, worker) VALUES (2, 'b', 'w');
		INSERT INTO sessions (id, name, worker, version, aml_attempts) VALUES (3, 'c', 'w', 7, []);
	`)
	s, err := lease.Open(ctx, session, config)
	require.NoError(t, err)
	_, err = s.Sessions.Get(ctx, 1)
	require.ErrorIs(t, err, mapper.ErrNotFound, "the function has not run")
	for range 2 { // it is safe to repeat
		require.NoError(t, lease.Backfills(config)["sessions__version"](ctx, gocqldriver.New(session), "", storetest.NoSave))
	}
	for id := int32(1); id <= 3; id++ {
		v, err := s.Sessions.Get(ctx, id)
		require.NoError(t, err)
		require.Greater(t, v.Version, int64(7))
		_, err = s.SessionsOfWorker.Get(ctx, "w", id)
		require.NoError(t, err)
		var live, version, copied *int
		require.NoError(t, session.Query("SELECT TTL(aml_live), TTL(version) FROM sessions WHERE id = ?", nil).Bind(id).Scan(&live, &version))
		require.NoError(t, session.Query("SELECT TTL(name) FROM sessions_of_worker WHERE worker = 'w' AND id = ?", nil).Bind(id).Scan(&copied))
		if id == 1 {
			require.Positive(t, *live)
			require.LessOrEqual(t, *live, 300)
			require.InDelta(t, *live+864000, *version, 2)
			require.LessOrEqual(t, *copied, *live)
			continue
		}
		require.Nil(t, live)
		require.Nil(t, version)
		require.Nil(t, copied)
		v, err = s.Sessions.Update(ctx, id, func(*lease.Session) error { return nil })
		require.NoError(t, err, "%d", v.ID)
		require.NoError(t, session.Query("SELECT TTL(aml_live), TTL(version) FROM sessions WHERE id = ?", nil).Bind(id).Scan(&live, &version))
		require.NotNil(t, live, "the next save begins a TTL")
	}
}
