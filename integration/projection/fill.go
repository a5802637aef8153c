package projection

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/gen"
)

// Copy opens the table of the root with its copies, for a backfill.
func (s *Session) Copy() gen.Root[Instance] { return s.c.Open(s.db) }

// OpenAlone opens the table of the root as a program without copies does.
func (c *Compiled) OpenAlone(db *gen.DB) gen.Root[Instance] {
	return gen.NewRoot(db, c.codec(), gen.Link(gen.Aggregate{Root: c.Root.Descriptor}))
}

// Fill sets the expected rows of the copies to the rows that a backfill derives from the rows of the root at a time, in seconds since
// 1970. Each cell has the write time of the newest cell that it, or its row, derives from.
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

// filled has the expected rows of one copy.
type filled struct {
	w    *World
	c    *Compiled
	t    *Table
	rows map[string]*heldRow
	now  int64

	alone bool   // only the backfill writes the copy
	added string // a column that only the backfill writes; "": only the backfill writes the copy
}

// written is the write time and the expiry of a value. The zero value means that there is no value.
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
		decided := f.writtenAt(instance, r.exists)
		exists := decided.or(f.own(instance)).or(written{at: 1})
		whole := exists
		for _, d := range r.Cells {
			whole = whole.with(f.writtenAt(instance, d.From))
		}
		if f.t.TTL > 0 {
			if exists, whole = f.expiring(whole), f.expiring(whole); whole.at == 0 {
				if !f.alone {
					f.retain(r.Key)
					f.retain(r.Partition)
				}
				continue
			}
		}
		f.put(r.Key, Place{}, "", exists)
		for at, d := range r.Cells {
			when, key := f.writtenAt(instance, d.From).or(f.writtenAt(instance, d.when)), r.Key
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

// retain leaves a row as the writers wrote it. A backfill does not write a row that expires if no cell of the root has a write
// time for it, because its age is then unknown.
func (f *filled) retain(key string) {
	held := f.w.tables[f.t].rows[key]
	if held == nil || f.rows[key] != nil {
		return
	}
	kept := *held
	kept.cells = maps.Clone(held.cells)
	maps.DeleteFunc(kept.cells, func(at Place, _ *heldCell) bool { return f.added != "" && at.Column == f.added })
	f.rows[key] = &kept
}

// expiring adds the expiry of a row that is written with all columns. It returns the zero value if the row has expired.
func (f *filled) expiring(x written) written {
	x = x.with(written{at: x.at, expires: x.at/1e6 + int64(f.t.TTL)})
	if x.at == 0 || x.expires <= f.now {
		return written{}
	}
	return x
}

// partition adds the static values of a partition without rows. instance was the last one in it.
func (f *filled) partition(instance Record) {
	if f.has(f.c.RootRow(instance).Partition) {
		return
	}
	rows, problem := f.c.Rows(f.t, instance)
	if problem != "" || len(rows) == 0 {
		return
	}
	var whole written
	for at, d := range rows[0].Cells {
		if at.Static {
			whole = whole.with(f.writtenAt(instance, d.From))
		}
	}
	for at, d := range rows[0].Cells {
		when := f.writtenAt(instance, d.From)
		if f.t.TTL > 0 {
			when = f.expiring(whole)
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

// put adds a cell, or the row itself if there is no column. The later of two writes of one cell wins. A cell that is not
// newer than the delete of its row stays deleted: the row exists again because a cell of the root was removed, and a removal
// has no write time.
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

// writtenAt returns the greatest write time of the named cells of the root.
func (f *filled) writtenAt(instance Record, names cells) (out written) {
	f.each(instance, func(at Place, name string, x written) {
		column, _, _ := strings.Cut(strings.Replace(name, "[", ".", 1), ".")
		if names[name] || names[column+".*"] || names[column+"[*]"] || names[column] {
			out = out.with(x)
		}
	})
	return out
}

// own returns the greatest write time of all cells that are not static.
func (f *filled) own(instance Record) (out written) {
	f.each(instance, func(at Place, _ string, x written) {
		if !at.Static {
			out = out.with(x)
		}
	})
	return out
}

// each calls yield with the cells of an instance in the table of the root, by their names in [cells].
func (f *filled) each(instance Record, yield func(at Place, name string, x written)) {
	row := f.c.RootRow(instance)
	for static, key := range map[bool]string{false: row.Key, true: row.Partition} {
		held := f.w.tables[f.c.Root].rows[key]
		if held == nil || held.static != static {
			continue
		}
		for at, c := range held.cells {
			yield(at, f.columnName(at), written{c.at, c.expires})
		}
	}
}

func (f *filled) columnName(at Place) string {
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

// CompareValues returns the differences between a table and its expected rows, without the write times. For a table with
// shared rows it reports missing rows only: the values beyond their key are the values of the last writer.
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
