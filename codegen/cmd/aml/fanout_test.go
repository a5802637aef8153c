package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Options that are invalid, and models without copies that follow other roots, are refused before a server is asked.
func TestFanOutOptions(t *testing.T) {
	const shop = "../../../examples/quickstart/shop"
	for _, c := range []struct{ args, want string }{
		{"", "no keyspace: add -keyspace NAME"},
		{"-keyspace shop -parallel 0", "-parallel 0: use 1 or more"},
		{"-keyspace shop -rate -1", "-rate -1: use 0 or more"},
		{"-keyspace shop -ttl retention=soon", "-ttl retention=soon: write a duration like 48h"},
		{"-keyspace shop -timeout 0", "-timeout 0s: the time limit must be positive, such as 10s"},
		{"-keyspace shop a b", "accepts at most 1 arg(s), received 2"},
		{"-keyspace shop -hosts 127.0.0.1:1 " + shop, "package github.com/cassaml/cassaml/examples/quickstart/shop has no fields with copy= of fields that change: there is nothing to fan out"},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, 1, run(t.Context(), append([]string{"fanout"}, strings.Fields(c.args)...), &out, &errs), c.args)
		require.Equal(t, c.want+"\n", errs.String(), c.args)
		require.Empty(t, out.String())
	}
}
