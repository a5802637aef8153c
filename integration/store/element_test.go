package store

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/contactmodel"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// A method for one element changes the row and the rows of its copies in one request, which is the one that aml explain prints.
func TestElements(t *testing.T) {
	t.Parallel()
	sent := &storetest.Requests{}
	t.Run("memory", func(t *testing.T) {
		s, err := contactmodel.OpenOn(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		writeElements(t, s, sent)
	})
	t.Run("node", func(t *testing.T) {
		s, err := contactmodel.Open(t.Context(), storetest.SharedTables(t, contactmodel.Schema), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		writeElements(t, s, sent)
	})
}

// elementsExplained returns an assertion for each method for one element, and the names of those that do not exist.
func elementsExplained(t *testing.T) (with map[string]func(t *testing.T, sent []mapper.Request), without []string) {
	t.Helper()
	with = map[string]func(*testing.T, []mapper.Request){}
	for _, f := range explained(t, "../contactmodel", "contacts").Fields {
		for _, e := range f.Elements {
			if e.Operation == nil {
				require.NotEmpty(t, e.No)
				without = append(without, e.Name)
				continue
			}
			with[e.Name] = func(t *testing.T, sent []mapper.Request) {
				t.Helper()
				require.Len(t, sent, e.Operation.RoundTrips, e.Name)
				requireSent(t, e.Operation.Requests[0], sent...)
			}
		}
	}
	return with, without
}

func writeElements(t *testing.T, s *contactmodel.Store, sent *storetest.Requests) {
	ctx, contacts := t.Context(), s.Contacts
	v := &contactmodel.Contact{ID: "ana", Name: "Ana", Mails: []string{"a@x"}, Phones: []string{"1"}, Groups: []string{"g", "h"},
		Addresses: map[string]contactmodel.Address{"home": {City: "Olinda"}}, Cars: []contactmodel.Car{{Plate: "A", Color: "red"}}}
	require.NoError(t, contacts.Insert(ctx, v))
	with, without := elementsExplained(t)
	require.ElementsMatch(t, []string{"AddGroups", "RemoveMails"}, without)
	sent.Take()
	do := func(name string, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Contains(t, with, name)
		with[name](t, sent.Take())
	}
	do("AddPhones", contacts.AddPhones(ctx, "ana", "2"))
	do("RemovePhones", contacts.RemovePhones(ctx, "ana", "1"))
	do("PutAddresses", contacts.PutAddresses(ctx, "ana", "work", contactmodel.Address{City: "Recife"}))
	do("PutAddresses", contacts.PutAddresses(ctx, "ana", "work", contactmodel.Address{City: "Natal", Street: "Sol"}))
	do("RemoveAddresses", contacts.RemoveAddresses(ctx, "ana", "home"))
	do("PutCars", contacts.PutCars(ctx, "ana", contactmodel.Car{Plate: "B", Color: "blue"}))
	do("RemoveCars", contacts.RemoveCars(ctx, "ana", "A"))
	do("RemoveGroups", contacts.RemoveGroups(ctx, "ana", "g"))
	do("AddMails", contacts.AddMails(ctx, "ana", "b@x"))

	got, err := contacts.Get(ctx, "ana")
	require.NoError(t, err)
	require.Equal(t, &contactmodel.Contact{ID: "ana", Name: "Ana", Mails: []string{"a@x", "b@x"}, Phones: []string{"2"}, Groups: []string{"h"},
		Addresses: map[string]contactmodel.Address{"work": {City: "Natal", Street: "Sol"}}, Cars: []contactmodel.Car{{Plate: "B", Color: "blue"}}}, got)
	requireElementRows(t, s)
	sent.Take()
	refusedElements(t, s)
	require.Empty(t, sent.Take())

	require.NoError(t, contacts.AddPhones(ctx, "rui", "2")) // there is no row: this creates one
	got, err = contacts.Get(ctx, "rui")
	require.NoError(t, err)
	require.Equal(t, &contactmodel.Contact{ID: "rui", Phones: []string{"2"}}, got)
	require.NoError(t, contacts.RemovePhones(ctx, "rui", "2"))
	_, err = contacts.Get(ctx, "rui")
	require.ErrorIs(t, err, mapper.ErrNotFound)
}

// requireElementRows asserts the rows of the copies.
func requireElementRows(t *testing.T, s *contactmodel.Store) {
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

// refusedElements calls methods that return an error and send nothing.
func refusedElements(t *testing.T, s *contactmodel.Store) {
	t.Helper()
	ctx, contacts := t.Context(), s.Contacts
	for text, call := range map[string]func(context.Context) error{
		"ID is empty, but is in the key": func(ctx context.Context) error { return contacts.AddPhones(ctx, "", "1") },
		`Addresses["home"].City is required`: func(ctx context.Context) error {
			return contacts.PutAddresses(ctx, "ana", "home", contactmodel.Address{})
		},
		`Phones[""] implies a row of contacts_by_phone whose key phone is empty`: func(ctx context.Context) error { return contacts.AddPhones(ctx, "ana", "") },
	} {
		err := call(ctx)
		require.ErrorAs(t, err, new(*mapper.ConstraintError))
		require.ErrorContains(t, err, text)
	}
	expiring := s.With(mapper.Options{TTL: time.Hour}).Contacts
	require.EqualError(t, expiring.PutCars(ctx, "ana", contactmodel.Car{Plate: "C", Color: "red"}),
		"mapper: Put Contact (contacts id='ana'): a write with a TTL writes the whole row: use Update or Put")
	require.ErrorContains(t, expiring.RemovePhones(ctx, "ana", "2"), "mapper: Remove Contact")
}
