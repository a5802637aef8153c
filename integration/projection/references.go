package projection

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// References writes random instances of roots that refer to each other by checked references, and follow each other, without overlaps, and knows which
// rows there must be.
type References struct {
	Done map[string]int // calls by the name of the method and the result
	Last string         // the last call, for messages

	db    *gen.DB
	rand  *rand.Rand
	roots []*Compiled
	rows  []map[string]Record // the rows of each root; the results of keyOf are the keys
}

// NewReferences returns a session on an empty database.
func NewReferences(roots []*Compiled, db *gen.DB, r *rand.Rand) *References {
	s := &References{Done: map[string]int{}, db: db, rand: r, roots: roots}
	db.Relate(gen.NewRelations(sources(gen.Source[Instance], roots)...))
	for range roots {
		s.rows = append(s.rows, map[string]Record{})
	}
	return s
}

// sources returns the result of source for each root.
func sources[T any](source func(*gen.Codec[Instance], *gen.Linked) T, roots []*Compiled) (out []T) {
	for _, c := range roots {
		out = append(out, source(c.codec(), c.aggregate))
	}
	return out
}

// Step makes one call, and compares all rows with those that there must be.
func (s *References) Step(ctx context.Context) error {
	i := s.rand.IntN(len(s.roots))
	c := s.roots[i]
	row := c.Root.withVersion(Drawer{Rand: s.rand, C: c}.Instance(nil), 0)
	key := c.rowKey(row)
	old := s.rows[i][key]
	var err error
	switch n := s.rand.IntN(10); {
	case n < 3:
		err = s.delete(ctx, i, row, old)
	case old != nil && n < 7:
		err = s.update(ctx, i, c.Root.withVersion(Drawer{Rand: s.rand, C: c}.Variation(old), 0), old)
	default:
		err = s.put(ctx, i, row, old)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Last, err)
	}
	return s.compare(ctx)
}

// rowKey returns the key of a row as a text.
func (c *Compiled) rowKey(row Record) (out string) {
	for _, k := range c.Root.Key() {
		out += KeyText(row[c.Root.index(k.Attribute)]) + " "
	}
	return out
}

// put puts a row.
func (s *References) put(ctx context.Context, i int, row, old Record) error {
	c := s.roots[i]
	err := gen.PutVersioned(ctx, c.OpenVersioned(s.db), c.Root.instance(row))
	return s.saved("Put", i, row, old, err)
}

// update replaces the values of a row.
func (s *References) update(ctx context.Context, i int, row, old Record) error {
	c := s.roots[i]
	_, err := gen.UpdateVersioned(ctx, c.OpenVersioned(s.db), func(v *Instance) error {
		v.Row = c.Root.withVersion(row, v.Version)
		return nil
	}, c.Key(old))
	return s.saved("Update", i, row, old, err)
}

// saved checks the result of a save of a row: it is refused if a target of an added reference does not exist.
func (s *References) saved(op string, i int, row, old Record, err error) error {
	c := s.roots[i]
	want := len(s.missing(i, row, old)) == 0 && c.possible(row)
	s.Last = fmt.Sprintf("%s %s %v, was %v", op, c.Root.Name, row, old)
	_, refused := errors.AsType[*mapper.ConstraintError](err)
	switch {
	case err != nil && !refused || refused == want:
		return fmt.Errorf("saved: %v, got %w", want, err)
	case err == nil:
		if s.keeps(c, row) {
			s.Done["saved while a target is deleted"]++
		}
		s.rows[i][c.rowKey(row)] = s.followTargets(c, row, old)
		s.followAll()
		s.Done[op]++
	default:
		s.Done[op+" refused"]++
	}
	return nil
}

// possible reports whether a row can have its key: the only column of a partition key is not empty, and no identifier is the zero UUID.
func (c *Compiled) possible(row Record) bool {
	for _, a := range c.Root.Aggregate.Identifier {
		if row[c.Root.index(a)] == Value(UUID{}) {
			return false
		}
	}
	first := c.Root.PartitionKey
	return len(first) > 1 || row[c.Root.index(first[0].Attribute)] != ""
}

// reference is a reference of a row to a target.
type reference struct {
	by     *model.Association
	target string // the key
}

// missing returns the references that a row adds to targets that do not exist.
func (s *References) missing(i int, row, old Record) (out []reference) {
	c := s.roots[i]
	before := c.references(old)
	for _, r := range c.references(row) {
		t := s.root(r.by.Target)
		own := t == i && r.target == c.rowKey(row)
		if !own && s.rows[t][r.target] == nil && !slices.Contains(before, r) {
			out = append(out, r)
		}
	}
	return out
}

// root returns the index of a root.
func (s *References) root(a *model.Aggregate) int {
	return slices.IndexFunc(s.roots, func(c *Compiled) bool { return c.Root.Aggregate == a })
}

// references returns the references of a row that are checked, or that fields follow.
func (c *Compiled) references(row Record) (out []reference) {
	if row == nil {
		return nil
	}
	for _, x := range c.Root.Aggregate.Associations {
		if x.Table != "" {
			out = append(out, c.referencesBy(x, row)...)
		}
	}
	for _, f := range c.following {
		out = append(out, c.referencesBy(f.by, row)...)
	}
	return out
}

// referencesBy returns the references of a row by an association.
func (c *Compiled) referencesBy(x *model.Association, row Record) (out []reference) {
	visit(x, row, c.Root.Aggregate.Attributes, x.Path, func(key []Value) bool {
		if !slices.Contains(key, nil) {
			out = append(out, reference{x, keyText(key)})
		}
		return false
	})
	return out
}

func keyText(key []Value) (out string) {
	for _, v := range key {
		out += KeyText(v) + " "
	}
	return out
}

// visit calls clear with each key below a record to which the path leads. It returns the record without those for which clear returns true.
func visit(x *model.Association, in Record, of, path []*model.Attribute, clear func([]Value) bool) Record {
	out, i := slices.Clone(in), attributeIndex(of, path[0])
	if len(path) > 1 {
		out[i] = visitIn(x, in[i], path[0].Type, path[1:], clear)
		return out
	}
	if x.Many {
		out[i] = withoutElements(in[i], clear)
		return out
	}
	var key []Value
	for _, f := range x.Fields {
		key = append(key, in[attributeIndex(of, f)])
	}
	if clear(key) {
		for _, f := range x.Fields {
			out[attributeIndex(of, f)] = nil
		}
	}
	return out
}

// withoutElements returns a list or a set without the elements for which clear returns true.
func withoutElements(v Value, clear func([]Value) bool) Value {
	gone := func(e Value) bool { return clear([]Value{e}) }
	switch e := v.(type) {
	case List:
		return List(slices.DeleteFunc(slices.Clone([]Value(e)), gone))
	case Set:
		return Set(slices.DeleteFunc(slices.Clone([]Value(e)), gone))
	}
	return v
}

// visitIn is visit for the records in a value. Elements of a set that become equal are one.
func visitIn(x *model.Association, v Value, t *model.Type, path []*model.Attribute, clear func([]Value) bool) Value {
	each := func(e Value, t *model.Type) Value { return visit(x, e.(Record), t.Object.Attributes, path, clear) }
	switch e := v.(type) {
	case Record:
		return each(e, t)
	case List:
		out := List{}
		for _, r := range e {
			out = append(out, each(r, t.Elem))
		}
		return out
	case Set:
		out := Set{}
		for _, r := range e {
			n := each(r, t.Elem)
			if !slices.ContainsFunc(out, func(o Value) bool { return same(o, n) }) {
				out = append(out, n)
			}
		}
		return out
	case Map:
		out := Map{}
		for _, r := range e {
			out = append(out, Entry{r.Key, each(r.Value, t.Elem)})
		}
		return out
	}
	return v
}

// delete deletes a row, which need not exist.
func (s *References) delete(ctx context.Context, i int, row, old Record) error {
	c := s.roots[i]
	s.Last = fmt.Sprintf("Delete %s %s", c.Root.Name, c.rowKey(row))
	err := gen.DeleteVersioned(ctx, c.OpenVersioned(s.db), c.Key(row))
	_, held := errors.AsType[*mapper.HeldError](err)
	_, invalid := errors.AsType[*mapper.ConstraintError](err)
	want := old != nil && s.isHeld(i, c.rowKey(row))
	switch {
	case invalid && !c.possible(row):
		return nil
	case err != nil && !held || held != want:
		return fmt.Errorf("held: %v, got %w", want, err)
	case held:
		s.Done["Delete refused"]++
	case old != nil:
		s.remove(i, c.rowKey(row))
		s.Done["Delete"]++
	}
	return nil
}

// holders calls f with each reference to a target.
func (s *References) holders(i int, key string, f func(holder int, held string, r reference)) {
	for h, c := range s.roots {
		for held, row := range s.rows[h] {
			for _, r := range c.references(row) {
				if s.root(r.by.Target) == i && r.target == key {
					f(h, held, r)
				}
			}
		}
	}
}

// isHeld reports whether another row restricts the deletion of a row.
func (s *References) isHeld(i int, key string) (held bool) {
	s.holders(i, key, func(h int, by string, r reference) {
		held = held || r.by.OnDelete == model.Restrict && (h != i || by != key)
	})
	return held
}

// remove removes a row, with the rows that are deleted with it, and clears the references to them.
func (s *References) remove(i int, key string) {
	type place struct {
		root int
		key  string
	}
	var cascades []place
	s.holders(i, key, func(h int, held string, r reference) {
		switch r.by.OnDelete {
		case model.Cascade:
			cascades = append(cascades, place{h, held})
		case model.Keep:
			s.Done["kept"]++
		case model.Clear:
			c := s.roots[h]
			row := visit(r.by, s.rows[h][held], c.Root.Aggregate.Attributes, r.by.Path, func(k []Value) bool { return !slices.Contains(k, nil) && keyText(k) == key })
			s.rows[h][held] = c.Stored(row)
			s.Done["cleared"]++
		}
	})
	delete(s.rows[i], key)
	for _, p := range cascades {
		if s.rows[p.root][p.key] != nil {
			s.Done["cascaded"]++
			s.remove(p.root, p.key)
		}
	}
}

// compare compares all rows with those that there must be, and the reverse tables with the rows. Saves that were refused leave rows in them.
func (s *References) compare(ctx context.Context) error {
	for i, c := range s.roots {
		root := c.OpenVersioned(s.db)
		for _, want := range s.rows[i] {
			v, err := gen.Get(ctx, root.Reader, c.Key(want))
			if err != nil {
				return fmt.Errorf("%s: %w", s.Last, err)
			}
			if got := c.Root.withVersion(v.Row, 0); !same(c.Stored(got), c.Stored(want)) {
				return fmt.Errorf("%s: a row of %s is %v, want %v", s.Last, c.Root.Name, got, want)
			}
		}
	}
	return nil
}

// Reconcile runs Reconcile over all roots.
func (s *References) Reconcile(ctx context.Context, config mapper.ReconcileConfig) error {
	var all []gen.Reconcilable
	for _, c := range s.roots {
		all = append(all, c.OpenVersioned(s.db))
	}
	_, err := gen.Reconcile(ctx, s.db, config, all...)
	return err
}

// Deleted calls Get for keys that no row has, and returns an error if one is found.
func (s *References) Deleted(ctx context.Context) error {
	for i, c := range s.roots {
		for range 8 {
			row := Drawer{Rand: s.rand, C: c}.Instance(nil)
			if s.rows[i][c.rowKey(row)] != nil || !c.possible(row) {
				continue
			}
			if _, err := gen.Get(ctx, c.OpenVersioned(s.db).Reader, c.Key(row)); !errors.Is(err, mapper.ErrNotFound) {
				return fmt.Errorf("%s %s: the error is %w, want ErrNotFound", c.Root.Name, c.rowKey(row), err)
			}
		}
	}
	return nil
}
