package integration

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/jobmodel"
)

// What follows says what the tables of package jobmodel have to hold, straight from the jobs, and reads what they do
// hold as the JSON that the server itself makes of them. Neither goes through the mapper or through generated code.

// row is a row by column; its values are those of encoding/json.
type row = map[string]any

// tables is what tables hold: the rows by table and key.
type tables = map[string]map[string]row

// keys gives the primary key of every table that is read or derived here.
var keys = map[string][]string{
	"jobs":            {"site", "year", "opened", "id"},
	"jobs_by_title":   {"title", "opened", "site", "year", "id"},
	"jobs_by_due":     {"site", "year", "due", "opened", "id"},
	"tools_by_serial": {"serial", "bought"},
	"parts_by_number": {"number", "site", "year", "opened", "id"},
	"jobs_by_tag":     {"tag", "site", "year", "opened", "id"},
}

// requireTables requires that all tables hold what follows from the jobs, cell by cell.
func requireTables(t *testing.T, session gocqlx.Session, jobs []*jobmodel.Job, message ...any) {
	t.Helper()
	requireSame(t, derive(t, jobs), held(t, session), message...)
}

// requireSame compares row by row, so that a difference is shown in a few lines.
func requireSame(t *testing.T, want, got tables, message ...any) {
	t.Helper()
	for table := range keys {
		for key, r := range want[table] {
			require.Equal(t, r, got[table][key], message...)
		}
		require.Equal(t, slices.Sorted(maps.Keys(want[table])), slices.Sorted(maps.Keys(got[table])), message...)
	}
}

// held reads all tables.
func held(t *testing.T, session gocqlx.Session) tables {
	t.Helper()
	all := tables{}
	for table := range keys {
		all[table] = map[string]row{}
		for _, r := range readInOrder(t, session, table) {
			put(all[table], table, r)
		}
	}
	return all
}

// readInOrder reads a table in the server's order.
func readInOrder(t *testing.T, session gocqlx.Session, table string) (rows []row) {
	t.Helper()
	it := session.Session.Query("SELECT JSON * FROM " + table).WithContext(t.Context()).Iter()
	for text := ""; it.Scan(&text); {
		rows = append(rows, parse(t, text))
	}
	require.NoError(t, it.Close())
	return rows
}

func parse(t *testing.T, text string) row {
	t.Helper()
	var r row
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&r), text)
	return r
}

func put(rows map[string]row, table string, r row) {
	var key []string
	for _, column := range keys[table] {
		key = append(key, fmt.Sprint(r[column]))
	}
	rows[strings.Join(key, "|")] = r
}

// derive returns what all tables have to hold.
func derive(t *testing.T, jobs []*jobmodel.Job) tables {
	t.Helper()
	all := tables{}
	for table := range keys {
		all[table] = map[string]row{}
	}
	add := func(table string, r row) {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		put(all[table], table, parse(t, string(text)))
	}
	for _, j := range jobs {
		add("jobs", jobRow(j))
		add("jobs_by_title", pick(jobRow(j), "title", "opened", "site", "year", "id", "budget", "level", "worker", "place", "parts", "tags", "notes"))
		due := pick(jobRow(j), "site", "year", "due", "opened", "id")
		if due["phone"], due["born"] = nil, nil; j.Worker != nil {
			due["phone"], due["born"] = j.Worker.Phone, dateText(j.Worker.Born)
		}
		add("jobs_by_due", due)
		for _, x := range j.Tools {
			add("tools_by_serial", row{"serial": x.Serial, "bought": dateText(x.Bought), "kind": x.Kind,
				"holder": pick(jobRow(j), "site", "year", "opened", "id", "title", "worker")})
		}
		for number, x := range j.Parts {
			add("parts_by_number", merge(row{"number": number, "maker": x.Maker, "price": x.Price}, pick(jobRow(j), "site", "year", "opened", "id", "hours")))
		}
		for _, tag := range j.Tags {
			add("jobs_by_tag", merge(row{"tag": tag}, pick(jobRow(j), "site", "year", "opened", "id", "title")))
		}
	}
	return all
}

// jobRow returns the row of a job. Collections that are not frozen are null when they are empty.
func jobRow(j *jobmodel.Job) row {
	r := row{"site": j.Site, "year": j.Year, "opened": momentText(j.Opened), "id": j.ID.String(), "title": j.Title,
		"due": dateText(j.Due), "hours": json.Number(fmt.Sprintf("%.1f", j.Hours)), "budget": decimalNumber(j.Budget), "level": j.Level,
		"sketch": nil, "worker": personRow(j.Worker), "tools": nil, "parts": nil, "tags": nil, "notes": nil, "shifts": nil,
		"place": row{"street": j.Place.Street, "door": j.Place.Door, "codes": j.Place.Codes}}
	if j.Sketch != nil {
		r["sketch"] = "0x" + hex.EncodeToString(j.Sketch)
	}
	if len(j.Tools) > 0 {
		var tools []row
		for _, x := range j.Tools {
			tools = append(tools, row{"serial": x.Serial, "bought": dateText(x.Bought), "kind": x.Kind})
		}
		r["tools"] = tools
	}
	if len(j.Parts) > 0 {
		parts := row{}
		for number, x := range j.Parts {
			parts[number] = row{"maker": x.Maker, "price": x.Price}
		}
		r["parts"] = parts
	}
	if len(j.Tags) > 0 {
		r["tags"] = slices.Sorted(slices.Values(j.Tags))
	}
	if len(j.Notes) > 0 {
		r["notes"] = j.Notes
	}
	if j.Shifts != nil {
		r["shifts"] = shiftsRow(j.Shifts)
	}
	return r
}

func shiftsRow(shifts map[string][]int8) row {
	r := row{}
	for name, hours := range shifts {
		r[name] = hours
	}
	return r
}

func personRow(p *jobmodel.Person) any {
	if p == nil {
		return nil
	}
	return row{"name": p.Name, "phone": p.Phone, "born": dateText(p.Born)}
}

func momentText(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format("2006-01-02 15:04:05.000Z")
}

func dateText(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.UTC().Format(time.DateOnly)
}

func decimalNumber(d *inf.Dec) any {
	if d == nil {
		return nil
	}
	return json.Number(d.String())
}

func pick(r row, columns ...string) row {
	some := row{}
	for _, c := range columns {
		some[c] = r[c]
	}
	return some
}

func merge(a, b row) row {
	maps.Copy(a, b)
	return a
}
