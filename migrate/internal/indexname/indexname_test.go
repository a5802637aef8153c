package indexname_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/migrate/internal/indexname"
)

func TestClassesHaveOneName(t *testing.T) {
	for written, want := range map[string]string{
		"SAI":                  "sai",
		"StorageAttachedIndex": "sai",
		"org.apache.cassandra.index.sai.StorageAttachedIndex": "sai",
		"org.example.StorageAttachedIndex":                    "StorageAttachedIndex",
		"LEGACY_LOCAL_TABLE":                                  "legacy_local_table",
		"org.apache.cassandra.index.sasi.SASIIndex":           "SASIIndex",
	} {
		require.Equal(t, want, indexname.Class(written))
	}
}

func TestMadeUpNamesAreCounted(t *testing.T) {
	there := map[string]bool{}
	for _, want := range []string{"Orders_itstotal_idx", "Orders_itstotal_idx_1", "Orders_itstotal_idx_2"} {
		name := indexname.Free("Orders", "it's total", func(name string) bool { return there[name] })
		require.Equal(t, want, name)
		require.True(t, indexname.MadeUp(name, "Orders", "it's total"))
		there[name] = true
	}
	require.False(t, indexname.MadeUp("Orders_itstotal_idx_x", "Orders", "it's total"))
	require.False(t, indexname.MadeUp("orders_total_idx", "Orders", "total"))
}
