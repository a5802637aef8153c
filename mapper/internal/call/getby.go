package call

import (
	"context"
	"errors"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// GetBy reads the row that has a unique value, or a group of them: it reads their reservation, and then the row of the owner. unique is
// their index in the versioning of the aggregate. GetBy returns mapper.ErrNotFound if they have no owner, or if the row of the owner is
// deleted or does not have them: the save that has claimed them has not been applied, or a later one has dropped them.
//
// A root has a unique value only while it owns the reservation. So if the owner that was read does not have the value afterwards, then
// there was a time during the call at which no row had it.
func (r Root) GetBy(ctx context.Context, op string, unique int, key *cell.Encoder) (any, error) {
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	c, err := r.wanted(&r.Aggregate.Versioning.Uniques[unique], key)
	if err != nil {
		return nil, err
	}
	v, err := r.holder(ctx, op, c)
	if v == nil && err == nil {
		err = mapper.ErrNotFound
	}
	if err != nil {
		return nil, r.wrapValues(op, c.Table.KeyText(c.Key), err)
	}
	return v, nil
}

// wanted returns the unique value with the given key. It returns a *mapper.ConstraintError for a value that no save claims.
func (r Root) wanted(u *plan.Unique, key *cell.Encoder) (plan.Claim, error) {
	row, err := key.Cells(make(cell.Row, 0, u.Table.Key))
	var c plan.Claim
	var faults []mapper.Violation
	if err == nil {
		u.Table.Canonical(row)
		c = u.Claim(row)
		faults = unclaimed(c)
	}
	err = r.DB.ConstraintError(u.Table, nil, faults, err)
	if e, ok := errors.AsType[*mapper.ConstraintError](err); ok {
		e.Table = r.Codec.Table.Name
	}
	if err != nil {
		return plan.Claim{}, err
	}
	return c, nil
}

// unclaimed returns a fault for each cell of a key that is null or empty, and one for a key that is too long: no save claims such values.
func unclaimed(v plan.Claim) (faults []mapper.Violation) {
	for i, c := range v.Key {
		if !plan.ClaimsNothing(c) {
			continue
		}
		problem := "is empty, and no row has a unique value that is empty"
		if c == nil {
			problem = "is null, and no row has a unique value that is null"
		}
		faults = append(faults, mapper.Violation{Path: v.Table.Columns[i].Field, Problem: problem})
	}
	if problem := v.TooLong(); problem != "" {
		faults = append(faults, mapper.Violation{Path: v.Field, Problem: problem})
	}
	return faults
}

// holder reads the root that has a unique value. It returns nil if no root has it.
func (r Root) holder(ctx context.Context, op string, c plan.Claim) (any, error) {
	if err := r.checkRead(); err != nil {
		return nil, err
	}
	owner, err := r.owner(ctx, op, r.Aggregate, store.Read{Table: c.Table, Key: c.Key, Consistency: r.Consistency()})
	if owner == nil || err != nil {
		return nil, err
	}
	row, err := r.undecoded(ctx, op, store.Read{Table: r.Codec.Table, Key: owner, Lasting: r.Lasting(), Consistency: r.Consistency()})
	if row == nil || err != nil || r.Omits(row) {
		return nil, err
	}
	if has, err := c.In(row); !has || err != nil {
		return nil, err
	}
	return r.DecodeRead(new(cell.Decoder), row)
}

// owner reads the reservation of a unique value, and returns the key of the root that has claimed it, or nil if it has no owner.
func (r Reader) owner(ctx context.Context, op string, a *plan.Aggregate, read store.Read) (cell.Row, error) {
	reservation, err := r.undecoded(ctx, op, read)
	if reservation == nil || err != nil {
		return nil, err
	}
	return a.ReservationOwner(read.Table, reservation), nil
}

// undecoded reads a row of any table without decoding it. It returns nil if there is no row. With Options.SpeculativeDelay it can send a second request.
func (r Reader) undecoded(ctx context.Context, op string, read store.Read) (cell.Row, error) {
	if !r.speculates(&read) {
		return r.DB.ReadRow(ctx, op, &store.Lookup{Read: read})
	}
	return speculate(ctx, r, op, read, func(ctx context.Context, read store.Read) (cell.Row, int, error) {
		row, err := r.DB.row(ctx, &store.Lookup{Read: read})
		return row, RowCount(err == nil && row != nil), err
	})
}
