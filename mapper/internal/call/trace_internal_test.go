package call

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Without a tracer a request costs nothing more: it is not described.
func TestNoTracerAllocatesNothing(t *testing.T) {
	db, ctx := &DB{}, context.Background()
	read, write, save := &store.Read{}, &batch{mutations: make([]plan.Mutation, 2)}, &plan.Conditional{}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, end := db.TraceRead(ctx, "Get", read)
		end(nil, 1)
		_, end = db.traceWrite(ctx, write, 1, 1)
		end(nil, 0)
		_, end = db.TraceCAS(ctx, "Put", save, 1)
		end(nil, 0)
	}))
}
