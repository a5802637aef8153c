// Package alternatives counts the requests that a store sends for the operations of a relationship, to compare them with those that package
// alternatives of codegen prints. It calls any generated store, by reflection.
package alternatives

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cassaml/cassaml/mapper"
)

// Side is a side of the relationship.
type Side struct {
	Struct  string
	Key     []string
	Changed string // the field outside the key that a change changes; "" for none
}

// Call is a call of the store, as codegen/alternatives describes it.
type Call struct {
	Of, Method, Field string
	Effect            string // "", inserting, adding, changing, removing, renaming or deleting
	Each              bool
}

// Design is a design to call.
type Design struct {
	Root, Element Side
	Elements      int
	Keys          map[string][]string // the Go names of the key of each aggregate
	Partition     map[string]int      // the number of the first of them that are the partition key
	Operations    map[string][]Call
	Others        []string // the other roots
	ToOthers      []string // the fields that refer to them: each element to a row of its own, any other row to the one with zeros in its key
}

// Count has the requests of an operation.
type Count struct{ Requests, Conditional, Statements, Partitions int }

// tracer counts requests.
type tracer struct {
	lock sync.Mutex // several requests can be sent at a time
	Count
}

func (t *tracer) Start(ctx context.Context, r mapper.Request) context.Context {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.Requests++
	t.Statements += len(r.Statements)
	t.Partitions += r.Partitions
	if r.Conditional {
		t.Conditional++
	}
	return ctx
}

func (t *tracer) End(context.Context, mapper.RequestResult) {}

// Open opens a store with a tracer.
type Open func(t mapper.Tracer) (any, error)

// Tally returns the requests of each operation. Each of them is called for two roots that have their elements already, and that no other
// operation has: all stores can be on one backend.
func Tally(ctx context.Context, open Open, d Design) (map[string]Count, error) {
	out := map[string]Count{}
	for i, name := range slices.Sorted(maps.Keys(d.Operations)) {
		calls, t := d.Operations[name], &tracer{}
		store, err := open(t)
		if err != nil {
			return nil, err
		}
		x := &caller{ctx: ctx, store: reflect.ValueOf(store).Elem(), Design: d, operation: name, first: 10 * i}
		if err := x.prepare(); err != nil {
			return nil, fmt.Errorf("before %s: %w", name, err)
		}
		t.Count = Count{}
		for _, c := range calls {
			if err := x.all(c); err != nil {
				return nil, fmt.Errorf("%s: %s.%s: %w", name, c.Of, c.Method, err)
			}
		}
		out[name] = t.Count
	}
	return out, nil
}

// caller calls a store.
type caller struct {
	Design
	ctx       context.Context
	store     reflect.Value
	operation string
	first     int    // the number before the first root
	there     int    // the elements that a root has
	before    func() // is called before each call of the store; nil: none
}

// prepare inserts a root, with one element less for an operation that adds an element, and for an operation that needs two roots a second one with
// one element less. No root is inserted for an operation that inserts it.
func (x *caller) prepare() error {
	if err := x.putOthers(); err != nil {
		return err
	}
	if x.operation == "insert" {
		x.there = x.Elements
		return nil
	}
	last := x.first + 1
	if x.operation == "move" || x.operation == "rename" {
		last++
	}
	for j := x.first + 1; j <= last; j++ {
		x.there = x.Elements
		if j == x.first+2 || x.operation == "add" {
			x.there--
		}
		for _, c := range x.Operations["insert"] {
			if err := x.each(c, j, x.there); err != nil {
				return err
			}
		}
	}
	x.there = x.Elements
	return nil
}

// putOthers writes the rows of the other roots: one with zeros in its key, and one for each element of two roots.
func (x *caller) putOthers() error {
	numbers := []int{0}
	for j := range 2 {
		for i := range x.Elements {
			numbers = append(numbers, x.element(x.first+1+j, i))
		}
	}
	for _, of := range x.Others {
		t := x.table(of)
		for _, n := range numbers {
			row := reflect.New(t.MethodByName("Get").Type().Out(0).Elem())
			for _, k := range x.Keys[of] {
				x.set(row.Elem().FieldByName(k), n)
			}
			if err := failed(t.MethodByName("Put").Call([]reflect.Value{reflect.ValueOf(x.ctx), row})); err != nil {
				return err
			}
		}
	}
	return nil
}

// all makes the calls of one step of an operation.
func (x *caller) all(c Call) error {
	if c.Each {
		return x.each(c, x.first+1, x.Elements)
	}
	root := x.first + 1
	if x.operation == "move" && (c.Effect == "adding" || c.Effect == "inserting") {
		root = x.first + 2
	}
	return x.call(c, root, x.element(x.first+1, x.Elements-1))
}

// each calls a method once for each of some elements, if the call is one for each element.
func (x *caller) each(c Call, root, n int) error {
	if !c.Each {
		n = 1
	}
	for i := range n {
		if err := x.call(c, root, x.element(root, i)); err != nil {
			return err
		}
	}
	return nil
}

// element returns the number of an element that a root has at the beginning.
func (x *caller) element(root, i int) int { return root*1000 + i }

// table returns the table of a store with the rows of a struct.
func (x *caller) table(of string) reflect.Value {
	for i := range x.store.NumField() {
		f := x.store.Field(i)
		if !x.store.Type().Field(i).IsExported() {
			continue
		}
		if get := f.MethodByName("Get"); get.IsValid() && get.Type().Out(0).Elem().Name() == of {
			return f
		}
	}
	panic("no table of " + of)
}

// call makes one call for a root and an element.
func (x *caller) call(c Call, root, element int) error {
	if x.before != nil {
		x.before()
	}
	t := x.table(c.Of)
	if m := x.direct(t, c); m.IsValid() {
		return x.change(m, t, c, root, element)
	}
	v := x.value(t, root, element)
	switch c.Method {
	case "Insert":
		return failed(t.MethodByName("Insert").Call([]reflect.Value{reflect.ValueOf(x.ctx), v}))
	case "InsertWith":
		args := []reflect.Value{reflect.ValueOf(x.ctx), v}
		insert := t.MethodByName("InsertWith")
		row := insert.Type().In(2).Elem()
		for i := range x.there {
			p := reflect.New(row.Elem())
			x.fill(p.Elem(), root, x.element(root, i))
			args = append(args, p)
		}
		return failed(insert.Call(args))
	case "Get", "Delete": //nolint:usestdlibvars // methods of a store
		return failed(t.MethodByName(c.Method).Call(x.key(v, c.Of, len(x.Keys[c.Of]))))
	case "GetWith":
		for i := range t.NumMethod() {
			if name := t.Type().Method(i).Name; strings.HasPrefix(name, "GetWith") {
				return failed(t.Method(i).Call(x.key(v, c.Of, len(x.Keys[c.Of]))))
			}
		}
	case "Of":
		query := t.MethodByName("Of").Call(x.key(v, c.Of, x.Partition[c.Of])[1:])[0]
		rows := query.MethodByName("All").Call([]reflect.Value{reflect.ValueOf(x.ctx)})[0]
		return drain(rows.Seq2())
	case "Set", "Elements", "Update":
		return x.update(t, c, root, element)
	}
	return fmt.Errorf("no method %s", c.Method)
}

func drain(rows iter.Seq2[reflect.Value, reflect.Value]) error {
	for _, err := range rows {
		if !err.IsNil() {
			return err.Interface().(error)
		}
	}
	return nil
}

// direct returns the method of the store for one field or one element, or an invalid value.
func (x *caller) direct(t reflect.Value, c Call) reflect.Value {
	var names []string
	switch {
	case c.Method == "Set":
		names = []string{"Set"}
	case c.Method != "Elements":
	case c.Effect == "adding":
		names = []string{"Add", "Put", "Append"}
	case c.Effect == "changing":
		names = []string{"Put"}
	case c.Effect == "removing":
		names = []string{"Remove"}
	}
	for _, n := range names {
		if m := t.MethodByName(n + c.Field); m.IsValid() {
			return m
		}
	}
	return reflect.Value{}
}

// change calls a method for one field or one element.
func (x *caller) change(m, t reflect.Value, c Call, root, element int) error {
	args := x.key(x.value(t, root, element), c.Of, len(x.Keys[c.Of]))
	next := x.value(t, root, element)
	if c.Method == "Set" {
		x.renameField(next.Elem(), c.Field, element)
		return failed(m.Call(append(args, next.Elem().FieldByName(c.Field))))
	}
	of := next.Elem().FieldByName(c.Field).Type()
	for i := len(args); i < m.Type().NumIn(); i++ {
		in := m.Type().In(i)
		if m.Type().IsVariadic() && i == m.Type().NumIn()-1 {
			in = in.Elem()
		}
		args = append(args, x.one(in, of, i == len(args), c, root, element))
	}
	return failed(m.Call(args))
}

// one returns an element of a collection, or its key: for a map, first is the argument with the key.
func (x *caller) one(in, of reflect.Type, first bool, c Call, root, element int) reflect.Value {
	v := reflect.New(in).Elem()
	if in.Kind() == reflect.Struct && in.Name() == x.Element.Struct {
		x.fill(v, root, element)
		if c.Effect == "changing" {
			x.modify(v)
		}
		return v
	}
	if c.Of == x.Element.Struct {
		x.set(v, root)
		return v
	}
	x.set(v, element)
	return v
}

// update calls Update with a function that changes the value.
func (x *caller) update(t reflect.Value, c Call, root, element int) error {
	m := t.MethodByName("Update")
	f := m.Type().In(m.Type().NumIn() - 1)
	change := reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		err := error(nil)
		if len(args) == 2 && c.Field == "" {
			err = x.changePart(args[1].Elem(), c, root, element)
		} else {
			x.edit(args[0].Elem(), c, root, element)
		}
		out := reflect.New(f.Out(0)).Elem()
		if err != nil {
			out.Set(reflect.ValueOf(err))
		}
		return []reflect.Value{out}
	})
	return failed(m.Call(append(x.key(x.value(t, root, element), c.Of, len(x.Keys[c.Of])), change)))
}

// changePart writes a row of a part in the function of Update.
func (x *caller) changePart(parts reflect.Value, c Call, root, element int) error {
	p := parts.FieldByName(x.Element.Struct)
	row := reflect.New(p.MethodByName("Insert").Type().In(0).Elem())
	x.fill(row.Elem(), root, element)
	key := x.key(row, x.Element.Struct, len(x.Keys[x.Element.Struct]))[1+len(x.Root.Key):]
	switch c.Effect {
	case "adding":
		p.MethodByName("Insert").Call([]reflect.Value{row})
	case "removing":
		p.MethodByName("Delete").Call(key)
	default:
		out := p.MethodByName("Get").Call(key)
		if err := failed(out); err != nil {
			return err
		}
		next := reflect.New(row.Type().Elem())
		next.Elem().Set(out[0].Elem())
		x.modify(next.Elem())
		p.MethodByName("Change").Call([]reflect.Value{out[0], next})
	}
	return nil
}

// edit changes a field: the collection of elements or of references, or another field.
func (x *caller) edit(v reflect.Value, c Call, root, element int) {
	f := v.FieldByName(c.Field)
	switch {
	case c.Effect == "renaming":
		x.renameField(v, c.Field, element)
	case f.Kind() == reflect.Map:
		x.editMap(f, c, root, element)
	case c.Effect == "adding":
		f.Set(reflect.Append(f, x.one(f.Type().Elem(), f.Type(), true, c, root, element)))
	case c.Effect == "removing":
		f.Set(f.Slice(0, f.Len()-1))
	default:
		x.modify(f.Index(f.Len() - 1))
	}
}

func (x *caller) editMap(f reflect.Value, c Call, root, element int) {
	key := reflect.New(f.Type().Key()).Elem()
	x.set(key, element)
	v := reflect.New(f.Type().Elem()).Elem()
	x.fill(v, root, element)
	if c.Effect == "changing" {
		x.modify(v)
	}
	if c.Effect == "removing" {
		v = reflect.Value{}
	}
	if f.IsNil() {
		f.Set(reflect.MakeMap(f.Type()))
	}
	f.SetMapIndex(key, v)
}

// renameField changes a field of a row. A reference to a root then has the second root.
func (x *caller) renameField(v reflect.Value, name string, element int) {
	if of, isRoot := x.side(v.Type().Name(), name); of != "" && isRoot {
		x.set(v.FieldByName(name), x.first+2)
		return
	}
	x.rename(v.FieldByName(name), element)
}

// rename changes the value of a field: a reference to a root, and a root in its element, then have the second root.
func (x *caller) rename(f reflect.Value, element int) {
	switch f.Kind() {
	case reflect.Struct:
		if at, ok := reflect.TypeAssert[time.Time](f); ok {
			f.Set(reflect.ValueOf(at.Add(time.Hour)))
			return
		}
		x.fill(f, x.first+2, element)
	case reflect.Bool:
		f.SetBool(!f.Bool())
	case reflect.String:
		f.SetString(toggle(f.String()))
	case reflect.Array:
		x.set(f, x.first+2)
	default:
		if f.CanInt() {
			f.SetInt(f.Int() + 1)
		}
	}
}

// toggle adds a letter to a text, or removes it: a text that is changed often does not grow.
func toggle(text string) string {
	if short, ok := strings.CutSuffix(text, "y"); ok {
		return short
	}
	return text + "y"
}

// modify changes a field of an element that is not in its key.
func (x *caller) modify(v reflect.Value) { x.rename(v.FieldByName(x.Element.Changed), 0) }

// value returns a row of a table for a root and an element.
func (x *caller) value(t reflect.Value, root, element int) reflect.Value {
	v := reflect.New(t.MethodByName("Get").Type().Out(0).Elem())
	x.fill(v.Elem(), root, element)
	return v
}

// key returns the context and the first fields of the key of a row.
func (x *caller) key(v reflect.Value, of string, n int) []reflect.Value {
	out := []reflect.Value{reflect.ValueOf(x.ctx)}
	for _, k := range x.Keys[of][:n] {
		out = append(out, v.Elem().FieldByName(k))
	}
	return out
}

// fill sets the fields of a struct for a root and an element.
func (x *caller) fill(v reflect.Value, root, element int) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Anonymous || f.Name == "Version" {
			continue
		}
		if slices.Contains(x.ToOthers, f.Name) {
			if v.Type().Name() == x.Element.Struct {
				x.set(v.Field(i), element)
			}
			continue
		}
		of, isRoot := x.side(v.Type().Name(), f.Name)
		switch at := v.Field(i); {
		case of != "" && at.Kind() == reflect.Slice:
			x.references(at, isRoot, root)
		case of != "" && isRoot:
			x.set(at, root)
		case of != "":
			x.set(at, element)
		case at.Kind() == reflect.Slice && at.Type().Elem().Name() == x.Element.Struct:
			for j := range x.there {
				e := reflect.New(at.Type().Elem()).Elem()
				x.fill(e, root, x.element(root, j))
				at.Set(reflect.Append(at, e))
			}
		case at.Kind() == reflect.Map && at.Type().Elem().Name() == x.Element.Struct:
			for j := range x.there {
				x.editMap(at, Call{Effect: "adding"}, root, x.element(root, j))
			}
		case at.Kind() == reflect.Struct && (at.Type().Name() == x.Root.Struct || at.Type().Name() == x.Root.Struct+"Of"+x.Element.Struct):
			x.fill(at, root, element)
		case at.Kind() == reflect.String:
			at.SetString(fmt.Sprint("x", x.number(v, root, element)))
		case at.CanInt():
			at.SetInt(int64(x.number(v, root, element)))
		}
	}
}

// number returns the number of the element or of the root in a struct: values outside the keys can be unique.
func (x *caller) number(v reflect.Value, root, element int) int {
	if v.Type().Name() == x.Element.Struct {
		return element
	}
	return root
}

// side returns the side to whose key a field belongs; "" for none.
func (x *caller) side(of, name string) (side string, isRoot bool) {
	one := strings.TrimSuffix(name, "s")
	own := of == x.Element.Struct || strings.HasPrefix(of, x.Element.Struct+"By")
	switch {
	case own && slices.Contains(x.Element.Key, name):
		return x.Element.Struct, false
	case slices.Contains(x.Root.Key, name):
		return x.Root.Struct, true
	case slices.Contains(x.Element.Key, name):
		return x.Element.Struct, false
	}
	for _, k := range x.Root.Key {
		if name == x.Root.Struct+k || one == x.Root.Struct+k {
			return x.Root.Struct, true
		}
	}
	for _, k := range x.Element.Key {
		if name == x.Element.Struct+k || one == x.Element.Struct+k {
			return x.Element.Struct, false
		}
	}
	return "", false
}

// references sets the references of one side to the other.
func (x *caller) references(at reflect.Value, toRoot bool, root int) {
	numbers := []int{root}
	if !toRoot {
		numbers = nil
		for i := range x.there {
			numbers = append(numbers, x.element(root, i))
		}
	}
	for _, n := range numbers {
		v := reflect.New(at.Type().Elem()).Elem()
		x.set(v, n)
		at.Set(reflect.Append(at, v))
	}
}

// set sets a value of a key to a number.
func (x *caller) set(v reflect.Value, n int) {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("k%05d", n))
	case v.CanInt():
		v.SetInt(int64(n))
	case v.Kind() == reflect.Array:
		v.Index(12).SetUint(uint64(n >> 24))
		v.Index(13).SetUint(uint64(n >> 16 & 255))
		v.Index(14).SetUint(uint64(n >> 8 & 255))
		v.Index(15).SetUint(uint64(n & 255))
	}
}

// failed returns the error of a call.
func failed(out []reflect.Value) error {
	if last := out[len(out)-1]; !last.IsNil() {
		return last.Interface().(error)
	}
	return nil
}
