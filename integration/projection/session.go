package projection

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// Session writes random instances of one model through the mapper, without overlaps, and adds the writes to a [World].
type Session struct {
	World  *World
	Clock  *Clock         // clock of the store; nil if the clock returns the time of each step by itself
	TTL    int            // seconds of every write; 0: the TTL of the tables
	Alone  bool           // writes the root only, as a program without copies
	Before *Earlier       // writes as a program of the previous release; nil: of this release
	Done   map[string]int // writes by the name of the method; Refused counts rejected writes

	Last string // the last write, for messages

	c       *Compiled
	db      *gen.DB
	draw    Drawer
	live    map[string]Record // instances by key
	statics map[string]Record // an instance of each partition, with its static values
	first   Record            // set for a model with distinct copies: all instances have its key
	owners  map[string]Record // an instance of each partition whose owner was written
	states  map[string]string // states of the owners that exist
}

// Clock returns the time of the last step, which is the timestamp of each write. Its Now is for mapper.Config.
type Clock struct{ now time.Time }

// Now returns the time of the last step.
func (c *Clock) Now() time.Time { return c.now }

// NewSession returns a session on an empty database.
func NewSession(c *Compiled, db *gen.DB, r *rand.Rand) *Session {
	return &Session{World: NewWorld(c), Done: map[string]int{}, c: c, db: db, draw: Drawer{Rand: r, C: c, Breaks: true}, live: map[string]Record{}, statics: map[string]Record{},
		owners: map[string]Record{}, states: map[string]string{}}
}

// WriteCopies changes a session that has written the root only: it also writes the copies, which are still empty.
func (s *Session) WriteCopies() {
	s.Alone = false
	for _, t := range s.c.Copies {
		s.World.tables[t] = &held{map[string]*heldRow{}, map[string]int64{}}
	}
}

// Step makes one write at a time, in microseconds since 1970. An error is the error of the mapper, or reports that the
// mapper returned no error for an invalid write.
func (s *Session) Step(ctx context.Context, at int64) error {
	s.World.TTL = s.TTL
	s.World.Expire(at / 1e6)
	s.forget()
	if len(s.live) == 0 || s.draw.chance(30) {
		return s.insertOrPut(ctx, at)
	}
	keys := make([]string, 0, len(s.live))
	for k := range s.live {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	old := s.live[keys[s.draw.Rand.IntN(len(keys))]]
	if s.c.Owner != nil && s.draw.chance(30) {
		return s.owned(ctx, at, old)
	}
	switch n := s.draw.Rand.IntN(100); {
	case s.c.Elements && s.draw.chance(60):
		return s.element(ctx, at, old)
	case n < 36:
		return s.update(ctx, at, old)
	case n < 66:
		return s.change(ctx, at, old)
	case n < 78:
		return s.set(ctx, at, old)
	case n < 88:
		return s.element(ctx, at, old)
	}
	if s.deletesRanges() && s.draw.chance(60) {
		return s.deleteRange(ctx, at, old)
	}
	return s.delete(ctx, at, old)
}

// End deletes all instances.
func (s *Session) End(ctx context.Context, at func() int64) error {
	for _, old := range s.live {
		if err := s.delete(ctx, at(), old); err != nil {
			return err
		}
	}
	return nil
}

// forget removes the instances that have expired.
func (s *Session) forget() {
	for key := range s.live {
		if s.World.tables[s.c.Root].rows[key] == nil {
			delete(s.live, key)
		}
	}
}

func (s *Session) root(at int64) gen.Root[Instance] {
	db := s.database(at)
	switch {
	case s.Alone:
		return s.c.OpenAlone(db)
	case s.Before != nil:
		return gen.NewRoot(db, s.c.codec(), s.Before.aggregate)
	}
	return s.c.Open(db)
}

// database returns the database at a time, with the options of the session.
func (s *Session) database(at int64) *gen.DB {
	var o mapper.Options
	if s.Clock != nil {
		s.Clock.now = time.UnixMicro(at)
	}
	if s.TTL > 0 {
		o.TTL = time.Duration(s.TTL) * time.Second
	}
	return s.db.With(o)
}

// possible reports whether a write can be made. A program without all copies must not write an instance that is invalid for
// one of them.
func (s *Session) possible(new Record) bool {
	return !s.Alone && s.Before == nil || s.World.Problem(new) == ""
}

// insertOrPut inserts or puts an instance.
func (s *Session) insertOrPut(ctx context.Context, at int64) error {
	new := s.draw.Instance(nil)
	if s.distinct() && s.first != nil {
		new = s.draw.Instance(s.first)
	}
	s.first = new
	row := s.c.RootRow(new)
	old := s.live[row.Key]
	given := &Instance{Row: new}
	s.leaveStatics(&new, old)
	if !s.possible(new) {
		return nil
	}
	if old == nil && s.draw.chance(70) {
		return s.done("Insert", Write{New: new, At: at}, gen.Insert(ctx, s.root(at), given))
	}
	w := Write{Old: old, New: new, At: at}
	if s.Alone && old != nil { // Put without copies does not read, and writes all given values
		for i, a := range s.c.Root.Aggregate.Attributes {
			if !a.Static || !same(given.Row[i], zero(a.Type)) {
				w.Changed = union(w.Changed, s.c.Root.whole(a, old, new))
			}
		}
	}
	return s.done("Put", w, gen.Put(ctx, s.root(at), given))
}

// leaveStatics replaces zero static values by the values of the existing row, or by absent values if no row exists.
func (s *Session) leaveStatics(new *Record, old Record) {
	row := slices.Clone(*new)
	for i, a := range s.c.Root.Aggregate.Attributes {
		if !a.Static || !same(row[i], zero(a.Type)) {
			continue
		}
		if row[i] = nil; old != nil {
			row[i] = old[i]
		}
	}
	*new = row
}

func (s *Session) distinct() bool {
	return slices.ContainsFunc(s.c.Copies, func(t *Table) bool { return t.Aggregate.Redundancy.Distinct })
}

func (s *Session) update(ctx context.Context, at int64, old Record) error {
	new := s.draw.Variation(old)
	if !s.possible(new) {
		return nil
	}
	var read Record
	_, err := gen.Update(ctx, s.root(at), func(v *Instance) error {
		read, v.Row = v.Row, new
		return nil
	}, s.c.Key(old))
	if read == nil || !same(s.c.Stored(read), old) {
		return fmt.Errorf("update read %v, want %v: %w", read, old, err)
	}
	return s.done("Update", Write{Old: old, New: new, At: at}, err)
}

func (s *Session) change(ctx context.Context, at int64, old Record) error {
	new := s.draw.Variation(old)
	if !s.possible(new) {
		return nil
	}
	return s.done("Change", Write{Old: old, New: new, At: at}, gen.Change(ctx, s.root(at), &Instance{Row: old}, &Instance{Row: new}))
}

func (s *Session) delete(ctx context.Context, at int64, old Record) error {
	return s.done("Delete", Write{Old: old, At: at}, gen.Delete(ctx, s.root(at), s.c.Key(old)))
}

// deletesRanges reports whether the program can delete ranges of rows. The static values of a copy are deleted with its partition or stay,
// which the world does not follow.
func (s *Session) deletesRanges() bool {
	static := func(t *Table) bool {
		return slices.ContainsFunc(t.Columns, func(x *schema.Column) bool { return x.Kind == schema.Static })
	}
	return len(s.c.Root.ClusteringKey) > 0 && s.c.Root.Ranged() && !slices.ContainsFunc(s.c.Copies, static)
}

// deleteRange deletes the rows whose first key columns have the values of old.
func (s *Session) deleteRange(ctx context.Context, at int64, old Record) error {
	key := s.c.Root.Key()
	given := key[:len(s.c.Root.PartitionKey)+s.draw.Rand.IntN(len(s.c.Root.ClusteringKey)+1)]
	q := gen.WhereRows(s.root(at), s.c.partition(old))
	for _, x := range given[len(s.c.Root.PartitionKey):] {
		var e gen.Encoder
		e.Blob(Encode(old[s.c.Root.index(x.Attribute)]))
		q = gen.EqualRows(q, &e)
	}
	if s.Last = fmt.Sprintf("Delete of the rows with the first %d key columns of %v", len(given), old); s.TTL == 0 {
		s.Done["Delete of a range"]++
	}
	if err := q.Delete(ctx); err != nil {
		return err
	}
	for k, row := range s.live {
		if !slices.ContainsFunc(given, func(x *schema.Column) bool {
			i := s.c.Root.index(x.Attribute)
			return KeyText(row[i]) != KeyText(old[i])
		}) {
			s.World.Apply(Write{Old: row, At: at})
			delete(s.live, k)
		}
	}
	return nil
}

// set sets one column where the generator would write a method for it.
func (s *Session) set(ctx context.Context, at int64, old Record) error {
	i := s.draw.Rand.IntN(len(s.c.Root.Columns))
	x := s.c.Root.Columns[i]
	if s.c.Root.Settable(x) != "" || s.TTL > 0 {
		return s.change(ctx, at, old)
	}
	a := x.Attribute
	new := slices.Clone(old)
	new[s.c.Root.index(a)] = s.draw.attribute(a, false)
	given := new[s.c.Root.index(a)]
	if new = s.c.Normal(new); !s.possible(new) {
		return nil
	}
	key := s.c.Key(old)
	if x.Kind == schema.Static {
		key = s.c.partition(old)
	}
	key.Blob(Encode(given))
	err := gen.SetColumn(ctx, s.root(at), key, x.Name, nil)
	return s.done("Set", Write{Old: old, New: new, At: at, Changed: s.c.Root.whole(a, old, new)}, err)
}

// done adds a write to the world, and checks its error.
func (s *Session) done(op string, w Write, err error) error {
	s.Last = fmt.Sprintf("%s at %d\n  old %v\n  new %v", op, w.At, w.Old, w.New)
	problem := s.World.Problem(w.New)
	if problem == "" {
		problem = s.c.broken(w.Old, w.New, op == "Put" && len(s.c.Copies) > 0 && !s.Alone || op != "Put")
	}
	if problem != "" {
		s.Done["Refused"]++
		if _, ok := errors.AsType[*mapper.ConstraintError](err); !ok {
			return fmt.Errorf("%s returned the error %w, want a ConstraintError: %s", op, err, problem)
		}
		return nil
	}
	if err != nil {
		return err
	}
	s.Done[op]++
	s.World.Apply(w)
	if w.New == nil {
		delete(s.live, s.c.RootRow(w.Old).Key)
		return nil
	}
	s.record(w)
	return nil
}

// broken returns the rule of a field that a write violates, or "". A write that has not read the row does not know whether a
// final field changes.
func (c *Compiled) broken(old, new Record, read bool) string {
	if new == nil {
		return ""
	}
	for i, a := range c.Root.Aggregate.Attributes {
		switch {
		case old != nil && read && same(old[i], new[i]):
		case old != nil && read && a.Fixed:
			return a.Name + " is final"
		case a.Enum && new[i] != nil && !slices.ContainsFunc(a.Type.Go.Constants, func(k model.Constant) bool { return k.Value == new[i] }):
			return a.Name + " is not declared"
		}
	}
	return ""
}

// record stores an instance, and its static values for all instances of its partition.
func (s *Session) record(w Write) {
	row := s.c.RootRow(w.New)
	s.live[row.Key] = w.New
	if !s.c.statics() {
		return
	}
	common := slices.Clone(w.New)
	if before := s.statics[row.Partition]; w.Old == nil && before != nil {
		for i, a := range s.c.Root.Aggregate.Attributes {
			if a.Static && common[i] == nil {
				common[i] = before[i]
			}
		}
	}
	s.statics[row.Partition] = common
	for key, instance := range s.live {
		if s.c.RootRow(instance).Partition != row.Partition {
			continue
		}
		instance = slices.Clone(instance)
		for i, a := range s.c.Root.Aggregate.Attributes {
			if a.Static {
				instance[i] = common[i]
			}
		}
		s.live[key] = instance
	}
}

// Differences compares all tables with the rows of a backend.
func (s *Session) Differences(now int64, slack int64, cells func(*Table) ([]Cell, error)) (string, error) {
	s.World.Expire(now)
	var out []string
	for _, t := range append([]*Table{s.c.Root}, s.c.Copies...) {
		found, err := cells(t)
		if err != nil {
			return "", err
		}
		out = append(out, s.World.Compare(t, found, slack)...)
	}
	return strings.Join(out, "\n"), nil
}
