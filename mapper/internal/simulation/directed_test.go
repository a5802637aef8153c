package simulation

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/reconcile"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// newGarage returns a directed world in which both clients see everything, and their stores. The customer 1 exists.
func newGarage(t *testing.T) (l *directed, near, far *garage.Store) {
	l = newDirected(t, 0)
	near, far = l.garage(l.near), l.garage(l.far)
	require.NoError(t, near.Customers.Insert(t.Context(), &garage.Customer{ID: 1, Name: "Ana"}))
	t.Cleanup(func() { require.Empty(t, l.fault) })
	return l, near, far
}

// afterNext calls do once, after the next save of a customer has been applied.
func (l *directed) afterNext(do func(*plan.State)) {
	l.applied = func(a *plan.Aggregate, _, after *plan.State) {
		if a.Root.Name == "customers" {
			l.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
			do(after)
		}
	}
}

// reserve writes a reservation of an e-mail. Some time passes, so that the write is newer than those before it, and older than those after it.
func (l *directed) reserve(email string, owner cell.Cell, at, floor plan.Version) {
	l.now += time.Second.Microseconds()
	m := plan.Mutation{Table: l.table("customers__email_unique"), Row: cell.Row{cell.Cell(email), owner, plan.Bigint(at), plan.Bigint(floor)}}
	m.Write = m.Table.BeyondKey()
	l.world.apply([]plan.Mutation{m}, store.Write{Timestamp: l.now})
	l.now += time.Second.Microseconds()
}

// deleteByEmail deletes a row of the copy whose key is the e-mail.
func (l *directed) deleteByEmail(email string, at int64) {
	t := l.table("customers_by_email")
	m := plan.Mutation{Table: t, Row: make(cell.Row, len(t.Columns)), Action: plan.Delete}
	m.Row[0] = cell.Cell(email)
	l.world.apply([]plan.Mutation{m}, store.Write{Timestamp: at})
}

func (l *directed) state(id int32) *plan.State {
	return l.stateOf(l.aggregate(l.table("customers")), idKey(id))
}

func isDuplicate(err error) bool {
	_, duplicate := errors.AsType[*mapper.DuplicateError](err)
	return duplicate
}

// reconciled runs Reconcile, and requires that the copies are then the projections of the roots.
func (l *directed) reconciled(s *garage.Store) {
	l.t.Helper()
	_, err := s.Reconcile(l.t.Context(), l.reconcileConfig("customers", nil))
	require.NoError(l.t, err)
	customerWorld{world: l.world}.checkCopies()
	require.Empty(l.t, l.fault)
}

// A save that drops a value that its row has, and whose reservation belongs to another row, leaves the reservation as it is.
func TestReleaseOfTheValueOfAnotherRow(t *testing.T) {
	l, near, far := newGarage(t)
	updateCustomer(t, near, 1, withEmail("a"))
	l.writeUnversioned(2, "Bia", "a")
	updateCustomer(t, far, 2, withEmail(""))
	require.True(t, isDuplicate(far.Customers.Insert(t.Context(), &garage.Customer{ID: 3, Email: new("a")})))
}

// A save of unknown outcome that is repeated after 16 other saves of the row stays unknown: the row no longer shows whether it was applied.
func TestRepeatAfterManySaves(t *testing.T) {
	for saves, unknown := range map[int]bool{1: false, 15: false, 16: true, 40: true} {
		l, near, far := newGarage(t)
		l.far.once("customers", lostAnswer)
		l.afterNext(func(*plan.State) {
			for range saves {
				updateCustomer(t, near, 2, rename("+"))
			}
		})
		err := far.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Name: "Bia"})
		require.Equal(t, unknown, mapper.OutcomeUnknown(err), "%d saves: %v", saves, err)
		require.Equal(t, unknown, err != nil, "%d saves: %v", saves, err)
		require.LessOrEqual(t, len(l.state(2).Attempts), 16)
	}
}

// A claim that another call waits for is fenced. The row still shows which saves were applied to it.
func TestFenceKeepsTheAttempts(t *testing.T) {
	l, _, far := newGarage(t)
	l.far.once("customers", lostAnswer)
	l.afterNext(func(s *plan.State) {
		l.reserve("a", idKey(1)[0], s.Version, 0) // a client that died after its claim
		other := l.garage(l.near)
		require.NoError(t, other.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Email: new("a")}))
		require.Greater(t, l.state(1).Version, s.Version, "the row is fenced")
	})
	updateCustomer(t, far, 1, rename("+far"))
	require.Equal(t, "Ana+far", string(named{l.table("customers"), l.state(1).Row}.cell("name")))
}

// A Delete of a row whose Delete has ended before its batch deletes the rows of the copies.
func TestRepeatedDeleteDeletesTheCopies(t *testing.T) {
	l, near, far := newGarage(t)
	updateCustomer(t, near, 1, func(v *garage.Customer) error { v.City = new("x1"); return withEmail("a")(v) })
	l.near.mute = true
	require.NoError(t, near.Customers.Delete(t.Context(), 1))
	require.Len(t, l.rows("customers_by_city"), 1)
	require.NoError(t, far.Customers.Delete(t.Context(), 1))
	customerWorld{world: l.world}.checkCopies()
}

// The version of a row is above the floor of each value that it claims: the deletions of the previous owner's rows do not hide its rows.
func TestVersionsAreAboveTheFloor(t *testing.T) {
	for name, test := range map[string]func(t *testing.T, l *directed, near, far *garage.Store){
		"Reconcile releases a value": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.near.skew = time.Hour.Microseconds()
			updateCustomer(t, near, 1, withEmail("a"))
			l.near.once("customers__email_unique", lostRequest)
			updateCustomer(t, near, 1, withEmail(""))
			l.reconciled(far)
			require.NoError(t, far.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Email: new("a")}))
		},
		"a fence inserts a deleted row": func(t *testing.T, l *directed, _, far *garage.Store) {
			l.reserve("a", idKey(9)[0], l.now+time.Hour.Microseconds(), 0)
			require.NoError(t, far.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Email: new("a")}))
			require.Greater(t, l.state(9).Version, l.now+time.Minute.Microseconds())
		},
		"Reconcile claims a value": func(t *testing.T, l *directed, near, far *garage.Store) {
			updateCustomer(t, near, 1, withEmail("a"))
			floor := l.now + time.Hour.Microseconds()
			l.reserve("a", nil, floor, floor)
			l.deleteByEmail("a", floor)
			l.reconciled(far)
		},
		"AssignVersions claims a value": func(t *testing.T, l *directed, _, _ *garage.Store) {
			l.writeUnversioned(2, "Bia", "a")
			floor := l.now + time.Hour.Microseconds()
			l.reserve("a", nil, floor, floor)
			l.deleteByEmail("a", floor)
			require.NoError(t, l.versioned().AssignVersions(t.Context(), scan.FillConfig{}, "", func(string) error { return nil }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, near, far := newGarage(t)
			test(t, l, near, far)
			customerWorld{world: l.world}.checkCopies()
		})
	}
}

// A call that waits for a claim waits for the whole lease again if another row makes a new claim in the meantime.
func TestEachClaimHasItsLease(t *testing.T) {
	l, near, far := newGarage(t)
	require.NoError(t, near.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Name: "Bia"}))
	claim := func(id int32) {
		l.near.once("customers", lostRequest)
		l.near.budget = 1
		_, err := near.Customers.Update(t.Context(), id, withEmail("a"))
		require.True(t, mapper.OutcomeUnknown(err), "%v", err)
		l.near.budget, l.near.fate = 100, nil
	}
	claim(1)
	began, claimed := l.now, int64(0)
	lease := mapper.DefaultLease.Microseconds()
	l.far.paused = func() {
		if claimed == 0 && l.now-began > lease/2 {
			updateCustomer(t, near, 1, rename("+")) // without the value: its claim can be taken over
			claimed = l.now
			claim(2)
		}
	}
	l.applied = func(a *plan.Aggregate, before, _ *plan.State) {
		if claimed > 0 && before != nil && before.Row[0][3] == 2 {
			require.GreaterOrEqual(t, l.now-claimed, lease, "the second claim is fenced early")
		}
	}
	require.NoError(t, far.Customers.Insert(t.Context(), &garage.Customer{ID: 3, Email: new("a")}))
	require.NotZero(t, claimed)
}

// A row that was deleted again, shortly before Reconcile removes it, stays until gc_grace_seconds have passed. The aggregate has no
// copies, and so no done-marker that would show it.
func TestReconcileRemovesOnlyRowsThatAreOld(t *testing.T) {
	alone := *customersAggregate.Aggregate
	v := *alone.Versioning
	v.Done, v.Pending = nil, 0
	alone.Copies, alone.Versioning = nil, &v
	linked := plan.Link(alone)
	for at := 1; ; at++ {
		d := &drifted{t: t, now: time.Unix(1_700_000_000, 0)}
		d.open(&descriptor.Schema{Tables: []*descriptor.Table{customersTable, emailTable}, Aggregates: []*descriptor.Aggregate{linked.Aggregate}}, mapper.Config{Logger: discardLogger})
		d.table = save.NewVersioned(call.NewReader(d.db, new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)), linked)
		renew := func() {
			require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1, Name: "Ana"}))
			require.NoError(t, d.table.Delete(t.Context(), customerKey(1)))
		}
		renew()
		d.now = d.now.Add(11 * 24 * time.Hour)
		again := false
		d.read, d.before = 0, func(request int) {
			if request == at {
				again = true
				renew()
			}
		}
		_, err := reconcile.Run(t.Context(), d.db, mapper.ReconcileConfig{Parallel: 1, Slices: 2}, d.table.Root)
		require.NoError(t, err)
		if d.before = nil; !again {
			return
		}
		require.Equal(t, 1, d.rows((*plan.Table)(customersTable)), "deleted again before request %d", at)
	}
}

// A save of unknown outcome stays unknown if its row has been removed since: it may have been applied before.
func TestRepeatAfterTheRowWasRemoved(t *testing.T) {
	l, near, far := newGarage(t)
	l.far.once("customers", lostAnswer)
	l.afterNext(func(*plan.State) {
		require.NoError(t, near.Customers.Delete(t.Context(), 1))
		l.now += (l.gcGrace + 24*time.Hour).Microseconds()
		l.reconciled(near)
		require.Nil(t, l.state(1))
	})
	_, err := far.Customers.Update(t.Context(), 1, rename("+far"))
	require.True(t, mapper.OutcomeUnknown(err), "%v", err)
}

// A save that the servers refuse after an attempt of unknown outcome is still of unknown outcome: the first attempt may have been applied.
func TestRefusalAfterAnUnknownOutcome(t *testing.T) {
	for _, first := range []fate{lostAnswer, lostRequest} {
		l, _, far := newGarage(t)
		l.far.budget = 10
		sent := 0
		l.far.fate = func(*plan.Table) fate {
			if sent++; sent == 1 {
				return first
			}
			return refusedRequest
		}
		_, err := far.Customers.Update(t.Context(), 1, rename("+far"))
		require.True(t, mapper.OutcomeUnknown(err), "%v", err)
		require.Greater(t, sent, 1, "it is repeated")
	}
}

// An Update that was refused because of one of its parts returns an error about this part, and not about the others. One whose root was
// deleted meanwhile returns an error about the root.
func TestRefusedPartsAreNamed(t *testing.T) {
	l := newDirected(t, 0)
	near, far := l.auctions(l.near), l.auctions(l.far)
	require.NoError(t, near.Auctions.InsertWith(t.Context(), &auction.Auction{ID: 1, Title: "t", Seller: "s"}, bid(1), bid(2)))
	exchange := func(between func()) error {
		_, err := far.Auctions.Update(t.Context(), 1, func(_ *auction.Auction, p *auction.AuctionParts) error {
			p.Bid.Delete(1, "b")
			p.Bid.Insert(bid(2))
			between()
			return nil
		})
		return err
	}
	err := exchange(func() {})
	require.ErrorIs(t, err, mapper.ErrExists)
	require.NotErrorIs(t, err, mapper.ErrNotFound)
	require.ErrorContains(t, err, "cents=2")
	err = exchange(func() { require.NoError(t, near.Auctions.Delete(t.Context(), 1)) })
	require.ErrorIs(t, err, mapper.ErrNotFound)
	require.NotContains(t, err.Error(), "cents")
	require.Empty(t, l.fault)
}

// Some reads of the schedules miss a statement that is in flight, or that a client of another data centre has sent.
func TestSomeReadsOfTheSchedulesMiss(t *testing.T) {
	missed := 0
	for seed := range uint64(50) {
		w := newWorld(t, seed)
		w.replicate()
		customerWorld{w, 60, 30}.play()
		require.Empty(t, w.fault)
		for _, c := range w.clients {
			for _, x := range c.calls {
				if x.missed {
					missed++
				}
			}
		}
	}
	require.NotZero(t, missed)
}

// The statements of a batch with one partition key are carried out in one step, regardless of their tables, as on a server.
func TestABatchOfOnePartitionIsOneStep(t *testing.T) {
	l, _, _ := newGarage(t)
	row := func(table string, key ...string) plan.Mutation {
		m := plan.Mutation{Table: l.table(table)}
		for _, k := range key {
			m.Row = append(m.Row, cell.Cell(k))
		}
		return m
	}
	batch := []plan.Mutation{row("mechanics", "1"), row("mechanics_by_city", "x1", "1"), row("customer_cards", "1"), row("mechanics_by_city", "x1", "2")}
	var steps [][]string
	for _, step := range byPartition(batch) {
		var tables []string
		for _, m := range step {
			tables = append(tables, m.Table.Name)
		}
		steps = append(steps, tables)
	}
	require.Equal(t, [][]string{{"mechanics", "customer_cards"}, {"mechanics_by_city", "mechanics_by_city"}}, steps)
}

// An Insert that stalls after its claim, of an identifier whose row was deleted long ago, keeps the claim although another save of the row
// has moved it and was refused: Reconcile has removed the deleted row, so the Insert can still be applied.
func TestClaimOfAnInsertThatAnotherSaveHasMoved(t *testing.T) {
	l, near, far := newGarage(t)
	require.NoError(t, near.Customers.Delete(t.Context(), 1))
	l.now += (11 * 24 * time.Hour).Microseconds()
	l.far.fate = func(table *plan.Table) fate {
		if table.Name == "customers" {
			l.far.fate = nil
			answer, err := l.cas("a run of Reconcile", l.aggregate(l.table("customers")).PlanPurge(l.state(1)), store.CAS{})
			require.NoError(t, err)
			require.True(t, answer.Applied)
		}
		return carriedOut
	}
	l.near.fate = func(table *plan.Table) fate {
		if table.Name == "customers" {
			l.near.fate, l.far.budget = nil, 1
			require.ErrorIs(t, far.Customers.Put(t.Context(), &garage.Customer{ID: 1, Email: new("a")}), mapper.ErrConflict)
			l.far.budget = 100
		}
		return carriedOut
	}
	require.NoError(t, near.Customers.Insert(t.Context(), &garage.Customer{ID: 1, Email: new("a")}))
	require.True(t, isDuplicate(far.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Email: new("a")})))
}
