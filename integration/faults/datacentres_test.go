package faults

import (
	"context"
	"errors"
	"flag"
	"maps"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	apache "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/internal/migrating"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
)

var runDataCentres = flag.Bool("datacentres", false, "test two data centres, in which nodes are killed and restarted")

// TestDataCentres shows the statements of docs/writing.md and docs/consistency.md about two data centres. dc1 has two nodes with two
// replicas, dc2 has one. First dc1 is down, then dc2; then both are up, and each lacks the writes of the other until they are repaired.
func TestDataCentres(t *testing.T) {
	if !*runDataCentres {
		t.Skip("with -datacentres, in go run ./integration/long")
	}
	t.Parallel()
	c := newCentres(t)
	require.True(t, t.Run("both are up", c.testBoth))
	c.kill(0, 1)
	c.awaitDown(c.dc2, gocql.Quorum)
	require.True(t, t.Run("dc1 is down", c.testWithoutDC1))
	c.kill(2)
	c.restart(0, 1)
	c.awaitDown(c.dc1, gocql.EachQuorum)
	require.True(t, t.Run("dc2 is down", c.testWithoutDC2))
	c.restart(2)
	require.True(t, t.Run("both are up again", c.testDivergence))
}

// centres are two data centres, with a keyspace and clients in each.
type centres struct {
	t        *testing.T
	cluster  *cassandra.Cluster
	dc1, dc2 *centre
}

// centre is the clients in a data centre. Their clocks are an hour behind, so that Reconcile compares what they write.
type centre struct {
	name    string
	hosts   []string
	session gocqlx.Session
	store   *garage.Store // at LOCAL_QUORUM and SERIAL
	each    *garage.Store // at EACH_QUORUM and SERIAL
	local   *garage.Store // at LOCAL_QUORUM and LOCAL_SERIAL
}

// The rows of the test. The customers after the first are written at LOCAL_SERIAL.
const (
	ana, bia, caio, davi, eva int32 = 1, 2, 3, 4, 5
	shared                          = "shared@example.com"
	laterTable                      = "visits"
)

// centreMigrations are the tables of the model. The second release has one more table.
func centreMigrations(releases int) fstest.MapFS {
	all := fstest.MapFS{"0001_init.cql": {Data: []byte(garage.Schema)}}
	if releases > 1 {
		all["0002_visits.cql"] = &fstest.MapFile{Data: []byte("CREATE TABLE visits (id int PRIMARY KEY, page text);")}
	}
	return all
}

func newCentres(t *testing.T) *centres {
	t.Helper()
	c := &centres{t: t, cluster: cassandra.StartCluster(t, "dc1", "dc1", "dc2")}
	first, err := cassandra.CreateSession(t.Context(), c.cluster.Cluster())
	require.NoError(t, err)
	defer first.Close()
	require.NoError(t, first.Query("CREATE KEYSPACE garage WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 1}").Exec())
	c.dc1 = c.open("dc1", c.cluster.Hosts()[:2])
	require.NoError(t, migrate.Up(t.Context(), c.dc1.driver(), centreMigrations(1), migrate.Config{}))
	c.dc2 = c.open("dc2", c.cluster.Hosts()[2:])
	c.dc1.openStores(t)
	c.dc2.openStores(t)
	return c
}

// open returns a session that sends requests to the nodes of one data centre only.
func (c *centres) open(name string, hosts []string) *centre {
	c.t.Helper()
	config := c.cluster.Cluster()
	config.Hosts, config.Keyspace, config.ReconnectInterval = hosts, "garage", time.Second
	config.HostFilter = gocql.DataCentreHostFilter(name)
	config.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.DCAwareRoundRobinPolicy(name))
	session, err := gocqlx.WrapSession(cassandra.CreateSession(c.t.Context(), config))
	require.NoError(c.t, err)
	c.t.Cleanup(session.Close)
	return &centre{name: name, hosts: hosts, session: session}
}

func (d *centre) openStores(t *testing.T) {
	t.Helper()
	hourAgo := mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(-time.Hour) }, Timeout: 5 * time.Second}
	for into, change := range map[**garage.Store]func(*mapper.Config){
		&d.store: func(*mapper.Config) {},
		&d.each:  func(c *mapper.Config) { c.Consistency = mapper.EachQuorum },
		&d.local: func(c *mapper.Config) { c.SerialConsistency = mapper.LocalSerial },
	} {
		config := hourAgo
		change(&config)
		var err error
		*into, err = garage.Open(t.Context(), d.session, config)
		require.NoError(t, err)
	}
}

func (d *centre) driver() driver.Session { return gocqldriver.New(d.session) }

// reconcile runs Reconcile with a clock that is right.
func (d *centre) reconcile(ctx context.Context, serial mapper.Consistency, tables ...string) (*mapper.ReconcileReport, error) {
	store, err := garage.Open(ctx, d.session, mapper.Config{SerialConsistency: serial, Timeout: 5 * time.Second})
	if err != nil {
		return nil, err
	}
	return store.Reconcile(ctx, mapper.ReconcileConfig{Tables: tables, Slices: 4})
}

func (c *centres) kill(nodes ...int) {
	c.t.Helper()
	for _, n := range nodes {
		require.NoError(c.t, c.cluster.Kill(c.t.Context(), n))
	}
}

// restart restarts nodes beside each other: each takes a third of a minute.
func (c *centres) restart(nodes ...int) {
	c.t.Helper()
	faults := make([]error, len(nodes))
	var all sync.WaitGroup
	for i, n := range nodes {
		all.Go(func() { faults[i] = c.cluster.Restart(c.t.Context(), n) })
	}
	all.Wait()
	require.NoError(c.t, errors.Join(faults...))
}

// awaitDown waits until each node of a data centre has noticed that the other one is down: the node answers at LOCAL_QUORUM, and refuses a
// level that needs the other one.
func (c *centres) awaitDown(d *centre, level gocql.Consistency) {
	c.t.Helper()
	for _, host := range d.hosts {
		config := c.cluster.Cluster()
		config.Hosts, config.Keyspace, config.DisableInitialHostLookup = []string{host}, "garage", true
		node, err := cassandra.CreateSession(c.t.Context(), config)
		require.NoError(c.t, err)
		read := func(level gocql.Consistency) error {
			return node.Query("SELECT name FROM mechanics WHERE id = 0").Consistency(level).Exec()
		}
		noticed := func() bool {
			return read(gocql.LocalQuorum) == nil && errors.As(read(level), new(*gocql.RequestErrUnavailable))
		}
		require.Eventually(c.t, noticed, 2*time.Minute, 100*time.Millisecond, "%s at %v", host, level)
		node.Close()
	}
}

// requireUnavailable requires the error of a call that has changed nothing, because too few replicas are up for a level.
func requireUnavailable(t *testing.T, level string, err error) {
	t.Helper()
	require.ErrorContains(t, err, "Cannot achieve consistency level "+level)
	require.False(t, mapper.OutcomeUnknown(err), "%v", err)
}

func newMechanic(id int32, city string) *garage.Mechanic {
	return &garage.Mechanic{ID: id, Name: "Rui", City: city, Skills: []string{"brakes"}}
}

func newCustomer(id int32, email string) *garage.Customer {
	return &garage.Customer{ID: id, Name: "new", City: new("Recife"), Email: &email}
}

// moveMechanic moves the row of a copy.
func moveMechanic(ctx context.Context, s *garage.Store, id int32, city string) error {
	_, err := s.Mechanics.Update(ctx, id, func(m *garage.Mechanic) error { m.City = city; return nil })
	return err
}

// renameCustomer changes a customer, and moves the row of a copy.
func renameCustomer(ctx context.Context, s *garage.Store, id int32, name, city string) error {
	_, err := s.Customers.Update(ctx, id, func(c *garage.Customer) error { c.Name, c.City = name, &city; return nil })
	return err
}

// deleteCopy deletes a row of a copy, which Reconcile then writes again.
func (d *centre) deleteCopy(t *testing.T, table, city string, id int32) {
	t.Helper()
	at := time.Now().Add(-30 * time.Minute).UnixMicro()
	require.NoError(t, d.session.Session.Query("DELETE FROM "+table+" USING TIMESTAMP ? WHERE city = ? AND id = ?", at, city, id).Exec())
}

// testBoth writes rows that all replicas have.
func (c *centres) testBoth(t *testing.T) {
	ctx := t.Context()
	require.NoError(t, migrate.Up(ctx, c.dc2.driver(), centreMigrations(1), migrate.Config{}))
	for id := ana; id <= eva; id++ {
		require.NoError(t, c.dc1.each.Mechanics.Insert(ctx, newMechanic(id, "Recife")))
		require.NoError(t, c.dc1.each.Customers.Insert(ctx, newCustomer(id, string('a'-1+id)+"@example.com")))
	}
	owner, err := c.dc2.store.Customers.GetByEmail(ctx, "a@example.com")
	require.NoError(t, err, "a save at EACH_QUORUM is visible in the other data centre")
	require.Equal(t, ana, owner.ID)
	require.ErrorIs(t, c.dc2.store.Customers.Insert(ctx, newCustomer(ana, "x@example.com")), mapper.ErrExists)
	c.repair()
	unlocked := func() bool {
		var owner *string
		err := c.dc2.session.Session.Query("SELECT owner FROM aml_migrations LIMIT 1").Consistency(gocql.LocalQuorum).Scan(&owner)
		return err == nil && owner == nil
	}
	require.Eventually(t, unlocked, time.Minute, 100*time.Millisecond, "a lock that a busy server does not release in time expires")
}

// repair writes to each replica the rows that it lacks, as nodetool repair does: a read at ALL repairs the rows that it reads.
func (c *centres) repair() {
	c.t.Helper()
	tables, err := c.dc1.session.Session.KeyspaceMetadata("garage")
	require.NoError(c.t, err)
	for name := range tables.Tables {
		it := c.dc1.session.Session.Query("SELECT * FROM garage." + name).Consistency(gocql.All).Iter()
		for it.Scanner().Next() {
		}
		require.NoError(c.t, it.Close(), name)
	}
}

// Without the data centre that has most replicas, everything works in the other one that needs no SERIAL, QUORUM or EACH_QUORUM.
func (c *centres) testWithoutDC1(t *testing.T) {
	ctx, d := t.Context(), c.dc2
	require.NoError(t, moveMechanic(ctx, d.store, ana, "Olinda"))
	rows := cities(t, d.store, ana)
	require.Equal(t, []string{"Olinda"}, rows)
	requireUnavailable(t, "QUORUM", d.store.With(mapper.Options{Consistency: mapper.Quorum}).Mechanics.Insert(ctx, newMechanic(90, "x")))
	requireUnavailable(t, "EACH_QUORUM", d.each.Mechanics.Insert(ctx, newMechanic(91, "x")))
	require.Empty(t, append(cities(t, d.store, 90), cities(t, d.store, 91)...), "a refused write has written nothing")

	requireUnavailable(t, "SERIAL", renameCustomer(ctx, d.store, ana, "x", "x"))
	requireUnavailable(t, "SERIAL", d.store.Customers.Insert(ctx, newCustomer(92, "x@example.com")))
	requireUnavailable(t, "SERIAL", d.store.Customers.Delete(ctx, ana))
	owner, err := d.store.Customers.GetByEmail(ctx, "a@example.com")
	require.NoError(t, err)
	require.Equal(t, "new", owner.Name)
	_, err = d.store.With(mapper.Options{Serial: true}).Customers.GetByEmail(ctx, "a@example.com")
	requireUnavailable(t, "SERIAL", err)

	require.NoError(t, migrate.Up(ctx, d.driver(), centreMigrations(1), migrate.Config{}), "nothing is pending")
	limited, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	require.ErrorContains(t, migrate.Up(limited, d.driver(), centreMigrations(2), migrate.Config{}), "Cannot achieve consistency level SERIAL")
	require.NotContains(t, c.tables(d), laterTable)

	d.deleteCopy(t, "mechanics_by_city", "Olinda", ana)
	report, err := d.reconcile(ctx, mapper.Serial)
	require.NoError(t, err, "drift of plain roots, and a versioned root without drift, need no serial consistency")
	require.Equal(t, int64(1), report.Repaired, "%+v", report)
	require.Equal(t, []string{"Olinda"}, cities(t, d.store, ana))
	d.deleteCopy(t, "customers_by_city", "Recife", eva)
	_, err = d.reconcile(ctx, mapper.Serial)
	requireUnavailable(t, "SERIAL", err)

	require.NoError(t, renameCustomer(ctx, d.local, bia, "saved in dc2", "Olinda"))
	require.NoError(t, d.local.Customers.Insert(ctx, newCustomer(100, "dc2@example.com")))
	require.NoError(t, d.local.Customers.Insert(ctx, newCustomer(102, shared)))
	owner, err = d.local.With(mapper.Options{Serial: true}).Customers.GetByEmail(ctx, shared)
	require.NoError(t, err)
	require.Equal(t, int32(102), owner.ID)
	report, err = d.reconcile(ctx, mapper.LocalSerial)
	require.NoError(t, err)
	require.True(t, report.Clean(), "%+v", report)
	require.Equal(t, int64(1), report.Repaired, "%+v", report)
	c.testFunctionsOfMigrations(t)
}

// Functions of generated packages use the serial consistency of migrate.Config, as Up passes it to them.
func (c *centres) testFunctionsOfMigrations(t *testing.T) {
	require.NoError(t, c.dc2.session.ExecStmt("INSERT INTO customers (id, name, city) VALUES (96, 'of a program without versions', 'Recife')"))
	for _, name := range []string{"customers__version", "customers_by_city"} {
		function := garage.Backfills()[name]
		call := func(level mapper.Consistency) error {
			ctx := migrating.WithSerial(t.Context(), level)
			return function(ctx, c.dc2.driver(), "", func(string) error { return nil })
		}
		require.ErrorContains(t, call(0), "Cannot achieve consistency level SERIAL", name)
		require.NoError(t, call(mapper.LocalSerial), name)
	}
}

// Without the other data centre, everything works that needs no EACH_QUORUM. The clients of this one do not see what was written
// there.
func (c *centres) testWithoutDC2(t *testing.T) {
	ctx, d := t.Context(), c.dc1
	require.NoError(t, d.store.Mechanics.Insert(ctx, newMechanic(6, "Recife")))
	require.NoError(t, d.store.With(mapper.Options{Consistency: mapper.Quorum}).Mechanics.Insert(ctx, newMechanic(7, "Recife")))
	requireUnavailable(t, "EACH_QUORUM", d.each.Mechanics.Insert(ctx, newMechanic(93, "x")))
	require.Empty(t, cities(t, d.store, 93))

	require.NoError(t, renameCustomer(ctx, d.store, caio, "saved in dc1", "Caruaru"))
	owner, err := d.store.With(mapper.Options{Serial: true}).Customers.GetByEmail(ctx, "c@example.com")
	require.NoError(t, err)
	require.Equal(t, "saved in dc1", owner.Name)
	old, err := d.store.Customers.Get(ctx, davi)
	require.NoError(t, err)
	requireUnavailable(t, "EACH_QUORUM", renameCustomer(ctx, d.each, davi, "x", "x"))
	requireUnavailable(t, "EACH_QUORUM", d.each.Customers.Put(ctx, newCustomer(davi, *old.Email)))
	requireUnavailable(t, "EACH_QUORUM", d.each.Customers.Delete(ctx, davi))
	err = d.each.Customers.Insert(ctx, &garage.Customer{ID: 94, City: new("Recife")})
	require.True(t, mapper.OutcomeUnknown(err), "%v", err)
	old, err = d.store.With(mapper.Options{Serial: true}).Customers.Get(ctx, 94)
	require.NoError(t, err, "a conditional statement is accepted at SERIAL before it is refused at EACH_QUORUM")
	changed := *old
	err = d.each.Customers.Change(ctx, old, &changed)
	require.True(t, mapper.OutcomeUnknown(err), "%v", err)
	err = d.each.Customers.Insert(ctx, newCustomer(95, "y@example.com"))
	require.Error(t, err)
	require.False(t, mapper.OutcomeUnknown(err), "the claim of the e-mail is of unknown outcome, so the row is not sent: %v", err)
	_, err = d.store.With(mapper.Options{Serial: true}).Customers.Get(ctx, 95)
	require.ErrorIs(t, err, mapper.ErrNotFound)

	require.NoError(t, migrate.Up(ctx, d.driver(), centreMigrations(2), migrate.Config{}))
	require.Contains(t, c.tables(d), laterTable)
	d.deleteCopy(t, "mechanics_by_city", "Recife", caio)
	report, err := d.reconcile(ctx, mapper.Serial)
	require.NoError(t, err)
	require.True(t, report.Clean(), "%+v", report)
	require.Positive(t, report.Repaired)
	require.Equal(t, []string{"Recife"}, cities(t, d.store, caio))

	require.NoError(t, moveMechanic(ctx, d.store, ana, "Caruaru"), "the row has another city in dc2")
	require.NoError(t, renameCustomer(ctx, d.local, bia, "saved in dc1", "Caruaru"))
	require.NoError(t, d.local.Customers.Insert(ctx, newCustomer(100, "dc1@example.com")), "a customer in dc2 has the identifier")
	require.NoError(t, d.local.Customers.Insert(ctx, newCustomer(101, shared)), "a customer in dc2 has the e-mail")
	c.testOtherCentre(t)
	c.testOtherCentreOfApachesDriver(t)
}

// A policy of the driver that prefers a data centre sends requests to another one if no node of it answers; its filter of nodes does not.
func (c *centres) testOtherCentre(t *testing.T) {
	preferring := func() *gocql.ClusterConfig {
		config := c.cluster.Cluster()
		config.Keyspace = "garage"
		config.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.DCAwareRoundRobinPolicy("dc2"))
		return config
	}
	session, err := cassandra.CreateSession(t.Context(), preferring())
	require.NoError(t, err)
	defer session.Close()
	rows := session.Query("SELECT name FROM customers WHERE id = ?", bia).Consistency(gocql.LocalQuorum).Iter()
	var name string
	require.True(t, rows.Scan(&name), "%v", rows.Close())
	require.Equal(t, "dc1", rows.Host().DataCenter())
	require.Equal(t, "saved in dc1", name, "LOCAL_QUORUM is the quorum of the data centre of the node that was asked")

	config := preferring()
	config.Hosts = c.dc1.hosts
	config.HostFilter = gocql.DataCentreHostFilter("dc2")
	_, err = cassandra.CreateSession(t.Context(), config)
	require.ErrorContains(t, err, "host was filtered")
}

// The policy and the filter of Apache's driver do the same.
func (c *centres) testOtherCentreOfApachesDriver(t *testing.T) {
	preferring := func() *apache.ClusterConfig {
		config := apache.NewCluster(c.dc1.hosts...)
		config.Keyspace = "garage"
		config.PoolConfig.HostSelectionPolicy = apache.TokenAwareHostPolicy(apache.DCAwareRoundRobinPolicy("dc2"))
		return config
	}
	session, err := preferring().CreateSession()
	require.NoError(t, err)
	defer session.Close()
	rows := session.Query("SELECT name FROM customers WHERE id = ?", bia).Consistency(apache.LocalQuorum).Iter()
	var name string
	require.True(t, rows.Scan(&name), "%v", rows.Close())
	require.Equal(t, "dc1", rows.Host().DataCenter())
	require.Equal(t, "saved in dc1", name)

	config := preferring()
	config.HostFilter = apache.DataCenterHostFilter("dc2")
	_, err = config.CreateSession()
	require.ErrorContains(t, err, "host was filtered")
}

// Both data centres are up, and each lacks what was written in the other one.
func (c *centres) testDivergence(t *testing.T) {
	ctx, d1, d2 := t.Context(), c.dc1, c.dc2
	schema := func() bool { return d2.session.ExecStmt("SELECT id FROM "+laterTable+" WHERE id = 1") == nil }
	require.Eventually(t, schema, time.Minute, 100*time.Millisecond, "the node gets the schema of the others")
	c.testReadsOfOtherCentre(t)

	report, err := d1.reconcile(ctx, mapper.Serial)
	require.NoError(t, err)
	require.Zero(t, report.Found["mechanics_by_city"], "dc1 lacks the row that dc2 has written: %+v", report)
	require.Equal(t, []string{"Caruaru"}, cities(t, d1.store, ana))
	c.repair()
	require.Equal(t, []string{"Caruaru", "Olinda"}, cities(t, d1.store, ana), "two changes have moved the row of a copy")
	c.requireLostSaves(t)

	report, err = d1.reconcile(ctx, mapper.Serial)
	require.NoError(t, err)
	require.Equal(t, []string{"Caruaru"}, cities(t, d1.store, ana))
	two := int64(0)
	for _, kinds := range report.Found {
		two += kinds[mapper.DriftTwoOwners]
	}
	require.Positive(t, two, "two customers have one e-mail: %+v", report)
	require.Equal(t, report.Total(), report.Repaired+two, "%+v", report)

	_, err = d1.store.Customers.Update(ctx, 102, func(c *garage.Customer) error { c.Email = nil; return nil })
	require.NoError(t, err)
	for range 2 {
		report, err = d1.reconcile(ctx, mapper.Serial)
		require.NoError(t, err)
		require.True(t, report.Clean(), "%+v", report)
	}
	require.Zero(t, report.Total(), "%+v", report)
	c.requireCustomers(t)
}

// A read at LOCAL_QUORUM misses what was written in the other data centre; a serial one, and one at QUORUM of what was written at QUORUM,
// do not.
func (c *centres) testReadsOfOtherCentre(t *testing.T) {
	ctx, d := t.Context(), c.dc2
	got, err := d.store.Customers.Get(ctx, caio)
	require.NoError(t, err)
	require.Equal(t, "new", got.Name)
	_, err = d.store.Mechanics.Get(ctx, 7)
	require.ErrorIs(t, err, mapper.ErrNotFound)
	_, err = d.store.With(mapper.Options{Consistency: mapper.Quorum}).Mechanics.Get(ctx, 7)
	require.NoError(t, err)
	got, err = d.store.With(mapper.Options{Serial: true}).Customers.Get(ctx, caio)
	require.NoError(t, err)
	require.Equal(t, "saved in dc1", got.Name)
	require.NoError(t, renameCustomer(ctx, d.store, caio, "saved in both", "Olinda"), "a save is checked against the current row")
}

// requireLostSaves requires that of two saves at LOCAL_SERIAL, both of which have returned nil, one has no effect, and that a unique value has
// two owners.
func (c *centres) requireLostSaves(t *testing.T) {
	ctx, s := t.Context(), c.dc1.store.With(mapper.Options{Serial: true})
	got, err := s.Customers.Get(ctx, bia)
	require.NoError(t, err)
	require.Equal(t, "saved in dc1", got.Name)
	got, err = s.Customers.Get(ctx, 100)
	require.NoError(t, err)
	require.Equal(t, "dc1@example.com", *got.Email)
	owner, err := s.Customers.GetByEmail(ctx, shared)
	require.NoError(t, err)
	require.Equal(t, int32(101), owner.ID, "the reservation that was written later")
	for _, id := range []int32{101, 102} {
		got, err = s.Customers.Get(ctx, id)
		require.NoError(t, err)
		require.Equal(t, shared, *got.Email)
	}
}

// requireCustomers requires that the copies of the customers are right, and that each e-mail is reserved for its customer.
func (c *centres) requireCustomers(t *testing.T) {
	t.Helper()
	emails, inCities := map[string]int32{}, map[int32]string{}
	for customer, err := range c.dc1.store.Customers.All(t.Context(), mapper.ScanConfig{}) {
		require.NoError(t, err)
		inCities[customer.ID] = *customer.City
		if customer.Email != nil {
			emails[*customer.Email] = customer.ID
		}
	}
	require.Len(t, inCities, 10)
	byCity := map[int32]string{}
	for row, err := range c.dc1.store.CustomersByCity.All(t.Context(), mapper.ScanConfig{}) {
		require.NoError(t, err)
		require.NotContains(t, byCity, row.ID)
		byCity[row.ID] = row.City
	}
	require.Equal(t, inCities, byCity)
	for email, id := range maps.All(emails) {
		for _, d := range []*centre{c.dc1, c.dc2} {
			owner, err := d.store.With(mapper.Options{Serial: true}).Customers.GetByEmail(t.Context(), email)
			require.NoError(t, err, "%s in %s", email, d.name)
			require.Equal(t, id, owner.ID)
		}
	}
}

// cities returns the cities of a mechanic in the copy, in their order.
func cities(t *testing.T, s *garage.Store, id int32) (in []string) {
	t.Helper()
	for _, city := range []string{"Caruaru", "Olinda", "Recife", "x"} {
		for row, err := range s.MechanicsByCity.Of(city).All(t.Context()) {
			require.NoError(t, err)
			if row.ID == id {
				in = append(in, city)
			}
		}
	}
	return in
}

// tables returns the tables of the keyspace that a data centre has.
func (c *centres) tables(d *centre) (names []string) {
	c.t.Helper()
	it := d.session.Session.Query("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'garage'").Iter()
	for name := ""; it.Scan(&name); {
		names = append(names, name)
	}
	require.NoError(c.t, it.Close())
	return names
}
