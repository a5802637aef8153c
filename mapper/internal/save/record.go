package save

import (
	"context"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/descriptor"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/driver"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/scan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// ReferenceRows returns a function that runs [Versioned.RecordReferences] on the keyspace of a session. If the keyspace lacks a part of
// the tables of the aggregate, of its reverse tables or of the targets, it returns a *mapper.SchemaError before it reads.
func ReferenceRows(schema *descriptor.Schema, c *call.Codec, a *plan.Aggregate, roots *call.Relations) func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
	return func(ctx context.Context, session driver.Session, from string, save func(from string) error) error {
		cql := store.CQL{Session: session}
		keyspace, err := cql.Inspect(ctx)
		if err != nil {
			return err
		}
		own := &descriptor.Schema{Types: schema.Types, Tables: referenceTables(a, roots), Aggregates: []*descriptor.Aggregate{a.Aggregate}}
		if _, err := keyspace.Verify(own); err != nil {
			return call.AddMigrations(ctx, cql.Session, err)
		}
		db, err := call.OpenWatched(ctx, cql, mapper.Config{}, own, keyspace)
		if err != nil {
			return err
		}
		db.Relate(roots)
		return NewVersioned(call.NewReader(db, c), a).RecordReferences(ctx, scan.FillConfig{}, from, save)
	}
}

// referenceTables returns the tables of a root, of its checked references and of their targets.
func referenceTables(a *plan.Aggregate, roots *call.Relations) []*descriptor.Table {
	out := tables(a.Aggregate)
	for i := range a.Versioning.References {
		r := &a.Versioning.References[i]
		if of := roots.Root(r.Target).Aggregate.Aggregate.Root; !slices.Contains(out, of) {
			out = append(out, of)
		}
		out = append(out, (*descriptor.Table)(r.Table))
	}
	return out
}

// RecordReferences writes the rows of reverse tables that are missing, because programs whose references were not checked have written the
// roots. These programs must have ended. Until the rows are written, no target may be deleted.
//
// It reads the table once, and saves each root whose rows are missing by the protocol of a save that adds the references: it writes the rows at
// the next version of the root, reads the targets, and raises the version. A root that refers to a target that does not exist is refused: the
// function ends with an error that contains these roots, at most 100, and the next run begins again.
//
// It begins after the checkpoint from, which is empty at first, and calls save with a checkpoint after every page; an error of save stops it. It is
// safe to repeat, and while stores of this model write.
func (r Versioned) RecordReferences(ctx context.Context, c scan.FillConfig, from string, save func(from string) error) error {
	err := c.Check()
	if err == nil {
		a := &assignment{r: r, config: c, save: save}
		err = a.runStep(ctx, a.referencesStep(), from)
	}
	if err != nil {
		return fmt.Errorf("mapper: references of %s: %w", r.Codec.Table.Name, err)
	}
	return nil
}

// referencesStep returns the step that writes the rows of references.
func (a *assignment) referencesStep() assignmentStep {
	name := a.r.Codec.Table.Name + ":references"
	s := scan.NewRowScan(a.r.Root, a.config, name, a.r.cloneKey, a.recordReferences)
	s.Refuse = a.refuse
	s.Read.Stamped, s.Read.Positioned = false, true
	return assignmentStep{name, s}
}

// recordReferences writes the rows of the references of one root.
func (a *assignment) recordReferences(ctx context.Context, key cell.Row) error {
	return a.r.ForRow(ctx, "RecordReferences", key, func(w *Call) error {
		return w.Repeat(w.References().recordAll)
	})
}

// fillFollowing saves a root whose rows of references were missing, or whose fields do not equal the fields of their targets: the save reads them. A run
// that has ended early can have written the rows after an outbox was served, so fields are compared even if an outbox is set.
func (w References) fillFollowing(s *plan.State, recorded bool) error {
	stale, err := w.StaleFields(s, false)
	if err != nil || !recorded && len(stale) == 0 {
		return err
	}
	return w.FollowAgain(s)
}

// recordAll writes the rows of the references that are missing, and raises the version of the root. It returns a *mapper.ConstraintError if a
// target does not exist whose deletion the root would not have outlived as it is, and ErrChanged if the root has been saved in between.
func (w References) recordAll() error {
	s, err := w.assigned()
	if err != nil {
		return err
	}
	refs, err := w.Aggregate.Refs(s)
	if err != nil || len(refs) == 0 {
		return err
	}
	raise := plan.PlanFence(w.Aggregate, s, w.Key, 0, w.Options())
	recorded, err := w.recordAt(refs, raise.State.Version)
	if err != nil {
		return err
	}
	needed := slices.DeleteFunc(slices.Clone(refs), func(r plan.Ref) bool { return r.OnDelete == descriptor.Keep })
	exist, err := w.existing(needed.Targets())
	if err != nil {
		return err
	}
	if err := w.missing(needed, func(r plan.Ref) bool { return exist[r.TargetName()] }); err != nil {
		return err
	}
	if w.Aggregate.Follows() {
		return w.fillFollowing(s, recorded)
	}
	if !recorded {
		return nil
	}
	return w.Copies().SendRaise(raise)
}
