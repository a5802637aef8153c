package faults

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/invoice"
	"github.com/cassaml/cassaml/mapper"
)

// renaming is a call that renames a target from one name to another, or reads it: then both names are equal. If the outcome of a call is unknown, from
// is empty.
type renaming struct {
	id       int32
	from, to string
}

// renamingModel has the name of one target as its state.
var renamingModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
		of := map[int32][]porcupine.Operation{}
		for _, o := range history {
			id := o.Input.(renaming).id
			of[id] = append(of[id], o)
		}
		for _, part := range of {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return firstName },
	Step: func(state, input, _ any) (bool, any) {
		c := input.(renaming)
		return c.from == "" || c.from == state, c.to
	},
}

const firstName = "new"

// renamings are the calls of clients that rename and read targets at the same time.
type renamings struct {
	s     *invoice.Store
	began time.Time

	mu      sync.Mutex
	history []porcupine.Operation
}

func (r *renamings) add(began time.Time, ended int64, c renaming) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{ClientId: len(r.history), Input: c, Call: began.Sub(r.began).Nanoseconds(), Return: ended})
}

func (r *renamings) now() int64 { return time.Since(r.began).Nanoseconds() }

// rename changes the name of a target to one that no other call uses.
func (r *renamings) rename(ctx context.Context, id int32, name string) error {
	began, from := time.Now(), ""
	_, err := r.s.Customers.Update(ctx, id, func(c *invoice.Customer) error {
		from, c.Name = c.Name, name
		return nil
	})
	switch {
	case err == nil:
		r.add(began, r.now(), renaming{id, from, name})
	case mapper.OutcomeUnknown(err):
		r.add(began, math.MaxInt64, renaming{id, "", name})
	}
	return err
}

// read reads the name of a target. A read that fails has no effect.
func (r *renamings) read(ctx context.Context, id int32) (string, error) {
	began := time.Now()
	c, err := r.s.With(mapper.Options{Serial: true}).Customers.Get(ctx, id)
	if err != nil {
		return "", err
	}
	r.add(began, r.now(), renaming{id, c.Name, c.Name})
	return c.Name, nil
}

// readUntil reads the targets below n, one after the other, until the context ends.
func (r *renamings) readUntil(ctx context.Context, n int32) {
	for i := int32(0); ctx.Err() == nil; i++ {
		_, _ = r.read(ctx, i%n)          // a node can be down
		time.Sleep(5 * time.Millisecond) // limits the length of the history, which is checked as a whole
	}
}

// requireLinearizable checks that there is an order of the calls of each target that has their results, and that agrees with the times at which they
// began and ended.
func (r *renamings) requireLinearizable(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(renamingModel, r.history, checkPatience), "%+v", r.history)
}

// The model accepts the histories that a register allows, and rejects others.
func TestRenamingModel(t *testing.T) {
	const unknown = math.MaxInt64
	call := func(began, ended int64, from, to string) porcupine.Operation {
		return porcupine.Operation{Input: renaming{1, from, to}, Call: began, Return: ended}
	}
	for name, c := range map[string]struct {
		ok    bool
		calls []porcupine.Operation
	}{
		"one after the other":      {true, []porcupine.Operation{call(0, 1, "new", "a"), call(2, 3, "a", "a"), call(4, 5, "a", "b")}},
		"read of an earlier name":  {false, []porcupine.Operation{call(0, 1, "new", "a"), call(2, 3, "new", "new")}},
		"read while it is renamed": {true, []porcupine.Operation{call(0, 9, "new", "a"), call(2, 3, "new", "new"), call(4, 5, "a", "a")}},
		"name goes back":           {false, []porcupine.Operation{call(0, 9, "new", "a"), call(2, 3, "a", "a"), call(4, 5, "new", "new")}},
		"lost change":              {false, []porcupine.Operation{call(0, 1, "new", "a"), call(2, 3, "new", "b")}},
		"unknown and applied":      {true, []porcupine.Operation{call(0, unknown, "", "a"), call(2, 3, "a", "a")}},
		"unknown and not applied":  {true, []porcupine.Operation{call(0, unknown, "", "a"), call(2, 3, "new", "b"), call(4, 5, "b", "b")}},
		"unknown and undone":       {false, []porcupine.Operation{call(0, unknown, "", "a"), call(2, 3, "a", "a"), call(4, 5, "new", "new")}},
	} {
		slices.Reverse(c.calls)
		require.Equal(t, c.ok, porcupine.CheckOperations(renamingModel, c.calls), fmt.Sprint(name))
	}
}
