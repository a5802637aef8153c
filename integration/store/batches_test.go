package store

import (
	"testing"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/directory"
	"github.com/cassaml/cassaml/integration/models/part"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A batch writes several aggregates in one request, in memory and on a node.
func TestSeveralAggregatesInABatch(t *testing.T) {
	t.Parallel()
	t.Run("memory", func(t *testing.T) {
		sent := &storetest.Requests{}
		store, err := workshop.OpenBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		batchOfJobs(t, store, sent)
	})
	storetest.InOneKeyspace(t, []storetest.Test{{"node", func(t *testing.T, s gocqlx.Session) {
		sent := &storetest.Requests{}
		batchOfJobs(t, storetest.OpenJobs(t, s, mapper.Config{Tracer: sent}), sent)
	}}})
}

// batchOfJobs moves a tool from one job to another, and puts a sample, in one batch.
func batchOfJobs(t *testing.T, store *workshop.Store, sent *storetest.Requests) {
	ctx, one, two := t.Context(), lent(1, jack), lent(2)
	storetest.InsertJobs(t, store, one, two)
	require.NoError(t, store.Samples.Insert(ctx, &workshop.Sample{ID: 2, TimeUUID: storetest.TimeUUID}))
	sent.Drain()

	b := store.Batch()
	b.Jobs.Change(two, storetest.Changed(two, func(j *workshop.Job) { j.Tools = []workshop.Tool{jack} }))
	b.Jobs.Change(one, storetest.Changed(one, func(j *workshop.Job) { j.Tools = nil }))
	b.Samples.Put(&workshop.Sample{ID: 1, TimeUUID: storetest.TimeUUID, Text: "x"})
	b.Samples.Delete(2)
	b.Jobs.SetSketch(one.Site, one.Year, one.Opened, storetest.JobID(3), []byte{1})
	require.NoError(t, b.Run(ctx))

	var shapes []string
	for _, r := range sent.Drain() {
		shapes = append(shapes, shape(r))
		requireOneTimestamp(t, r)
	}
	require.Equal(t, []string{"none: tools_by_serial", "logged, batchlog: jobs tools_by_serial jobs samples samples jobs"}, shapes)
	require.Equal(t, two.Title, holder(t, store, jack))
	sample, err := store.Samples.Get(ctx, 1)
	require.NoError(t, err)
	require.Equal(t, "x", sample.Text)
	_, err = store.Samples.Get(ctx, 2)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	third, err := store.Jobs.Get(ctx, one.Site, one.Year, one.Opened, storetest.JobID(3))
	require.NoError(t, err)
	require.Equal(t, []byte{1}, third.Sketch)

	broken := store.Batch()
	broken.Samples.Delete(1)
	broken.Jobs.Insert(&workshop.Job{})
	var fault *mapper.ConstraintError
	require.ErrorAs(t, broken.Run(ctx), &fault)
	_, err = store.Samples.Get(ctx, 1)
	require.NoError(t, err)
}

// Single elements and fields of UDTs are written together with other aggregates, with the same effect as alone.
func TestElementsInABatch(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*directory.Store]{directory.Schema, directory.Open, directory.OpenBackend}, batchOfElements)
}

func batchOfElements(t *testing.T, s *directory.Store, sent *storetest.Requests) {
	ctx := t.Context()
	contact := func(id string) *directory.Contact {
		return &directory.Contact{ID: id, Mails: []string{"m"}, Phones: []string{"1"}, Home: directory.Place{Street: "Sol"},
			Addresses: map[string]directory.Address{"home": {City: "Olinda"}}}
	}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		require.NoError(t, s.Contacts.Insert(ctx, contact(id)))
	}
	sent.Drain()
	b := s.Batch()
	b.Contacts.AddPhones("a", "2")
	b.Contacts.RemovePhones("b", "1")
	b.Contacts.PutAddresses("c", "work", directory.Address{City: "Recife"})
	b.Contacts.RemoveAddresses("d", "home")
	b.Contacts.SetHomeCity("e", "Natal")
	require.NoError(t, b.Run(ctx))
	require.Len(t, sent.Drain(), 1)

	want := map[string]*directory.Contact{"a": contact("a"), "b": contact("b"), "c": contact("c"), "d": contact("d"), "e": contact("e")}
	want["a"].Phones, want["b"].Phones, want["d"].Addresses = []string{"1", "2"}, nil, nil
	want["c"].Addresses["work"] = directory.Address{City: "Recife"}
	want["e"].Home.City = "Natal"
	for id, w := range want {
		got, err := s.Contacts.Get(ctx, id)
		require.NoError(t, err)
		require.Equal(t, w, got)
	}
	_, err := s.ContactsByPhone.Get(ctx, "2", "a")
	require.NoError(t, err)
	_, err = s.ContactsByPhone.Get(ctx, "1", "b")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	_, err = s.AddressesByLabel.Get(ctx, "work", "c")
	require.NoError(t, err)
	_, err = s.AddressesByLabel.Get(ctx, "home", "d")
	require.ErrorIs(t, err, mapper.ErrNotFound)

	refused := s.Batch()
	refused.Contacts.AddPhones("a", "3")
	refused.Contacts.RemovePhones("a", "1")
	require.ErrorContains(t, refused.Run(ctx), "contacts")
	bad := s.Batch()
	bad.Contacts.PutAddresses("a", "x", directory.Address{})
	var fault *mapper.ConstraintError
	require.ErrorAs(t, bad.Run(ctx), &fault)
	require.Empty(t, sent.Writes())
}

// A root and its parts are inserted together, also if they have one table.
func TestBatchOfARootAndItsParts(t *testing.T) {
	onPartStores(t, func(t *testing.T, s *part.Store, sent *storetest.Requests) {
		sent.Drain()
		ctx, game, run := t.Context(), gocql.TimeUUID(), gocql.TimeUUID()
		b := s.Batch()
		b.Games.Insert(&part.Game{Region: "north", ID: game, Name: "final"})
		b.Rounds.Put(&part.Round{Region: "north", GameID: game, Number: 1, Try: 1, Winner: "Ana"})
		b.Guests.Insert(&part.Guest{Region: "north", GameID: game, Seat: 1, Name: "Bia"})
		b.Runs.Insert(&part.Run{ID: run, State: "new", Owner: "Eva"})
		b.Segment.Insert(&part.Segment{RunID: run, Number: 1, Word: "a"})
		b.Segment.Insert(&part.Segment{RunID: run, Number: 2, Word: "b"})
		require.NoError(t, b.Run(ctx))
		require.Len(t, sent.Drain(), 1)
		_, rounds, err := s.Games.GetWithRounds(ctx, "north", game)
		require.NoError(t, err)
		require.Len(t, rounds, 1)
		read, segments, err := s.Runs.GetWithSegment(ctx, run)
		require.NoError(t, err)
		require.Equal(t, "new", read.State)
		require.Len(t, segments, 2)
		guests := collected(t, s.GuestsByName.Of("Bia").All(ctx))
		require.Contains(t, guests, &part.GuestsByName{Name: "Bia", Region: "north", GameID: game, Seat: 1})
	})
}
