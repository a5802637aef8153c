package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Versions returns a function that runs [Versioned.AssignVersions] on the keyspace of a session. If the keyspace lacks a part of
// the tables of the aggregate, it returns a *mapper.SchemaError before it reads, and if the clock differs from the servers'
// clocks, a *mapper.ClockError. ttl is Config.TTL of the store.
func Versions(schema *plan.Schema, c *Codec, a *plan.Aggregate, ttl map[string]time.Duration) func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session gocqlx.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session.Session}
		keyspace, err := cql.Inspect(ctx)
		if err != nil {
			return err
		}
		own := &plan.Schema{Types: schema.Types, Tables: tablesOf(a), Aggregates: []*plan.Aggregate{a}}
		if _, err := keyspace.Verify(own); err != nil {
			return withMigrations(ctx, cql.Session, err)
		}
		db, err := OpenWatched(ctx, cql, mapper.Config{TTL: namedIn(own, ttl)}, own, keyspace)
		if err != nil {
			return err
		}
		return NewVersioned(NewReader(db, c), a).AssignVersions(ctx, FillConfig{}, from, save)
	}
}

// tablesOf returns the tables of a versioned root: its own, its copies and those that only the mapper uses.
func tablesOf(a *plan.Aggregate) []*plan.Table {
	out := []*plan.Table{a.Root}
	for i := range a.Copies {
		out = append(out, a.Copies[i].Table)
	}
	for i := range a.Versioning.Uniques {
		out = append(out, a.Versioning.Uniques[i].Table)
	}
	if a.Versioning.Done != nil {
		out = append(out, a.Versioning.Done)
	}
	return out
}

// AssignVersions makes rows that programs without versions have written rows of a versioned root. These programs must have ended.
// It waits for Config.MaxClockSkew, and then reads the table three times:
//
//  1. Each row without a version gets one, above the write times of its cells. A row whose cells expire, or have a write time
//     that is later than the servers' clocks, cannot get one.
//  2. Each row claims its unique values.
//  3. The copies of each row are written at its version, with the done-marker. Where a row of a copy that is keyed by a unique value
//     differs from the owner of the value, the version of the owner is raised first: before the duplicates were fixed, another row
//     can have written or deleted the row at a later version.
//
// It begins after the checkpoint from, which is empty at first, and calls save with a checkpoint after every page; an error of
// save stops it. If rows of a step are refused, it ends after that step with an error that contains them, at most 100, and
// the next run begins with the first step. The third step passes over rows whose copies cannot be written, as a backfill does, and
// returns a *mapper.RefusedRowsError at the end. It is safe to repeat, and while stores of this model write.
func (r Versioned) AssignVersions(ctx context.Context, c FillConfig, from string, save func(from string) error) error {
	err := c.check()
	if err == nil {
		err = (&assignment{r: r, config: c, save: save}).run(ctx, from)
	}
	if _, over := err.(*mapper.RefusedRowsError); err != nil && !over {
		return fmt.Errorf("mapper: versions of %s: %w", r.c.Table.Name, err)
	}
	return err
}

const assignVersions = "AssignVersions"

// assignment is a call of AssignVersions.
type assignment struct {
	r       Versioned
	config  FillConfig
	save    func(string) error
	behind  time.Duration // how far the client's clock is behind those of the servers; 0 if it is not
	slowest time.Duration // how far the slowest clock of a server is ahead of the client's clock; negative: behind it
	refused []error       // the rows that the current step cannot change
}

// maxRefused is the number of rows in an error.
const maxRefused = 100

// errMore ends a step whose error has enough rows.
var errMore = errors.New("the rest of the table was not read")

// assignmentStep is a step of an assignment: a scan of the whole table.
type assignmentStep struct {
	name string
	runner
}

// steps returns the steps that the model needs.
func (a *assignment) steps() []assignmentStep {
	v := a.r.aggregate.Versioning
	out := []assignmentStep{scanStep(a, "versions", a.unversioned, a.assign)}
	if len(v.Uniques) > 0 {
		out = append(out, scanStep(a, "claims", a.r.keyOf, a.claim))
	}
	if v.Done != nil {
		out = append(out, a.copiesStep())
	}
	return out
}

func scanStep[T any](a *assignment, name string, of func(cell.Row) (T, error), do func(context.Context, T) error) assignmentStep {
	name = a.r.c.Table.Name + ":" + name
	scan := newRowScan(a.r.Root, a.config, name, of, do)
	scan.refuse = a.refuse
	return assignmentStep{name, scan}
}

// copiesStep returns the step that writes the copies. It passes over rows whose copies cannot be written: they have a version and their
// unique values.
func (a *assignment) copiesStep() assignmentStep {
	table := a.r.c.Table.Name
	name := table + ":copies"
	return assignmentStep{name, &passing{job: "versions of " + table, name: name, scan: func(over *passing) (runner, *scan) {
		return a.r.passingScan(a.config, name, over, a.refuse, a.propagate)
	}}}
}

// refuse collects the refused rows of a page.
func (a *assignment) refuse(rows []error) error {
	a.refused = append(a.refused, rows...)
	if len(a.refused) >= maxRefused {
		a.refused = a.refused[:maxRefused]
		return errMore
	}
	return nil
}

// run takes the steps that follow a checkpoint, which is the name of a step, or is in the middle of one.
func (a *assignment) run(ctx context.Context, from string) error {
	steps := a.steps()
	name, position, _ := strings.Cut(from, " ")
	at := slices.IndexFunc(steps, func(s assignmentStep) bool { return s.name == name })
	switch {
	case from == "":
		at = 0
	case at < 0:
		return foreignCheckpoint(from, a.r.c.Table.Name)
	case position == "":
		from = ""
	}
	if err := a.await(ctx); err != nil {
		return err
	}
	for i, s := range steps[at:] {
		if i > 0 {
			if err := a.save(s.name); err != nil {
				return err
			}
			from = ""
		}
		if err := a.take(ctx, s, from); err != nil {
			return err
		}
	}
	return nil
}

// take takes a step. After the first row that is refused no checkpoint is saved.
func (a *assignment) take(ctx context.Context, s assignmentStep, from string) error {
	err := s.run(ctx, from, func(checkpoint string) error {
		if len(a.refused) > 0 {
			return nil
		}
		return a.save(checkpoint)
	})
	if _, over := err.(*mapper.RefusedRowsError); len(a.refused) == 0 || err != nil && !over && !errors.Is(err, errMore) {
		return err
	}
	rows := fmt.Errorf("refused rows: %d; fix them and run the function again", len(a.refused))
	return errors.Join(append([]error{rows}, append(a.refused, err, a.save(""))...)...)
}

// await waits until no earlier write can have a later time than the version of a row, and compares the clocks.
func (a *assignment) await(ctx context.Context) error {
	db := a.r.db
	if !wait(ctx, max(0, db.config.MaxClockSkew)) {
		return context.Cause(ctx)
	}
	answers, err := db.readClocks(ctx)
	if answers == nil || err != nil {
		return err
	}
	for i := range answers {
		if d := answers[i].Server.Sub(answers[i].Client); i == 0 || d < a.slowest {
			a.slowest = d
		}
	}
	f := skew.Measure(answers)
	a.behind = max(0, -f.Skew)
	return nil
}

// unversioned returns a row that no save has written; nil for any other row.
func (a *assignment) unversioned(row cell.Row) (*plan.Unversioned, error) {
	return a.r.aggregate.UnversionedOf(row)
}

// assign sets the version of a row.
func (a *assignment) assign(ctx context.Context, u *plan.Unversioned) error {
	if u == nil {
		return nil
	}
	return a.r.onRow(ctx, assignVersions, u.Key, func(w *writing) error {
		now := w.db.config.Now()
		newest := max(u.At, u.Newest)
		switch servers := now.Add(a.slowest); {
		case newest > servers.UnixMicro():
			return refuseRow("was written at %s, and the clock of a server shows %s: a conditional statement would have no effect",
				time.UnixMicro(newest).UTC().Format(time.RFC3339Nano), servers.UTC().Format(time.RFC3339Nano))
		case u.Values.RemainingTTL > 0:
			return refuseRow("has a cell that expires in %d s: a row with a version does not expire", u.Values.RemainingTTL)
		}
		c := a.r.aggregate.Assign(u, now.Add(a.behind).UnixMicro())
		if c == nil {
			return nil
		}
		_, err := w.cas(c, 1) // a refusal is that of a row that a save has written meanwhile
		return err
	})
}

// claim claims the unique values of a row.
func (a *assignment) claim(ctx context.Context, key cell.Row) error {
	return a.r.onRow(ctx, assignVersions, key, func(w *writing) error {
		for {
			err := w.claimAll()
			if !errors.Is(err, errRefused) {
				return err
			}
			if err := w.again(); err != nil {
				return err
			}
		}
	})
}

// claimAll claims all unique values of the row as it is now. The error has each value that another row has.
func (w *writing) claimAll() error {
	s, err := w.assigned()
	if err != nil {
		return err
	}
	claims, err := w.aggregate.Claims(s)
	if err != nil {
		return err
	}
	var floor plan.Version
	var taken duplicates
	for _, c := range claims {
		f, err := w.claimValue(c, s.Version)
		if _, duplicate := errors.AsType[*mapper.DuplicateError](err); duplicate {
			taken = append(taken, err)
		} else if err != nil {
			return err
		}
		floor = max(floor, f)
	}
	if floor > 0 && s.Version < floor+2 {
		if err := w.raise(s, floor); err != nil {
			return err
		}
	}
	return taken.orNil()
}

// duplicates are the values of a row that other rows have.
type duplicates []error

// Error returns the messages of all, one a line.
func (d duplicates) Error() string { return errors.Join(d...).Error() }

// Unwrap returns all of them.
func (d duplicates) Unwrap() []error { return d }

func (d duplicates) orNil() error {
	if len(d) == 0 {
		return nil
	}
	return d
}

// raise raises the version of a row above the floor of a value that it has claimed.
func (w *writing) raise(s *plan.State, floor plan.Version) error {
	save := plan.PlanVersion(w.aggregate, s, floor, w.options())
	answer, err := w.cas(&save.Root, 1)
	if err == nil && !answer.Applied {
		return errRefused
	}
	return err
}

// assigned reads the state of a row; nil if there is none. A row without a version is refused.
func (w *writing) assigned() (*plan.State, error) {
	s, err := w.read(true)
	if err == nil && s.Exists() && s.Version == 0 {
		return nil, refuseRow("has no version: a program without versions is still writing the table")
	}
	return s, err
}

// propagate writes the copies of a row and the done-marker, unless they are written.
func (a *assignment) propagate(ctx context.Context, key cell.Row) error {
	return a.r.onRow(ctx, assignVersions, key, func(w *writing) error {
		if _, err := w.assigned(); err != nil {
			return err
		}
		if err := w.mark(); err != nil {
			return err
		}
		for {
			err := w.restoreKeyed()
			if !errors.Is(err, errRefused) {
				return err
			}
			if err := w.again(); err != nil {
				return err
			}
		}
	})
}

// restoreKeyed compares the rows of copies that have a unique value of the row in their key. If one differs, restoreKeyed raises the version
// of the row and writes the copies.
func (w *writing) restoreKeyed() error {
	for restored := false; ; restored = true {
		s, err := w.read(true)
		if err != nil || !s.Exists() {
			return err
		}
		differs, newest, err := w.compareKeyed(s)
		switch {
		case err != nil || differs == nil:
			return err
		case restored || newest > w.db.config.Now().Add(max(0, w.db.config.MaxClockSkew)).UnixMicro():
			return refuseRow("has a row in %s that was written or deleted with a timestamp in the future: wait until that time has passed", differs.Name)
		}
		save := plan.PlanVersion(w.aggregate, s, newest, w.options())
		if err := w.raiseTo(save); err != nil {
			return err
		}
		copies, err := w.owned(&save.State)
		if err == nil {
			err = w.sendAll(copies, save.State.Version)
		}
		if err != nil {
			return err
		}
	}
}

// compareKeyed returns a copy with a row that differs from a state, and has a unique value in its key whose reservation the row owns, with
// the newest write time of that row; nil if there is none.
func (w *writing) compareKeyed(s *plan.State) (*plan.Table, int64, error) {
	unowned, err := w.unowned(s)
	if err != nil {
		return nil, 0, err
	}
	for i := range w.aggregate.Copies {
		c := &w.aggregate.Copies[i]
		if c.ByUnique == 0 {
			continue
		}
		rows, err := c.Rows(s.Row)
		if err != nil {
			return nil, 0, err
		}
		for _, row := range rows {
			if unowned.Has(w.aggregate.KeyClaim(c, row)) {
				continue
			}
			if equal, newest, err := w.equalKeyed(s, c, row[:c.Table.Key]); err != nil || !equal {
				return c.Table, newest, err
			}
		}
	}
	return nil, 0, nil
}

// equalKeyed reports whether the row of a copy with a key is that which follows from a state, and returns its newest write time.
func (w *writing) equalKeyed(s *plan.State, c *plan.Projection, key cell.Row) (equal bool, newest int64, err error) {
	l := &store.Lookup{Read: store.Read{Table: c.Table, Key: key, Within: true, Written: true, Consistency: w.db.config.Consistency}}
	row, err := w.db.readRow(w.ctx, w.op, l)
	if row == nil || err != nil {
		return w.aggregate.TTL(c.Table) > 0, 0, err // it can have expired
	}
	want, err := c.RowWith(key, s.Row)
	equal = err == nil && want != nil
	for i := c.Table.Key; equal && i < len(want); i++ {
		equal = w.db.schema.SameValue(c.Table, i, row[i], want[i])
	}
	return equal, latest(row[len(c.Table.Columns):]), err
}

// keyOf returns the key of a row that was read with its stamps.
func (r Versioned) keyOf(row cell.Row) (cell.Row, error) {
	return plan.CloneRow(row[:r.c.Table.Key]), nil
}
