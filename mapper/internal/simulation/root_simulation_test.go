package simulation

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// rootTable is the table of a versioned root that a program uses.
type rootTable[T any] interface {
	Get(ctx context.Context, id int32) (*T, error)
	Insert(ctx context.Context, v *T) error
	InsertOrGet(ctx context.Context, v *T) (*T, error)
	Put(ctx context.Context, v *T) error
	Update(ctx context.Context, id int32, change func(*T) error) (*T, error)
	Upsert(ctx context.Context, id int32, change func(*T, bool) error) (*T, error)
	Change(ctx context.Context, old, new *T) error
	Delete(ctx context.Context, id int32) error
	DeleteAt(ctx context.Context, id int32, version int64) error
	Reconcile(ctx context.Context, id int32, config mapper.ReconcileConfig, known ...*T) (*mapper.ReconcileReport, error)
}

// rootWorld is a world in which clients change roots of one table, whose column name has the labels of the calls.
type rootWorld struct {
	*world
	table string
	ids   int
	// values returns the unique values of a row, each with its column.
	values  func(named) []string
	lookups map[*lookup]bool // lookups that have not ended
	saved   int              // the number of saves that were applied
	live    map[int64]bool   // the versions that saves have given to rows which they did not delete
	assigns bool             // rows get versions without a save, too
}

// lookup is a read by a unique value, with the roots that have had it since it began.
type lookup struct {
	value  string
	owners []int32 // noOwner for a time at which no root had it
}

// rootClient makes calls that change roots.
type rootClient[T any] struct {
	*client
	w       *rootWorld
	table   rootTable[T]
	fresh   func(id int32) T
	change  func(x *invocation, v *T) // changes random values
	version func(*T) int64
	known   map[int32]*T
	ops     []string // each as often as it is in the list; nil: rootCalls
}

// rootCalls are the calls that change a root, each as often as it is in the list.
var rootCalls = []string{"Insert", "Insert", "Put", "Upsert", "Upsert", "Delete", "DeleteAt", "Change", "Change", "Update", "Update", "Update", "Update"}

func (c *rootClient[T]) call(x *invocation) {
	ops := c.ops
	if ops == nil {
		ops = rootCalls
	}
	x.id = int32(c.rng.IntN(c.w.ids))
	c.do(x, ops[c.rng.IntN(len(ops))])
}

// do makes a call. Without a known version, DeleteAt is Delete, and Change is Update. Every other Insert is InsertOrGet.
func (c *rootClient[T]) do(x *invocation, op string) {
	old := c.known[x.id]
	if old == nil {
		op = cmp.Or(map[string]string{"DeleteAt": "Delete", "Change": "Update"}[op], op)
	}
	changed := func(v T) *T { c.change(x, &v); return &v }
	var v *T
	ctx := context.Background()
	x.root = c.w.table
	switch x.op, x.saves = op, true; op {
	case "Insert":
		v = changed(c.fresh(x.id))
		if len(c.calls)%2 == 0 {
			v = c.insertOrGet(ctx, x, v)
			break
		}
		x.err = c.table.Insert(ctx, v)
	case "Put":
		v = changed(c.fresh(x.id))
		x.err = c.table.Put(ctx, v)
	case "Delete":
		x.err = c.table.Delete(ctx, x.id)
	case "DeleteAt":
		x.version = c.version(old)
		x.err = c.table.DeleteAt(ctx, x.id, x.version)
	case "Change":
		x.version, v = c.version(old), changed(*old)
		x.err = c.table.Change(ctx, old, v)
	case "Upsert":
		v, x.err = c.table.Upsert(ctx, x.id, func(v *T, exists bool) error {
			if x.exists = exists; !exists {
				*v = c.fresh(x.id)
			}
			*v = *changed(*v)
			return nil
		})
	default:
		v, x.err = c.table.Update(ctx, x.id, func(v *T) error { *v = *changed(*v); return nil })
	}
	if x.err == nil {
		c.known[x.id] = v
	}
}

// insertOrGet inserts v or finds a row, and returns the value that is then in the row.
func (c *rootClient[T]) insertOrGet(ctx context.Context, x *invocation, v *T) *T {
	found, err := c.table.InsertOrGet(ctx, v)
	if x.err = err; found == nil {
		return v
	}
	if x.found = true; err != nil || !c.w.live[c.version(found)] && !c.w.assigns {
		c.w.failf("%s has found version %d, which no row has had: %v", x.label, c.version(found), err)
	}
	return found
}

// checkSave checks that a save that was applied was planned from the state before it.
func (w *rootWorld) checkSave(a *plan.Aggregate, before, after *plan.State) {
	w.saved++
	switch {
	case after == nil && before.Exists():
		w.failf("a row that is not deleted was removed: %v", before)
	case after == nil:
	case after.Version <= before.CurrentVersion():
		w.failf("the version went from %d to %d", before.CurrentVersion(), after.Version)
	default:
		if w.checkOwner(a, after); after.Exists() {
			if w.live == nil {
				w.live = map[int64]bool{}
			}
			w.live[after.Version] = true
		}
		if len(after.Attempts) > 0 && (before == nil || !slices.Equal(before.Attempts, after.Attempts)) {
			w.checkCall(a, w.saves[lastAttempt(after)], before, after)
		}
	}
	for l := range w.lookups {
		w.observe(l)
	}
}

// checkCall compares a save with the call that has sent it.
func (w *rootWorld) checkCall(a *plan.Aggregate, x *invocation, before, after *plan.State) {
	x.applied++
	name := func(s *plan.State) string { return string(named{a.Root, s.Row}.cell("name")) }
	switch {
	case x.version != 0 && x.version != before.CurrentVersion():
		w.failf("%s %s has changed the version %d, not %d", x.label, x.op, before.CurrentVersion(), x.version)
	case x.op == "Insert" && before.Exists() && !w.expired:
		w.failf("%s inserted over a row", x.label)
	case x.op == "Upsert" && x.exists != before.Exists() && !(w.expired && !x.exists):
		w.failf("%s was called with exists = %v", x.label, x.exists)
	case x.op == "Upsert" && x.exists && name(after) != name(before)+"+"+x.label:
		w.failf("%s has changed the name to %q", x.label, name(after))
	case (x.op == "Update" || x.op == "Change") && (!before.Exists() || name(after) != name(before)+"+"+x.label):
		w.failf("%s has changed the name to %q", x.label, name(after))
	}
}

// row returns a root, or false if there is none.
func (w *rootWorld) row(id int32) (named, bool) {
	a := w.aggregate(w.world.table(w.table))
	s := w.stateOf(a, idKey(id))
	if !s.Exists() {
		return named{}, false
	}
	return named{a.Root, s.Row}, true
}

// checkOwner checks that no other root has a unique value of s.
func (w *rootWorld) checkOwner(a *plan.Aggregate, s *plan.State) {
	if !s.Exists() {
		return
	}
	own := w.values(named{a.Root, s.Row})
	for id := range int32(w.ids) {
		o, exists := w.row(id)
		if !exists || plan.SameKey(o.row, s.Row, a.Root.Key) {
			continue
		}
		for _, v := range w.values(o) {
			if slices.Contains(own, v) {
				w.failf("%s has two owners", v)
			}
		}
	}
}

// observe adds the root that has the value of a lookup.
func (w *rootWorld) observe(l *lookup) {
	owner := int32(noOwner)
	for id := range int32(w.ids) {
		if r, exists := w.row(id); exists && slices.Contains(w.values(r), l.value) {
			owner = id
		}
	}
	l.owners = append(l.owners, owner)
}

// find makes a read by a unique value, and compares its result with what it can be.
func (w *rootWorld) find(x *invocation, value string, read func() (int32, error)) {
	l := &lookup{value: value}
	w.observe(l)
	w.lookups[l] = true
	id, err := read()
	delete(w.lookups, l)
	if x.err = err; errors.Is(err, mapper.ErrNotFound) {
		id = noOwner
	} else if err != nil {
		return
	}
	if !slices.Contains(l.owners, id) {
		w.failf("%s has found %d by %s, but %v had it", x.label, id, value, l.owners)
	}
}

// checkResults compares the results of the calls with the saves that were applied.
func (w *rootWorld) checkResults() { customerWorld{world: w.world}.checkResults() }

// reservations returns the unique values that have an owner, each with its column.
func (w *rootWorld) reservations() (out []string) {
	for _, u := range w.aggregate(w.world.table(w.table)).Versioning.Uniques {
		for _, r := range w.rows(u.Table.Name) {
			if r.row[u.Table.Key] != nil {
				out = append(out, u.Table.Name+rowText(r.row[:u.Table.Key+1]))
			}
		}
	}
	slices.Sort(out)
	return out
}
