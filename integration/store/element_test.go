package store

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/directory"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A method for one element changes the row and the rows of its copies in one request, which is the one that aml explain prints.
func TestElements(t *testing.T) {
	t.Parallel()
	onStores(t, generated[*directory.Store]{directory.Schema, directory.Open, directory.OpenBackend}, writeElements)
}

// elementsExplained returns an assertion for each method for one element, and the names of those that do not exist.
func elementsExplained(t *testing.T) (with map[string]func(t *testing.T, sent []mapper.Request), without []string) {
	t.Helper()
	with = map[string]func(*testing.T, []mapper.Request){}
	for _, f := range explained(t, "../models/directory", "contacts").Fields {
		for _, e := range f.Elements {
			if e.Operation == nil {
				require.NotEmpty(t, e.No)
				without = append(without, e.Name)
				continue
			}
			require.Equal(t, e.Reads != "", e.Operation.RoundTrips == 2)
			with[e.Name] = func(t *testing.T, sent []mapper.Request) {
				t.Helper()
				require.Len(t, sent, e.Operation.RoundTrips, e.Name)
				for i, r := range e.Operation.Requests {
					requireSent(t, r, sent[i])
				}
				if e.Operation.ByField {
					requireField(t, f, sent[1])
				}
			}
		}
	}
	return with, without
}

// requireField asserts that the statements of a request are some of those that a change of a field sends.
func requireField(t *testing.T, f *explain.Field, sent mapper.Request) {
	t.Helper()
	all := texts(f.Update)
	for _, s := range sent.Statements {
		require.True(t, all[s.CQL], s.CQL)
	}
	require.True(t, f.Update.Batchlog == explain.Sometimes || sent.Batchlog == (f.Update.Batchlog == explain.Always))
}

func writeElements(t *testing.T, s *directory.Store, sent *storetest.Requests) {
	ctx, contacts := t.Context(), s.Contacts
	v := &directory.Contact{ID: "ana", Name: "Ana", Mails: []string{"a@x"}, Phones: []string{"1"}, Groups: []string{"g", "h"},
		Addresses: map[string]directory.Address{"home": {City: "Olinda"}}, Cars: []directory.Car{{Plate: "A", Color: "red"}},
		Notes: []string{"n"}, Tasks: []directory.Task{{Name: "call"}}, Home: directory.Place{City: "Olinda", Street: "Sol"}}
	require.NoError(t, contacts.Insert(ctx, v))
	with, without := elementsExplained(t)
	require.ElementsMatch(t, []string{"SetHomeStreet", "AppendVisits", "PrependVisits"}, without)
	sent.Drain()
	do := func(name string, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Contains(t, with, name)
		with[name](t, sent.Drain())
	}
	do("AddPhones", contacts.AddPhones(ctx, "ana", "2"))
	do("RemovePhones", contacts.RemovePhones(ctx, "ana", "1"))
	do("PutAddresses", contacts.PutAddresses(ctx, "ana", "work", directory.Address{City: "Recife"}))
	do("PutAddresses", contacts.PutAddresses(ctx, "ana", "work", directory.Address{City: "Natal", Street: "Sol"}))
	do("RemoveAddresses", contacts.RemoveAddresses(ctx, "ana", "home"))
	do("PutCars", contacts.PutCars(ctx, "ana", directory.Car{Plate: "B", Color: "blue"}))
	do("RemoveCars", contacts.RemoveCars(ctx, "ana", "A"))
	do("RemoveGroups", contacts.RemoveGroups(ctx, "ana", "g"))
	do("AddGroups", contacts.AddGroups(ctx, "ana", "i"))
	do("AddMails", contacts.AddMails(ctx, "ana", "b@x"))
	do("AddMails", contacts.AddMails(ctx, "ana", "c@x"))
	do("RemoveMails", contacts.RemoveMails(ctx, "ana", "c@x"))
	do("AppendNotes", contacts.AppendNotes(ctx, "ana", "o"))
	do("PrependNotes", contacts.PrependNotes(ctx, "ana", "m"))
	do("AppendRecent", contacts.AppendRecent(ctx, "ana", "b"))
	do("PrependRecent", contacts.PrependRecent(ctx, "ana", "a"))
	do("AppendTasks", contacts.AppendTasks(ctx, "ana", directory.Task{Name: "write", Done: true}))
	do("PrependTasks", contacts.PrependTasks(ctx, "ana", directory.Task{Name: "rest"}))
	do("SetHomeCity", contacts.SetHomeCity(ctx, "ana", "Recife"))
	do("SetHomeNote", contacts.SetHomeNote(ctx, "ana", new("blue door")))
	require.NoError(t, contacts.AddGroups(ctx, "ana", "i"))
	require.Len(t, sent.Drain(), 1, "the element exists, so nothing is written after the read")

	got, err := contacts.Get(ctx, "ana")
	require.NoError(t, err)
	home := directory.Place{City: "Recife", Street: "Sol", Note: new("blue door")}
	require.Equal(t, &directory.Contact{ID: "ana", Name: "Ana", Mails: []string{"a@x", "b@x"}, Phones: []string{"2"}, Groups: []string{"h", "i"},
		Addresses: map[string]directory.Address{"work": {City: "Natal", Street: "Sol"}}, Cars: []directory.Car{{Plate: "B", Color: "blue"}},
		Notes: []string{"m", "n", "o"}, Recent: []string{"a", "b"}, Tasks: []directory.Task{{Name: "rest"}, {Name: "call"}, {Name: "write", Done: true}},
		Home: home}, got)
	requireElementRows(t, s)
	homes, err := s.ContactHomes.Get(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, &directory.ContactHomes{ID: "ana", City: "Recife", Home: home}, homes)
	street, err := s.ContactsByStreet.Get(ctx, "Sol", "ana")
	require.NoError(t, err)
	require.Equal(t, []string{"h", "i"}, street.Groups)
	sent.Drain()
	refusedElements(t, s)
	require.Empty(t, sent.Drain())
	refusedAfterRead(t, s)

	require.NoError(t, contacts.AddPhones(ctx, "rui", "2")) // there is no row: this creates one
	got, err = contacts.Get(ctx, "rui")
	require.NoError(t, err)
	require.Equal(t, &directory.Contact{ID: "rui", Phones: []string{"2"}}, got)
	require.NoError(t, contacts.RemovePhones(ctx, "rui", "2"))
	require.NoError(t, contacts.RemoveMails(ctx, "rui", "2"), "there is nothing to remove")
	require.NoError(t, contacts.AppendRecent(ctx, "eva", "a"), "the rules of the other fields are not checked")
	got, err = contacts.Get(ctx, "eva")
	require.NoError(t, err)
	require.Equal(t, &directory.Contact{ID: "eva", Recent: []string{"a"}}, got)
	_, err = contacts.Get(ctx, "rui")
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// requireElementRows asserts the rows of the copies.
func requireElementRows(t *testing.T, s *directory.Store) {
	t.Helper()
	ctx := t.Context()
	same, err := s.ContactPhones.Get(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, []string{"2"}, same.Phones)
	_, err = s.ContactsByPhone.Get(ctx, "2", "ana")
	require.NoError(t, err)
	_, err = s.ContactsByPhone.Get(ctx, "1", "ana")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	work, err := s.AddressesByLabel.Get(ctx, "work", "ana")
	require.NoError(t, err)
	require.Equal(t, "Natal", work.City)
	_, err = s.AddressesByLabel.Get(ctx, "home", "ana")
	require.ErrorIs(t, err, mapper.ErrNotFound)
	car, err := s.CarsByPlate.Get(ctx, "B", "ana")
	require.NoError(t, err)
	require.Equal(t, "blue", car.Color)
	_, err = s.CarsByPlate.Get(ctx, "A", "ana")
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// refusedAfterRead calls methods whose rule needs the row.
func refusedAfterRead(t *testing.T, s *directory.Store) {
	t.Helper()
	ctx, contacts := t.Context(), s.Contacts
	require.NoError(t, contacts.AddGroups(ctx, "ana", "j"))
	require.NoError(t, contacts.RemoveMails(ctx, "ana", "a@x"))
	for text, err := range map[string]error{
		"Groups has 4 values":                 contacts.AddGroups(ctx, "ana", "k"),
		"Mails is required":                   contacts.RemoveMails(ctx, "ana", "b@x"),
		"Recent has 3 values":                 contacts.PrependRecent(ctx, "ana", "c"),
		"Tasks[3]":                            contacts.AppendTasks(ctx, "ana", directory.Task{Name: "call"}),
		"is in the key of contacts_by_street": contacts.AddGroups(ctx, "new", "k"),
	} {
		require.ErrorAs(t, err, new(*mapper.ConstraintError), text)
		require.ErrorContains(t, err, text)
	}
}

// An element of a list is sent once: after an unknown outcome, the call is not repeated, and it says that it cannot be.
func TestElementsOfListsAreSentOnce(t *testing.T) {
	t.Parallel()
	sent, backend := &storetest.Requests{}, memory.New(memory.Config{})
	s, err := directory.OpenBackend(t.Context(), backend, mapper.Config{Tracer: sent})
	require.NoError(t, err)
	ctx, outcome := t.Context(), memory.Done
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Write {
			return outcome
		}
		return memory.Done
	})
	for name, add := range map[string]func() error{
		"Append":  func() error { return s.Contacts.AppendNotes(ctx, "ana", "n") },
		"Prepend": func() error { return s.Contacts.PrependRecent(ctx, "rui", "n") },
	} {
		outcome = memory.LostAnswer
		sent.Drain()
		err := add()
		require.True(t, mapper.OutcomeUnknown(err), name)
		require.False(t, mapper.SafeToRepeat(err), name)
		writes := 0
		for _, r := range sent.Drain() {
			require.Equal(t, name, r.Op)
			if r.Timestamp > 0 {
				writes++
			}
		}
		require.Equal(t, 1, writes, name)
		outcome = memory.Done
		require.NoError(t, add())
	}
	ana, err := s.Contacts.Get(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, []string{"n", "n"}, ana.Notes)
	attempts := 0
	backend.Intercept(func(memory.Request) memory.Outcome {
		if attempts++; attempts == 1 {
			return memory.NotSent
		}
		return memory.Done
	})
	require.NoError(t, s.Contacts.AppendNotes(ctx, "ana", "o"), "an attempt that was not sent is repeated")
	require.Equal(t, 2, attempts)
}

// refusedElements calls methods that return an error and send nothing.
func refusedElements(t *testing.T, s *directory.Store) {
	t.Helper()
	ctx, contacts := t.Context(), s.Contacts
	for text, call := range map[string]func(context.Context) error{
		"ID is empty, but is in the key": func(ctx context.Context) error { return contacts.AddPhones(ctx, "", "1") },
		`Addresses["home"].City is required`: func(ctx context.Context) error {
			return contacts.PutAddresses(ctx, "ana", "home", directory.Address{})
		},
		`Phones[""] implies a row of contacts_by_phone whose key phone is empty`: func(ctx context.Context) error { return contacts.AddPhones(ctx, "ana", "") },
	} {
		err := call(ctx)
		require.ErrorAs(t, err, new(*mapper.ConstraintError))
		require.ErrorContains(t, err, text)
	}
	expiring := s.With(mapper.Options{TTL: time.Hour}).Contacts
	require.EqualError(t, expiring.PutCars(ctx, "ana", directory.Car{Plate: "C", Color: "red"}),
		"mapper: Put Contact (contacts id='ana'): a write with a TTL writes the whole row: use Update or Put")
	require.ErrorContains(t, expiring.RemovePhones(ctx, "ana", "2"), "mapper: Remove Contact")
	for text, err := range map[string]error{
		"mapper: Add Contact":     expiring.AddGroups(ctx, "ana", "k"),
		"mapper: Append Contact":  expiring.AppendNotes(ctx, "ana", "k"),
		"mapper: Prepend Contact": expiring.PrependRecent(ctx, "ana", "k"),
		"mapper: Set Contact":     expiring.SetHomeCity(ctx, "ana", "Recife"),
	} {
		require.ErrorContains(t, err, text)
		require.ErrorContains(t, err, "a write with a TTL writes the whole row")
	}
	at := s.With(mapper.Options{Timestamp: time.Now().UnixMicro()}).Contacts
	require.ErrorContains(t, at.AppendNotes(ctx, "ana", "k"), "mapper: Append Contact")
}

// A change after a read is later than the cells that were read, even if the clock is behind.
func TestElementsAfterTheTimeThatWasRead(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	s, err := directory.OpenBackend(t.Context(), memory.New(memory.Config{Now: func() time.Time { return now }}))
	require.NoError(t, err)
	ctx, ahead := t.Context(), s.With(mapper.Options{Timestamp: now.Add(time.Second / 2).UnixMicro()})
	written, err := ahead.Contacts.Import(ctx, &directory.Contact{ID: "ana", Name: "Ana", Mails: []string{"a", "b"}, Groups: []string{"g"}, Home: directory.Place{Street: "Sol"}})
	require.NoError(t, err)
	require.True(t, written)
	require.NoError(t, s.Contacts.RemoveMails(ctx, "ana", "a"))
	require.NoError(t, s.Contacts.RemoveGroups(ctx, "ana", "g"))
	ana, err := s.Contacts.Get(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, []string{"b"}, ana.Mails)
	street, err := s.ContactsByStreet.Get(ctx, "Sol", "ana")
	require.NoError(t, err)
	require.Empty(t, append(street.Groups, ana.Groups...))
}
