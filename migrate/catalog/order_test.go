package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The order of a folder has the file that created each object, its functions and its backfills.
func TestOrderOfAFolder(t *testing.T) {
	k, err := replay(t,
		"CREATE TABLE a (id int, c int, x text, gone text, PRIMARY KEY (id, c)); CREATE TABLE b (id int PRIMARY KEY)",
		"CREATE TABLE IF NOT EXISTS a (id int PRIMARY KEY); ALTER TABLE a ADD y text; -- aml:func f\n-- aml:backfill b",
		"ALTER TABLE a DROP gone; ALTER TABLE a ADD IF NOT EXISTS (x text, z text); DROP TABLE b; ALTER TABLE IF EXISTS nowhere ADD n int",
		"-- aml:func g\nCREATE TABLE b (id int PRIMARY KEY); -- aml:func f\nALTER TABLE b ADD v int",
	)
	require.NoError(t, err)
	o := k.Order
	for name, want := range map[string]int{"": 1, "id": 1, "x": 1, "y": 2, "z": 3, "gone": 0} {
		require.Equal(t, want, o.Created("a", name), name)
	}
	require.Equal(t, 4, o.Created("b", ""))
	require.Equal(t, 4, o.Created("b", "v"))
	require.Zero(t, o.Created("nowhere", ""))
	require.Equal(t, []string{"f", "g", "f"}, o.Calls())
	require.Equal(t, 2, o.Backfilled("b"))
	require.Zero(t, o.Backfilled("a"))

	of := k.Clone()
	require.Equal(t, o, of.Order)
	require.NotSame(t, o, of.Order)
}
