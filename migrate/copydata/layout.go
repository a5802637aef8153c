package copydata

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/cassaml/cassaml/mapper/driver"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Column describes the source of the value of a column.
type Column struct {
	From, To string
	// Value is the value of To in each row, without a From; nil: the value follows from From.
	Value any
	// Convert computes the value of To from the value of From. If it is nil, both have the same type, frozen or not, or a
	// counter becomes a bigint.
	Convert Conversion
}

// Conversion computes the value of a column from the value of another. [Convert] returns one for a function.
type Conversion func(values driver.Values, t driver.Type, value []byte) (any, error)

// Convert returns a Conversion that calls a function for each value that is not null, decoded by the driver to an A. The result is encoded by
// the driver as a B, and written at the write time of the source. An error, or a panic, ends the copy. If the result is a nil pointer, slice or
// map, nothing is written. The function must return the same result for the same value each time: otherwise a second run, or a run that
// continues after a crash, writes something else, and in a key another row.
func Convert[A, B any](f func(A) (B, error)) Conversion {
	return func(values driver.Values, t driver.Type, value []byte) (made any, err error) {
		var a A
		if err := values.Decode(t, value, &a); err != nil {
			return nil, err
		}
		defer func() { // it runs in another goroutine than the caller, which could not recover the panic
			if p := recover(); p != nil {
				made, err = nil, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		b, err := f(a)
		if err != nil || isNil(reflect.ValueOf(b)) {
			return nil, err
		}
		return b, nil
	}
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	case reflect.Invalid: // a nil interface
		return true
	}
	return false
}

// layout is a copy with its tables.
type layout struct {
	from, to  *schema.Table
	partition []column // the partition key of To, in its order
	cluster   []column
	others    []column         // outside the key
	unseen    []*schema.Column // columns of From that are not copied, but determine when a row expires
	types     *catalog.Keyspace
	serial    bool // Rows.Serial
}

// form returns how Cassandra compares the values of a key column. It is nil for an unknown type, whose equal values have equal bytes.
func (l *layout) form(c *schema.Column) *form.Form {
	f, err := form.Parse(c.Type.String(), func(udt string) (types []string, ok bool) {
		t := l.types.Type(udt)
		if t == nil {
			return nil, false
		}
		for _, field := range t.Fields {
			types = append(types, field.Type.String())
		}
		return types, true
	})
	if err != nil {
		return nil
	}
	return f
}

// notCopied returns the regular columns of From that are not copied.
func (l *layout) notCopied() (out []*schema.Column) {
	for _, x := range l.from.Columns {
		if x.Kind == schema.Regular && !slices.ContainsFunc(l.others, func(of column) bool { return of.from == x }) {
			out = append(out, x)
		}
	}
	return out
}

// readable refuses a column that the driver reads and writes as several columns.
func (l *layout) readable(c *schema.Column) error {
	tuple := func(t *schema.Type) bool { return t.Name == "tuple" && !t.UDT }
	if tuple(c.Type) {
		return fmt.Errorf("column %s is a tuple, which the driver treats as several columns: copy it in a separate function", model.Quote(c.Name))
	}
	for _, f := range l.fields(c) {
		if tuple(f.Type) {
			return fmt.Errorf("field %s of column %s is a tuple, which the driver treats as several columns: copy it in a separate function", model.Quote(f.Name), model.Quote(c.Name))
		}
	}
	return nil
}

// fields returns the fields of a column that has a cell for each field; none for any other.
func (l *layout) fields(c *schema.Column) []*schema.Field {
	if !c.Type.UDT || !c.Type.MultiCell() {
		return nil
	}
	return l.types.Type(c.Type.Name).Fields
}

// resolve finds both columns, and checks whether one can be copied to the other.
func (l *layout) resolve(x Column) (column, error) {
	if x.Value != nil { // computed from a column that is never null
		x.From, x.Convert = l.from.PartitionKey[0].Name, func(driver.Values, driver.Type, []byte) (any, error) { return x.Value, nil }
	}
	of := column{from: catalog.Column(l.from, x.From), to: catalog.Column(l.to, x.To), convert: x.Convert}
	switch {
	case of.from == nil:
		return of, fmt.Errorf("table %s has no column %s", model.Quote(l.from.Name), model.Quote(x.From))
	case of.to == nil:
		return of, fmt.Errorf("table %s has no column %s", model.Quote(l.to.Name), model.Quote(x.To))
	case of.to.Type.Counter():
		return of, fmt.Errorf("column %s is a counter, which cannot be written with a write time, or repeatedly", model.Quote(x.To))
	case l.readable(of.from) != nil:
		return of, l.readable(of.from)
	case l.readable(of.to) != nil:
		return of, l.readable(of.to)
	case x.Convert != nil && of.to.Type.MultiCell():
		return of, fmt.Errorf("column %s is %s, which has a cell for each element: Convert can only compute a single cell", model.Quote(x.To), of.to.Type)
	case x.Convert == nil && !Copyable(of.from.Type, of.to.Type):
		return of, fmt.Errorf("column %s is %s and column %s is %s: set Convert", model.Quote(x.From), of.from.Type, model.Quote(x.To), of.to.Type)
	}
	return of, nil
}

// slots returns the slots of a column: one, or one for each field of a user-defined type that is not frozen. A list that is not frozen has
// none.
func (l *layout) slots(c *schema.Column) []slot {
	name := model.Quote(c.Name)
	switch {
	case !c.Type.MultiCell():
		return []slot{{name, true}}
	case c.Type.UDT:
		var out []slot
		for _, f := range l.fields(c) {
			out = append(out, slot{text: name + "." + model.Quote(f.Name) + " = ?"})
		}
		return out
	case c.Type.Name == "list":
		return nil
	}
	return []slot{{text: name + " = " + name + " + ?"}}
}

// column is a column of To and its source in From.
type column struct {
	from, to *schema.Column
	convert  Conversion
	slots    []slot     // places of to in statements; none in a key
	form     *form.Form // set if to is in a key
}

// converted returns the value of the column in To; nil is null.
func (c column) converted(values driver.Values, x cells) (any, error) {
	if x.value == nil {
		return nil, nil
	}
	if c.convert == nil {
		return x.value, nil
	}
	v, err := c.convert(values, x.typ, x.value)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", c.from.Name, err)
	}
	return v, nil
}

// Copyable reports whether values of one type can be copied to a column of another type without a Convert.
func Copyable(from, to *schema.Type) bool {
	if from.Counter() {
		return to.Name == "bigint" && !to.UDT
	}
	a, b := *from, *to
	a.Frozen, b.Frozen = false, false
	return a.String() == b.String()
}

// slot is a place for a value in the statements of a table. Each statement has all slots, and those without a value are unset, so that a
// few statements are enough for rows of any shape.
type slot struct {
	text  string // the name of a column, or a whole assignment, which only UPDATE can have
	whole bool   // it is a column, which INSERT can have, too
}

func names(of []*schema.Column) string {
	var out []string
	for _, c := range of {
		out = append(out, model.Quote(c.Name))
	}
	return strings.Join(out, ", ")
}
