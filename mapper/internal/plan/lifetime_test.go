package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// The shortest TTL of a table applies. The TTLs that the store was given replace the defaults.
func TestNamedLifetimes(t *testing.T) {
	c := familyOf("by_region", "name")
	c.table.TTL, c.table.Lifetimes = 60, []descriptor.Lifetime{{Name: "kept", Seconds: 60}, {Name: "searched"}, {Seconds: 100}}
	a := link(c)
	ttl := func(l plan.Lifetimes) (out []int32) {
		mutations, err := plan.Plan(a.WithLifetimes(l), plan.Change{New: ana().row()})
		require.NoError(t, err)
		for _, m := range mutations {
			out = append(out, m.TTL)
		}
		return out
	}
	require.Equal(t, []int32{0, 60}, ttl(plan.Lifetimes{"searched": 70}))
	require.Equal(t, []int32{0, 50}, ttl(plan.Lifetimes{"searched": 50}))
	require.Equal(t, []int32{0, 100}, ttl(plan.Lifetimes{"searched": 200, "kept": 300}))
}

func TestCheckLifetimes(t *testing.T) {
	s := &descriptor.Schema{Tables: []*descriptor.Table{
		{Name: "a", Lifetimes: []descriptor.Lifetime{{Name: "kept", Seconds: 60}, {Seconds: 5}}},
		{Name: "b", Lifetimes: []descriptor.Lifetime{{Name: "searched"}}}, {Name: "c", Lifetimes: []descriptor.Lifetime{{Name: "searched"}}},
	}}
	require.NoError(t, plan.CheckLifetimes(s, plan.Lifetimes{"searched": 1}))
	require.NoError(t, plan.CheckLifetimes(s, plan.Lifetimes{"searched": 1, "kept": 2}))
	require.EqualError(t, plan.CheckLifetimes(s, nil), "Config.TTL: $searched is missing, and the model has no default for it")
	require.EqualError(t, plan.CheckLifetimes(s, plan.Lifetimes{"searched": 1, "": 5, "keep": 3}), "Config.TTL: the model has no ttl=$; the model has no ttl=$keep")
}
