package integration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// replayed are statements of which the server takes some and refuses others, each after those before it.
var replayed = []string{
	"CREATE TYPE place (street varchar, n int)",
	"CREATE TYPE place (street text)",
	"CREATE TYPE IF NOT EXISTS place (street int)",
	"CREATE TYPE spot (place frozen<place>)",
	"CREATE TYPE loose (n int)",
	"CREATE TYPE twice (n int, n int)",
	"CREATE TYPE lost (x frozen<nowhere>)",
	"CREATE TABLE t (id int, c int, d text, n int, s text STATIC, l list<frozen<spot>>, w loose, PRIMARY KEY (id, c, d)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'x' AND ID = 5a1c395e-b41f-11e5-9f22-ba0be0483c18",
	"CREATE TABLE t (id int PRIMARY KEY)",
	"CREATE TABLE IF NOT EXISTS t (id text PRIMARY KEY)",
	"CREATE TABLE lost (id int PRIMARY KEY, x frozen<nowhere>)",
	"CREATE TABLE twice (id int PRIMARY KEY, n int, n int)",
	"CREATE TABLE still (id int PRIMARY KEY, s text STATIC)",
	"CREATE TABLE mixed (id int PRIMARY KEY, n counter, m int)",
	"CREATE TABLE keyed (id frozen<place> PRIMARY KEY)",
	"CREATE TABLE counts (id int PRIMARY KEY, n counter)",
	"CREATE TABLE orderless (id int, c int, PRIMARY KEY (id)) WITH CLUSTERING ORDER BY (c DESC)",
	"CREATE TABLE collected (id list<int> PRIMARY KEY)",
	"CREATE TABLE keyless (id int)",
	"ALTER TYPE place ADD zip text",
	"ALTER TYPE spot ADD n int",
	"ALTER TYPE spot ADD IF NOT EXISTS n text",
	"ALTER TYPE spot ADD n int",
	"ALTER TYPE spot ADD self frozen<spot>",
	"ALTER TYPE spot RENAME n TO m",
	"ALTER TYPE spot RENAME m TO place",
	"ALTER TYPE spot RENAME IF EXISTS nothing TO other",
	"ALTER TYPE spot RENAME nothing TO other",
	"ALTER TYPE spot DROP m",
	"ALTER TYPE loose ADD l list<int>",
	"DROP TYPE place",
	"DROP TYPE IF EXISTS nowhere",
	"DROP TYPE nowhere",
	"ALTER TABLE t ADD e text",
	"ALTER TABLE t ADD (f int, g set<text>)",
	"ALTER TABLE t ADD e text",
	"ALTER TABLE t ADD IF NOT EXISTS e int",
	"ALTER TABLE t ADD z int STATIC",
	"ALTER TABLE counts ADD m int",
	"ALTER TABLE counts ADD m counter",
	"ALTER TABLE t ADD m counter",
	"ALTER TABLE keyed ADD s int STATIC",
	"ALTER TABLE keyed ADD c counter",
	"ALTER TABLE IF EXISTS nowhere ADD a int",
	"ALTER TABLE nowhere ADD a int",
	"ALTER TABLE t ALTER e TYPE blob",
	"ALTER TABLE t RENAME c TO cc",
	"ALTER TABLE t RENAME cc TO c AND d TO dd",
	"ALTER TABLE t RENAME e TO ee",
	"ALTER TABLE t RENAME c TO e",
	"ALTER TABLE t RENAME c TO id",
	"CREATE INDEX by_e ON t (e) USING 'sai'",
	"CREATE INDEX by_e ON t (n) USING 'sai'",
	"CREATE INDEX IF NOT EXISTS by_e ON t (n) USING 'sai'",
	"CREATE INDEX again ON t (e) USING 'sai'",
	"CREATE INDEX by_g ON t (values(g)) USING 'sai'",
	"CREATE INDEX by_c ON t (c) USING 'sai'",
	"CREATE INDEX ON t (n)",
	"CREATE CUSTOM INDEX by_f ON t (f) USING 'StorageAttachedIndex'",
	"CREATE INDEX ON t (nothing)",
	"CREATE INDEX ON nowhere (e)",
	"ALTER TABLE t DROP e",
	"ALTER TABLE t RENAME c TO cc",
	"DROP INDEX by_c",
	"DROP INDEX by_c",
	"DROP INDEX IF EXISTS by_c",
	"ALTER TABLE t RENAME c TO cc",
	"DROP INDEX by_e",
	"DROP INDEX t_n_idx",
	"ALTER TABLE t DROP e",
	"ALTER TABLE t DROP e",
	"ALTER TABLE t DROP IF EXISTS e",
	"ALTER TABLE t DROP id",
	"ALTER TABLE t DROP w",
	"ALTER TABLE t DROP (n, s) USING TIMESTAMP 1",
	"ALTER TABLE t ADD e int",
	"ALTER TABLE t ADD e text STATIC",
	"ALTER TABLE t ADD e ascii",
	"ALTER TABLE t ADD e text",
	"ALTER TABLE t ADD n int",
	"ALTER TABLE t ADD s text",
	"ALTER TABLE t DROP l",
	"ALTER TABLE t ADD l list<frozen<spot>>",
	"ALTER TABLE counts DROP m",
	"ALTER TABLE counts ADD m counter",
	"ALTER TABLE t WITH comment = 'y' AND compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 80}",
	"ALTER TABLE t WITH caching = {'rows_per_partition': 10} AND compression = {} AND crc_check_chance = 5e-1 AND gc_grace_seconds = 86400",
	"ALTER TABLE t WITH speculative_retry = 'max(10.5ms, 99percentile)' AND additional_write_policy = 'None' AND read_repair = 'none'",
	"ALTER TABLE keyed WITH compression = {'class': 'ZstdCompressor', 'compression_level': 5} AND compaction = {'class': 'org.apache.cassandra.db.compaction.TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS'}",
	"CREATE TABLE leveled (id int PRIMARY KEY) WITH compaction = {'class': 'LeveledCompactionStrategy'}",
	"DROP TABLE t",
	"DROP TABLE t",
	"CREATE TABLE t (id int PRIMARY KEY, e int) WITH min_index_interval = 64 AND default_time_to_live = 5 AND bloom_filter_fp_chance = 1e-2",
	"DROP TYPE spot",
	"DROP TYPE place",
	"ALTER TABLE t WITH gc_grace_seconds = 1e4",
	"ALTER TABLE t WITH gc_grace_seconds = '+10000'",
	"ALTER TABLE t WITH comment = word",
	"ALTER TABLE t WITH CLUSTERING ORDER BY (id ASC)",
	"ALTER TABLE t WITH id = 5a1c395e-b41f-11e5-9f22-ba0be0483c19",
	"ALTER TABLE IF EXISTS nowhere WITH caching = {'keys': 5}",
	"ALTER TABLE IF EXISTS nowhere WITH gc_grace_seconds = -1",
	"ALTER TABLE t ADD v frozen<varchar>",
	"ALTER TABLE t ADD (v vector<list<int>, 2>, w vector<float, 1>)",
	"ALTER TABLE t ADD true int",
	"CREATE TABLE commas (id int PRIMARY KEY,, n int,)",
	"CREATE TABLE IF NOT EXISTS commas (id list<list<int>>, PRIMARY KEY (nothing)) WITH nothing = 5",
	"CREATE TABLE IF NOT EXISTS commas (id frozen<int>, PRIMARY KEY (id))",
	"CREATE TABLE pair (id int, x int, c int, d int, m map<int, text>, PRIMARY KEY (id, x)) WITH CLUSTERING ORDER BY (x)",
	"CREATE TABLE pair (id int, x int, c int, d int, m map<int, text>, PRIMARY KEY (id, x))",
	"ALTER TABLE pair RENAME id TO a AND x TO id",
	"ALTER TABLE pair RENAME id TO a AND x TO a",
	"ALTER TABLE pair RENAME IF EXISTS nothing TO a",
	"CREATE INDEX ON t (id)",
	"CREATE INDEX ON pair (id)",
	"CREATE INDEX ON pair (full(m))",
	"CREATE INDEX ON pair (keys(m)) USING 'sai'",
	"CREATE INDEX IF NOT EXISTS other ON pair (keys(m)) USING 'SAI'",
	"CREATE INDEX ON pair (d) USING 'SASIIndex'",
	"CREATE INDEX near ON t (w) USING 'sai'",
	"CREATE INDEX near ON t (w) USING 'sai' WITH OPTIONS = {'similarity_function': 'euclidean'}",
	"CREATE MATERIALIZED VIEW by_c AS SELECT c, id, x FROM pair WHERE c IS NOT NULL AND id IS NOT NULL AND x IS NOT NULL PRIMARY KEY (c, id)",
	"CREATE MATERIALIZED VIEW by_c AS SELECT c, id, x FROM pair WHERE c IS NOT NULL AND id IS NOT NULL AND x IS NOT NULL PRIMARY KEY (c, id, x) WITH comment = 'v'",
	"CREATE MATERIALIZED VIEW by_c AS SELECT id, x FROM pair WHERE id IS NOT NULL AND x IS NOT NULL PRIMARY KEY (x, id)",
	"ALTER TABLE pair DROP d",
	"ALTER TABLE pair ADD e int",
	"ALTER TABLE pair WITH gc_grace_seconds = 0",
	"ALTER TABLE IF EXISTS by_c WITH comment = 'x'",
	"DROP TABLE by_c",
	"DROP TABLE pair",
	"DROP MATERIALIZED VIEW by_c",
	"DROP MATERIALIZED VIEW by_c",
	"ALTER TABLE pair DROP d",
	"DROP TABLE pair",
	"CREATE TYPE one (a int, b text)",
	"CREATE TABLE gone (id int PRIMARY KEY, s set<frozen<one>>, l list<frozen<one>>, f frozen<one>, u tuple<one>, i int, v list<ascii>)",
	"ALTER TABLE gone DROP (s, l, f, u, i, v, v)",
	"ALTER TABLE gone ADD s set<frozen<one>>",
	"ALTER TABLE gone ADD l list<frozen<one>>",
	"ALTER TABLE gone ADD f frozen<one>",
	"ALTER TABLE gone ADD f blob",
	"ALTER TABLE gone ADD u tuple<one>",
	"ALTER TABLE gone ADD u tuple<tuple<int, text>, int>",
	"ALTER TABLE gone ADD i blob",
	"ALTER TABLE gone ADD i varint",
	"ALTER TABLE gone ADD v list<text>",
	"ALTER TABLE t WITH min_index_interval = 2048",
	"ALTER TABLE t WITH max_index_interval = 1024",
	"ALTER TABLE t ADD f int",
}

// Replaying a folder refuses what the server refuses, takes what it takes, and knows the properties that it then shows.
func TestReplayDoesWhatTheServerDoes(t *testing.T) {
	t.Parallel()
	session := cassandra.Keyspace(t)
	k := &catalog.Keyspace{}
	for _, cql := range replayed {
		served := session.Query(cql, nil).ExecRelease()
		after := k.Clone()
		s, err := catalog.Parse(cql)
		if err == nil {
			require.NotNil(t, s, cql)
			err = after.Execute(s)
		}
		if served == nil {
			require.NoError(t, err, "the server takes %s", cql)
			k = after
		} else {
			require.Error(t, err, "the server refuses %s: %v", cql, served)
		}
		requireProperties(t, k, properties(t, session), cql)
	}
}
