package scan

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cassaml/cassaml/internal/checkpointtext"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// PageHandler uses the rows of a scan.
type PageHandler interface {
	Begin()                        // begins a page
	Add(row cell.Row)              // takes a row of the page. Its cells are valid until the next row
	End(ctx context.Context) error // ends the page
}

// PageScan reads all rows of the table of a root, page by page, with their stamps. After each page it saves a checkpoint, from
// which another scan can continue.
type PageScan struct {
	Root    call.Root
	name    string // begins each checkpoint: the table, or the table and the operation on its rows
	Read    store.Read
	Handler PageHandler

	low     cell.Cell                        // the position after which a scan without a checkpoint begins; nil: the beginning
	whole   bool                             // a page ends at the end of a partition
	sized   *pageSize                        // set with whole: the size of the pages; nil: read.PageSize
	counted func(context.Context, int) error // is called with the number of rows of each page; nil: nothing
	passing *Skipping                        // the rows that are skipped; nil: refused rows end the scan

	save      func(string) error
	done      string    // the checkpoint after which it continues
	PageStart cell.Cell // the position after which the page begins
	PageEnd   cell.Cell // set in End: the position of the last partition of the page, or the end of the scan
	complete  cell.Cell // the position of the last partition whose rows were all read; nil: none since the last checkpoint
	Since     int64     // a time before any row of the page was read, in microseconds since 1970
	started   int64     // when the page began
	rows      int       // number of rows in the page
	bytes     int       // bytes of these rows
	at        cell.Cell // the position of the last row
}

// NewPageScan returns a scan of the table of a root. The name is the prefix of its checkpoints.
func NewPageScan(r call.Root, c FillConfig, name string) PageScan {
	read := store.Read{Table: r.Codec.Table, Stamped: true, PageSize: cmp.Or(c.PageSize, fillPage), Consistency: r.DB.Config.Consistency}
	s := PageScan{Root: r, name: name, Read: read}
	if c.Read != nil {
		s.counted = func(_ context.Context, rows int) error { c.Read(rows); return nil }
	}
	return s
}

// ReadError reports a page that could not be read.
type ReadError struct{ Err error }

func (e ReadError) Error() string { return e.Err.Error() }
func (e ReadError) Unwrap() error { return e.Err }

// Runner reads a table after a checkpoint, and calls save with each checkpoint.
type Runner interface {
	Run(ctx context.Context, from string, save func(string) error) error
}

// RowScan is a scan that does something with each row of a page, several rows at a time.
type RowScan[T any] struct {
	PageScan
	Handler  func(row cell.Row) (T, error) // returns the required data of a row
	do       func(ctx context.Context, v T) error
	Refuse   func(rows []error) error // gets the refused rows of each page; nil: they end the scan
	parallel int
	page     []T

	mu      sync.Mutex
	refused []error // rows of the page
}

// NewRowScan returns a scan of the table of a root that calls of for each row, and do for each value that it returns.
func NewRowScan[T any](r call.Root, c FillConfig, name string, of func(cell.Row) (T, error), do func(context.Context, T) error) *RowScan[T] {
	f := &RowScan[T]{PageScan: NewPageScan(r, c, name), Handler: of, do: do, parallel: r.DB.Env.Parallel(cmp.Or(c.Parallel, FillParallel))}
	f.PageScan.Handler = f
	f.Refuse = JoinErrors
	return f
}

// JoinErrors ends a scan with the rows that are refused.
func JoinErrors(rows []error) error { return errors.Join(rows...) }

// Begin begins a page.
func (f *RowScan[T]) Begin() { f.page, f.refused = f.page[:0], nil }

// Add adds a row to the page.
func (f *RowScan[T]) Add(row cell.Row) {
	v, err := f.Handler(row)
	if err != nil {
		t := f.Read.Table
		f.refused = append(f.refused, fmt.Errorf("%s: %w", rowname.Format(f.Root.Codec.Table.Aggregate, t.Name, t.KeyText(row)), err))
		return
	}
	f.page = append(f.page, v)
}

// End calls do for each row of the page, in parallel. An error about a row does not prevent the calls for the other rows.
func (f *RowScan[T]) End(ctx context.Context) error {
	if err := call.ForEach(ctx, f.parallel, f.page, f.try); err != nil {
		return err
	}
	return f.Refuse(f.refused)
}

// try calls do for one row, and keeps an error about the row.
func (f *RowScan[T]) try(ctx context.Context, v T) error {
	err := Retry(ctx, f.Root.DB, func() error { return f.do(ctx, v) })
	if call.IsRowError(err) {
		f.mu.Lock()
		f.refused = append(f.refused, err)
		f.mu.Unlock()
		return nil
	}
	return err
}

// Retry calls do again after an error that is not about the row.
func Retry(ctx context.Context, db *call.DB, do func() error) error {
	for attempt := 1; ; attempt++ {
		if err := do(); err == nil || call.IsRowError(err) || attempt == call.MaxAttempts || !db.Env.Resend(ctx, attempt) {
			return err
		}
	}
}

// Run reads the table after a checkpoint. After a failed read it continues from the last checkpoint.
func (f *PageScan) Run(ctx context.Context, from string, save func(string) error) error {
	f.done, f.save = from, save
	for attempt := 1; ; attempt++ {
		from := f.done
		err := f.readPages(ctx)
		if f.done != from {
			attempt = 1
		}
		if errors.Is(err, errResized) {
			continue
		}
		if _, unread := errors.AsType[ReadError](err); !unread || attempt == call.MaxAttempts || !f.Root.DB.Env.Resend(ctx, attempt) {
			return err
		}
	}
}

// readPages reads from the last checkpoint to the end.
func (f *PageScan) readPages(ctx context.Context) (err error) {
	t := f.Root.Codec.Table
	if f.Read.After, err = parsePosition(f.name, f.done); err != nil {
		return err
	}
	if f.Read.After == nil {
		f.Read.After = f.low
	}
	if f.sized != nil {
		f.Read.PageSize = f.sized.get()
	}
	f.at, f.PageStart, f.complete, f.started = nil, f.Read.After, nil, f.now()
	f.passing.begin()
	f.begin()
	for row, err := range f.Root.DB.Store.Rows(ctx, f.Read) {
		if err != nil && f.at == nil && refusedCheckpoint(f.done, err) {
			return fmt.Errorf("the checkpoint %.200q has a position that the server does not accept: use an empty checkpoint to begin again: %w", f.done, err)
		}
		if err != nil {
			return ReadError{Err: fmt.Errorf("read %s after the checkpoint %.200q: %w", t.Name, f.done, err)}
		}
		if f.whole && f.rows >= f.Read.PageSize && string(f.at) != string(f.Read.Position(row)) {
			rows, bytes := f.rows, f.bytes
			if err := f.finishAt(ctx, f.at); err != nil {
				return err
			}
			if f.sized != nil && f.sized.adapt(f.Read.PageSize, rows, bytes) {
				return errResized
			}
		}
		f.next(row)
		if !f.whole && f.rows == f.Read.PageSize {
			if err := f.finish(ctx); err != nil {
				return err
			}
		}
	}
	if f.at == nil {
		f.PageEnd = f.Read.Until
		return f.finish(ctx)
	}
	last := f.at
	if f.Read.Until != nil {
		last = f.Read.Until
	}
	return f.finishAt(ctx, last)
}

// finishAt ends a page that has all rows up to a position.
func (f *PageScan) finishAt(ctx context.Context, position cell.Cell) error {
	f.PageEnd, f.complete = position, position
	err := f.finish(ctx)
	f.PageStart = position
	return err
}

// begin begins a page. If the server returns fewer rows at a time, the first rows of the page were read together with the
// last rows of the previous page.
func (f *PageScan) begin() {
	f.Since, f.started, f.rows, f.bytes = f.started, f.now(), 0, 0
	f.Handler.Begin()
}

func (f *PageScan) now() int64 { return f.Root.DB.Config.Now().UnixMicro() }

// next takes a row.
func (f *PageScan) next(row cell.Row) {
	if at := f.Read.Position(row); f.at == nil || string(at) != string(f.at) {
		if f.at != nil {
			f.complete = f.at
		}
		f.at = slices.Clone(at)
	}
	f.rows, f.bytes = f.rows+1, f.bytes+rowBytes(row)
	f.Handler.Add(row)
}

// finish ends a page and saves the checkpoint of the last partition whose rows were all in a page that has ended.
func (f *PageScan) finish(ctx context.Context) error {
	if err := f.Handler.End(ctx); err != nil {
		return err
	}
	if f.counted != nil {
		if err := f.counted(ctx, f.rows); err != nil {
			return err
		}
	}
	checkpoint := f.done
	if f.complete != nil {
		checkpoint = newCheckpointText(f.name, f.complete)
	}
	if checkpoint != "" {
		if err := f.save(checkpoint); err != nil {
			return err
		}
	}
	f.done, f.complete = checkpoint, nil
	f.begin()
	return nil
}

// newCheckpointText returns the checkpoint of a scan after the last partition that is complete.
func newCheckpointText(name string, position cell.Cell) string {
	return checkpointtext.Format(name, position)
}

// parsePosition returns the position in a checkpoint; an empty checkpoint is the beginning.
func parsePosition(scan, checkpoint string) (cell.Cell, error) {
	if checkpoint == "" {
		return nil, nil
	}
	name, text, _ := strings.Cut(checkpoint, " ")
	position, err := hex.DecodeString(text)
	switch {
	case name != scan:
		return nil, CheckpointError(checkpoint, scan)
	case err != nil || len(position) == 0:
		return nil, fmt.Errorf("the checkpoint %.200q has no position after the name of the table: use an empty checkpoint to begin again", checkpoint)
	}
	return position, nil
}

// CheckpointError returns the error of a checkpoint of another table or copy.
func CheckpointError(checkpoint, name string) error {
	return fmt.Errorf("the checkpoint %.200q does not belong to table %s: use an empty checkpoint to begin again", checkpoint, name)
}

// refusedCheckpoint reports whether a read that begins after a checkpoint was refused because of the checkpoint: it is the only
// value in the read that comes from outside. Repeating the read does not help.
func refusedCheckpoint(checkpoint string, err error) bool {
	code, answered := driver.Code(err)
	return checkpoint != "" && answered && code == driver.CodeInvalid
}

// NewSliceScan returns a scan of a slice of a table, whose pages end at the end of a partition. Without stamps it is faster.
func NewSliceScan(r call.Root, t *plan.Table, stamped bool) PageScan {
	s := NewPageScan(r, FillConfig{}, t.Name)
	s.Read.Table, s.Read.Positioned, s.Read.Stamped, s.whole = t, true, stamped, true
	return s
}

// Span limits a scan to a slice, calls counted with the number of rows of each page, and adapts the size of its pages.
func (f *PageScan) Span(low, high cell.Cell, counted func(context.Context, int) error, sizes *PageSizes) {
	f.low, f.Read.Until, f.counted = low, high, counted
	if f.whole {
		f.sized = sizes.size(f.Read.Table)
	}
}

// FillConfig configures how a redundant table is filled. [Backfill] uses its zero value.
type FillConfig struct {
	PageSize int // rows of the source that are read and written at a time; 0: 500
	Parallel int // concurrent writes; 0: 16

	Read func(rows int) // is called after each page with the number of its rows; nil: none
}

const fillPage = 500

// FillParallel is the number of writes at a time if the options have none.
const FillParallel = 16

// Check returns an error if a number of the options is negative.
func (c FillConfig) Check() error {
	if c.PageSize < 0 || c.Parallel < 0 {
		return fmt.Errorf("pages of %d rows and %d writes at a time: use 1 or more, or 0", c.PageSize, c.Parallel)
	}
	return nil
}
