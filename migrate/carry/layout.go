package carry

import (
	"errors"
	"fmt"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/aml/model"
	"github.com/cassaml/cassaml/aml/schema"
	"github.com/cassaml/cassaml/migrate/catalog"
)

// layout is a copy whose tables are known.
type layout struct {
	from, to  *schema.Table
	partition []column // of To's key, in its order
	cluster   []column
	others    []column // beyond the key
	types     *catalog.Keyspace
}

// column is a column of To and the one of From that it comes from.
type column struct {
	from, to *schema.Column
	convert  Conversion
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
		wrong = append(wrong, readable(key))
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
		if filled[x.To] = of; err == nil && timed(of.to) {
			l.others = append(l.others, of)
		}
	}
	for _, key := range l.to.Key() {
		if _, there := filled[key.Name]; !there {
			wrong = append(wrong, fmt.Errorf("nothing fills column %s of the primary key of %s", model.Quote(key.Name), model.Quote(c.To)))
		}
		if key.Kind == schema.PartitionKey {
			l.partition = append(l.partition, filled[key.Name])
		} else {
			l.cluster = append(l.cluster, filled[key.Name])
		}
	}
	return l, errors.Join(wrong...)
}

// readable refuses a column that the driver reads and writes as several.
func readable(c *schema.Column) error {
	if c.Type.Name == "tuple" && !c.Type.UDT {
		return fmt.Errorf("column %s is a tuple, which the driver takes for several columns: copy it by hand", model.Quote(c.Name))
	}
	return nil
}

// resolve finds both columns, and looks whether the one can be the other.
func (l *layout) resolve(x Column) (column, error) {
	of := column{from: catalog.Column(l.from, x.From), to: catalog.Column(l.to, x.To), convert: x.Convert}
	switch {
	case of.from == nil:
		return of, fmt.Errorf("table %s has no column %s", model.Quote(l.from.Name), model.Quote(x.From))
	case of.to == nil:
		return of, fmt.Errorf("table %s has no column %s", model.Quote(l.to.Name), model.Quote(x.To))
	case of.to.Type.Name == "counter" && !of.to.Type.UDT:
		return of, fmt.Errorf("column %s is a counter: nothing writes it at a time of the past, and what is added twice counts twice", model.Quote(x.To))
	case readable(of.from) != nil:
		return of, readable(of.from)
	case readable(of.to) != nil:
		return of, readable(of.to)
	case x.Convert != nil && of.to.Type.MultiCell():
		return of, fmt.Errorf("column %s is %s, of which each element is a cell: Convert makes single values", model.Quote(x.To), of.to.Type)
	case x.Convert == nil && !Alike(of.from.Type, of.to.Type):
		return of, fmt.Errorf("column %s is %s and column %s is %s: give it a Convert", model.Quote(x.From), of.from.Type, model.Quote(x.To), of.to.Type)
	}
	return of, nil
}

// Alike reports whether values of one type are copied to a column of another as they are.
func Alike(from, to *schema.Type) bool {
	if from.Name == "counter" && !from.UDT {
		return to.Name == "bigint" && !to.UDT
	}
	a, b := *from, *to
	a.Frozen, b.Frozen = false, false
	return a.String() == b.String()
}
