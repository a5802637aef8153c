package projection_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// statements records the tables of the statements of each request.
type statements struct{ requests [][]string }

func (s *statements) Start(ctx context.Context, r mapper.Request) context.Context {
	var tables []string
	for _, x := range r.Statements {
		tables = append(tables, x.Table)
	}
	slices.Sort(tables)
	s.requests = append(s.requests, tables)
	return ctx
}

func (*statements) End(context.Context, mapper.RequestResult) {}

// writers returns a function that opens the store for a client whose clock is a number of microseconds after a time.
func writers(t *testing.T) (*memory.Backend, func(after int64, config mapper.Config) *computed.Store) {
	now := time.UnixMicro(firstWrite)
	backend := memory.New(memory.Config{Now: func() time.Time { return now }})
	return backend, func(after int64, config mapper.Config) *computed.Store {
		config.Now = func() time.Time { return now.Add(time.Duration(after) * time.Microsecond) }
		s, err := computed.OpenBackend(t.Context(), backend, config)
		require.NoError(t, err)
		return s
	}
}

// A Delete of a root whose copies have keys that follow from its key is one request, which reads nothing, also in a batch. It calls only the
// methods that read the key, and it leaves the rows of other roots.
func TestDeleteByKeyReadsNothing(t *testing.T) {
	for name, remove := range map[string]func(s *computed.Store) error{
		"Delete": func(s *computed.Store) error { return s.Entries.Delete(t.Context(), "a/b") },
		"Batch": func(s *computed.Store) error {
			b := s.Batch()
			b.Entries.Delete("a/b")
			return b.Run(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, at := writers(t)
			for _, path := range []string{"a/b", "a/c", "d/b"} {
				require.NoError(t, at(0, mapper.Config{}).Entries.Insert(t.Context(), &computed.Entry{Path: path, Size: 7, Hidden: true}))
			}
			sent := &statements{}
			s := at(10, mapper.Config{Tracer: sent})
			require.NoError(t, remove(s))
			require.Equal(t, [][]string{{"entries", "entries_in_dir", "hidden_entries"}}, sent.requests)
			_, err := s.Entries.Get(t.Context(), "a/b")
			require.ErrorIs(t, err, mapper.ErrNotFound)
			in, err := s.EntriesInDir.Of("a/").Count(t.Context())
			require.NoError(t, err)
			hidden, err := s.HiddenEntries.Of("a/").Count(t.Context())
			require.NoError(t, err)
			require.Equal(t, []int{1, 1}, []int{in, hidden}, "the row of a/c stays")
			report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4})
			require.NoError(t, err)
			require.True(t, report.Clean())
		})
	}
}

// A Delete also deletes the row of a copy that the row which it would have read does not imply: a write that overlaps with it adds the row,
// and arrives later with an earlier timestamp.
func TestDeleteByKeyHidesRowsThatOverlappingWritesAdd(t *testing.T) {
	backend, at := writers(t)
	old := computed.Entry{Path: "a/b", Size: 7}
	require.NoError(t, at(0, mapper.Config{}).Entries.Insert(t.Context(), &old))
	require.NoError(t, at(20, mapper.Config{}).Entries.Delete(t.Context(), "a/b"))
	hidden := old
	hidden.Hidden, hidden.Size = true, 8
	require.NoError(t, at(10, mapper.Config{}).Entries.Change(t.Context(), &old, &hidden))
	for _, table := range []string{"entries", "entries_in_dir", "hidden_entries"} {
		require.Empty(t, cellsAt(t, backend, table), table)
	}
}

// A Delete of a key from which no row of a copy follows deletes the row of the root alone: the directory of such a path is empty.
func TestDeleteByKeyWithoutRowsOfCopies(t *testing.T) {
	_, at := writers(t)
	sent := &statements{}
	s := at(10, mapper.Config{Tracer: sent})
	require.NoError(t, s.Entries.Delete(t.Context(), "b"))
	b := s.Batch()
	b.Entries.Delete("c")
	require.NoError(t, b.Run(t.Context()))
	require.Equal(t, [][]string{{"entries"}, {"entries"}}, sent.requests)
}

// A Delete that reads nothing can be repeated if its outcome is unknown.
func TestDeleteByKeyCanBeRepeated(t *testing.T) {
	backend, at := writers(t)
	s := at(10, mapper.Config{})
	require.NoError(t, s.Entries.Insert(t.Context(), &computed.Entry{Path: "a/b", Size: 7, Hidden: true}))
	for name, remove := range map[string]func() error{
		"Delete": func() error { return s.Entries.Delete(t.Context(), "a/b") },
		"Batch": func() error {
			b := s.Batch()
			b.Entries.Delete("a/b")
			return b.Run(t.Context())
		},
	} {
		backend.Intercept(func(memory.Request) memory.Outcome { return memory.LostRequest })
		err := remove()
		require.True(t, mapper.OutcomeUnknown(err) && mapper.SafeToRepeat(err), "%s: %v", name, err)
		backend.Intercept(nil)
		require.NoError(t, remove())
		_, err = s.Entries.Get(t.Context(), "a/b")
		require.ErrorIs(t, err, mapper.ErrNotFound)
	}
}
