package store

import (
	"context"
	"testing"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

// generated is a package with a generated store S.
type generated[S any] struct {
	schema      string
	open        func(context.Context, gocqlx.Session, mapper.Config) (S, error)
	openBackend func(context.Context, gen.Backend, ...mapper.Config) (S, error)
}

// onStores runs a test on a store in memory and on one of a node, each with a new tracer.
func onStores[S, T any, P interface {
	*T
	mapper.Tracer
}](t *testing.T, of generated[S], test func(t *testing.T, s S, sent P),
) {
	t.Run("memory", func(t *testing.T) {
		sent := P(new(T))
		s, err := of.openBackend(t.Context(), memory.New(memory.Config{}), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		test(t, s, sent)
	})
	t.Run("node", func(t *testing.T) {
		sent := P(new(T))
		s, err := of.open(t.Context(), storetest.SharedTables(t, of.schema), mapper.Config{Tracer: sent})
		require.NoError(t, err)
		test(t, s, sent)
	})
}
