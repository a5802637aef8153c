package reconcile

import (
	"context"
	"iter"
	"strings"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// compareCopied reports the rows of a page with fields that differ from the fields of other roots of which they are copies. Each of these roots is
// read once.
func (x rootCheck) compareCopied(ctx context.Context, rows iter.Seq[cell.Row]) error {
	if len(x.r.Aggregate.Copied) == 0 {
		return nil
	}
	known := call.CopiedTargets{}
	for row := range rows {
		var stale []string
		err := scan.Retry(ctx, x.db, func() (err error) {
			stale, err = x.r.StaleCopied(ctx, reconcile, row, known)
			return err
		})
		if err == nil {
			err = x.pace.Wait(ctx)
		}
		if err != nil {
			return err
		}
		if stale != nil {
			d := drift(mapper.DriftStale, x.r, x.r.Codec.Table, row[:x.r.Codec.Table.Key])
			d.Reason = "not a copy of the fields of the root to which it refers: " + strings.Join(stale, ", ")
			x.addFinding(d)
		}
	}
	return nil
}
