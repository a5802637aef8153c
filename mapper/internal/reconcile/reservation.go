package reconcile

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/save"
	"github.com/cassaml/cassaml/mapper/internal/scan"
)

// newReservationScan returns a scan of the reservations of unique values. One whose owner does not have the value is released.
func newReservationScan(x *run, r save.Versioned, u *plan.Unique) *scan.RowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row[:len(u.Table.Columns)]), nil }
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, u.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		w := r.Call(ctx, reconcile, nil)
		v, err := w.Reservations().DecodeReservation(u.Claim(row[:u.Table.Key]), row)
		if err != nil || v.Owner == nil {
			return err
		}
		return x.forRow(ctx, r, v.Owner, func(w *save.Call) error { return x.newRowCheck(w).checkReservation(v) })
	})
	return tolerant(x, s, u.Table)
}

// checkReservation releases a reservation unless its owner has the value.
func (x rowCheck) checkReservation(r *save.Reservation) error {
	o, err := x.w.ReadKeyState(x.w.Key, false)
	if err != nil {
		return err
	}
	if has, err := x.w.Reservations().Holds(o, r.Claim); has || err != nil {
		return err
	}
	d := drift(mapper.DriftLeakedReservation, x.w.Root, r.Table, r.Key)
	d.Column, d.Have = r.Table.Columns[r.Table.Key].Name, x.w.Codec.Table.KeyText(r.Owner)
	d.Key = r.Text()
	leaked, freed, err := x.w.Reservations().ReleaseLeaked(r, x.config.DryRun)
	if err != nil || !leaked {
		return err
	}
	if d.Repaired = freed; freed {
		err = x.w.Copies().CompleteCopies()
	}
	x.addFinding(d)
	return err
}

// reserve claims the unique values of a state that are not reserved for it, and returns the errors of those that another row has,
// by the key of the reservation.
func (x rowCheck) reserve(s *plan.State) (map[string]error, error) {
	missing, err := x.w.Reservations().Unreserved(s, x.w.DB.Config.SerialConsistency)
	taken := map[string]error{}
	for _, c := range missing {
		floor, err := x.w.Reservations().ClaimValue(c, s.Version)
		if _, duplicate := errors.AsType[*mapper.DuplicateError](err); duplicate {
			taken[c.Text()] = err
			continue
		}
		if err != nil {
			return nil, err
		}
		if floor > 0 && s.Version < floor+2 {
			if err := x.w.RaiseAboveFloor(s, floor); err != nil {
				return nil, err
			}
			return nil, call.ErrChanged // the version has changed: start over
		}
	}
	return taken, err
}

// newReservationPurge returns a scan of the reservations of unique values, which removes old ones without an owner.
func newReservationPurge(x *run, r save.Versioned, u *plan.Unique) *scan.RowScan[cell.Row] {
	of := func(row cell.Row) (cell.Row, error) { return plan.CloneRow(row[:len(u.Table.Columns)]), nil }
	s := scan.NewRowScan(r.Root, scan.FillConfig{}, u.Table.Name, of, func(ctx context.Context, row cell.Row) error {
		w := r.Call(ctx, reconcile, nil)
		v, err := w.Reservations().DecodeReservation(u.Claim(row[:u.Table.Key]), row)
		if err != nil || v.Owner != nil || max(v.Floor, v.At) >= x.purgeable(u.Table) || x.config.DryRun {
			return err
		}
		return r.ForRow(ctx, reconcile, nil, func(w *save.Call) error {
			removed, err := w.Reservations().PurgeReservation(v.Claim, x.purgeable(u.Table))
			if removed {
				x.purged()
			}
			return err
		})
	})
	return tolerant(x, s, u.Table)
}
