package projection_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/projection/computed"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/memory"
)

// requireRefused asserts that a write is refused for one fault.
func requireRefused(t *testing.T, err error, fault string) {
	t.Helper()
	var c *mapper.ConstraintError
	require.ErrorAs(t, err, &c)
	require.Len(t, c.Violations, 1)
	require.Equal(t, fault, c.Violations[0].Path+" "+c.Violations[0].Problem)
}

const (
	emailIsFinal = "Email is final: only Insert sets it"
	noStatus     = "which is not one of Waiting, Running, Done"
)

// Only Insert sets a final field, and a Put that inserts. A field without a value stays without one.
func TestFinalFields(t *testing.T) {
	store, err := computed.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	p := computed.Pledge{ID: 1, Email: "a", Status: computed.Waiting}
	require.NoError(t, store.Pledges.Insert(t.Context(), &p))
	nick := "n"
	changed, named := p, p
	changed.Email, named.Nick = "b", &nick
	requireRefused(t, store.Pledges.Change(t.Context(), &p, &changed), emailIsFinal)
	requireRefused(t, store.Pledges.Put(t.Context(), &changed), emailIsFinal)
	requireRefused(t, store.Pledges.Put(t.Context(), &named), "Nick is final: only Insert sets it")
	_, err = store.Pledges.Update(t.Context(), 1, func(p *computed.Pledge) error { p.Email = "b"; return nil })
	requireRefused(t, err, emailIsFinal)
	_, err = store.Pledges.Update(t.Context(), 1, func(p *computed.Pledge) error { p.Note = "x"; return nil })
	require.NoError(t, err)
	row, err := store.PledgesByEmail.Get(t.Context(), "a", 1)
	require.NoError(t, err)
	require.Equal(t, "x", row.Note)
	require.NoError(t, store.Pledges.Put(t.Context(), &p))
	changed.ID = 2
	require.NoError(t, store.Pledges.Put(t.Context(), &changed))
	require.NoError(t, store.Pledges.Delete(t.Context(), 1))
	require.NoError(t, store.Pledges.Insert(t.Context(), &named))
}

// The same is true for a versioned root.
func TestFinalFieldsOfVersionedRoots(t *testing.T) {
	store, err := computed.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	o := computed.Oath{ID: 1, Email: "a", Status: computed.Waiting}
	require.NoError(t, store.Oaths.Insert(t.Context(), &o))
	changed := o
	changed.Email = "b"
	requireRefused(t, store.Oaths.Change(t.Context(), &o, &changed), emailIsFinal)
	requireRefused(t, store.Oaths.Put(t.Context(), &changed), emailIsFinal)
	_, err = store.Oaths.Update(t.Context(), 1, func(o *computed.Oath) error { o.Email, o.Status = "b", "x"; return nil })
	require.ErrorContains(t, err, emailIsFinal)
	require.ErrorContains(t, err, "Status is 'x', "+noStatus)
	_, err = store.Oaths.Update(t.Context(), 1, func(o *computed.Oath) error { o.Status = computed.Done; return nil })
	require.NoError(t, err)
	require.NoError(t, store.Oaths.Delete(t.Context(), 1))
	require.NoError(t, store.Oaths.Insert(t.Context(), &computed.Oath{ID: 1, Email: "b", Status: computed.Done}))
}

// Only declared constants are written; a zero value is one only if it is declared.
func TestEnumerations(t *testing.T) {
	store, err := computed.OpenBackend(t.Context(), memory.New(memory.Config{}))
	require.NoError(t, err)
	level := computed.Level(2)
	requireRefused(t, store.Pledges.Insert(t.Context(), &computed.Pledge{ID: 1, Email: "a"}), "Status is '', "+noStatus)
	requireRefused(t, store.Pledges.Insert(t.Context(), &computed.Pledge{ID: 1, Email: "a", Status: computed.Done, Level: &level}), "Level is 2, which is not one of Small, Large")
	requireRefused(t, store.Pledges.SetStatus(t.Context(), 1, "x"), "Status is 'x', "+noStatus)
	level = computed.Large
	require.NoError(t, store.Pledges.Insert(t.Context(), &computed.Pledge{ID: 1, Email: "a", Status: computed.Done, Level: &level}))
	require.NoError(t, store.Pledges.SetLevel(t.Context(), 1, nil))
	_, err = store.Pledges.Update(t.Context(), 1, func(p *computed.Pledge) error { p.Status = "x"; return nil })
	requireRefused(t, err, "Status is 'x', "+noStatus)
}
