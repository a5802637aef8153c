package projection_test

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scylladb/gocqlx/v2"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/integration/cassandra"
	"github.com/cassaml/cassaml/integration/corpus"
	"github.com/cassaml/cassaml/integration/projection"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver/gocqldriver"
	"github.com/cassaml/cassaml/mapper/gen"
	"github.com/cassaml/cassaml/mapper/memory"
)

var reconcileCases = flag.Int("projection-reconcile-cases", 200, "the number of random databases that are reconciled in memory")

const reconcilesOfModel = 10

// After a run of Reconcile the copies equal the projection of the root, whatever overlapping writers and lost parts of
// batches have left, and another run writes nothing.
func TestReconciledCopiesEqualTheProjection(t *testing.T) {
	from, tally := firstSeed(t), newTally()
	for i := range *reconcileCases / reconcilesOfModel {
		r := rand.New(rand.NewPCG(from, uint64(10_000_000+i)))
		c := lasting(t, r, "", tally)
		for range reconcilesOfModel {
			d := newDrifting(t, c, r, tally)
			d.write(2 + r.IntN(6))
			d.now = d.now.Add(mapper.DefaultGrace + 2*mapper.DefaultMaxClockSkew + time.Duration(r.IntN(3000))*time.Second)
			d.check()
		}
	}
	t.Log(tally)
	for _, kind := range []string{"missing", "orphan", "stale"} {
		require.Greater(t, 4*tally.n["found "+kind], tally.n["cases"], kind)
	}
	require.Greater(t, tally.n["rows compared"], 2*tally.n["cases"])
	require.Positive(t, tally.n["found two owners"])
}

var ttlOption = regexp.MustCompile(`ttl=(\d+)`)

// lasting returns a random model whose rows do not all expire within the grace.
func lasting(t *testing.T, r *rand.Rand, prefix string, tally *tally) *projection.Compiled {
	t.Helper()
	known, err := imports()
	require.NoError(t, err)
	for {
		source := ttlOption.ReplaceAllString(string(corpus.Projected(r, prefix).Source()), "ttl=${1}00")
		if c, err := projection.Compile(source, known); err == nil && len(c.Copies) > 0 {
			return c
		}
		tally.add("models rejected", 1)
	}
}

// drifting is a database of one model whose copies drift.
type drifting struct {
	t       *testing.T
	c       *projection.Compiled
	r       *rand.Rand
	draw    projection.Drawer
	tally   *tally
	now     time.Time
	backend *memory.Backend
	session *gocqlx.Session              // instead of the backend; nil: none
	keys    map[string]projection.Record // one instance of each key that was written
	log     []string

	requests storetest.Requests // of a node
}

func newDrifting(t *testing.T, c *projection.Compiled, r *rand.Rand, tally *tally) *drifting {
	t.Helper()
	d := &drifting{t: t, c: c, r: r, draw: projection.Drawer{Rand: r, C: c}, tally: tally, now: time.UnixMicro(firstWrite), keys: map[string]projection.Record{}}
	d.backend = memory.New(memory.Config{Now: func() time.Time { return d.now }})
	return d
}

// db opens the database for a client whose clock is some microseconds ahead.
func (d *drifting) db(ahead int) *gen.DB {
	now := d.now.Add(time.Duration(ahead) * time.Microsecond)
	config := mapper.Config{Now: func() time.Time { return now }, MaxClockSkew: -1, Logger: slog.New(slog.DiscardHandler)}
	if d.session != nil {
		config.Tracer = &d.requests
		db, err := gen.Open(d.t.Context(), gocqldriver.New(*d.session), config, d.c.Descriptors())
		require.NoError(d.t, err)
		return db
	}
	db, err := gen.OpenBackend(d.t.Context(), d.backend, d.c.PartDescriptors(), config)
	require.NoError(d.t, err)
	return db
}

// write makes rounds of overlapping writes.
func (d *drifting) write(rounds int) {
	for range rounds {
		d.now = d.now.Add(time.Duration(1+d.r.IntN(100)) * time.Second)
		old := d.old()
		order := d.r.Perm(1 + d.r.IntN(3))
		for _, ahead := range order {
			d.writeOnce(old, 10*ahead)
		}
	}
}

// old returns the instance from which the writers of a round start.
func (d *drifting) old() projection.Record {
	if len(d.keys) == 0 || d.r.IntN(4) == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(d.keys))
	old := d.keys[names[d.r.IntN(len(names))]]
	if now := d.get(old); now != nil {
		return now
	}
	return old
}

// get reads an instance; nil if there is none.
func (d *drifting) get(like projection.Record) projection.Record {
	v, err := gen.Get(d.t.Context(), d.c.Open(d.db(0)).Reader, d.c.Key(like))
	if err != nil {
		require.ErrorIs(d.t, err, mapper.ErrNotFound)
		return nil
	}
	return d.c.Stored(v.Row)
}

// writeOnce makes one write of a program that loses parts of some of its batches.
func (d *drifting) writeOnce(old projection.Record, ahead int) {
	ctx := d.t.Context()
	whole, root := d.r.IntN(2) == 0, d.r.IntN(4) > 0 || d.session != nil
	copies := slices.DeleteFunc(slices.Clone(d.c.Copies), func(*projection.Table) bool { return !whole && d.r.IntN(2) == 0 })
	program := d.c.OpenPart(d.db(ahead), root || whole, copies)
	new := d.draw.Instance(nil)
	if old != nil {
		new = d.draw.Variation(old)
	}
	if !d.valid(new) || !d.valid(old) {
		return
	}
	what := fmt.Sprintf("%v +%d root %v, %d copies:", d.now.UnixMicro(), ahead, root || whole, len(copies))
	d.keys[d.c.RootRow(new).Key] = new
	switch {
	case old == nil || d.r.IntN(6) == 0:
		d.logf("%s insert %v", what, new)
		require.NoError(d.t, gen.Insert(ctx, program, &projection.Instance{Row: new}))
	case d.r.IntN(6) == 0:
		d.logf("%s delete %v", what, old)
		require.NoError(d.t, gen.Delete(ctx, program, d.c.Key(old)))
	default:
		d.logf("%s change %v\n      to %v", what, old, new)
		require.NoError(d.t, gen.Change(ctx, program, &projection.Instance{Row: old}, &projection.Instance{Row: new}))
	}
}

// valid reports whether an instance has rows in all copies.
func (d *drifting) valid(v projection.Record) bool {
	return !slices.ContainsFunc(d.c.Copies, func(t *projection.Table) bool { _, problem := d.c.Rows(t, v); return problem != "" })
}

func (d *drifting) logf(format string, args ...any) {
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

// reconcile runs Reconcile and returns its findings and the number of its writes.
func (d *drifting) reconcile() (report *mapper.ReconcileReport, found []mapper.Drift, writes int) {
	var written atomic.Int64
	d.backend.Intercept(func(q memory.Request) memory.Outcome {
		if q.Write {
			written.Add(1)
		}
		return memory.Done
	})
	defer d.backend.Intercept(nil)
	if d.session != nil {
		d.now = time.Now()
	}
	db := d.db(0)
	d.requests.Drain()
	config := mapper.ReconcileConfig{Slices: 1 + d.r.IntN(3), Parallel: 1, Found: func(x mapper.Drift) { found = append(found, x) }}
	report, err := gen.Reconcile(context.Background(), db, config, d.c.Open(db))
	require.NoError(d.t, err, d.text())
	if d.session != nil {
		return report, found, len(d.requests.Writes())
	}
	return report, found, int(written.Load())
}

func (d *drifting) text() string { return strings.Join(d.log, "\n") + "\n" + d.c.Source }

// check reconciles, compares all copies, and reconciles again.
func (d *drifting) check() {
	d.t.Helper()
	d.tally.add("cases", 1)
	report, found, _ := d.reconcile()
	for _, f := range found {
		d.tally.add("found "+f.Kind.String(), 1)
		d.logf("found %+v", f)
	}
	if ambiguous := d.compare(report); ambiguous {
		d.tally.add("ambiguous rows", 1)
		return
	}
	d.require(0, int(report.TooRecent), "later")
	for _, f := range found {
		d.require(true, f.Repaired || unresolved(f), "%+v", f)
	}
	report, found, writes := d.reconcile()
	d.require(0, writes, "writes of the second run")
	d.require(0, int(report.TooRecent), "later in the second run")
	for _, f := range found {
		d.logf("again %+v", f)
		d.require(true, unresolved(f), "%+v", f)
	}
}

// unresolved reports whether Reconcile cannot repair what it found.
func unresolved(f mapper.Drift) bool {
	return f.Kind == mapper.DriftTwoOwners || f.Kind == mapper.DriftUnprojectable
}

func (d *drifting) require(want, have any, format string, args ...any) {
	d.t.Helper()
	require.Equal(d.t, want, have, "%s\n%s", fmt.Sprintf(format, args...), d.text())
}

// rowsOf is the values of rows by place, by the key of the row. Static values have the key of the partition.
type rowsOf map[string]map[projection.Place]string

func (r rowsOf) put(key string, at projection.Place, value string) {
	if r[key] == nil {
		r[key] = map[projection.Place]string{}
	}
	if at.Column != "" {
		r[key][at] = value
	}
}

// cells reads the cells of a table.
func (d *drifting) cells(table *projection.Table) []projection.Cell {
	d.t.Helper()
	read := cellsOf(d.backend, d.now)
	if d.session != nil {
		read = func(t *projection.Table) ([]projection.Cell, error) { return nodeCells(d.t.Context(), *d.session, t) }
	}
	cells, err := read(table)
	require.NoError(d.t, err)
	return cells
}

func (d *drifting) held(table *projection.Table) rowsOf {
	out := rowsOf{}
	for _, c := range d.cells(table) {
		value := canonicalCell(table, c)
		if i := slices.IndexFunc(table.Columns, func(x *schema.Column) bool { return x.Name == c.Column && x.Type.MultiCell() }); i >= 0 {
			path, err := hex.DecodeString(c.Path)
			require.NoError(d.t, err)
			c.Path = hex.EncodeToString(canonicalPath(table.Columns[i].Attribute.Type, path))
		}
		out.put(c.Key, c.Place, value)
	}
	return out
}

// canonicalCell returns the value of a cell with sorted sets and maps: a frozen set in memory has the order of its write.
func canonicalCell(table *projection.Table, c projection.Cell) string {
	i := slices.IndexFunc(table.Columns, func(x *schema.Column) bool { return x.Name == c.Column })
	switch {
	case i < 0:
		return c.Value
	case !table.Columns[i].Type.MultiCell():
		return canonical(table.Columns[i].Attribute.Type, []byte(c.Value))
	}
	field, err := strconv.ParseUint(c.Path, 16, 16)
	if !table.Columns[i].Type.UDT {
		field, err = 0, nil
	}
	if err != nil {
		panic(err)
	}
	return canonical(partTypes(table.Columns[i].Attribute.Type)(int(field)), []byte(c.Value))
}

// wanted is the expected rows of a copy.
type wanted struct {
	rows    rowsOf
	of      map[string]string // the root of each row
	claimed map[string]bool   // by two roots
	aged    map[string]bool   // rows that have expired if their oldest source was the last that changed
	invalid int               // roots that have no projection
}

func (d *drifting) wanted(table *projection.Table) wanted {
	w := wanted{rowsOf{}, map[string]string{}, map[string]bool{}, map[string]bool{}, 0}
	for key, like := range d.keys {
		root := d.get(like)
		rows, _ := d.c.Rows(table, root)
		valid := d.valid(root)
		if !valid {
			w.invalid++
		}
		for _, r := range rows {
			w.claimed[r.Key] = w.claimed[r.Key] || w.of[r.Key] != ""
			if w.of[r.Key] = key; !valid { // its copies are not changed
				continue
			}
			w.aged[r.Key] = !d.timed(root, r) || d.oldest(key)+int64(table.TTL)*1e6 <= d.now.UnixMicro()
			w.rows.put(r.Key, projection.Place{}, "")
			for at, x := range r.Cells {
				if at.Static {
					w.rows.put(r.Partition, at, x.Value)
				} else {
					w.rows.put(r.Key, at, x.Value)
				}
			}
		}
	}
	return w
}

// onlyStatic reports whether a row is the static values of a partition.
func onlyStatic(row map[projection.Place]string) bool {
	for at := range row {
		if at.Static {
			return true
		}
	}
	return false
}

// ownerless reports whether a row that two roots can claim lacks a part of the key of its root: Reconcile cannot find its root.
func (d *drifting) ownerless(table *projection.Table, row map[projection.Place]string) bool {
	p := d.c.Root.Projections[slices.IndexFunc(d.c.Root.Projections, func(p *schema.Projection) bool { return p.Table == table.Table })]
	return slices.ContainsFunc(p.Owner(), func(k schema.KeyPlace) bool {
		column := table.Columns[k.Column]
		value, there := row[projection.Place{Column: column.Name}]
		switch {
		case k.Column < len(table.Key()):
			return false
		case k.Field < 0:
			return !there
		case column.Type.MultiCell():
			_, there = row[projection.Place{Column: column.Name, Path: fmt.Sprintf("%04x", k.Field)}]
			return !there
		}
		return !there || projection.Cut([]byte(value))[k.Field] == nil
	})
}

// timed reports whether a value of the root from which a row derives has a write time.
func (d *drifting) timed(root projection.Record, row projection.Row) bool {
	for _, x := range row.Cells {
		for name := range x.From {
			i, err := strconv.Atoi(strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == '[' })[0])
			require.NoError(d.t, err)
			if !d.c.Root.Aggregate.Attributes[i].Key && root[i] != nil {
				return true
			}
		}
	}
	return false
}

// oldest returns the oldest write time of a root's values.
func (d *drifting) oldest(key string) (at int64) {
	for _, c := range d.cells(d.c.Root) {
		if c.Key == key && c.Column != "" && (at == 0 || c.At < at) {
			at = c.At
		}
	}
	return at
}

// compare compares all copies with the projection of the roots. It returns true if two roots claim a row: if it contains
// the key of neither, each run can write it again.
func (d *drifting) compare(report *mapper.ReconcileReport) (ambiguous bool) {
	d.t.Helper()
	for _, table := range d.c.Copies {
		unproven := slices.Contains(report.NotSearched, table.Name)
		w, have := d.wanted(table), d.held(table)
		redundancy := table.Aggregate.Redundancy
		for key, row := range w.rows {
			switch {
			case w.claimed[key]:
				d.tally.add("rows of two roots", 1)
				ambiguous = true
				continue
			case table.TTL > 0 && w.aged[key]:
				d.tally.add("rows that may have expired", 1)
				continue
			case redundancy.Shared:
				d.require(true, have[key] != nil, "%s lacks %s", table.Name, key)
				continue
			}
			d.tally.add("rows compared", 1)
			d.require(row, have[key], "%s %s", table.Name, key)
		}
		if redundancy.Shared || unproven {
			continue
		}
		if w.invalid > 0 {
			d.tally.add("copies of invalid roots", 1)
			continue
		}
		for key, row := range have {
			if onlyStatic(row) {
				d.tally.add("static values of no row", 1)
				continue
			}
			if w.rows[key] == nil && d.ownerless(table, row) {
				d.tally.add("rows without an owner", 1)
				continue
			}
			d.require(true, w.rows[key] != nil, "%s has %s", table.Name, key)
		}
	}
	return ambiguous
}

var modelsToReconcile = flag.Int("projection-reconciles", 2, "the number of random models whose copies are reconciled on a node")

// The same on a real server, whose clock is that of the run: the writers were hours ago.
func TestReconciledCopiesOnANodeEqualTheProjection(t *testing.T) {
	cassandra.Requires(t, "5.0", "write times of columns that are not frozen")
	session := cassandra.Keyspace(t)
	from, tally := firstSeed(t), newTally()
	t.Run("models", func(t *testing.T) {
		for shard := range 4 {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for i := shard; i < *modelsToReconcile; i += 4 {
					r := rand.New(rand.NewPCG(from, uint64(11_000_000+i)))
					reconcileOnNode(t, session, lasting(t, r, fmt.Sprintf("r%d_", i), tally), r, tally)
				}
			})
		}
	})
	t.Log(tally)
	require.Equal(t, *modelsToReconcile, tally.n["cases"])
}

// reconcileOnNode runs one case of a model.
func reconcileOnNode(t *testing.T, session gocqlx.Session, c *projection.Compiled, r *rand.Rand, tally *tally) {
	t.Helper()
	for _, statement := range c.Schema.Statements() {
		require.NoError(t, session.ExecStmt(statement), statement)
	}
	require.NoError(t, session.AwaitSchemaAgreement(t.Context()))
	d := newDrifting(t, c, r, tally)
	d.now, d.session = time.Now().Add(-time.Hour), &session
	d.write(6 + r.IntN(6))
	d.now = time.Now()
	d.check()
}
