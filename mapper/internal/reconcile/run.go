package reconcile

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
	"github.com/cassaml/cassaml/mapper/internal/store"
	"github.com/cassaml/cassaml/mapper/internal/work"
)

const reconcile = "Reconcile"

const minGrace = time.Minute

// Run compares the redundant tables of roots with the rows of the roots, in a scan of all of them, and repairs the differences.
func Run(ctx context.Context, db *call.DB, c mapper.ReconcileConfig, roots ...call.Root) (*mapper.ReconcileReport, error) {
	if db == nil {
		return nil, call.ErrNotOpen
	}
	chosen, err := selectRoots(roots, c.Tables)
	if err != nil {
		return nil, reconcileError(err)
	}
	x, err := newReconciling(ctx, db, c, chosen...)
	if err != nil {
		return nil, reconcileError(err)
	}
	var all []phase
	for _, r := range chosen {
		x.unproven(r)
		all = append(all, x.phases(r)...)
	}
	if err := x.run(ctx, all); err != nil {
		return x.result(), reconcileError(err)
	}
	return x.result(), nil
}

// timedTables returns the tables whose write times a run reads: of the roots, their copies and their parts.
func timedTables(roots []call.Root) (tables []*descriptor.Table) {
	for _, r := range roots {
		a := r.Aggregate.Aggregate
		all := append([]*descriptor.Table{a.Root, a.Inside}, a.Parts...)
		for i := range a.Copies {
			all = append(all, a.Copies[i].Table)
		}
		if part := r.Aggregate.CopiedPart(); part != nil {
			for i := range part.Copies {
				all = append(all, part.Aggregate.Copies[i].Table)
			}
		}
		for _, t := range all {
			if t != nil && !slices.Contains(tables, t) {
				tables = append(tables, t)
			}
		}
	}
	return tables
}

func reconcileError(err error) error { return fmt.Errorf("mapper: reconcile: %w", err) }

// selectRoots returns the roots with the names of tables, and their parts with redundant tables, each once; without names it returns all. A root
// and the part in its table have the same name.
func selectRoots(roots []call.Root, tables []string) ([]call.Root, error) {
	if tables == nil {
		return roots, nil
	}
	chosen := map[string]bool{}
	for _, name := range tables {
		known := false
		for _, r := range roots {
			if r.Codec.Table.Name != name {
				continue
			}
			known, chosen[name] = true, true
			for _, part := range r.Aggregate.Parts {
				chosen[part.Name] = true
			}
		}
		if !known {
			return nil, fmt.Errorf("no root has the table %q: use the names of roots with redundant tables, parts or a version: %s", name, strings.Join(tableNames(roots), ", "))
		}
	}
	var out []call.Root
	for _, r := range roots {
		if chosen[r.Codec.Table.Name] {
			out = append(out, r)
		}
	}
	return out, nil
}

func tableNames(roots []call.Root) (out []string) {
	for _, r := range roots {
		out = append(out, r.Codec.Table.Name)
	}
	return out
}

// run is a run of Reconcile. It has more than 25 methods because all checks of rows report to it and use its clock, rate and limits.
type run struct {
	db     *call.DB
	config mapper.ReconcileConfig // has no zero values
	limit  time.Duration          // the difference between two clocks that is accepted
	grace  map[string]int         // gc_grace_seconds, by table
	pace   *scan.Pace
	whole  *run // set for a slice: the run
	pages  *scan.PageSizes

	mu       sync.Mutex
	report   mapper.ReconcileReport
	progress mapper.ReconcileProgress
	counted  counted // set for a slice
}

func newReconciling(ctx context.Context, db *call.DB, c mapper.ReconcileConfig, roots ...call.Root) (*run, error) {
	x := &run{db: db, limit: db.Config.MaxClockSkew, config: c, pages: &scan.PageSizes{Most: largestComparedPage}}
	if x.limit < 0 {
		x.limit = mapper.DefaultMaxClockSkew
	}
	if err := x.check(); err != nil {
		return nil, err
	}
	x.config.Grace = cmp.Or(c.Grace, max(mapper.DefaultGrace, 4*x.limit))
	x.config.Parallel, x.config.Slices = cmp.Or(c.Parallel, scan.DefaultParallel), cmp.Or(c.Slices, scan.DefaultSlices)
	x.pace = &scan.Pace{Rate: c.Rate}
	if err := x.checkClock(ctx); err != nil {
		return nil, err
	}
	x.report.From = db.Config.Now()
	var err error
	x.grace, err = readGrace(ctx, db.Store, roots...)
	return x, err
}

// largestComparedPage is the largest number of rows of a page. Reconcile needs more than ten times the bytes of a narrow row: it also has
// the write times of the row, and the rows that follow from it.
const largestComparedPage = 1000

// check refuses invalid configurations.
func (x *run) check() error {
	if err := x.db.CheckRepair(); err != nil {
		return err
	}
	switch c := &x.config; {
	case c.Grace < 0 || c.Grace > 0 && c.Grace < minGrace:
		return fmt.Errorf("the grace %v is too short: use at least %v, or 0 for %v", c.Grace, max(minGrace, 4*x.limit), max(mapper.DefaultGrace, 4*x.limit))
	case c.Grace > 0 && c.Grace < 4*x.limit:
		return fmt.Errorf("the grace %v is below 4 times the largest accepted difference of clocks, %v: use at least %v", c.Grace, x.limit, 4*x.limit)
	case c.Tables != nil && len(c.Tables) == 0:
		return errors.New("the list of tables is empty: name a root, or use nil for all")
	}
	return scan.CheckSlices(x.config.Slices, x.config.Parallel, x.config.Rate)
}

// checkClock refuses a clock that differs too much from the clocks of the servers: repairs would have wrong timestamps.
func (x *run) checkClock(ctx context.Context) error {
	answers, err := x.db.ReadClocks(ctx)
	if answers == nil || err != nil {
		return err
	}
	if f := skew.Measure(answers); f.Exceeds(x.limit) {
		return &mapper.ClockError{Host: f.Host, Skew: f.Skew, Limit: x.limit}
	}
	return nil
}

// readGrace returns gc_grace_seconds of the tables of a database. It returns a *mapper.ServerVersionError if the servers have no write times of
// some columns of the roots, their copies or their parts.
func readGrace(ctx context.Context, s store.Store, roots ...call.Root) (map[string]int, error) {
	of, ok := s.(store.Graced)
	if !ok {
		return nil, nil
	}
	grace, err := of.GCGrace(ctx, reconcile, timedTables(roots)...)
	if _, old := errors.AsType[*mapper.ServerVersionError](err); old {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("read gc_grace_seconds of the tables: %w", err)
	}
	return grace, nil
}

// repairBefore returns the given time less the grace: every write that a read at that time can have missed has a later timestamp.
func (x *run) repairBefore(now int64) int64 { return now - x.config.Grace.Microseconds() }

func (x *run) now() int64 { return x.db.Config.Now().UnixMicro() }

// unproven records the redundant tables of a root in which orphans cannot be found.
func (x *run) unproven(r call.Root) {
	for i := range r.Aggregate.Copies {
		if c := &r.Aggregate.Copies[i]; !c.Shared && c.SourceKey == nil && c.ByUnique == 0 {
			x.report.NotSearched = append(x.report.NotSearched, c.Table.Name)
		}
	}
}

// phase is a scan of one table.
type phase struct {
	name  string
	table *plan.Table
	scan  func(*run) slice
	end   func() // is called after all slices; nil: nothing
}

// slice scans the rows of a part of a table.
type slice interface {
	Run(ctx context.Context, from string, save func(string) error) error
	Span(low, high cell.Cell, counted func(context.Context, int) error, sizes *scan.PageSizes)
}

// phases returns the scans of a root in their order.
func (x *run) phases(r call.Root) []phase {
	if r.Aggregate.Versioning != nil {
		return x.versionedPhases(save.Versioned{Root: r})
	}
	return x.plainPhases(r)
}

// run scans the tables of all phases, slice by slice, and adds the reports of the slices that other processes have scanned.
func (x *run) run(ctx context.Context, all []phase) error {
	job := work.Job{Name: x.db.Schema.Package + " " + x.config.Job, Slices: x.config.Slices}
	for _, p := range all {
		as := work.Phase{Name: p.name, Table: p.table.Name}
		if slices.Contains(job.Phases, as) { // a root and the part in its table
			as.Table += " of " + p.table.Aggregate
		}
		job.Phases = append(job.Phases, as)
	}
	x.progress.Total = len(all) * job.Slices
	if x.config.Job != "" {
		job.Header = x.header(job.Phases)
	}
	q, err := scan.OpenQueue(ctx, x.db, "ReconcileConfig", x.config.Job, job)
	if err != nil {
		return err
	}
	for i := range all {
		if err := x.runPhase(ctx, q, i, all[i]); err != nil {
			return err
		}
		if all[i].end != nil {
			all[i].end()
		}
	}
	return x.collect(ctx, q)
}

// header describes the options that processes that share a run must have in common.
func (x *run) header(phases []work.Phase) string {
	var tables []string
	for _, p := range phases {
		tables = append(tables, p.String())
	}
	return fmt.Sprintf("slices=%d dry-run=%v grace=%v model=%s phases=%s", x.config.Slices, x.config.DryRun, x.config.Grace, x.db.Schema.Hash(), strings.Join(tables, ", "))
}

// runPhase scans slices of the table of a phase until all are done.
func (x *run) runPhase(ctx context.Context, q *work.Queue, i int, p phase) error {
	x.advance(func(c *mapper.ReconcileProgress) { c.Table = p.table.Name })
	return scan.EachSlice(ctx, x.db, q, i, x.config.Parallel, func(ctx context.Context, lease *work.Lease) error { return x.runSlice(ctx, p, lease) })
}

// saved is the checkpoint of a slice: the position, and the report up to it.
type saved struct {
	From   string                 `json:"from"`
	Report mapper.ReconcileReport `json:"report"`
}

// runSlice scans a slice from its checkpoint.
func (x *run) runSlice(ctx context.Context, p phase, lease *work.Lease) error {
	y := &run{db: x.db, config: x.config, limit: x.limit, grace: x.grace, pace: x.pace, whole: x, pages: x.pages}
	state := saved{Report: mapper.ReconcileReport{From: x.report.From}}
	if lease.Checkpoint != nil {
		if err := json.Unmarshal(lease.Checkpoint, &state); err != nil {
			return fmt.Errorf("the checkpoint of slice %d of %s is damaged: %w", lease.Slice, lease.Phase, err)
		}
	}
	y.report, y.report.To = state.Report, time.Time{}
	s := p.scan(y)
	low, high := scan.SliceBounds(lease.Slice, x.config.Slices)
	s.Span(low, high, y.read, y.pages)
	err := scan.RunLease(ctx, x.db, lease, func(ctx context.Context, save func(func() ([]byte, error)) error) ([]byte, error) {
		err := s.Run(ctx, state.From, func(from string) error {
			y.nextPage(from)
			return save(func() ([]byte, error) { return json.Marshal(saved{from, *y.result()}) })
		})
		if err != nil {
			return nil, err
		}
		return json.Marshal(y.result())
	})
	if err == nil {
		x.advance(func(c *mapper.ReconcileProgress) { c.Done++ })
	}
	return err
}

// collect replaces the report of this process by the report of the run, which all processes have carried out.
func (x *run) collect(ctx context.Context, q *work.Queue) error {
	reports, err := q.Reports(ctx)
	if err != nil {
		return err
	}
	sum := mapper.ReconcileReport{NotSearched: x.report.NotSearched}
	for i, text := range reports {
		var r mapper.ReconcileReport
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("the report of a slice is damaged: %w", err)
		}
		if sum.Add(&r); i == 0 || r.From.Before(sum.From) {
			sum.From = r.From
		}
		if r.To.After(sum.To) {
			sum.To = r.To
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.report = sum
	return nil
}

// result returns the report so far.
func (x *run) result() *mapper.ReconcileReport {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := x.report
	if out.To.IsZero() {
		out.To = x.db.Config.Now()
	}
	out.Found = maps.Clone(x.report.Found)
	for table, kinds := range out.Found {
		out.Found[table] = maps.Clone(kinds)
	}
	return &out
}

// advance changes the progress and reports it.
func (x *run) advance(change func(*mapper.ReconcileProgress)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	change(&x.progress)
	if x.config.Progress != nil {
		x.config.Progress(x.progress)
	}
}

// count changes the reports of a slice and of the run.
func (x *run) count(change func(*mapper.ReconcileReport)) {
	x.mu.Lock()
	change(&x.report)
	x.mu.Unlock()
	if x.whole != nil {
		x.whole.count(change)
	}
}

// all returns the run that a slice belongs to.
func (x *run) all() *run {
	if x.whole != nil {
		return x.whole
	}
	return x
}

// read counts the rows of a page, reports the progress, and waits if more rows were read than the rate allows.
func (x *run) read(ctx context.Context, rows int) error {
	x.note(rows)
	x.all().advance(func(*mapper.ReconcileProgress) {})
	return x.pace.Wait(ctx)
}

// note counts rows that were read. It does not wait, because the time of a call is limited.
func (x *run) note(rows int) {
	x.count(func(r *mapper.ReconcileReport) { r.Rows += int64(rows) })
	all := x.all()
	all.mu.Lock()
	all.progress.Rows += int64(rows)
	all.mu.Unlock()
	x.pace.Add(rows)
}

// countLater counts a row that is left for a later run.
func (x *run) countLater() { x.count(func(r *mapper.ReconcileReport) { r.TooRecent++ }) }

// purged counts rows of one aggregate, or a reservation, that were removed.
func (x *run) purged() { x.count(func(r *mapper.ReconcileReport) { r.Purged++ }) }

// finding is a finding about a row.
type finding struct {
	mapper.Drift
	row string // its key: Key does not contain secret values
}

// identity has the fields that two findings about the same difference have in common.
type identity struct {
	kind                     mapper.DriftKind
	table, row, column, want string
}

func (f *finding) identity() identity { return identity{f.Kind, f.Table, f.row, f.Column, f.Want} }

// counted is the findings of a slice that it can find again: those about rows after the last checkpoint. If a page is read again after a
// failed request, they are neither counted nor reported again.
type counted struct {
	checkpoint   string
	before, page map[identity]bool // identities in the page of the checkpoint, and after it
}

// next begins another page after a checkpoint. A partition that does not end in a page has the checkpoint of the page before.
func (c *counted) next(checkpoint string) {
	if c.checkpoint != checkpoint {
		c.checkpoint, c.before, c.page = checkpoint, c.page, nil
	}
}

// add adds a finding, and reports whether it is a new one.
func (c *counted) add(i identity) bool {
	if c.before[i] || c.page[i] {
		return false
	}
	if c.page == nil {
		c.page = map[identity]bool{}
	}
	c.page[i] = true
	return true
}

// isNew reports whether a finding has not been counted.
func (x *run) isNew(d *finding) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.counted.add(d.identity())
}

// nextPage ends a page.
func (x *run) nextPage(checkpoint string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.counted.next(checkpoint)
}

// addFinding records a finding.
func (x *run) addFinding(d finding) {
	if !x.isNew(&d) {
		return
	}
	one := mapper.ReconcileReport{Found: map[string]map[mapper.DriftKind]int64{d.Table: {d.Kind: 1}}}
	if d.Repaired {
		one.Repaired = 1
	}
	x.count(func(r *mapper.ReconcileReport) { r.Add(&one) })
	all := x.all()
	all.mu.Lock()
	defer all.mu.Unlock()
	if x.config.Found != nil {
		x.config.Found(d.Drift)
	}
}

// drift returns a finding about a row of a table of a root.
func drift(kind mapper.DriftKind, r call.Root, t *plan.Table, row cell.Row) finding {
	d := mapper.Drift{Kind: kind, Aggregate: r.Codec.Table.Aggregate, Table: t.Name, Key: t.KeyText(row)}
	return finding{d, call.KeyString(row, min(t.Key, len(row)))}
}

// valueText returns a value of a column for a finding.
func valueText(c *descriptor.Column, v cell.Cell) string {
	switch {
	case v == nil:
		return "null"
	case c.Secret:
		return "…"
	}
	return cell.Format(c.Type, v)
}

// keyed is a row of a root.
type keyed interface{ primaryKey() cell.Row }

// forEachRow calls do for each row of a page, several at a time, and repeats it after an error. An error about a row is a finding.
func forEachRow[T keyed](ctx context.Context, x *run, r call.Root, page []T, do func(context.Context, T) error) error {
	return call.ForEach(ctx, x.db.Env.Parallel(scan.FillParallel), page, func(ctx context.Context, row T) error {
		err := scan.Retry(ctx, x.db, func() error { return do(ctx, row) })
		if call.IsRowError(err) {
			x.newRootCheck(r).unprojectable(row.primaryKey(), err)
			return nil
		}
		return err
	})
}

// tolerant makes a scan report errors about rows of a table as findings, which do not end it.
func tolerant[T any](x *run, s *scan.RowScan[T], t *plan.Table) *scan.RowScan[T] {
	s.Read.Table = t
	s.Refuse = func(rows []error) error {
		for _, err := range rows {
			d := mapper.Drift{Kind: mapper.DriftUnprojectable, Aggregate: s.Root.Codec.Table.Aggregate, Table: t.Name, Reason: err.Error()}
			x.addFinding(finding{d, err.Error()})
		}
		return nil
	}
	return s
}
