package simulation

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/auction"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// directed is a world in which a test calls two clients in turn.
type directed struct {
	*world
	near, far *client
}

func newDirected(t *testing.T, centres int) *directed {
	w := newWorld(t, 1)
	w.frozen = true
	w.addCentres(centres)
	w.applied = func(*plan.Aggregate, *plan.State, *plan.State) {}
	l := &directed{world: w, near: w.newClient("near", 0), far: w.newClient("far", 0)}
	for _, c := range []*client{l.near, l.far} {
		c.calm, c.budget = true, 100
	}
	return l
}

// newLagging returns a world with a data centre for each client. A read in the second one misses every save of the first, until sync,
// unless it is serial. A conditional statement of a client of a centre reaches this centre.
func newLagging(t *testing.T) *directed {
	l := newDirected(t, 2)
	l.near.centre, l.far.centre = l.centres[0], l.centres[1]
	return l
}

// sync brings all saves to both centres.
func (l *directed) sync() {
	for _, c := range l.centres {
		c.receiveAll()
	}
}

func (l *directed) garage(c *client) *garage.Store {
	s, err := garage.OpenBackend(l.t.Context(), c, c.config(0))
	require.NoError(l.t, err)
	return s
}

func (l *directed) auctions(c *client) *auction.Store {
	s, err := auction.OpenBackend(l.t.Context(), c, c.config(0))
	require.NoError(l.t, err)
	return s
}

// once makes a fate that of the next conditional statement of a table.
func (c *client) once(table string, next fate) {
	done := false
	c.fate = func(t *plan.Table) fate {
		if done || t.Name != table {
			return carriedOut
		}
		done = true
		return next
	}
}

// versioned returns the table of the customers for the far client.
func (l *directed) versioned() save.Versioned {
	db, err := call.OpenBackend(l.t.Context(), l.far, l.schema, l.far.config(0))
	require.NoError(l.t, err)
	root := l.table("customers")
	return save.NewVersioned(call.NewReader(db, new(call.Codec).Start(root, nil, nil, false)), l.aggregate(root))
}

// writeUnversioned writes a row of customers as a program without versions does, in some data centres.
func (l *directed) writeUnversioned(id int32, name, email string, centres ...*centre) {
	t := l.table("customers")
	m := plan.Mutation{Table: t, Row: make(cell.Row, len(t.Columns))}
	m.Row[0] = idKey(id)[0]
	for column, value := range map[string]string{"name": name, "email": email} {
		if value != "" {
			i := t.ColumnIndex(column)
			m.Row[i] = cell.Cell(value)
			m.Write.Add(i)
		}
	}
	for _, db := range append([]*centre{{db: l.db}}, centres...) {
		require.NoError(l.t, db.db.Apply(l.t.Context(), []plan.Mutation{m}, store.Write{Timestamp: l.now}))
	}
}

// owners returns how many reservations of e-mails have an owner.
func (l *directed) owners() (n int) {
	for _, r := range l.rows("customers__email_unique") {
		if r.row[r.t.Key] != nil {
			n++
		}
	}
	return n
}

// withEmail returns a change of the e-mail; "" removes it.
func withEmail(e string) func(*garage.Customer) error {
	return func(v *garage.Customer) error {
		if v.Email = nil; e != "" {
			v.Email = &e
		}
		return nil
	}
}

func rename(suffix string) func(*garage.Customer) error {
	return func(v *garage.Customer) error { v.Name += suffix; return nil }
}

func updateCustomer(t *testing.T, s *garage.Store, id int32, f func(*garage.Customer) error) {
	t.Helper()
	_, err := s.Customers.Update(t.Context(), id, f)
	require.NoError(t, err)
}

// Calls in a data centre that lags behind have the same results as in one that does not: a read on which a call bases a decision is
// at the serial consistency.
func TestCallsInACentreThatLagsBehind(t *testing.T) {
	tests := map[string]func(t *testing.T, l *directed, near, far *garage.Store){
		"an Insert of a row that exists": func(t *testing.T, _ *directed, _, far *garage.Store) {
			require.ErrorIs(t, far.Customers.Insert(t.Context(), &garage.Customer{ID: 1}), mapper.ErrExists)
		},
		"an Update of a row that was saved": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.sync()
			updateCustomer(t, near, 1, rename("+near"))
			updateCustomer(t, far, 1, rename("+far"))
			v, err := far.Customers.Get(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, "Ana+near+far", v.Name)
		},
		"a Change of the value that the other centre has returned": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.sync()
			old, err := near.Customers.Update(t.Context(), 1, rename("+near"))
			require.NoError(t, err)
			v := *old
			require.NoError(t, withEmail("b")(&v))
			require.NoError(t, far.Customers.Change(t.Context(), old, &v))
		},
		"a Change of a row without a version": func(t *testing.T, l *directed, _, far *garage.Store) {
			l.writeUnversioned(2, "Bia", "", l.centres[0])
			require.NoError(t, far.Customers.Change(t.Context(), &garage.Customer{ID: 2, Name: "Bia"}, &garage.Customer{ID: 2, Name: "Eva"}))
		},
		"a save whose answer is lost, and another save after it": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.sync()
			l.far.once("customers", lostAnswer)
			beside := false
			l.applied = func(*plan.Aggregate, *plan.State, *plan.State) {
				if !beside {
					beside = true
					updateCustomer(t, near, 1, rename("+near"))
				}
			}
			updateCustomer(t, far, 1, rename("+far"))
			v, err := near.With(mapper.Options{Serial: true}).Customers.Get(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, "Ana+far+near", v.Name, "the save is applied once")
		},
		"a claim of a value that is in use": func(t *testing.T, _ *directed, near, far *garage.Store) {
			updateCustomer(t, near, 1, withEmail("a"))
			err := far.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Email: new("a")})
			_, duplicate := errors.AsType[*mapper.DuplicateError](err)
			require.True(t, duplicate, "%v", err)
		},
		"a claim whose answer is lost": func(t *testing.T, l *directed, near, far *garage.Store) {
			updateCustomer(t, near, 1, withEmail("a"))
			updateCustomer(t, near, 1, withEmail(""))
			l.sync()
			lost := false
			l.far.fate = func(of *plan.Table) fate {
				if lost || l.far.writes < 2 { // the first statement is refused, because the value has a reservation
					return carriedOut
				}
				lost = true
				return lostAnswer
			}
			require.NoError(t, far.Customers.Insert(t.Context(), &garage.Customer{ID: 2, Email: new("a")}))
			require.True(t, lost)
		},
		"a save that keeps a value": func(t *testing.T, l *directed, near, far *garage.Store) {
			updateCustomer(t, near, 1, withEmail("a"))
			updateCustomer(t, near, 1, withEmail(""))
			l.sync() // the value has no owner
			old, err := near.Customers.Update(t.Context(), 1, withEmail("a"))
			require.NoError(t, err)
			v := *old
			v.Name = "Eva"
			require.NoError(t, far.Customers.Change(t.Context(), old, &v))
			require.Equal(t, "Eva", string(l.rows("customers_by_email")[0].cell("name")))
		},
		"a save that drops a value": func(t *testing.T, l *directed, near, far *garage.Store) {
			updateCustomer(t, near, 1, withEmail("a"))
			require.NoError(t, far.Customers.Put(t.Context(), &garage.Customer{ID: 1}))
			require.Zero(t, l.owners(), "the value is released")
		},
		"Reconcile of rows that were saved": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.sync()
			updateCustomer(t, near, 1, func(v *garage.Customer) error {
				v.Name, v.City, v.Vehicles = "Bia", new("x1"), []string{"p1"}
				return withEmail("a")(v)
			})
			l.requireClean(far)
		},
		"Reconcile of claims that were made": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.sync()
			updateCustomer(t, near, 1, withEmail("a"))
			for partition := range l.far.centre.lag {
				if strings.HasPrefix(partition, "customers ") {
					l.far.centre.receive(partition) // and not the reservation
				}
			}
			l.requireClean(far)
		},
		"Reconcile of a claim whose row was saved": func(t *testing.T, l *directed, near, far *garage.Store) {
			l.sync()
			updateCustomer(t, near, 1, withEmail("a"))
			for partition := range l.far.centre.lag {
				if !strings.HasPrefix(partition, "customers ") {
					l.far.centre.receive(partition) // and not the row
				}
			}
			l.requireClean(far)
		},
		"Reconcile whose fence has no answer": func(t *testing.T, l *directed, near, far *garage.Store) {
			at := l.stateOf(l.aggregate(l.table("customers")), idKey(1)).Version
			claim := plan.Mutation{Table: l.table("customers__email_unique"), Row: cell.Row{cell.Cell("dead"), idKey(1)[0], plan.Bigint(at), plan.Bigint(0)}}
			claim.Write = claim.Table.BeyondKey()
			l.sync()
			l.world.apply([]plan.Mutation{claim}, store.Write{Timestamp: l.now})
			l.far.once("customers", lostAnswer)
			report, err := far.Reconcile(t.Context(), l.reconcileConfig("customers", nil))
			require.NoError(t, err)
			require.Equal(t, int64(1), report.Total(), "the claim")
			root := l.aggregate(l.table("customers"))
			marker := l.rows(root.Versioning.Done.Name)[0]
			require.Equal(t, plan.Bigint(l.stateOf(root, idKey(1)).Version), marker.row[marker.t.Key], "the copies of the row are marked at its new version")
			l.sync()
			l.requireClean(near)
		},
		"AssignVersions of rows that have versions": func(t *testing.T, l *directed, near, _ *garage.Store) {
			l.writeUnversioned(2, "Bia", "", l.centres...)
			_, err := near.Customers.Update(t.Context(), 2, rename("+near"))
			require.NoError(t, err)
			require.NoError(t, l.versioned().AssignVersions(t.Context(), scan.FillConfig{}, "", func(string) error { return nil }))
		},
		"a backfill of rows that were saved without the copy": func(t *testing.T, l *directed, near, _ *garage.Store) {
			l.sync()
			l.near.mute = true
			updateCustomer(t, near, 1, func(v *garage.Customer) error { v.City = new("x1"); return nil })
			require.NoError(t, save.Fill(t.Context(), l.versioned().Root, "customers_by_city", scan.FillConfig{}, "", func(string) error { return nil }))
			require.Len(t, l.rows("customers_by_city"), 1)
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLagging(t)
			near, far := l.garage(l.near), l.garage(l.far)
			require.NoError(t, near.Customers.Insert(t.Context(), &garage.Customer{ID: 1, Name: "Ana"}))
			test(t, l, near, far)
			require.Empty(t, l.fault)
		})
	}
}

// requireClean requires that Reconcile finds nothing, and leaves nothing for a later run.
func (l *directed) requireClean(s *garage.Store) {
	l.t.Helper()
	report, err := s.Reconcile(l.t.Context(), l.reconcileConfig("customers", func(d mapper.Drift) { l.t.Errorf("found %+v", d) }))
	require.NoError(l.t, err)
	require.Zero(l.t, report.TooRecent)
	require.True(l.t, report.Clean())
}

// The function of an Update in a data centre that lags behind sees the root and its parts of one version, and a condition of a write that
// does not hold is the error of this version.
func TestPartsInACentreThatLagsBehind(t *testing.T) {
	for name, test := range map[string]func(t *testing.T, l *directed, near, far *auction.Store){
		"a part that was added": func(t *testing.T, _ *directed, near, far *auction.Store) {
			addBid(t, near)
			updateAuction(t, far, func(a *auction.Auction, p *auction.AuctionParts) error {
				_, err := p.Bid.Get(int64(a.Count), "b")
				a.Highest = 1 // a function that decides by what it has not found
				if errors.Is(err, mapper.ErrNotFound) {
					a.Highest = -1
					return nil
				}
				return err
			})
			a, err := far.Auctions.Get(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, int64(1), a.Highest)
		},
		"a part that was deleted": func(t *testing.T, _ *directed, near, far *auction.Store) {
			updateAuction(t, near, func(a *auction.Auction, p *auction.AuctionParts) error {
				p.Bid.Delete(1, "b")
				a.Count = 0
				return nil
			})
			updateAuction(t, far, func(a *auction.Auction, p *auction.AuctionParts) error {
				if a.Count == 0 {
					return nil
				}
				_, err := p.Bid.Get(1, "b")
				return err
			})
		},
		"an insert whose key another save has used": func(t *testing.T, _ *directed, near, far *auction.Store) {
			addBid(t, near)
			addBid(t, far)
			a, bids, err := far.Auctions.GetWithBid(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, int32(3), a.Count)
			require.Len(t, bids, 3)
		},
		"an insert of a part that exists": func(t *testing.T, _ *directed, near, far *auction.Store) {
			addBid(t, near)
			_, err := far.Auctions.Update(t.Context(), 1, func(_ *auction.Auction, p *auction.AuctionParts) error {
				p.Bid.Insert(bid(2))
				return nil
			})
			require.ErrorIs(t, err, mapper.ErrExists)
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLagging(t)
			near, far := l.auctions(l.near), l.auctions(l.far)
			require.NoError(t, near.Auctions.InsertWith(t.Context(), &auction.Auction{ID: 1, Title: "t", Seller: "s", Count: 1}, bid(1)))
			l.sync()
			test(t, l, near, far)
			require.Empty(t, l.fault)
		})
	}
}

func bid(cents int64) *auction.Bid {
	return &auction.Bid{AuctionID: 1, Cents: cents, Bidder: "b", State: auction.Active}
}

func updateAuction(t *testing.T, s *auction.Store, f func(*auction.Auction, *auction.AuctionParts) error) {
	t.Helper()
	_, err := s.Auctions.Update(t.Context(), 1, f)
	require.NoError(t, err)
}

// addBid adds a bid whose key is the next number.
func addBid(t *testing.T, s *auction.Store) {
	t.Helper()
	updateAuction(t, s, func(a *auction.Auction, p *auction.AuctionParts) error {
		a.Count++
		p.Bid.Insert(bid(int64(a.Count)))
		return nil
	})
}
