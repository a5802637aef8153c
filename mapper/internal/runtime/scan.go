package runtime

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// pages uses the rows of a scan.
type pages interface {
	begin()                        // a page
	take(row cell.Row)             // takes a row of the page. Its cells are valid until the next row
	end(ctx context.Context) error // of the page
}

// scan reads all rows of the table of a root, page by page, with their stamps. After each page it saves a checkpoint, from
// which another scan can continue.
type scan struct {
	r    Root
	name string // begins each checkpoint: the table, or the table and what is done with its rows
	read store.Read
	of   pages

	low     cell.Cell                        // without a checkpoint, the position after which it begins; nil: the beginning
	whole   bool                             // a page ends at the end of a partition
	sized   *pageSize                        // with whole: of the pages; nil: read.PageSize
	counted func(context.Context, int) error // is called with the number of rows of each page; nil: nothing
	passing *passing                         // the rows that are passed over; nil: refused rows end the scan

	save     func(string) error
	done     string    // the checkpoint after which it continues
	begun    cell.Cell // the position after which the page begins
	ended    cell.Cell // in end, the position of the last partition of the page, or the end of the scan
	complete cell.Cell // the position of the last partition whose rows were all read; nil: none since the last checkpoint
	since    int64     // a time before any row of the page was read, in microseconds since 1970
	started  int64     // when the page began
	rows     int       // in the page
	bytes    int       // of these rows
	at       cell.Cell // the position of the last row
}

func newScan(r Root, c FillConfig, name string) scan {
	read := store.Read{Table: r.c.Table, Stamped: true, PageSize: cmp.Or(c.PageSize, fillPage), Consistency: r.db.config.Consistency}
	s := scan{r: r, name: name, read: read}
	if c.Read != nil {
		s.counted = func(_ context.Context, rows int) error { c.Read(rows); return nil }
	}
	return s
}

// readError reports a page that could not be read.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// runner reads a table after a checkpoint, and calls save with each checkpoint.
type runner interface {
	run(ctx context.Context, from string, save func(string) error) error
}

// rowScan is a scan that does something with each row of a page, several rows at a time.
type rowScan[T any] struct {
	scan
	of       func(row cell.Row) (T, error) // what is needed of a row
	do       func(ctx context.Context, v T) error
	refuse   func(rows []error) error // gets the refused rows of each page; nil: they end the scan
	parallel int
	page     []T

	mu      sync.Mutex
	refused []error // rows of the page
}

func newRowScan[T any](r Root, c FillConfig, name string, of func(cell.Row) (T, error), do func(context.Context, T) error) *rowScan[T] {
	f := &rowScan[T]{scan: newScan(r, c, name), of: of, do: do, parallel: r.db.env.Parallel(cmp.Or(c.Parallel, fillParallel))}
	f.scan.of = f
	f.refuse = joinRefused
	return f
}

// joinRefused ends a scan with the rows that are refused.
func joinRefused(rows []error) error { return errors.Join(rows...) }

func (f *rowScan[T]) begin() { f.page, f.refused = f.page[:0], nil }

func (f *rowScan[T]) take(row cell.Row) {
	v, err := f.of(row)
	if err != nil {
		t := f.r.c.Table
		f.refused = append(f.refused, fmt.Errorf("%s: %w", rowname.Of(t.Aggregate, t.Name, t.KeyText(row)), err))
		return
	}
	f.page = append(f.page, v)
}

func (f *rowScan[T]) end(ctx context.Context) error {
	if err := inParallel(ctx, f.parallel, f.page, f.try); err != nil {
		return err
	}
	return f.refuse(f.refused)
}

// try calls do for one row, and keeps an error about the row.
func (f *rowScan[T]) try(ctx context.Context, v T) error {
	err := f.r.db.repeat(ctx, func() error { return f.do(ctx, v) })
	if refusesRow(err) {
		f.mu.Lock()
		f.refused = append(f.refused, err)
		f.mu.Unlock()
		return nil
	}
	return err
}

// repeat calls do again after an error that is not about the row.
func (db *DB) repeat(ctx context.Context, do func() error) error {
	for attempt := 1; ; attempt++ {
		if err := do(); err == nil || refusesRow(err) || attempt == attempts || !db.env.Resend(ctx, attempt) {
			return err
		}
	}
}

// run reads the table after a checkpoint. After a failed read it continues from the last checkpoint.
func (f *scan) run(ctx context.Context, from string, save func(string) error) error {
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
		if _, unread := errors.AsType[readError](err); !unread || attempt == attempts || !f.r.db.env.Resend(ctx, attempt) {
			return err
		}
	}
}

// readPages reads from the last checkpoint to the end.
func (f *scan) readPages(ctx context.Context) (err error) {
	t := f.r.c.Table
	if f.read.After, err = positionOf(f.name, f.done); err != nil {
		return err
	}
	if f.read.After == nil {
		f.read.After = f.low
	}
	if f.sized != nil {
		f.read.PageSize = f.sized.get()
	}
	f.at, f.begun, f.complete, f.started = nil, f.read.After, nil, f.now()
	f.passing.begin()
	f.begin()
	for row, err := range f.r.db.store.Rows(ctx, f.read) {
		if err != nil && f.at == nil && refusedCheckpoint(f.done, err) {
			return fmt.Errorf("the checkpoint %.200q has a position that the server does not accept: use an empty checkpoint to begin again: %w", f.done, err)
		}
		if err != nil {
			return readError{fmt.Errorf("read %s after the checkpoint %.200q: %w", t.Name, f.done, err)}
		}
		if f.whole && f.rows >= f.read.PageSize && string(f.at) != string(f.read.Position(row)) {
			rows, bytes := f.rows, f.bytes
			if err := f.finishAt(ctx, f.at); err != nil {
				return err
			}
			if f.sized != nil && f.sized.adapt(f.read.PageSize, rows, bytes) {
				return errResized
			}
		}
		f.next(row)
		if !f.whole && f.rows == f.read.PageSize {
			if err := f.finish(ctx); err != nil {
				return err
			}
		}
	}
	if f.at == nil {
		f.ended = f.read.Until
		return f.finish(ctx)
	}
	last := f.at
	if f.read.Until != nil {
		last = f.read.Until
	}
	return f.finishAt(ctx, last)
}

// finishAt ends a page that has all rows up to a position.
func (f *scan) finishAt(ctx context.Context, position cell.Cell) error {
	f.ended, f.complete = position, position
	err := f.finish(ctx)
	f.begun = position
	return err
}

// begin begins a page. If the server returns fewer rows at a time, the first rows of the page were read together with the
// last rows of the previous page.
func (f *scan) begin() {
	f.since, f.started, f.rows, f.bytes = f.started, f.now(), 0, 0
	f.of.begin()
}

func (f *scan) now() int64 { return f.r.db.config.Now().UnixMicro() }

// next takes a row.
func (f *scan) next(row cell.Row) {
	if at := f.read.Position(row); f.at == nil || string(at) != string(f.at) {
		if f.at != nil {
			f.complete = f.at
		}
		f.at = slices.Clone(at)
	}
	f.rows, f.bytes = f.rows+1, f.bytes+bytesOf(row)
	f.of.take(row)
}

// finish ends a page and saves the checkpoint of the last partition whose rows were all in a page that has ended.
func (f *scan) finish(ctx context.Context) error {
	if err := f.of.end(ctx); err != nil {
		return err
	}
	if f.counted != nil {
		if err := f.counted(ctx, f.rows); err != nil {
			return err
		}
	}
	checkpoint := f.done
	if f.complete != nil {
		checkpoint = checkpointOf(f.name, f.complete)
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

// checkpointOf returns the checkpoint of a scan, "crates c784b1": its name and the position of the last partition that is complete.
func checkpointOf(name string, position cell.Cell) string {
	return name + " " + hex.EncodeToString(position)
}

// positionOf returns the position in a checkpoint; an empty checkpoint is the beginning.
func positionOf(scan, checkpoint string) (cell.Cell, error) {
	if checkpoint == "" {
		return nil, nil
	}
	name, text, _ := strings.Cut(checkpoint, " ")
	position, err := hex.DecodeString(text)
	switch {
	case name != scan:
		return nil, foreignCheckpoint(checkpoint, scan)
	case err != nil || len(position) == 0:
		return nil, fmt.Errorf("the checkpoint %.200q has no position after the name of the table: use an empty checkpoint to begin again", checkpoint)
	}
	return position, nil
}

func foreignCheckpoint(checkpoint, name string) error {
	return fmt.Errorf("the checkpoint %.200q does not belong to table %s: use an empty checkpoint to begin again", checkpoint, name)
}

// refusedCheckpoint reports whether a read that begins after a checkpoint was refused because of the checkpoint: it is the only
// value in the read that comes from outside. Repeating the read does not help.
func refusedCheckpoint(checkpoint string, err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return checkpoint != "" && ok && e.Code() == gocql.ErrCodeInvalid
}

// newSliceScan returns a scan of a slice of a table, whose pages end at the end of a partition. Without stamps it is faster.
func newSliceScan(r Root, t *plan.Table, stamped bool) scan {
	s := newScan(r, FillConfig{}, t.Name)
	s.read.Table, s.read.Positioned, s.read.Stamped, s.whole = t, true, stamped, true
	return s
}

// span limits a scan to a slice, calls counted with the number of rows of each page, and adapts the size of its pages.
func (f *scan) span(low, high cell.Cell, counted func(context.Context, int) error, sizes *pageSizes) {
	f.low, f.read.Until, f.counted = low, high, counted
	if f.whole {
		f.sized = sizes.size(f.read.Table)
	}
}
