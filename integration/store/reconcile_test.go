package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/member"
	"github.com/cassaml/cassaml/integration/models/workshop"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

// hoursAgo returns the configuration of a client whose clock is some hours behind, so that what it writes is older than the
// grace of Reconcile.
func hoursAgo(hours int) mapper.Config {
	return mapper.Config{Now: func() time.Time { return time.Now().Add(time.Duration(-hours) * time.Hour) }, MaxClockSkew: -1}
}

// findings collects what Reconcile finds.
type findings struct {
	mu  sync.Mutex
	all []mapper.Drift
}

// config returns a configuration that collects the findings.
func (f *findings) config(dry bool) mapper.ReconcileConfig {
	return mapper.ReconcileConfig{DryRun: dry, Found: func(d mapper.Drift) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.all = append(f.all, d)
	}}
}

// run is config for a run over all tables, in a few slices: each slice of each table is a request, however few rows it has.
func (f *findings) run(dry bool) mapper.ReconcileConfig {
	c := f.config(dry)
	c.Slices = 4
	return c
}

// text returns the findings since the last call, sorted: "stale jobs_by_title tags".
func (f *findings) text() (out []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range f.all {
		words := []string{d.Kind.String(), d.Table}
		if d.Column != "" {
			words = append(words, d.Column)
		}
		if !d.Repaired {
			words = append(words, "left")
		}
		out = append(out, strings.Join(words, " "))
	}
	f.all = nil
	slices.Sort(out)
	return out
}

// reconciler is a store whose tables are reconciled.
type reconciler interface {
	Reconcile(context.Context, mapper.ReconcileConfig) (*mapper.ReconcileReport, error)
}

// reconcile runs Reconcile and returns its report and what it found.
func reconcile(t *testing.T, s reconciler, dry bool) (*mapper.ReconcileReport, []string) {
	t.Helper()
	var f findings
	report, err := s.Reconcile(t.Context(), f.run(dry))
	require.NoError(t, err)
	return report, f.text()
}

// requireReconciled requires that another run finds nothing and writes nothing.
func requireReconciled(t *testing.T, s reconciler, requests *storetest.Requests) {
	t.Helper()
	requests.Drain()
	report, found := reconcile(t, s, false)
	require.Empty(t, found)
	require.True(t, report.Clean())
	require.Empty(t, requests.Writes())
}

// plant executes statements at a time one hour ago; each has "$T" instead of its timestamp.
func plant(t *testing.T, session gocqlx.Session, statements ...string) {
	t.Helper()
	at := fmt.Sprint(time.Now().Add(-time.Hour).UnixMicro())
	for _, s := range statements {
		s = strings.ReplaceAll(s, "$T", "USING TIMESTAMP "+at)
		require.NoError(t, session.ExecStmt(s), s)
	}
}

const brakesTitle = " WHERE title = 'brakes' AND opened = '2026-03-01T09:30:00.125Z' AND site = 'Recife' AND year = 2026 AND id = 0f3c5d1e-5a7b-4c7d-9e0f-000000000001"

func TestReconcileOnANode(t *testing.T) {
	t.Parallel()
	storetest.InOneKeyspace(t, []storetest.Test{
		{"plain", reconcilePlain},
		{"one row", reconcileOneRow},
		{"writers", reconcileBesideWriters},
	})
}

// Every kind of drift of a plain root is found and repaired, cell by cell, and a second run writes nothing.
func reconcilePlain(t *testing.T, session gocqlx.Session) {
	old := storetest.OpenJobs(t, session, hoursAgo(2))
	jobs := append(storetest.Shelf(), storetest.Brakes())
	storetest.InsertJobs(t, old, jobs...)
	var requests storetest.Requests
	store := storetest.OpenJobs(t, session, mapper.Config{Tracer: &requests})
	requireReconciled(t, store, &requests)

	plant(t, session,
		"DELETE FROM jobs_by_title $T WHERE title = 'shelf' AND opened = '1970-01-01' AND site = 'Recife'",
		"UPDATE jobs_by_title $T SET tags = tags + {'stray'}"+brakesTitle,
		"UPDATE jobs_by_title $T SET tags = tags - {'night'}"+brakesTitle,
		"UPDATE jobs_by_title $T SET parts['pad'] = {maker: 'Eve'}"+brakesTitle,
		"UPDATE jobs_by_title $T SET worker.phone = '666', budget = 1"+brakesTitle,
		"DELETE FROM jobs_by_due $T WHERE site = 'Recife' AND year = 2026 AND due = '2026-03-09'",
		"INSERT INTO jobs_by_due (site, year, due, opened, id, phone) VALUES ('Recife', 2026, '2026-03-10', '2026-03-01T09:30:00.125Z', 0f3c5d1e-5a7b-4c7d-9e0f-000000000001, '7') $T",
		"INSERT INTO jobs_by_due (site, year, due, opened, id, phone) VALUES ('Natal', 2020, '2026-03-10', '2026-03-01', 0f3c5d1e-5a7b-4c7d-9e0f-000000000009, '7') $T",
		"UPDATE parts_by_number $T SET price = null WHERE number = 'disc' AND site = 'Recife' AND year = 2026 AND opened = '2026-03-01T09:30:00.125Z' AND id = 0f3c5d1e-5a7b-4c7d-9e0f-000000000001",
		"INSERT INTO jobs_by_tag (tag, site, year, opened, id, title) VALUES ('old', 'Recife', 2026, '2026-03-01T09:30:00.125Z', 0f3c5d1e-5a7b-4c7d-9e0f-000000000001, 'brakes') $T",
		"UPDATE tools_by_serial $T SET kind = 'x', holder = {site: 'Recife', year: 2025, opened: '1970-01-01', id: 0f3c5d1e-5a7b-4c7d-9e0f-000000000003} WHERE serial = 's1' AND bought = '2020-01-02'",
	)
	want := []string{
		"missing jobs_by_due", "missing jobs_by_title", "missing jobs_by_title", "missing jobs_by_title", "missing jobs_by_title",
		"orphan jobs_by_due", "orphan jobs_by_due", "orphan jobs_by_tag", "stale jobs_by_title budget", "stale parts_by_number price", "stale tools_by_serial kind",
	}
	var left []string
	for _, w := range want {
		left = append(left, w+" left")
	}
	left[len(left)-1] = "orphan tools_by_serial left" // its holder does not have it; the other job has
	slices.Sort(left)
	_, found := reconcile(t, store, true)
	require.Equal(t, left, found)
	report, found := reconcile(t, store, false)
	require.Equal(t, want, found)
	require.True(t, report.Clean())
	storetest.RequireTables(t, session, jobs)
	requireReconciled(t, store, &requests)
}

// Reconcile of one row repairs the rows of its copies, and with known values those that cannot be derived from the row.
func reconcileOneRow(t *testing.T, session gocqlx.Session) {
	j := lent(7, workshop.Tool{Serial: "s7", Bought: storetest.Date(2020, 1, 2)})
	j.Due, j.Level, j.Parts = storetest.Date(2026, 3, 12), new(int32(1)), map[string]workshop.Part{"bolt": {Maker: "Alfa"}}
	storetest.InsertJobs(t, storetest.OpenJobs(t, session, hoursAgo(2)), j)
	store := storetest.OpenJobs(t, session, mapper.Config{})
	was := storetest.Changed(j, func(j *workshop.Job) { j.Tags = []string{"earlier"} })
	one := func(known ...*workshop.Job) []string {
		var f findings
		_, err := store.Jobs.Reconcile(t.Context(), j.Site, j.Year, j.Opened, j.ID, f.config(false), known...)
		require.NoError(t, err)
		return f.text()
	}
	const id = "0f3c5d1e-5a7b-4c7d-9e0f-000000000007"
	plant(t, session,
		"UPDATE jobs_by_title $T SET level = 9 WHERE title = 'h' AND opened = '2026-03-01T09:30:00.125Z' AND site = 'Recife' AND year = 2026 AND id = "+id,
		"DELETE FROM parts_by_number $T WHERE number = 'bolt'",
		"INSERT INTO jobs_by_tag (tag, site, year, opened, id) VALUES ('earlier', 'Recife', 2026, '2026-03-01T09:30:00.125Z', "+id+") $T",
	)
	require.Equal(t, []string{"missing parts_by_number", "stale jobs_by_title level"}, one())
	require.Equal(t, []string{"orphan jobs_by_tag"}, one(was))
	require.Empty(t, one(was))
	require.NoError(t, storetest.DeleteJob(t.Context(), store, j))
}

// While writers work, Reconcile deletes no row that they need and overwrites nothing that they write.
func reconcileBesideWriters(t *testing.T, session gocqlx.Session) {
	old := storetest.OpenJobs(t, session, hoursAgo(2))
	jobs := append(storetest.Shelf(), storetest.Brakes())
	storetest.InsertJobs(t, old, jobs...)
	plant(t, session,
		"UPDATE jobs_by_title $T SET tags = tags + {'stray'}, level = 9"+brakesTitle,
		"DELETE FROM jobs_by_title $T WHERE title = 'shelf' AND opened = '1970-01-01'",
		"DELETE FROM jobs_by_due $T WHERE site = 'Recife' AND year = 2026",
	)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 2 {
		store := storetest.OpenJobs(t, session, mapper.Config{})
		writers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				i := 2*(n%(len(jobs)/2)) + w // each job has one writer
				j, err := storetest.TryUpdateJob(t.Context(), store, jobs[i], func(j *workshop.Job) {
					j.Title, j.Level = fmt.Sprint("title", n%3), new(int32(n))
					j.Tags = []string{fmt.Sprint("tag", n%5), "common"}
				})
				if err != nil {
					t.Error(err)
					return
				}
				jobs[i] = j
			}
		})
	}
	store := storetest.OpenJobs(t, session, mapper.Config{})
	for range 3 {
		_, found := reconcile(t, store, false)
		require.NotContains(t, strings.Join(found, "\n"), "hidden")
	}
	close(stop)
	writers.Wait()
	storetest.RequireTables(t, session, jobs)
}

// Every kind of drift of a versioned root is found and repaired, and a second run writes nothing.
func TestReconcileVersionedOnANode(t *testing.T) {
	t.Parallel()
	session := storetest.SharedTables(t, member.Schema)
	open := func(c mapper.Config) *member.Store {
		s, err := member.Open(t.Context(), session, c)
		require.NoError(t, err)
		return s
	}
	old := open(hoursAgo(2))
	for i := range int32(8) {
		m := &member.Member{ID: i, Nick: new(fmt.Sprint("nick", i)), Team: fmt.Sprint("team", i%2), Note: "note"}
		require.NoError(t, old.Members.Insert(t.Context(), m))
	}
	require.NoError(t, old.Members.Delete(t.Context(), 5))
	var requests storetest.Requests
	store := open(mapper.Config{Tracer: &requests})
	requireReconciled(t, store, &requests)

	was, err := store.Members.Get(t.Context(), 1)
	require.NoError(t, err)
	is := *was
	is.Note, is.Team = "changed", "team3"
	require.NoError(t, store.Members.Change(t.Context(), was, &is)) // it writes no done-marker
	for _, dry := range []bool{true, false} {
		report, found := reconcile(t, store, dry)
		require.Empty(t, found)
		require.True(t, report.Clean())
	}
	requireReconciled(t, store, &requests)

	ago := time.Now().Add(-3 * time.Hour).UnixMicro() // before the versions, as what a lost batch left
	require.NoError(t, session.ExecStmt(fmt.Sprintf("INSERT INTO members_of_team (team, id, note) VALUES ('team9', 1, 'x') USING TIMESTAMP %d", ago)))
	require.NoError(t, session.ExecStmt(fmt.Sprintf("INSERT INTO members_of_team (team, id, note) VALUES ('team7', 5, 'x') USING TIMESTAMP %d", ago)))
	plant(t, session,
		"DELETE FROM members_of_team $T WHERE team = 'team0' AND id = 0",
		"UPDATE members_by_nick $T SET note = 'x' WHERE nick = 'nick2'",
		"UPDATE members_by_nick $T SET id = 4 WHERE nick = 'nick3'",
		"DELETE FROM members__sync $T WHERE id = 4",
		"INSERT INTO members_of_team (team, id, note) VALUES ('team8', 6, 'x') $T", // later than the version
		"INSERT INTO members_of_team (team, id) VALUES ('team8', 7) $T",
	)
	require.NoError(t, session.ExecStmt("DELETE FROM members__nick_unique WHERE nick = 'nick0' IF EXISTS"))
	require.NoError(t, session.ExecStmt("INSERT INTO members__nick_unique (nick, aml_owner_id, aml_at) VALUES ('leaked', 1, 5) IF NOT EXISTS"))
	_, found := reconcile(t, store, false)
	require.Equal(t, []string{
		"leaked reservation members__nick_unique aml_owner_id", "missing members__nick_unique", "missing members_of_team",
		"orphan members_of_team", "orphan members_of_team", "orphan members_of_team", "orphan members_of_team", "stale members_by_nick id", "stale members_by_nick note", "unpropagated members__sync aml_ver",
	}, found)
	requireReconciled(t, store, &requests)
}
