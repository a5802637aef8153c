package projection

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/gen"
)

// Copy opens the root's table with its copies, whoever writes: what a backfill is run on.
func (s *Session) Copy() gen.Root[Instance] { return s.c.Open(s.db) }

// OpenAlone opens the root's table as a program does that knows no copies.
func (c *Compiled) OpenAlone(db *gen.DB) gen.Root[Instance] {
	return gen.NewRoot(db, c.codec(), gen.Link(gen.Aggregate{Root: c.Root.Descriptor}))
}

// Fill makes the world expect of the copies what they hold when they are filled from what the root's table holds at a time,
// in seconds since 1970: each cell with the write time of the newest cell that it or its row derives from.
func (s *Session) Fill(now int64) {
	for _, t := range s.c.Copies {
		f := filled{w: s.World, c: s.c, t: t, rows: map[string]*heldRow{}, now: now, alone: s.Alone}
		if s.Before != nil {
			f.added = s.Before.added[t]
		}
		for _, instance := range s.live {
			f.instance(instance)
		}
		for _, instance := range s.statics {
			f.partition(instance)
		}
		s.World.tables[t].rows = f.rows
	}
}

// filled is what one copy holds.
type filled struct {
	w    *World
	c    *Compiled
	t    *Table
	rows map[string]*heldRow
	now  int64

	alone bool   // nothing but the backfill writes the copy
	added string // a column that nothing but the backfill writes; "": nothing else writes the copy
}

// written is when something was written, and when it ends. The zero value is that of nothing.
type written struct{ at, expires int64 }

func (a written) with(b written) written {
	switch {
	case b.at == 0:
		return a
	case a.at == 0:
		return b
	case a.expires == 0 || b.expires > 0 && b.expires < a.expires:
		return written{max(a.at, b.at), b.expires}
	}
	return written{max(a.at, b.at), a.expires}
}

func (a written) or(b written) written {
	if a.at != 0 {
		return a
	}
	return b
}

func (f *filled) instance(instance Record) {
	rows, _ := f.c.Rows(f.t, instance)
	for _, r := range rows {
		decided := f.of(instance, r.exists)
		exists := decided.or(f.own(instance)).or(written{at: 1})
		whole := exists
		for _, d := range r.Cells {
			whole = whole.with(f.of(instance, d.From))
		}
		if f.t.TTL > 0 {
			if exists, whole = f.life(whole), f.life(whole); whole.at == 0 {
				if !f.alone {
					f.keep(r.Key)
					f.keep(r.Partition)
				}
				continue
			}
		}
		f.put(r.Key, Place{}, "", exists)
		for at, d := range r.Cells {
			when, key := f.of(instance, d.From).or(f.of(instance, d.when)), r.Key
			if at.Static {
				key = r.Partition
			} else {
				when = when.with(decided)
			}
			if when = when.or(exists); f.t.TTL > 0 {
				when = whole
			}
			f.put(key, at, d.Value, when)
		}
	}
}

// keep leaves a row as the writers made it: a backfill does not write a row that expires and of which no cell of the root has a
// write time, so that nothing tells how old it is.
func (f *filled) keep(key string) {
	held := f.w.tables[f.t].rows[key]
	if held == nil || f.rows[key] != nil {
		return
	}
	kept := *held
	kept.cells = maps.Clone(held.cells)
	maps.DeleteFunc(kept.cells, func(at Place, _ *heldCell) bool { return f.added != "" && at.Column == f.added })
	f.rows[key] = &kept
}

// life returns when a row ends that was written whole; the zero value when it has ended.
func (f *filled) life(x written) written {
	x = x.with(written{at: x.at, expires: x.at/1e6 + int64(f.t.TTL)})
	if x.at == 0 || x.expires <= f.now {
		return written{}
	}
	return x
}

// partition adds static values whose partition has no row.
func (f *filled) partition(common Record) {
	partition := f.c.RootRow(common).Partition
	if f.has(partition) {
		return
	}
	instance := slices.Clone(common)
	for i, a := range f.c.Root.Aggregate.Attributes {
		if !a.Static && !a.Key {
			instance[i] = nil
		}
	}
	rows, problem := f.c.Rows(f.t, instance)
	if problem != "" || len(rows) == 0 {
		return
	}
	var whole written
	for at, d := range rows[0].Cells {
		if at.Static {
			whole = whole.with(f.of(instance, d.From))
		}
	}
	for at, d := range rows[0].Cells {
		when := f.of(instance, d.From)
		if f.t.TTL > 0 {
			when = f.life(whole)
		}
		if at.Static && when.at > 0 {
			f.put(rows[0].Partition, at, d.Value, when)
		}
	}
}

// has reports whether the root has a row in a partition.
func (f *filled) has(partition string) bool {
	for key, r := range f.w.tables[f.c.Root].rows {
		if !r.static && strings.HasPrefix(key+",", partition+",") {
			return true
		}
	}
	return false
}

// put notes a cell, or with no column the row itself. Of two writes of one cell the later wins. A cell that is not newer than
// the delete of its row stays deleted: its row came back because a cell of the root was removed, which no write time shows.
func (f *filled) put(key string, at Place, value string, x written) {
	if f.added != "" && f.added == at.Column && x.at <= f.w.tables[f.t].left[key] {
		return
	}
	if f.rows[key] == nil {
		f.rows[key] = &heldRow{cells: map[Place]*heldCell{}, static: at.Static}
	}
	r := f.rows[key]
	if at.Column == "" {
		r.expires = max(r.expires, x.expires)
		return
	}
	if before := r.cells[at]; before == nil || x.at >= before.at {
		r.cells[at] = &heldCell{value: value, at: x.at, expires: x.expires}
	}
}

// of returns when the newest of some of the root's cells was written.
func (f *filled) of(instance Record, names cells) (out written) {
	f.each(instance, func(at Place, name string, x written) {
		column, _, _ := strings.Cut(strings.Replace(name, "[", ".", 1), ".")
		if names[name] || names[column+".*"] || names[column+"[*]"] || names[column] {
			out = out.with(x)
		}
	})
	return out
}

// own returns it for all cells that are not static.
func (f *filled) own(instance Record) (out written) {
	f.each(instance, func(at Place, _ string, x written) {
		if !at.Static {
			out = out.with(x)
		}
	})
	return out
}

// each calls yield with the cells of an instance in the root's table, by the names that [cells] have for them.
func (f *filled) each(instance Record, yield func(at Place, name string, x written)) {
	row := f.c.RootRow(instance)
	for static, key := range map[bool]string{false: row.Key, true: row.Partition} {
		held := f.w.tables[f.c.Root].rows[key]
		if held == nil || held.static != static {
			continue
		}
		for at, c := range held.cells {
			yield(at, f.nameOf(at), written{c.at, c.expires})
		}
	}
}

func (f *filled) nameOf(at Place) string {
	for _, x := range f.c.Root.Columns {
		if x.Name != at.Column {
			continue
		}
		i := f.c.Root.index(x.Attribute)
		switch {
		case !x.Type.MultiCell() || x.Type.Name == "list" && !x.Type.UDT:
			return fmt.Sprint(i)
		case x.Type.UDT:
			var k int
			if _, err := fmt.Sscanf(at.Path, "%x", &k); err == nil {
				return fmt.Sprint(i, ".", k)
			}
		}
		return fmt.Sprintf("%d[%s]", i, at.Path)
	}
	return ""
}

// CompareValues returns how a table differs from what it is expected to hold, whatever the times of the writes. Of a table
// whose rows are shared it only says which are missing: what they hold beside their key is the last writer's.
func (w *World) CompareValues(t *Table, found []Cell) (out []string) {
	shared := t.Aggregate.Redundancy != nil && t.Aggregate.Redundancy.Shared
	have, want := map[string]bool{}, map[string]bool{}
	note := func(in map[string]bool, key string, at Place, value string) {
		if in["row "+key] = true; at.Column != "" && !shared {
			in[fmt.Sprintf("row %s: %s[%s] = %x", key, at.Column, at.Path, value)] = true
		}
	}
	for _, c := range found {
		note(have, c.Key, c.Place, c.Value)
	}
	for key, r := range w.tables[t].rows {
		note(want, key, Place{}, "")
		for at, c := range r.cells {
			note(want, key, at, c.value)
		}
	}
	for what := range want {
		if !have[what] {
			out = append(out, t.Name+" lacks "+what)
		}
	}
	for what := range have {
		if !want[what] && !shared {
			out = append(out, t.Name+" has "+what)
		}
	}
	slices.Sort(out)
	return out
}
