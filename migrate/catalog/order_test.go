package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A folder tells what it made before what, and what it called and filled since.
func TestAFolderHasAnOrder(t *testing.T) {
	k, err := replay(t,
		"CREATE TABLE a (id int, c int, x text, gone text, PRIMARY KEY (id, c)); CREATE TABLE b (id int PRIMARY KEY)",
		"CREATE TABLE IF NOT EXISTS a (id int PRIMARY KEY); ALTER TABLE a ADD y text; -- aml:func f\n-- aml:backfill b",
		"ALTER TABLE a DROP gone; ALTER TABLE a RENAME c TO d; ALTER TABLE a ADD IF NOT EXISTS (x text, z text); DROP TABLE b; ALTER TABLE IF EXISTS nowhere ADD n int",
		"-- aml:func g\nCREATE TABLE b (id int PRIMARY KEY); -- aml:func f\nALTER TABLE b ADD v int",
	)
	require.NoError(t, err)
	o := k.Order
	called := func(name string) int { return o.Called(func(n string) bool { return n == name }) }

	require.Positive(t, o.Made("a", ""))
	for _, same := range []string{"id", "d", "x"} {
		require.Equal(t, o.Made("a", ""), o.Made("a", same), same)
	}
	require.Less(t, o.Made("a", "x"), o.Made("a", "y"))
	require.Less(t, o.Made("a", "y"), o.Made("a", "z"))
	require.Less(t, o.Made("a", "z"), o.Made("b", ""))
	require.Equal(t, o.Made("b", ""), o.Made("b", "v"), "one file makes all at one time")
	for _, nothing := range []string{"c", "gone", "nowhere"} {
		require.Zero(t, o.Made("a", nothing), nothing)
	}
	require.Zero(t, o.Made("nowhere", ""))

	require.Greater(t, called("g"), o.Made("b", "v"), "its functions come after what a file makes")
	require.Greater(t, called("f"), called("g"))
	require.Zero(t, called("h"))
	require.Greater(t, o.Filled("b"), o.Made("a", "y"))
	require.Less(t, o.Filled("b"), o.Made("a", "z"))
	require.False(t, o.FilledBehind("b", o.Made("a", "y")))
	require.True(t, o.FilledBehind("b", o.Made("a", "x")))
	require.Zero(t, o.Filled("a"))

	of := k.Clone()
	require.Equal(t, o, of.Order)
	require.NotSame(t, o, of.Order)
}
