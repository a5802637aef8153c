package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Options that are invalid or contradict each other are refused before anything is read; each error contains what to do.
func TestReconcileOptions(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "no keyspace: add -keyspace NAME"},
		{"-keyspace shop -refill a -restamp b", "-refill and -restamp exclude each other: run one after the other"},
		{"-keyspace shop -refill a -dry-run", "-dry-run is for a comparison of tables: leave it out, or leave out -refill"},
		{"-keyspace shop -restamp a -tables b", "-tables is for a comparison of tables: leave it out, or leave out -restamp"},
		{"-keyspace shop -above 5", "-above is for -restamp 'TABLE WHERE CONDITION': add it, or leave -above out"},
		{"-keyspace shop -yes", "-yes is for -refill TABLE: add it, or leave -yes out"},
		{"-keyspace shop -grace 59s", "-grace 59s: use 1m or more, because the servers can complete a write after this time"},
		{"-keyspace shop -parallel 0", "-parallel 0: use 1 or more"},
		{"-keyspace shop -rate -1", "-rate -1: use 0 or more"},
		{"-keyspace shop -slices 0", "-slices 0: use 1 or more"},
		{"-keyspace shop -job=", "-job is empty: add a value, or leave it out"},
		{"-keyspace shop -tables=", "-tables is empty: add a value, or leave it out"},
		{"-keyspace shop -ttl retention=soon", "-ttl retention=soon: write a duration like 48h"},
		{"-keyspace shop -timeout 0", "-timeout 0s: the time limit must be positive, such as 10s"},
		{"-keyspace shop a b", "accepts at most 1 arg(s), received 2"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 1, run(t.Context(), append([]string{"reconcile"}, strings.Fields(c.args)...), &out, &errs), c.args)
		require.Equal(t, c.want+"\n", errs.String(), c.args)
		require.Empty(t, out.String())
	}
	t.Setenv("CASSANDRA_HOSTS", "")
	var out, errs bytes.Buffer
	require.Equal(t, 1, run(t.Context(), []string{"reconcile", "-keyspace", "shop"}, &out, &errs))
	require.Equal(t, "no contact points: add -hosts host[:port],… or set CASSANDRA_HOSTS\n", errs.String())
}
