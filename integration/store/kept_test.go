package store

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/contract"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/memory"
)

// onContracts calls test with stores whose saves of targets let a number of holders follow.
func onContracts(t *testing.T, inline int, test func(t *testing.T, s *contract.Store, sent *storetest.Requests)) {
	t.Parallel()
	onHolders(t, inline, generated[*contract.Store]{contract.Schema, contract.Open, contract.OpenBackend}, test)
}

// cleanContracts runs Reconcile, and checks that it finds what is wanted, and nothing in another run.
func cleanContracts(t *testing.T, s *contract.Store, want ...string) {
	t.Helper()
	time.Sleep(20 * time.Millisecond) // longer than Config.Lease
	for _, expected := range [][]string{want, nil} {
		var found []string
		report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Slices: 4, Found: func(d mapper.Drift) {
			found = append(found, strings.TrimSpace(d.Table+" "+d.Key+" "+d.Kind.String()+" "+d.Reason))
		}})
		require.NoError(t, err)
		require.Equal(t, expected, found)
		require.True(t, report.Clean())
	}
}

// wantContract checks the fields of a contract that follow others.
func wantContract(t *testing.T, s *contract.Store, id int32, want ...any) {
	t.Helper()
	v, err := s.Contracts.Get(t.Context(), id)
	require.NoError(t, err)
	got := []any{v.ClientName}
	for _, f := range []*string{v.ClientCity, v.OfficeName} {
		if f == nil {
			got = append(got, nil)
		} else {
			got = append(got, *f)
		}
	}
	require.Equal(t, want, got)
}

// A root can be deleted while others refer to it by references that they keep: they stay as they are, also when they are saved. One that refers to it
// anew is refused. If the root is created again, they follow it.
func TestDeleteUnderKeep(t *testing.T) {
	onContracts(t, 0, func(t *testing.T, s *contract.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "a", City: new("x"), Note: "n"}))
		require.NoError(t, s.Offices.Insert(ctx, &contract.Office{ID: 1, Name: "o"}))
		require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 1, Office: new(int32(1))}))
		sent.Drain()
		require.NoError(t, s.Offices.Delete(ctx, 1))
		require.Len(t, sent.Drain(), 2, "no mark, and no read of a reverse table")
		require.NoError(t, s.Clients.Delete(ctx, 1))
		_, err := s.Clients.Get(ctx, 1)
		require.ErrorIs(t, err, mapper.ErrNotFound)
		for v, err := range s.Clients.All(ctx, mapper.ScanConfig{}) {
			require.NoError(t, err)
			require.Fail(t, "a deleted row is found", "%v", v)
		}
		wantContract(t, s, 1, "a", "x", "o")

		v, err := s.Contracts.Update(ctx, 1, func(v *contract.Contract) error { v.Name, v.ClientName, v.OfficeName = "n", "by hand", nil; return nil })
		require.NoError(t, err, "a save of a root that keeps its reference does not need the target")
		wantContract(t, s, 1, "a", "x", "o")
		other := *v
		other.Name, other.ClientCity = "m", nil
		require.NoError(t, s.Contracts.Change(ctx, v, &other))
		require.NoError(t, s.Contracts.Put(ctx, &contract.Contract{ID: 1, Client: 1, Office: new(int32(1))}))
		wantContract(t, s, 1, "a", "x", "o")
		byCity, err := s.ContractsByCity.Get(ctx, "x", 1)
		require.NoError(t, err)
		require.Equal(t, "a", byCity.ClientName)

		var missing *mapper.ConstraintError
		require.ErrorAs(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 2, Client: 1, Office: new(int32(1))}), &missing)
		require.Equal(t, []mapper.Violation{
			{Path: "Client", Problem: "is a reference, and there is no Client (clients id=1)"},
			{Path: "Office", Problem: "is a reference, and there is no Office (offices id=1)"},
		}, missing.Violations)
		cleanContracts(t, s, rowsOfRefusedContract...)

		require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "b"}))
		require.NoError(t, s.Offices.Put(ctx, &contract.Office{ID: 1, Name: "p"}))
		wantContract(t, s, 1, "b", nil, "p")
		cleanContracts(t, s)
	})
}

// rowsOfRefusedContract are the findings of the rows that a refused save has left in reverse tables.
var rowsOfRefusedContract = []string{
	"contracts__client_holders target_id=1, aml_bucket=1, holder_id=2 orphan",
	"contracts__office_holders target_id=1, aml_bucket=0, holder_id=2 orphan",
}

// Of two references of one root to the same target, one can restrict its deletion and the other not: each has a reverse table and a version.
func TestKeepBesideRestrict(t *testing.T) {
	onContracts(t, 0, func(t *testing.T, s *contract.Store, _ *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "a"}))
		require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 1, Agent: new(int32(1))}))
		var held *mapper.HeldError
		require.ErrorAs(t, s.Clients.Delete(ctx, 1), &held)
		require.Equal(t, "Agent", held.Field)
		_, err := s.Clients.Update(ctx, 1, func(c *contract.Client) error { c.Name = "b"; return nil })
		require.NoError(t, err)
		v, err := s.Contracts.Update(ctx, 1, func(v *contract.Contract) error { v.Agent = nil; return nil })
		require.NoError(t, err)
		require.Nil(t, v.AgentName)
		require.NoError(t, s.Clients.Delete(ctx, 1))
		wantContract(t, s, 1, "b", nil, nil)
		var missing *mapper.ConstraintError
		_, err = s.Contracts.Update(ctx, 1, func(v *contract.Contract) error { v.Agent = new(int32(1)); return nil })
		require.ErrorAs(t, err, &missing, "another reference of the same root is new")
		require.Equal(t, "Agent", missing.Violations[0].Path)
		require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "c"}))
		v, err = s.Contracts.Update(ctx, 1, func(v *contract.Contract) error { v.Agent = new(int32(1)); return nil })
		require.NoError(t, err)
		require.Equal(t, []string{"c", "c"}, []string{v.ClientName, *v.AgentName})
	})
}

// Roots that have not followed the last save of a row before it is deleted do so later.
func TestFanOutOfADeletedRow(t *testing.T) {
	for _, finish := range []string{"FanOut", "Reconcile", "a save"} {
		t.Run(finish, func(t *testing.T) {
			onContracts(t, -1, func(t *testing.T, s *contract.Store, _ *storetest.Requests) {
				ctx := t.Context()
				v := &contract.Client{ID: 1, Name: "a"}
				require.NoError(t, s.Clients.Insert(ctx, v))
				require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
				for id := range int32(3) {
					require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: id, Client: 1}))
				}
				v.Name, v.City = "b", new("y")
				require.NoError(t, s.Clients.Put(ctx, v))
				require.NoError(t, s.Clients.Delete(ctx, 1))
				wantContract(t, s, 0, "a", nil, nil)
				switch finish {
				case "FanOut":
					require.NoError(t, s.FanOut(ctx, mapper.FanOutConfig{}))
				case "Reconcile":
					cleanContracts(t, s, "clients id=1 unpropagated", "aml_outboxes shard=51, source='clients', key=0x0000000400000001 unpropagated")
				default:
					_, err := s.Contracts.Update(ctx, 0, func(*contract.Contract) error { return nil })
					require.NoError(t, err)
					wantContract(t, s, 0, "b", "y", nil)
					wantContract(t, s, 1, "a", nil, nil)
					return
				}
				for id := range int32(3) {
					wantContract(t, s, id, "b", "y", nil)
				}
				cleanContracts(t, s)
			})
		})
	}
}

// A deleted row stays as long as a root cannot follow its last save, and is removed after that.
func TestUnservedOutboxOfADeletedRow(t *testing.T) {
	t.Parallel()
	ctx, now := t.Context(), time.Unix(1_800_000_000, 0)
	backend := memory.New(memory.Config{Now: func() time.Time { now = now.Add(time.Millisecond); return now }})
	s, err := contract.OpenBackend(ctx, backend, mapper.Config{FanOutInline: -1})
	require.NoError(t, err)
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "a"}))
	require.NoError(t, s.Contracts.Insert(ctx, &contract.Contract{ID: 1, Client: 1}))
	_, err = s.Clients.Update(ctx, 1, func(v *contract.Client) error { v.City = new(strings.Repeat("y", 1<<16)); return nil })
	require.NoError(t, err)
	require.NoError(t, s.Clients.Delete(ctx, 1))
	now = now.Add(11 * 24 * time.Hour)
	reconcile := func() (report *mapper.ReconcileReport) {
		report, err := s.Reconcile(ctx, mapper.ReconcileConfig{})
		require.NoError(t, err)
		return report
	}
	require.False(t, reconcile().Clean(), "the key of contracts_by_city is too long")
	require.Zero(t, reconcile().Purged)
	require.NoError(t, s.Contracts.Delete(ctx, 1))
	require.True(t, reconcile().Clean())
	now = now.Add(11 * 24 * time.Hour)
	require.Positive(t, reconcile().Purged)
}

// The function of a migration does not need the targets of references that a root keeps: it leaves their copies.
func TestKeptFieldsOfEarlierReleases(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	session := storetest.SharedTables(t, contract.Schema)
	s, err := contract.Open(ctx, session, mapper.Config{Lease: 10 * time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 1, Name: "ana"}))
	storetest.Execute(t, session, `
		INSERT INTO contracts (id, name, client, version, aml_attempts) VALUES (1, 'a', 1, 7, []);
		INSERT INTO contracts (id, name, client, client_name, office, office_name, version, aml_attempts) VALUES (2, 'b', 9, 'eva', 9, 'o', 7, []);
		INSERT INTO contracts (id, name, client, client_name, agent, version, aml_attempts) VALUES (3, 'c', 9, 'eva', 9, 7, []);
	`)
	record := contract.Backfills()["contracts__references"]
	err = record(ctx, gocqldriver.New(session), "", storetest.NoSave)
	require.ErrorContains(t, err, "Contract (contracts id=3): Agent is a reference, and there is no Client (clients id=9)")
	require.NotContains(t, err.Error(), "id=2")
	storetest.Execute(t, session, `DELETE FROM contracts WHERE id = 3;`)
	require.NoError(t, record(ctx, gocqldriver.New(session), "", storetest.NoSave))
	wantContract(t, s, 1, "ana", nil, nil)
	wantContract(t, s, 2, "eva", nil, "o")
	require.NoError(t, s.Clients.Insert(ctx, &contract.Client{ID: 9, Name: "bia"}))
	wantContract(t, s, 2, "bia", nil, "o")
}
