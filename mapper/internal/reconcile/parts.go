package reconcile

import (
	"context"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// partTables returns the tables of the parts of a plain root that a run examines: none if the rows of the root expire. The parts of a
// root that expires can exist longer than it.
func partTables(r call.Root) []*plan.Table {
	a := r.Aggregate
	switch {
	case a.Versioning != nil || a.TTL(a.Root) > 0:
		return nil
	case a.Inside != nil:
		return append(a.Parts[:len(a.Parts):len(a.Parts)], a.Inside)
	}
	return a.Parts
}

// compareParts examines the partitions of a part that are in the token range of the page, and whose root is not in the page.
func (s *rootScan) compareParts(ctx context.Context, part *plan.Table) error {
	there := pageKeys(s.page)
	rows, strays := 0, []rootKey{}
	q := store.Read{Table: part, Within: true, First: true, After: s.PageStart, Until: s.PageEnd, Consistency: s.x.db.Config.Consistency}
	for row, err := range s.x.db.Store.Rows(ctx, q) {
		if err != nil {
			return scan.ReadError{Err: fmt.Errorf("read %s: %w", part.Name, err)}
		}
		rows++
		if key := row[:part.Partition]; !there[call.KeyString(key, len(key))] {
			strays = append(strays, rootKey(plan.CloneRow(key)))
		}
		if len(strays) < scan.LargestPage {
			continue
		}
		if err := s.examineStrays(ctx, part, strays); err != nil {
			return err
		}
		strays = strays[:0]
	}
	if err := s.examineStrays(ctx, part, strays); err != nil {
		return err
	}
	return s.x.read(ctx, rows)
}

// rootKey is the key of a root, from a row of one of its parts.
type rootKey cell.Row

func (k rootKey) primaryKey() cell.Row { return cell.Row(k) }

func (s *rootScan) examineStrays(ctx context.Context, part *plan.Table, strays []rootKey) error {
	return forEachRow(ctx, s.x, s.Root, strays, func(ctx context.Context, key rootKey) error {
		return s.x.newRootCheck(s.Root).examineParts(ctx, part, cell.Row(key))
	})
}

// examineParts reports the rows of a part in one partition if their root does not exist. The root is read first. Old rows that
// exist after this read also existed during it, so a concurrent Delete of both is not reported.
func (x rootCheck) examineParts(ctx context.Context, part *plan.Table, key cell.Row) error {
	ctx, end, err := x.r.Begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	before := x.repairBefore(x.now())
	q := store.Read{Table: x.r.Codec.Table, Key: key, Consistency: x.db.Config.Consistency}
	root, err := x.db.ReadRow(ctx, reconcile, &store.Lookup{Read: q})
	if root != nil || err != nil {
		return err
	}
	oldest, err := x.readOldest(ctx, part, key, before)
	switch {
	case err != nil || oldest == nil:
		return err
	case *oldest >= before:
		if !x.checkAhead(part, key, *oldest) {
			x.countLater()
		}
	default:
		d := drift(mapper.DriftMissingRoot, x.r, part, key)
		d.Aggregate = part.Aggregate
		d.Reason = fmt.Sprintf("%s has no such row: insert it, or call Delete of %s, which deletes the rows of its parts", x.r.Codec.Table.Name, x.r.Codec.Table.Aggregate)
		x.addFinding(d)
	}
	return nil
}

// readOldest returns the write time of a row of a part that was written before a time. If all rows are newer, it returns the
// earliest write time, or nil without rows. A row that has only its key has no write time that can be read, and counts as old.
func (x *run) readOldest(ctx context.Context, part *plan.Table, key cell.Row, before int64) (oldest *int64, err error) {
	q := store.Read{Table: part, Key: key, Stamped: true, Consistency: x.db.Config.Consistency}
	rows := 0
	ctx, end := x.db.TraceRead(ctx, reconcile, &q)
	defer func() {
		end(err, rows)
		x.note(rows)
	}()
	for row, err := range x.db.Store.Rows(ctx, q) {
		if err != nil {
			return nil, err
		}
		if row[part.Key-1] == nil {
			continue // the partition has only static values
		}
		rows++
		at, err := part.Latest(row)
		if err != nil {
			return nil, err
		}
		if oldest == nil || at < *oldest {
			oldest = &at
		}
		if at < before {
			break
		}
	}
	return oldest, nil
}
