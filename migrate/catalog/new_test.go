package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/internal/models"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// A model has the same keyspace as the migration that creates it.
func TestNewEqualsTheReplayOfTheStatements(t *testing.T) {
	dirs := []string{"../../examples/documents", "../../examples/library/catalogue", "../../examples/game/auction/house", "../../examples/vehicles/approach5versioned/fleet", "../../integration/models/workshop", "../../integration/models/stock"}
	for i, p := range models.Folders(t, dirs...) {
		m, faults := model.Build(p)
		require.False(t, model.Refused(faults))
		s := schema.New(m)
		of, err := catalog.New(s)
		require.NoError(t, err)
		replayed, err := replay(t, s.CQL())
		require.NoError(t, err)
		require.Equal(t, replayed.Statements(), of.Statements(), dirs[i])
		require.NotNil(t, of.Tables[0].Aggregate)
	}
}

func TestNewReturnsCanonicalProperties(t *testing.T) {
	id := &schema.Column{Name: "id", Type: &schema.Type{Name: "int"}, Kind: schema.PartitionKey}
	model := &schema.Schema{Tables: []*schema.Table{{
		Name: "t", Columns: []*schema.Column{id}, PartitionKey: []*schema.Column{id},
		Properties: []schema.Property{
			{Name: "comment", Value: "'cats AND dogs'"},
			{Value: "Compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 80} AND caching = {'rows_per_partition': 'none', 'keys': 'all'} and crc_check_chance"},
		},
	}}}
	_, err := catalog.New(model)
	require.ErrorContains(t, err, "table t: ")
	require.ErrorContains(t, err, "want =, found the end")
	model.Tables[0].Properties[1].Value = "Compaction = {'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 80} AND caching = {'rows_per_partition': 'none', 'keys': 'all'} and crc_check_chance = 5e-1"
	k, err := catalog.New(model)
	require.NoError(t, err)
	require.Equal(t, []schema.Property{
		{Name: "comment", Value: "'cats AND dogs'"},
		{Name: "compaction", Value: "{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': '80'}"},
		{Name: "crc_check_chance", Value: "0.5"},
	}, k.Tables[0].Properties)

	clone := k.Clone()
	require.Equal(t, k, clone)
	clone.Tables[0].Columns[0].Name = "changed"
	require.Equal(t, "id", k.Tables[0].PartitionKey[0].Name)
	require.Equal(t, "changed", clone.Tables[0].PartitionKey[0].Name)
}
