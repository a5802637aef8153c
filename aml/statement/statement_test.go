package statement_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/statement"
)

func TestInsert(t *testing.T) {
	require.Equal(t, `INSERT INTO t (k, "A b") VALUES (?, ?) USING TIMESTAMP ? AND TTL ?`, statement.Insert("t", "k", `"A b"`))
}

func TestOne(t *testing.T) {
	require.True(t, statement.One(1, 2, true))
	require.False(t, statement.One(2, 3, true), "more columns share the INSERT of all")
	require.False(t, statement.One(0, 3, true), "a row of nothing but its key")
	require.False(t, statement.One(1, 1, true), "the INSERT of all is the same")
	require.False(t, statement.One(1, 3, false), "a collection is written as a whole, or by its parts")
}
