package runtime

import (
	"errors"

	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// transact replaces an old state with a new row in one transaction. It returns errRefused if the row no longer has the old state.
func (w *writing) transact(t store.Transactor, old *plan.State, row cell.Row) (*plan.State, error) {
	o := plan.SaveOptions{Now: w.db.config.Now().UnixMicro(), ID: w.db.env.id(), Synced: true, Parts: w.parts}
	for {
		save, err := w.plan(old, row, o)
		if err != nil {
			return nil, w.db.constraint(w.c.Table, w.key, nil, err)
		}
		x, err := save.Transaction(w.aggregate, old)
		if err != nil {
			return nil, err
		}
		var answer store.Answer
		_, err = w.commit(old, save, func(int) (_ store.Answer, err error) {
			answer, err = t.Transact(w.ctx, x, store.CAS{Serial: w.db.env.serial, Consistency: w.db.config.Consistency})
			return answer, err
		})
		if !errors.Is(err, errRefused) || answer.Reservation == nil {
			return &save.State, err
		}
		if o.Floor, err = w.allowed(answer.Reservation, answer.Row); err != nil {
			return nil, err
		}
	}
}

// allowed returns the floor of the reservation because of which a transaction was refused. It returns a *mapper.DuplicateError if
// another root owns the value.
func (w *writing) allowed(r *plan.Reservation, row cell.Row) (plan.Version, error) {
	there, err := w.reservationOf(r.Claim, row)
	if err != nil {
		return 0, err
	}
	if there.owner != nil && !w.ownedByRow(there) {
		return 0, w.duplicate(there)
	}
	return there.floor, nil
}
