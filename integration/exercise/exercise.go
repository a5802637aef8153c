// Package exercise calls the methods of any generated store, for models that have no program of their own. Each root and each part of a
// plain root is inserted, read, put, updated, reconciled and deleted with random values.
package exercise

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// Table is a table of a store that has Insert.
type Table struct {
	Name    string   // the field of the store
	Key     []string // the Go names of the fields of its key
	Version string   // the field of the version; "" for none
	Root    string   // set for a part: the Name of the table of its root
}

// Model has the facts about a model that its store does not show.
type Model struct {
	Tables    []Table
	Constants map[string][]any // the declared values of each Go type with constants, by the type's name without its package
}

// Clock is the clock of a backend in memory.
type Clock struct{ at time.Time }

// NewClock returns a clock that shows the time of the process until it is advanced.
func NewClock() *Clock { return &Clock{at: time.Now()} }

// Now returns a later time than the call before.
func (c *Clock) Now() time.Time {
	c.at = c.at.Add(time.Millisecond)
	return c.at
}

func (c *Clock) advance(d time.Duration) { c.at = c.at.Add(d) }

// For each table, values is the number of random values that must be accepted, and tries the number of values that are tried.
const (
	values = 3
	tries  = 300
)

// Store calls the methods of a store on a backend with the clock, and returns the first error that a user would not expect.
func Store(ctx context.Context, store any, m Model, clock *Clock) error {
	x := &exercise{ctx: ctx, store: reflect.ValueOf(store).Elem(), model: m, clock: clock, rand: rand.New(rand.NewPCG(1, 2))}
	for _, t := range m.Tables {
		if err := x.table(t); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

type exercise struct {
	ctx   context.Context
	store reflect.Value
	model Model
	clock *Clock
	rand  *rand.Rand
}

// table calls the methods of one table: with the zero value, and then with random ones.
func (x *exercise) table(t Table) error {
	of := x.store.FieldByName(t.Name)
	value := of.MethodByName("Insert").Type().In(1).Elem()
	zero := reflect.New(value)
	if err := x.insert(t, zero); err == nil {
		err = x.delete(t, zero)
		if err != nil {
			return fmt.Errorf("the zero value: %w", err)
		}
	} else if !refused(err) {
		return fmt.Errorf("the zero value: %w", err)
	}
	if err := x.partial(t, value); err != nil {
		return fmt.Errorf("a row with some cells only: %w", err)
	}
	accepted, last := 0, error(nil)
	for range tries {
		v := reflect.New(value)
		x.fill(v.Elem(), 0)
		x.clear(t, v)
		if err := x.insert(t, v); refused(err) {
			last = err
			continue
		} else if err != nil {
			return err
		}
		if err := x.use(t, v); err != nil {
			return err
		}
		if accepted++; accepted == values {
			return nil
		}
	}
	if accepted == 0 && withoutTarget(last) {
		return nil // a random reference that must not be nil refers to no row
	}
	return fmt.Errorf("%d of %d random values were accepted; the last error: %w", accepted, tries, last)
}

// partial makes rows that have only some of their cells, as a Set method does for a row that does not exist, and calls the other methods
// for them. They can refuse the row, but Put and Delete work, and Reconcile leaves nothing to repair.
func (x *exercise) partial(t Table, value reflect.Type) error {
	of := x.store.FieldByName(t.Name)
	for i := range of.NumMethod() {
		name := of.Type().Method(i).Name
		if !strings.HasPrefix(name, "Set") || t.Root != "" {
			continue
		}
		v := reflect.New(value)
		x.fill(v.Elem(), 0)
		args := x.key(t, v)
		for k := 1; k < of.Method(i).Type().NumIn(); k++ {
			if k <= len(args) && of.Method(i).Type().In(k) == args[k-1].Type() {
				continue
			}
			args = append(args[:k-1:k-1], reflect.New(of.Method(i).Type().In(k)).Elem())
			x.fill(args[k-1], 0)
		}
		if _, err := x.results(t, name, args); err != nil && !refused(err) {
			return err
		}
		if err := x.repair(t, v); err != nil {
			return fmt.Errorf("after %s: %w", name, err)
		}
	}
	return nil
}

// repair calls the methods for a row that can violate the model.
func (x *exercise) repair(t Table, v reflect.Value) error {
	if _, err := x.get(t, v); panicked(err) {
		return err
	}
	if err := x.update(t, v); panicked(err) {
		return err
	}
	if err := x.reconcile(mapper.ReconcileConfig{Slices: 1}); err != nil {
		return err
	}
	if err := x.call(t, "Put", v); err != nil && !refused(err) {
		return err
	}
	if _, err := x.results(t, "Delete", x.key(t, v)); err != nil {
		return err
	}
	if err := x.reconcile(mapper.ReconcileConfig{Slices: 1}); err != nil {
		return err
	}
	return x.compare("of partial rows")
}

// clear sets the version of a value that is inserted to zero.
func (x *exercise) clear(t Table, v reflect.Value) {
	if t.Version != "" {
		v.Elem().FieldByName(t.Version).SetZero()
	}
}

// insert inserts a value, and before a part its root.
func (x *exercise) insert(t Table, v reflect.Value) error {
	if t.Root == "" {
		return x.call(t, "Insert", v)
	}
	root := x.root(t)
	r := reflect.New(x.store.FieldByName(root.Name).MethodByName("Insert").Type().In(1).Elem())
	x.fill(r.Elem(), 0)
	x.clear(root, r)
	for i, k := range root.Key {
		r.Elem().FieldByName(k).Set(v.Elem().FieldByName(t.Key[i]).Convert(r.Elem().FieldByName(k).Type()))
	}
	if err := x.call(root, "Insert", r); err != nil {
		return err
	}
	return x.call(t, "Insert", v)
}

// root returns the table of the root of a part.
func (x *exercise) root(t Table) Table {
	return x.model.Tables[slices.IndexFunc(x.model.Tables, func(o Table) bool { return o.Name == t.Root })]
}

// use reads, writes and deletes a value that has been inserted.
func (x *exercise) use(t Table, v reflect.Value) error {
	first, err := x.get(t, v)
	if err != nil {
		return err
	}
	if err := x.call(t, "Put", first); err != nil {
		return err
	}
	second, err := x.get(t, v)
	if err != nil {
		return err
	}
	if a, b := x.plain(t, first), x.plain(t, second); !reflect.DeepEqual(a, b) {
		return fmt.Errorf("a value that was read and put has changed:\n%+v\n%+v", a, b)
	}
	if err := x.update(t, v); err != nil {
		return err
	}
	if err := x.compare("after the writes"); err != nil {
		return err
	}
	if err := x.delete(t, v); err != nil {
		return err
	}
	if _, err := x.get(t, v); !errors.Is(err, mapper.ErrNotFound) {
		return fmt.Errorf("a deleted row is read: %w", err)
	}
	return x.compare("after the delete")
}

// plain returns a value without its version.
func (x *exercise) plain(t Table, v reflect.Value) any {
	copied := reflect.New(v.Type().Elem())
	copied.Elem().Set(v.Elem())
	x.clear(t, copied)
	return copied.Interface()
}

func (x *exercise) get(t Table, v reflect.Value) (reflect.Value, error) {
	out, err := x.results(t, "Get", x.key(t, v))
	if err != nil {
		return reflect.Value{}, err
	}
	return out[0], nil
}

// update calls Update with a function that changes nothing.
func (x *exercise) update(t Table, v reflect.Value) error {
	f := x.store.FieldByName(t.Name).MethodByName("Update").Type()
	change := reflect.MakeFunc(f.In(f.NumIn()-1), func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.Zero(errorType)} })
	_, err := x.results(t, "Update", append(x.key(t, v), change))
	return err
}

// delete deletes a value, and after a part its root.
func (x *exercise) delete(t Table, v reflect.Value) error {
	if _, err := x.results(t, "Delete", x.key(t, v)); err != nil || t.Root == "" {
		return err
	}
	root := x.root(t)
	_, err := x.results(root, "Delete", x.key(t, v)[:len(root.Key)])
	return err
}

func (x *exercise) key(t Table, v reflect.Value) []reflect.Value {
	var out []reflect.Value
	for _, k := range t.Key {
		out = append(out, v.Elem().FieldByName(k))
	}
	return out
}

// compare compares all copies, which must be correct, later than the grace of a run. Values whose references have no target were refused, and leave
// rows in the reverse tables of the references.
func (x *exercise) compare(when string) error {
	var found []mapper.Drift
	config := mapper.ReconcileConfig{DryRun: true, Slices: 1, Found: func(d mapper.Drift) {
		if d.Kind != mapper.DriftOrphan || !strings.HasSuffix(d.Table, "_refs") {
			found = append(found, d)
		}
	}}
	if err := x.reconcile(config); err != nil {
		return fmt.Errorf("%s: %w", when, err)
	}
	if len(found) > 0 {
		return fmt.Errorf("%s, Reconcile finds %+v", when, found)
	}
	return nil
}

// reconcile calls Reconcile, if the store has it, later than its grace.
func (x *exercise) reconcile(config mapper.ReconcileConfig) error {
	x.clock.advance(time.Hour)
	m := x.store.Addr().MethodByName("Reconcile")
	if !m.IsValid() {
		return nil
	}
	out := m.Call([]reflect.Value{reflect.ValueOf(x.ctx), reflect.ValueOf(config)})
	if err, failed := reflect.TypeAssert[error](out[1]); failed {
		return fmt.Errorf("a run of Reconcile: %w", err)
	}
	return nil
}

func (x *exercise) call(t Table, method string, v reflect.Value) error {
	_, err := x.results(t, method, []reflect.Value{v})
	return err
}

var errorType = reflect.TypeFor[error]()

// results calls a method. A panic is an error.
func (x *exercise) results(t Table, method string, args []reflect.Value) (out []reflect.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{method, p}
		}
	}()
	out = x.store.FieldByName(t.Name).MethodByName(method).Call(append([]reflect.Value{reflect.ValueOf(x.ctx)}, args...))
	if failure, failed := reflect.TypeAssert[error](out[len(out)-1]); failed {
		return nil, fmt.Errorf("%s: %w", method, failure)
	}
	return out, nil
}

// withoutTarget reports whether a value was refused because a root to which it refers does not exist.
func withoutTarget(err error) bool {
	fault, ok := errors.AsType[*mapper.ConstraintError](err)
	return ok && slices.ContainsFunc(fault.Violations, func(v mapper.Violation) bool { return strings.HasPrefix(v.Problem, "is a reference") })
}

// refused reports whether a value violates a rule of its model.
func refused(err error) bool {
	var fault *mapper.ConstraintError
	return errors.As(err, &fault)
}

// panicError is a panic of a method.
type panicError struct {
	method string
	value  any
}

// Error returns the name of the method and the value of the panic.
func (e *panicError) Error() string { return fmt.Sprintf("%s: panic: %v", e.method, e.value) }

func panicked(err error) bool {
	var p *panicError
	return errors.As(err, &p)
}
