package projection

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Saves writes random instances of a versioned root and of its part through the mapper, without overlaps, and adds the writes to two
// worlds: a world of the root with its copies, and a world of the part.
type Saves struct {
	Root, Part *World
	Done       map[string]int // saves by the name of the method
	Last       string         // the last save, for messages
	Clock      *Clock         // clock of the store; nil if the clock returns the time of each step by itself

	c     *Compiled
	db    *gen.DB
	draw  Drawer
	parts Drawer
	live  map[string]*aggregate // aggregates by key
}

// aggregate is a root with its parts, by their keys.
type aggregate struct {
	row   Record
	parts map[string]Record
}

// NewSaves returns a session on an empty database.
func NewSaves(c *Compiled, db *gen.DB, r *rand.Rand) *Saves {
	return &Saves{
		Root: NewWorld(c), Part: NewWorld(c.Part), Done: map[string]int{}, c: c, db: db,
		draw: Drawer{Rand: r, C: c, Breaks: true}, parts: Drawer{Rand: r, C: c.Part}, live: map[string]*aggregate{},
	}
}

// Step makes one save at a time, in microseconds since 1970, which is also the version. Then it compares the result of GetWith with
// the saved instance. An error comes from the mapper, or reports that a save has another result than expected.
func (s *Saves) Step(ctx context.Context, at int64) error {
	s.Root.Expire(at / 1e6)
	if s.Clock != nil {
		s.Clock.now = time.UnixMicro(at)
	}
	drawn := s.c.Root.withVersion(s.draw.Instance(nil), at)
	key := s.c.RootRow(drawn).Key
	err := s.save(ctx, s.live[key], drawn, at)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Last, err)
	}
	return s.read(ctx, key, drawn)
}

// save makes one save of an aggregate, nil if it does not exist. drawn has its key.
func (s *Saves) save(ctx context.Context, was *aggregate, drawn Record, at int64) error {
	root, v := s.c.OpenVersioned(s.db), s.c.Root.instance(drawn)
	var old Record
	if was != nil {
		old = was.row
	}
	switch n := s.draw.Rand.IntN(100); {
	case was == nil && n < 15 || n < 10:
		if v.Version = 0; was != nil && n < 5 {
			v.Version = s.c.Root.version(old)
		}
		return s.done("Put", old, drawn, at, nil, gen.PutVersioned(ctx, root, v))
	case was == nil && n < 70:
		writes := s.drawWrites(drawn, nil, putPart)
		return s.done("InsertWith", nil, drawn, at, writes, gen.InsertWith(ctx, root, s.c.Part.codec(), v, instances(writes)))
	case was == nil:
		return s.missing(ctx, root, drawn)
	case n < 15:
		s.Last = "Insert"
		if err := gen.InsertVersioned(ctx, root, v); !errors.Is(err, mapper.ErrExists) && s.problem(nil, drawn) == "" {
			return fmt.Errorf("the error is %w, want ErrExists", err)
		}
		return nil
	case n < 30:
		new := s.c.Root.withVersion(s.draw.Variation(old), at)
		return s.done("Change", old, new, at, nil, gen.ChangeVersioned(ctx, root, s.c.Root.instance(old), s.c.Root.instance(new)))
	case n < 38:
		return s.done("Delete", old, nil, at, nil, gen.DeleteVersioned(ctx, root, s.c.Key(old)))
	case n < 40:
		return s.done("DeleteAt", old, nil, at, nil, gen.DeleteAt(ctx, root, s.c.Key(old), s.c.Root.version(old)))
	}
	return s.update(ctx, root, was, at)
}

// missing makes saves of a root that does not exist.
func (s *Saves) missing(ctx context.Context, root gen.Versioned[Instance], drawn Record) error {
	s.Last = "Update and Delete of a row that does not exist"
	_, err := gen.UpdateVersioned(ctx, root, func(*Instance) error { return nil }, s.c.Key(drawn))
	if !errors.Is(err, mapper.ErrNotFound) {
		return fmt.Errorf("the error of Update is %w", err)
	}
	return gen.DeleteVersioned(ctx, root, s.c.Key(drawn))
}

// update changes an aggregate and some of its parts.
func (s *Saves) update(ctx context.Context, root gen.Versioned[Instance], was *aggregate, at int64) error {
	new := s.c.Root.withVersion(s.draw.Variation(was.row), at)
	writes := s.drawWrites(was.row, was.parts, insertPart, putPart, changePart, deletePart)
	within := s.drawRange(was.parts)
	writes = slices.DeleteFunc(writes, func(w partWrite) bool { return within.has(w.key()) })
	seen := error(nil)
	parts := func(p gen.Parts[Instance]) *gen.Parts[Instance] { return &p }
	_, err := gen.UpdateWith(ctx, root, s.c.Part.codec(), parts, func(v *Instance, p *gen.Parts[Instance]) error {
		if !same(s.c.Stored(v.Row), was.row) {
			seen = fmt.Errorf("the function got %v, want %v", v.Row, was.row)
		}
		for i := range writes {
			seen = errors.Join(seen, s.write(p, &writes[i], was.parts[s.partKey(&writes[i])] != nil))
		}
		v.Row, seen = new, errors.Join(seen, within.delete(p))
		return nil
	}, s.c.Key(was.row))
	if seen != nil {
		return seen
	}
	if want := s.refusals(writes, was.parts); len(want) > 0 {
		return s.refused(err, want, s.problem(was.row, new))
	}
	if err = s.done("Update", was.row, new, at, writes, err); err == nil && same(was.row, new) {
		s.applyRange(was, within, at)
	}
	return err
}

// refused checks the error of a save some of whose parts do not have the state that it requires. The value of the root can be invalid,
// too.
func (s *Saves) refused(err error, want []error, problem string) error {
	s.Done["Refused part"]++
	if slices.ContainsFunc(want, func(e error) bool { return errors.Is(err, e) }) {
		return nil
	}
	if _, ok := errors.AsType[*mapper.ConstraintError](err); ok && problem != "" {
		return nil
	}
	return fmt.Errorf("the error is %w, want one of %v", err, want)
}

// done adds a save to the worlds, and checks its error.
func (s *Saves) done(op string, old, new Record, at int64, writes []partWrite, err error) error {
	s.Last = fmt.Sprintf("%s at %d\n  old %v\n  new %v\n  parts %v", op, at, old, new, writes)
	if problem := s.problem(old, new); problem != "" {
		s.Done["Refused"]++
		if _, ok := errors.AsType[*mapper.ConstraintError](err); !ok {
			return fmt.Errorf("the error is %w, want a ConstraintError: %s", err, problem)
		}
		return nil
	}
	if err != nil {
		return err
	}
	s.Done[op]++
	s.Root.Apply(Write{Old: old, New: new, At: at, Whole: true})
	if new == nil {
		key := s.c.RootRow(old).Key
		for _, part := range s.live[key].parts {
			s.Part.Apply(Write{Old: part, At: at})
		}
		delete(s.live, key)
		return nil
	}
	key := s.c.RootRow(new).Key
	if s.live[key] == nil {
		s.live[key] = &aggregate{parts: map[string]Record{}}
	}
	s.live[key].row = new
	for i := range writes {
		s.apply(s.live[key], &writes[i], at)
	}
	return nil
}

// problem returns the reason why a save is invalid, or "".
func (s *Saves) problem(old, new Record) string {
	if problem := s.Root.Problem(new); problem != "" || new == nil {
		return problem
	}
	return s.c.broken(old, new, true)
}

// read compares the result of GetWith with the saved instance.
func (s *Saves) read(ctx context.Context, key string, of Record) error {
	v, rows, err := gen.GetWithVersioned(ctx, s.c.OpenVersioned(s.db), s.c.Part.codec(), s.c.Key(of))
	was := s.live[key]
	switch {
	case was == nil && errors.Is(err, mapper.ErrNotFound):
		return nil
	case err != nil || was == nil:
		return fmt.Errorf("%s: GetWith returned the error %w, want %v", s.Last, err, was)
	case !same(s.c.Stored(v.Row), was.row) || len(rows) != len(was.parts):
		return fmt.Errorf("%s: GetWith returned %v with %d parts, want %v with %d", s.Last, v.Row, len(rows), was.row, len(was.parts))
	}
	for _, row := range rows {
		if want := was.parts[s.c.Part.RootRow(row.Row).Key]; !same(s.c.Part.Stored(row.Row), want) {
			return fmt.Errorf("%s: GetWith returned the part %v, want %v", s.Last, row.Row, want)
		}
	}
	return nil
}

// Differences compares all tables with the rows of a backend. Of a deleted root the version stays.
func (s *Saves) Differences(now, slack int64, cells func(*Table) ([]Cell, error)) (out []string, err error) {
	s.Root.Expire(now)
	for _, t := range append([]*Table{s.c.Root, s.c.Part.Root}, s.c.Copies...) {
		found, err := cells(t)
		if err != nil {
			return nil, err
		}
		world := s.Root
		switch t {
		case s.c.Part.Root:
			world, found = s.Part, s.c.Part.withoutHeads(found)
		case s.c.Root:
			version := s.c.Root.Versioning.Version.Name
			found = slices.DeleteFunc(found, func(c Cell) bool { return c.Column == "" || c.Column == version && s.live[c.Key] == nil })
		}
		out = append(out, world.Compare(t, found, slack)...)
	}
	return out, nil
}

// Aggregates returns the number of roots and of parts that exist.
func (s *Saves) Aggregates() (roots, parts int) {
	for _, a := range s.live {
		parts += len(a.parts)
	}
	return len(s.live), parts
}
