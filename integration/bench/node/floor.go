package node

import (
	"context"
	"slices"

	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/measure"
	"github.com/cassaml/cassaml/integration/bench/order"
	"github.com/cassaml/cassaml/mapper"
	"github.com/cassaml/cassaml/mapper/gen"
)

// floor is the driver only: the bytes are prepared, the values of rows are ignored.
type floor struct {
	*Client
	limited bool // each statement has the time limit of a call of a store
}

// query returns a query, and the function that releases it.
func (f floor) query(statement string, args ...any) (*gocql.Query, func()) {
	q := f.session.Session.Query(statement, args...)
	if !f.limited {
		return q, q.Release
	}
	ctx, end := context.WithTimeout(context.Background(), mapper.DefaultTimeout)
	limited := q.WithContext(ctx)
	q.Release()
	return limited, func() {
		limited.Release()
		end()
	}
}

// prepared is an encoded value.
type prepared []byte

// MarshalCQL returns the bytes.
func (p *prepared) MarshalCQL(gocql.TypeInfo) ([]byte, error) { return *p, nil }

// ready returns columns of an order as arguments.
func ready(o *order.Order, columns ...string) ([]any, error) {
	row, err := order.Row(o)
	if err != nil {
		return nil, err
	}
	args := make([]any, len(columns))
	for i, name := range columns {
		at := slices.IndexFunc(order.Tables()[0].Columns, func(c gen.Column) bool { return c.Name == name })
		p := prepared(row[at])
		args[i] = &p
	}
	return args, nil
}

func names(t *gen.Table) (all []string) {
	for _, c := range t.Columns {
		all = append(all, c.Name)
	}
	return all
}

// send sends a statement with columns of an order.
func (f floor) send(statement string, o *order.Order, columns ...string) measure.Op {
	args, err := ready(o, columns...)
	return func() error {
		if err != nil {
			return err
		}
		q, end := f.query(statement, args...)
		defer end()
		return q.Exec()
	}
}

func (f floor) insert(o *order.Order) measure.Op {
	return f.send(insertCQL[0], o, names(order.Tables()[0])...)
}

func (f floor) update(o *order.Order) measure.Op {
	return f.send(updateCQL, o, "total", "customer", "placed", "number")
}

func (f floor) write4(o *order.Order) measure.Op {
	all := make([][]any, len(insertCQL))
	for i, t := range order.Tables() {
		args, err := ready(o, names(t)...)
		if err != nil {
			return func() error { return err }
		}
		all[i] = args
	}
	return func() error {
		b := f.session.NewBatch(gocql.LoggedBatch)
		for i, statement := range insertCQL {
			b.Query(statement, all[i]...)
		}
		return f.session.ExecuteBatch(b)
	}
}

func (f floor) get(o *order.Order) measure.Op {
	return f.read(getCQL, 1, o, "customer", "placed", "number")
}

func (f floor) page(o *order.Order) measure.Op { return f.read(pageCQL, PageRows, o, "customer") }

func (f floor) first(o *order.Order) measure.Op { return f.read(firstCQL, 1, o, "customer") }

func (f floor) many(o *order.Order) measure.Op {
	reads := make([]measure.Op, PageRows)
	for i := range reads {
		one := *o
		one.Number = int32(i)
		reads[i] = f.get(&one)
	}
	return func() error { return inParallel(PageRows, func(i int) error { return reads[i]() }) }
}

func (f floor) merge(*order.Order) measure.Op {
	stores := mergedStores()
	return func() error {
		q, end := f.query(mergeCQL, stores)
		defer end()
		return ignored(q.PageSize(0), mergedRows)
	}
}

// read iterates over the rows of a query.
func (f floor) read(statement string, want int, o *order.Order, columns ...string) measure.Op {
	args, err := ready(o, columns...)
	return func() error {
		if err != nil {
			return err
		}
		q, end := f.query(statement, args...)
		defer end()
		return ignored(q, want)
	}
}

// eachFloor is the floor of merge with one request for each partition, as OfEach sends them, instead of one for all.
type eachFloor struct{ floor }

func (f eachFloor) merge(*order.Order) measure.Op {
	stores := mergedStores()
	return func() error {
		return inParallel(len(stores), func(i int) error {
			q, end := f.query(eachCQL, stores[i])
			defer end()
			return ignored(q, eachRows)
		})
	}
}

// ignored reads the rows of a query, whose number is want, and ignores their values.
func ignored(q *gocql.Query, want int) error {
	into := make([]any, len(order.Tables()[0].Columns))
	it, rows := q.Iter(), 0
	for it.Scan(into...) {
		rows++
	}
	if err := it.Close(); err != nil {
		return err
	}
	return complete(rows, want)
}
