package call

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/internal/cell"
	"github.com/cassaml/cassaml/mapper/internal/rowname"
)

// Reference is a reference to a root in the rows of a table. Its functions are called with values that are not nil.
type Reference struct {
	Field  string // Author, Family[], Lines[].Item: [] is the place of an element
	Target *Codec
	Secret bool // messages do not contain the key of the target
	Of     References
}

// References is the part of a Reference that is written for one struct.
type References interface {
	KeyAny(*cell.Encoder, any)            // writes the primary key of a row, as far as the value has it
	TargetsAny(any, func() *cell.Encoder) // calls the function for each place, and writes the key of the target, if there is one
}

// Follow reads the rows that references of some values refer to, each once. The result has a row for each place of a target, in the
// order of the values, and nil where there is none; a nil value has one place. If there are targets without a row, the result is
// complete, and the error has a *mapper.ReferenceError for each of them.
func (r Reader) Follow(ctx context.Context, op string, f *Reference, values []any) ([]any, error) {
	ctx, end, err := r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	target := Reader{r.DB, f.Target}
	if err := target.checkRead(); err != nil {
		return nil, target.WrapError(op, nil, err)
	}
	all := &following{Reference: f, different: different{seen: map[string]*oneOfMany{}}, r: r}
	for _, v := range values {
		if err := all.add(v); err != nil {
			return nil, err
		}
	}
	if err := target.readEach(ctx, op, all.reads); err != nil {
		return nil, f.discreet(op, err)
	}
	return all.result()
}

// following collects the targets of references.
type following struct {
	*Reference
	different
	r      Reader
	places []place
}

// place is the place of a target in a value.
type place struct {
	of     any // the value
	number int // the place in the value
	to     *oneOfMany
}

// add adds the targets of a value.
func (all *following) add(v any) error {
	if v == nil {
		all.places = append(all.places, place{})
		return nil
	}
	var keys []*cell.Encoder
	all.Of.TargetsAny(v, func() *cell.Encoder {
		keys = append(keys, new(cell.Encoder))
		return keys[len(keys)-1]
	})
	for i, k := range keys {
		p := place{of: v, number: i}
		if k.Len() > 0 {
			row, err := all.r.DB.Key(all.Target.Table, k)
			if err != nil {
				return all.refuse(p, err)
			}
			p.to = all.row(row)
		}
		all.places = append(all.places, p)
	}
	return nil
}

// refuse returns the error of a value that cannot be a key of the target.
func (all *following) refuse(p place, err error) error {
	var of *mapper.ConstraintError
	if !errors.As(err, &of) {
		return err
	}
	e := &mapper.ConstraintError{Aggregate: all.r.Codec.Table.Aggregate, Table: all.r.Codec.Table.Name, Key: all.keyText(p.of)}
	for _, f := range of.Violations {
		if all.Secret {
			f.Problem, _, _ = strings.Cut(f.Problem, ": ")
		}
		e.Violations = append(e.Violations, mapper.Violation{Path: all.path(p), Problem: "refers to " + all.Target.Table.Aggregate + ", whose " + f.Path + " " + f.Problem})
	}
	return e
}

// result returns the value at each place, and the errors of those that have a target without a row.
func (all *following) result() ([]any, error) {
	out, missing := make([]any, len(all.places)), []error(nil)
	for i, p := range all.places {
		switch {
		case p.to == nil:
		case p.to.value == nil:
			missing = append(missing, all.missing(p))
		default:
			out[i] = p.to.value
		}
	}
	return out, Join(missing)
}

func (all *following) missing(p place) error {
	t := all.r.Codec.Table
	return &mapper.ReferenceError{Aggregate: t.Aggregate, Table: t.Name, Key: all.keyText(p.of), Field: all.path(p),
		Target: all.Target.Table.Aggregate, TargetKey: all.Reference.text(p.to.key)}
}

// keyText returns the primary key of a value for messages.
func (all *following) keyText(v any) string {
	var e cell.Encoder
	all.Of.KeyAny(&e, v)
	row, err := e.Cells(nil)
	if err != nil {
		return ""
	}
	return all.r.Codec.Table.KeyText(row)
}

// path returns the path of a place in its value.
func (f *Reference) path(p place) string {
	return strings.Replace(f.Field, "[]", "["+strconv.Itoa(p.number)+"]", 1)
}

// text returns the key of a target for messages.
func (f *Reference) text(key cell.Row) string {
	if !f.Secret {
		return f.Target.Table.KeyText(key)
	}
	var names []string
	for i := range key {
		names = append(names, f.Target.Table.Columns[i].Name+"=…")
	}
	return strings.Join(names, ", ")
}

// discreet returns the error of a read without the key of the row, if that is secret.
func (f *Reference) discreet(op string, err error) error {
	t := f.Target.Table
	var decoding *mapper.DecodeError
	switch inner := errors.Unwrap(err); {
	case !f.Secret:
		return err
	case errors.As(err, &decoding):
		masked := *decoding
		masked.Key = ""
		return &masked
	case inner != nil:
		return fmt.Errorf("mapper: %s %s: %w", op, rowname.Format(t.Aggregate, t.Name, ""), inner)
	}
	return err
}
