package copydata

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/gocql/gocql"
	"github.com/scylladb/gocqlx/v2"

	"github.com/cassaml/cassaml/aml/form"
	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// Rows describes a copy: each row of From becomes one of To, or of From itself where both are one table.
type Rows struct {
	From, To string // tables of the session's keyspace, with the case they are stored in
	// Columns has every column of To's primary key, unless both are one table, and whatever else is to be copied, in any
	// order. Two tables of different keys are sound where no two rows of From become one of To.
	Columns []Column
}

// Column describes the source of the value of a column.
type Column struct {
	From, To string
	// Convert makes the value of To from that of From. Nil: the two have one type, apart from what of it is frozen; or a
	// counter becomes a bigint.
	Convert Conversion
}

const (
	parallel = 16 // rows that are written at a time
	longAgo  = 1  // the write time of a row that nothing tells the time of, in microseconds since 1970
)

// Run reads all of From, page by page at LOCAL_QUORUM, and writes To. Before anything is read, a copy that cannot be is
// refused: a table or column that is not there, a column of To's key that nothing fills, types that differ without a
// Convert, counters to be written. Rows that cannot be copied, because a key would be null or Convert refuses a value, are
// errors that name the token of their partition, and end the copy. Run may be called again within the time that the documentation
// of the package describes.
func (c Rows) Run(ctx context.Context, session gocqlx.Session) error {
	if err := c.run(ctx, session); err != nil {
		return fmt.Errorf("copydata: copy %s to %s: %w", c.From, c.To, err)
	}
	return nil
}

func (c Rows) run(ctx context.Context, session gocqlx.Session) error {
	keyspace := session.Session.Query("").Keyspace()
	if keyspace == "" {
		return errors.New("the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
	}
	k, err := catalog.Inspect(ctx, session.Session, keyspace)
	if err != nil {
		return err
	}
	l, err := c.layout(k)
	if err != nil {
		return err
	}
	return (&copying{layout: l, session: session.Session}).all(ctx)
}

// all copies row after row, several at a time, up to the first that cannot be.
func (c *copying) all(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var working sync.WaitGroup
	slots := make(chan struct{}, parallel)
	err := c.read(ctx, func(r row) error {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		working.Go(func() {
			defer func() { <-slots }()
			if err := c.write(ctx, r); err != nil {
				stop(err)
			}
		})
		return nil
	})
	working.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// layout is a copy whose tables are known.
type layout struct {
	from, to  *schema.Table
	partition []column // of To's key, in its order
	cluster   []column
	others    []column         // beyond the key
	unseen    []*schema.Column // of From's rows, not copied: they decide, too, when a row expires
	types     *catalog.Keyspace
}

// column is a column of To and the one of From that it comes from.
type column struct {
	from, to *schema.Column
	convert  Conversion
	slots    []slot     // of to; none of a key
	form     *form.Form // of to, where it is of a key
}

// copying is a layout at work.
type copying struct {
	*layout
	session *gocql.Session
}

// layout looks whether a copy can be, and says all that is in the way.
func (c Rows) layout(k *catalog.Keyspace) (*layout, error) {
	l := &layout{from: k.Table(c.From), to: k.Table(c.To), types: k}
	for _, name := range []string{c.From, c.To} {
		if k.Table(name) == nil {
			return nil, fmt.Errorf("there is no table %s", model.Quote(name))
		}
	}
	filled := map[string]column{}
	var wrong []error
	for _, key := range l.from.Key() {
		wrong = append(wrong, l.readable(key))
		if c.From == c.To {
			filled[key.Name] = column{from: key, to: key}
		}
	}
	for _, x := range c.Columns {
		of, err := l.resolve(x)
		if _, twice := filled[x.To]; twice {
			err = fmt.Errorf("column %s is filled twice", model.Quote(x.To))
		}
		wrong = append(wrong, err)
		if filled[x.To] = of; err == nil && !of.to.InKey() {
			of.slots = l.slots(of.to)
			l.others = append(l.others, of)
		}
	}
	for _, key := range l.to.Key() {
		if _, there := filled[key.Name]; !there {
			wrong = append(wrong, fmt.Errorf("nothing fills column %s of the primary key of %s", model.Quote(key.Name), model.Quote(c.To)))
		}
		of := filled[key.Name]
		of.form = l.form(key)
		if key.Kind == schema.PartitionKey {
			l.partition = append(l.partition, of)
		} else {
			l.cluster = append(l.cluster, of)
		}
	}
	if c.From != c.To {
		l.unseen = l.notCopied()
	}
	return l, errors.Join(wrong...)
}

// form returns how Cassandra compares the values of a key column. Of a type that it does not know, equal values have equal
// bytes.
func (l *layout) form(c *schema.Column) *form.Form {
	f, err := form.Of(c.Type.String(), func(udt string) (types []string, ok bool) {
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

// notCopied returns the columns of From's rows that go nowhere.
func (l *layout) notCopied() (out []*schema.Column) {
	for _, x := range l.from.Columns {
		if x.Kind == schema.Regular && !slices.ContainsFunc(l.others, func(of column) bool { return of.from == x }) {
			out = append(out, x)
		}
	}
	return out
}

// readable refuses a column that the driver reads and writes as several.
func (l *layout) readable(c *schema.Column) error {
	tuple := func(t *schema.Type) bool { return t.Name == "tuple" && !t.UDT }
	if tuple(c.Type) {
		return fmt.Errorf("column %s is a tuple, which the driver takes for several columns: copy it by hand", model.Quote(c.Name))
	}
	for _, f := range l.fields(c) {
		if tuple(f.Type) {
			return fmt.Errorf("field %s of column %s is a tuple, which the driver takes for several columns: copy it by hand", model.Quote(f.Name), model.Quote(c.Name))
		}
	}
	return nil
}

// fields returns the fields of a column that has a cell for each of them; none of any other.
func (l *layout) fields(c *schema.Column) []*schema.Field {
	if !c.Type.UDT || !c.Type.MultiCell() {
		return nil
	}
	return l.types.Type(c.Type.Name).Fields
}

// resolve finds both columns, and looks whether the one can be the other.
func (l *layout) resolve(x Column) (column, error) {
	of := column{from: catalog.Column(l.from, x.From), to: catalog.Column(l.to, x.To), convert: x.Convert}
	switch {
	case of.from == nil:
		return of, fmt.Errorf("table %s has no column %s", model.Quote(l.from.Name), model.Quote(x.From))
	case of.to == nil:
		return of, fmt.Errorf("table %s has no column %s", model.Quote(l.to.Name), model.Quote(x.To))
	case of.to.Type.Counter():
		return of, fmt.Errorf("column %s is a counter: nothing writes it at a time of the past, and what is added twice counts twice", model.Quote(x.To))
	case l.readable(of.from) != nil:
		return of, l.readable(of.from)
	case l.readable(of.to) != nil:
		return of, l.readable(of.to)
	case x.Convert != nil && of.to.Type.MultiCell():
		return of, fmt.Errorf("column %s is %s, of which each element is a cell: Convert makes single values", model.Quote(x.To), of.to.Type)
	case x.Convert == nil && !Alike(of.from.Type, of.to.Type):
		return of, fmt.Errorf("column %s is %s and column %s is %s: give it a Convert", model.Quote(x.From), of.from.Type, model.Quote(x.To), of.to.Type)
	}
	return of, nil
}

// Alike reports whether values of one type are copied to a column of another as they are.
func Alike(from, to *schema.Type) bool {
	if from.Counter() {
		return to.Name == "bigint" && !to.UDT
	}
	a, b := *from, *to
	a.Frozen, b.Frozen = false, false
	return a.String() == b.String()
}

// Conversion makes the value of a column from that of another. [Convert] makes one of a function.
type Conversion func(info gocql.TypeInfo, value []byte) (any, error)

// Convert calls a function for each value that is not null, with it as gocql reads it into an A. What it gives is written as
// gocql writes a B, at the write time of what it was given; its error, or panic, ends the copy. A nil pointer, slice or map is
// no value: nothing is written then. Of one value it has to make the same each
// time, or a second run, and one that goes on after a crash, writes something else: in a key, another row.
func Convert[A, B any](f func(A) (B, error)) Conversion {
	return func(info gocql.TypeInfo, value []byte) (made any, err error) {
		var a A
		if err := gocql.Unmarshal(info, value, &a); err != nil {
			return nil, err
		}
		defer func() { // it runs beside the caller, whom a panic would not reach
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
	case reflect.Invalid: // an interface that holds nothing
		return true
	}
	return false
}

// converted is the value that a column is to have; nil is null.
func (c column) converted(x cells) (any, error) {
	if x.value == nil {
		return nil, nil
	}
	if c.convert == nil {
		return x.value, nil
	}
	v, err := c.convert(x.info, x.value)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", c.from.Name, err)
	}
	return v, nil
}
