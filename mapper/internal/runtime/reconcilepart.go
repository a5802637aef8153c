package runtime

import (
	"context"
	"fmt"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// partTables returns the tables of the parts that a run examines: those of a plain root whose rows do not expire. The parts of a
// root that expires can exist longer than it.
func (r Root) partTables() []*plan.Table {
	a := r.aggregate
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
	there := keysOf(s.page)
	rows, strays := 0, []rootKey{}
	q := store.Read{Table: part, Within: true, First: true, After: s.begun, Until: s.ended, Consistency: s.x.db.config.Consistency}
	for row, err := range s.x.db.store.Rows(ctx, q) {
		if err != nil {
			return readError{fmt.Errorf("read %s: %w", part.Name, err)}
		}
		rows++
		if key := row[:part.Partition]; !there[keyString(key, len(key))] {
			strays = append(strays, rootKey(plan.CloneRow(key)))
		}
		if len(strays) < largestPage {
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

func (k rootKey) keyOf() cell.Row { return cell.Row(k) }

func (s *rootScan) examineStrays(ctx context.Context, part *plan.Table, strays []rootKey) error {
	return eachOf(ctx, s.x, s.r, strays, func(ctx context.Context, key rootKey) error { return s.x.examineParts(ctx, s.r, part, cell.Row(key)) })
}

// examineParts reports the rows of a part in one partition if their root does not exist. The root is read first. Old rows that
// exist after this read also existed during it, so a concurrent Delete of both is not reported.
func (x *reconciling) examineParts(ctx context.Context, r Root, part *plan.Table, key cell.Row) error {
	ctx, end, err := r.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	before := x.before(x.now())
	q := store.Read{Table: r.c.Table, Key: key, Consistency: x.db.config.Consistency}
	root, err := x.db.readRow(ctx, reconcile, &store.Lookup{Read: q})
	if root != nil || err != nil {
		return err
	}
	oldest, err := x.oldestOf(ctx, part, key, before)
	switch {
	case err != nil || oldest == nil:
		return err
	case *oldest >= before:
		if !x.checkAhead(r, part, key, *oldest) {
			x.later()
		}
	default:
		d := drift(mapper.MissingRoot, r, part, key)
		d.Aggregate = part.Aggregate
		d.Reason = fmt.Sprintf("%s has no such row: insert it, or call Delete of %s, which deletes the rows of its parts", r.c.Table.Name, r.c.Table.Aggregate)
		x.find(d)
	}
	return nil
}

// oldestOf returns the write time of a row of a part that was written before a time. If all rows are newer, it returns the
// earliest write time, or nil without rows. A row that has only its key has no write time that can be read, and counts as old.
func (x *reconciling) oldestOf(ctx context.Context, part *plan.Table, key cell.Row, before int64) (oldest *int64, err error) {
	q := store.Read{Table: part, Key: key, Stamped: true, Consistency: x.db.config.Consistency}
	rows := 0
	ctx, end := x.db.traceRead(ctx, reconcile, &q)
	defer func() {
		end(err, rows)
		x.note(rows)
	}()
	for row, err := range x.db.store.Rows(ctx, q) {
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
