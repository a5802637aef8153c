package projection

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// partAction is a method of the parts in the function of an Update.
type partAction int

const (
	putPart partAction = iota
	insertPart
	changePart
	deletePart
)

// partWrite is a write of a row of a part, in a save of its root.
type partWrite struct {
	action   partAction
	old, new Record // nil: not present before, or after
	reads    bool   // the function reads the row first
}

// key returns a record with the key of the row.
func (w *partWrite) key() Record {
	if w.new != nil {
		return w.new
	}
	return w.old
}

// partKey returns the key of the row of a write.
func (s *Saves) partKey(w *partWrite) string { return s.c.Part.RootRow(w.key()).Key }

// String describes the write, for messages.
func (w partWrite) String() string {
	return fmt.Sprintf("%s %v => %v (read: %v)", [...]string{"Put", "Insert", "Change", "Delete"}[w.action], w.old, w.new, w.reads)
}

// drawWrites draws some writes of different rows of the part. A write that requires a row or its absence is sometimes drawn without it.
func (s *Saves) drawWrites(root Record, parts map[string]Record, actions ...partAction) (out []partWrite) {
	used := map[string]bool{}
	for range s.draw.Rand.IntN(4) {
		new := s.c.newPart(root, s.parts.Instance(nil))
		if keys := slices.Sorted(maps.Keys(parts)); len(keys) > 0 && s.draw.chance(60) {
			new = parts[keys[s.draw.Rand.IntN(len(keys))]]
		}
		key := s.c.Part.RootRow(new).Key
		if used[key] {
			continue
		}
		used[key] = true
		w := partWrite{action: actions[s.draw.Rand.IntN(len(actions))], old: parts[key], new: new, reads: s.draw.chance(40)}
		if exists := w.old != nil; (w.action == insertPart && exists || w.action > insertPart && !exists) && !s.draw.chance(20) {
			w.action = putPart
		}
		out = append(out, s.drawn(w))
	}
	return out
}

// drawn draws the new values of a write.
func (s *Saves) drawn(w partWrite) partWrite {
	switch w.action {
	case deletePart:
		if w.old == nil {
			w.old = w.new
		}
		w.new = nil
	case changePart:
		if w.old == nil {
			w.old = w.new
		}
		w.new = s.parts.Variation(w.old)
	case putPart:
		w.new = s.parts.Variation(w.new)
	}
	return w
}

// partRange is the rows of a part whose first discriminators, at least one, have the values of a row. A nil range has no rows.
type partRange struct {
	c    *Compiled // describes the part
	row  Record
	keys []*schema.Column
}

// drawRange sometimes draws a range that has one of the rows.
func (s *Saves) drawRange(parts map[string]Record) *partRange {
	keys := slices.Sorted(maps.Keys(parts))
	if len(keys) == 0 || !s.draw.chance(30) {
		return nil
	}
	clustering := s.c.Part.Root.Discriminators()
	return &partRange{s.c.Part, parts[keys[s.draw.Rand.IntN(len(keys))]], clustering[:1+s.draw.Rand.IntN(len(clustering))]}
}

// has reports whether a row is in the range.
func (r *partRange) has(row Record) bool {
	return r != nil && !slices.ContainsFunc(r.keys, func(k *schema.Column) bool {
		i := r.c.Root.index(k.Attribute)
		return !same(r.c.Stored(row)[i], r.c.Stored(r.row)[i])
	})
}

// delete deletes the range in the function of an Update. It returns an error if its row is still read.
func (r *partRange) delete(p *gen.Parts[Instance]) error {
	if r == nil {
		return nil
	}
	rows := gen.PartsOf(*p)
	for _, k := range r.keys {
		var e gen.Encoder
		e.Blob(Encode(r.row[r.c.Root.index(k.Attribute)]))
		rows = gen.EqualParts(rows, &e)
	}
	rows.Delete()
	if _, err := gen.GetPart(*p, r.c.clustering(r.row)); !errors.Is(err, mapper.ErrNotFound) {
		return fmt.Errorf("a row of the deleted range was read: %w", err)
	}
	return nil
}

// applyRange deletes the rows of a range in the world of the part.
func (s *Saves) applyRange(of *aggregate, r *partRange, at int64) {
	if r != nil {
		s.Done["Deleted range"]++
	}
	for key, row := range of.parts {
		if r.has(row) {
			s.Part.Apply(Write{Old: row, At: at})
			delete(of.parts, key)
		}
	}
}

// withoutHeads returns the cells of the rows of a part, without the head rows and without the column that tells them apart.
func (c *Compiled) withoutHeads(cells []Cell) (out []Cell) {
	if !c.Root.HasHead() {
		return cells
	}
	for _, x := range cells {
		if !strings.Contains(x.Key, schema.Head+"=false") {
			x.Key = strings.Replace(x.Key, ", "+schema.Head+"=true", "", 1)
			out = append(out, x)
		}
	}
	return out
}

// write makes a write in the function of an Update. It returns an error if it reads another row than expected.
func (s *Saves) write(p *gen.Parts[Instance], w *partWrite, exists bool) error {
	key := s.c.Part.clustering(w.key())
	if w.reads {
		v, err := gen.GetPart(*p, key)
		switch {
		case !exists && errors.Is(err, mapper.ErrNotFound):
		case err != nil || !exists || !same(s.c.Part.Stored(v.Row), w.old):
			return fmt.Errorf("the part is %v, %w, want %v", v, err, w.old)
		}
	}
	switch w.action {
	case putPart:
		p.Put(&Instance{Row: w.new})
	case insertPart:
		p.Insert(&Instance{Row: w.new})
	case changePart:
		p.Change(&Instance{Row: w.old}, &Instance{Row: w.new})
	case deletePart:
		gen.DeletePart(*p, key)
	}
	return nil
}

// refusals returns the errors of the writes that require another state of their rows.
func (s *Saves) refusals(writes []partWrite, parts map[string]Record) (out []error) {
	for i := range writes {
		w := &writes[i]
		exists := parts[s.partKey(w)] != nil
		switch {
		case w.action == insertPart && exists:
			out = append(out, mapper.ErrExists)
		case w.action == deletePart && !exists, w.action == changePart && !exists && (w.reads || !same(w.old, w.new)):
			out = append(out, mapper.ErrNotFound)
		}
	}
	return out
}

// apply adds a write to the world of the part.
func (s *Saves) apply(of *aggregate, w *partWrite, at int64) {
	key := s.partKey(w)
	old := of.parts[key]
	x := Write{Old: old, New: w.new, At: at, Whole: w.action != changePart}
	if w.action == changePart {
		x.Changed = s.c.Part.Root.changedWhole(w.old, w.new)
	}
	if old == nil && w.new == nil || w.action == changePart && old == nil {
		return
	}
	s.Part.Apply(x)
	if delete(of.parts, key); w.new != nil {
		of.parts[key] = w.new
	}
}

// instances returns the new values of writes.
func instances(writes []partWrite) (out []*Instance) {
	for i := range writes {
		out = append(out, &Instance{Row: writes[i].new})
	}
	return out
}
