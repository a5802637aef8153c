package runtime

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Backfill returns a function that fills one redundant table of a root from the rows of the root's table, while other
// programs write. It begins after the checkpoint from, which is empty at first, and calls save with a checkpoint after every
// page; an error of save stops it. It can continue from a checkpoint or repeat another run without changing correct rows. If
// the keyspace lacks a part of the two tables, it returns a *mapper.SchemaError before it reads.
func Backfill(schema *plan.Schema, c *Codec, a *plan.Aggregate, table string) func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session.Session}
		if err := verifyBackfill(ctx, cql, schema, a, table); err != nil {
			return err
		}
		db, err := OpenStore(cql, mapper.Config{Consistency: gocql.LocalQuorum}, schema)
		if err != nil {
			return err
		}
		return NewRoot(NewReader(db, c), a).Fill(ctx, table, FillConfig{}, from, save)
	}
}

// verifyBackfill checks that the root's table and the redundant table in the keyspace match the model.
func verifyBackfill(ctx context.Context, cql store.CQL, schema *plan.Schema, a *plan.Aggregate, table string) error {
	p, err := projectionTo(a, table)
	if err != nil {
		return err
	}
	keyspace, err := cql.Inspect(ctx)
	if err != nil {
		return err
	}
	_, err = keyspace.Verify(&plan.Schema{Types: schema.Types, Tables: []*plan.Table{a.Root, p.Table}})
	return err
}

// projectionTo returns the projection that fills a table.
func projectionTo(a *plan.Aggregate, table string) (*plan.Projection, error) {
	p := a.CopyNamed(table)
	if p == nil {
		return nil, fmt.Errorf("mapper: %s (%s) has no redundant table %s", a.Root.Aggregate, a.Root.Name, table)
	}
	return p, nil
}

// FillConfig configures how a redundant table is filled. [Backfill] uses its zero value.
type FillConfig struct {
	PageSize int // rows of the source that are read and written at a time; 0: 500
	Parallel int // concurrent writes; 0: 16
}

const (
	fillPage     = 500
	fillParallel = 16
)

// Fill runs a [Backfill] on the database of the root, so that a backfill can be tested without a server.
func (r Root) Fill(ctx context.Context, table string, c FillConfig, from string, save func(from string) error) error {
	if c.PageSize < 0 || c.Parallel < 0 {
		return fmt.Errorf("mapper: backfill of %s: pages of %d rows and %d writes at a time: use 1 or more, or 0", table, c.PageSize, c.Parallel)
	}
	p, err := projectionTo(r.aggregate, table)
	if err != nil {
		return err
	}
	f := &fill{r: r, p: p, parallel: c.Parallel, read: store.Read{Table: r.c.Table, Stamped: true, PageSize: c.PageSize,
		Consistency: r.db.config.Consistency}, done: from, save: save}
	if f.read.PageSize == 0 {
		f.read.PageSize = fillPage
	}
	if f.parallel == 0 {
		f.parallel = fillParallel
	}
	if err := f.run(ctx); err != nil {
		return fmt.Errorf("mapper: backfill of %s: %w", table, err)
	}
	return nil
}

// fill fills one redundant table, page by page.
type fill struct {
	r          Root
	p          *plan.Projection
	read       store.Read
	parallel   int
	save       func(string) error
	done       string // the checkpoint after which it continues
	checkpoint string // of the last partition whose rows were all read

	since   int64     // a time before any row of the page was read, in microseconds since 1970
	started int64     // when the page began
	rows    int       // of the source, in the page
	at      cell.Cell // the position of the last row
	writes  []plan.BackfillWrite
	faults  []error
	d       cell.Decoder
}

// readError reports a page that could not be read.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// run reads the whole table. After a failed read it continues from the last checkpoint.
func (f *fill) run(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		from := f.done
		err := f.pages(ctx)
		if f.done != from {
			attempt = 1
		}
		if _, unread := errors.AsType[readError](err); !unread || attempt == attempts || !pause(ctx, attempt) {
			return err
		}
	}
}

// pages reads from the last checkpoint to the end, and writes page by page.
func (f *fill) pages(ctx context.Context) (err error) {
	t := f.r.c.Table
	if f.read.After, err = positionOf(t, f.done); err != nil {
		return err
	}
	f.at, f.checkpoint, f.started = nil, f.done, f.now()
	f.begin()
	for row, err := range f.r.db.store.Rows(ctx, f.read) {
		if err != nil && f.at == nil && refusedCheckpoint(f.done, err) {
			return fmt.Errorf("the checkpoint %.200q has a position that the server does not accept: use an empty checkpoint to begin again: %w", f.done, err)
		}
		if err != nil {
			return readError{fmt.Errorf("read %s after the checkpoint %.200q: %w", t.Name, f.done, err)}
		}
		f.take(row)
		if f.rows == f.read.PageSize {
			if err := f.finish(ctx); err != nil {
				return err
			}
		}
	}
	if f.at != nil {
		f.checkpoint = checkpointOf(t, f.at)
	}
	return f.finish(ctx)
}

// begin begins a page. If the server returns fewer rows at a time, the first rows of the page were read together with the
// last rows of the previous page.
func (f *fill) begin() {
	f.since, f.started = f.started, f.now()
	f.rows, f.writes, f.faults = 0, f.writes[:0], nil
}

func (f *fill) now() int64 { return f.r.db.config.Now().UnixMicro() }

// finish writes the copies of a page and saves the checkpoint of the last partition whose rows are all written.
func (f *fill) finish(ctx context.Context) error {
	if err := errors.Join(f.faults...); err != nil {
		return err
	}
	if err := inParallel(ctx, f.parallel, f.writes, f.write); err != nil {
		return err
	}
	if f.checkpoint != "" {
		if err := f.save(f.checkpoint); err != nil {
			return err
		}
	}
	f.done = f.checkpoint
	f.begin()
	return nil
}

// take plans the writes for one row. It collects the errors of all rows of a page that cannot be projected.
func (f *fill) take(row cell.Row) {
	at := f.read.Position(row)
	if f.at != nil && string(at) != string(f.at) {
		f.checkpoint = checkpointOf(f.r.c.Table, f.at)
	}
	f.at = at
	f.rows++
	writes, err := f.plan(row)
	if err != nil {
		f.faults = append(f.faults, err)
	}
	f.writes = append(f.writes, writes...)
}

func (f *fill) plan(row cell.Row) ([]plan.BackfillWrite, error) {
	t := f.r.c.Table
	stamps, err := f.r.aggregate.Stamps(row)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rowname.Of(t.Aggregate, t.Name, t.KeyText(row)), err)
	}
	source, err := f.source(row[:len(t.Columns)])
	if err != nil {
		return nil, err
	}
	writes, err := plan.PlanBackfill(f.r.aggregate, f.p, source, stamps, f.since)
	return writes, f.r.db.constraint(t, source, nil, err)
}

// source returns a row as the mapper writes it, with the results of methods. A partition that has only static values
// has no such results, because there is no value to call a method on.
func (f *fill) source(read cell.Row) (cell.Row, error) {
	t := f.r.c.Table
	if read[t.Key-1] == nil {
		row := append(append(make(cell.Row, 0, len(read)+len(t.Computed)), read...), make(cell.Row, len(t.Computed))...)
		t.Canonical(row)
		return row, nil
	}
	v, err := f.r.decode(&f.d, read)
	if err != nil {
		return nil, err
	}
	if f.d.Unknown() {
		return f.r.encodeOver(read, v)
	}
	return f.r.encode(v)
}

// write sends one write, which can be repeated unchanged.
func (f *fill) write(ctx context.Context, w plan.BackfillWrite) error {
	m := &w.Mutations[0]
	for attempt := 1; ; attempt++ {
		// The server counts the TTL from its own time. The age is rounded up, so that no copy outlives its source.
		s := store.Write{Timestamp: w.At, Age: 1 + (f.now()-f.since)/1e6, Consistency: f.read.Consistency}
		if m.TTL > 0 && int64(m.TTL) <= s.Age {
			return nil
		}
		err := f.r.db.store.Apply(ctx, w.Mutations, s)
		if err == nil {
			return nil
		}
		if attempt == attempts || !pause(ctx, attempt) {
			return fmt.Errorf("write %s: %w", rowname.Of(m.Table.Aggregate, m.Table.Name, m.Table.KeyText(m.Row)), err)
		}
	}
}

// checkpointOf returns the checkpoint of a backfill, "crates c784b1…": the source table and the position of the last partition
// that is complete.
func checkpointOf(t *plan.Table, position cell.Cell) string {
	return t.Name + " " + hex.EncodeToString(position)
}

// positionOf returns the position in a checkpoint; an empty checkpoint is the beginning.
func positionOf(t *plan.Table, checkpoint string) (cell.Cell, error) {
	if checkpoint == "" {
		return nil, nil
	}
	name, text, _ := strings.Cut(checkpoint, " ")
	position, err := hex.DecodeString(text)
	switch {
	case name != t.Name:
		return nil, fmt.Errorf("the checkpoint %.200q does not belong to table %s: use an empty checkpoint to begin again", checkpoint, t.Name)
	case err != nil || len(position) == 0:
		return nil, fmt.Errorf("the checkpoint %.200q has no position after the name of the table: use an empty checkpoint to begin again", checkpoint)
	}
	return position, nil
}

// refusedCheckpoint reports whether a read that begins after a checkpoint was refused because of the checkpoint: it is the only
// value in the read that comes from outside. Repeating the read does not help.
func refusedCheckpoint(checkpoint string, err error) bool {
	e, ok := errors.AsType[gocql.RequestError](err)
	return checkpoint != "" && ok && e.Code() == gocql.ErrCodeInvalid
}
