package storetest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"
	"gopkg.in/inf.v0"

	"github.com/cassaml/cassaml/integration/models/workshop"
)

// Row is a row by column, with the values of encoding/json. Expected computes rows from jobs, and ReadTables reads them as
// JSON from the server: neither uses the mapper or generated code.
type Row = map[string]any

// Tables is the content of tables: the rows by table and key.
type Tables = map[string]map[string]Row

// Keys has the primary key of every table of this package.
var Keys = map[string][]string{
	"jobs":            {"site", "year", "opened", "id"},
	"jobs_by_title":   {"title", "opened", "site", "year", "id"},
	"jobs_by_due":     {"site", "year", "due", "opened", "id"},
	"tools_by_serial": {"serial", "bought"},
	"parts_by_number": {"number", "site", "year", "opened", "id"},
	"jobs_by_tag":     {"tag", "site", "year", "opened", "id"},
}

// RequireTables requires that all tables equal the projection of the jobs, cell by cell.
func RequireTables(t *testing.T, session gocqlx.Session, jobs []*workshop.Job, message ...any) {
	t.Helper()
	RequireSame(t, Expected(t, jobs), ReadTables(t, session), message...)
}

// RequireSame compares row by row, so that the output for a difference is short.
func RequireSame(t *testing.T, want, got Tables, message ...any) {
	t.Helper()
	for table := range Keys {
		for key, r := range want[table] {
			require.Equal(t, r, got[table][key], message...)
		}
		require.Equal(t, slices.Sorted(maps.Keys(want[table])), slices.Sorted(maps.Keys(got[table])), message...)
	}
}

// ReadTables reads all tables.
func ReadTables(t *testing.T, session gocqlx.Session) Tables {
	t.Helper()
	all := Tables{}
	for table := range Keys {
		all[table] = map[string]Row{}
		for _, r := range ReadTable(t, session, table) {
			put(all[table], table, r)
		}
	}
	return all
}

// ReadTable reads a table in the server's order.
func ReadTable(t *testing.T, session gocqlx.Session, table string) (rows []Row) {
	t.Helper()
	it := session.Session.Query("SELECT JSON * FROM " + table).WithContext(t.Context()).Iter()
	for text := ""; it.Scan(&text); {
		rows = append(rows, parse(t, text))
	}
	require.NoError(t, it.Close())
	return rows
}

func parse(t *testing.T, text string) Row {
	t.Helper()
	var r Row
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&r), text)
	return r
}

func put(rows map[string]Row, table string, r Row) {
	var key []string
	for _, column := range Keys[table] {
		key = append(key, fmt.Sprint(r[column]))
	}
	rows[strings.Join(key, "|")] = r
}

// Expected returns the expected rows of all tables.
func Expected(t *testing.T, jobs []*workshop.Job) Tables {
	t.Helper()
	all := Tables{}
	for table := range Keys {
		all[table] = map[string]Row{}
	}
	add := func(table string, r Row) {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		put(all[table], table, parse(t, string(text)))
	}
	for _, j := range jobs {
		add("jobs", NewRow(j))
		add("jobs_by_title", pick(NewRow(j), "title", "opened", "site", "year", "id", "budget", "level", "worker", "place", "parts", "tags", "notes"))
		due := pick(NewRow(j), "site", "year", "due", "opened", "id")
		if due["phone"], due["born"] = nil, nil; j.Worker != nil {
			due["phone"], due["born"] = j.Worker.Phone, dateText(j.Worker.Born)
		}
		add("jobs_by_due", due)
		for _, x := range j.Tools {
			add("tools_by_serial", Row{"serial": x.Serial, "bought": dateText(x.Bought), "kind": x.Kind,
				"holder": pick(NewRow(j), "site", "year", "opened", "id", "title", "worker")})
		}
		for number, x := range j.Parts {
			add("parts_by_number", merge(Row{"number": number, "maker": x.Maker, "price": x.Price}, pick(NewRow(j), "site", "year", "opened", "id", "hours")))
		}
		for _, tag := range j.Tags {
			add("jobs_by_tag", merge(Row{"tag": tag}, pick(NewRow(j), "site", "year", "opened", "id", "title")))
		}
	}
	return all
}

// NewRow returns the row of a job. Empty collections that are not frozen are null.
func NewRow(j *workshop.Job) Row {
	r := Row{"site": j.Site, "year": j.Year, "opened": momentText(j.Opened), "id": j.ID.String(), "title": j.Title,
		"due": dateText(j.Due), "hours": json.Number(fmt.Sprintf("%.1f", j.Hours)), "budget": decimalNumber(j.Budget), "level": j.Level,
		"sketch": nil, "worker": personRow(j.Worker), "tools": nil, "parts": nil, "tags": nil, "notes": nil, "shifts": nil,
		"place": Row{"street": j.Place.Street, "door": j.Place.Door, "codes": j.Place.Codes}}
	if j.Sketch != nil {
		r["sketch"] = "0x" + hex.EncodeToString(j.Sketch)
	}
	if len(j.Tools) > 0 {
		var tools []Row
		for _, x := range j.Tools {
			tools = append(tools, Row{"serial": x.Serial, "bought": dateText(x.Bought), "kind": x.Kind})
		}
		r["tools"] = tools
	}
	if len(j.Parts) > 0 {
		parts := Row{}
		for number, x := range j.Parts {
			parts[number] = Row{"maker": x.Maker, "price": x.Price}
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

func shiftsRow(shifts map[string][]int8) Row {
	r := Row{}
	for name, hours := range shifts {
		r[name] = hours
	}
	return r
}

func personRow(p *workshop.Person) any {
	if p == nil {
		return nil
	}
	return Row{"name": p.Name, "phone": p.Phone, "born": dateText(p.Born)}
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

func pick(r Row, columns ...string) Row {
	some := Row{}
	for _, c := range columns {
		some[c] = r[c]
	}
	return some
}

func merge(a, b Row) Row {
	maps.Copy(a, b)
	return a
}

// Raw is a value as the node sends it, for Scan.
type Raw struct {
	Info  gocql.TypeInfo
	Bytes []byte
}

// UnmarshalCQL copies the bytes.
func (r *Raw) UnmarshalCQL(info gocql.TypeInfo, b []byte) error {
	r.Info, r.Bytes = info, b
	return nil
}
