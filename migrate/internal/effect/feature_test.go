package effect_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/internal/effect"
)

func TestNewFeatures(t *testing.T) {
	for text, want := range map[string][]string{
		"CREATE INDEX ON t (a) USING 'sai'": {"a storage-attached index (SAI)"},
		"CREATE CUSTOM INDEX i ON t (values(a)) USING 'org.apache.cassandra.index.sai.StorageAttachedIndex'": {"a storage-attached index (SAI)"},
		"CREATE CUSTOM INDEX i ON t (a) USING 'org.apache.cassandra.index.sasi.SASIIndex'":                   nil,
		"CREATE INDEX i ON t (a)": nil,
		"CREATE TABLE t (k int PRIMARY KEY, v list<frozen<vector<float, 3>>>)":                   {"vectors"},
		"CREATE TYPE u (a int, v vector<float, 3>)":                                              {"vectors"},
		"ALTER TYPE u ADD v vector<float, 3>":                                                    {"vectors"},
		"ALTER TABLE t ADD (a int, v vector<float, 3>)":                                          {"vectors"},
		`CREATE TABLE t (k int PRIMARY KEY, vector text, v "vector")`:                            nil,
		"CREATE TABLE t (k int PRIMARY KEY) WITH memtable = 'default' AND cdc = true":            nil,
		"CREATE TABLE t (k int PRIMARY KEY) WITH incremental_backups = false":                    {"the property incremental_backups"},
		"ALTER TABLE t WITH allow_auto_snapshot = true AND comment = 'a'":                        {"the property allow_auto_snapshot"},
		"ALTER TABLE t WITH compaction = {'class': 'UnifiedCompactionStrategy'}":                 {"UnifiedCompactionStrategy"},
		"ALTER TABLE t WITH compaction = {'class': 'LeveledCompactionStrategy'}":                 nil,
		"CREATE TABLE t (k int PRIMARY KEY, masked text, n text MASKED WITH DEFAULT)":            {"data masking (MASKED WITH)"},
		"ALTER TABLE t ALTER n MASKED WITH mask_inner(1, 1)":                                     {"data masking (MASKED WITH)"},
		"CREATE TABLE t (k int PRIMARY KEY, masked text)":                                        nil,
		"INSERT INTO t (k, v) VALUES (1, 'MASKED WITH vector<float, 3> USING ''sai''')":          nil,
		"SELECT 'CREATE INDEX ON t (a) USING ''sai'''":                                           nil,
		"CREATE TABLE t (k int PRIMARY KEY, v vector<float, 3>) WITH incremental_backups = true": {"vectors", "the property incremental_backups"},
	} {
		require.Equal(t, want, effect.NewFeatures(text), text)
	}
}
