package save

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/internal/wait"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/skew"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Versions returns a function that runs [Versioned.AssignVersions] on the keyspace of a session. If the keyspace lacks a part of
// the tables of the aggregate, it returns a *mapper.SchemaError before it reads, and if the clock differs from the servers'
// clocks, a *mapper.ClockError. ttl is Config.TTL of the store.
func Versions(schema *descriptor.Schema, c *call.Codec, a *plan.Aggregate, ttl map[string]time.Duration) func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session}
		keyspace, err := cql.Inspect(ctx)
		if err != nil {
			return err
		}
		own := &descriptor.Schema{Types: schema.Types, Tables: tables(a.Aggregate), Aggregates: []*descriptor.Aggregate{a.Aggregate}}
		if err := keyspace.VerifyWriteTimes("assign versions of "+a.Aggregate.Root.Name, timedTables(a.Aggregate)...); err != nil {
			return err
		}
		if _, err := keyspace.Verify(own); err != nil {
			return call.AddMigrations(ctx, cql.Session, err)
		}
		db, err := call.OpenWatched(ctx, cql, mapper.Config{TTL: call.NamedTTLs(own, ttl)}, own, keyspace)
		if err != nil {
			return err
		}
		return NewVersioned(call.NewReader(db, c), a).AssignVersions(ctx, scan.FillConfig{}, from, save)
	}
}

// timedTables returns the tables of a versioned root whose write times AssignVersions reads.
func timedTables(a *descriptor.Aggregate) []*descriptor.Table {
	out := []*descriptor.Table{a.Root}
	for i := range a.Copies {
		if a.Copies[i].ByUnique > 0 {
			out = append(out, a.Copies[i].Table)
		}
	}
	return out
}

// tables returns the tables of a versioned root: its own, its copies and the tables that only the mapper uses.
func tables(a *descriptor.Aggregate) []*descriptor.Table {
	out := []*descriptor.Table{a.Root}
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
// It waits for Config.MaxClockSkew, and then reads the table three times, and once more for head rows:
//
//  1. Each row without a version gets one, above the write times of its cells. A row whose cells expire, or have a write time
//     that is later than the servers' clocks, cannot get one. Then the head row of each partition is written where it is missing, because
//     a function that copies a table does not write it.
//  2. Each row claims its unique values.
//  3. The copies of each row are written at its version, with the done-marker. Where a row of a copy that is keyed by a unique value
//     differs from the owner of the value, the version of the owner is raised first: before the duplicates were fixed, another row
//     can have written or deleted the row at a later version.
//
// It begins after the checkpoint from, which is empty at first, and calls save with a checkpoint after every page; an error of
// save stops it. If rows of a step are refused, it ends after that step with an error that contains them, at most 100, and
// the next run begins with the first step. The third step skips rows whose copies cannot be written, as a backfill does, and
// returns a *mapper.RefusedRowsError at the end. It is safe to repeat, and while stores of this model write.
func (r Versioned) AssignVersions(ctx context.Context, c scan.FillConfig, from string, save func(from string) error) error {
	err := c.Check()
	if err == nil {
		err = (&assignment{r: r, config: c, save: save}).run(ctx, from)
	}
	if _, over := err.(*mapper.RefusedRowsError); err != nil && !over {
		return fmt.Errorf("mapper: versions of %s: %w", r.Codec.Table.Name, err)
	}
	return err
}

const assignVersions = "AssignVersions"

// assignment is a call of AssignVersions.
type assignment struct {
	r       Versioned
	config  scan.FillConfig
	save    func(string) error
	behind  time.Duration // how far the client's clock is behind the clocks of the servers; 0 if it is not
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
	scan.Runner
}

// steps returns the steps that the model needs.
func (a *assignment) steps() []assignmentStep {
	v := a.r.Aggregate.Versioning
	out := []assignmentStep{scanStep(a, "versions", a.unversioned, a.assign)}
	if v.Part != nil && v.Part.Head != "" {
		out = append(out, scanStep(a, "heads", a.r.cloneKey, a.restoreHead))
	}
	if len(v.Uniques) > 0 {
		out = append(out, scanStep(a, "claims", a.r.cloneKey, a.claim))
	}
	if v.Done != nil {
		out = append(out, a.copiesStep())
	}
	return out
}

func scanStep[T any](a *assignment, name string, of func(cell.Row) (T, error), do func(context.Context, T) error) assignmentStep {
	name = a.r.Codec.Table.Name + ":" + name
	scan := scan.NewRowScan(a.r.Root, a.config, name, of, do)
	scan.Refuse = a.refuse
	return assignmentStep{name, scan}
}

// copiesStep returns the step that writes the copies. It skips rows whose copies cannot be written: they have a version and their
// unique values.
func (a *assignment) copiesStep() assignmentStep {
	table := a.r.Codec.Table.Name
	name := table + ":copies"
	return assignmentStep{name, &scan.Skipping{Job: "versions of " + table, Name: name, NewScan: func(over *scan.Skipping) (scan.Runner, *scan.PageScan) {
		return scan.NewSkippingScan(a.r.Root, a.config, name, over, a.refuse, a.propagate)
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
		return scan.CheckpointError(from, a.r.Codec.Table.Name)
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
		if err := a.runStep(ctx, s, from); err != nil {
			return err
		}
	}
	return nil
}

// runStep takes a step. After the first row that is refused no checkpoint is saved.
func (a *assignment) runStep(ctx context.Context, s assignmentStep, from string) error {
	err := s.Run(ctx, from, func(checkpoint string) error {
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
	db := a.r.DB
	if wait.Sleep(ctx, max(0, db.Config.MaxClockSkew)) != nil {
		return context.Cause(ctx)
	}
	answers, err := db.ReadClocks(ctx)
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
	return a.r.Aggregate.DecodeUnversioned(row)
}

// assign sets the version of a row.
func (a *assignment) assign(ctx context.Context, u *plan.Unversioned) error {
	if u == nil {
		return nil
	}
	return a.r.ForRow(ctx, assignVersions, u.Key, func(w *Call) error {
		now := w.DB.Config.Now()
		newest := max(u.At, u.Newest)
		switch servers := now.Add(a.slowest); {
		case newest > servers.UnixMicro():
			return call.RefuseRow("was written at %s, and the clock of a server shows %s: a conditional statement would have no effect",
				time.UnixMicro(newest).UTC().Format(time.RFC3339Nano), servers.UTC().Format(time.RFC3339Nano))
		case w.Aggregate.Versioning.Live > 0:
			return w.assignLife(now.Add(a.behind).UnixMicro())
		case u.Values.RemainingTTL > 0:
			return call.RefuseRow("has a cell that expires in %d s: a row with a version does not expire", u.Values.RemainingTTL)
		}
		c := a.r.Aggregate.Assign(u, now.Add(a.behind).UnixMicro())
		if c == nil {
			return nil
		}
		_, err := w.CAS(c, 1) // it is refused if a save has written the row meanwhile
		return err
	})
}

// assignLife sets the version of a row that expires, with the rest of its TTL. It reads the row again, because time has passed since it was
// found.
func (w *Call) assignLife(now int64) error {
	since := w.DB.Env.Elapsed()
	row, err := w.DB.ReadRow(w.Ctx, w.Op, &store.Lookup{Read: store.Read{Table: w.Codec.Table, Key: w.Key, Stamped: true, Consistency: w.DB.Config.SerialConsistency}})
	if row == nil || err != nil {
		return err
	}
	u, err := w.Aggregate.DecodeUnversioned(row)
	if u == nil || err != nil {
		return err
	}
	if !u.Values.There {
		return call.RefuseRow("has no value, so that it is unknown when it expires: delete it")
	}
	life := plan.Life{Left: plan.TTL(u.Values.RemainingTTL)}
	if life.Left > 0 {
		passed := plan.TTL((w.DB.Env.Elapsed() - since + time.Second) / time.Second)
		if life.Left <= passed {
			return nil // it expires now
		}
		life.Kept = life.Left + w.DB.Grace(w.Aggregate)
		life.Left -= passed
	}
	_, err = w.CAS(w.Aggregate.AssignLife(u, now, life), 1) // it is refused if a save has written the row meanwhile
	return err
}

// restoreHead writes the head row of the partition of a root where it is missing.
func (a *assignment) restoreHead(ctx context.Context, key cell.Row) error {
	return a.r.ForRow(ctx, assignVersions, key, func(w *Call) error {
		part := w.Aggregate.Versioning.Part
		for {
			s, err := w.ReadState(true)
			if err != nil || s == nil || s.Version == 0 {
				return err
			}
			head, err := w.ReadRow(part.Table, part.HeadRowKey(key), w.DB.Config.SerialConsistency)
			if err != nil || head != nil {
				return err
			}
			answer, err := w.CAS(w.Aggregate.RestoreHead(s), 1)
			if err != nil || answer.Applied {
				return err
			}
			if err := w.Retry(); err != nil {
				return err
			}
		}
	})
}

// claim claims the unique values of a row.
func (a *assignment) claim(ctx context.Context, key cell.Row) error {
	return a.r.ForRow(ctx, assignVersions, key, func(w *Call) error {
		return w.Repeat(w.Reservations().claimAll)
	})
}

// claimAll claims all unique values of the row as it is now. The error has each value that another row has.
func (w Reservations) claimAll() error {
	s, err := w.assigned()
	if err != nil {
		return err
	}
	claims, err := w.Aggregate.Claims(s)
	if err != nil {
		return err
	}
	var floor plan.Version
	var taken []error
	for _, c := range claims {
		f, err := w.ClaimValue(c, s.Version)
		if _, duplicate := errors.AsType[*mapper.DuplicateError](err); duplicate {
			taken = append(taken, err)
		} else if err != nil {
			return err
		}
		floor = max(floor, f)
	}
	if floor > 0 && s.Version < floor+2 {
		if err := w.RaiseAboveFloor(s, floor); err != nil {
			return err
		}
	}
	return call.Join(taken)
}

// RaiseAboveFloor raises the version of a row above the floor of a value that it has claimed.
func (w *Call) RaiseAboveFloor(s *plan.State, floor plan.Version) error {
	save := plan.PlanVersion(w.Aggregate, s, floor, w.Options())
	answer, err := w.CAS(&save.Root, 1)
	if err == nil && !answer.Applied {
		return call.ErrChanged
	}
	return err
}

// assigned reads the state of a row; nil if there is none. A row without a version is refused.
func (w *Call) assigned() (*plan.State, error) {
	s, err := w.ReadState(true)
	if err == nil && s.Exists() && s.Version == 0 {
		return nil, call.RefuseRow("has no version: a program without versions is still writing the table")
	}
	return s, err
}

// propagate writes the copies of a row and the done-marker, unless they are written.
func (a *assignment) propagate(ctx context.Context, key cell.Row) error {
	return a.r.ForRow(ctx, assignVersions, key, func(w *Call) error {
		if _, err := w.assigned(); err != nil {
			return err
		}
		if err := w.Copies().CompleteCopies(); err != nil {
			return err
		}
		return w.Repeat(keyedCopies{w}.restoreKeyed)
	})
}

// keyedCopies compares the copies of the row of a call whose keys have its unique values in place of its key.
type keyedCopies struct{ *Call }

// restoreKeyed compares the rows of copies that have a unique value of the row in their key. If one differs, restoreKeyed raises the version
// of the row and writes the copies.
func (w keyedCopies) restoreKeyed() error {
	for restored := false; ; restored = true {
		s, err := w.ReadState(true)
		if err != nil || !s.Exists() {
			return err
		}
		differs, newest, err := w.compareKeyed(s)
		switch {
		case err != nil || differs == nil:
			return err
		case restored || newest > w.DB.Config.Now().Add(max(0, w.DB.Config.MaxClockSkew)).UnixMicro():
			return call.RefuseRow("has a row in %s that was written or deleted with a timestamp in the future: wait until that time has passed", differs.Name)
		}
		save := plan.PlanVersion(w.Aggregate, s, newest, w.Options())
		if err := w.Copies().SendRaise(save); err != nil {
			return err
		}
		copies, err := w.Copies().CopyMutations(&save.State)
		if err == nil {
			err = w.Copies().SendCopies(copies, &save.State)
		}
		if err != nil {
			return err
		}
	}
}

// compareKeyed returns a copy with a row that differs from a state, and has a unique value in its key whose reservation the row owns, with
// the newest write time of that row; nil if there is none.
func (w keyedCopies) compareKeyed(s *plan.State) (*plan.Table, int64, error) {
	unowned, err := w.Reservations().unowned(s)
	if err != nil {
		return nil, 0, err
	}
	for i := range w.Aggregate.Copies {
		c := &w.Aggregate.Copies[i]
		if c.ByUnique == 0 {
			continue
		}
		rows, err := c.Rows(s.Row)
		if err != nil {
			return nil, 0, err
		}
		for _, row := range rows {
			if unowned.Has(w.Aggregate.KeyClaim(c, row)) {
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
func (w keyedCopies) equalKeyed(s *plan.State, c *plan.Projection, key cell.Row) (equal bool, newest int64, err error) {
	l := &store.Lookup{Read: store.Read{Table: c.Table, Key: key, Within: true, Written: true, Consistency: w.DB.Config.Consistency}}
	row, err := w.DB.ReadRow(w.Ctx, w.Op, l)
	if row == nil || err != nil {
		return w.Aggregate.TTL(c.Table) > 0, 0, err // it can have expired
	}
	want, err := c.RowWith(key, s.Row)
	equal = err == nil && want != nil
	for i := c.Table.Key; equal && i < len(want); i++ {
		equal = w.DB.Schema.SameValue(c.Table, i, row[i], want[i])
	}
	return equal, call.LatestTime(row[len(c.Table.Columns):]), err
}

// cloneKey returns the key of a row that was read with its stamps.
func (r Versioned) cloneKey(row cell.Row) (cell.Row, error) {
	return plan.CloneRow(row[:r.Codec.Table.Key]), nil
}
