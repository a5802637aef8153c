package lint_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/folder"
	"github.com/cassaml/cassaml/migrate/lint"
)

const before = `CREATE TYPE part (a int);
CREATE TYPE loose (a int);
CREATE TABLE t (id int, c int, n int, l list<int>, s set<text>, fl frozen<list<int>>, p list<frozen<part>>, w loose, PRIMARY KEY (id, c));
CREATE TABLE counts (id int PRIMARY KEY, n counter);
CREATE INDEX i ON t (n) USING 'sai';
ALTER TABLE t WITH default_time_to_live = 100;
CREATE TABLE u (id int PRIMARY KEY, gone text);
CREATE TABLE t2 (id int, c int, l list<int>, s set<text>, PRIMARY KEY (id, c));
ALTER TABLE t2 ADD l2 list<int>;
ALTER TABLE t2 ADD s2 set<text>;
CREATE TABLE versioned (id int PRIMARY KEY, n int, m bigint, version bigint, aml_deleted boolean);
-- aml:allow MIG102 it was never written
ALTER TABLE u DROP gone;
`

func findings(t *testing.T, text string) []lint.Finding {
	t.Helper()
	found, err := lintText(t, text)
	require.NoError(t, err)
	return slices.DeleteFunc(found, func(f lint.Finding) bool { return f.File == "0001_before.cql" })
}

func lintText(t *testing.T, text string) ([]lint.Finding, error) {
	t.Helper()
	files, err := folder.Read(fstest.MapFS{"0001_before.cql": {Data: []byte(before)}, "0002_x.cql": {Data: []byte(text)}})
	require.NoError(t, err)
	return lint.Lint(files)
}

func TestEachRuleFiresAtItsLine(t *testing.T) {
	for _, c := range []struct{ text, code, message string }{
		{"DROP TABLE t", "MIG101", "table t is dropped: its rows are lost"},
		{"DROP KEYSPACE shop", "MIG101", "a keyspace is dropped"},
		{"ALTER TABLE t DROP l", "MIG102", "column l of t is dropped: "},
		{"TRUNCATE t", "MIG103", "table t is truncated: "},
		{"DELETE n FROM t WHERE id = 1 AND c = 2", "MIG103", "rows or cells of t are deleted: "},
		{"BEGIN BATCH INSERT INTO t (id) VALUES (1); DELETE FROM t WHERE id = 2; APPLY BATCH", "MIG103", "rows or cells of t"},
		{"UPDATE t SET n = null WHERE id = 1 AND c = 2", "MIG103", "column n of t is set to null: "},
		{"UPDATE t SET l = [1], n = NULL WHERE id = 1 AND c = 2 IF EXISTS", "MIG103", "column n of t is set to null"},
		{"UPDATE t SET l[0] = null WHERE id = 1 AND c = 2", "MIG103", "a part of column l of t is set to null: "},
		{"INSERT INTO t (id, c, fl, n) VALUES (1, 2, [3, 4], null)", "MIG103", "column n of t is set to null: "},
		{"BEGIN BATCH INSERT INTO t (id, c) VALUES (1, 2); INSERT INTO t (id, c, n) VALUES (1, 3, null); APPLY BATCH", "MIG103", "column n of t"},
		{"UPDATE t SET n = (int)null WHERE id = 1 AND c = 2", "MIG103", "column n of t is set to null"},
		{"UPDATE t SET \"l\" = [] WHERE id = 1 AND c = 2", "MIG103", "column \"l\" of t is emptied: "},
		{"UPDATE t SET s = s - {'a'}, n = 2 WHERE id = 1 AND c = 2", "MIG103", "elements of column s of t are removed: "},
		{"UPDATE t SET s -= {'a'} WHERE id = 1 AND c = 2", "MIG103", "elements of column s of t are removed: "},
		{"INSERT INTO t (id, c, s, n) VALUES (1, 2, {}, 3)", "MIG103", "column s of t is emptied: "},
		{"INSERT INTO t JSON '{\"id\": 1, \"c\": 2, \"n\": null}' DEFAULT UNSET", "MIG103", "column n of t is set to null: "},
		{"INSERT INTO t JSON '{\"id\": 1, \"c\": 2}'", "MIG103", "columns of t that the JSON omits are set to null, because DEFAULT UNSET is missing: "},
		{"INSERT INTO t (id, c) VALUES (1, 2) USING TTL 60", "MIG107", "data written to t expires after 60 seconds: "},
		{"UPDATE t USING TIMESTAMP 5 AND TTL 60 SET n = 1 WHERE id = 1 AND c = 2", "MIG107", "data written to t expires after 60 seconds: "},
		{"INSERT INTO t (id, c) VALUES (1, 2) USING TIMESTAMP 253402300800000000", "MIG119", "t is written with timestamp 253402300800000000: "},
		{"BEGIN BATCH USING TIMESTAMP 253402300800000000 INSERT INTO t (id, c) VALUES (1, 2); APPLY BATCH", "MIG119", "every table of the batch is written with timestamp "},
		{"DROP INDEX i", "MIG104", "index i of t is dropped: "},
		{"-- aml:func copy_t_to_t2", "MIG122", "copy_t_to_t2 copies l and l2 of t2 once: "},
		{"-- aml:func copy_t_to_t2_3", "MIG122", "copy_t_to_t2_3 copies l and l2 of t2 once: "},
		{"-- aml:func copy_t2_l_to_l2", "MIG122", "copy_t2_l_to_l2 copies column l of t2 to l2 once: "},
		{"-- aml:func copy_versioned_n_to_m", "MIG123", "copy_versioned_n_to_m fills column m of versioned from n where it is null: "},
		{"-- aml:func copy_t_to_versioned", "MIG124", "copy_t_to_versioned copies t to versioned: "},
		{"-- aml:func versioned__references", "MIG125", "the references of versioned become checked: "},
		{"ALTER TABLE versioned ADD aml_live boolean", "MIG121", "rows of versioned expire: "},
		{"ALTER TABLE t ADD aml_deleted boolean", "MIG121", "table t becomes versioned: "},
		{"CREATE TABLE versioned__n_unique (n int PRIMARY KEY, aml_owner_id int, aml_at bigint, aml_floor bigint)", "MIG121", "values of versioned become unique: "},
		{"ALTER TABLE t RENAME c TO d", "MIG105", "column c of t is renamed to d: "},
		{"ALTER TYPE part RENAME a TO b", "MIG105", "field a of type part is renamed to b: "},
		{"ALTER TYPE part ADD b int", "MIG106", "type part gets a field b, and column p of t stores it frozen: "},
		{"ALTER TABLE t WITH default_time_to_live = 50", "MIG107", "rows of t expire after 50 seconds: "},
		{"ALTER TABLE u WITH default_time_to_live = 500", "MIG107", "rows of u expire after 500 seconds: "},
		{"ALTER TABLE t WITH gc_grace_seconds = 3599", "MIG108", "gc_grace_seconds of t is 3599: "},
		{"CREATE TABLE v (id int PRIMARY KEY) WITH gc_grace_seconds = 0", "MIG108", "gc_grace_seconds of v is 0: "},
		{"ALTER TABLE t WITH gc_grace_seconds = 10799", "MIG109", "gc_grace_seconds of t is 10799: "},
		{"ALTER TABLE u ADD gone text", "MIG110", "column gone of u was dropped earlier: "},
		{"CREATE TABLE shop.v (id int PRIMARY KEY)", "MIG111", "the statement names keyspace shop: "},
		{"INSERT INTO shop.t (id, c) VALUES (1, 1)", "MIG111", "the statement names keyspace shop: "},
		{"ALTER TYPE loose ADD b list<int>", "MIG112", "field b of type loose is list<int>, and column w of t stores the type without frozen: "},
		{"UPDATE counts SET n = n + 1 WHERE id = 1", "MIG113", "the new value of column n of counts depends on the old one: "},
		{"UPDATE t SET n = 1, l = [1, 2] + l WHERE id = 1 AND c = 2", "MIG113", "column l of t"},
		{"UPDATE t SET l += [1] WHERE id = 1 AND c = 2", "MIG113", "column l of t"},
		{"UPDATE counts SET n = n - 1 WHERE id = 1", "MIG113", "column n of counts"},
		{"UPDATE counts SET n -= 1 WHERE id = 1", "MIG113", "column n of counts"},
		{"UPDATE t SET l = l - [1] WHERE id = 1 AND c = 2", "MIG103", "elements of column l of t are removed: "},
		{"UPDATE t SET l -= [1] WHERE id = 1 AND c = 2", "MIG103", "elements of column l of t are removed: "},
		{"INSERT INTO t (id, c) VALUES (1, toTimestamp(now()))", "MIG113", "now() returns another value each time: "},
		{"CREATE TABLE IF NOT EXISTS u (id text PRIMARY KEY)", "MIG114", "table u exists with another definition: "},
		{"CREATE TYPE IF NOT EXISTS part (b int)", "MIG114", "type part exists with another definition: "},
		{"ALTER TABLE t ADD IF NOT EXISTS n text", "MIG114", "column n of t exists and is int: "},
		{"CREATE INDEX IF NOT EXISTS i ON t (l) USING 'sai'", "MIG114", "index i exists on n of t: "},
		{"-- aml:backfill nowhere", "MIG117", "there is no table nowhere: "},
		{"-- aml:manual hnad\nCREATE TABLE hand (id int PRIMARY KEY)", "MIG120", "there is no table, type, index or view hnad: aml diff still drops"},
		{"-- aml:manual Hand\nCREATE TABLE hand (id int PRIMARY KEY)", "MIG120", "view Hand: "},
		{"-- aml:manual shop.t", "MIG120", "view shop.t: "},
		{"-- aml:manual \"t\"", "MIG120", "view \"t\": "},
		{"-- aml:manual t;", "MIG120", "view t;: "},
		{"-- aml:manual t\nDROP TABLE t -- aml:allow MIG101 it was for a day", "MIG120", "view t: "},
		{"// aml:backfill t", "MIG118", "// aml:backfill t looks like -- aml:backfill t: it has no effect"},
		{"-- AML:allow MIG118 it is meant", "MIG118", "-- AML:allow MIG118 it is meant looks like -- aml:allow MIG118 it is meant: "},
		{"-- aml:allow MIG101\nCREATE TABLE v (id int PRIMARY KEY)", "MIG115", "-- aml:allow MIG101: "},
		{"-- aml:allow MIG999 it is fine\nCREATE TABLE v (id int PRIMARY KEY)", "MIG115", "-- aml:allow MIG999 it is fine: "},
		{"-- aml:allow MIG101 it is fine\nCREATE TABLE v (id int PRIMARY KEY)", "MIG116", "aml:allow MIG101 allows nothing here: "},
	} {
		found := findings(t, "\n"+c.text)
		require.Len(t, found, 1, c.text)
		require.Equal(t, c.code, found[0].Code, c.text)
		require.Contains(t, found[0].Message, c.message)
		require.Regexp(t, `^0002_x.cql:2: `+c.code+`: .+: .+; .+$`, found[0].String())
	}
}

func TestCodesAreNumberedInOrder(t *testing.T) {
	for i, r := range lint.Rules() {
		require.Equal(t, fmt.Sprintf("MIG1%02d", i+1), r.Code)
		require.NotEmpty(t, r.Title+r.Why+r.Fix)
	}
}

func TestHarmlessStatementsAreNotReported(t *testing.T) {
	for _, text := range []string{
		"CREATE TYPE x (a int); CREATE TABLE v (id int PRIMARY KEY, x list<frozen<x>>) WITH default_time_to_live = 5; ALTER TYPE x ADD b int",
		"ALTER TABLE t ADD (m text, o set<int>); CREATE INDEX j ON t (m) USING 'sai'; ALTER TABLE t WITH comment = 'x' AND gc_grace_seconds = 10800",
		"ALTER TABLE t WITH default_time_to_live = 200; ALTER TABLE t WITH default_time_to_live = 0",
		"CREATE TABLE aml_outboxes (shard int, source text, key blob, aml_ver bigint, PRIMARY KEY (shard, source, key)) WITH gc_grace_seconds = 3600",
		"ALTER TYPE loose ADD b int",
		"INSERT INTO t (id, c, fl) VALUES (1, 2, []); UPDATE t SET n = 5, fl = [], l = [3], s = s + {'a'} WHERE id = 1 AND c = 2",
		"INSERT INTO t (id, c, n) VALUES (1, 2, null) IF NOT EXISTS; UPDATE t SET n = 1 WHERE id = 1 AND c = 2 IF n = null",
		"INSERT INTO t JSON '{}' DEFAULT UNSET; INSERT INTO t (id, c, n) VALUES (1, 2, 3) USING TTL 0 AND TIMESTAMP 1700000000000000",
		"-- aml:allow MIG119 it will have passed\nINSERT INTO t (id, c) VALUES (1, 2) USING TIMESTAMP 1700000000000000",
		"BEGIN UNLOGGED BATCH USING TIMESTAMP 1700000000000000 UPDATE t SET n = 1 WHERE id = 1 AND c = 2; APPLY BATCH",
		"BEGIN BATCH UPDATE t SET n = 1 WHERE id = 1 AND c = 2; INSERT INTO t (id, c) VALUES (1, 2); APPLY BATCH",
		"DROP TABLE IF EXISTS nowhere; DROP INDEX IF EXISTS nowhere; CREATE TABLE IF NOT EXISTS u (id int PRIMARY KEY)",
		"-- aml:func recount\n-- aml:backfill t",
		"-- aml:func copy_t2_s_to_s2\n-- aml:func copy_t2_to_u\n-- aml:func copy_t_to_t2x",
		"-- aml:manual hand\n-- aml:manual part\n-- aml:manual i\n-- aml:manual by_c\nCREATE TABLE \"hand\" (id int PRIMARY KEY); CREATE MATERIALIZED VIEW by_c AS SELECT * FROM t WHERE id IS NOT NULL AND c IS NOT NULL PRIMARY KEY (c, id)",
		"-- aml:manual ledger\n-- aml:allow MIG120 another team's program makes it\nCREATE TABLE v (id int PRIMARY KEY)",
	} {
		require.Empty(t, findings(t, text), text)
	}
}

func TestAllowAppliesToOneCodeAndOneStatement(t *testing.T) {
	require.Empty(t, findings(t, "-- aml:allow MIG101 nobody uses it\n\n-- it goes\nDROP TABLE t;"))
	require.Empty(t, findings(t, "DROP TABLE t; -- aml:allow MIG101 nobody uses it\nCREATE TYPE z (a int)"))
	require.Empty(t, findings(t, "CREATE TYPE z (a int); DROP TABLE t; -- aml:allow MIG101 nobody uses it"))
	require.Empty(t, findings(t, "ALTER TABLE t -- aml:allow MIG102 nobody uses it\n DROP\n l;"))
	require.Empty(t, findings(t, "-- aml:allow MIG102 unused\nALTER TABLE t DROP (l, fl);"), "all of one code")

	codes := func(text string) (out []string) {
		for _, f := range findings(t, text) {
			out = append(out, fmt.Sprintf("%d %s", f.Line, f.Code))
		}
		return out
	}
	require.Equal(t, []string{"3 MIG101"}, codes("-- aml:allow MIG101 nobody uses it\nDROP TABLE t;\nDROP TABLE u;"))
	require.Equal(t, []string{"1 MIG116", "2 MIG101"}, codes("-- aml:allow MIG102 wrong\nDROP TABLE t;"))
	require.Equal(t, []string{"1 MIG101", "2 MIG116"}, codes("DROP TABLE t;\n-- aml:allow MIG101 too late"))
}

// All also returns what is allowed, with the reason, for those who review the migration.
func TestAllowedFindingsHaveTheReason(t *testing.T) {
	files, err := folder.Read(fstest.MapFS{"0001_before.cql": {Data: []byte(before)},
		"0002_x.cql": {Data: []byte("-- aml:allow MIG101 nobody uses it\nDROP TABLE t;\nDROP TABLE u;")}})
	require.NoError(t, err)
	found, err := lint.All(files)
	require.NoError(t, err)
	var reasons []string
	for _, f := range found {
		reasons = append(reasons, fmt.Sprintf("%s:%d %s %q", f.File, f.Line, f.Code, f.Allowed))
	}
	require.Equal(t, []string{`0001_before.cql:6 MIG107 ""`, `0001_before.cql:13 MIG102 "it was never written"`, `0002_x.cql:2 MIG101 "nobody uses it"`, `0002_x.cql:3 MIG101 ""`}, reasons)
}

func TestInvalidFolderIsRefused(t *testing.T) {
	_, err := lintText(t, "DROP TABLE nowhere")
	require.EqualError(t, err, "0002_x.cql:1:1: there is no table nowhere; the server would refuse this: fix this statement, or one before it")
}

// A table that becomes versioned is reported at the column of the version, or at the call of the function, not at a column or table of the
// mapper.
func TestVersionedTablesAreReportedAtTheirVersion(t *testing.T) {
	for text, line := range map[string]int{
		"ALTER TABLE t ADD x text;\nALTER TABLE t ADD v bigint;\nALTER TABLE t ADD aml_pending map<blob, bigint>;\nALTER TABLE t ADD aml_deleted boolean;\n-- aml:func t__version": 2,
		"ALTER TABLE t ADD aml_deleted boolean;\n-- aml:func t__version":                                                                             2,
		"ALTER TABLE t ADD a bigint;\nALTER TABLE t ADD b bigint;\nALTER TABLE t ADD aml_deleted boolean;\n-- aml:func t__version":                   4,
		"\nCREATE TABLE versioned__n_unique (n int PRIMARY KEY, aml_owner_id int, aml_at bigint, aml_floor bigint);\n-- aml:func versioned__version": 3,
		"\nALTER TABLE t ADD aml_deleted boolean": 2,
	} {
		found := findings(t, text)
		require.Len(t, found, 1, text)
		require.Equal(t, line, found[0].Line, text)
		require.Equal(t, "MIG121", found[0].Code)
	}
	require.Empty(t, findings(t, "-- aml:allow MIG121 all programs are stopped\nALTER TABLE t ADD v bigint;\nALTER TABLE t ADD aml_deleted boolean;\n-- aml:func t__version"))
}
