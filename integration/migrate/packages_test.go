package migrate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/market/billing"
	"github.com/cassaml/cassaml/integration/market/shop"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/folder"
)

// release is the folder of a package in one of its releases.
type release struct {
	name   string // of the package
	folder fs.FS
}

// released is the first release of a package.
func released(t *testing.T, name string, embedded fs.FS) release {
	t.Helper()
	folder, err := fs.Sub(embedded, "migrations")
	require.NoError(t, err)
	return release{name, folder}
}

// next returns the release after one, with additional files.
func (r release) next(t *testing.T, more ...string) release {
	t.Helper()
	all := migrations(more...)
	entries, err := fs.ReadDir(r.folder, ".")
	require.NoError(t, err)
	for _, e := range entries {
		text, err := fs.ReadFile(r.folder, e.Name())
		require.NoError(t, err)
		all[e.Name()] = &fstest.MapFile{Data: text}
	}
	sum, err := folder.Sum(all)
	require.NoError(t, err)
	all[folder.SumFile] = &fstest.MapFile{Data: []byte(sum)}
	return release{r.name, all}
}

// rollout starts replicas of several packages in one keyspace concurrently.
type rollout struct {
	hosts    []string
	keyspace string

	mu      sync.Mutex
	applied map[string]int // the number of times that a step was applied
	running atomic.Int32   // steps that are being applied
	overlap atomic.Bool
}

// start runs three replicas of each release, each with a separate session. A replica that needs a type of the first release
// starts again after a replica of that release has started.
func (r *rollout) start(t *testing.T, releases ...release) map[string]int {
	t.Helper()
	r.applied = map[string]int{}
	first := make(chan struct{})
	begin := sync.OnceFunc(func() { close(first) })
	var all sync.WaitGroup
	for i, one := range releases {
		for range 3 {
			all.Go(func() {
				err := r.up(t, one)
				if _, needs := errors.AsType[*migrate.SharedError](err); needs && i > 0 {
					<-first
					err = r.up(t, one)
				}
				assert.NoError(t, err, one.name)
				if i == 0 {
					begin()
				}
			})
		}
	}
	all.Wait()
	assert.False(t, r.overlap.Load(), "two folders changed the schema concurrently")
	for step, n := range r.applied {
		assert.Equal(t, 1, n, step)
	}
	return r.applied
}

func (r *rollout) up(t *testing.T, one release) error {
	cluster := clusterAt(r.hosts, r.keyspace)
	cluster.NumConns = 1
	session, err := gocqlx.WrapSession(cassandra.CreateSession(t.Context(), cluster))
	if err != nil {
		return err
	}
	defer session.Close()
	return migrate.Up(t.Context(), gocqldriver.New(session), one.folder, migrate.Config{Progress: func(e migrate.Event) {
		switch e.Kind {
		case migrate.EventApplying:
			if r.running.Add(1) > 1 {
				r.overlap.Store(true)
			}
		case migrate.EventApplied:
			r.running.Add(-1)
			r.mu.Lock()
			r.applied[fmt.Sprintf("%s/%s:%d", one.name, e.File, e.Number)]++
			r.mu.Unlock()
		}
	}})
}

// Two packages share a keyspace and a type. Each is released separately, by several replicas that start concurrently with
// those of the other.
func TestTwoPackagesShareAKeyspace(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	ctx := t.Context()
	r := &rollout{hosts: cassandra.Test(t).Hosts(), keyspace: session.Session.Query("").Keyspace()}
	shop1, billing1 := released(t, "shop", shop.Migrations), released(t, "billing", billing.Migrations)

	refused := migrate.Up(ctx, gocqldriver.New(session), billing1.folder, migrate.Config{})
	require.EqualError(t, refused, "migrate: the shared type money of github.com/cassaml/cassaml/integration/market/shop does not exist: "+
		"apply the migrations of github.com/cassaml/cassaml/integration/market/shop first")
	before, err := migrate.Status(ctx, gocqldriver.New(session), billing1.folder, migrate.Config{})
	require.NoError(t, err)
	require.EqualError(t, before.Refused, refused.Error())
	require.Equal(t, migrate.FilePending, before.Files[0].State)

	applied := r.start(t, shop1, billing1)
	assert.Len(t, applied, 4)
	invoice := billing.Invoice{ID: 1, Total: shop.Money{Amount: 5, Currency: "EUR"}, Payer: billing.Payer{Customer: 1, City: "Recife"}}
	require.NoError(t, openBilling(t, session, nil).Invoices.Insert(ctx, &invoice))

	// The second release of the shop alters the type. The other package is not released, restarts concurrently, and keeps
	// the fields that it does not have.
	shop2 := shop1.next(t, "0002_rate.cql", "ALTER TYPE money ADD rate double;\nALTER TABLE customers ADD email text;")
	assert.Equal(t, map[string]int{"shop/0002_rate.cql:1": 1, "shop/0002_rate.cql:2": 1}, r.start(t, shop2, billing1))
	require.NoError(t, session.ExecStmt("UPDATE invoices SET total = {amount: 7, currency: 'EUR', rate: 1.5} WHERE id = 1"))
	var log bytes.Buffer
	store := openBilling(t, session, &log)
	assert.Contains(t, log.String(), "type money.rate")
	assert.NotContains(t, log.String(), "customers")
	assert.NotContains(t, log.String(), "aml_migrations")
	_, err = store.Invoices.Update(ctx, 1, func(i *billing.Invoice) error { i.Total.Amount++; return nil })
	require.NoError(t, err)
	var rate float64
	require.NoError(t, session.Session.Query("SELECT total.rate FROM invoices WHERE id = 1").Consistency(gocql.LocalQuorum).Scan(&rate))
	assert.InDelta(t, 1.5, rate, 0)

	// Then the second release of billing needs the new field and has its own changes; replicas of both releases of the shop
	// restart.
	billing2 := billing1.next(t, "0002_dues.cql",
		"-- aml:shared money (amount bigint, currency text, rate double) from github.com/cassaml/cassaml/integration/market/shop\n"+
			"ALTER TYPE payer ADD mail text;\nCREATE TABLE dues (id int PRIMARY KEY, total frozen<money>);")
	assert.Equal(t, map[string]int{"billing/0002_dues.cql:1": 1, "billing/0002_dues.cql:2": 1}, r.start(t, shop1, shop2, billing2, billing1))
	require.NoError(t, openShop(t, session).Customers.Insert(ctx, &shop.Customer{ID: 1, Name: "Ana"}))

	// Both are released concurrently: both add fields to types, and no field is lost.
	shop3 := shop2.next(t, "0003_more.cql", "ALTER TYPE money ADD a int;\nALTER TYPE money ADD b int;\nALTER TABLE customers ADD phone text;")
	billing3 := billing2.next(t, "0003_more.cql", "ALTER TYPE payer ADD a int;\nALTER TYPE payer ADD b int;\nDROP TABLE dues;")
	assert.Len(t, r.start(t, shop3, billing3), 6)
	testFolders(t, session, shop3, billing3)
}

// testFolders checks the records of the two folders in a keyspace, and the folders that it rejects.
func testFolders(t *testing.T, session gocqlx.Session, shop3, billing3 release) {
	ctx := t.Context()
	owners, err := migrate.Owners(ctx, gocqldriver.New(session))
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"table customers": "", "type money": "", "table invoices": "billing", "type payer": "billing"}, owners)
	for of, fields := range map[string]int{"money": 5, "payer": 5} {
		var names []string
		require.NoError(t, session.Session.Query("SELECT field_names FROM system_schema.types WHERE keyspace_name = ? AND type_name = ?",
			session.Session.Query("").Keyspace(), of).Consistency(gocql.One).Scan(&names))
		assert.Len(t, names, fields, of)
	}
	for _, one := range []release{shop3, billing3} {
		s, err := migrate.Status(ctx, gocqldriver.New(session), one.folder, migrate.Config{})
		require.NoError(t, err)
		assert.Len(t, s.Files, 3)
		for _, f := range s.Files {
			assert.Equal(t, migrate.FileApplied, f.State, f.Name)
		}
		assert.NoError(t, s.Refused)
		assert.Len(t, s.Others, 1)
	}

	var other *migrate.FolderError
	err = migrate.Up(ctx, gocqldriver.New(session), migrations("0001_init.cql", "CREATE TABLE stock (id int PRIMARY KEY)"), migrate.Config{})
	require.ErrorAs(t, err, &other)
	var owner *migrate.OwnerError
	stock := migrations("0001_init.cql", "CREATE TABLE stock (id int PRIMARY KEY);\nALTER TABLE invoices ADD stock int;\nCREATE TYPE IF NOT EXISTS money (a int);")
	stock[folder.SumFile] = &fstest.MapFile{Data: []byte("name stock\n")}
	sum, err := folder.Sum(stock)
	require.NoError(t, err)
	stock[folder.SumFile] = &fstest.MapFile{Data: []byte(sum)}
	err = migrate.Up(ctx, gocqldriver.New(session), stock, migrate.Config{})
	require.ErrorAs(t, err, &owner)
	assert.ErrorContains(t, err, "0001_init.cql:2: table invoices belongs to folder billing; only that folder may alter or drop it")
	assert.ErrorContains(t, err, "0001_init.cql:3: type money belongs to the folder without a name; two folders cannot create it")
	assert.Error(t, session.ExecStmt("SELECT * FROM stock"), "nothing was sent")
}

// Each of two packages whose roots have copies creates the table of outboxes, which they share.
func TestTwoPackagesShareTheOutboxes(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	const outboxes = "CREATE TABLE IF NOT EXISTS aml_outboxes (shard int, source text, key blob, aml_ver bigint, PRIMARY KEY (shard, source, key)) WITH gc_grace_seconds = 3600"
	one := migrations("0001_init.cql", "CREATE TABLE customers (id int PRIMARY KEY);\n"+outboxes)
	other := migrations("0001_init.cql", "CREATE TABLE teams (id int PRIMARY KEY)", "0002_copies.cql", outboxes)
	other[folder.SumFile] = &fstest.MapFile{Data: []byte("name staff\n")}
	sum, err := folder.Sum(other)
	require.NoError(t, err)
	other[folder.SumFile] = &fstest.MapFile{Data: []byte(sum)}
	for range 2 {
		for _, files := range []fstest.MapFS{one, other} {
			require.NoError(t, migrate.Up(t.Context(), gocqldriver.New(session), files, migrate.Config{}))
		}
	}
}

func openBilling(t *testing.T, session gocqlx.Session, log *bytes.Buffer) *billing.Store {
	t.Helper()
	config := mapper.Config{}
	if log != nil {
		config.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	store, err := billing.Open(context.Background(), session, config)
	require.NoError(t, err)
	return store
}

func openShop(t *testing.T, session gocqlx.Session) *shop.Store {
	t.Helper()
	store, err := shop.Open(context.Background(), session, mapper.Config{})
	require.NoError(t, err)
	return store
}
