package command

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	shop "github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/migrate"
	"github.com/cassaml/cassaml/migrate/copydata"
)

// The roles of docs/production.md with exactly its grants run what the page says. Without one of the grants, an operation fails with an error
// that names the permission.
func TestGrants(t *testing.T) {
	needsRoles(t)
	t.Parallel()
	cassandra.Requires(t, "5.0", "a model with columns that are not frozen")
	g := newGranted(t)
	require.True(t, t.Run("migrations", g.testMigrations))
	require.True(t, t.Run("service", g.testService))
	require.True(t, t.Run("operator", g.testOperator))
	require.True(t, t.Run("reader", g.testReader))
	all := map[string]map[string]bool{}
	for _, m := range g.missing() {
		if all[m.role] == nil {
			all[m.role] = map[string]bool{}
		}
		all[m.role][m.grant] = true
	}
	for role, grants := range g.grants {
		require.ElementsMatch(t, grants, slices.Collect(maps.Keys(all[role])), "%s", role)
	}
	for _, m := range g.missing() {
		t.Run(strings.ReplaceAll(m.role+" without "+m.grant, g.name, ""), func(t *testing.T) {
			require.ErrorContains(t, m.run(t, g.without(m.role, m.grant)), strings.ReplaceAll(m.want, "shop", g.name))
		})
	}
}

var runRoles = flag.Bool("roles", false, "test a server with roles and TLS, which is started for these tests alone")

// needsRoles skips a test that needs a server with roles, unless the long command runs it.
func needsRoles(t *testing.T) {
	t.Helper()
	if !*runRoles {
		t.Skip("with -roles, in go run ./integration/long")
	}
}

// granted is a server on which the roles of the page exist, and a keyspace without tables.
type granted struct {
	t      *testing.T
	server *cassandra.Server
	super  *gocql.Session
	name   string              // of the keyspace, and the beginning of the roles; shop on the page
	grants map[string][]string // by role: "SELECT ON KEYSPACE shop"
	made   int                 // the number of other roles
}

const rolePassword = "a secret of a test"

// The ends of the names of the roles.
const (
	migrator = "_migrations"
	service  = "_service"
	operator = "_operator"
	reader   = "_reader"
)

// newGranted executes the block of the page.
func newGranted(t *testing.T) *granted {
	t.Helper()
	g := &granted{t: t, server: cassandra.StartRoles(t), name: "shop_" + uuid.NewString()[:8], grants: map[string][]string{}}
	var err error
	g.super, err = g.server.Cluster().CreateSession()
	require.NoError(t, err)
	t.Cleanup(g.super.Close)
	g.exec("CREATE KEYSPACE " + g.name + " WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': 1}")
	page, err := os.ReadFile("../../docs/production.md")
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)```cql grants\n(.*?)```").FindStringSubmatch(string(page))
	require.NotNil(t, block)
	for _, s := range strings.Split(strings.TrimSpace(strings.ReplaceAll(block[1], "shop", g.name)), ";\n") {
		s = strings.TrimSuffix(strings.TrimSpace(regexp.MustCompile(`(?m)^--.*$`).ReplaceAllString(s, "")), ";")
		g.exec(strings.ReplaceAll(s, "'…'", "'"+rolePassword+"'"))
		if grant, ok := strings.CutPrefix(s, "GRANT "); ok {
			on, role, found := strings.Cut(grant, " TO ")
			require.True(t, found, s)
			role = strings.TrimPrefix(role, g.name)
			g.grants[role] = append(g.grants[role], on)
		}
	}
	require.Len(t, g.grants, 4)
	t.Cleanup(g.drop)
	return g
}

func (g *granted) exec(statement string) {
	g.t.Helper()
	require.NoError(g.t, g.super.Query(statement).Exec(), statement)
}

// drop removes everything, because another test can use the server later.
func (g *granted) drop() {
	for role := range g.grants {
		g.exec("DROP ROLE " + g.name + role)
	}
	for i := range g.made {
		g.exec(fmt.Sprintf("DROP ROLE %s_%d", g.name, i+1))
	}
	g.exec("DROP KEYSPACE " + g.name)
}

// without creates a role that has the grants of another one, except for one. It returns the end of its name.
func (g *granted) without(role, grant string) string {
	g.t.Helper()
	g.made++
	name := fmt.Sprintf("_%d", g.made)
	g.exec("CREATE ROLE " + g.name + name + " WITH LOGIN = true AND PASSWORD = '" + rolePassword + "'")
	left := 0
	for _, on := range g.grants[role] {
		if on == grant {
			left++
			continue
		}
		g.exec("GRANT " + on + " TO " + g.name + name)
	}
	require.Equal(g.t, 1, left, "%s has the grants %q", role, g.grants[role])
	return name
}

// session returns a session of a role in the keyspace.
func (g *granted) session(t *testing.T, role string) gocqlx.Session {
	t.Helper()
	cluster := g.server.Cluster()
	cluster.Authenticator = gocql.PasswordAuthenticator{Username: g.name + role, Password: rolePassword}
	cluster.Keyspace = g.name
	session, err := gocqlx.WrapSession(cluster.CreateSession())
	require.NoError(t, err)
	t.Cleanup(session.Close)
	return session
}

// store returns a store of a role, whose clock is an hour behind, so that Reconcile compares what it writes.
func (g *granted) store(t *testing.T, role string) *shop.Store {
	t.Helper()
	config := mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(-time.Hour) }}
	store, err := shop.Open(t.Context(), g.session(t, role), config)
	require.NoError(t, err)
	return store
}

// up applies the migrations with a role. The last file has more statements.
func (g *granted) up(t *testing.T, role string, more ...string) error {
	t.Helper()
	files := g.migrations()
	if len(more) > 0 {
		files["0004_more.cql"] = &fstest.MapFile{Data: []byte(strings.Join(more, ";\n"))}
	}
	config := migrate.Config{Backfills: shop.Backfills(), Funcs: map[string]migrate.Func{"copy_old_to_new": copyOldToNew}}
	return migrate.Up(t.Context(), gocqldriver.New(g.session(t, role)), files, config)
}

// migrations have a statement of each kind, a copy of a table, a backfill and the function of a version.
func (g *granted) migrations() fstest.MapFS {
	return fstest.MapFS{
		"0001_init.cql": {Data: []byte(shop.Schema)},
		"0002_old.cql": {Data: []byte("CREATE TYPE note (text text);\nALTER TYPE note ADD at timestamp;\nDROP TYPE note;\n" +
			"CREATE TABLE old (id int PRIMARY KEY, name text, fax text);\nINSERT INTO old (id, name) VALUES (1, 'Ana');\n" +
			"CREATE TABLE new (id int PRIMARY KEY, name text);\n-- aml:func copy_old_to_new\nALTER TABLE old DROP fax;\nTRUNCATE old;\nDROP TABLE old;\n" +
			"CREATE INDEX vehicles_city ON vehicles (city) USING 'sai';\nALTER TABLE new WITH comment = 'copied';")},
		"0003_fill.cql": {Data: []byte("-- aml:backfill vehicles\n-- aml:backfill mechanics_by_city\n-- aml:func customers__version\n")},
	}
}

func copyOldToNew(ctx context.Context, session driver.Session) error {
	return copydata.Rows{From: "old", To: "new", Columns: []copydata.Column{{From: "id", To: "id"}, {From: "name", To: "name"}}}.Run(ctx, session)
}

func (g *granted) testMigrations(t *testing.T) {
	require.NoError(t, g.up(t, migrator))
	var name string
	require.NoError(t, g.super.Query("SELECT name FROM "+g.name+".new").Scan(&name))
	require.Equal(t, "Ana", name)
}

// testService makes a call of each kind.
func (g *granted) testService(t *testing.T) {
	ctx := t.Context()
	require.NoError(t, g.up(t, service), "nothing is pending")
	s := g.store(t, service)
	rui := &shop.Mechanic{ID: 1, Name: "Rui", City: "Recife", Tools: []string{"saw"}}
	require.NoError(t, s.Mechanics.Insert(ctx, rui))
	require.NoError(t, s.Mechanics.Put(ctx, rui))
	_, err := s.Mechanics.Update(ctx, 1, func(m *shop.Mechanic) error { m.City = "Olinda"; return nil })
	require.NoError(t, err)
	require.NoError(t, s.Mechanics.AddSkills(ctx, 1, "brakes"))
	b := s.Batch()
	b.Mechanics.Insert(&shop.Mechanic{ID: 2, Name: "Lia", City: "Recife"})
	require.NoError(t, b.Run(ctx))
	require.NoError(t, s.Mechanics.Delete(ctx, 2))

	ana := &shop.Customer{ID: 1, Name: "Ana", City: new("Recife"), Email: new("ana@example.com"), Vehicles: []string{"A"}}
	require.NoError(t, s.Customers.Insert(ctx, ana))
	_, err = s.Customers.Update(ctx, 1, func(c *shop.Customer) error { c.Email = new("a@example.com"); return nil })
	require.NoError(t, err)
	owner, err := s.Customers.GetByEmail(ctx, "a@example.com")
	require.NoError(t, err)
	require.Equal(t, int32(1), owner.ID)
	require.NoError(t, s.Customers.Insert(ctx, &shop.Customer{ID: 2, Email: new("ana@example.com")}))
	require.NoError(t, s.Customers.Delete(ctx, 2))
	require.NoError(t, s.Customers.Scan(ctx, mapper.ScanConfig{}, func(context.Context, *shop.Customer) error { return nil }))

	g.exec("TRUNCATE " + g.name + ".mechanics_by_city")
	g.exec("TRUNCATE " + g.name + ".customers_by_city")
	report, err := g.reconcile(t, service, mapper.ReconcileConfig{Slices: 4})
	require.NoError(t, err)
	require.Equal(t, int64(2), report.Repaired, "%+v", report)
}

// reconcile runs Reconcile with a clock that is right.
func (g *granted) reconcile(t *testing.T, role string, config mapper.ReconcileConfig) (*mapper.ReconcileReport, error) {
	t.Helper()
	store, err := shop.Open(t.Context(), g.session(t, role), mapper.Config{})
	require.NoError(t, err)
	return store.Reconcile(t.Context(), config)
}

// testOperator shares a run, which creates a table, and refills a table with an index.
func (g *granted) testOperator(t *testing.T) {
	report, err := g.reconcile(t, operator, mapper.ReconcileConfig{Job: "nightly", Slices: 4})
	require.NoError(t, err)
	require.True(t, report.Clean(), "%+v", report)
	require.NoError(t, g.aml(t, operator, "reconcile", "-refill", "vehicles", "-yes"))
	report, err = g.reconcile(t, service, mapper.ReconcileConfig{Job: "nightly 2", Slices: 4})
	require.NoError(t, err, "the table of shared runs exists")
	require.True(t, report.Clean(), "%+v", report)
}

// testReader runs the commands that change nothing.
func (g *granted) testReader(t *testing.T) {
	for _, args := range [][]string{
		{"inspect"}, {"import", "-output", "-"}, {"diff", "-from", "live"}, {"migrate", "status", "-dir", g.folder(t)},
	} {
		require.NoError(t, g.aml(t, reader, args...), args)
	}
}

// folder writes the migrations to a folder.
func (g *granted) folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, f := range g.migrations() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), f.Data, 0o600))
	}
	return dir
}

// aml runs the command with a role, in the folder of the model. Its error has the output.
func (g *granted) aml(t *testing.T, role string, args ...string) error {
	t.Helper()
	args = append(args, "-keyspace", g.name, "-user", g.name+role)
	c := exec.CommandContext(t.Context(), program(t, "codegen/cmd/aml"), args...)
	c.Dir = "../models/garage"
	c.Env = append(os.Environ(), "CASSANDRA_HOSTS="+strings.Join(g.server.Hosts(), ","), "CASSANDRA_PASSWORD="+rolePassword)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, &out)
	}
	return nil
}

// lack is an operation of a role that lacks a grant, and a text of its error.
type lack struct {
	role, grant string
	run         func(t *testing.T, role string) error
	want        string
}

// missing has each grant of the page.
func (g *granted) missing() []lack {
	ofShop := " ON KEYSPACE " + g.name
	up := func(statement string) func(*testing.T, string) error {
		return func(t *testing.T, role string) error { return g.up(t, role, statement) }
	}
	return []lack{
		{service, "SELECT" + ofShop, g.get, "has no SELECT permission on <table shop.mechanics> or any of its parents"},
		{service, "SELECT" + ofShop, g.save, "has no SELECT permission on <table shop."},
		{service, "MODIFY" + ofShop, g.insert, "has no MODIFY permission on <table shop."},
		{service, "MODIFY" + ofShop, g.save, "has no MODIFY permission on <table shop."},
		{service, "MODIFY" + ofShop, g.repair, "has no MODIFY permission on <table shop.mechanics_by_city> or any of its parents"},
		{migrator, "SELECT" + ofShop, up("CREATE TABLE more (id int PRIMARY KEY)"), "has no SELECT permission on <table shop.aml_migrations> or any of its parents"},
		{migrator, "MODIFY" + ofShop, up("CREATE TABLE more (id int PRIMARY KEY)"), "has no MODIFY permission on <table shop.aml_migrations> or any of its parents"},
		{migrator, "CREATE" + ofShop, up("CREATE TABLE more (id int PRIMARY KEY)"), "has no CREATE permission on <all tables in shop> or any of its parents"},
		{migrator, "ALTER" + ofShop, up("ALTER TABLE mechanics ADD fax text"), "has no ALTER permission on <table shop.mechanics> or any of its parents"},
		{migrator, "DROP" + ofShop, up("DROP TABLE new"), "has no DROP permission on <table shop.new> or any of its parents"},
		{operator, "SELECT" + ofShop, g.share, "has no SELECT permission on <table shop."},
		{operator, "MODIFY" + ofShop, g.share, "has no MODIFY permission on <table shop.mechanics_by_city> or any of its parents"},
		{operator, "CREATE" + ofShop, g.share, "has no CREATE permission on <all tables in shop> or any of its parents; a role with the permission CREATE on keyspace shop must execute this statement once:\nCREATE TABLE IF NOT EXISTS aml_work ("},
		{operator, `SELECT ON system."IndexInfo"`, g.refill, `grant SELECT on system."IndexInfo" to the role`},
		{reader, "SELECT" + ofShop, g.live, "has no SELECT permission on <table shop.aml_migrations> or any of its parents"},
	}
}

func (g *granted) get(t *testing.T, role string) error {
	_, err := g.store(t, role).Mechanics.Get(t.Context(), 1)
	return err
}

// insert makes a call that has written nothing, because a server refuses it.
func (g *granted) insert(t *testing.T, role string) error {
	err := g.store(t, role).Mechanics.Insert(t.Context(), &shop.Mechanic{ID: 3, Name: "Rui", City: "Recife"})
	require.False(t, mapper.OutcomeUnknown(err), "%v", err)
	return err
}

func (g *granted) save(t *testing.T, role string) error {
	err := g.store(t, role).Customers.Insert(t.Context(), &shop.Customer{ID: 3, Email: new("c@example.com")})
	require.False(t, mapper.OutcomeUnknown(err), "%v", err)
	return err
}

func (g *granted) repair(t *testing.T, role string) error {
	g.exec("TRUNCATE " + g.name + ".mechanics_by_city")
	_, err := g.reconcile(t, role, mapper.ReconcileConfig{Slices: 4})
	return err
}

// share runs Reconcile with a name. The table of shared runs does not exist: a role that creates it has all permissions on it.
func (g *granted) share(t *testing.T, role string) error {
	g.exec("DROP TABLE IF EXISTS " + g.name + ".aml_work")
	g.exec("TRUNCATE " + g.name + ".mechanics_by_city")
	_, err := g.reconcile(t, role, mapper.ReconcileConfig{Job: "by " + role, Slices: 4})
	return err
}

func (g *granted) refill(t *testing.T, role string) error {
	return g.aml(t, role, "reconcile", "-refill", "vehicles", "-yes")
}

func (g *granted) live(t *testing.T, role string) error {
	return g.aml(t, role, "diff", "-from", "live")
}
