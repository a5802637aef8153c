package cassandra

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gocql/gocql"
	"github.com/google/uuid"
	"github.com/scylladb/gocqlx/v2"
)

// DriverVariable is the variable of the environment that names the driver of stores and migrations in tests: gocql or apache. Package
// suite reads it.
const DriverVariable = "AML_DRIVER"

const (
	requireVariable = "AML_REQUIRE_CASSANDRA"
	tailLines       = 20
)

// common is the server that the tests of this process share. It is a variable of the package because a test has only its
// testing.TB, and a server for each test would take seconds.
var common testServer

// testServer is a server that starts with the first test that uses it.
type testServer struct {
	start  sync.Once
	server *Server
	err    error

	mu     sync.Mutex
	users  int
	failed bool
	ended  []string                    // keyspaces of tests that have ended
	empty  map[string][]gocqlx.Session // keyspaces that have the objects of the statements and that no test uses
}

// fewKeyspaces is the number of keyspaces of ended tests that are kept on a server that does not keep its data. To drop a table
// costs it more than to create one. A table that is left costs it 0.2 MB.
const fewKeyspaces = 32

// mostTables is the number of tables with which a server is full: later processes start another one. Each table makes every change of the
// schema slower, and the tests of a package leave theirs.
const mostTables = 250

// Main runs the tests of a package and then releases their server. It is optional: without it the server of a test binary
// ends with the process.
//
//	func TestMain(m *testing.M) { cassandra.Main(m) }
func Main(m *testing.M) {
	if name := os.Getenv(DriverVariable); sessionMade == nil && name != "" && name != "gocql" {
		fmt.Fprintf(os.Stderr, "%s=%s: the tests of this package run over gocql alone\n", DriverVariable, name)
		os.Exit(1)
	}
	m.Run()
	if common.server == nil {
		return
	}
	if err := errors.Join(common.fillWithTables(), common.server.Close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// fillWithTables marks a server that processes share if it has many tables.
func (s *testServer) fillWithTables() error {
	origin, ok := s.server.origin.(interface{ fill() error })
	if !ok || s.failed {
		return nil
	}
	session, err := createSession(context.Background(), s.server.Cluster())
	if err != nil {
		return fmt.Errorf("cassandra: count the tables: %w", err)
	}
	defer session.Close()
	tables := 0
	if err := session.Query("SELECT COUNT(*) FROM system_schema.tables").Scan(&tables); err != nil {
		return fmt.Errorf("cassandra: count the tables: %w", err)
	}
	if tables < mostTables {
		return nil
	}
	return origin.fill()
}

// Test returns the server that all tests of the process share. If no way to one is available, the test is skipped with a
// line that lists the ways, or fails if AML_REQUIRE_CASSANDRA=1. If a test that used it fails, the logs of the server are
// kept, and the test reports their folder.
func Test(t testing.TB) *Server {
	t.Helper()
	common.start.Do(func() {
		common.server, common.err = Start(context.Background(), Config{Log: t.Output()})
	})
	if common.err != nil {
		refuse(t, common.err)
	}
	common.enter()
	t.Cleanup(func() { common.leave(t) })
	return common.server
}

// StartRoles returns a server that checks passwords and permissions, see [Config]. The test is skipped or fails as with [StartCluster]. Tests
// that run at the same time share the server, so each uses roles and keyspaces with different names, which it drops at its end.
func StartRoles(t testing.TB) *Server {
	t.Helper()
	server, err := Start(t.Context(), Config{Log: t.Output(), Roles: true})
	if err != nil {
		refuse(t, err)
	}
	t.Cleanup(func() {
		server.origin.keepLogs(t.Failed())
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// Certificates returns the folder with the certificates of a server of [StartRoles], which also accepts connections with TLS: ca.pem of its
// [Authority], and client.pem with client.key, which it requires of such connections.
func (s *Server) Certificates() string { return filepath.Join(filepath.Dir(s.LogDir()), "conf") }

// Keyspace returns a session of [Test]'s server in a fresh keyspace with one replica, named after the test. When the test
// ends, the session is closed, and the keyspace is dropped: at once on the server of CASSANDRA_HOSTS, otherwise together
// with the keyspaces of a few other tests, or with the server.
func Keyspace(t testing.TB) gocqlx.Session {
	t.Helper()
	server := Test(t)
	name := keyspaceName(t.Name())
	session, err := server.Keyspace(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { common.dropLater(t, session, name) })
	return session
}

// SessionLike returns a session in the keyspace of another one, with a configuration that a function changes.
func SessionLike(t testing.TB, session gocqlx.Session, configure func(*gocql.ClusterConfig)) gocqlx.Session {
	t.Helper()
	cluster := Test(t).Cluster()
	cluster.Keyspace = session.Query("", nil).Keyspace()
	configure(cluster)
	s, err := gocqlx.WrapSession(CreateSession(t.Context(), cluster))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// dropLater closes the session of a test that has ended. It drops the keyspace of the test, at once or together with later ones.
func (s *testServer) dropLater(t testing.TB, session gocqlx.Session, keyspace string) {
	defer session.Close()
	for _, name := range s.drops(keyspace) {
		if err := session.ExecStmt("DROP KEYSPACE IF EXISTS " + name); err != nil {
			t.Errorf("cassandra: drop keyspace %s: %v", name, err)
		}
	}
}

// Tables returns a session of [Test]'s server in a keyspace with the objects of the statements, without rows. Other tests of
// the process with the same statements use the keyspace before or after this one: a server needs longer to create and drop
// tables than most tests run. So a test that changes the schema, or asserts counts of the server, must use [Keyspace]
// instead. On the server of CASSANDRA_HOSTS, each test has a separate keyspace that is dropped at its end.
func Tables(t testing.TB, statements ...string) gocqlx.Session {
	t.Helper()
	server := Test(t)
	key := strings.Join(statements, ";")
	session, found := common.popEmpty(key)
	if !found {
		name := keyspaceName(t.Name())
		var err error
		if session, err = server.Keyspace(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		for _, statement := range statements {
			if err := session.ExecStmt(statement); err != nil {
				t.Fatalf("cassandra: %s: %v", statement, err)
			}
		}
	}
	t.Cleanup(func() {
		keyspace := session.Session.Query("").Keyspace()
		if server.durable || t.Failed() {
			common.dropLater(t, session, keyspace)
			return
		}
		if err := truncate(session, keyspace); err != nil {
			t.Errorf("cassandra: truncate the tables of %s: %v", keyspace, err)
			return
		}
		common.pushEmpty(key, session)
	})
	return session
}

// truncate removes all rows of a keyspace.
func truncate(session gocqlx.Session, keyspace string) error {
	var table string
	tables := session.Session.Query("SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?", keyspace).Iter()
	for tables.Scan(&table) {
		if err := session.ExecStmt(`TRUNCATE "` + table + `"`); err != nil {
			return errors.Join(err, tables.Close())
		}
	}
	return tables.Close()
}

func (s *testServer) popEmpty(key string) (session gocqlx.Session, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.empty[key]); n > 0 {
		session, found = s.empty[key][n-1], true
		s.empty[key] = s.empty[key][:n-1]
	}
	return session, found
}

func (s *testServer) pushEmpty(key string, session gocqlx.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.empty == nil {
		s.empty = map[string][]gocqlx.Session{}
	}
	s.empty[key] = append(s.empty[key], session)
}

// drops returns the keyspaces to drop when the test of one has ended. The first DROP flushes every table in the commit log
// of the server, including the server's own tables, so that the next ones have nothing to flush.
func (s *testServer) drops(keyspace string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = append(s.ended, keyspace)
	if !s.server.durable && len(s.ended) <= fewKeyspaces {
		return nil
	}
	ended := s.ended
	s.ended = nil
	return ended
}

// refuse ends a test that has no server. The test is skipped only if no way to a server is available.
func refuse(t testing.TB, err error) {
	t.Helper()
	_, noServer := errors.AsType[*NoServerError](err)
	_, noCluster := errors.AsType[*NoClusterError](err)
	if (noServer || noCluster) && os.Getenv(requireVariable) != "1" {
		t.Skip(err)
	}
	t.Fatal(err)
}

// enter counts a test. While any test runs, the logs are to be kept if the process is killed.
func (s *testServer) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users++
	s.server.origin.keepLogs(true)
}

func (s *testServer) leave(t testing.TB) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if t.Failed() {
		s.report(t)
	}
	if s.users == 0 && !s.failed {
		s.server.origin.keepLogs(false)
	}
}

// report logs the end of the log with the first failure, and the folder of the logs with each.
func (s *testServer) report(t testing.TB) {
	if dir := s.server.LogDir(); dir != "" {
		t.Logf("cassandra: the server's logs are in %s", dir)
	}
	if tail := s.server.LogTail(tailLines); tail != "" && !s.failed {
		t.Logf("cassandra: the server's last lines:\n%s", tail)
	}
	s.failed = true
}

// keyspaceName derives a unique name of at most 48 characters: "TestPut/a b" => "testput_a_b_3f2a94c81be0".
func keyspaceName(test string) string {
	unique := strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	base := strings.Map(nameRune, test)
	if base == "" || base[0] < 'a' || base[0] > 'z' {
		base = "k_" + base
	}
	return base[:min(len(base), 48-1-len(unique))] + "_" + unique
}

func nameRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'a'
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return r
	}
	return '_'
}
