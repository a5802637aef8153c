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

// Rows describes a copy: each row of From becomes a row of To, or gets further values if From and To are the same table.
type Rows struct {
	From, To string // tables of the session's keyspace, in the case of their stored names
	// Columns has every column of To's primary key, unless From and To are the same table, and the other columns to copy, in any
	// order. If the keys of the tables differ, no two rows of From may become the same row of To.
	Columns []Column
}

// Column describes the source of the value of a column.
type Column struct {
	From, To string
	// Convert computes the value of To from that of From. If it is nil, both have the same type, frozen or not, or a
	// counter becomes a bigint.
	Convert Conversion
}

const (
	parallel = 16 // rows that are written at the same time
	longAgo  = 1  // the write time of a row without a write time, in microseconds since 1970
)

// Run reads all of From, page by page at LOCAL_QUORUM, and writes To. Before it reads anything, it refuses an invalid copy: missing tables
// or columns, a column of To's key without a source, types that differ without a Convert, a counter as a target. A row that cannot be
// copied, because a column of the key would be null or Convert refuses a value, ends the copy with an error that contains the token of its
// partition. Run may be called again within the time that the documentation of the package describes.
func (c Rows) Run(ctx context.Context, session gocqlx.Session) error {
	if err := c.run(ctx, session); err != nil {
		return fmt.Errorf("copydata: copy %s to %s: %w", c.From, c.To, err)
	}
	return nil
}

func (c Rows) run(ctx context.Context, session gocqlx.Session) error {
	l, err := c.inspected(ctx, session)
	if err != nil {
		return err
	}
	return (&copying{layout: l, session: session.Session, each: func(ctx context.Context, c *copying, r row) error { return c.write(ctx, r) }}).all(ctx)
}

// inspected returns the layout of the copy in the keyspace of a session.
func (c Rows) inspected(ctx context.Context, session gocqlx.Session) (*layout, error) {
	keyspace := session.Session.Query("").Keyspace()
	if keyspace == "" {
		return nil, errors.New("the session has no keyspace: set Keyspace of the gocql.ClusterConfig")
	}
	k, err := catalog.Inspect(ctx, session.Session, keyspace)
	if err != nil {
		return nil, err
	}
	return c.layout(k)
}

// all copies the rows, several at the same time, until the first error.
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
			if err := c.each(ctx, c, r); err != nil {
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

// layout is a copy with its tables.
type layout struct {
	from, to  *schema.Table
	partition []column // of To's key, in its order
	cluster   []column
	others    []column         // outside the key
	unseen    []*schema.Column // columns of From that are not copied, but determine when a row expires
	types     *catalog.Keyspace
}

// column is a column of To and its source in From.
type column struct {
	from, to *schema.Column
	convert  Conversion
	slots    []slot     // of to; none in a key
	form     *form.Form // of to, in a key
}

// copying is a running copy.
type copying struct {
	*layout
	session *gocql.Session
	each    func(ctx context.Context, c *copying, r row) error // copies a row
}

// layout checks whether a copy is possible, and returns all faults.
func (c Rows) layout(k *catalog.Keyspace) (*layout, error) {
	l := &layout{from: k.Table(c.From), to: k.Table(c.To), types: k}
	for _, name := range []string{c.From, c.To} {
		if k.Table(name) == nil {
			return nil, fmt.Errorf("table %s does not exist", model.Quote(name))
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
			err = fmt.Errorf("column %s has two sources", model.Quote(x.To))
		}
		wrong = append(wrong, err)
		if filled[x.To] = of; err == nil && !of.to.InKey() {
			of.slots = l.slots(of.to)
			l.others = append(l.others, of)
		}
	}
	for _, key := range l.to.Key() {
		if _, there := filled[key.Name]; !there {
			wrong = append(wrong, fmt.Errorf("column %s of the primary key of %s has no source", model.Quote(key.Name), model.Quote(c.To)))
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

// form returns how Cassandra compares the values of a key column. It is nil for an unknown type, whose equal values have equal bytes.
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
	case x.Convert == nil && !Alike(of.from.Type, of.to.Type):
		return of, fmt.Errorf("column %s is %s and column %s is %s: set Convert", model.Quote(x.From), of.from.Type, model.Quote(x.To), of.to.Type)
	}
	return of, nil
}

// Alike reports whether values of one type can be copied to a column of another type without a Convert.
func Alike(from, to *schema.Type) bool {
	if from.Counter() {
		return to.Name == "bigint" && !to.UDT
	}
	a, b := *from, *to
	a.Frozen, b.Frozen = false, false
	return a.String() == b.String()
}

// Conversion computes the value of a column from that of another. [Convert] returns one for a function.
type Conversion func(info gocql.TypeInfo, value []byte) (any, error)

// Convert returns a Conversion that calls a function for each value that is not null, decoded by gocql to an A. The result is encoded by
// gocql as a B, and written at the write time of the source. An error, or a panic, ends the copy. If the result is a nil pointer, slice or
// map, nothing is written. The function must return the same result for the same value each time: otherwise a second run, or a run that
// continues after a crash, writes something else, and in a key another row.
func Convert[A, B any](f func(A) (B, error)) Conversion {
	return func(info gocql.TypeInfo, value []byte) (made any, err error) {
		var a A
		if err := gocql.Unmarshal(info, value, &a); err != nil {
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

// converted returns the value of the column in To; nil is null.
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
