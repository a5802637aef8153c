package faults

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/models/garage"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

var (
	reconcileRoots = flag.Int("reconcile.roots", 0, "the number of roots whose redundant tables are reconciled by several processes, at least 1000; 0: the test does not run")
	reconcileSeed  = flag.Uint64("reconcile.seed", uint64(time.Now().UnixNano()), "the seed of the calls beside the run")
)

const (
	leaseOfSlices     = 5 * time.Second // the longest time until the slice of a killed process is continued
	loadedAgo         = 2 * time.Hour   // how far the clocks of the processes that load are behind
	callsBeforeKill   = 40              // of a process that writes
	reconcilePatience = 15 * time.Minute
)

// testReconcile loads a plain and a versioned root by processes whose clocks are up to 3 s apart and two of which are killed, and
// plants drift of every kind. Then four processes share a run of Reconcile, two of them are killed in a slice, and other
// processes write. Afterwards the others have one report, no update is lost, the histories are linearizable and, after one more
// run for the rows that were written meanwhile, another run finds and writes nothing: the copies are the projections.
func testReconcile(t *testing.T, cluster *cassandra.Cluster) {
	t.Logf("-reconcile.seed=%d", *reconcileSeed)
	began := time.Now()
	session, err := cluster.Session(t.Context(), "garage", len(cluster.Hosts()))
	require.NoError(t, err)
	defer session.Close()
	storetest.Execute(t, session, garage.Schema)
	r := &garageRun{t: t, session: session, dir: t.TempDir(), config: garageConfig{
		Hosts: cluster.Hosts(), Mechanics: int32(*reconcileRoots * 9 / 10), Customers: int32(*reconcileRoots / 10), Job: "nightly", Hold: -1,
	}}
	created := time.Since(began)
	r.load()
	awaitBatchlogs(t, cluster) // of the killed processes: their clocks are behind by more than the grace
	loaded := time.Since(began)
	beside := r.startAll("beside", 2, func(i int, c *garageConfig) { c.Skew = clocksApart*time.Duration(i) - 5*time.Second/2 })
	runs := r.startAll("reconcile", 4, func(i int, c *garageConfig) { c.Hold = []int{0, 1, -1, -1}[i] })
	planted := r.plant()
	for _, c := range beside {
		c.await("writing")
	}
	report := r.share(runs)
	shared := time.Since(began) - loaded
	states := map[int32]int{}
	for _, c := range beside {
		require.NoError(t, json.Unmarshal([]byte(c.stop("states ")), &states))
	}
	planted.requireFound(t, report)
	planted.remove()
	var others []mapper.Drift // of rows that were not written beside the run
	r.runAgain("", func(d mapper.Drift) {
		if !besideKey.MatchString(d.Key + " " + d.Have) {
			others = append(others, d)
		}
	})
	require.LessOrEqual(t, int64(len(others)), report.TooRecent, "%+v", others)
	require.Empty(t, r.runAgain("again", nil).Found)
	r.requireUpdates(states)
	r.requireGarage()
	var calls []*call
	for i := range beside {
		calls = append(calls, readHistory(t, r.historyOf(i))...)
	}
	requireLinearizable(t, calls)
	t.Logf("%d roots, found %v, planted %v, %d repaired, %d left for a later run, 2 writers and 2 of 4 runs killed, %d calls beside, %.0f s (tables %.0f s, load %.0f s, shared run %.0f s)",
		*reconcileRoots, report.Found, planted.count, report.Repaired, report.TooRecent, len(calls)+len(states), time.Since(began).Seconds(), created.Seconds(), (loaded - created).Seconds(), shared.Seconds())
}

// besideKey matches the keys of rows of customers that were written beside a run, by the first digits of their IDs, and by those of
// the rounds in their e-mails and cities.
var besideKey = regexp.MustCompile(fmt.Sprintf(`(id|owner)=%d|(nick|team)%d`, firstBeside/1000, firstBeside/idsOfRound/100))

// garageRun is the processes and the tables of [testReconcile].
type garageRun struct {
	t       *testing.T
	session gocqlx.Session
	dir     string // of the histories
	config  garageConfig
}

func (r *garageRun) historyOf(client int) string {
	return filepath.Join(r.dir, fmt.Sprint(client))
}

// startAll starts the processes of a role.
func (r *garageRun) startAll(role string, n int, configure func(i int, c *garageConfig)) []*garageProcess {
	r.t.Helper()
	var all []*garageProcess
	for i := range n {
		config := r.config
		config.Role, config.Number, config.Processes, config.Seed, config.History = role, i, n, *reconcileSeed+uint64(i), r.historyOf(i)
		configure(i, &config)
		text, err := json.Marshal(config)
		require.NoError(r.t, err)
		all = append(all, startGarage(r.t, fmt.Sprint(role, " ", i), string(text)))
	}
	return all
}

// load lets processes write all rows, and kills others while they write.
func (r *garageRun) load() {
	loaders := r.startAll("load", 2, func(i int, c *garageConfig) { c.Skew = time.Duration(i)*clocksApart/3 - loadedAgo })
	erratic := r.startAll("erratic", 2, func(i int, c *garageConfig) { c.Skew = time.Duration(i+2)*clocksApart/3 - loadedAgo })
	for _, c := range erratic {
		for range callsBeforeKill {
			c.await("called")
		}
		c.kill()
	}
	for _, c := range loaders {
		c.stop("")
	}
}

// share runs Reconcile in four processes, two of which are killed, and returns the report of the others.
func (r *garageRun) share(all []*garageProcess) *mapper.ReconcileReport {
	r.t.Helper()
	for _, c := range all {
		c.await("ready")
	}
	killed, left := all[:2], all[2:]
	for _, c := range killed {
		c.write("go")
	}
	for _, c := range killed {
		c.await("holding")
	}
	_, held, done := r.slices()
	require.GreaterOrEqual(r.t, held, 2, "each of the processes that will be killed has a slice")
	killed[0].kill()
	for _, c := range left {
		c.write("go")
	}
	require.Eventually(r.t, func() bool {
		_, _, now := r.slices()
		return now > done
	}, reconcilePatience, 50*time.Millisecond, "no slice is completed by the other processes")
	killed[1].kill()
	reports := []string{left[0].stop("report "), left[1].stop("report ")}
	require.Equal(r.t, reports[0], reports[1])
	leased, _, _ := r.slices()
	require.GreaterOrEqual(r.t, leased, int64(2), "a slice of a killed process is leased again")
	report := &mapper.ReconcileReport{}
	require.NoError(r.t, json.Unmarshal([]byte(reports[0]), report))
	return report
}

// slices returns how many times a slice was leased at most, how many are leased and how many are done.
func (r *garageRun) slices() (leased int64, held, done int) {
	r.t.Helper()
	it := r.session.Session.Query("SELECT epoch, owner, done FROM aml_work").Iter()
	var epoch int64
	var owner *gocql.UUID
	var ended bool
	for it.Scan(&epoch, &owner, &ended) {
		leased = max(leased, epoch)
		if owner != nil {
			held++
		}
		if ended {
			done++
		}
	}
	require.NoError(r.t, it.Close())
	return leased, held, done
}

// runAgain runs Reconcile in this process, under a new name. It calls found with each finding; if found is nil, the run must write nothing.
func (r *garageRun) runAgain(share string, found func(mapper.Drift)) *mapper.ReconcileReport {
	r.t.Helper()
	requests := &storetest.Requests{}
	store, err := garage.Open(r.t.Context(), r.session, mapper.Config{Tracer: requests})
	require.NoError(r.t, err)
	config := runConfig(share)
	config.Found, config.Slices = found, 2
	report, err := store.Reconcile(r.t.Context(), config)
	require.NoError(r.t, err)
	require.True(r.t, report.Clean(), "%+v", report)
	if found == nil {
		require.Empty(r.t, requests.Writes())
		require.Zero(r.t, report.Purged)
	}
	return report
}

// requireUpdates requires that the mechanics and customers that have been loaded, and were not changed by a plant, have their last
// acknowledged values.
func (r *garageRun) requireUpdates(states map[int32]int) {
	r.t.Helper()
	have := map[string]storetest.Row{}
	for _, table := range []string{"mechanics", "customers"} {
		for _, row := range storetest.ReadTable(r.t, r.session, table) {
			if row["aml_deleted"] != true {
				have[fmt.Sprint(table, row["id"])] = row
			}
		}
	}
	for id := int32(1); id <= r.config.Mechanics; id++ {
		state, ok := states[id]
		if !ok {
			state = loadedState(id)
		}
		row := have[fmt.Sprint("mechanics", id)]
		if state < 0 || isPlanted(id) {
			require.Equal(r.t, state < 0, row == nil, "mechanic %d", id)
			continue
		}
		m := mechanicOf(id, state)
		slices.Sort(m.Skills)
		require.Equal(r.t, fmt.Sprint(m.Name, m.City, m.OnDuty, m.Skills, m.Tools),
			fmt.Sprint(row["name"], row["city"], row["on_duty"], row["skills"], row["tools"]), "mechanic %d", id)
	}
	for id := int32(1); id <= r.config.Customers; id++ {
		state, row := loadedState(id), have[fmt.Sprint("customers", id)]
		require.Equal(r.t, state < 0, row == nil, "customer %d", id)
		if state >= 0 {
			c := customerOf(id, state)
			require.Equal(r.t, fmt.Sprint(c.Name, textOf(c.City), textOf(c.Email), textOf(c.Licence), c.Vehicles),
				fmt.Sprint(row["name"], jsonText(row["city"]), jsonText(row["email"]), jsonText(row["licence"]), row["vehicles"]), "customer %d", id)
		}
	}
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func jsonText(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// requireGarage compares all copies and reservations with the rows of the roots.
func (r *garageRun) requireGarage() {
	r.t.Helper()
	want := map[string][]string{}
	add := func(table string, values ...any) {
		for i, v := range values {
			values[i] = jsonText(v)
		}
		want[table] = append(want[table], fmt.Sprintf("%v", values))
	}
	for _, m := range storetest.ReadTable(r.t, r.session, "mechanics") {
		add("mechanics_by_city", m["city"], m["id"], m["name"])
		if m["on_duty"] == true {
			add("mechanics_on_duty", m["id"], m["name"], m["city"])
		}
		for _, skill := range elements(m["skills"]) {
			add("mechanics_by_skill", skill, m["id"], m["name"], m["city"])
		}
		for _, tool := range elements(m["tools"]) {
			add("tools", tool, m["id"], m["name"])
		}
	}
	for _, c := range storetest.ReadTable(r.t, r.session, "customers") {
		add("customers__sync", c["id"], c["version"])
		if c["aml_deleted"] == true {
			continue
		}
		add("customer_cards", c["id"], c["name"])
		if c["city"] != nil {
			add("customers_by_city", c["city"], c["id"], c["name"])
		}
		if c["email"] != nil {
			add("customers_by_email", c["email"], c["id"], c["name"])
			add("customers__email_unique", c["email"], c["id"])
		}
		if c["country"] != nil && c["licence"] != nil {
			add("customers__licence_unique", c["country"], c["licence"], c["id"])
		}
		for _, plate := range elements(c["vehicles"]) {
			add("vehicles", plate, c["id"], c["name"], c["city"])
		}
	}
	for table, columns := range map[string]string{
		"mechanics_by_city": "city id name", "mechanics_on_duty": "id name city", "mechanics_by_skill": "skill id name city", "tools": "tool owner name",
		"customers_by_city": "city id name", "customers_by_email": "email id name", "vehicles": "plate owner name city",
		"customers__sync": "id aml_ver", "customer_cards": "id name", "customers__email_unique": "email aml_owner_id", "customers__licence_unique": "country licence aml_owner_id",
	} {
		columns := strings.Fields(columns)
		got := rowsOf(r.t, r.session, table, columns...)
		if strings.HasSuffix(table, "_unique") {
			got = slices.DeleteFunc(got, func(row string) bool { return strings.HasSuffix(row, " ]") }) // it has no owner
		}
		slices.Sort(got)
		slices.Sort(want[table])
		require.Equal(r.t, want[table], got, table)
	}
}

// elements returns the elements of a set.
func elements(set any) []any {
	all, _ := set.([]any)
	return all
}

// garageProcess is a process that runs [TestGarageClient].
type garageProcess struct {
	t     *testing.T
	name  string
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	out   []string // the lines that nothing has awaited
	err   bytes.Buffer
}

func startGarage(t *testing.T, name, config string) *garageProcess {
	t.Helper()
	p := &garageProcess{t: t, name: name, cmd: exec.Command(os.Args[0], "-test.run=^TestGarageClient$"), lines: make(chan string)}
	p.cmd.Env = append(os.Environ(), garageVariable+"="+config)
	p.cmd.Stderr = &p.err
	var err error
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	go func() {
		defer close(p.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.lines <- lines.Text()
		}
	}()
	return p
}

// await waits until the process prints a line that begins with a text, and returns the rest of the line.
func (p *garageProcess) await(text string) string {
	p.t.Helper()
	patience := time.After(reconcilePatience)
	for {
		select {
		case line, ok := <-p.lines:
			require.True(p.t, ok, "%s has ended without %q: %s\n%s", p.name, text, strings.Join(p.out, "\n"), &p.err)
			if rest, found := strings.CutPrefix(line, text); found {
				return rest
			}
			p.out = append(p.out, line)
		case <-patience:
			require.FailNow(p.t, "the process does not print "+text, p.name)
		}
	}
}

func (p *garageProcess) write(line string) {
	p.t.Helper()
	_, err := fmt.Fprintln(p.in, line)
	require.NoError(p.t, err)
}

// kill kills the process, which must run.
func (p *garageProcess) kill() {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Kill())
	p.drain()
	_ = p.cmd.Wait()
	require.False(p.t, p.cmd.ProcessState.Exited(), "%s had ended before: %s\n%s", p.name, strings.Join(p.out, "\n"), &p.err)
}

// drain reads the output to its end.
func (p *garageProcess) drain() {
	for line := range p.lines {
		p.out = append(p.out, line)
	}
}

// stop ends the input of the process, waits until the process has ended, and returns the rest of the line that begins with a text.
func (p *garageProcess) stop(text string) (rest string) {
	p.t.Helper()
	require.NoError(p.t, p.in.Close())
	if text != "" {
		rest = p.await(text)
	}
	p.drain()
	require.NoError(p.t, p.cmd.Wait(), "%s: %s\n%s", p.name, strings.Join(p.out, "\n"), &p.err)
	return rest
}

// plants is the drift that a test has planted.
type plants struct {
	t       *testing.T
	session gocqlx.Session
	count   map[mapper.DriftKind]int64
	todo    []func() error
	undo    []func() error // removes the rows that a run cannot repair
}

// isPlanted reports whether drift is planted in a row that was loaded.
func isPlanted(id int32) bool { return id%10 == 1 }

// plant plants drift of every kind with CQL.
func (r *garageRun) plant() *plants {
	p := &plants{t: r.t, session: r.session, count: map[mapper.DriftKind]int64{}}
	for id := int32(1); id <= r.config.Mechanics; id++ {
		if isPlanted(id) {
			p.mechanic(int(id/10), mechanicOf(id, loadedState(id)))
		}
	}
	for id := int32(1); id <= r.config.Customers; id++ {
		if isPlanted(id) {
			p.customer(int(id/10), customerOf(id, loadedState(id)))
		}
	}
	p.unrepairable()
	p.run(p.todo)
	return p
}

// run executes statements, several at a time.
func (p *plants) run(all []func() error) {
	next := make(chan func() error)
	var writers sync.WaitGroup
	for range garageWriters {
		writers.Go(func() {
			for do := range next {
				assert.NoError(p.t, do())
			}
		})
	}
	for _, do := range all {
		next <- do
	}
	close(next)
	writers.Wait()
	require.False(p.t, p.t.Failed())
}

// statement returns a statement at a write time.
func (p *plants) statement(at time.Time, text string, values ...any) func() error {
	return func() error { return p.session.Session.Query(text, values...).WithTimestamp(at.UnixMicro()).Exec() }
}

// add plants a finding of a kind with a statement at a write time.
func (p *plants) add(kind mapper.DriftKind, at time.Time, text string, values ...any) {
	p.count[kind]++
	p.todo = append(p.todo, p.statement(at, text, values...))
}

// mechanic plants drift in the copies of a mechanic.
func (p *plants) mechanic(n int, m *garage.Mechanic) {
	at, absent := time.Now().Add(-loadedAgo/2), 10_000_000+m.ID
	switch n % 8 {
	case 0:
		p.add(mapper.DriftMissing, at, "DELETE FROM mechanics_by_city WHERE city = ? AND id = ?", m.City, m.ID)
	case 1:
		p.add(mapper.DriftStale, at, "UPDATE mechanics_by_skill SET name = 'wrong' WHERE skill = ? AND id = ?", m.Skills[0], m.ID)
	case 2:
		p.add(mapper.DriftOrphan, at, "INSERT INTO mechanics_by_city (city, id, name) VALUES ('nowhere', ?, 'of another city')", m.ID)
	case 3:
		p.add(mapper.DriftOrphan, at, "INSERT INTO tools (tool, owner, name) VALUES (?, ?, 'nobody')", fmt.Sprint("lost ", m.ID), absent)
	case 4:
		p.add(mapper.DriftOrphan, at, "INSERT INTO mechanics_on_duty (id, name, city) VALUES (?, 'nobody', 'nowhere')", absent)
	case 5:
		p.add(mapper.DriftOrphan, at, "INSERT INTO tools (tool, name) VALUES (?, 'without an owner')", fmt.Sprint("unowned ", m.ID))
	case 6:
		p.add(mapper.DriftMissing, at, "INSERT INTO mechanics (id, name, city, tools) VALUES (?, 'without copies', 'nowhere', {})", absent)
	case 7:
		p.add(mapper.DriftStale, at, "UPDATE mechanics SET name = 'changed alone' WHERE id = ?", m.ID)
	}
}

// customer plants drift in the copies and reservations of a customer.
func (p *plants) customer(n int, c *garage.Customer) {
	require.NoError(p.t, p.session.Session.Query("SELECT version FROM customers WHERE id = ?", c.ID).Scan(&c.Version))
	saved, absent := time.UnixMicro(c.Version), 10_000_000+c.ID
	// The processes that are killed have only read e-mails: the report lacks what they have repaired since their last checkpoint.
	const claim = "INSERT INTO customers__licence_unique (country, licence, aml_owner_id, aml_at, aml_floor) VALUES ('BR', ?, ?, ?, 0)"
	licence := fmt.Sprint("leaked ", c.ID)
	p.add(mapper.DriftSourcePurged, saved.AddDate(0, 0, -11), "INSERT INTO customer_cards (id, name) VALUES (?, 'of nobody')", absent)
	switch n % 8 {
	case 0:
		p.add(mapper.DriftMissing, saved, "DELETE FROM vehicles WHERE plate = ? AND owner = ?", c.Vehicles[0], c.ID)
	case 1:
		p.add(mapper.DriftStale, saved, "UPDATE vehicles SET name = 'wrong' WHERE plate = ? AND owner = ?", c.Vehicles[0], c.ID)
	case 2:
		p.add(mapper.DriftOrphan, saved.Add(-time.Second), "INSERT INTO vehicles (plate, owner, name) VALUES ('stray', ?, 'x')", c.ID)
	case 3:
		p.add(mapper.DriftSourcePurged, saved.AddDate(0, 0, -11), "INSERT INTO customers_by_city (city, id, name) VALUES ('nowhere', ?, 'x')", absent)
	case 4:
		p.add(mapper.DriftLeakedReservation, time.Now(), claim, licence, c.ID, c.Version-2)
	case 5: // the save that has made the claim could still be applied
		p.add(mapper.DriftLeakedReservation, time.Now(), claim, licence, c.ID, c.Version)
	case 6:
		p.add(mapper.DriftUnpropagated, saved, "DELETE FROM customers__sync WHERE id = ?", c.ID)
	case 7:
		if c.Email != nil {
			p.add(mapper.DriftMissing, time.Now(), "DELETE FROM customers__email_unique WHERE email = ?", *c.Email)
		}
	}
}

// unrepairable plants drift that a run reports and does not repair, and notes how to remove it.
func (p *plants) unrepairable() {
	ago, ahead, later := time.Now().Add(-loadedAgo), time.Now().Add(loadedAgo), time.Now().Add(2*loadedAgo)
	const insert = "INSERT INTO mechanics (id, name, city, tools) VALUES (?, 'unrepairable', 'nowhere', ?)"
	first := int32(20_000_000)
	p.add(mapper.DriftTwoOwners, ago, insert, first, []string{"of two"})
	p.todo = append(p.todo, p.statement(ago, insert, first+1, []string{"of two"}),
		p.statement(ago, "INSERT INTO tools (tool, owner, name) VALUES ('of two', ?, 'unrepairable')", first))
	p.add(mapper.DriftHidden, ahead, "DELETE FROM mechanics_by_city WHERE city = 'nowhere' AND id = ?", first+2)
	p.todo = append(p.todo, p.statement(ago, insert, first+2, nil))
	p.add(mapper.DriftClockAhead, ahead, insert, first+3, nil)
	p.add(mapper.DriftUnprojectable, ago, "INSERT INTO mechanics (id, name) VALUES (?, 'without a city')", first+4)
	for id := first; id < first+5; id++ {
		p.undo = append(p.undo, p.statement(later, "DELETE FROM mechanics WHERE id = ?", id),
			p.statement(later, "DELETE FROM mechanics_by_city WHERE city = 'nowhere' AND id = ?", id))
	}
	p.undo = append(p.undo, p.statement(later, "DELETE FROM tools WHERE tool = 'of two'"))
}

// requireFound requires that a run has found what was planted, and has repaired what can be repaired.
func (p *plants) requireFound(t *testing.T, report *mapper.ReconcileReport) {
	t.Helper()
	found := map[mapper.DriftKind]int64{}
	for _, kinds := range report.Found {
		for kind, n := range kinds {
			found[kind] += n
		}
	}
	for kind := range mapper.DriftSourcePurged {
		require.Positive(t, p.count[kind+1], "%v is planted", kind+1)
		require.GreaterOrEqual(t, found[kind+1], p.count[kind+1], "%v: %v", kind+1, report.Found)
	}
	unrepaired := found[mapper.DriftTwoOwners] + found[mapper.DriftHidden] + found[mapper.DriftClockAhead] + found[mapper.DriftUnprojectable]
	require.Equal(t, report.Total()-unrepaired, report.Repaired, "%v", report.Found)
}

// remove removes what a run cannot repair.
func (p *plants) remove() { p.run(p.undo) }
