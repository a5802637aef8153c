package simulation

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/memory"
)

const (
	rootOfGarage  = "customers"
	emailOfGarage = "customers__email_unique"
)

// openGarage opens a store of customers with a unique e-mail and a unique licence.
func openGarage(t *testing.T, backend *memory.Backend, c mapper.Config) garage.CustomersTable {
	t.Helper()
	c.Logger = discardLogger
	s, err := garage.OpenBackend(t.Context(), backend, c)
	require.NoError(t, err)
	return s.Customers
}

// signUp is a customer with an e-mail and a licence; "" is none.
func signUp(id int32, email, licence string) *garage.Customer {
	c := &garage.Customer{ID: id, Name: fmt.Sprint("customer ", id)}
	if email != "" {
		c.Email = &email
	}
	if licence != "" {
		c.Country, c.Licence = new("BR"), &licence
	}
	return c
}

// readReservation returns whether the reservation of an e-mail has an owner, and its floor.
func readReservation(t *testing.T, backend *memory.Backend, email string) (owned bool, floor plan.Version) {
	t.Helper()
	db, err := backend.Open(t.Context(), &descriptor.Schema{Tables: []*descriptor.Table{emailTable}})
	require.NoError(t, err)
	row, err := db.Row(t.Context(), &store.Lookup{Read: store.Read{Table: (*plan.Table)(emailTable), Key: cell.Row{cell.Cell(email)}}})
	require.NoError(t, err)
	require.NotNil(t, row, "there is a reservation")
	floor, err = plan.DecodeBigint(row[3])
	require.NoError(t, err)
	return row[1] != nil, floor
}

// A save that is refused because of one value gives back the others: no client that makes the corrected call waits for the lease.
func TestRefusedSavesGiveBackTheirClaims(t *testing.T) {
	for name, refused := range map[string]func(ctx context.Context, s garage.CustomersTable) error{
		"Insert": func(ctx context.Context, s garage.CustomersTable) error {
			return s.Insert(ctx, signUp(1, "new", "taken"))
		},
		"Put": func(ctx context.Context, s garage.CustomersTable) error {
			return s.Put(ctx, signUp(1, "new", "taken"))
		},
		"Put over a row": func(ctx context.Context, s garage.CustomersTable) error {
			return s.Put(ctx, signUp(8, "new", "taken"))
		},
		"Update": func(ctx context.Context, s garage.CustomersTable) error {
			_, err := s.Update(ctx, 8, func(c *garage.Customer) error { *c = *signUp(8, "new", "taken"); return nil })
			return err
		},
		"Change": func(ctx context.Context, s garage.CustomersTable) error {
			old, err := s.Get(ctx, 8)
			if err != nil {
				return err
			}
			changed := *signUp(8, "new", "taken")
			return s.Change(ctx, old, &changed)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, s := t.Context(), openGarage(t, memory.New(memory.Config{}), mapper.Config{})
				require.NoError(t, s.Insert(ctx, signUp(9, "", "taken")))
				require.NoError(t, s.Insert(ctx, signUp(8, "old", "")))
				began := time.Now()
				require.True(t, isDuplicate(refused(ctx, s)))
				require.NoError(t, s.Insert(ctx, signUp(2, "new", "free")), "another customer")
				require.Less(t, time.Since(began), mapper.DefaultLease/4)
				require.True(t, isDuplicate(s.Insert(ctx, signUp(3, "old", ""))), "the value of the row stays claimed")
			})
		})
	}
}

// An Insert of an identifier that is in use gives back the values that it has claimed, and keeps those of the row.
func TestInsertOfAnExistingRowGivesBackItsClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, s := t.Context(), openGarage(t, memory.New(memory.Config{}), mapper.Config{})
		require.NoError(t, s.Insert(ctx, signUp(1, "own", "")))
		began := time.Now()
		require.ErrorIs(t, s.Insert(ctx, signUp(1, "new", "l")), mapper.ErrExists)
		require.ErrorIs(t, s.Insert(ctx, signUp(1, "own", "l")), mapper.ErrExists)
		require.True(t, isDuplicate(s.Insert(ctx, signUp(2, "own", "l"))))
		require.NoError(t, s.Insert(ctx, signUp(2, "new", "l")))
		require.Less(t, time.Since(began), mapper.DefaultLease/4)
	})
}

// A Change whose old value lacks an e-mail that the row has claims it again. If it is refused, the e-mail stays that of the row.
func TestRefusedChangeKeepsTheValuesOfTheRow(t *testing.T) {
	for name, insert := range map[string]func(context.Context, garage.CustomersTable, *garage.Customer) error{
		"claimed by an Insert": func(ctx context.Context, s garage.CustomersTable, c *garage.Customer) error { return s.Insert(ctx, c) },
		"claimed by a save": func(ctx context.Context, s garage.CustomersTable, c *garage.Customer) error { // its claim has a version, unlike that of an Insert
			if err := s.Insert(ctx, signUp(1, "", "")); err != nil {
				return err
			}
			_, err := s.Update(ctx, 1, func(now *garage.Customer) error { now.Email = c.Email; return nil })
			if err != nil {
				return err
			}
			later, err := s.Update(ctx, 1, func(now *garage.Customer) error { now.Name = "later"; return nil })
			*c = *later
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, s := t.Context(), openGarage(t, memory.New(memory.Config{}), mapper.Config{})
			require.NoError(t, s.Insert(ctx, signUp(9, "", "taken")))
			row := signUp(1, "own", "")
			require.NoError(t, insert(ctx, s, row), name)
			old, changed := *row, *signUp(1, "own", "taken")
			old.Email, changed.Version = nil, row.Version
			require.True(t, isDuplicate(s.Change(ctx, &old, &changed)), name)
			require.True(t, isDuplicate(s.Insert(ctx, signUp(2, "own", ""))), name)
		})
	}
}

// A floor rises with each release, and a claim that is given back has at least the version of the save as its floor: a request that is late is
// refused, even if the reservation was removed in between.
func TestGivenBackClaimsRaiseTheFloor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		ahead := openGarage(t, backend, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(time.Hour) }})
		s := openGarage(t, backend, mapper.Config{})
		require.NoError(t, s.Insert(ctx, signUp(9, "", "taken")))
		require.True(t, isDuplicate(s.Insert(ctx, signUp(1, "e", "taken"))))
		owned, first := readReservation(t, backend, "e")
		require.False(t, owned)
		require.GreaterOrEqual(t, first, time.Now().Add(-time.Minute).UnixMicro(), "the version that the save had planned")
		require.True(t, isDuplicate(ahead.Insert(ctx, signUp(1, "e", "taken"))))
		_, second := readReservation(t, backend, "e")
		require.Greater(t, second, first+1, "the clock is ahead")
		require.True(t, isDuplicate(s.Insert(ctx, signUp(1, "e", "taken"))))
		owned, third := readReservation(t, backend, "e")
		require.False(t, owned)
		require.Greater(t, third, second)
		eva := signUp(1, "e", "")
		require.NoError(t, s.Insert(ctx, eva))
		require.Greater(t, eva.Version, third)
	})
}

// interceptOnce calls do before the n-th conditional request on a table, and never again.
func interceptOnce(backend *memory.Backend, table string, n int, do func() memory.Outcome) {
	seen := 0
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if !r.Conditional || !slices.Contains(r.Tables, table) {
			return memory.Done
		}
		if seen++; seen != n {
			return memory.Done
		}
		return do()
	})
}

// A claim whose answer was lost is not given back: another save of the row may have used it.
func TestClaimsOfUnknownOutcomeAreNotGivenBack(t *testing.T) {
	for name, values := range map[string]func(id int32) *garage.Customer{
		"one value":  func(id int32) *garage.Customer { return signUp(id, "e", "") },
		"two values": func(id int32) *garage.Customer { return signUp(id, "e", "l") },
	} {
		for before, setUp := range map[string]func(context.Context, garage.CustomersTable){
			"new": func(context.Context, garage.CustomersTable) {},
			"released": func(ctx context.Context, s garage.CustomersTable) {
				_ = s.Insert(ctx, signUp(7, "e", ""))
				_ = s.Delete(ctx, 7)
			},
		} {
			for _, lost := range []memory.Outcome{memory.LostAnswer, memory.LostRequest} {
				t.Run(fmt.Sprint(name, " ", before, " ", lost), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						ctx, backend := t.Context(), memory.New(memory.Config{})
						s := openGarage(t, backend, mapper.Config{})
						setUp(ctx, s)
						request := map[string]int{"new": 1, "released": 2}[before]
						seen := 0
						backend.Intercept(func(r memory.Request) memory.Outcome {
							switch {
							case r.Conditional && slices.Contains(r.Tables, rootOfGarage):
								return memory.Refused
							case r.Conditional && slices.Contains(r.Tables, emailOfGarage):
								if seen++; seen == request {
									return lost
								}
							}
							return memory.Done
						})
						require.Error(t, s.Insert(ctx, values(1)))
						backend.Intercept(nil)
						owned, _ := readReservation(t, backend, "e")
						require.True(t, owned)
						require.NoError(t, s.Insert(ctx, signUp(2, "e", "")), "after the lease")
					})
				})
			}
		}
	}
}

// Two saves of one row claim the same e-mail. One of them is refused; the other one has joined the claim and commits, so the e-mail is
// not given back.
func TestSavesOfOneRowShareAClaim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		require.NoError(t, s.Insert(ctx, signUp(9, "", "taken")))
		var other error
		interceptOnce(backend, emailOfGarage, 2, func() memory.Outcome { // the first save gives the e-mail back
			other = s.Insert(ctx, signUp(1, "e", ""))
			return memory.Done
		})
		require.True(t, isDuplicate(s.Insert(ctx, signUp(1, "e", "taken"))))
		backend.Intercept(nil)
		require.NoError(t, other)
		require.True(t, isDuplicate(s.Insert(ctx, signUp(2, "e", ""))))
		require.True(t, isDuplicate(s.Insert(ctx, signUp(3, "e", ""))))
	})
}

// joining calls second before the request by which a save inserts its row. The outcome of the request by which the second save raises the floor of
// the claim is raise, and that of its own insertion is end.
func joining(backend *memory.Backend, raise, end memory.Outcome, second func()) {
	roots, claims := 0, 0
	backend.Intercept(func(r memory.Request) memory.Outcome {
		switch {
		case !r.Conditional:
		case slices.Contains(r.Tables, emailOfGarage):
			if claims++; claims == 3 { // after the INSERTs of both saves
				return raise
			}
		default:
			if roots++; roots == 1 {
				second()
			} else if roots == 2 {
				return end
			}
		}
		return memory.Done
	})
}

// A save joins the claim of another save of its row, which has not been carried out yet. Whichever of them is refused, the e-mail stays
// claimed for the other one.
func TestJoinedClaimsStay(t *testing.T) {
	for name, raise := range map[string]memory.Outcome{"raised": memory.Done, "the request is lost": memory.LostRequest, "the answer is lost": memory.LostAnswer} {
		for end, refused := range map[string]memory.Outcome{"the second save commits": memory.Done, "the first save commits": memory.Refused} {
			t.Run(name+", "+end, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, backend := t.Context(), memory.New(memory.Config{})
					s := openGarage(t, backend, mapper.Config{})
					var second error
					joining(backend, raise, refused, func() { second = s.Insert(ctx, signUp(1, "e", "")) })
					first := s.Insert(ctx, signUp(1, "e", ""))
					backend.Intercept(nil)
					if refused == memory.Done {
						require.NoError(t, second)
						require.ErrorIs(t, first, mapper.ErrExists)
					} else {
						require.Error(t, second)
						require.NoError(t, first)
					}
					for id := range int32(2) {
						require.True(t, isDuplicate(s.Insert(ctx, signUp(2+id, "e", ""))))
					}
				})
			})
		}
	}
}

// stuck makes a claim of an e-mail for a customer that is never inserted: its client dies.
func stuck(t *testing.T, backend *memory.Backend, s garage.CustomersTable, id int32) {
	t.Helper()
	backend.Intercept(func(r memory.Request) memory.Outcome {
		if r.Conditional && slices.Contains(r.Tables, rootOfGarage) {
			return memory.LostRequest
		}
		return memory.Done
	})
	defer backend.Intercept(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.Error(t, s.Insert(ctx, signUp(id, "e", "")))
}

// A call whose deadline is before the end of the lease returns ErrBusy. The lease counts from the claim, not from the call: so the calls of a
// client with short deadlines succeed if they are repeated, even if another client repeats the save that has the claim.
func TestShortCallsTakeOverClaims(t *testing.T) {
	for name, repeated := range map[string]bool{"dead client": false, "client that repeats": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				backend := memory.New(memory.Config{})
				s := openGarage(t, backend, mapper.Config{})
				stuck(t, backend, s, 1)
				began := time.Now()
				for {
					ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
					err := s.Insert(ctx, signUp(2, "e", ""))
					cancel()
					if err == nil {
						break
					}
					require.ErrorIs(t, err, mapper.ErrBusy)
					require.ErrorContains(t, err, "try again")
					if repeated {
						stuck(t, backend, s, 1)
					}
					require.Less(t, time.Since(began), 2*mapper.DefaultLease)
				}
				require.GreaterOrEqual(t, time.Since(began), mapper.DefaultLease-100*time.Millisecond, "not before the end of the lease")
			})
		})
	}
}

// MaxClockSkew is subtracted from the age of a claim. A clock that is behind does not prevent a call that is longer than the lease from
// taking over the value.
func TestLeaseOfClientsWithOtherClocks(t *testing.T) {
	for name, c := range map[string]struct {
		config mapper.Config
		ahead  time.Duration
		most   time.Duration
	}{
		"ahead within the skew": {mapper.Config{MaxClockSkew: 3 * time.Second}, 2900 * time.Millisecond, 0},
		"behind, without guard": {mapper.Config{MaxClockSkew: -1}, -time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				backend := memory.New(memory.Config{})
				stuck(t, backend, openGarage(t, backend, mapper.Config{}), 1)
				c.config.Now = func() time.Time { return time.Now().Add(c.ahead) }
				began := time.Now()
				require.NoError(t, openGarage(t, backend, c.config).Insert(t.Context(), signUp(2, "e", "")))
				require.GreaterOrEqual(t, time.Since(began), mapper.DefaultLease-100*time.Millisecond)
				require.Less(t, time.Since(began), 2*mapper.DefaultLease)
			})
		})
	}
}

// Both values are claimed at the same time. If one of them is in flight, the call gives the other one back while it waits.
func TestClaimsAreGivenBackWhileACallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		stuck(t, backend, s, 1)
		waiting := make(chan error)
		go func() { waiting <- s.Insert(ctx, signUp(2, "e", "l")) }()
		time.Sleep(mapper.DefaultLease / 2)
		began := time.Now()
		require.NoError(t, s.Insert(ctx, signUp(3, "", "l")))
		require.Less(t, time.Since(began), mapper.DefaultLease/4)
		require.True(t, isDuplicate(<-waiting))
	})
}

// An order of 20 tickets claims them at the same time, and a Delete releases them at the same time.
func TestManyValuesAreClaimedAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const latency = 10 * time.Millisecond
		ctx, backend := t.Context(), memory.New(memory.Config{})
		table := ticketOrders(t, backend)
		backend.Intercept(func(memory.Request) memory.Outcome {
			time.Sleep(latency)
			return memory.Done
		})
		tickets := map[string]struct{}{}
		for i := range 20 {
			tickets[fmt.Sprint("t", i)] = struct{}{}
		}
		began := time.Now()
		require.NoError(t, table.Insert(ctx, &customer{ID: 1, Plates: tickets}))
		require.Equal(t, 3*latency, time.Since(began), "the claims, the row and its copies")
		began = time.Now()
		require.NoError(t, table.Delete(ctx, customerKey(1)))
		require.LessOrEqual(t, time.Since(began), 6*latency)
		require.NoError(t, table.Insert(ctx, &customer{ID: 2, Plates: tickets}))
	})
}

// A refused save gives back all values that it has claimed while its own time lasts, and for at most a second after that.
func TestRefusedSavesGiveBackManyClaims(t *testing.T) {
	const latency = 200 * time.Millisecond // ten requests, one after the other, give back 300 values
	tickets := map[string]struct{}{}
	for i := range 300 {
		tickets[fmt.Sprint("t", i)] = struct{}{}
	}
	for name, cancels := range map[string]bool{"with its time": false, "cancelled meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				backend := memory.New(memory.Config{})
				table := ticketOrders(t, backend)
				require.NoError(t, table.Insert(t.Context(), &customer{ID: 1, Email: "taken"}))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var statements atomic.Int32
				var canceled time.Time
				backend.Intercept(func(r memory.Request) memory.Outcome {
					time.Sleep(latency)
					if cancels && r.Conditional && statements.Add(1) == 302 { // after the claims of the tickets and of the e-mail
						canceled = time.Now()
						cancel()
					}
					return memory.Done
				})
				require.True(t, isDuplicate(table.Insert(ctx, &customer{ID: 2, Email: "taken", Plates: tickets})))
				if cancels {
					require.LessOrEqual(t, time.Since(canceled), time.Second+latency)
					return
				}
				backend.Intercept(nil)
				began := time.Now()
				require.NoError(t, table.Insert(ctx, &customer{ID: 3, Plates: tickets}))
				require.Zero(t, time.Since(began), "the save waits for no claim")
			})
		})
	}
}

// ticketOrders opens a table of customers whose plates are unique, as the tickets of an order are.
func ticketOrders(t *testing.T, backend *memory.Backend) save.Versioned {
	t.Helper()
	schema, a := withUniquePlates()
	db, err := call.OpenBackend(t.Context(), backend, schema, mapper.Config{Logger: discardLogger})
	require.NoError(t, err)
	return save.NewVersioned(call.NewReader(db, new(call.Codec).Start((*plan.Table)(customersTable), customerCodec{}, nil, true)), a)
}

// withUniquePlates returns the aggregate of customers with unique plates in addition to the unique e-mail.
func withUniquePlates() (*descriptor.Schema, *plan.Aggregate) {
	tickets := *emailTable
	tickets.Name, tickets.Columns = "customers__plates_unique", slices.Clone(emailTable.Columns)
	tickets.Columns[0] = descriptor.Column{Name: "plate", CQL: "plate", Field: "Plates", Kind: projection.PartitionKey, Type: "text"}
	versioning := *customersAggregate.Aggregate.Versioning
	versioning.Uniques = append(slices.Clone(versioning.Uniques), descriptor.Unique{
		Table: &tickets, Field: "Plates",
		Of: descriptor.Projection{Ops: []projection.Op{{Code: projection.Each, Src: customerPlates, Dst: customerColumns}}, Columns: []uint16{customerColumns}},
	})
	a := plan.Link(descriptor.Aggregate{Root: customersTable, Copies: slices.Clone(customersAggregate.Aggregate.Copies), Versioning: &versioning})
	schema := *customersSchema
	schema.Tables, schema.Aggregates = append(slices.Clone(schema.Tables), &tickets), []*descriptor.Aggregate{a.Aggregate}
	return &schema, a
}

// A save whose outcome is unknown keeps its claims: it can still be applied.
func TestSavesOfUnknownOutcomeKeepTheirClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		stuck(t, backend, s, 1)
		owned, _ := readReservation(t, backend, "e")
		require.True(t, owned)
	})
}

// A call whose context ends before its save is sent gives back its claims.
func TestEndedCallsGiveBackTheirClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		backend := memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		interceptOnce(backend, emailOfGarage, 1, func() memory.Outcome { cancel(); return memory.Done })
		require.ErrorIs(t, s.Insert(ctx, signUp(1, "e", "")), context.Canceled)
		owned, _ := readReservation(t, backend, "e")
		require.False(t, owned)
	})
}

// Values that a call claims one after the other are given back, too, if a later one is refused.
func TestClaimsBeforeARefusedOneAreGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		stuckLicence := func() {
			backend.Intercept(func(r memory.Request) memory.Outcome {
				if r.Conditional && slices.Contains(r.Tables, rootOfGarage) {
					return memory.LostRequest
				}
				return memory.Done
			})
			defer backend.Intercept(nil)
			ended, cancel := context.WithTimeout(ctx, time.Millisecond)
			defer cancel()
			require.Error(t, s.Insert(ended, signUp(1, "", "l")))
		}
		stuckLicence()
		ended, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, s.Insert(ended, signUp(2, "e", "l")), mapper.ErrBusy)
		began := time.Now()
		require.NoError(t, s.Insert(ctx, signUp(3, "e", "")))
		require.Less(t, time.Since(began), mapper.DefaultLease/4)
	})
}

// A save that waits for one value has not joined the claim of another value: the save that made it can give it back.
func TestSavesJoinOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		stuck(t, backend, s, 2)
		interceptOnce(backend, rootOfGarage, 1, func() memory.Outcome { // the save has claimed the licence
			ended, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
			require.ErrorIs(t, s.Insert(ended, signUp(1, "e", "l")), mapper.ErrBusy)
			return memory.Refused
		})
		require.Error(t, s.Insert(ctx, signUp(1, "", "l")))
		backend.Intercept(nil)
		began := time.Now()
		require.NoError(t, s.Insert(ctx, signUp(3, "", "l")))
		require.Less(t, time.Since(began), mapper.DefaultLease/4)
	})
}

// A save that the servers refuse gives back its claims.
func TestSavesThatServersRefuseGiveBackTheirClaims(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, backend := t.Context(), memory.New(memory.Config{})
		s := openGarage(t, backend, mapper.Config{})
		interceptOnce(backend, rootOfGarage, 1, func() memory.Outcome { return memory.Refused })
		began := time.Now()
		require.Error(t, s.Insert(ctx, signUp(1, "e", "l")))
		require.NoError(t, s.Insert(ctx, signUp(2, "e", "l")))
		require.Less(t, time.Since(began), mapper.DefaultLease/4)
	})
}

// Reconcile raises the floor of a reservation that it releases, even if a clock that was ahead has written it.
func TestReconcileRaisesTheFloor(t *testing.T) {
	d := newDrifted(t)
	require.NoError(t, d.table.Insert(t.Context(), &customer{ID: 1}))
	ahead := d.now.Add(time.Hour).UnixMicro()
	d.write((*plan.Table)(emailTable), plan.Put, d.now, "z", id1, string(plan.Bigint(1)), string(plan.Bigint(ahead)))
	_, found := d.reconcile(mapper.ReconcileConfig{})
	require.Len(t, found, 1)
	owned, floor := readReservation(t, d.backend, "z")
	require.False(t, owned)
	require.Greater(t, floor, ahead)
}
