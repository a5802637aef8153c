package store

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	release1 "github.com/cassaml/cassaml/integration/models/release/first"
	release2 "github.com/cassaml/cassaml/integration/models/release/second"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
)

// Two people have one e-mail when it becomes unique. The backfill reports the second one. What a store of the new release then
// saves in that row, before and after its e-mail changes, leaves the copy that has the e-mail as its key to the owner.
func TestVersionsOfRowsWithOneUniqueValue(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, storetest.SchemaFile(t, "../models/release/second"))
	plain, err := release1.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	for id, name := range map[int32]string{1: "Ana", 2: "Eva"} {
		require.NoError(t, plain.People.Insert(ctx, &release1.Person{ID: id, Name: name, City: "Recife", Email: new("e")}))
	}
	assign := func() error {
		return release2.Backfills()["people__version"](ctx, gocqldriver.New(session), "", storetest.NoSave)
	}
	duplicate, ok := errors.AsType[*mapper.DuplicateError](assign())
	require.True(t, ok)
	owner, loser := int32(1), int32(2)
	if duplicate.Key == "id=1" {
		owner, loser = loser, owner
	}

	s, err := release2.Open(ctx, session, mapper.Config{})
	require.NoError(t, err)
	byEmail := func(email string) int32 {
		row, err := s.PeopleByEmail.Get(ctx, email)
		if errors.Is(err, mapper.ErrNotFound) {
			return 0
		}
		require.NoError(t, err)
		return row.ID
	}
	update := func(id int32, change func(*release2.Person)) {
		_, err := s.People.Update(ctx, id, func(p *release2.Person) error { change(p); return nil })
		require.NoError(t, err)
	}
	update(owner, func(p *release2.Person) { p.City = "Olinda" })
	for _, name := range []string{"Rui", "Ivo"} {
		update(loser, func(p *release2.Person) { p.Name = name })
		require.Equal(t, owner, byEmail("e"))
	}
	update(loser, func(p *release2.Person) { p.Email = new("f") })
	require.Equal(t, owner, byEmail("e"))
	require.Equal(t, loser, byEmail("f"))
	require.NoError(t, assign())
	require.Equal(t, owner, byEmail("e"))
	require.Equal(t, loser, byEmail("f"))
	update(owner, func(p *release2.Person) { p.Email = new("g") })
	require.Zero(t, byEmail("e"))
}
