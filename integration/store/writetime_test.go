package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

func TestWriteTimes(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"delete", testDeleteWritesAboveWhatItReads}, {"untouched cells", testUntouchedCells}, {"update", testUpdateWritesAboveWhatItReads},
	})
}

// WRITETIME, which stores read for a column of one cell, is equal to MAXWRITETIME there, and null without a value. Before Cassandra 5.0 there is
// no MAXWRITETIME.
func TestWriteTimesOfFrozenColumns(t *testing.T) {
	t.Parallel()
	session := cassandra.Tables(t, "CREATE TYPE timed (a text, b int)", "CREATE TABLE times (id int PRIMARY KEY, word text, whole frozen<timed>, "+
		"tags frozen<set<int>>, names frozen<map<int, text>>, notes frozen<list<text>>, pair tuple<int, text>)")
	for _, cql := range []string{
		"INSERT INTO times (id, word, whole, tags, names, notes, pair) VALUES (1, 'a', {a: 'x'}, {}, {1: 'x'}, ['x'], (1, null)) USING TIMESTAMP 1000 AND TTL 3600",
		"UPDATE times USING TIMESTAMP 2000 SET tags = {7}, word = null WHERE id = 1",
	} {
		require.NoError(t, session.ExecStmt(cql))
	}
	functions := []string{"WRITETIME", "MAXWRITETIME"}
	if cassandra.IsBefore(t, "5.0") {
		functions = functions[:1]
	}
	early, late := new(int64(1000)), new(int64(2000))
	for column, want := range map[string]*int64{"word": nil, "whole": early, "tags": late, "names": early, "notes": early, "pair": early} {
		for _, f := range functions {
			var at *int64
			require.NoError(t, session.Session.Query("SELECT "+f+"("+column+") FROM times WHERE id = 1").Scan(&at))
			require.Equal(t, want, at, "%s(%s)", f, column)
		}
	}
}

// A write changes the cells whose values change and the cells of the copies that derive from them, and no other cells. Each
// case is one change of the job of the previous case. cells are those with a later write time afterwards, by table, row and
// column; removed cells are not listed.
func testUntouchedCells(t *testing.T, session gocqlx.Session) {
	store := storetest.OpenJobs(t, session, mapper.Config{})
	storetest.InsertJobs(t, store, storetest.Brakes())
	for _, c := range []struct {
		name   string
		change func(*workshop.Job)
		cells  string
	}{
		{"nothing", func(*workshop.Job) {}, ""},
		{"a field without copies", func(j *workshop.Job) { j.Sketch = []byte{} }, "jobs sketch"},
		{"a field of one copy", func(j *workshop.Job) { j.Level = nil; j.Budget = nil }, ""},
		{"a field of one copy, absent before", func(j *workshop.Job) { j.Level = new(int32(4)) }, "jobs level, jobs_by_title level"},
		{"a frozen UDT", func(j *workshop.Job) { j.Place.Door = nil }, "jobs place, jobs_by_title place"},
		{"a field that the rows of all parts have", func(j *workshop.Job) { j.Hours = 7 },
			"jobs hours, parts_by_number disc hours, parts_by_number pad hours"},
		{"a field of a UDT", func(j *workshop.Job) { j.Worker.Born = storetest.Date(1980, 1, 1) },
			"jobs worker.born, jobs_by_title worker.born, jobs_by_due born, tools_by_serial s1 holder.worker, tools_by_serial s2 holder.worker"},
		{"a field of a UDT that is a column of a copy", func(j *workshop.Job) { j.Worker.Phone = new("777") },
			"jobs worker.phone, jobs_by_title worker.phone, jobs_by_due phone, tools_by_serial s1 holder.worker, tools_by_serial s2 holder.worker"},
		{"a removed UDT", func(j *workshop.Job) { j.Worker = nil }, ""},
		{"a UDT that appears", func(j *workshop.Job) { j.Worker = &workshop.Person{Name: "Ana", Phone: new("1")} },
			"jobs worker.name, jobs worker.phone, jobs_by_title worker.name, jobs_by_title worker.phone, jobs_by_due phone, " +
				"tools_by_serial s1 holder.worker, tools_by_serial s2 holder.worker"},
		{"a map entry", func(j *workshop.Job) { j.Parts["pad"] = workshop.Part{Maker: "Beta", Price: new(int64(1))} },
			"jobs parts.pad, jobs_by_title parts.pad, parts_by_number pad maker, parts_by_number pad price"},
		{"an added map entry", func(j *workshop.Job) { j.Parts["lamp"] = workshop.Part{Maker: "Luz"} },
			"jobs parts.lamp, jobs_by_title parts.lamp, parts_by_number lamp maker, parts_by_number lamp hours"},
		{"a removed map entry", func(j *workshop.Job) { delete(j.Parts, "lamp") }, ""},
		{"added and removed set elements", func(j *workshop.Job) { j.Tags = []string{"paid", "urgent"} },
			"jobs tags.paid, jobs_by_title tags.paid, jobs_by_tag paid title"},
		{"a list", func(j *workshop.Job) { j.Notes = append(j.Notes, "right") },
			"jobs notes.0, jobs notes.1, jobs notes.2, jobs notes.3, jobs_by_title notes"},
		{"an element of a list with rows", func(j *workshop.Job) { j.Tools[1].Kind = "drill" },
			"jobs tools.0, jobs tools.1, tools_by_serial s1 kind, tools_by_serial s2 kind"},
		{"the key of a copy in the job's partition", func(j *workshop.Job) { j.Due = storetest.Date(2026, 5, 1) }, "jobs due, jobs_by_due phone"},
		{"the key of a copy", func(j *workshop.Job) { j.Title = "lamps" },
			"jobs title, jobs_by_title level, jobs_by_title notes, jobs_by_title parts.disc, jobs_by_title parts.pad, jobs_by_title place, " +
				"jobs_by_title tags.paid, jobs_by_title tags.urgent, jobs_by_title worker.name, jobs_by_title worker.phone, " +
				"jobs_by_tag paid title, jobs_by_tag urgent title, tools_by_serial s1 holder.title, tools_by_serial s2 holder.title"},
		{"a frozen map", func(j *workshop.Job) { j.Shifts = map[string][]int8{} }, "jobs shifts"},
	} {
		before := writeTimes(t, session)
		after := storetest.UpdateJob(t, store, storetest.Brakes(), c.change)
		storetest.RequireTables(t, session, []*workshop.Job{after}, c.name)
		require.Equal(t, sortedCells(c.cells), later(before, writeTimes(t, session)), c.name)
	}
}

func sortedCells(list string) []string {
	if list == "" {
		return nil
	}
	return slices.Sorted(slices.Values(strings.Split(list, ", ")))
}

// later returns the cells that are new or have another write time than before.
func later(before, after map[string]int64) (cells []string) {
	for cell, at := range after {
		if at != before[cell] {
			cells = append(cells, cell)
		}
	}
	slices.Sort(cells)
	return cells
}

// writtenColumns returns the columns beyond the key.
var writtenColumns = map[string][]string{
	"jobs":            {"title", "due", "hours", "budget", "level", "sketch", "worker", "place", "tools", "parts", "tags", "notes", "shifts"},
	"jobs_by_title":   {"budget", "level", "worker", "place", "parts", "tags", "notes"},
	"jobs_by_due":     {"phone", "born"},
	"tools_by_serial": {"kind", "holder"},
	"parts_by_number": {"maker", "price", "hours"},
	"jobs_by_tag":     {"title"},
}

// rowName is the column that identifies a row in tables with several rows.
var rowName = map[string]string{"tools_by_serial": "serial", "parts_by_number": "number", "jobs_by_tag": "tag"}

// writeTimes returns the write time of every cell.
func writeTimes(t *testing.T, session gocqlx.Session) map[string]int64 {
	t.Helper()
	times := map[string]int64{}
	for table, columns := range writtenColumns {
		values := storetest.ReadTable(t, session, table)
		it := session.Session.Query("SELECT WRITETIME(" + strings.Join(columns, "), WRITETIME(") + ") FROM " + table).WithContext(t.Context()).Iter()
		for _, r := range values {
			name := table
			if c := rowName[table]; c != "" {
				name += " " + r[c].(string)
			}
			at, err := it.RowData()
			require.NoError(t, err)
			require.True(t, it.Scan(at.Values...))
			for i, c := range columns {
				cellTimes(t, times, name+" "+c, r[c], at.Values[i])
			}
		}
		require.NoError(t, it.Close())
	}
	return times
}

// cellTimes adds the write times of one column: one, or a list in the order of the value's elements. Cells that were never
// written, or are deleted, have none.
func cellTimes(t *testing.T, times map[string]int64, name string, value, at any) {
	t.Helper()
	switch at := at.(type) {
	case *int64:
		if value != nil {
			times[name] = *at
		}
	case *[]int64:
		for i, element := range elements(t, name, value, len(*at)) {
			if n := (*at)[i]; n != 0 {
				times[name+"."+element] = n
			}
		}
	}
}

// fields has the fields of the UDTs that are not frozen, in order.
var fields = map[string][]string{"worker": {"name", "phone", "born"}, "holder": {"site", "year", "opened", "id", "title", "worker"}}

// elements returns the names of the cells of a value, in the server's order.
func elements(t *testing.T, name string, value any, n int) (names []string) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		if names = fields[name[strings.LastIndex(name, " ")+1:]]; names == nil {
			names = slices.Sorted(maps.Keys(v))
		}
	case []any:
		for i, element := range v {
			if names = append(names, fmt.Sprint(i)); strings.HasSuffix(name, " tags") {
				names[i] = element.(string)
			}
		}
	}
	require.True(t, value == nil || len(names) == n, name)
	return names
}

// ahead is a write time in the future.
func ahead() int64 { return time.Now().Add(time.Hour).UnixMicro() }

// Update overwrites a cell that was written by a clock in the future, and its copies with the same timestamp.
func testUpdateWritesAboveWhatItReads(t *testing.T, session gocqlx.Session) {
	for i, c := range []struct {
		cells  string // a statement that writes a cell of each
		change func(*workshop.Job)
	}{
		{"level = 9", func(j *workshop.Job) { j.Level = new(int32(10)) }},
		{"level = 9", func(j *workshop.Job) { j.Level = nil }},
		{"worker.name = 'Zoe'", func(j *workshop.Job) { j.Worker.Name = "Ana" }},
		{"parts['pad'] = {maker: 'Zeta'}", func(j *workshop.Job) { j.Parts["pad"] = workshop.Part{Maker: "Beta", Price: new(int64(5))} }},
		{"parts['pad'] = {maker: 'Zeta'}", func(j *workshop.Job) { delete(j.Parts, "pad") }},
		{"tags = {'far'}", func(j *workshop.Job) { j.Tags = []string{"paid"} }},
		{"notes = ['far']", func(j *workshop.Job) { j.Notes = []string{"x", "x"} }},
		{"tools = [{serial: 's1', bought: '2020-01-02', kind: 'far'}, {serial: 's2', bought: '2021-01-02', kind: 'far'}]",
			func(j *workshop.Job) { j.Tools[0].Kind = "near" }},
		{"title = 'far'", func(j *workshop.Job) { j.Title = "near" }},
	} {
		job := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.ID = storetest.JobID(byte(10 + i)) })
		storetest.InsertJobs(t, storetest.OpenJobs(t, session, mapper.Config{}), job)
		at := ahead()
		storetest.Execute(t, session, fmt.Sprintf("UPDATE jobs USING TIMESTAMP %d SET %s WHERE site = 'Recife' AND year = 2026 AND opened = '2026-03-01 09:30:00.125Z' AND id = %v", at, c.cells, job.ID))
		sent := &storetest.Requests{}
		store := storetest.OpenJobs(t, session, mapper.Config{Tracer: sent}) // with its own clock
		want := storetest.UpdateJob(t, store, job, c.change)
		require.Equal(t, at+2, sent.Writes()[0].Timestamp, c.cells)
		got, err := storetest.GetJob(t.Context(), store, job)
		require.NoError(t, err)
		require.Equal(t, storetest.NewRow(want), storetest.NewRow(got), c.cells)
	}
}

// Delete removes cells that were written by a clock in the future.
func testDeleteWritesAboveWhatItReads(t *testing.T, session gocqlx.Session) {
	job := storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { // no other test writes rows of this job
		j.ID = storetest.JobID(2)
		j.Tools = []workshop.Tool{{Serial: "s9", Bought: storetest.Date(2020, 1, 2)}}
	})
	storetest.InsertJobs(t, storetest.OpenJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return time.Now().Add(time.Hour) }}), job)
	require.NoError(t, storetest.DeleteJob(t.Context(), storetest.OpenJobs(t, session, mapper.Config{}), job))
	storetest.RequireTables(t, session, nil)
}

// Insert and Change use the time of the clock: they read no write times.
func TestInsertAndChangeUseTheClock(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	now, sent := time.UnixMicro(1_700_000_000_000_000), &storetest.Requests{}
	store := storetest.OpenJobs(t, session, mapper.Config{MaxClockSkew: -1, Tracer: sent, Now: func() time.Time { return now }})
	storetest.InsertJobs(t, store, storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Notes = nil }))
	require.Equal(t, now.UnixMicro(), sent.Drain()[0].Timestamp)
	for cell, at := range writeTimes(t, session) {
		require.Equal(t, now.UnixMicro(), at, cell)
	}

	ahead := now.Add(time.Hour)
	storetest.UpdateJob(t, storetest.OpenJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return ahead }}), storetest.Brakes(),
		func(j *workshop.Job) { j.Level = new(int32(1)) })
	now = now.Add(time.Minute)
	require.NoError(t, store.Jobs.Change(t.Context(), storetest.Brakes(), storetest.Changed(storetest.Brakes(), func(j *workshop.Job) { j.Level, j.Hours = new(int32(2)), 5 })))
	require.Equal(t, now.UnixMicro(), sent.Drain()[0].Timestamp)
	got, err := storetest.GetJob(t.Context(), store, storetest.Brakes())
	require.NoError(t, err)
	require.Equal(t, int32(1), *got.Level)
	require.InDelta(t, 5.0, got.Hours, 0)
}

// Writes succeed with a clock that does not advance: the timestamps of one store increase nevertheless.
func TestTimestampsGrowByThemselves(t *testing.T) {
	t.Parallel()
	session := storetest.JobKeyspace(t)
	still := time.UnixMicro(1_700_000_000_000_000)
	store := storetest.OpenJobs(t, session, mapper.Config{MaxClockSkew: -1, Now: func() time.Time { return still }})
	c := storetest.NewChain(t, store)
	for i := range 60 {
		c.Step(i)
		storetest.RequireTables(t, session, c.Present(), "seed %d, step %d, %s", c.Seed, i, c.Op)
	}
}
