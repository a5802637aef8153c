package reconcile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// marker is a done-marker.
type marker struct {
	key cell.Row
	at  plan.Version
}

// markers returns the done-markers of the page, by the key of the root.
func (s *versionedScan) markers(ctx context.Context) (map[string]marker, error) {
	t := s.Root.Aggregate.Versioning.Done
	if t == nil {
		return nil, nil
	}
	out := make(map[string]marker, len(s.page))
	q := store.Read{Table: t, Within: true, After: s.PageStart, Until: s.PageEnd, Consistency: s.Read.Consistency}
	for row, err := range s.Root.DB.Store.Rows(ctx, q) {
		if err != nil {
			return nil, scan.ReadError{Err: fmt.Errorf("read %s: %w", t.Name, err)}
		}
		at, err := plan.DecodeBigint(row[t.Key])
		if err != nil {
			return nil, err
		}
		out[call.KeyString(row, t.Key)] = marker{plan.CloneRow(row[:t.Key]), at}
	}
	return out, s.x.read(ctx, len(out))
}

// purgeMarkers removes old done-markers of roots that have been removed.
func (s *versionedScan) purgeMarkers(ctx context.Context, marked map[string]marker) error {
	known := 0
	for _, row := range s.page {
		if _, ok := atKey(marked, row.key); ok {
			known++
		}
	}
	if known == len(marked) {
		return nil
	}
	left := maps.Clone(marked)
	for _, row := range s.page {
		delete(left, call.KeyString(row.key, len(row.key)))
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		m := left[name]
		if m.at >= s.x.purgeable(s.Root.Codec.Table) || s.x.config.DryRun {
			continue
		}
		if err := s.x.forRow(ctx, s.v, m.key, func(w *save.Call) error { return s.x.newRowCheck(w).purge() }); err != nil {
			return err
		}
	}
	return nil
}

// defaultGCGrace is the default of gc_grace_seconds, for a table whose value is unknown.
const defaultGCGrace = 10 * 24 * 60 * 60

// gcGrace returns the time in microseconds for which a table keeps tombstones.
func (x *run) gcGrace(t *plan.Table) int64 {
	grace, known := x.grace[t.Name]
	if !known {
		grace = defaultGCGrace
	}
	return int64(grace) * time.Second.Microseconds()
}

// purgeable returns the time before which deleted rows, and reservations without an owner, can be removed: no write of them can
// appear any more that their tombstones would not hide. Both their version, which the clock of a client has chosen, and their write time, which
// the server has chosen, must be before it.
func (x *run) purgeable(t *plan.Table) plan.Version {
	return x.now() - x.gcGrace(t) - x.limit.Microseconds()
}

// purge removes a deleted row whose copies are deleted and whose last save all roots have followed, and its done-marker. The done-marker of a row that was inserted again after its
// read stays.
func (x rowCheck) purge() error {
	s, written, err := x.w.ReadDeleted()
	limit := x.purgeable(x.w.Codec.Table)
	if err != nil || s != nil && (!s.Deleted || s.Outbox > 0 || x.w.Aggregate.Versioning.Live > 0 || s.Version >= limit || written >= limit) {
		return err
	}
	done := x.w.Aggregate.Versioning.Done
	var at plan.Version
	if done != nil {
		if at, err = x.w.Copies().ReadMarker(); err != nil || at < s.CurrentVersion() || at >= limit {
			return err // its copies are not deleted yet, or it has been saved
		}
	}
	if s != nil {
		if answer, err := x.w.CAS(x.w.Aggregate.PlanPurge(s), 1); err != nil || !answer.Applied {
			return err
		}
	}
	if at > 0 {
		if err := x.w.Copies().Send([]plan.Mutation{x.w.Aggregate.PlanUnmark(x.w.Key, at)}, at); err != nil {
			return err
		}
	}
	x.purged()
	return nil
}
