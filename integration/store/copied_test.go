package store

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/codegen/explain"
	"github.com/cassaml/cassaml/integration/models/repair"
	"github.com/cassaml/cassaml/integration/storetest"
	"github.com/cassaml/cassaml/mapper"
)

const repairModel = "../models/repair"

// onRepair runs a test on stores with two units and two clusters.
func onRepair(t *testing.T, test func(t *testing.T, s *repair.Store, sent *storetest.Requests)) {
	t.Parallel()
	onStores(t, generated[*repair.Store]{repair.Schema, repair.Open, repair.OpenBackend}, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		for _, c := range []repair.Cluster{{Name: "a", Region: "south"}, {Name: "b", Region: "north"}} {
			require.NoError(t, s.Clusters.Insert(t.Context(), &c))
		}
		require.NoError(t, s.Units.Insert(t.Context(), &repair.Unit{Cluster: "a", Number: 1, Keyspace: "shop", Threads: 4}))
		require.NoError(t, s.Units.Insert(t.Context(), &repair.Unit{Cluster: "a", Number: 2, Keyspace: "bank", Threads: 8, Owner: new("eva")}))
		sent.Drain()
		test(t, s, sent)
	})
}

// targetReads returns the statements of the reads of targets among requests.
func targetReads(sent []mapper.Request) (out []string) {
	for _, q := range sent {
		for _, s := range q.Statements {
			for _, table := range []string{"units", "clusters"} {
				if strings.Contains(s.CQL, " FROM "+table+" ") {
					out = append(out, table)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// requireExplained requires that the requests of an operation are those that aml explain prints, in the same order. Reads of targets are sent in
// parallel, so they have one place.
func requireExplained(t *testing.T, table, name string, sent []mapper.Request) {
	t.Helper()
	require.NotEmpty(t, sent)
	o := operation(t, explained(t, repairModel, table), name)
	all := slices.Concat(o.Requests, o.After)
	place := func(i int) int {
		for i > 0 && isTarget(all[i]) && isTarget(all[i-1]) {
			i--
		}
		return i
	}
	at := 0
	for _, q := range sent {
		found := false
		for i := at; i < len(all) && !found; i++ {
			if found = !slices.ContainsFunc(q.Statements, func(s mapper.Statement) bool { return !texts(all[i])[s.CQL] }); found {
				at = place(i)
			}
		}
		if !found {
			require.True(t, o.ByField && q.Timestamp != 0, "%s sends %v", name, q.Statements)
			at = len(o.Requests)
		}
	}
}

func isTarget(r *explain.Request) bool { return strings.Contains(r.If, "of a reference that is new") }

func schedule() *repair.Schedule {
	return &repair.Schedule{ID: 1, Cluster: "a", Unit: 1, Keyspace: "wrong", Owner: new("wrong"), State: "new", Backup: new("b"), Region: new("wrong")}
}

// Each write of a root without a version that adds or changes a reference reads its target, and overwrites the copied fields.
func TestCopiedFieldsOfPlainRoot(t *testing.T) {
	onRepair(t, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		ctx := t.Context()
		v, both := schedule(), []string{"clusters", "units"}
		wants := func(op string, targets []string, want *repair.Schedule) {
			t.Helper()
			requests := sent.Drain()
			requireExplained(t, "schedules", op, requests)
			require.Equal(t, targets, targetReads(requests), op)
			got, err := s.Schedules.Get(ctx, want.ID)
			require.NoError(t, err)
			require.Equal(t, want, got, op)
			rows, err := s.SchedulesByKeyspace.Get(ctx, want.Keyspace, want.ID)
			require.NoError(t, err)
			require.Equal(t, want.State, rows.State)
			sent.Drain()
		}
		want := &repair.Schedule{ID: 1, Cluster: "a", Unit: 1, Keyspace: "shop", State: "new", Backup: new("b"), Region: new("north")}
		require.NoError(t, s.Schedules.Insert(ctx, v))
		require.Equal(t, want, v, "the value has the copied fields, too")
		wants("Insert", both, want)

		v.State, v.Keyspace = "run", "wrong"
		want.State = "run"
		require.NoError(t, s.Schedules.Put(ctx, v))
		wants("Put", nil, want)
		v.Unit = 2
		want.Unit, want.Keyspace, want.Owner = 2, "bank", new("eva")
		require.NoError(t, s.Schedules.Put(ctx, v))
		wants("Put", []string{"units"}, want)

		got, err := s.Schedules.Update(ctx, 1, func(v *repair.Schedule) error {
			v.State, v.Keyspace, v.Region = "done", "wrong", nil
			return nil
		})
		require.NoError(t, err)
		want.State = "done"
		require.Equal(t, want, got)
		wants("Update", nil, want)
		_, err = s.Schedules.Update(ctx, 1, func(v *repair.Schedule) error { v.Unit, v.Backup = 1, nil; return nil })
		require.NoError(t, err)
		want.Unit, want.Keyspace, want.Owner, want.Backup, want.Region = 1, "shop", nil, nil, nil
		wants("Update", []string{"units"}, want)

		old, changed := *want, *want
		changed.Unit, changed.Backup, changed.Keyspace = 2, new("a"), ""
		require.NoError(t, s.Schedules.Change(ctx, &old, &changed))
		want.Unit, want.Keyspace, want.Owner, want.Backup, want.Region = 2, "bank", new("eva"), new("a"), new("south")
		wants("Change", both, want)

		written, err := s.With(mapper.Options{Timestamp: time.Now().Add(-time.Hour).UnixMicro()}).Schedules.Import(ctx, &repair.Schedule{ID: 2, Cluster: "a", Unit: 2})
		require.NoError(t, err)
		require.True(t, written)
		wants("Import", []string{"units"}, &repair.Schedule{ID: 2, Cluster: "a", Unit: 2, Keyspace: "bank", Owner: new("eva")})

		_, err = s.Schedules.InsertAll(ctx, values(&repair.Schedule{ID: 3, Cluster: "a", Unit: 1}, &repair.Schedule{ID: 4, Cluster: "a", Unit: 1}), mapper.BulkConfig{})
		require.NoError(t, err)
		require.Equal(t, []string{"units"}, targetReads(sent.Drain()), "a target is read once")
		for _, id := range []int32{3, 4} {
			got, err := s.Schedules.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, "shop", got.Keyspace)
		}
	})
}

func values[T any](all ...*T) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, v := range all {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// A root without redundant tables reads the target, too; a Put of it reads nothing else.
func TestCopiedFieldsWithoutRedundantTable(t *testing.T) {
	onRepair(t, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Segments.Put(ctx, &repair.Segment{Run: 1, Number: 1, Cluster: "a"}))
		requests := sent.Drain()
		require.Len(t, requests, 2)
		requireExplained(t, "segments", "Put", requests)
		got, err := s.Segments.Get(ctx, 1, 1)
		require.NoError(t, err)
		require.Equal(t, &repair.Segment{Run: 1, Number: 1, Cluster: "a", Region: "south"}, got)

		_, err = s.Segments.InsertAll(ctx, values(&repair.Segment{Run: 1, Number: 2, Cluster: "a"}, &repair.Segment{Run: 1, Number: 3, Cluster: "b"}), mapper.BulkConfig{})
		require.NoError(t, err)
		got, err = s.Segments.Get(ctx, 1, 3)
		require.NoError(t, err)
		require.Equal(t, "north", got.Region)
	})
}

// Each save of a versioned root that adds or changes a reference reads its target.
func TestCopiedFieldsOfVersionedRoot(t *testing.T) {
	onRepair(t, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		ctx := t.Context()
		both := []string{"clusters", "units"}
		wants := func(op string, targets []string, v *repair.Run, threads int32, region string) {
			t.Helper()
			requests := sent.Drain()
			requireExplained(t, "runs", op, requests)
			require.Equal(t, targets, targetReads(requests), op)
			require.Equal(t, []any{threads, region}, []any{v.Threads, v.Region}, op)
			got, err := s.Runs.Get(ctx, v.ID)
			require.NoError(t, err)
			require.Equal(t, v, got, op)
			row, err := s.RunsByRegion.Get(ctx, region, v.ID)
			require.NoError(t, err)
			require.Equal(t, v.State, row.State)
			sent.Drain()
		}
		v := &repair.Run{ID: 1, Cluster: "a", Unit: 1, Threads: 99, Main: "a", State: "new"}
		require.NoError(t, s.Runs.Insert(ctx, v))
		wants("Insert", both, v, 4, "south")
		v.Threads, v.State = 99, "run"
		require.NoError(t, s.Runs.Put(ctx, v))
		wants("Put", nil, v, 4, "south")
		v.Unit = 2
		require.NoError(t, s.Runs.Put(ctx, v))
		wants("Put", []string{"units"}, v, 8, "south")
		v, err := s.Runs.Update(ctx, 1, func(v *repair.Run) error { v.Main, v.Region, v.Threads = "b", "", 1; return nil })
		require.NoError(t, err)
		wants("Update", []string{"clusters"}, v, 8, "north")
		changed := *v
		changed.Unit, changed.Region = 1, ""
		require.NoError(t, s.Runs.Change(ctx, v, &changed))
		wants("Change", []string{"units"}, &changed, 4, "north")
		v, err = s.Runs.Upsert(ctx, 2, func(v *repair.Run, exists bool) error { v.Cluster, v.Unit, v.Main = "a", 2, "b"; return nil })
		require.NoError(t, err)
		wants("Upsert", both, v, 8, "north")
		v = &repair.Run{ID: 3, Cluster: "a", Unit: 2, Main: "a"}
		found, err := s.Runs.InsertOrGet(ctx, v)
		require.NoError(t, err)
		require.Nil(t, found)
		wants("InsertOrGet", both, v, 8, "south")
	})
}

// A write of a reference to a root that does not exist, or that was deleted, is refused, and nothing is saved.
func TestCopiedFieldsWithoutTarget(t *testing.T) {
	onRepair(t, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Clusters.Delete(ctx, "b"))
		require.NoError(t, s.Segments.Insert(ctx, &repair.Segment{Run: 1, Number: 1, Cluster: "a"}))
		unit := mapper.Violation{Path: "Cluster, Unit", Problem: "is a reference, and there is no Unit (units cluster='a', number=9)"}
		cluster := func(path string) mapper.Violation {
			return mapper.Violation{Path: path, Problem: "is a reference, and there is no Cluster (clusters name='b')"}
		}
		refuses := func(err error, want ...mapper.Violation) {
			t.Helper()
			var refused *mapper.ConstraintError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, want, refused.Violations)
			for _, q := range sent.Drain() {
				require.Zero(t, q.Timestamp, "a write is sent: %v", q.Statements)
			}
		}
		sent.Drain()
		plain, run := &repair.Schedule{ID: 1, Cluster: "a", Unit: 9, Backup: new("b")}, &repair.Run{ID: 1, Cluster: "a", Unit: 9, Main: "b"}
		refuses(s.Schedules.Insert(ctx, plain), unit, cluster("Backup"))
		refuses(s.Schedules.Put(ctx, plain), unit, cluster("Backup"))
		_, err := s.Schedules.InsertAll(ctx, values(plain), mapper.BulkConfig{})
		refuses(err, unit, cluster("Backup"))
		_, err = s.With(mapper.Options{Timestamp: 1}).Schedules.Import(ctx, plain)
		refuses(err, unit, cluster("Backup"))
		_, err = s.Segments.Update(ctx, 1, 1, func(v *repair.Segment) error { v.Cluster = "b"; return nil })
		refuses(err, cluster("Cluster"))
		old := &repair.Segment{Run: 1, Number: 1, Cluster: "a", Region: "south"}
		refuses(s.Segments.Change(ctx, old, &repair.Segment{Run: 1, Number: 1, Cluster: "b"}), cluster("Cluster"))
		refuses(s.Runs.Insert(ctx, run), unit, cluster("Main"))
		_, err = s.Runs.InsertOrGet(ctx, run)
		refuses(err, unit, cluster("Main"))
		refuses(s.Runs.Put(ctx, run), unit, cluster("Main"))
		_, err = s.Runs.Upsert(ctx, 1, func(v *repair.Run, _ bool) error { v.Cluster, v.Unit, v.Main = "a", 9, "b"; return nil })
		refuses(err, unit, cluster("Main"))
	})
}

// A target that is deleted and inserted again can have another value: the copies stay, and Reconcile reports them.
func TestReconcileCopiedFields(t *testing.T) {
	onRepair(t, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Schedules.Insert(ctx, schedule()))
		require.NoError(t, s.Segments.Insert(ctx, &repair.Segment{Run: 1, Number: 1, Cluster: "a"}))
		require.NoError(t, s.Runs.Insert(ctx, &repair.Run{ID: 1, Cluster: "a", Unit: 1, Main: "a"}))
		requireDrift(t, s)
		require.NoError(t, s.Clusters.Delete(ctx, "a"))
		requireDrift(t, s)
		require.NoError(t, s.Clusters.Insert(ctx, &repair.Cluster{Name: "a", Region: "west"}))
		require.NoError(t, s.Units.Put(ctx, &repair.Unit{Cluster: "a", Number: 1, Keyspace: "other", Threads: 5}))
		requireDrift(t, s, "runs id=1: Threads, Region", "schedules id=1: Keyspace", "segments run=1, number=1: Region")
		got, err := s.Segments.Get(ctx, 1, 1)
		require.NoError(t, err)
		require.Equal(t, "south", got.Region, "it is not repaired")
	})
}

// requireDrift requires the copied fields that Reconcile reports.
func requireDrift(t *testing.T, s *repair.Store, want ...string) {
	t.Helper()
	var found []string
	report, err := s.Reconcile(t.Context(), mapper.ReconcileConfig{Found: func(d mapper.Drift) {
		require.Equal(t, mapper.DriftStale, d.Kind)
		require.False(t, d.Repaired)
		_, fields, _ := strings.Cut(d.Reason, ": ")
		found = append(found, d.Table+" "+d.Key+": "+fields)
	}})
	require.NoError(t, err)
	require.Equal(t, want == nil, report.Clean())
	slices.Sort(found)
	require.Equal(t, want, found)
}

// A row that was written before its copied field was added to the model gets it from the next save.
func TestCopiedFieldsOfEarlierRows(t *testing.T) {
	onRepair(t, func(t *testing.T, s *repair.Store, sent *storetest.Requests) {
		ctx := t.Context()
		require.NoError(t, s.Segments.Insert(ctx, &repair.Segment{Run: 1, Number: 1, Cluster: "a"}))
		old := &repair.Segment{Run: 1, Number: 1, Cluster: "a"}
		changed := *old
		changed.Host = "h"
		require.NoError(t, s.Segments.Change(ctx, old, &changed))
		require.Equal(t, "south", changed.Region)
	})
}

// A batch has no writes of roots with copied fields, because they read.
func TestNoBatchOfCopiedFields(t *testing.T) {
	m := modelOf(t, repairModel)
	var tables []string
	for _, b := range explain.New(m, schema.New(m)).Batch.Tables {
		tables = append(tables, b.Name)
	}
	require.Equal(t, []string{"units"}, tables)
}

// No method writes a reference or a copied field alone.
func TestCopiedFieldsHaveNoSetMethod(t *testing.T) {
	for _, f := range explained(t, repairModel, "segments").Fields {
		switch f.Name {
		case "cluster":
			require.Equal(t, "Region is a copy of a field of the Cluster that it refers to", f.NoSet)
		case "region":
			require.Equal(t, "it is a copy of a field of Cluster", f.NoSet)
		default:
			require.NotNil(t, f.Set, f.Name)
		}
	}
}
