package store

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/directory"
	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// sequence returns n values.
func sequence[T any](n int, value func(i int) *T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for i := range n {
			if !yield(value(i), nil) {
				return
			}
		}
	}
}

// Values of one partition share batches, and values with copies have a logged batch each: the requests that aml explain prints.
func TestInsertAll(t *testing.T) {
	t.Parallel()
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		ctx, games := t.Context(), []gocql.UUID{gocql.TimeUUID(), gocql.TimeUUID(), gocql.TimeUUID()}
		const rounds = 700
		last := 0
		progress := func(n int) { require.Greater(t, n, last); last = n }
		sent.Drain()
		res, err := s.Rounds.InsertAll(ctx, sequence(rounds, func(i int) *part.Round {
			return &part.Round{Region: "north", GameID: games[i%3], Number: int32(i), Winner: fmt.Sprint(i)}
		}), mapper.BulkConfig{Progress: progress})
		require.NoError(t, err)
		require.Equal(t, mapper.BulkResult{Written: rounds}, res)
		require.Equal(t, rounds, last)
		got := sent.Drain()
		require.Less(t, len(got), rounds/100, "values of one partition share a batch")
		for _, r := range got {
			require.Equal(t, "InsertAll", r.Op)
			require.False(t, r.Batchlog)
			require.LessOrEqual(t, bytesOf(r), mapper.DefaultBatchLimit)
		}
		o := operation(t, explained(t, "../models/part", "rounds"), "InsertAll")
		alone := &part.Round{Region: "north", GameID: gocql.TimeUUID()}
		_, err = s.Rounds.InsertAll(ctx, sequence(1, func(int) *part.Round { return alone }), mapper.BulkConfig{})
		require.NoError(t, err)
		requireSent(t, o.Requests[0], append(got, sent.Drain()...)...)
		require.Len(t, collected(t, s.Rounds.Of("north", games[0]).All(ctx)), (rounds+2)/3)

		o = operation(t, explained(t, "../models/part", "games"), "InsertAll")
		sent.Drain()
		res, err = s.Games.InsertAll(ctx, sequence(len(games), func(i int) *part.Game {
			return &part.Game{Region: "north", ID: games[i], Name: games[i].String()}
		}), mapper.BulkConfig{Parallel: 2})
		require.NoError(t, err)
		require.Equal(t, len(games), res.Written)
		got = sent.Drain()
		require.Len(t, got, len(games))
		requireSent(t, o.Requests[0], got...)
		for _, id := range games {
			require.Len(t, collected(t, s.GamesByName.Of(id.String()).All(ctx)), 1)
		}
	})
}

func bytesOf(r mapper.Request) (n int) {
	for _, s := range r.Statements {
		n += s.Bytes
	}
	return n
}

// Of two values of one row the later one wins, also of its columns together.
func TestInsertAllOfOneRow(t *testing.T) {
	t.Parallel()
	s, err := part.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	id := gocql.TimeUUID()
	res, err := s.Rounds.InsertAll(t.Context(), sequence(300, func(i int) *part.Round {
		return &part.Round{Region: "north", GameID: id, Number: int32(i % 3), Winner: fmt.Sprint(999 - i), Moves: []string{fmt.Sprint(999 - i)}}
	}), mapper.BulkConfig{})
	require.NoError(t, err)
	require.Equal(t, 300, res.Written)
	for _, r := range collected(t, s.Rounds.Of("north", id).All(t.Context())) {
		want := fmt.Sprint(999 - 297 - r.Number)
		require.Equal(t, want, r.Winner)
		require.Equal(t, []string{want}, r.Moves)
	}
}

// bulkContact returns a contact. With a phone, its write has another table.
func bulkContact(i int, phone bool) *directory.Contact {
	c := &directory.Contact{ID: fmt.Sprint(i), Name: "Ana", Mails: []string{"a@x"}, Home: directory.Place{Street: "Sol"}}
	if phone {
		c.Phones = []string{"1"}
	}
	return c
}

// InsertAll ends at the first error. The values before an error of the sequence or of a value are written.
func TestInsertAllEndsAtTheFirstError(t *testing.T) {
	t.Parallel()
	s, err := directory.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	ctx := t.Context()
	fault := errors.New("the file is damaged")
	after := func(n int, v *directory.Contact, err error) iter.Seq2[*directory.Contact, error] {
		return func(yield func(*directory.Contact, error) bool) {
			for i := range n {
				if !yield(bulkContact(i, false), nil) {
					return
				}
			}
			require.False(t, yield(v, err), "nothing is read after an error")
		}
	}
	res, err := s.Contacts.InsertAll(ctx, after(5, nil, fault), mapper.BulkConfig{})
	require.Equal(t, fault, err, "unchanged")
	require.Equal(t, mapper.BulkResult{Written: 5, Err: fault}, res)

	var refused *mapper.ConstraintError
	res, err = s.Contacts.InsertAll(ctx, after(3, nil, nil), mapper.BulkConfig{})
	require.ErrorAs(t, err, &refused)
	require.Equal(t, []mapper.Violation{{Path: "[3]", Problem: "is a nil pointer"}}, refused.Violations)
	require.Equal(t, 3, res.Written)

	res, err = s.Contacts.InsertAll(ctx, after(4, &directory.Contact{ID: "bad"}, nil), mapper.BulkConfig{Parallel: 1})
	require.ErrorAs(t, err, &refused)
	require.ErrorContains(t, err, "InsertAll: value 4: mapper: Contact (contacts id='bad')")
	require.Equal(t, 4, res.Written)

	_, err = s.Contacts.InsertAll(ctx, after(1, nil, nil), mapper.BulkConfig{Parallel: -1})
	require.ErrorContains(t, err, "mapper.BulkConfig.Parallel is -1: use 1 or more, or 0 for 16")
	_, err = s.Contacts.InsertAll(ctx, nil, mapper.BulkConfig{})
	require.ErrorContains(t, err, "the sequence is nil")
	_, err = (&directory.Store{}).Contacts.InsertAll(ctx, after(1, nil, nil), mapper.BulkConfig{})
	require.Error(t, err)
	_, err = s.With(mapper.Options{Verified: true}).Contacts.InsertAll(ctx, after(1, nil, nil), mapper.BulkConfig{})
	require.ErrorContains(t, err, "Options.Verified is for reads")
}

// The result has the first values, all of which are written, and the others that are written or can be.
func TestResultOfInsertAll(t *testing.T) {
	t.Parallel()
	backend := memory.New(memory.Config{})
	s, err := directory.OpenBackend(t.Context(), backend)
	require.NoError(t, err)
	ctx, written, outcome := t.Context(), make(chan bool), memory.Refused
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Write && slices.Contains(r.Tables, "contacts_by_phone") {
			<-written
			return outcome
		}
		return memory.Done
	})
	config := mapper.BulkConfig{Parallel: 3, Progress: func(n int) {
		if n == 4 {
			close(written)
		}
	}}
	five := sequence(5, func(i int) *directory.Contact { return bulkContact(i, i == 2) })
	res, err := s.Contacts.InsertAll(ctx, five, config)
	require.ErrorContains(t, err, "mapper: InsertAll: value 2: ")
	require.Equal(t, mapper.BulkResult{Written: 2, Unknown: [][2]int{{3, 5}}, Err: err}, res)
	_, err = s.Contacts.Get(ctx, "2")
	require.ErrorIs(t, err, mapper.ErrNotFound)

	written, outcome = make(chan bool), memory.LostAnswer
	res, err = s.Contacts.InsertAll(ctx, five, config)
	require.True(t, mapper.OutcomeUnknown(err) && mapper.SafeToRepeat(err))
	require.Equal(t, mapper.BulkResult{Written: 2, Unknown: [][2]int{{2, 5}}, Err: err}, res)
	_, err = s.Contacts.Get(ctx, "2")
	require.NoError(t, err)
}

// The sequence is read only as fast as its values are written.
func TestInsertAllReadsAsItWrites(t *testing.T) {
	t.Parallel()
	s, err := directory.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	const parallel = 4
	var done atomic.Int64
	res, err := s.Contacts.InsertAll(t.Context(), sequence(500, func(i int) *directory.Contact {
		require.GreaterOrEqual(t, int(done.Load()), i-parallel)
		return bulkContact(i, false)
	}), mapper.BulkConfig{Parallel: parallel, Progress: func(n int) { done.Store(int64(n)) }})
	require.NoError(t, err)
	require.Equal(t, 500, res.Written)
}

// Whatever happens to the requests and to the context, each value in the table is among those that the result names.
func TestResultOfInsertAllNamesWhatIsWritten(t *testing.T) {
	t.Parallel()
	outcomes := []memory.Outcome{memory.Refused, memory.LostAnswer}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		backend := memory.New(memory.Config{})
		s, err := directory.OpenBackend(t.Context(), backend)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		fault, outcome, phone := r.IntN(60), outcomes[r.IntN(2)], r.IntN(60)
		ends := r.IntN(120)
		backend.Intercept(func(r memory.Request) memory.Outcome {
			if r.Write && slices.Contains(r.Tables, "contacts_by_phone") {
				return outcome
			}
			return memory.Done
		})
		n := 0
		res, err := s.Contacts.InsertAll(ctx, sequence(60, func(i int) *directory.Contact {
			if n++; i == ends {
				cancel()
			}
			if i == fault && seed%2 == 0 {
				return &directory.Contact{ID: "bad"}
			}
			return bulkContact(i, i == phone)
		}), mapper.BulkConfig{Parallel: 1 + r.IntN(8)})
		require.Equal(t, err, res.Err)
		named := func(i int) bool {
			return i < res.Written || slices.ContainsFunc(res.Unknown, func(x [2]int) bool { return x[0] <= i && i < x[1] })
		}
		for i := range 60 {
			_, err := s.Contacts.Get(t.Context(), fmt.Sprint(i))
			require.True(t, err != nil || named(i), "seed %d: value %d is written, not in %+v", seed, i, res)
			require.True(t, err == nil || i >= res.Written, "seed %d: value %d is not written, in %+v", seed, i, res)
		}
		cancel()
	}
}

// A sequence that panics ends InsertAll after the requests that are under way.
func TestInsertAllOfASequenceThatPanics(t *testing.T) {
	t.Parallel()
	s, err := directory.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	for _, parallel := range []int{1, 4} {
		require.PanicsWithValue(t, "damaged", func() {
			_, _ = s.Contacts.InsertAll(t.Context(), sequence(9, func(i int) *directory.Contact {
				if i == 8 {
					panic("damaged")
				}
				return bulkContact(i, false)
			}), mapper.BulkConfig{Parallel: parallel})
		})
	}
}
