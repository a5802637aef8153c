package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/integration/models/member"
	"github.com/cassaml/cassaml/mapper"
)

const (
	garageVariable = "CASSAML_TEST_GARAGE_CLIENT"
	garageWriters  = 8       // goroutines of a process that loads
	erraticRows    = 20      // rows of each root that a process writes until it is killed
	firstErratic   = 1 << 22 // ID of these rows
	firstBeside    = 1 << 20 // ID of the customers that processes write beside a run
	callsOfRound   = 40      // of a process beside a run, on the same customers
)

// garageConfig configures a process that calls a store of garage.
type garageConfig struct {
	Role      string // a name in garageRoles
	Number    int    // of the processes of its role
	Processes int    // of its role
	Seed      uint64
	Skew      time.Duration // of its clock
	Hosts     []string
	Mechanics int32 // that are loaded, with the IDs after 0
	Customers int32
	History   string // the file to which it appends the calls on customers
	Job       string // of the run
	Hold      int    // the process stops in a page after so many slices; negative: never
}

// garageRoles are what a process does.
var garageRoles = map[string]func(c *garageClient){
	"load": (*garageClient).load, "erratic": (*garageClient).erratic,
	"beside": (*garageClient).beside, "reconcile": (*garageClient).reconcile,
}

// garageClient is one of the processes of [testReconcile].
type garageClient struct {
	garageConfig

	t       *testing.T
	session gocqlx.Session
	store   *garage.Store
	in      *bufio.Scanner
}

// TestGarageClient is one of the processes of [testReconcile].
func TestGarageClient(t *testing.T) {
	text := os.Getenv(garageVariable)
	if text == "" {
		t.Skip("runs only as a child process of other tests")
	}
	c := &garageClient{t: t, in: bufio.NewScanner(os.Stdin)}
	require.NoError(t, json.Unmarshal([]byte(text), &c.garageConfig))
	cluster := gocql.NewCluster(c.Hosts...)
	cluster.Keyspace, cluster.ProtoVersion, cluster.Consistency = "garage", 4, gocql.LocalQuorum
	cluster.Timeout, cluster.ConnectTimeout, cluster.WriteCoalesceWaitTime = 10*time.Second, 10*time.Second, 0
	session, err := cassandra.CreateSession(t.Context(), cluster)
	require.NoError(t, err)
	defer session.Close()
	c.session = gocqlx.NewSession(session)
	config := mapper.Config{Logger: slog.New(slog.DiscardHandler), Lease: 500 * time.Millisecond, Timeout: leaseOfSlices}
	if c.Role != "reconcile" {
		config.MaxClockSkew, config.Timeout = -1, mapper.DefaultTimeout
		config.Now = func() time.Time { return time.Now().Add(c.Skew) }
	}
	c.store, err = garage.Open(t.Context(), c.session, config)
	require.NoError(t, err)
	garageRoles[c.Role](c)
}

// mechanicOf returns a state of a mechanic. A mechanic has different rows of copies in two consecutive states.
func mechanicOf(id int32, state int) *garage.Mechanic {
	n := int(id) + state
	return &garage.Mechanic{
		ID: id, Name: fmt.Sprintf("mechanic %d.%d", id, state), City: fmt.Sprint("city ", n%50), OnDuty: n%2 == 0,
		Skills: []string{fmt.Sprint("skill ", n%20)}, Tools: []string{fmt.Sprintf("tool %d.%d", id, state)},
	}
}

// customerOf returns a state of a customer.
func customerOf(id int32, state int) *garage.Customer {
	c := &garage.Customer{ID: id, Name: fmt.Sprintf("customer %d.%d", id, state), Vehicles: []string{fmt.Sprint("plate ", (int(id)+state)%30)}}
	if id%5 > 0 {
		c.City = new(fmt.Sprint("city ", (int(id)+state)%50))
	}
	if id%2 > 0 {
		c.Email = new(fmt.Sprintf("%d.%d@example.com", id, state))
	}
	if id%4 == 1 {
		c.Country, c.Licence = new("BR"), new(fmt.Sprintf("%d.%d", id, state))
	}
	return c
}

// loadedState returns the last state of a row that is loaded; -1: it is deleted.
func loadedState(id int32) int {
	switch {
	case id%10 == 9:
		return -1
	case id%3 == 0:
		return 1
	}
	return 0
}

// load inserts its part of all rows, changes some of them and deletes some.
func (c *garageClient) load() {
	ids := make(chan int32)
	var all sync.WaitGroup
	for range garageWriters {
		all.Go(func() {
			for id := range ids {
				if id > 0 {
					assert.NoError(c.t, c.loadMechanic(id), "mechanic %d", id)
				} else {
					assert.NoError(c.t, c.loadCustomer(-id), "customer %d", -id)
				}
			}
		})
	}
	for id := int32(1); id <= max(c.Mechanics, c.Customers); id++ {
		if int(id)%c.Processes != c.Number {
			continue
		}
		if id <= c.Mechanics {
			ids <- id
		}
		if id <= c.Customers {
			ids <- -id
		}
	}
	close(ids)
	all.Wait()
}

func (c *garageClient) loadMechanic(id int32) error {
	ctx, state := c.t.Context(), loadedState(id)
	err := c.store.Mechanics.Insert(ctx, mechanicOf(id, 0))
	switch {
	case err != nil || state == 0:
		return err
	case state < 0:
		return c.store.Mechanics.Delete(ctx, id)
	}
	return c.store.Mechanics.Change(ctx, mechanicOf(id, 0), mechanicOf(id, state))
}

func (c *garageClient) loadCustomer(id int32) error {
	ctx, state, v := c.t.Context(), loadedState(id), customerOf(id, 0)
	err := c.store.Customers.Insert(ctx, v)
	switch {
	case err != nil || state == 0:
		return err
	case state < 0:
		return c.store.Customers.Delete(ctx, id)
	}
	_, err = c.store.Customers.Update(ctx, id, func(v *garage.Customer) error {
		version := v.Version
		*v = *customerOf(id, state)
		v.Version = version
		return nil
	})
	return err
}

// erratic makes random calls until the process is killed. The mechanics are its own, the customers are those of all such processes.
func (c *garageClient) erratic() {
	var all sync.WaitGroup
	for i := range 4 {
		random := rand.New(rand.NewPCG(c.Seed, uint64(i)))
		all.Go(func() {
			for state := 0; ; state++ {
				id := firstErratic + random.Int32N(erraticRows)
				if random.IntN(3) == 0 {
					own := firstErratic + int32(c.Number*erraticRows*4+i*erraticRows) + random.Int32N(erraticRows)
					_ = c.store.Mechanics.Put(c.t.Context(), mechanicOf(own, state))
				} else {
					v := customerOf(id, state)
					v.Email = new(fmt.Sprint(random.IntN(erraticRows), "@example.org"))
					_ = c.store.Customers.Put(c.t.Context(), v) // the e-mail can be taken
				}
				fmt.Println("called")
			}
		})
	}
	all.Wait()
}

// isBeside reports whether a process writes a mechanic beside a run.
func (c *garageConfig) isBeside(id int32) bool {
	return id%10 == 3 && int(id/10)%c.Processes == c.Number
}

// beside writes customers and mechanics until its input ends. Then it prints the states of the mechanics that it has written.
func (c *garageClient) beside() {
	ctx, end := context.WithCancel(c.t.Context())
	go func() {
		for c.in.Scan() {
		}
		end()
	}()
	var both sync.WaitGroup
	states := map[int32]int{}
	both.Go(func() { c.changeMechanics(ctx, states) })
	both.Go(func() { c.callCustomers(ctx) })
	both.Wait()
	text, err := json.Marshal(states)
	require.NoError(c.t, err)
	fmt.Printf("states %s\n", text)
}

// changeMechanics changes the mechanics of a process in turn. A change of unknown outcome is repeated.
func (c *garageClient) changeMechanics(ctx context.Context, states map[int32]int) {
	for state := 2; ; state++ {
		for id := int32(1); id <= c.Mechanics; id++ {
			if !c.isBeside(id) {
				continue
			}
			for saved := false; !saved; {
				if ctx.Err() != nil {
					return
				}
				_, err := c.store.Mechanics.Update(c.t.Context(), id, func(v *garage.Mechanic) error {
					*v = *mechanicOf(id, state)
					return nil
				})
				saved = err == nil
			}
			states[id] = state
		}
	}
}

// callCustomers calls the store of customers, and writes a history.
func (c *garageClient) callCustomers(ctx context.Context) {
	table, serial := customers{c.store.Customers}, customers{c.store.With(mapper.Options{Serial: true}).Customers}
	m := newMemberClient(c.t, table, serial, clientConfig{Number: c.Number, Seed: c.Seed, History: c.History, Round: firstBeside / idsOfRound})
	for ctx.Err() == nil {
		if m.calls%callsOfRound == callsOfRound-1 {
			m.round, m.known = m.round+1, map[int32]*member.Member{}
		}
		m.call(c.t.Context())
		if m.calls == callsOfRound/4 {
			fmt.Println("writing")
		}
	}
}

// reconcile takes part in the shared run when it is told to, and prints the report. It stops in a page if it is to be killed.
func (c *garageClient) reconcile() {
	fmt.Println("ready")
	c.in.Scan()
	config := runConfig(c.Job)
	var rows int64
	config.Progress = func(p mapper.ReconcileProgress) {
		if c.Hold >= 0 && p.Done >= c.Hold && p.Rows > rows {
			fmt.Println("holding")
			select {}
		}
		rows = p.Rows
	}
	report, err := c.store.Reconcile(c.t.Context(), config)
	require.NoError(c.t, err)
	text, err := json.Marshal(report)
	require.NoError(c.t, err)
	fmt.Printf("report %s\n", text)
}

// runConfig returns the configuration of a run.
func runConfig(share string) mapper.ReconcileConfig {
	return mapper.ReconcileConfig{Job: share, Slices: 6, Parallel: 2, Grace: time.Minute}
}

// customers is a table of customers as one of members: the nickname is the e-mail, the team is the city, and the note is the name.
type customers struct{ table garage.CustomersTable }

func customerOfMember(m *member.Member) *garage.Customer {
	return &garage.Customer{ID: m.ID, Name: m.Note, City: &m.Team, Email: m.Nick, Vehicles: []string{m.Team}, Version: m.Version}
}

func memberOf(c *garage.Customer) *member.Member {
	if c == nil {
		return nil
	}
	return &member.Member{ID: c.ID, Nick: c.Email, Team: *c.City, Note: c.Name, Version: c.Version}
}

// save calls a method with the customer of a member, and sets the version of the member.
func save(m *member.Member, do func(*garage.Customer) error) error {
	c := customerOfMember(m)
	err := do(c)
	m.Version = c.Version
	return err
}

// Get reads a customer.
func (t customers) Get(ctx context.Context, id int32) (*member.Member, error) {
	c, err := t.table.Get(ctx, id)
	return memberOf(c), err
}

// GetByNick reads the customer that has an e-mail.
func (t customers) GetByNick(ctx context.Context, nick string) (*member.Member, error) {
	c, err := t.table.GetByEmail(ctx, nick)
	return memberOf(c), err
}

// Reconcile compares the copies and the reservations of a customer.
func (t customers) Reconcile(ctx context.Context, id int32, config mapper.ReconcileConfig, known ...*member.Member) (*mapper.ReconcileReport, error) {
	var all []*garage.Customer
	for _, m := range known {
		all = append(all, customerOfMember(m))
	}
	return t.table.Reconcile(ctx, id, config, all...)
}

// Insert inserts a customer.
func (t customers) Insert(ctx context.Context, m *member.Member) error {
	return save(m, func(c *garage.Customer) error { return t.table.Insert(ctx, c) })
}

// Put puts a customer.
func (t customers) Put(ctx context.Context, m *member.Member) error {
	return save(m, func(c *garage.Customer) error { return t.table.Put(ctx, c) })
}

// Change changes a customer.
func (t customers) Change(ctx context.Context, old, new *member.Member) error {
	return save(new, func(c *garage.Customer) error { return t.table.Change(ctx, customerOfMember(old), c) })
}

// Update updates a customer.
func (t customers) Update(ctx context.Context, id int32, change func(*member.Member) error) (*member.Member, error) {
	c, err := t.table.Update(ctx, id, func(c *garage.Customer) error {
		m := memberOf(c)
		if err := change(m); err != nil {
			return err
		}
		*c = *customerOfMember(m)
		return nil
	})
	return memberOf(c), err
}

// Delete deletes a customer.
func (t customers) Delete(ctx context.Context, id int32) error { return t.table.Delete(ctx, id) }

// DeleteAt deletes a customer that has a version.
func (t customers) DeleteAt(ctx context.Context, id int32, version int64) error {
	return t.table.DeleteAt(ctx, id, version)
}
