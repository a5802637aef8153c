package simulation

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gocql/gocql"
	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/integration/models/trace"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
)

// TestTraceSchedules runs clients of a root that is large, whose copies are logged, unlogged, and shared with a cache: requests are
// lost, late or of unknown outcome, and clients die between the pieces of a write. In every other schedule the calls do not overlap:
// then a call that returns nil without reporting unwritten rows leaves the copies equal to the projections of the roots, as long
// as no call before it has failed. In the end one run of Reconcile leaves no difference, and the next one writes nothing.
func TestTraceSchedules(t *testing.T) {
	simulate(t, 10, func(w *world) {
		m := &spanWorld{world: w, clean: w.rng.IntN(2) == 0}
		m.truth = m.open(w.observer())
		if m.clean {
			w.between = m.check
		}
		for range 1 + w.rng.IntN(3) {
			c := &spanClient{client: w.client(), m: m, known: map[int64]*trace.Span{}}
			c.store = m.open(c.client)
			w.start(c.client, c.call)
		}
		if w.run(); w.fault == "" {
			m.finish()
		}
	})
}

// spanWorld is a world in which clients change spans.
type spanWorld struct {
	*world
	truth *trace.Store
	clean bool // no call has failed so far
	last  *invocation
	lost  bool        // by the last call: rows of unlogged copies
	wrote *trace.Span // by the last call, if it has written its rows and lost none
}

const spanIDs = 3

var spanTrace = gocql.UUID{15: 1}

// lossy is a tracer that marks a world if rows of unlogged copies may not be written.
type lossy struct{ m *spanWorld }

func (l lossy) Start(ctx context.Context, _ mapper.Request) context.Context { return ctx }
func (l lossy) End(context.Context, mapper.RequestResult)                   {}
func (l lossy) Unwritten(context.Context, mapper.Unwritten)                 { l.m.clean, l.m.lost = false, true }

// open opens a store whose batches are so small that most writes are split.
func (m *spanWorld) open(c *client) *trace.Store {
	config := c.config([]int{300, 600, 2000}[m.rng.IntN(3)])
	config.Tracer = lossy{m}
	s, err := trace.OpenBackend(m.t.Context(), c, config)
	require.NoError(m.t, err)
	return s
}

// check compares the tables after a call.
func (m *spanWorld) check() {
	if x := m.last; x != nil && (mapper.OutcomeUnknown(x.err) || errors.Is(x.err, errDead)) {
		m.clean = false
	}
	if m.clean {
		m.checkCopies()
	}
	if m.wrote != nil && !m.lost { // also if an earlier call has lost the row of the shared copy
		m.requireOperation(cell.Row{cell.Cell(m.wrote.Service), cell.Cell(m.wrote.Operation)})
	}
}

// requireOperation requires a row of the shared copy.
func (m *spanWorld) requireOperation(want cell.Row) {
	for _, r := range m.rows("operations") {
		if rowText(r.row) == rowText(want) {
			return
		}
	}
	m.failf("operations has no row %s", rowText(want))
}

// finish reconciles the tables twice.
func (m *spanWorld) finish() {
	m.between = nil
	m.pass()
	m.reconcile()
	m.checkCopies()
	m.now += 1_000_000
	if report, writes := m.reconcile(); writes > 0 || !report.Clean() {
		m.failf("a second run writes %d times: %+v", writes, report)
	}
}

// reconcile compares the spans with their copies, without faults.
func (m *spanWorld) reconcile() (report *mapper.ReconcileReport, writes int) {
	c := m.observer()
	report, err := m.open(c).Reconcile(m.t.Context(), m.reconcileConfig("spans", func(d mapper.Drift) { m.logf("found %+v", d) }))
	if err != nil {
		m.failf("reconcile: %v", err)
	}
	return report, c.writes
}

// checkCopies compares the copies with the projections of the roots. The shared copy can have rows of former roots, too.
func (m *spanWorld) checkCopies() {
	want := projections{}
	for _, r := range m.rows("spans") {
		want.one("spans_by_service", r, true, "service", "trace", "id", "logs")
		for line, log := range r.elements("logs") {
			at, text := fieldsOfLog(log)
			want["logs_by_time"] = append(want["logs_by_time"], rowText(append(cell.Row{at}, r.cell("trace"), r.cell("id"), lineOf(line), text)))
		}
		walk, count := cell.Elements(r.cell("tags"), 2)
		for range count {
			tag, value := walk.Next(), walk.Next()
			want["spans_by_tag"] = append(want["spans_by_tag"], rowText(append(cell.Row{tag, value}, r.cells("trace", "id")...)))
		}
		m.requireOperation(r.cells("service", "operation"))
	}
	m.compare(want, "spans_by_service", "logs_by_time", "spans_by_tag")
}

// fieldsOfLog returns the fields of a log, which has no null.
func fieldsOfLog(c cell.Cell) (at, text cell.Cell) { return c[4:12], c[16:] }

// lineOf returns the index of a log as an int.
func lineOf(i int) cell.Cell { return binary.BigEndian.AppendUint32(nil, uint32(i)) }

// spanClient makes random calls that change spans.
type spanClient struct {
	*client
	m     *spanWorld
	store *trace.Store
	known map[int64]*trace.Span // as they were last read or written
}

func (c *spanClient) call(x *invocation) {
	m, table, ctx := c.m, c.store.Spans, context.Background()
	id := int64(c.w.rng.IntN(spanIDs))
	x.id, m.last, m.lost, m.wrote = int32(id), x, false, nil
	before := c.writes
	old := c.known[id]
	if m.between != nil { // what others have written since, because a Change must have the row
		old, _ = m.truth.Spans.Get(ctx, spanTrace, id)
	}
	v := c.changed(trace.Span{Trace: spanTrace, ID: id})
	switch n := c.w.rng.IntN(10); {
	case n < 3 && old == nil:
		x.op, x.err = "Insert", table.Insert(ctx, v)
	case n < 4:
		x.op, x.err = "Put", table.Put(ctx, v)
	case n < 5:
		x.op, x.err = "Delete", table.Delete(ctx, spanTrace, id)
		v = nil
	case n < 8 && old != nil:
		x.op, v = "Change", c.changed(*old)
		x.err = table.Change(ctx, old, v)
	default:
		x.op = "Update"
		v, x.err = table.Update(ctx, spanTrace, id, func(v *trace.Span) error { *v = *c.changed(*v); return nil })
	}
	if c.dead {
		x.err = errors.Join(x.err, errDead)
	}
	if x.err == nil {
		if c.known[id] = v; c.writes > before {
			m.wrote = v
		}
	}
}

// changed returns a span with some values changed.
func (c *spanClient) changed(v trace.Span) *trace.Span {
	r := c.w.rng
	if v.Service == "" || c.w.chance(40) {
		v.Service = fmt.Sprintf("s%d", r.IntN(c.w.values+1))
	}
	if v.Operation == "" || c.w.chance(40) {
		v.Operation = fmt.Sprintf("o%d", r.IntN(c.w.values+1))
	}
	if c.w.chance(50) {
		v.Tags = nil
		for range r.IntN(3) {
			if v.Tags == nil {
				v.Tags = map[string]string{}
			}
			v.Tags[fmt.Sprintf("t%d", r.IntN(3))] = fmt.Sprintf("v%d", r.IntN(c.w.values+1))
		}
	}
	if c.w.chance(50) {
		v.Logs = nil
		for i := range r.IntN(5) {
			v.Logs = append(v.Logs, trace.Log{At: int64(i + r.IntN(3)), Text: strings.Repeat("x", 1+r.IntN(80))})
		}
	}
	return &v
}
