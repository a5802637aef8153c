package codec

import (
	"github.com/gocql/gocql"

	"github.com/cassaml/cassaml/integration/bench/order"
)

// row is an order for gocql only.
type row[T any] interface {
	*T
	Arguments(table int) []any
	Scan(*gocql.Iter) bool
	Order() order.Order
}

// handwritten is gocql with handwritten arguments and destinations.
type handwritten[T any, R row[T]] struct {
	order R
	got   []T
}

func newHandwritten[T any, R row[T]](order R) *handwritten[T, R] {
	return &handwritten[T, R]{order: order}
}

func (v *handwritten[T, R]) bind(d *driver) error {
	return d.frame.statement(d.tables[0], v.order.Arguments(0))
}

func (v *handwritten[T, R]) bindAll(d *driver) error {
	for i, columns := range d.tables {
		if err := d.frame.statement(columns, v.order.Arguments(i)); err != nil {
			return err
		}
	}
	return nil
}

func (v *handwritten[T, R]) scan(it *gocql.Iter) error {
	got := make([]T, it.NumRows())
	for i := range got {
		if !R(&got[i]).Scan(it) {
			break
		}
	}
	v.got = got
	return it.Close()
}

func (v *handwritten[T, R]) get(it *gocql.Iter) error { return v.scan(it) }

func (v *handwritten[T, R]) read() (all []order.Order) {
	for i := range v.got {
		all = append(all, R(&v.got[i]).Order())
	}
	return all
}
