package save

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cassaml/cassaml/aml/projection"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/call"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/plan"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
	"github.com/cassaml/cassaml/mapper/internal/store"
)

// Parts reads and writes the rows of a part of a versioned root, within the function of an Update. The writes are carried out in
// one conditional batch with the save of the root. Update returns their errors. After the function has returned, Get returns an
// error and writes have no effect. Parts must not be used by several goroutines at a time.
type Parts struct {
	w       *Call
	r       call.Reader // reads the part
	of      *plan.PartWrites
	version plan.Version // the version of the root that the function has
	rows    map[string]*partRow
	writes  []plan.PartWrite
	ranges  []plan.PartWrite // the ranges that the function has deleted
	errs    []error
	stale   bool // another save has changed the root since the function was called
	absent  bool // a row was not found, which does not show the version of the root
	ended   bool
	created bool // there is no root, and so there are no rows of the part
}

// partRow is a row that the function has read or written.
type partRow struct {
	key     cell.Row
	read    bool
	there   cell.Row // the row that was read; nil: none
	unknown bool     // its UDTs have fields that a newer program added
	written bool
	after   cell.Row // the row that the function has written; nil: it has deleted the row
}

var (
	errStale    = errors.New("another client has saved the row: return this error, and the function is called again")
	errEnded    = errors.New("the function of the Update has returned")
	errNoParts  = errors.New("mapper: these are the parts of no Update: use the second parameter of its function")
	errTwice    = errors.New("the function has written this row already: write each row of a part once")
	errInRange  = errors.New("the function has deleted a range with this row: a server cannot order the two, so write the row in another Update")
	errMostPart = fmt.Errorf("an Update writes at most %d rows and ranges of a part", maxPartWrites)
)

// maxPartWrites is the number of statements in a batch, less the statement of the root.
const maxPartWrites = 65_534

// newParts returns the parts of a root with the given state.
func (w *Call) newParts(part *call.Codec, s *plan.State) *Parts {
	return &Parts{w: w, r: call.NewReader(w.DB, part), of: w.Aggregate.Versioning.Part, version: s.CurrentVersion(), created: !s.Exists(),
		rows: map[string]*partRow{}}
}

// Get returns the row of the part with the given clustering key, as it was saved with the root that the function has, and with
// the writes of the function itself. It returns mapper.ErrNotFound if there is no such row. If another client has saved the root
// in the meantime, it returns an error, and the function is called again.
func (p *Parts) Get(clustering *cell.Encoder) (any, error) {
	if p == nil {
		return nil, errNoParts
	}
	key, err := p.key(clustering)
	if err != nil {
		return nil, err
	}
	row, err := p.readRow(key)
	if err == nil && row == nil {
		err = mapper.ErrNotFound
	}
	if err != nil {
		return nil, p.r.WrapError("Get", key, err)
	}
	var d cell.Decoder
	v, err := p.r.Decode(&d, row)
	if d.Unknown() {
		p.row(key).unknown = true
	}
	return v, err
}

// readRow returns a row as the function sees it, or nil if the row does not exist.
func (p *Parts) readRow(key cell.Row) (cell.Row, error) {
	if p.ended {
		return nil, errEnded
	}
	x := p.row(key)
	switch {
	case x.written:
		return x.after, nil
	case p.deleted(key):
		return nil, nil
	case x.read:
		return x.there, nil
	}
	row, err := p.w.ReadRow(p.of.Table, key, p.w.DB.Config.SerialConsistency)
	if err != nil {
		return nil, err
	}
	if row != nil {
		if at, err := p.of.Table.RootVersion(row); err != nil || at != p.version {
			p.stale = true
			return nil, errors.Join(errStale, err)
		}
	}
	p.absent = p.absent || row == nil
	x.read, x.there = true, row
	return row, nil
}

// Insert adds the insert of v, whose row must not exist: otherwise the Update returns mapper.ErrExists.
func (p *Parts) Insert(v any) {
	p.add("Insert", plan.InsertPart, func() (cell.Row, projection.Bits, error) { return p.encodeGiven("Insert", v) })
}

// Put adds a write of v, whether or not its row exists.
func (p *Parts) Put(v any) {
	p.add("Put", plan.PutPart, func() (cell.Row, projection.Bits, error) { return p.encodeGiven("Put", v) })
}

// Change adds a write of the fields in which new differs from old. Its row must exist: otherwise the Update returns
// mapper.ErrNotFound.
func (p *Parts) Change(old, new any) {
	p.add("Change", plan.ChangePartIf, func() (row cell.Row, changed projection.Bits, err error) {
		before, _, err := p.encodeGiven("Change", old)
		if err != nil {
			return nil, changed, err
		}
		if row, _, err = p.encodeGiven("Change", new); err != nil {
			return nil, changed, err
		}
		switch t := p.of.Table; {
		case old == new:
			err = p.r.WrapError("Change", row, errSame)
		case !plan.SameKey(before, row, t.Key):
			err = p.r.WrapError("Change", before, mapper.ErrKeyChanged)
		default:
			err = p.constraint(before, row)
		}
		return row, p.of.ChangedColumns(before, row), err
	})
}

// Delete adds the deletion of the row with the given clustering key. The row must exist: otherwise the Update returns
// mapper.ErrNotFound.
func (p *Parts) Delete(clustering *cell.Encoder) {
	p.add("Delete", plan.DeletePart, func() (cell.Row, projection.Bits, error) {
		key, err := p.key(clustering)
		return key, projection.Bits{}, err
	})
}

// add adds the write that the function of returns, or its error. Without an Update, whose error it could be, add panics.
func (p *Parts) add(op string, action plan.PartAction, of func() (cell.Row, projection.Bits, error)) {
	if p == nil {
		panic(errNoParts)
	}
	row, changed, err := of()
	if err == nil {
		if err = p.addRow(plan.PartWrite{Of: p.of, Action: action, Row: row, Write: changed}); err != nil {
			err = p.r.WrapError(op, row, err)
		}
	}
	if err != nil {
		p.errs = append(p.errs, err)
	}
}

// PartRows are rows of a part that the function of an Update can delete.
type PartRows struct {
	p *Parts
	q call.Query
}

// Rows returns all rows of the part.
func (p *Parts) Rows() PartRows {
	if p == nil {
		panic(errNoParts)
	}
	return PartRows{p, p.r.Partition(p.w.Key)}
}

// Equal restricts the next clustering column to the value in k.
func (r PartRows) Equal(k *cell.Encoder) PartRows { return PartRows{r.p, r.q.Equal(k)} }

// Bound restricts the next clustering column to the values on one side of the value in k.
func (r PartRows) Bound(by store.Comparison, k *cell.Encoder) PartRows {
	return PartRows{r.p, r.q.Bound(by, k)}
}

// Delete adds the deletion of the rows, whether or not there are any. At least one clustering column must be restricted, because the
// deletion of a whole partition also deletes the columns of the root that only a newer program knows.
func (r PartRows) Delete() {
	key, low, up, err := r.q.Range()
	if err == nil {
		if err = r.p.addRange(plan.PartWrite{Of: r.p.of, Action: plan.DeletePartRange, Row: key, Low: low, Up: up}); err != nil {
			err = r.p.r.WrapError("Delete", key, err)
		}
	}
	if err != nil {
		r.p.errs = append(r.p.errs, err)
	}
}

// addRange adds the deletion of a range of rows, none of which the function has written. Without a root there are no rows, so nothing is
// sent.
func (p *Parts) addRange(w plan.PartWrite) error {
	switch {
	case p.ended:
		return errEnded
	case len(p.writes) == maxPartWrites:
		return errMostPart
	}
	for _, x := range p.rows {
		if x.written && w.InRange(x.key) {
			return fmt.Errorf("the function has written the row %s of the range: a server cannot order the two, so delete the range in another Update", p.of.Table.KeyText(x.key))
		}
	}
	if p.ranges = append(p.ranges, w); !p.created {
		p.writes = append(p.writes, w)
	}
	return nil
}

// deleted reports whether the function has deleted a range with the row with a primary key.
func (p *Parts) deleted(key cell.Row) bool {
	return slices.ContainsFunc(p.ranges, func(w plan.PartWrite) bool { return w.InRange(key) })
}

// addRow adds a write of a row that the function has not written yet. It returns an error if the rows that the function has
// read violate its condition. A change without different fields is not sent.
func (p *Parts) addRow(w plan.PartWrite) error {
	x := p.row(w.Row)
	must, conditional := w.Exists()
	switch {
	case p.ended:
		return errEnded
	case x.written:
		return errTwice
	case p.deleted(x.key):
		return errInRange
	case len(p.writes) == maxPartWrites:
		return errMostPart
	case x.read && conditional && must != (x.there != nil):
		return broken(must)
	}
	x.written = true
	if p.created && w.Action == plan.InsertPart {
		w.Action = plan.PutPart // the condition of the root is enough
	}
	if w.Action != plan.DeletePart {
		x.after = w.Row
	}
	if w.Action == plan.ChangePartIf {
		if w.Write.Empty() {
			return nil
		}
		if x.read {
			w.Action = plan.ChangePart
		}
	}
	p.writes = append(p.writes, w)
	return nil
}

// broken returns the error of a condition that does not hold.
func broken(mustExist bool) error {
	if mustExist {
		return mapper.ErrNotFound
	}
	return mapper.ErrExists
}

// row returns the entry of a row, which is new if the function has not used the row.
func (p *Parts) row(key cell.Row) *partRow {
	name := call.KeyString(key, p.of.Table.Key)
	if p.rows[name] == nil {
		p.rows[name] = &partRow{key: key[:p.of.Table.Key:p.of.Table.Key], read: p.created}
		if p.created {
			p.absent = true
		}
	}
	return p.rows[name]
}

// key returns the complete key of a row, from its clustering key.
func (p *Parts) key(clustering *cell.Encoder) (cell.Row, error) {
	t := p.of.Table
	row, err := clustering.Cells(append(make(cell.Row, 0, t.Key), t.Prefix(p.w.Key)...))
	if err != nil {
		return nil, p.w.DB.ConstraintError(t, p.w.Key, nil, call.ShiftFaults(err, len(t.Prefix(p.w.Key))))
	}
	t.Canonical(row)
	return row, p.w.DB.CheckKey(t, row)
}

// encodeGiven encodes and checks a value of the part, which must have the identifier of the root.
func (p *Parts) encodeGiven(op string, v any) (row cell.Row, none projection.Bits, err error) {
	if v == nil {
		return nil, none, call.Root{Reader: p.r}.NilError(op)
	}
	row, err = p.encode(v)
	if err == nil && !plan.SameKey(row, p.w.Key, p.of.Table.Partition) {
		err = &plan.FaultError{Faults: []plan.Fault{{Table: p.of.Table, Path: p.of.Table.Columns[0].Field, Problem: "is not the identifier of the " + p.w.Codec.Table.Aggregate}}}
	}
	if err == nil {
		err = plan.CheckRow(p.of.Table, row)
	}
	if err = p.w.DB.ConstraintError(p.of.Table, row, p.r.Codec.Violations(v), err); err == nil && op != "Change" {
		err = p.constraint(nil, row)
	}
	return row, none, err
}

// encode encodes a value. If the function has read its row, it keeps the fields of UDTs that only a newer program knows.
func (p *Parts) encode(v any) (cell.Row, error) {
	row, err := p.r.Codec.EncodeColumns(v)
	if err != nil {
		return row, err
	}
	x := p.rows[call.KeyString(row, p.of.Table.Key)]
	if x == nil || x.there == nil || !x.unknown {
		return row, nil
	}
	return p.r.Codec.EncodeOver(p.w.DB.Schema, x.there, v)
}

// constraint returns an error if a change of a row violates rules of the model.
func (p *Parts) constraint(old, new cell.Row) error {
	return p.w.DB.ConstraintError(p.of.Table, new, call.PlanFaults(p.of.Table.Broken(old, new)), nil)
}

// end returns the error of the Update after the function has returned err, or nil if its writes can be sent. It returns
// ErrChanged if the function must be called again, because the root has been saved while it ran. A row that was not found does
// not show this, so an error of the function that may follow from it is returned only after the root has been read again.
func (p *Parts) end(err error) error {
	p.ended = true
	if err == nil {
		err = call.Join(p.errs)
	}
	if err != nil && p.absent && !p.stale {
		now, e := p.w.ReadState(true)
		if e != nil {
			return p.w.wrap(e)
		}
		p.stale = now.CurrentVersion() != p.version
	}
	if p.stale {
		return call.ErrChanged
	}
	if p.w.parts, p.w.changed = p.writes, nil; err == nil {
		p.w.changed, err = p.changes()
	}
	return err
}

// classifyRefusal returns the error of a save that was not applied: ErrChanged if the root has another version, and otherwise the error of
// the part whose condition does not hold. now is the state of the root after the refusal; nil if it has not been read. While the
// root has the version of the old state, no part of it can change.
func (w *Call) classifyRefusal(old, now *plan.State) error {
	if !w.conditional() {
		return call.ErrChanged
	}
	if now == nil {
		var err error
		if now, err = w.ReadState(true); err != nil {
			return err
		}
	}
	if !now.Exists() || now.CurrentVersion() != old.CurrentVersion() {
		return call.ErrChanged
	}
	err := w.InParallel(len(w.parts), func(i int) error { return w.partRefusal(&w.parts[i]) })
	return cmp.Or(err, call.ErrChanged)
}

// conditional reports whether a write of a part has a condition.
func (w *Call) conditional() bool {
	for i := range w.parts {
		if _, conditional := w.parts[i].Exists(); conditional {
			return true
		}
	}
	return false
}

// partRefusal reads the row of a write of a part, and returns an error if the condition of the write does not hold.
func (w *Call) partRefusal(p *plan.PartWrite) error {
	must, conditional := p.Exists()
	if !conditional {
		return nil
	}
	t := p.Of.Table
	row, err := w.ReadRow(t, p.Row[:t.Key], w.DB.Config.SerialConsistency)
	if err != nil || must == (row != nil) {
		return err
	}
	return &partError{t, p.Row[:t.Key], broken(must)}
}

// partError is the error of a part because of which a save was not applied.
type partError struct {
	t   *plan.Table
	key cell.Row
	err error
}

func (e *partError) Error() string {
	return fmt.Sprintf("%s: %v", rowname.Format(e.t.Aggregate, e.t.Name, e.t.KeyText(e.key)), e.err)
}

func (e *partError) Unwrap() error { return e.err }

// InsertWith is like Insert. It also writes rows of a part, in the same conditional batch.
func (r Versioned) InsertWith(ctx context.Context, v any, part *call.Codec, rows []any) error {
	return r.insert(ctx, v, func(w *Call) error {
		p := w.newParts(part, nil)
		for _, row := range rows {
			p.Put(row)
		}
		return p.end(nil)
	})
}
