package save

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
)

// follow returns the row of a save with the columns that follow columns of other roots, and sets them in its value. It writes the rows of the
// references that the save adds before it reads the targets: so either the save has the values of a change of a target, or the change
// finds the row.
func (w References) follow(old *plan.State, row cell.Row, o plan.SaveOptions) (cell.Row, error) {
	if row == nil || !w.Aggregate.Follows() {
		return row, nil
	}
	row = slices.Clone(row)
	refs, err := w.Aggregate.FollowingRefs(row)
	if err != nil {
		return nil, err
	}
	added, err := w.Aggregate.AddedFollowing(old, refs)
	if err != nil {
		return nil, err
	}
	if err := w.checkKeys(added); err != nil {
		return nil, err
	}
	if len(added) > 0 {
		at := o.NextVersion(old)
		if err := w.sendRows(added.Rows(at), at); err != nil {
			return nil, err
		}
	}
	if err := w.copyTargets(old, row, refs, added, o.NextVersion(old)); err != nil {
		return nil, err
	}
	w.Codec.Table.Normalize(row[:len(w.Codec.Table.Columns)])
	from, err := w.Decode(new(cell.Decoder), row)
	if err != nil {
		return nil, err
	}
	w.Codec.Typed.CopyAny(w.value, from)
	return row, w.DB.ConstraintError(w.Codec.Table, row, w.Codec.Violations(w.value), nil)
}

// copyTargets reads the targets of references, and sets the columns of a row that follow them. A reference that is not added keeps its columns
// where its target was read at an earlier version than before, or does not exist, unless it was deleted before all roots had followed its last save.
// The target can be the row itself, as the save writes it at a version.
func (w References) copyTargets(old *plan.State, row cell.Row, refs, added plan.Refs, at plan.Version) error {
	targets, errs := make([]*plan.State, len(refs)), make([]error, len(refs))
	isAdded := func(r plan.Ref) bool { return added.HasTarget(r.CheckedReference, r.TargetKey(r.Key)) }
	w.DB.Env.RunAll(len(refs), func(i int) {
		if targets[i] = (&plan.State{Row: row, Version: at}); !w.isOwn(refs[i]) {
			targets[i], errs[i] = w.target(refs[i], isAdded(refs[i]))
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	var missing []mapper.Violation
	for i, r := range refs {
		switch t := targets[i]; {
		case w.isOwn(r):
			r.Follow(row, t)
		case !isAdded(r):
			held, err := r.FollowedVersion(w.Codec.Table, old.Row)
			if err != nil {
				return err
			}
			if r.Keep(row, old.Row); t.Exists() && t.Version >= held || t.HasUnserved(held) {
				r.Follow(row, t)
			}
		case t.Exists():
			r.Follow(row, t)
		default:
			missing = append(missing, w.DB.MissingTarget(r.Field, r.Target, r.TargetKey(r.Key)))
		}
	}
	return w.DB.ConstraintError(w.Codec.Table, w.Key, missing, nil)
}

// given returns the rules that a value violates, without the rules of fields that follow other roots: the save sets them, and then checks all.
func (r Versioned) given(v any) []mapper.Violation {
	broken := r.Codec.Violations(v)
	if !r.Aggregate.Follows() {
		return broken
	}
	return slices.DeleteFunc(broken, func(b mapper.Violation) bool {
		return slices.ContainsFunc(r.Aggregate.Versioning.References, func(ref plan.CheckedReference) bool { return r.setsField(&ref, b.Path) })
	})
}

// setsField reports whether a field, or the field in which it is, follows the target of a reference.
func (r Versioned) setsField(ref *plan.CheckedReference, path string) bool {
	for i := range ref.Copied {
		rest, ok := strings.CutPrefix(path, r.Codec.Table.FollowingField(&ref.Copied[i]))
		if ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			return true
		}
	}
	return false
}

// StaleFields returns the fields of a state which follow the columns of a target, but differ from them. Fields whose target does not exist stay as they
// are. served leaves out the fields whose target has an outbox to serve: they follow with that, if the rows of the references were written before it was set.
func (w References) StaleFields(s *plan.State, served bool) (fields []string, err error) {
	refs, err := w.Aggregate.FollowingRefs(slices.Clone(s.Row))
	if err != nil {
		return nil, err
	}
	for _, r := range refs {
		t, err := w.target(r, false)
		if err != nil {
			return nil, err
		}
		if t.Exists() && (!served || t.Outbox == 0) {
			fields = append(fields, r.Stale(w.Codec.Table, s.Row, t.Row)...)
		}
	}
	return fields, nil
}

// Refresh saves a state again, so that its fields follow their targets. It returns ErrChanged if the row has been saved in between.
func (w *Call) Refresh(s *plan.State) error {
	v, err := w.Decode(new(cell.Decoder), s.Row)
	if err != nil {
		return err
	}
	w.value = v
	row, err := w.encodeChanged(s.Row, s.Row, v, true)
	if err == nil {
		_, err = w.save(s, row)
	}
	return err
}

// FollowAgain is Refresh for a state whose fields differ from the fields of targets. A target that exists at an earlier version than the one from which the
// fields are, as after a restore of its table, first gets a later version: otherwise the save would keep the fields. FollowAgain returns ErrChanged if
// a target has been saved in between.
func (w References) FollowAgain(s *plan.State) error {
	refs, err := w.Aggregate.FollowingRefs(slices.Clone(s.Row))
	if err != nil {
		return err
	}
	for _, r := range refs {
		held, err := r.FollowedVersion(w.Codec.Table, s.Row)
		if err != nil {
			return err
		}
		t := w.other(w.DB.RelatedRoot(r.Target), r.TargetKey(r.Key))
		target, err := t.ReadState(true)
		if err == nil && target.Exists() && target.Version < held {
			err = t.Copies().SendRaise(plan.PlanFence(t.Aggregate, target, t.Key, held, t.Options()))
		}
		if err != nil {
			return err
		}
	}
	return w.Refresh(s)
}

// refresh saves the row of the call again if it refers by r to a target and its columns are from an earlier version of the target: the save reads
// the target. It reports whether the row refers to the target.
func (w *Call) refresh(r *plan.CheckedReference, target cell.Row, version plan.Version) (held bool, err error) {
	err = w.Repeat(func() (err error) {
		held, err = w.refreshOnce(r, target, version)
		return err
	})
	return held, err
}

func (w *Call) refreshOnce(r *plan.CheckedReference, target cell.Row, version plan.Version) (held bool, err error) {
	s, err := w.ReadState(true)
	if err != nil {
		return true, err
	}
	refs, err := w.Aggregate.Refs(s)
	if err != nil || !refs.HasTarget(r, target) {
		return err != nil, err
	}
	if at, err := r.FollowedVersion(w.Codec.Table, s.Row); err != nil || at >= version {
		return true, err
	}
	return true, w.Refresh(s)
}
